"""What every page of a table shows: who plays what, how it stands, what has happened."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import takewhile
from types import SimpleNamespace
from typing import Any

from answers.play.clocks import GameClockAnswer
from answers.review.entries import EntryRow
from answers.review.photos import PhotoAnswer
from answers.rulebooks.box_pieces import TablePiecesAnswer
from answers.rulebooks.games import game_name
from answers.verdict_text import as_time
from service.pages.page_context import PageContext

DECISIONS = ("ruled", "penalised", "penalty_cancelled")
"""The entries of judges that a table waits for."""
SINCE_A_RULING, SINCE_A_PAUSE = 12, 40
"""So many entries are looked through: each is told in a sentence, which takes its time."""


def sheet(
    page_context: PageContext, *, noted: bool = False, drawings: bool = False
) -> SimpleNamespace:
    """A table as this visitor may see it, now or after the action that the address names.

    ``drawings``: of what is held, also where the club has no picture of it.
    """
    at = page_context.number("at")
    info = page_context.ask("info").data
    moves = page_context.ask("moves", everything=True).data.moves
    pieces = (
        page_context.ask("table-pieces", at=at, drawings=drawings).data
        if page_context.may("table-pieces")
        else TablePiecesAnswer(game="", pictures={}, held=[])
    )
    disputes = page_context.ask("dispute-list").data.disputes
    by_ruling = [row for row in disputes if row.settled not in (None, "withdrawn", "undone")]
    ruled = {number: row.settled for row in by_ruling for number in row.numbers}
    return SimpleNamespace(
        info=info,
        at=at,
        last=max((move.number for move in moves), default=0),
        picture=picture(page_context, at=at, noted=noted),
        state=page_context.ask("state", at=at).data,
        moves=moves,
        held_told=_held(page_context, info.entries) if info.held else "",
        clock=_clock(page_context.ask("clock").data) if info.clock and at is None else None,
        calls=[row for row in disputes if row.settled is None],
        ruled=ruled,
        decided=_decided(page_context, info.entries) if at is None else [],
        photos=shown_photos(page_context),
        pieces=pieces,
        faces=page_context.ask("table-faces").data.faces,
    )


def picture(page_context: PageContext, **asked: Any) -> str:
    """The picture of a table as the screen wants it, with the names of the players."""
    asked = {"shape": page_context.shape, **asked}
    drawn = page_context.file("picture", names=True, photo=True, **asked)
    return drawn.decode()


def title_of(page_context: PageContext, table: SimpleNamespace) -> str:
    """What is played, and what this game of it is called."""
    return f"{game_name(page_context.voice, table.info.engine)} {table.info.title}".strip()


def shown_photos(page_context: PageContext) -> list[PhotoAnswer]:
    """The photographs of a table; of those that are gone the log tells."""
    rows: list[PhotoAnswer] = page_context.ask("photo-list").data.photos
    return [row for row in rows if row.state in ("there", "hidden")]


def _latest(page_context: PageContext, entries: int, count: int) -> list[EntryRow]:
    """The latest entries, the last one first."""
    after = max(-1, entries - 1 - count)
    rows: list[EntryRow] = page_context.ask("entries", after=after).data.entries
    return rows[::-1]


def _held(page_context: PageContext, entries: int) -> str:
    """Who has paused the game, and why."""
    rows = _latest(page_context, entries, SINCE_A_PAUSE)
    paused = next((row.told for row in rows if row.kind == "held"), "")
    return paused or page_context.voice.say("sheet.held")


def _decided(page_context: PageContext, entries: int) -> list[EntryRow]:
    """The latest decisions of judges, until play has gone on."""
    rows = _latest(page_context, entries, SINCE_A_RULING)
    since = takewhile(lambda row: row.kind != "logged", rows)
    return [row for row in since if row.kind in DECISIONS][::-1]


def _clock(asked: GameClockAnswer) -> dict[str, Any]:
    """The clock at the moment the page is made, with what is left as it is written."""
    clock = asked.clock
    assert clock is not None
    since, moment = (datetime.fromisoformat(each) for each in (clock.since, asked.moment))
    gone = round((moment - since).total_seconds())
    left = {
        whose: seconds - gone * (whose in clock.running) for whose, seconds in clock.left.items()
    }
    written = {whose: as_time(timedelta(seconds=seconds)) for whose, seconds in left.items()}
    return {**clock.model_dump(mode="json"), "left": left, "live": asked.live, "shown": written}
