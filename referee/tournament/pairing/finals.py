"""Finals: who is in them, and the top table."""

from __future__ import annotations

from itertools import islice

from referee.tournament.chance import Dice
from referee.tournament.errors import NotPossible
from referee.tournament.events import FinalsStarted, SeatRange
from referee.tournament.pairing.field import Entrant, Field
from referee.tournament.pairing.seating import seat_order
from referee.tournament.ranking.standings import standings
from referee.tournament.state import Tournament

ALGORITHM = "top-table"
VERSION = 1


def finalists(tournament: Tournament, places: int) -> tuple[str, ...]:
    """The best who are still here, best first."""
    here = (
        row.player
        for row in standings(tournament).rows
        if tournament.players[row.player].status == "present"
    )
    chosen = tuple(islice(here, places))
    if len(chosen) < 2:
        raise NotPossible("nobody_to_pair")
    return chosen


def top_table_final(tournament: Tournament, places: int) -> FinalsStarted:
    """The event that sends the best to one table."""
    chosen = finalists(tournament, places)
    seats = SeatRange(least=2, most=max(2, places), preferred=max(2, places))
    return FinalsStarted(style="top_table", players=chosen, seats=seats)


def knockout_final(tournament: Tournament, places: int) -> FinalsStarted:
    """The event that sends the best into a knock-out of duels."""
    return FinalsStarted(
        style="knockout",
        players=finalists(tournament, places),
        seats=SeatRange(least=2, most=2, preferred=2),
    )


def top_table(field: Field, seed: int) -> tuple[Entrant, ...]:
    return seat_order(field.entrants, Dice(seed))
