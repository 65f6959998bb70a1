"""A game as it is told: every step with its verdict, notes and picture, in one language.

All the exports that people read are made from it, so they say the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from engines.kernel import Engine, Finding, Point
from engines.kernel.data import read_words
from engines.kernel.sentences import difference
from engines.kernel.words import Language, Verbatim, Words
from referee.proof.heads import head_code
from referee.record.entries import Adjusted, Noted
from referee.record.game import Game
from referee.record.history import HistoryLine, history
from referee.record.line import Step
from referee.table.notes import GLYPHS
from replays.exports.marks import drawn_marks
from replays.exports.options import Options


@cache
def words() -> Words:
    return read_words("replays", read_words("referee", read_words("engines.kernel")))


@dataclass(frozen=True)
class Remark:
    """A note as it is shown."""

    id: str
    number: int
    glyphs: tuple[str, ...]
    text: str
    tags: tuple[str, ...]
    clauses: tuple[str, ...]
    variation: tuple[str, ...]
    marks: tuple[str, ...]
    arrows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Reason:
    """A clause that decided something: its text, and the facts as a sentence."""

    clause: str
    text: str
    because: str


@dataclass(frozen=True)
class Telling:
    """One step of the line that counts."""

    number: int | None
    line: str
    outcome: str
    stands: bool
    reasons: tuple[Reason, ...]
    findings: tuple[str, ...]
    remarks: tuple[Remark, ...]
    judged: tuple[str, ...]
    """Disputes and rulings about this action."""


class Story:
    """One game told in one language."""

    def __init__(self, game: Game, options: Options) -> None:
        self.game = game
        self.lang = options.lang
        self.names = options.names
        self._adjusted = {
            entry.data.number: entry.data.reason
            for entry in game.entries
            if isinstance(entry.data, Adjusted)
        }
        self._notes: dict[int, list[Noted]] = {}
        for note in game.notes.values():
            self._notes.setdefault(note.number, []).append(note)

    def say(self, key: str, /, **facts: Any) -> str:
        return words().say(key, self.lang, **facts)

    def labelled(self, key: str, text: str) -> str:
        return self.say("labelled", label=self.say(key), text=Verbatim(text))

    # about the game

    @property
    def title(self) -> str:
        name = self.game.engine.words.say("game", self.lang)
        return f"{self.game.opened.title} – {name}" if self.game.opened.title else name

    def tags(self) -> Iterator[tuple[str, str]]:
        """What stands at the head of a score sheet."""
        game, opened = self.game, self.game.opened
        yield self.say("tag.game"), game.engine.words.say("game", self.lang)
        if opened.title:
            yield self.say("tag.title"), opened.title
        yield self.say("tag.opened"), game.entries[0].at[:16].replace("T", " ")
        yield self.say("tag.edition"), game.engine.edition_in(opened.edition, self.lang)
        for seat, person in game.seats.items():
            yield self.say("tag.seat", seat=seat), self.names.get(person, person)
        if opened.house_rules:
            yield self.say("tag.house_rules"), " ".join(opened.house_rules)
        yield self.say("tag.result"), self.result()
        yield self.say("tag.record"), game.id
        yield self.say("tag.head"), head_code(game.head)

    def result(self) -> str:
        game = self.game
        result = game.engine.result(game.state)
        if result is None:
            if game.closed is not None:
                return self.say("story.stopped", reason=game.closed.reason)
            return self.say("story.unfinished")
        if result.won is not None:
            return self.say("story.won" if result.won else "story.lost", clause=result.clause)
        places = " · ".join(
            f"{place}. " + " = ".join(self._placed(seat, result.scores) for seat in seats)
            for place, seats in enumerate(result.places, start=1)
        )
        return self.say("story.places", places=places, clause=result.clause)

    def _placed(self, seat: str, scores: Any) -> str:
        return f"{seat} ({scores[seat]})" if seat in scores else seat

    # step by step

    def tellings(self) -> list[Telling]:
        return [self._telling(step) for step in self.game.steps]

    def history(self) -> list[HistoryLine]:
        """Everything ever said, taken back or not."""
        return history(self.game)

    def _telling(self, step: Step) -> Telling:
        verdict = step.verdict
        number = step.number
        return Telling(
            number,
            self.line(step),
            verdict.outcome,
            step.item.stands,
            tuple(self._reason(point) for point in (*verdict.breaches, *verdict.claims)),
            tuple(self._finding(finding) for finding in verdict.findings),
            tuple(self.remark(note) for note in self._notes.get(number, ()))
            if number is not None
            else (),
            tuple(self._judged(number)) if number is not None else (),
        )

    def line(self, step: Step) -> str:
        if step.action is not None:
            return self.game.engine.text(step.action)
        if step.item.reading is not None:
            reading, value = step.item.reading
            return self.say("story.reading", reading=reading, value=Verbatim(value))
        return self.say("story.adjusted", reason=self._adjusted.get(step.number or 0, ""))

    def _reason(self, point: Point) -> Reason:
        clause = self.game.engine.clauses.get(point.clause)
        text = clause.say(self.lang) if clause is not None else ""
        return Reason(point.clause, text, because(self.game.engine, point, self.lang))

    def _finding(self, finding: Finding) -> str:
        several = "_one_of" if finding.status == "broken" and len(finding.entries) > 1 else ""
        entries = ", ".join(f"#{number}" for number in finding.entries) or "–"
        if (counted := difference(self.game.engine, finding, entries, self.lang)) is not None:
            return f"{counted} ({finding.clause})"
        return self.say(
            f"finding.{finding.status}{several}", entries=entries, clause=finding.clause
        )

    def _judged(self, number: int) -> Iterator[str]:
        game = self.game
        for dispute in game.disputes.values():
            if number in dispute.numbers:
                told = self.say("story.disputed", id=dispute.id)
                yield f"{told} – {dispute.text}" if dispute.text else told
        for ruling in game.rulings.values():
            if number in ruling.numbers:
                remedy = self.say(f"remedy.{ruling.remedy}")
                told = self.say("story.ruled", id=ruling.id, remedy=remedy)
                yield f"{told} – {ruling.reason}"

    def remark(self, note: Noted) -> Remark:
        engine = self.game.engine
        return Remark(
            note.id,
            note.number,
            tuple(GLYPHS[name].sign if name in GLYPHS else name for name in note.glyphs),
            note.text,
            note.tags,
            note.clauses,
            tuple(engine.text(engine.load(said.action)) for said in note.variation),
            note.marks,
            note.arrows,
        )

    # pictures

    def picture(self, step: Step) -> str:
        """The SVG of a step with the marks of its notes."""
        engine, lang = self.game.engine, self.lang
        picture = engine.picture(step.state, step.setting, lang, step.action)
        notes = self._notes.get(step.number, ()) if step.number is not None else ()
        described = "\n".join(engine.describe(step.state, step.setting, lang))
        number = f"#{step.number} " if step.number else ""
        title = f"{engine.words.say('game', lang)} – {number}{self.line(step)}"
        return picture.svg(title, described, lang=lang, over=drawn_marks(picture, notes))


def because(engine: Engine[Any, Any], point: Point, lang: Language) -> str:
    """The facts of a point as a sentence, or as a list where the clause has no sentence."""
    clause = engine.clauses.get(point.clause)
    if clause is not None and clause.because is not None:
        return engine.words.fill(clause.because.say(lang), lang, **point.facts)
    told = []
    for name, value in point.facts.items():
        key = f"fact.{name}"
        label = engine.words.say(key, lang) if key in engine.words else name
        text = Verbatim(engine.words.fact(name, value, lang))
        told.append(engine.words.say("labelled", lang, label=label, text=text))
    return ", ".join(told)
