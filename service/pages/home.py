"""The way in: the tables that a visitor may see, and the door for those with a code."""

from __future__ import annotations

from typing import NamedTuple

from answers.play.info import GameRow
from referee.errors import NotFound
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page

A_PAGE = 30
PlacedRow = tuple[GameRow, str]


class Pages(NamedTuple):
    """A part of a list, and where its neighbours begin."""

    total: int
    start: int
    previous_start: int | None
    next_start: int | None


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
    listed = [placed(page_context, row) for row in found.games]
    known = {row.game for row in found.games}
    others = [] if start else _of_other_roles(page_context)
    return Shown(
        "home",
        page_context.voice.say("home.title"),
        tables=[*((row, place) for row, place in others if row.game not in known), *listed],
        events=[] if start else my_events(page_context),
        pages=pages_of(found.total, start, len(found.games)),
        may_open=page_context.may("new"),
        may_open_as=_may_open_as(page_context),
    )


def my_events(page_context: PageContext) -> list[tuple[str, str]]:
    """The tournaments of all roles of this device, by name, each with the page that this visitor
    uses: a phone finds back to its player's page."""
    found: dict[str, tuple[str, str]] = {}
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
            found[role.scope] = info.name, place
    return list(found.values())


def _of_other_roles(page_context: PageContext) -> list[PlacedRow]:
    """The tables of the other roles of this device: last week's seat beside tonight's."""
    found: dict[str, PlacedRow] = {}
    for role in page_context.roles:
        if role.scope.startswith("game-") and role.id != page_context.principal.id:
            there = page_context.in_role(role)
            for row in there.ask("games", most=A_PAGE).data.games:
                if row.game == role.scope:
                    found.setdefault(row.game, placed(there, row))
    return list(found.values())


def _may_open_as(page_context: PageContext) -> str:
    """The role of this device that may open a table where the current one may not; or nothing."""
    if page_context.may("new"):
        return ""
    others = (role for role in page_context.roles if page_context.in_role(role).may("new"))
    return next((role.id for role in others), "")


def placed(page_context: PageContext, row: GameRow) -> PlacedRow:
    """A table of a list, and the page of it that this visitor uses."""
    return row, page_of(page_context, row.game)


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
