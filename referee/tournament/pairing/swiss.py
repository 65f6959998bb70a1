"""Swiss pairing of duels by weighted matching. (Not the Dutch system of FIDE.)

Of all possible pairings the one is chosen whose costs are least, criterion after criterion: see
``criteria``. The matching is exact and works with integers only.

There are three methods. The first two have the same costs; which of several equally good pairings
is taken was left to the library by the first, and is settled by the second: see ``cost_matrix`` and
``canonical_matching``. The third gives the bye to the lowest and considers seats in a row. A
recorded round is computed again by the method it names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from referee.tournament.pairing.canonical_matching import first_cheapest
from referee.tournament.pairing.cost_matrix import CostMatrix
from referee.tournament.pairing.criteria import Costs, Duels, LexicographicWeights
from referee.tournament.pairing.entrants import Entrant, RoundEntrants
from referee.tournament.pairing.seating import duel_order
from referee.tournament.splitmix import SplitMix64

ALGORITHM = "swiss-matching"

_NOBODY = -1

Matched = tuple[list[tuple[Entrant, Entrant]], list[Entrant]]


def pair(
    field: RoundEntrants, seed: int, version: int
) -> tuple[list[tuple[Entrant, ...]], list[Entrant]]:
    """The tables, best first, with who begins; and who has a bye."""
    meetings, byes = METHODS[version](field.entrants, Duels(field, version))
    dice = SplitMix64(seed)
    ranks = {entrant.number: rank for rank, entrant in enumerate(field.entrants)}
    meetings.sort(key=lambda meeting: min(ranks[player.number] for player in meeting))
    return [duel_order(*meeting, dice, version) for meeting in meetings], byes


def match(entrants: Sequence[Entrant], costs: Duels) -> Matched:
    """A perfect matching of least cost; with an odd number, one player gets a bye."""
    if not entrants:
        return [], []
    prices = CostMatrix(entrants, costs)
    order = prices.order
    partners = first_cheapest(prices.table)
    together = [(one, other) for one, other in enumerate(partners) if one < other]
    meetings = [(order[one], order[other]) for one, other in together if other < len(order)]
    return meetings, [order[one] for one, other in together if other == len(order)]


def match_by_networkx(entrants: Sequence[Entrant], costs: Duels) -> Matched:
    """As cheap as ``match``, but the library chooses among equally cheap pairings."""
    from referee.tournament.pairing.networkx_matching import cheapest_pairs

    edges = _edges(entrants, costs)
    highest = tuple(max(column) for column in zip(*(cost for _, _, cost in edges), strict=True))
    pack = LexicographicWeights(highest, len(entrants) // 2 + 1)
    found = cheapest_pairs((one, other, pack(cost)) for one, other, cost in edges)
    pairs = sorted((max(pair), min(pair)) if _NOBODY in pair else (min(pair), max(pair))
                   for pair in found)  # fmt: skip
    meetings = [(entrants[one], entrants[other]) for one, other in pairs if other != _NOBODY]
    return meetings, [entrants[one] for one, other in pairs if other == _NOBODY]


def _edges(entrants: Sequence[Entrant], costs: Duels) -> list[tuple[int, int, Costs]]:
    edges = []
    for at, one in enumerate(entrants):
        for behind, other in enumerate(entrants[at + 1 :], at + 1):
            first, second = (one, other) if one.balance <= other.balance else (other, one)
            edges.append((at, behind, costs.meeting(first, second)))
    if len(entrants) % 2:
        edges += [(at, _NOBODY, costs.bye(one)) for at, one in enumerate(entrants)]
    return edges


METHODS: Mapping[int, Callable[[Sequence[Entrant], Duels], Matched]] = {
    1: match_by_networkx,
    2: match,
    3: match,
}
VERSION = 3
