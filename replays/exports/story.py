"""A game as text and pictures in one language: the model behind all exports people read.

They are all made from it, so that page, PDF, Markdown and CSV say the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any

from msgspec import Struct

from engines.kernel import Finding, Point
from engines.kernel.dialogue.clause_text import (
    because,
    clause_text,
    difference,
    reading_in_words,
    weighed,
)
from engines.kernel.messages.catalogue import Catalogue, Verbatim, moment_in_words
from engines.kernel.messages.package_data import read_words
from referee.proof.head_codes import head_code
from referee.record.entries import Adjusted, Noted
from referee.record.game import Game
from referee.record.glyphs import sign_of
from referee.record.history import HistoryLine, history
from referee.record.line import JudgedItem
from referee.table.notes import variation_base, variation_steps
from replays.exports.annotations import drawn_marks
from replays.exports.chronicle import Chronicle, Happening
from replays.exports.render_options import RenderOptions


@cache
def words() -> Catalogue:
    return read_words("replays", read_words("referee", read_words("engines.kernel")))


class ShownNote(Struct, frozen=True):
    """A note as it is displayed: glyphs, text, marks, variation."""

    id: str
    number: int
    glyphs: tuple[str, ...]
    text: str
    tags: tuple[str, ...]
    clauses: tuple[str, ...]
    variation: tuple[str, ...]
    by: str
    """Who wrote it; empty where nobody is named."""
    marks: tuple[str, ...]
    arrows: tuple[tuple[str, str], ...]
    on: str
    """The step of a variation that it is about; empty for what was played."""

    @property
    def of_play(self) -> bool:
        """Whether its signs are about what was played, not about what might have been."""
        return not (self.variation or self.on)


class CitedClause(Struct, frozen=True):
    """A clause that decided something: its text, and the facts as a sentence."""

    clause: str
    text: str
    because: str


class StoryStep(Struct, frozen=True):
    """One step of the line that counts, with verdict, notes and what happened behind it."""

    number: int | None
    line: str
    told: str
    """The same in a sentence."""
    outcome: str
    verdict: str
    """The same in words, as it is said today."""
    stands: bool
    reasons: tuple[CitedClause, ...]
    findings: tuple[str, ...]
    remarks: tuple[ShownNote, ...]
    judged: tuple[str, ...]
    """Disputes and rulings about this action, and what else happened right behind it."""
    why: tuple[tuple[str, str], ...]
    """Every clause that was asked, and what came of it: held, broken or effect."""
    moved: str
    """What changed hands, and the points that were won."""


class Story:
    """One game rendered in one language."""

    def __init__(self, game: Game, options: RenderOptions) -> None:
        self.game = game
        self.lang = options.lang
        self.names = options.names
        self.shape = options.drawn_as
        self._grounds = options.grounds
        self._adjusted = {
            entry.data.number: entry.data.reason
            for entry in game.entries
            if isinstance(entry.data, Adjusted)
        }
        self._notes: dict[int, list[Noted]] = {}
        for note in game.notes.values():
            self._notes.setdefault(note.number, []).append(note)
        self._writers = {
            entry.data.id: entry.by for entry in game.entries if isinstance(entry.data, Noted)
        }
        self.chronicle = Chronicle(game, self.say, self.names, self._rearranged(options))
        self.happenings = list(self.chronicle.happenings())
        self._lines = {line.number: line for line in history(game)}

    def _rearranged(self, options: RenderOptions) -> dict[int, list[str]]:
        words = self.game.engine.words.naming(self._people)
        return {seq: each.told(words, self.lang) for seq, each in options.rearranged.items()}

    def say(self, key: str, /, **facts: Any) -> str:
        return words().naming(self._people).say(key, self.lang, **facts)

    def moment(self, at: str) -> str:
        """A date and the time of day (UTC), as the language writes them."""
        return moment_in_words(self.say, at)

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
        yield self.say("tag.opened"), self.moment(game.entries[0].at)
        yield self.say("tag.edition"), game.engine.edition_in(opened.edition, self.lang)
        for seat, person in game.seats.items():
            yield self.say("tag.seat", seat=Verbatim(seat)), self.names.get(person, person)
        if opened.house_rules:
            yield self.say("tag.house_rules"), " ".join(opened.house_rules)
        yield self.say("tag.result"), self.result()
        if (decided := self.decided()) is not None:
            yield self.say("tag.decided"), decided
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
            for place, seats in result.numbered[: len(result.told)]
        )
        return self.say("story.places", places=places, clause=result.clause)

    def _placed(self, seat: str, scores: Any) -> str:
        who = self.seated(seat)
        return f"{who} ({scores[seat]})" if seat in scores else who

    def seated(self, seat: str) -> str:
        """A seat with the name of who sits there, where it may be told."""
        return f"{seat} {self.names.get(self.game.seats.get(seat, ''), '')}".strip()

    def decided(self) -> str | None:
        """How a game that is over was decided: the reason, the clause and what it says."""
        result = self.game.engine.result(self.game.state)
        if result is None:
            return None
        winner = Verbatim(" = ".join(map(self.seated, result.places[0] if result.places else ())))
        words = self.game.engine.words
        how = words.say(result.how, self.lang, winner=winner) if result.how else ""
        clause = f"{result.clause} {self.clause(result.clause)}"
        return self.say("labelled", label=Verbatim(how), text=Verbatim(clause)) if how else clause

    def scores(self) -> list[tuple[str, dict[str, int]]]:
        """By round, where points are won so, and at the end: the points of each seat."""
        rounds: dict[int, dict[str, int]] = {}
        for step in self.game.steps if self.game.engine.holdings.by_round else ():
            number, points = self.game.engine.score(step.state)
            if number is not None:
                rounds[number] = dict(points)
        rows = [(self.say("sheet.round", number=n), points) for n, points in rounds.items()]
        result = self.game.engine.result(self.game.state)
        if result is not None and result.scores:
            rows.append((self.say("sheet.final"), dict(result.scores)))
        return rows

    # step by step

    def tellings(self) -> list[StoryStep]:
        return [self.telling(step) for step in self.game.steps]

    def history(self) -> list[HistoryLine]:
        """Everything ever said, taken back or not."""
        return list(self._lines.values())

    def book(self) -> Iterator[HistoryLine | Happening]:
        """The same, and in its place what happened around it."""
        behind: dict[int, list[Happening]] = {}
        for happening in self.happenings:
            behind.setdefault(happening.after, []).append(happening)
        for line in self.history():
            yield line
            yield from behind.get(line.number, ())

    def line_text(self, line: HistoryLine) -> str:
        """A recorded line in the language of the story."""
        return self.game.engine.text.told_in(line.text, self.lang)

    def verdict(self, line: HistoryLine) -> str:
        """The verdict as of today: stands, settled since, or as it was judged."""
        if line.stands:
            return self.say("status.stands")
        if line.settled is not None:
            return self.say(f"settled.{line.settled}", by=Verbatim(line.settled_by or ""))
        return self.say(f"outcome.{line.outcome}")

    def summary(self) -> Iterator[tuple[str, list[str]]]:
        """By heading: what a judge decided, what is open, who vouches for the record."""
        yield from self.chronicle.summary()
        if open_lines := [
            f"#{line.number} {self.line_text(line)} ({' '.join(line.clauses)})"
            for line in self.history()
            if line.status == "counts" and line.outcome == "undecided" and line.settled is None
        ]:
            yield self.say("summary.claims"), open_lines

    def gone(self) -> Iterator[tuple[HistoryLine, JudgedItem]]:
        """What no longer counts, and where each of it led when it did."""
        for line in self.history():
            if line.status != "counts" and line.number in self.game.gone:
                yield line, self.game.gone[line.number].after

    def telling(self, step: JudgedItem, aside_from: JudgedItem | None = None) -> StoryStep:
        """One step; ``aside_from``: of a variation, which came from another step."""
        verdict = step.verdict
        number = step.number
        return StoryStep(
            number,
            self.line(step),
            self.told(step),
            verdict.outcome,
            self._said_today(step),
            step.item.stands,
            tuple(self._reason(point) for point in (*verdict.breaches, *verdict.claims)),
            tuple(self._finding(finding) for finding in verdict.findings),
            tuple(self.remark(note) for note in self._notes.get(number, ()))
            if number is not None
            else (),
            tuple(self._judged(number)) if number is not None else (),
            tuple(dict.fromkeys((asked.clause, how) for asked, how in weighed(verdict))),
            self._moved(self._before(step) if aside_from is None else aside_from.state, step),
        )

    def _moved(self, before: Any, step: JudgedItem) -> str:
        if before is None:
            return ""
        engine = self.game.engine
        moves = engine.moves(before, step.state, step.setting, step.action, step.stages)
        return " · ".join(moves.told(engine.words.naming(self._people), self.lang))

    def _said_today(self, step: JudgedItem) -> str:
        line = self._lines.get(step.number) if step.number is not None else None
        if line is not None and line.status == "counts":
            return self.verdict(line)
        return self.say(f"outcome.{step.verdict.outcome}")

    def fate(self, step: JudgedItem) -> str:
        """What became of an action that does not count; nothing for one that does."""
        line = self._lines.get(step.number) if step.number is not None else None
        if line is None or line.status == "counts":
            return ""
        return self.say("story.gone", status=Verbatim(self.say(f"status.{line.status}")))

    def line(self, step: JudgedItem) -> str:
        if step.action is not None:
            return self.game.engine.text(step.action, self.lang)
        if step.item.reading is not None:
            reading, value = step.item.reading
            told = reading_in_words(self.game.engine, reading, value)
            return self.say("story.reading", reading=told)
        return self.say("story.adjusted", reason=self._adjusted.get(step.number or 0, ""))

    def told(self, step: JudgedItem) -> str:
        """What happened in a sentence, people by their names."""
        if step.action is None:
            return self.line(step)
        return self.game.engine.text.tell(step.action, self.lang, self._people)

    def told_text(self, line: HistoryLine) -> str:
        """A recorded line in a sentence."""
        return self.game.engine.text.tell_line(line.text, self.lang, self._people)

    @cached_property
    def _people(self) -> dict[str, str]:
        """The names of those who sit at the table, as far as they may be told."""
        return {seat: self.names[one] for seat, one in self.game.seats.items() if one in self.names}

    def described(self, step: JudgedItem) -> list[str]:
        """The position in words."""
        engine = self.game.engine
        return engine.describe(step.state, step.setting, self.lang, self._people)

    def _reason(self, point: Point) -> CitedClause:
        told = because(self.game.engine, point, self.lang, self._people)
        return CitedClause(point.clause, self.clause(point.clause), told)

    def clause(self, clause: str) -> str:
        return clause_text(self.game.engine, clause, self.lang, self.game.setting.readings)

    def _finding(self, finding: Finding) -> str:
        entries = ", ".join(f"#{number}" for number in finding.entries)
        engine = self.game.engine
        counted = difference(engine, finding, entries, self.lang, self._people)
        if counted is not None:
            return f"{counted} ({finding.clause})"
        return self.say(f"finding.{finding.manner}", entries=entries, clause=finding.clause)

    def _judged(self, number: int) -> Iterator[str]:
        for happening in self.happenings:
            if number in happening.about or number == happening.after:
                yield happening.text

    def remark(self, note: Noted) -> ShownNote:
        engine = self.game.engine
        return ShownNote(
            note.id,
            note.number,
            tuple(map(sign_of, note.glyphs)),
            note.text,
            note.tags,
            note.clauses,
            tuple(engine.text(engine.text.load(said.action), self.lang) for said in note.variation),
            self._writer(note),
            note.marks,
            note.arrows,
            note.on or "",
        )

    def _writer(self, note: Noted) -> str:
        by = self._writers.get(note.id, "")
        return self.names.get(by, "" if by == "anonymous" else by)

    def variations(self) -> Iterator[tuple[Noted, list[JudgedItem]]]:
        """What might have been played instead, as far as it goes today: whence, and each step."""
        for note in self.game.notes.values():
            if note.variation and (steps := variation_steps(self.game, note)):
                yield note, [variation_base(self.game, note.number, note.on), *steps]

    # pictures

    def _before(self, step: JudgedItem) -> Any:
        """The state that an action was taken in; nothing at the opening."""
        return self.game.stood(step.number).before.state if step.number else None

    def picture(self, step: JudgedItem, aside_from: JudgedItem | None = None) -> str:
        """The SVG of a step with the marks of its notes. One of a variation has none: it stands
        beside the line, and came from another step than the one of its number."""
        engine, lang = self.game.engine, self.lang
        picture = engine.picture(
            step.state,
            step.setting,
            lang,
            step.action,
            before=aside_from.state if aside_from is not None else self._before(step),
            shape=self.shape,
            names=self._people,
            grounds=self._grounds,
        )
        number_told = step.number if aside_from is None else None
        notes = self._notes.get(number_told, ()) if number_told is not None else ()
        fate = self.fate(step) if aside_from is None else ""
        described = "\n".join(
            [
                *([fate] if fate else []),
                *self.described(step),
                *(self._judged(number_told) if number_told is not None else ()),
            ]
        )
        number = f"#{step.number} " if step.number else ""
        title = f"{engine.words.say('game', lang)} – {number}{self.line(step)}"
        if fate:
            title, picture = f"{title} – {fate}", picture.captioned(f"{number}{fate}")
        return picture.svg(title, described, lang=lang, over=drawn_marks(picture, notes))
