"""The way in: the tables that a visitor may see, and the door for those with a code."""

from __future__ import annotations

from typing import Literal

from answers.answer import Data
from answers.play.info import GameRow, progress_of, result_told
from answers.rulebooks.games import game_name
from referee.errors import NotFound
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page

A_PAGE = 30


class Pages(Data):
    """A part of a list, and where its neighbours begin."""

    total: int
    start: int
    previous_start: int | None
    next_start: int | None


class TableRow(Data):
    """A table as it is listed."""

    game: str
    engine: str
    name: str
    """What is played."""
    title: str
    players: dict[str, str]
    actions: int
    updated: str
    progress: Literal["closed", "over", "open"]
    kept_apart: bool
    result: str
    """Who won, in words; empty where nobody has."""
    place: str
    """The page of it that this visitor uses."""


class MyEvent(Data):
    """A tournament of this device."""

    name: str
    place: str
    """The page of it that this visitor uses."""


class HomePage(Data):
    tables: list[TableRow]
    events: list[MyEvent]
    """The tournaments that this device takes part in."""
    pages: Pages
    may_open: bool
    may_open_as: str
    """The role of this device that may open a table where the current one may not; or nothing."""


def pages_of(total: int, start: int, shown: int) -> Pages:
    reached = start + shown
    return Pages(
        total=total,
        start=start,
        previous_start=max(0, start - A_PAGE) if start else None,
        next_start=reached if shown and reached < total else None,
    )


@page("home", "/")
def home(page_context: PageContext) -> Shown:
    start = number_in(page_context.query.get("start", "0"))
    found = page_context.ask("games", start=start, most=A_PAGE).data
    listed = [table_row(page_context, row) for row in found.games]
    known = {row.game for row in listed}
    others = (
        [] if start else [row for row in _of_other_roles(page_context) if row.game not in known]
    )
    shown = HomePage(
        tables=[*others, *listed],
        events=[] if start else my_events(page_context),
        pages=pages_of(found.total, start, len(found.games)),
        may_open=page_context.may("new"),
        may_open_as=_may_open_as(page_context),
    )
    return Shown("home", page_context.voice.say("home.title"), shown)


def my_events(page_context: PageContext) -> list[MyEvent]:
    """The tournaments of all roles of this device: a phone finds back to its player's page."""
    found: dict[str, MyEvent] = {}
    for role in (page_context.principal, *page_context.roles):
        if role.scope.startswith("tournament-") and role.scope not in found:
            there = page_context.in_role(role, tournament=role.scope)
            try:
                info = there.ask("tournament-info").data
            except NotFound:  # it is gone from the store, and the token is still here
                continue
            place = f"/tournaments/{role.scope}"
            if role.kind == "player":
                place += f"/players/{role.person}"
            elif there.may("tournament-result"):
                place += "/desk"
            found[role.scope] = MyEvent(name=info.name, place=place)
    return list(found.values())


def _of_other_roles(page_context: PageContext) -> list[TableRow]:
    """The tables of the other roles of this device: last week's seat beside tonight's."""
    found: dict[str, TableRow] = {}
    for role in page_context.roles:
        if role.scope.startswith("game-") and role.id != page_context.principal.id:
            there = page_context.in_role(role)
            for row in there.ask("games", most=A_PAGE).data.games:
                if row.game == role.scope:
                    found.setdefault(row.game, table_row(there, row))
    return list(found.values())


def _may_open_as(page_context: PageContext) -> str:
    if page_context.may("new"):
        return ""
    others = (role for role in page_context.roles if page_context.in_role(role).may("new"))
    return next((role.id for role in others), "")


def table_row(page_context: PageContext, row: GameRow) -> TableRow:
    return TableRow(
        game=row.game,
        engine=row.engine,
        name=game_name(page_context.voice, row.engine),
        title=row.title,
        players=row.players,
        actions=row.actions,
        updated=row.updated,
        progress=progress_of(row.closed, row.over),
        kept_apart=row.kept_apart,
        result=result_told(page_context.voice, row),
        place=page_of(page_context, row.game),
    )


def page_of(page_context: PageContext, game: str) -> str:
    """Where a visitor belongs: who keeps the record at the table, a seat at its own page."""
    principal = page_context.access_control.seated(page_context.principal, game)
    if principal.kind == "seat" and principal.scope == game:
        return f"/games/{game}/seat"
    keeps = principal.kind in (
        "organiser",
        "judge",
        "scribe",
        "table",
    ) and page_context.access_control.belongs(principal, game)
    return f"/games/{game}" if keeps else f"/games/{game}/watch"


def number_in(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 7 else 0
