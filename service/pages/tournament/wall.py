"""The wall of the hall: who sits where, who still plays, how much time is left, who is ahead."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from answers.answer import Data
from answers.tournament.bracket import BracketRound
from answers.tournament.broadcast import WallAnswer
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.tournament.common import (
    Hall,
    HallStandings,
    bracket,
    hall,
    rules,
    standings,
)


class WhereTo(Data):
    """A player who looks for a table."""

    name: str
    club: str
    table: int | None
    """None for a bye."""
    seat: str


VIEWS = ("tables", "names", "standings", "bracket", "clock", "rules")


class WallPage(Hall):
    shows: str
    """One of the views, for a screen that shows nothing else; empty for all in turn."""
    remote: WallAnswer
    """What the desk has chosen, for a screen without a view of its own."""
    by_name: list[WhereTo]
    bracket: list[BracketRound]
    clubs: dict[str, str]
    """And federations, where they are known."""
    section: str
    """The one whose standings alone are shown; empty for everybody's."""
    standings: list[HallStandings]
    """Of everybody, then of each section that somebody is ranked in."""
    rules: list[str]
    """Before round one, what it will be played by."""


@page("wall", "/tournaments/{tournament}/wall")
def wall(page_context: PageContext) -> Shown:
    shown = hall(page_context)
    asked = page_context.query.get("show", "")
    people = page_context.ask("tournament-players").data.players
    clubs = {
        each.player: " · ".join(filter(None, (each.club, each.federation)))
        for each in people
        if each.club or each.federation
    }
    remote: WallAnswer = page_context.ask("tournament-broadcast").data.wall
    it = WallPage(
        **dict(shown),
        shows=asked if asked in VIEWS else remote.shows,
        remote=remote,
        by_name=_by_name(shown, clubs, {each.player: each.listed for each in people}),
        bracket=bracket(page_context),
        clubs=clubs,
        section=page_context.query.get("section", "") if asked else remote.section,
        standings=_standings(page_context),
        rules=rules(page_context) if not shown.round or "rules" in (asked, remote.shows) else [],
    )
    return Shown("tournament_wall", shown.name, it)


def _standings(page_context: PageContext) -> list[HallStandings]:
    everybody = standings(page_context)
    return [
        everybody,
        *(
            ranked
            for section in everybody.sections
            if (ranked := standings(page_context, section)).rows
        ),
    ]


def _by_name(shown: Hall, clubs: Mapping[str, str], listed: Mapping[str, str]) -> list[WhereTo]:
    """In the order of a list of names, whatever accents they have."""
    if shown.round is None:
        return []
    seated = [(each, table.table) for table in shown.round.tables for each in table.seats]
    waiting = [(each, None) for each in (*shown.round.byes, *shown.round.free)]
    found = [
        WhereTo(
            name=listed.get(each.player, each.name),
            club=clubs.get(each.player, ""),
            table=table,
            seat=each.seat,
        )
        for each, table in (*seated, *waiting)
    ]
    return sorted(found, key=lambda each: _in_the_alphabet(each.name))


def _in_the_alphabet(name: str) -> str:
    return unicodedata.normalize("NFKD", name).casefold()
