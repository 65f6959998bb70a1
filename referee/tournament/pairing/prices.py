"""What every meeting of a field costs, packed into one table of whole numbers.

The rules are those of ``criteria``. Here each is asked once for all who are alike to it, not once
for every two players: of a thousand players half a million pairs can meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import shake_256
from operator import add
from struct import unpack

from referee.tournament.pairing.criteria import Costs, Duels, Packing
from referee.tournament.pairing.field import Entrant

_LOT_BITS = 32
_HIGHEST_LOT = 2 * (2**_LOT_BITS - 1)


class Prices:
    """``table`` has a row for everybody in ``order``, and one for the bye of an odd number.

    After all criteria comes a fixed number for every two places in that order. It says nothing
    about the players; it makes equally good pairings rare.
    """

    def __init__(self, entrants: Sequence[Entrant], costs: Duels) -> None:
        self.costs = costs
        self.order = sorted(entrants, key=lambda one: (-one.points, costs.place[one.number].at))
        self.places = [costs.place[one.number] for one in self.order]
        self.balances = [one.balance for one in self.order]
        self.groups = self._groups()
        self.byes = [costs.bye(one) for one in self.order] if len(self.order) % 2 else []
        self.seats = self._seats()
        highest = (*self._highest(), _HIGHEST_LOT)
        # Twice, because a table of even numbers is wanted.
        self.weights = [2 * weight for weight in Packing(highest, len(entrants) // 2 + 1).weights]
        self.more_than_any = self.weights[0] * (highest[0] + 1)
        self.table = self._table()

    def _groups(self) -> list[tuple[int, range]]:
        """Who has equal points: the points, and where in the order."""
        groups = []
        start = 0
        for at, one in enumerate(self.order, 1):
            if at == len(self.order) or self.order[at].points != one.points:
                groups.append((one.points, range(start, at)))
                start = at
        return groups

    def _seats(self) -> dict[int, dict[int, tuple[int, int]]]:
        """By the balances of two players: the one with the lower begins."""
        known = set(self.balances)
        return {
            one: {other: self.costs.seats(min(one, other), max(one, other)) for other in known}
            for one in known
        }

    def _highest(self) -> Costs:
        """The most that any meeting or bye can cost, criterion by criterion."""
        costs, points = self.costs, [points for points, _ in self.groups]
        met = max((max(one.met.values(), default=0) for one in self.order), default=0)
        seats = [pair for row in self.seats.values() for pair in row.values()]
        places = [max(place.size, place.at + 1) for place in self.places]
        meeting = (
            costs.repeats(met),
            0,
            max(beyond for beyond, _ in seats),
            costs.gap(max(points), min(points)),
            max(balance for _, balance in seats),
            1,
            2 * max(places),
        )
        return tuple(map(max, zip(meeting, *self.byes, strict=True)))

    def _table(self) -> list[list[int]]:
        lots = [[2 * lot for lot in row] for row in _lots(len(self.order) + len(self.order) % 2)]
        turned = zip(*lots, strict=True)
        return [
            list(map(add, map(add, row, lots_here), lots_there))
            for row, lots_here, lots_there in zip(self._rows(), lots, turned, strict=True)
        ]

    def _rows(self) -> Iterator[list[int]]:
        """What the criteria say, row by row."""
        byes = self._bye_row()
        numbers = {one.number: at for at, one in enumerate(self.order)}
        clubs: dict[str, list[int]] = {}
        for at, one in enumerate(self.order):
            clubs.setdefault(one.club, []).append(at)
        clubs[""] = []
        seats = self._seat_rows()
        repeats, _, _, gap, _, club, fold, _ = self.weights
        below = [fold * self.costs.from_first(place) for place in self.places]
        above = [fold * self.costs.from_last(place) for place in self.places]
        for here, (points, group) in enumerate(self.groups):
            gaps = [gap * self.costs.gap(points, others) for others, _ in self.groups]
            own = self._own_group(group)
            places = [self.places[at].at for at in group]
            for at in group:
                one, row = self.order[at], list[int]()
                for there, (_, members) in enumerate(self.groups):
                    if there == here:
                        mine = self.places[at].at
                        row += [own[abs(mine - other)] for other in places]
                        continue
                    mine, theirs = (below[at], above) if there < here else (above[at], below)
                    mine += gaps[there]
                    row += [mine + other for other in theirs[members.start : members.stop]]
                row = list(map(add, row, seats[one.balance]))
                for other in clubs[one.club]:
                    row[other] += club
                for number, met in one.met.items():
                    if number in numbers:
                        row[numbers[number]] += repeats * self.costs.repeats(met)
                yield row + byes[at : at + 1]
        if byes:
            yield [*byes, 0]

    def _own_group(self, group: range) -> list[int]:
        """By how many places two players of a group are apart."""
        first = self.places[group.start]._replace(at=0)
        apart = (self.costs.from_half(first, first._replace(at=at)) for at in range(first.size))
        return [self.weights[6] * fold for fold in apart]

    def _seat_rows(self) -> dict[int, list[int]]:
        """By balance: what the seats cost with everybody in order."""
        _, _, beyond_weight, _, balance_weight, _, _, _ = self.weights
        rows = {}
        for one, others in self.seats.items():
            costs = {
                other: beyond_weight * beyond + balance_weight * balance
                for other, (beyond, balance) in others.items()
            }
            rows[one] = [costs[other] for other in self.balances]
        return rows

    def _bye_row(self) -> list[int]:
        """All byes cost as much more than any meeting: one of them is needed, whichever.

        If the bye were cheap, everybody's share would be what they pay for it.
        """
        weights = self.weights[:-1]
        return [
            self.more_than_any
            + sum(weight * cost for weight, cost in zip(weights, bye, strict=True))
            for bye in self.byes
        ]


def _lots(size: int) -> list[tuple[int, ...]]:
    """For every two places a number that depends on nothing else: words of SHAKE-256."""
    width = _LOT_BITS // 8
    return [
        unpack(f">{size}I", shake_256(f"place {place}".encode()).digest(width * size))
        for place in range(size)
    ]
