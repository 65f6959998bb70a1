"""What every page of a table shows: who plays what, how it stands, what has happened."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from answers.answer import Data
from answers.judge.disputes import DisputeRow
from answers.play.clocks import TableClockAnswer
from answers.play.moves import MoveRow
from answers.review.entries import EntryRow
from answers.review.photos import PhotoAnswer
from answers.rulebooks.box_pieces import HeldPieceRow, TablePiecesAnswer
from answers.rulebooks.games import game_name
from answers.verdict_text import as_time
from service.pages.page_context import PageContext

DECISIONS = ("ruled", "penalised", "penalty_cancelled")
"""The entries of judges that a table waits for."""
SINCE_A_RULING, SINCE_A_PAUSE = 12, 40
"""So many entries are looked through: each is told in a sentence, which takes its time."""


class ShownClock(TableClockAnswer):
    live: bool
    """Time goes on; it does not for those who look on later."""
    shown: dict[str, str]
    """What is left, as it is written."""


class TableView(Data):
    game: str
    engine: str
    name: str
    """What is played."""
    title: str
    kit: str
    """The box it is played with."""
    places: list[str]
    seats: dict[str, str]
    colours: dict[str, str]
    """Of the pieces, where they have one."""
    version: int
    """The last entry that the visitor may know of."""
    last: int
    """The number of the last action."""
    at: int | None
    """The action after which the table is shown; none for how it stands now."""
    next: str
    """Who owes what next, in a sentence."""
    to_act: list[str]
    picture: str
    described: list[str]
    moves: list[MoveRow]
    may_undo: bool
    undoable: bool
    redoable: bool
    corrected: int | None
    """Where the last correction was made, if it can be undone."""
    held: bool
    held_told: str
    """Who has paused the game, and why."""
    clock: ShownClock | None
    closed: bool
    agreed: bool
    over: bool
    pending: list[int]
    disputes: list[str]
    """Those that are still open."""
    calls: list[DisputeRow]
    """The same, with what they are about."""
    may_judge: bool
    decided: list[EntryRow]
    """What judges have decided since the last action."""
    confirmed: dict[str, int]
    claims: list[str]
    assumed: int
    """So many data of the box are assumed."""
    photos: list[PhotoAnswer]
    """Those that can be looked at, and those that are hidden from this visitor."""
    pictures: dict[str, str]
    """The club's own pictures of its pieces, by the words that people type."""
    held_pieces: list[HeldPieceRow]
    """Who holds which of these pieces."""
    faces: dict[str, str]
    """Where the pictures of the players are, by seat."""


def sheet(page_context: PageContext, *, noted: bool = False) -> TableView:
    """A table as this visitor may see it, now or after the action that the address names."""
    asked = page_context.query.get("at", "")
    at = int(asked) if asked.isdecimal() and len(asked) < 7 else None
    info = page_context.ask("info")
    known = info.data
    state = page_context.ask("state", at=at)
    moves = page_context.ask("moves", everything=True).data.moves
    counting = max((move.number for move in moves if move.status == "counts"), default=0)
    calls = page_context.ask("dispute-list", open_only=True).data.disputes
    pieces = _pieces(page_context, at)
    return TableView(
        game=known.game,
        engine=known.engine,
        name=game_name(page_context.voice, known.engine),
        title=known.title,
        kit=known.kit,
        places=known.places,
        seats=known.seats,
        colours=known.colours,
        version=known.entries - 1,
        last=max((move.number for move in moves), default=0),
        at=at,
        next=_last_line(info, page_context),
        to_act=known.to_act,
        picture=page_context.file(
            "picture",
            at=at,
            shape=page_context.shape,
            names=True,
            noted=noted,
            photo=True,
        ).decode(),
        described=state.data.words,
        moves=moves,
        may_undo=page_context.may("undo"),
        undoable=counting > 0,
        redoable=any(move.status == "taken_back" and move.number > counting for move in moves),
        corrected=known.corrected,
        held=known.held,
        held_told=_held(page_context, known.entries) if known.held else "",
        clock=_clock(page_context) if known.clock is not None and at is None else None,
        closed=known.closed,
        agreed=known.agreed,
        over=known.over,
        pending=known.pending,
        disputes=[row.id for row in calls],
        calls=calls,
        may_judge=page_context.may("ruling-issue"),
        decided=_decided(page_context, known.entries) if at is None else [],
        confirmed=known.confirmed,
        claims=[f"#{claim.number} {claim.clause}" for claim in known.claims],
        assumed=known.provenance.get("assumed", 0),
        photos=shown_photos(page_context),
        pictures=pieces.pictures,
        held_pieces=pieces.held,
        faces=page_context.ask("table-faces").data.faces,
    )


def _pieces(page_context: PageContext, at: int | None) -> TablePiecesAnswer:
    if not page_context.may("table-pieces"):
        return TablePiecesAnswer(game="", pictures={}, held=[])
    found: TablePiecesAnswer = page_context.ask("table-pieces", at=at).data
    return found


def shown_photos(page_context: PageContext) -> list[PhotoAnswer]:
    """The photographs of a table; of those that are gone the log tells."""
    rows: list[PhotoAnswer] = page_context.ask("photo-list").data.photos
    return [row for row in rows if row.state in ("there", "hidden")]


def _latest(page_context: PageContext, entries: int, count: int) -> list[EntryRow]:
    asked = {"after": max(-1, entries - 1 - count)}
    rows: list[EntryRow] = page_context.ask("entries", **asked).data.entries
    return rows


def _held(page_context: PageContext, entries: int) -> str:
    rows = reversed(_latest(page_context, entries, SINCE_A_PAUSE))
    told = next((row.told for row in rows if row.kind == "held"), "")
    return told or page_context.voice.say("sheet.held")


def _decided(page_context: PageContext, entries: int) -> list[EntryRow]:
    """The latest decisions of judges, until play has gone on."""
    rows = reversed(_latest(page_context, entries, SINCE_A_RULING))
    since = takewhile(lambda row: row.kind != "logged", rows)
    return [row for row in since if row.kind in DECISIONS][::-1]


def _clock(page_context: PageContext) -> ShownClock:
    """The clock at the moment the page is made."""
    asked = page_context.ask("clock").data
    clock = asked.clock
    since, moment = (datetime.fromisoformat(each) for each in (clock.since, asked.moment))
    gone = round((moment - since).total_seconds())
    left = {
        whose: seconds - gone * (whose in clock.running) for whose, seconds in clock.left.items()
    }
    shown = {whose: as_time(timedelta(seconds=seconds)) for whose, seconds in left.items()}
    return ShownClock(**{**dict(clock), "left": left}, live=asked.live, shown=shown)


def _last_line(info: Any, page_context: PageContext) -> str:
    """Who is to act: what an answer about a game ends with."""
    lines: list[str] = info.lines(page_context.voice.to(page_context.seat))
    said = lines[-1].strip()
    return said[:1].upper() + said[1:]
