"""The wall of the hall: who sits where, who still plays, how much time is left, who is ahead."""

from __future__ import annotations

import unicodedata

from answers.answer import Data
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.tournament.common import Hall, HallStandings, hall, rules, standings


class WhereTo(Data):
    """A player who looks for a table."""

    name: str
    table: int | None
    """None for a bye."""
    seat: str


class WallPage(Hall):
    by_name: list[WhereTo]
    standings: HallStandings
    rules: list[str]
    """Before round one, what it will be played by."""


@page("wall", "/tournaments/{tournament}/wall")
def wall(page_context: PageContext) -> Shown:
    shown = hall(page_context)
    it = WallPage(
        **dict(shown),
        by_name=_by_name(shown),
        standings=standings(page_context),
        rules=[] if shown.round else rules(page_context),
    )
    return Shown("tournament_wall", shown.name, it)


def _by_name(shown: Hall) -> list[WhereTo]:
    """In the order of a list of names, whatever accents they have."""
    if shown.round is None:
        return []
    found = [
        WhereTo(name=each.name, table=table.table, seat=each.seat)
        for table in shown.round.tables
        for each in table.seats
    ]
    waiting = [*shown.round.byes, *shown.round.free]
    found += [WhereTo(name=each.name, table=None, seat="") for each in waiting]
    return sorted(found, key=lambda each: _in_the_alphabet(each.name))


def _in_the_alphabet(name: str) -> str:
    return unicodedata.normalize("NFKD", name).casefold()
