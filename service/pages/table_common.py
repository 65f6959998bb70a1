"""What every page of a table shows: who plays what, how it stands, what has happened."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from answers.answer import Data
from answers.play.clocks import TableClockAnswer
from answers.play.moves import MoveRow
from answers.requests.judge import Disputes
from answers.requests.play import At, Drawn, Moves
from answers.requests.review import Entries
from answers.review.entries import EntryRow
from answers.rulebooks.games import game_name
from answers.verdict_text import as_time
from service.pages.page_context import Guest

DECISIONS = ("ruled", "penalised", "penalty_cancelled")
"""The entries of judges that a table waits for."""
LOOKED_BACK = 40
"""So many entries: a ruling, whatever it did to the line, and some more of both."""


class ShownClock(TableClockAnswer):
    live: bool
    """Time goes on; it does not for those who look on later."""
    shown: dict[str, str]
    """What is left, as it is written."""


class Sheet(Data):
    game: str
    engine: str
    name: str
    """What is played."""
    title: str
    places: list[str]
    seats: dict[str, str]
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
    held: bool
    clock: ShownClock | None
    closed: bool
    agreed: bool
    over: bool
    pending: list[int]
    disputes: list[str]
    """Those that are still open."""
    decided: list[str]
    """What a judge has decided since the last action, in sentences."""
    confirmed: dict[str, int]
    claims: list[str]


def sheet(guest: Guest, *, noted: bool = False) -> Sheet:
    """A table as this visitor may see it, now or after the action that the address names."""
    asked = guest.query.get("at", "")
    at = int(asked) if asked.isdecimal() and len(asked) < 7 else None
    info = guest.ask("info")
    known = info.data
    state = guest.ask("state", At(at=at))
    moves = guest.ask("moves", Moves(everything=True)).data.moves
    return Sheet(
        game=known.game,
        engine=known.engine,
        name=game_name(guest.voice, known.engine),
        title=known.title,
        places=known.places,
        seats=known.seats,
        version=known.entries - 1,
        last=max((move.number for move in moves), default=0),
        at=at,
        next=_last_line(info, guest),
        to_act=known.to_act,
        picture=guest.file(
            "picture", Drawn(at=at, shape=guest.shape, names=True, noted=noted)
        ).decode(),
        described=state.data.words,
        moves=moves,
        held=known.held,
        clock=_clock(guest) if known.clock is not None and at is None else None,
        closed=known.closed,
        agreed=known.agreed,
        over=known.over,
        pending=known.pending,
        disputes=[
            row.id for row in guest.ask("dispute-list", Disputes(open_only=True)).data.disputes
        ],
        decided=_decided(guest, known.entries) if at is None else [],
        confirmed=known.confirmed,
        claims=[f"#{claim.number} {claim.clause}" for claim in known.claims],
    )


def _decided(guest: Guest, entries: int) -> list[str]:
    """The latest decisions of judges, until play has gone on."""
    rows: list[EntryRow] = guest.ask(
        "entries", Entries(after=max(-1, entries - 1 - LOOKED_BACK))
    ).data.entries
    since = takewhile(lambda row: row.kind != "logged", reversed(rows))
    return [row.told for row in since if row.kind in DECISIONS][::-1]


def _clock(guest: Guest) -> ShownClock:
    """The clock at the moment the page is made."""
    asked = guest.ask("clock").data
    clock = asked.clock
    since, moment = (datetime.fromisoformat(each) for each in (clock.since, asked.moment))
    gone = round((moment - since).total_seconds())
    left = {
        whose: seconds - gone * (whose in clock.running) for whose, seconds in clock.left.items()
    }
    shown = {whose: as_time(timedelta(seconds=seconds)) for whose, seconds in left.items()}
    return ShownClock(**{**dict(clock), "left": left}, live=asked.live, shown=shown)


def _last_line(info: Any, guest: Guest) -> str:
    """Who is to act: what an answer about a game ends with."""
    lines: list[str] = info.lines(guest.voice)
    said = lines[-1].strip()
    return said[:1].upper() + said[1:]
