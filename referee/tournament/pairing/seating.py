"""Who sits in which seat, and which table gets which number: as even as history allows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import islice

from referee.tournament.chance import Dice
from referee.tournament.pairing.field import Entrant

_FAR = 10**6


def seat_order(players: Sequence[Entrant], dice: Dice) -> tuple[Entrant, ...]:
    """Seats so that nobody sits again where they sat often; what is equal, chance decides.

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


def duel_order(one: Entrant, other: Entrant, dice: Dice) -> tuple[Entrant, Entrant]:
    """Who begins: whoever began less often; then whoever did not begin last; then a lot."""
    chosen = (one, other) if dice.one_in(2) else (other, one)
    by_right = sorted(chosen, key=lambda player: (player.balance, player.last_seat == 0))
    return by_right[0], by_right[1]


def table_numbers(tables: Sequence[Sequence[Entrant]]) -> list[int]:
    """A number for every table, best table first.

    Fixed tables are kept; then nobody sits at the same table again while that can be avoided;
    then the numbers follow the standings.
    """
    fixed = {player.fixed_table for table in tables for player in table if player.fixed_table}
    free = (number for number in range(1, 1000) if number not in fixed)
    numbers = sorted([*fixed, *islice(free, max(0, len(tables) - len(fixed)))])
    costs = [_table_costs(table, numbers, rank, fixed) for rank, table in enumerate(tables, 1)]
    return [numbers[column] for column in assignment(costs)]


def _table_costs(
    table: Sequence[Entrant], numbers: Sequence[int], rank: int, fixed: set[int]
) -> list[int]:
    """What each of the numbers costs a table."""
    wanted = {player.fixed_table for player in table if player.fixed_table}
    again: dict[int, int] = {}
    for player in table:
        if not player.fixed_table:
            for number, times in player.tables.items():
                again[number] = again.get(number, 0) + times**2
    unwanted = set(numbers) - wanted if wanted else fixed
    return [
        (number in unwanted) * _FAR * _FAR + again.get(number, 0) * _FAR + abs(number - rank)
        for number in numbers
    ]


def assignment(costs: Sequence[Sequence[int]]) -> list[int]:
    """For every row a column of its own, at the least total cost (the Hungarian method)."""
    rows, columns = len(costs), len(costs[0]) if costs else 0
    row_price = [0] * (rows + 1)
    column_price = [0] * (columns + 1)
    taken_by = [0] * (columns + 1)
    for row in range(1, rows + 1):
        taken_by[0] = row
        column = 0
        slack = [_FAR**4] * (columns + 1)
        came_from = [0] * (columns + 1)
        done = [False] * (columns + 1)
        while taken_by[column]:
            done[column] = True
            current, least, following = taken_by[column], _FAR**4, 0
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
    return chosen
