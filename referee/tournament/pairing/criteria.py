"""The criteria of a pairing in order of weight, with one cost for each.

An earlier criterion outweighs all later ones together, so costs are compared lexicographically; for
the matching they are packed into one integer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from referee.tournament.pairing.entrants import Entrant, RoundEntrants

Costs = tuple[int, ...]

DUEL_CRITERIA = (
    "repeats", "second_bye", "bye_points", "beyond_two", "in_a_row", "score_gap", "balance",
    "same_club", "fold",
)  # fmt: skip
POD_CRITERIA = ("repeats", "second_bye", "score_gap", "same_club", "seat_repeats")
UNEVEN_POD_CRITERIA = (
    "repeats", "second_bye", "small_table", "score_gap", "same_club", "seat_repeats",
)  # fmt: skip
"""Since method 4, where not all tables can have the same number of seats."""


APART = "apart"
"""Before all others, where organisers keep somebody apart: who must not meet."""


class Meeting(NamedTuple):
    """One table of a draw, or a bye, and what it costs."""

    players: tuple[str, ...]
    bye: bool
    costs: Costs


class ScoreGroupRank(NamedTuple):
    """A player's index in the score group, from 0, and the size of the group."""

    at: int
    size: int


def total(costs: Iterable[Costs], criteria: Sequence[str]) -> Costs:
    sums = [0] * len(criteria)
    for cost in costs:
        for at, amount in enumerate(cost):
            sums[at] += amount
    return tuple(sums)


class LexicographicWeights:
    """Packs costs into one number so that sums over ``tables`` keep the order of the criteria."""

    def __init__(self, highest: Costs, tables: int) -> None:
        weights = [1]
        for most in reversed(highest[1:]):
            weights.append(weights[-1] * (most * tables + 1))
        self.weights = tuple(reversed(weights))

    def __call__(self, costs: Costs) -> int:
        return sum(weight * cost for weight, cost in zip(self.weights, costs, strict=True))


class History(NamedTuple):
    """How a player has sat: first seats minus second ones, and the last ones in a row."""

    balance: int
    run: int


class Duels:
    """The costs of two players meeting, the first of them beginning.

    Before method 3 nothing was said of seats in a row, and the points of who had the bye
    counted like any other difference of points.
    """

    def __init__(self, field: RoundEntrants, method: int) -> None:
        self.apart = any(entrant.apart for entrant in field.entrants)
        self.criteria = (APART, *DUEL_CRITERIA) if self.apart else DUEL_CRITERIA
        self.since_three = method >= 3
        self.step = field.step
        self.lowest = min((entrant.points for entrant in field.entrants), default=0)
        self._places(field)

    def _places(self, field: RoundEntrants) -> None:
        """Everybody's index in the score group, and the size of that group."""
        groups: dict[int, list[int]] = {}
        for entrant in field.entrants:
            groups.setdefault(entrant.points, []).append(entrant.number)
        self.place = {
            number: ScoreGroupRank(at, len(group))
            for group in groups.values()
            for at, number in enumerate(group)
        }

    def meeting(self, first: Entrant, second: Entrant) -> Costs:
        beyond, in_a_row, balance = self.seats(self.history(first), self.history(second))
        return (
            *self.first(int(second.number in first.apart)),
            self.repeats(first.met.get(second.number, 0)),
            0,
            0,
            beyond,
            in_a_row,
            self.gap(first.points, second.points),
            balance,
            int(bool(first.club) and first.club == second.club),
            self._fold(first, second),
        )

    def first(self, apart: int) -> Costs:
        """What stands before the usual criteria."""
        return (apart,) if self.apart else ()

    @staticmethod
    def repeats(met: int) -> int:
        return met**2

    def history(self, player: Entrant) -> History:
        return History(player.balance, player.run if self.since_three else 0)

    @staticmethod
    def seats(first: History, second: History) -> tuple[int, int, int]:
        """How far beyond two the balances are afterwards, who sits a third time in a row in the
        same seat, and how uneven the balances are."""
        after = (first.balance + 1, second.balance - 1)
        return (
            sum(max(0, abs(balance) - 2) for balance in after),
            (first.run >= 2) + (second.run <= -2),
            sum(balance * balance for balance in after),
        )

    @classmethod
    def best_seats(cls, one: History, other: History) -> tuple[int, int, int]:
        """The same for the better choice of who begins."""
        return min(cls.seats(one, other), cls.seats(other, one))

    def gap(self, points: int, others: int) -> int:
        gap = (points - others) // self.step
        return gap * gap

    def bye(self, player: Entrant) -> Costs:
        gap = self.gap(player.points, self.lowest)
        bye_points, score_gap = (gap, 0) if self.since_three else (0, gap)
        last = self.from_last(self.place[player.number])
        return (
            *self.first(0), 0, player.byes**2, bye_points, 0, 0, score_gap, player.balance**2, 0,
            last,
        )  # fmt: skip

    def _fold(self, one: Entrant, other: Entrant) -> int:
        """Distance from the ideal: the top half of a group meets its bottom half in order.

        Between groups the last of the upper meets the first of the lower.
        """
        place, other_place = self.place[one.number], self.place[other.number]
        if one.points == other.points:
            return self.from_half(place, other_place)
        if one.points > other.points:
            return self.from_last(place) + self.from_first(other_place)
        return self.from_first(place) + self.from_last(other_place)

    @staticmethod
    def from_half(place: ScoreGroupRank, other: ScoreGroupRank) -> int:
        return abs(abs(place.at - other.at) - (place.size + 1) // 2)

    @staticmethod
    def from_last(place: ScoreGroupRank) -> int:
        return place.size - 1 - place.at

    @staticmethod
    def from_first(place: ScoreGroupRank) -> int:
        return place.at


class Tables:
    """The costs of a table of several. Every pair at it counts.

    Since method 4 the small tables of an uneven round go around: ``most`` is the number of seats
    at its big ones, 0 where all are alike.
    """

    def __init__(self, field: RoundEntrants, *, by_standings: bool, most: int = 0) -> None:
        self.step = field.step if by_standings else 0
        self.lowest = min((entrant.points for entrant in field.entrants), default=0)
        self.most = most
        usual = UNEVEN_POD_CRITERIA if most else POD_CRITERIA
        self.apart = any(entrant.apart for entrant in field.entrants)
        self.criteria = (APART, *usual) if self.apart else usual

    def pair(self, one: Entrant, other: Entrant) -> tuple[int, int, int]:
        met = one.met.get(other.number, 0)
        gap = (one.points - other.points) // self.step if self.step else 0
        return met * met + met, gap * gap, int(bool(one.club) and one.club == other.club)

    @staticmethod
    def small(player: Entrant) -> int:
        """The cost of one more small table, so that they are spread: after n, (n + 1)² − n²."""
        return 2 * player.small + 1

    def meeting(self, players: Sequence[Entrant]) -> Costs:
        apart = repeats = gaps = clubs = 0
        for at, one in enumerate(players):
            for other in players[at + 1 :]:
                met, gap, club = self.pair(one, other)
                repeats += met
                gaps += gap
                clubs += club
                apart += other.number in one.apart
        seats = sum(2 * player.seats[seat] for seat, player in enumerate(players))
        first = (apart,) if self.apart else ()
        if not self.most:
            return (*first, repeats, 0, gaps, clubs, seats)
        small = sum(map(self.small, players)) if len(players) < self.most else 0
        return (*first, repeats, 0, small, gaps, clubs, seats)

    def bye(self, player: Entrant) -> Costs:
        gap = (player.points - self.lowest) // self.step if self.step else 0
        byes = player.byes**2
        first = (0,) if self.apart else ()
        rest = (0, gap * gap, 0, 0) if self.most else (gap * gap, 0, 0)
        return (*first, 0, byes, *rest)
