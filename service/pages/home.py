"""The club: what is played now, the events with their next step, and what is left to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from answers.play.info import GameRow, InfoAnswer
from answers.rulebooks.games import assumed_data
from answers.tournament.lifecycle import TournamentInfoAnswer
from answers.tournament.rounds import TournamentRoundAnswer
from engines.kernel.messages.errors import MessageError
from referee.errors import NotFound
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page

A_PAGE = 30
AT_THE_TABLES = 6
"""So many tables have a picture; the others are behind *Play*."""
LATEST_EVENTS = 4
PlacedRow = tuple[GameRow, str]
Step = tuple[str, str]
"""What is done next, by the key of its word, and where."""


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
    listed = page_context.ask("games", most=A_PAGE).data.games
    own = _of_other_roles(page_context)
    known = {row.game for row, _ in own}
    rows = [*own, *(placed(page_context, row) for row in listed if row.game not in known)]
    scopes = {role.scope for role in page_context.roles}
    now = [each for each in rows if not each[0].closed and not each[0].over]
    now.sort(key=lambda each: each[0].game not in scopes)
    may_open = page_context.may("new")
    return Shown(
        "home",
        page_context.club or page_context.voice.say("pages.name"),
        tables=[*_at_the_tables(page_context, now[:AT_THE_TABLES])],
        scopes=scopes,
        more=len(rows) > AT_THE_TABLES or len(now) < len(rows),
        events=[*_events(page_context)],
        seasons=page_context.ask("season-list").data.seasons[: -LATEST_EVENTS - 1 : -1],
        engines=page_context.ask("engine-list").data.engines if may_open else [],
        may_open_as=_may_open_as(page_context),
        to_do=[*_to_do(page_context)],
    )


@page("play", "/play")
def play(page_context: PageContext) -> Shown:
    """Every table that a visitor may see, and a new one."""
    start = page_context.number("start") or 0
    found = page_context.ask("games", start=start, most=A_PAGE).data
    known = {row.game for row in found.games}
    others = [] if start else _of_other_roles(page_context)
    listed = [placed(page_context, row) for row in found.games]
    may_open = page_context.may("new")
    return Shown(
        "play",
        page_context.voice.say("home.title"),
        tables=[*((row, place) for row, place in others if row.game not in known), *listed],
        pages=pages_of(found.total, start, len(found.games)),
        engines=page_context.ask("engine-list").data.engines if may_open else [],
        may_open_as=_may_open_as(page_context),
    )


def _at_the_tables(
    page_context: PageContext, rows: list[PlacedRow]
) -> Iterator[tuple[GameRow, str, InfoAnswer]]:
    """Each with whose turn it is, as whoever at this device belongs to the table knows it."""
    for row, place in rows:
        own = (role for role in page_context.roles if role.scope == row.game)
        role = next(own, page_context.access_control.seated(page_context.principal, row.game))
        with suppress(MessageError):  # a record that cannot be read is told of in the archive
            yield row, place, page_context.in_role(role, game=row.game).ask("info").data


def _events(
    page_context: PageContext,
) -> Iterator[tuple[TournamentInfoAnswer, TournamentRoundAnswer | None, list[Step]]]:
    """The events that are not over, those of this device's roles first, with what comes next."""
    of_roles = {
        role.scope: role
        for role in (*reversed(page_context.roles), page_context.principal)
        if role.scope.startswith("tournament-")
    }
    listed = page_context.ask("tournament-list").data.tournaments
    latest = [row.tournament for row in reversed(listed) if not row.closed][:LATEST_EVENTS]
    for id in dict.fromkeys([*of_roles, *latest]):
        there = page_context.in_role(of_roles.get(id, page_context.principal), tournament=id)
        try:
            info: TournamentInfoAnswer = there.ask("tournament-info").data
        except NotFound:  # it is gone from the store, and the token is still here
            continue
        round = there.ask("tournament-round").data if info.rounds else None
        yield info, round, _steps(there, f"/tournaments/{id}")


def _steps(there: PageContext, place: str) -> list[Step]:
    if there.principal.kind == "player":
        return [("hall.my_table", f"{place}/players/{there.principal.person}")]
    first = ("hall.desk", f"{place}/desk") if there.may("tournament-result") else ("", "")
    return [first if first[0] else ("home.look_on", place), ("hall.wall", f"{place}/wall")]


def _to_do(page_context: PageContext) -> Iterator[Step]:
    """What makes the place a club's own, as long as it is not done."""
    if page_context.principal.scope or not page_context.may("access-list"):
        return
    engines = [row.engine for row in page_context.ask("engine-list").data.engines]
    guessed = max(engines, key=assumed_data)
    if not page_context.ask("kit-box", engine=guessed).data.told:
        yield "box", guessed
    given = {row.role.partition(":")[0] for row in page_context.ask("access-list").data.tokens}
    if not given & {"seat", "player", "table", "spectator"}:
        yield "phones", "spectator"
    if "judge" not in given:
        yield "judges", "judge"


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
