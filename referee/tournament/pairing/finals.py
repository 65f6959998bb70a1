"""Finals: who is in them, whether the cut is fair, and the top table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from msgspec import Struct

from engines.kernel.values.structs import evolve
from referee.tournament.errors import NotPossible
from referee.tournament.events import FinalsStarted, LotDrawn
from referee.tournament.pairing.entrants import Entrant, RoundEntrants
from referee.tournament.pairing.pods import sizes
from referee.tournament.pairing.seating import seat_order
from referee.tournament.plan import SeatRange
from referee.tournament.ranking.standings import main_standings
from referee.tournament.splitmix import SplitMix64
from referee.tournament.state import Finals, Tournament

ALGORITHM = "top-table"


class Cut(Struct, frozen=True):
    """The qualified players, best first, and the groups among them that are tied."""

    players: tuple[str, ...]
    level: tuple[tuple[str, ...], ...]
    """Groups that every published column leaves tied, as far as somebody of them is in."""
    at_the_cut: tuple[str, ...]
    """The group of which some are in and some are not."""

    def lots(self, seed: int, reason: str) -> tuple[LotDrawn, ...]:
        """A lot for every tied group."""
        dice = SplitMix64(seed)
        return tuple(
            LotDrawn(order=tuple(dice.shuffled(sorted(group))), seed=seed, reason=reason)
            for group in self.level
        )


def cut(tournament: Tournament, places: int, lots: tuple[LotDrawn, ...] = ()) -> Cut:
    """The best of the standings.

    Tied groups are in the order of their lot, if one was drawn, else of registration.
    """
    rows = [
        row
        for row in main_standings(tournament).rows
        if tournament.players[row.player].status == "present"
    ]
    groups = [[row.player for row in tied] for _, tied in groupby(rows, key=lambda row: row.rank)]
    ordered: list[str] = []
    level: list[tuple[str, ...]] = []
    at_the_cut: tuple[str, ...] = ()
    for group in groups:
        if len(ordered) >= places:
            break
        drawn = next((lot.order for lot in lots if set(lot.order) == set(group)), None)
        if len(group) > 1 and drawn is None:
            level.append(tuple(group))
            at_the_cut = tuple(group) if len(ordered) + len(group) > places else ()
        ordered += drawn or group
    if len(ordered) < 2:
        raise NotPossible("nobody_to_pair", left=len(ordered), least=2)
    return Cut(tuple(ordered[:places]), tuple(level), at_the_cut)


def check_bracket(finalists: int, seats: SeatRange, advance: int) -> None:
    """Refuse table sizes that would not leave a single winner in the end."""
    if advance >= seats.least:
        raise NotPossible("nobody_leaves", advance=advance, least=seats.least)
    left = finalists
    while left > 1 and seats.most > 2:
        tables, out = sizes(left, seats)
        if not tables:
            raise NotPossible("bracket_stops", finalists=finalists, left=left)
        left = 1 if len(tables) == 1 and not out else len(tables) * advance + out


def top_table_final(tournament: Tournament, places: int) -> FinalsStarted:
    """The event that starts a final at one table."""
    seats = SeatRange(least=2, most=max(2, places), preferred=max(2, places))
    chosen = cut(tournament, places).players
    return FinalsStarted(style="top_table", players=chosen, seats=seats)


def knockout_final(tournament: Tournament, places: int) -> FinalsStarted:
    """The event that starts a knock-out final of duels."""
    return FinalsStarted(
        style="knockout",
        players=cut(tournament, places).players,
        seats=SeatRange(least=2, most=2, preferred=2),
    )


def top_table(field: RoundEntrants, seed: int) -> tuple[Entrant, ...]:
    return seat_order(field.entrants, SplitMix64(seed))


def rank_at_the_cut(finals: Finals, player: str) -> int | None:
    """The rank of a player when the finals were called; none for who was not ranked then."""
    rows = main_standings(finals.before).rows
    return next((row.rank for row in rows if row.player == player), None)


def substitutes(tournament: Tournament) -> list[str]:
    """Who may come into the finals, the next of the standings first."""
    if tournament.finals is None:
        return []
    inside = set(tournament.finals.players) | set(tournament.finals.substitutes)
    rows = main_standings(tournament).rows
    return [
        row.player
        for row in rows
        if row.player not in inside and tournament.players[row.player].status == "present"
    ]


def overtaken(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """Finalists whom somebody would have overtaken at the cut, by today's results.

    Penalties given after the cut do not count here.
    """
    finals = tournament.finals
    if finals is None:
        return
    earlier = tuple(p for p in tournament.penalties if p.event < finals.event)
    rows = main_standings(evolve(tournament, penalties=earlier)).rows
    rank = {row.player: row.rank for row in rows}
    qualified = [p for p in finals.started.players if p not in finals.substitutes]
    others = [
        row.player
        for row in rows
        if row.player not in finals.started.players and _was_there(finals.before, row.player)
    ]
    for player in qualified:
        better = [other for other in others if rank[other] < rank.get(player, len(rows) + 1)]
        if better:
            yield player, better[0]


def _was_there(before: Tournament, player: str) -> bool:
    return player in before.players and before.players[player].status == "present"
