"""The cost matrix of a field: what every meeting costs, packed into whole numbers.

The rules are those of ``criteria``. Here each is asked once for all who are alike to it, not once
for every two players: of a thousand players half a million pairs can meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import shake_256
from operator import add, mul
from struct import unpack

from referee.tournament.pairing.criteria import APART, Costs, Duels, History, LexicographicWeights
from referee.tournament.pairing.entrants import Entrant

_LOT_BITS = 32
_HIGHEST_LOT = 2**_LOT_BITS - 1


class CostMatrix:
    """``table`` has a row for everybody in ``order``, and one for the bye of an odd number.

    Of pairings that are equal by all criteria, the bye of the lowest in that order is the best.
    Then comes a fixed number for every two places. It says nothing about the players; it makes
    equally good pairings rare.
    """

    def __init__(self, entrants: Sequence[Entrant], costs: Duels) -> None:
        self.costs = costs
        self.order = sorted(entrants, key=lambda one: (-one.points, costs.place[one.number].at))
        self.places = [costs.place[one.number] for one in self.order]
        self.histories = [costs.history(one) for one in self.order]
        self.groups = self._groups()
        self.byes = [costs.bye(one) for one in self.order] if len(self.order) % 2 else []
        self.seats = self._seats()
        highest = (*self._highest(), len(entrants), _HIGHEST_LOT)
        # Twice, because a table of even numbers is wanted.
        self.weights = [
            2 * weight for weight in LexicographicWeights(highest, len(entrants) // 2 + 1).weights
        ]
        self.more_than_any = self.weights[0] * (highest[0] + 1)
        self.table = self._table()

    def weight(self, criterion: str) -> int:
        return self.weights[self.costs.criteria.index(criterion)]

    def _groups(self) -> list[tuple[int, range]]:
        """The score groups: their points, and their ranges in the order."""
        groups = []
        start = 0
        for at, one in enumerate(self.order, 1):
            if at == len(self.order) or self.order[at].points != one.points:
                groups.append((one.points, range(start, at)))
                start = at
        return groups

    def _seats(self) -> dict[History, dict[History, tuple[int, int, int]]]:
        """The best seat costs of two players, by their seat histories."""
        known = set(self.histories)
        return {one: {other: self.costs.best_seats(one, other) for other in known} for one in known}

    def _highest(self) -> Costs:
        """An upper bound of the cost of any pair or bye, for each criterion."""
        costs, points = self.costs, [points for points, _ in self.groups]
        met = max((max(one.met.values(), default=0) for one in self.order), default=0)
        seats = [costs for row in self.seats.values() for costs in row.values()]
        beyond, in_a_row, balance = (max(column) for column in zip(*seats, strict=True))
        places = [max(place.size, place.at + 1) for place in self.places]
        meeting = (
            *costs.first(1),
            costs.repeats(met),
            0,
            0,
            beyond,
            in_a_row,
            costs.gap(max(points), min(points)),
            balance,
            1,
            2 * max(places),
        )
        return tuple(map(max, zip(meeting, *self.byes, strict=True)))

    def _table(self) -> list[list[int]]:
        half = [[0] * (at + 1) + row for at, row in enumerate(self._rows())]
        turned = zip(*half, strict=True)
        return [list(map(add, row, column)) for row, column in zip(half, turned, strict=True)]

    def _rows(self) -> Iterator[list[int]]:
        """The upper triangle of the matrix, row by row."""
        byes = self._bye_row()
        seats = self._seat_rows()
        special = self._special()
        gap, fold = self.weight("score_gap"), self.weight("fold")
        size = len(self.order) + len(byes)
        first = [fold * self.costs.from_first(place) for place in self.places]
        for here, (points, group) in enumerate(self.groups):
            places = [self.places[at].at for at in group]
            own = self._own_group(group)
            lower = [
                (gap * self.costs.gap(points, others), first[members.start : members.stop])
                for others, members in self.groups[here + 1 :]
            ]
            for at in group:
                mine, last = self.places[at].at, fold * self.costs.from_last(self.places[at])
                row = [own[abs(mine - other)] for other in places[at + 1 - group.start :]]
                for apart, theirs in lower:
                    apart += last
                    row += [apart + other for other in theirs]
                row = list(map(add, row, seats[self.histories[at]][at + 1 :]))
                for other, amount in special(at):
                    row[other - at - 1] += amount
                row += byes[at : at + 1]
                yield list(map(add, row, _lots(at, size)))
        if byes:
            yield []

    def _special(self) -> Callable[[int], Iterator[tuple[int, int]]]:
        """The extra cost of pairs of the same club, that have met, or that must not."""
        numbers = {one.number: at for at, one in enumerate(self.order)}
        clubs: dict[str, list[int]] = {}
        for at, one in enumerate(self.order):
            if one.club:
                clubs.setdefault(one.club, []).append(at)

        club, again = self.weight("same_club"), self.weight("repeats")
        apart = self.weight(APART) if self.costs.apart else 0

        def special(at: int) -> Iterator[tuple[int, int]]:
            one = self.order[at]
            for other in clubs.get(one.club, ()):
                if other > at:
                    yield other, club
            for number, met in one.met.items():
                if numbers.get(number, -1) > at:
                    yield numbers[number], again * self.costs.repeats(met)
            for number in one.apart:
                if numbers.get(number, -1) > at:
                    yield numbers[number], apart

        return special

    def _own_group(self, group: range) -> list[int]:
        """The fold cost of two players of the same score group, by their distance."""
        first = self.places[group.start]._replace(at=0)
        apart = (self.costs.from_half(first, first._replace(at=at)) for at in range(first.size))
        return [self.weight("fold") * fold for fold in apart]

    def _seat_rows(self) -> dict[History, list[int]]:
        """For each seat history, a row of seat costs with every other player."""
        weights = [self.weight(name) for name in ("beyond_two", "in_a_row", "balance")]
        rows = {}
        for one, others in self.seats.items():
            costs = {other: sum(map(mul, weights, cost)) for other, cost in others.items()}
            rows[one] = [costs[other] for other in self.histories]
        return rows

    def _bye_row(self) -> list[int]:
        """What a bye costs each player, with the same large amount added for all of them.

        An odd field needs exactly one bye, so the amount decides nothing. Without it the cheap bye
        would set everybody's dual variable, and the matching would start far from its optimum.
        """
        return [
            self.more_than_any
            + sum(map(mul, self.weights, bye))
            + self.weights[-2] * (len(self.order) - at)
            for at, bye in enumerate(self.byes)
        ]


def _lots(place: int, size: int) -> list[int]:
    """Fixed numbers that break ties between equally good pairings: doubled words of SHAKE-256."""
    length = _LOT_BITS // 8 * size
    words = unpack(f">{size}I", shake_256(f"place {place}".encode()).digest(length))
    return [2 * word for word in words[place + 1 :]]
