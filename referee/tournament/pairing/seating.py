"""Assigns seats and table numbers as evenly as history allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice

from referee.tournament.pairing.criteria import Duels, History
from referee.tournament.pairing.entrants import Entrant
from referee.tournament.splitmix import SplitMix64

_FAR = 10**6


def seat_order(players: Sequence[Entrant], dice: SplitMix64) -> tuple[Entrant, ...]:
    """The order of seats in which players repeat the fewest seats; ties are drawn by lot.

    Exact: the least sum, over all seats, of how often the player has been in that seat.
    """
    mixed = dice.shuffled(players)
    everyone = (1 << len(mixed)) - 1

    @cache
    def cheapest(taken: int) -> tuple[int, tuple[int, ...]]:
        if taken == everyone:
            return 0, ()
        seat = taken.bit_count()
        best: tuple[int, tuple[int, ...]] | None = None
        for at, player in enumerate(mixed):
            if taken >> at & 1:
                continue
            rest, order = cheapest(taken | 1 << at)
            cost = rest + 4 * player.seats[seat] + (player.last_seat == seat)
            if best is None or cost < best[0]:
                best = cost, (at, *order)
        assert best is not None
        return best

    return tuple(mixed[at] for at in cheapest(0)[1])


def duel_order(
    one: Entrant, other: Entrant, dice: SplitMix64, method: int
) -> tuple[Entrant, Entrant]:
    """Who begins: the player who began less often; then who did not begin last; then a lot.

    Since method 3 nobody sits a third time in a row in the same seat if the other need not.
    """
    chosen = (one, other) if dice.one_in(2) else (other, one)
    if method < 3:
        by_right = sorted(chosen, key=lambda player: (player.balance, player.last_seat == 0))
        return by_right[0], by_right[1]

    def cost(first: Entrant, second: Entrant) -> tuple[int, int, int, int]:
        histories = (History(first.balance, first.run), History(second.balance, second.run))
        return (*Duels.seats(*histories), first.run)

    turned = (chosen[1], chosen[0])
    return turned if cost(*turned) < cost(*chosen) else chosen


def table_numbers(
    tables: Sequence[Sequence[Entrant]], method: int, *, by_standings: bool = False
) -> list[int]:
    """Assign numbers to the tables, which are given best first.

    Fixed tables are kept. Then nobody sits at the same table again while that can be avoided,
    unless the numbers go by standings; then they follow the standings. Since method 3 the sum of
    squared distances decides, and of equals the first: the best table gets the lowest number
    possible, then the next one.
    """
    fixed = {player.fixed_table for table in tables for player in table if player.fixed_table}
    free = (number for number in range(1, 1000) if number not in fixed)
    numbers = sorted([*fixed, *islice(free, max(0, len(tables) - len(fixed)))])
    if by_standings and not fixed:
        return numbers
    power = 2 if method >= 3 else 1
    costs = [
        _table_costs(table, numbers, rank, fixed, power, varied=not by_standings)
        for rank, table in enumerate(tables, 1)
    ]
    chosen = first_assignment(costs) if method >= 3 else assignment(costs)
    return [numbers[column] for column in chosen]


def _table_costs(
    table: Sequence[Entrant], numbers: Sequence[int], rank: int, fixed: set[int], power: int,
    *, varied: bool,
) -> list[int]:  # fmt: skip
    """The cost of each number for a table."""
    wanted = {player.fixed_table for player in table if player.fixed_table}
    again: dict[int, int] = {}
    for player in table:
        if varied and not player.fixed_table:
            for number, times in player.tables.items():
                again[number] = again.get(number, 0) + times**2
    unwanted = set(numbers) - wanted if wanted else fixed
    far = _FAR**power
    return [
        (number in unwanted) * far * far + again.get(number, 0) * far + abs(number - rank) ** power
        for number in numbers
    ]


def assignment(costs: Sequence[Sequence[int]]) -> list[int]:
    """Solve the assignment problem: a column for every row, at the least total cost."""
    return _priced_assignment(costs)[0]


def first_assignment(costs: Sequence[Sequence[int]]) -> list[int]:
    """The lexicographically first of the cheapest assignments: unique for any algorithm.

    The first row has the first column possible, then the second row, and so on. All cheapest
    assignments consist of cells whose cost equals the dual prices of row and column.
    """
    columns = len(costs[0]) if costs else 0
    square = [*costs, *[[0] * columns for _ in range(columns - len(costs))]]
    chosen, row_price, column_price = _priced_assignment(square)
    exact = [
        [at for at, cost in enumerate(row) if cost == row_price[here] + column_price[at]]
        for here, row in enumerate(square)
    ]
    for row in range(len(costs)):
        held = chosen[:row]
        for column in exact[row]:
            if column == chosen[row]:
                break
            if column not in held and _moved(chosen, exact, row, column):
                break
    return chosen[: len(costs)]


def _moved(chosen: list[int], exact: Sequence[Sequence[int]], row: int, column: int) -> bool:
    """Try to give a row a column by an augmenting path through the rows behind it."""
    holder = {taken: at for at, taken in enumerate(chosen) if at > row}
    wanted, came_from = chosen[row], {column: -1}
    waiting = [column]
    while waiting:
        given_up = waiting.pop()
        for other in exact[holder[given_up]]:
            if other == wanted:
                came_from[wanted] = given_up
                _carry_out(chosen, holder, came_from, wanted)
                chosen[row] = column
                return True
            if other in holder and other not in came_from:
                came_from[other] = given_up
                waiting.append(other)
    return False


def _carry_out(
    chosen: list[int], holder: Mapping[int, int], came_from: Mapping[int, int], last: int
) -> None:
    column = last
    while (given_up := came_from[column]) != -1:
        chosen[holder[given_up]] = column
        column = given_up


def _priced_assignment(
    costs: Sequence[Sequence[int]],
) -> tuple[list[int], list[int], list[int]]:
    """A cheapest assignment, and the dual prices that prove it (Hungarian method).

    No cell costs less than the prices of its row and column together.
    """
    limit = 1 + sum(max(row, default=0) for row in costs)
    rows, columns = len(costs), len(costs[0]) if costs else 0
    row_price = [0] * (rows + 1)
    column_price = [0] * (columns + 1)
    taken_by = [0] * (columns + 1)
    for row in range(1, rows + 1):
        taken_by[0] = row
        column = 0
        slack = [limit] * (columns + 1)
        came_from = [0] * (columns + 1)
        done = [False] * (columns + 1)
        while taken_by[column]:
            done[column] = True
            current, least, following = taken_by[column], limit, 0
            line, price = costs[current - 1], row_price[current]
            for other in range(1, columns + 1):
                if done[other]:
                    continue
                reduced = line[other - 1] - price - column_price[other]
                if reduced < slack[other]:
                    slack[other], came_from[other] = reduced, column
                if slack[other] < least:
                    least, following = slack[other], other
            for other in range(columns + 1):
                if done[other]:
                    row_price[taken_by[other]] += least
                    column_price[other] -= least
                else:
                    slack[other] -= least
            column = following
        while column:
            taken_by[column] = taken_by[came_from[column]]
            column = came_from[column]
    chosen = [0] * rows
    for column in range(1, columns + 1):
        if taken_by[column]:
            chosen[taken_by[column] - 1] = column - 1
    return chosen, row_price[1:], column_price[1:]
