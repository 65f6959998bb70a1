"""What happened at a table, action by action; and why an action is legal or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from pydantic import Field

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.explanation import gone_lines, readings_asked, why_lines
from answers.i18n import Voice, columns
from answers.limits import Line, Search, SeatLetter, View
from answers.line_words import glyph_text
from answers.permissions import EVERYBODY
from answers.privileged import explained
from answers.verdicts import Outcome, PointAnswer, VerdictAnswer, verdict_fields
from engines.kernel.messages.catalogue import Verbatim, normalize
from referee.record.entries import BySight, Number
from referee.record.game import Game
from referee.record.history import HistoryLine, Status, history
from replays.exports.stepping import rounds_of

WIDEST_LINE = 48
"""What follows a longer line is not aligned: a set-up would push it off the screen."""


class MoveRow(Data):
    number: int
    seq: int
    at: str
    by: str
    seat: str | None
    text: str
    outcome: Outcome
    clauses: list[str]
    status: Status
    stands: bool
    notes: list[str]
    settled: Literal["cleared", "broken"] | None
    """What became of an undecided verdict, once it could be checked."""
    settled_by: str | None
    round: int | None = None
    """The round in which it happened, where the game counts rounds."""
    told: str = ""
    """What happened in a sentence, in the language of who asks."""
    by_sight: BySight | None = None
    """A camera proposed it; ``unconfirmed`` until somebody says that it was so."""
    remarks: list[str] = []
    """The notes on it, in that language."""


class MovesAnswer(Data):
    game: str
    moves: list[MoveRow]


class ConsultedAnswer(PointAnswer):
    held: bool
    effect: bool


class WhyAnswer(VerdictAnswer):
    game: str
    notation: str
    consulted: list[ConsultedAnswer]
    readings: dict[str, str]
    status: Status | None
    """What became of a logged action; none of a line that is only asked about."""
    nearest: list[str] = Field(validation_alias="try", serialization_alias="try")


@operation("moves", "GET /games/{game}/moves", grant=EVERYBODY)
def moves(
    caller: Caller,
    game_id: str,
    *,
    start: Number = 0,
    by: SeatLetter | None = None,
    containing: Search | None = None,
    everything: bool = False,
    bare: bool = False,
    view: View = None,
) -> Answered[MovesAnswer]:
    """The record, action by action; ``everything``: what no longer counts as well; ``bare``:
    without what the actions moved."""
    game = caller.game(game_id, view)
    lines = [
        line
        for line in history(game)
        if line.number >= start
        and (everything or line.status in ("counts", "pending"))
        and (by is None or line.seat == by.upper())
        and (containing is None or _is_in(containing, caller, game, line.text))
    ]

    def told(voice: Voice) -> list[str]:
        if bare:
            return [f"#{line.number} {line.text}" for line in lines]
        there = voice.at(game.seats)
        return columns((_move(there, game, line) for line in lines), widest=WIDEST_LINE)

    def data() -> MovesAnswer:
        names, rounds = caller.names_at(game), rounds_of(game)
        rows = []
        now = None
        for line in lines:
            now = rounds.get(line.number, now)  # what has left the line stands beside what follows
            told = game.engine.text.tell_line(line.text, caller.voice.lang, names)
            remarks = _notes(caller.voice, game, line, names)
            rows.append(MoveRow(**line._asdict(), round=now, told=told, remarks=remarks))
        return MovesAnswer(game=game.id, moves=rows)

    return Answered(data, told)


def _is_in(words: str, caller: Caller, game: Game, line: str) -> bool:
    """Whether a line has these words, as it is recorded or as it is told."""
    told = game.engine.text.told_in(line, caller.voice.lang)
    return any(normalize(words) in normalize(text) for text in (line, told))


def _move(voice: Voice, game: Game, line: HistoryLine) -> tuple[str, ...]:
    """Number, time, what happened in a sentence, the same as it is typed, and the verdict."""
    told = game.engine.text.tell_line(line.text, voice.lang, voice.names)
    typed = game.engine.text.told_in(line.text, voice.lang)
    return (
        f"#{line.number}",
        line.at[11:19],
        told,
        typed if typed != told else "",
        _verdict(voice, line),
        " ".join(line.clauses),
        voice.say(f"moves.{line.status}") if line.status != "counts" else "",
        voice.say(f"moves.by_sight_{line.by_sight}") if line.by_sight else "",
        "  ".join(
            voice.say("quoted", text=Verbatim(note))
            for note in _notes(voice, game, line, voice.names)
        ),
    )


def _notes(voice: Voice, game: Game, line: HistoryLine, names: Mapping[str, str]) -> list[str]:
    """The notes on a move, their glyphs in words; those of a variation are no opinion of what was
    played, and begin with what is meant."""
    if not line.notes:
        return []
    text = game.engine.text
    told = []
    for note in game.notes.values():
        if note.number != line.number:
            continue
        lines = (text(text.load(said.action)) for said in note.variation)
        tried = " · ".join(text.tell_line(each, voice.lang, names) for each in lines)
        about = [voice.say("note.instead", lines=Verbatim(tried))] if tried else []
        about += [f"{note.on}:"] if note.on else []
        glyphs = (glyph_text(voice, name) for name in note.glyphs)
        told.append(" ".join([*about, *glyphs, note.text]).strip())
    return told


def _verdict(voice: Voice, line: HistoryLine) -> str:
    if line.settled is not None:
        return voice.say(f"moves.settled_{line.settled}", by=Verbatim(line.settled_by or ""))
    return voice.say(f"outcome.{line.outcome}") if line.outcome != "legal" else ""


# why


@operation("why", "GET /games/{game}/why", grant=EVERYBODY)
def why(
    caller: Caller, game_id: str, line: Line, *, at: Number | None = None
) -> Answered[WhyAnswer]:
    """Every clause that was asked about a logged action (``12``) or a line."""
    asked = explained(caller, game_id, line.split(), at)
    game, verdict = asked.game, asked.judged.verdict

    def data() -> WhyAnswer:
        return WhyAnswer(
            **verdict_fields(verdict, asked.moves),
            game=game.id,
            notation=game.engine.text(asked.judged.action),
            consulted=[ConsultedAnswer.made_of(point) for point in verdict.consulted],
            readings=readings_asked(game.engine, game.setting, verdict),
            status=asked.logged[1] if asked.logged is not None else None,
            nearest=asked.nearest,
        )

    def told(voice: Voice) -> Iterator[str]:
        if asked.logged is not None:
            yield from gone_lines(voice, *asked.logged)
        yield from why_lines(
            voice.at(game.seats),
            game.engine,
            game.setting,
            asked.judged,
            asked.moves,
            asked.nearest,
        )

    return Answered(data, told, "illegal" if verdict.outcome == "illegal" else "done")
