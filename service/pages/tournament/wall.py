"""The wall of the hall: who sits where, who still plays, how much time is left, who is ahead."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from answers.tournament.broadcast import WallAnswer
from answers.tournament.players import TournamentPlayerAnswer
from answers.tournament.standings import TournamentStandingsAnswer
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.tournament.common import bracket, hall, in_the_alphabet, standings

VIEWS = ("tables", "names", "standings", "bracket", "clock", "rules", "map")


@page("wall", "/tournaments/{tournament}/wall")
def wall(page_context: PageContext) -> Shown:
    shown = hall(page_context)
    asked = page_context.query.get("show", "")
    people = {row.player: row for row in page_context.ask("tournament-players").data.players}
    remote: WallAnswer = page_context.ask("tournament-broadcast").data.wall
    return Shown(
        "tournament_wall",
        shown.info.name,
        **vars(shown),
        shows=asked if asked in VIEWS else remote.shows,
        remote=remote,
        people=people,
        by_name=sorted(_places(shown, people), key=lambda place: in_the_alphabet(place[0])),
        bracket=bracket(page_context),
        section=page_context.query.get("section", "") if asked else remote.section,
        standings=_standings(page_context),
        laid=page_context.ask("tournament-hall").data if shown.info.has_map else None,
        with_rules=not shown.round or "rules" in (asked, remote.shows),
    )


def _standings(page_context: PageContext) -> list[TournamentStandingsAnswer]:
    """Of everybody, then of each section that somebody is ranked in."""
    everybody = standings(page_context)
    of_sections = (standings(page_context, section) for section in everybody.sections)
    return [everybody, *(ranked for ranked in of_sections if ranked.rows)]


def _places(
    shown: SimpleNamespace, people: dict[str, TournamentPlayerAnswer]
) -> Iterator[tuple[str, str, int | None, str]]:
    """Who looks for a table: by the name in lists, the player, the table and the seat there."""
    if shown.round is None:
        return
    for table in shown.round.tables:
        for seat, each in table.by_seat.items():
            listed = people[each.player].listed if each.player in people else each.name
            yield listed, each.player, table.table, seat
    for player in (*shown.round.byes, *shown.round.free):
        yield people[player].listed if player in people else player, player, None, ""
