"""The way in: the tables that a visitor may see, and the door for those with a code."""

from __future__ import annotations

from answers.answer import Data
from answers.play.info import GameRow
from answers.requests.play import Games
from answers.rulebooks.games import game_name
from service.pages.page_context import Guest
from service.pages.rendering import Shown, page

A_PAGE = 30


class TableRow(Data):
    """A table as it is listed."""

    game: str
    name: str
    """What is played."""
    title: str
    players: dict[str, str]
    actions: int
    updated: str
    closed: bool
    kept_apart: bool
    place: str
    """The page of it that this visitor uses."""


class HomePage(Data):
    tables: list[TableRow]
    total: int
    start: int
    next_start: int | None
    may_open: bool


@page("home", "/")
def home(guest: Guest) -> Shown:
    start = number_in(guest.query.get("start", "0"))
    found = guest.ask("games", Games(start=start, most=A_PAGE)).data
    reached = start + len(found.games)
    shown = HomePage(
        tables=[table_row(guest, row) for row in found.games],
        total=found.total,
        start=start,
        next_start=reached if reached < found.total else None,
        may_open=guest.may("new"),
    )
    return Shown("home", guest.voice.say("home.title"), shown)


def table_row(guest: Guest, row: GameRow) -> TableRow:
    return TableRow(
        game=row.game,
        name=game_name(guest.voice, row.engine),
        title=row.title,
        players=row.players,
        actions=row.actions,
        updated=row.updated,
        closed=row.closed,
        kept_apart=row.kept_apart,
        place=page_of(guest, row.game),
    )


def page_of(guest: Guest, game: str) -> str:
    """Where a visitor belongs: who keeps the record at the table, a seat at its own page."""
    visitor = guest.door.seated(guest.visitor, game)
    if visitor.kind == "seat" and visitor.scope == game:
        return f"/games/{game}/seat"
    keeps = visitor.kind in ("organiser", "judge", "scribe") and guest.door.belongs(visitor, game)
    return f"/games/{game}" if keeps else f"/games/{game}/watch"


def number_in(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 7 else 0
