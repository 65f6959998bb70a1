"""Tables of several: how big they are, and who sits together.

Nobody should meet the same people again, and equals should meet. Where the number of players
is the square of the table size an exact schedule exists, and is taken if as many rounds are played
as a table has seats; else tables are improved by a fixed number of swaps from a recorded seed, so
that the pairing can be computed again: since method 3 several times, and the best counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from referee.tournament.pairing.criteria import LexicographicWeights, Tables, total
from referee.tournament.pairing.entrants import Entrant, RoundEntrants
from referee.tournament.plan import SeatRange
from referee.tournament.splitmix import SplitMix64

ALGORITHM = "pods-annealing"
EXACT = "pods-affine-plane"

SPREAD = 4
"""The method since which small tables go around."""

_SWAPS_PER_PLAYER = 400
_MOST_SWAPS = 40_000
_MOST_RUNS = 20
_SWAPS_OF_ALL_RUNS = 400_000
_SURE = 4
"""How many runs must end with the same cost, and none with less, to try no more."""


def sizes(players: int, seats: SeatRange) -> tuple[tuple[int, ...], int]:
    """Table sizes, biggest first, and how many must sit out.

    Nobody sits out if that is possible; then the sum of squared distances from the preferred
    size is least; of equals, fewer tables.
    """
    for out in range(players + 1):
        seated = players - out
        possible = [
            _even(seated, tables)
            for tables in range(1, seated // seats.least + 1)
            if seats.least * tables <= seated <= seats.most * tables
        ]
        if possible:
            return min(
                possible,
                key=lambda plan: (sum((s - seats.preferred) ** 2 for s in plan), len(plan)),
            ), out
    return (), players


def uneven(field: RoundEntrants) -> int:
    """The seats of the big tables, where not all can be alike; 0 where they are."""
    plan, _ = sizes(len(field.entrants), field.seats)
    return plan[0] if plan and plan[0] != plan[-1] else 0


def _even(players: int, tables: int) -> tuple[int, ...]:
    small, bigger = divmod(players, tables)
    return tuple(small + 1 if table < bigger else small for table in range(tables))


# Exact schedules ------------------------------------------------------------------------------

_ORDERS = (3, 4, 5)
"""Sides of the planes: primes count modulo themselves, 4 with polynomials over 2."""


def _times(order: int, a: int, b: int) -> int:
    if order != 4:
        return a * b % order
    product = (a if b & 1 else 0) ^ (a << 1 if b & 2 else 0)
    return product ^ 0b111 if product & 4 else product


def _plus(order: int, a: int, b: int) -> int:
    return a ^ b if order == 4 else (a + b) % order


def plane(order: int) -> list[list[tuple[int, ...]]]:
    """Rounds of an affine plane: every two of order² players meet exactly once."""
    points = range(order)
    rounds = [
        [
            tuple(x * order + _plus(order, _times(order, slope, x), start) for x in points)
            for start in points
        ]
        for slope in points
    ]
    rounds.append([tuple(x * order + y for y in points) for x in points])
    return rounds


def exact_tables(field: RoundEntrants) -> list[tuple[Entrant, ...]] | None:
    """The first round of the exact schedule in which nobody meets again."""
    order = field.seats.preferred
    if order not in _ORDERS or len(field.entrants) != order * order:
        return None
    players = sorted(field.entrants, key=lambda entrant: entrant.number)
    for tables in plane(order):
        seated = [tuple(players[at] for at in table) for table in tables]
        if not any(
            other.number in one.met
            for table in seated
            for at, one in enumerate(table)
            for other in table[at + 1 :]
        ):
            return seated
    return None


class Schedule(NamedTuple):
    """A round of an exact schedule, and the seeding it is based on."""

    tables: list[tuple[Entrant, ...]]
    listed: tuple[str, ...]


def scheduled_tables(
    field: RoundEntrants, seed: int, *, by_standings: bool, rounds: int
) -> Schedule | None:
    """Of the rounds of an exact schedule in which nobody meets anybody again the best by the
    usual criteria. Its list is drawn in the first round and then kept."""
    order = field.seats.preferred
    if order not in _ORDERS or len(field.entrants) != order * order:
        return None
    listed = field.seeding
    if field.round_in_stage == 1:
        if by_standings and rounds < order:
            return None
        listed = tuple(entrant.id for entrant in SplitMix64(seed).shuffled(field.entrants))
    if set(listed) != set(field.by_id):
        return None
    costs = Tables(field, by_standings=by_standings)
    players = [field.by_id[player] for player in listed]
    possible = [[tuple(players[at] for at in table) for table in tables] for tables in plane(order)]
    prices = [total(map(costs.meeting, tables), costs.criteria) for tables in possible]
    best = min(range(len(possible)), key=lambda at: prices[at])
    first = costs.criteria.index("repeats") + 1
    return (
        Schedule(in_order(field, possible[best]), listed) if not any(prices[best][:first]) else None
    )


# Annealing ------------------------------------------------------------------------------------


def pair(
    field: RoundEntrants, seed: int, method: int, *, by_standings: bool
) -> tuple[list[tuple[Entrant, ...]], list[Entrant]]:
    """Tables, best first, seats not yet in order; and who has to sit out."""
    plan, out = sizes(len(field.entrants), field.seats)
    most = uneven(field) if method >= SPREAD else 0
    costs = Tables(field, by_standings=by_standings, most=most)
    dice = SplitMix64(seed)
    byes = _sitting_out(field.entrants, out, plan)
    out_of_it = {entrant.number for entrant in byes}
    left = [entrant for entrant in field.entrants if entrant.number not in out_of_it]
    ranked = list(range(len(left)))
    start = ranked if by_standings and field.round > 1 else dice.shuffled(ranked)
    start = _kept_apart(left, start, plan) or start
    cost, small, together = _cost_matrix(left, costs)
    extra = [[price if size < most else 0 for size in plan] for price in small]
    seated, price = _anneal(start, plan, cost, extra, together, dice)
    found = 1
    for _ in range(_runs(len(left)) - 1 if method >= 3 else 0):
        if not price or found == _SURE:
            break
        begin = dice.shuffled(ranked)
        begin = _kept_apart(left, begin, plan) or begin
        other, told = _anneal(begin, plan, cost, extra, together, dice)
        found = 1 if told < price else found + (told == price)
        seated, price = (other, told) if told < price else (seated, price)
    tables, at = [], 0
    for size in plan:
        tables.append(tuple(left[player] for player in seated[at : at + size]))
        at += size
    return in_order(field, tables), byes


def _runs(players: int) -> int:
    return max(1, min(_MOST_RUNS, _SWAPS_OF_ALL_RUNS // _swaps(players)))


def _swaps(players: int) -> int:
    return max(1, min(_MOST_SWAPS, _SWAPS_PER_PLAYER * players))


def in_order(
    field: RoundEntrants, tables: Iterable[tuple[Entrant, ...]]
) -> list[tuple[Entrant, ...]]:
    """Sort tables by the standing of their players, the best first."""
    ranks = {entrant.number: rank for rank, entrant in enumerate(field.entrants)}
    return sorted(tables, key=lambda table: sorted(ranks[player.number] for player in table))


def _sitting_out(entrants: Sequence[Entrant], out: int, plan: Sequence[int]) -> list[Entrant]:
    """Who sits out: the lowest of those with the fewest byes; another one of them, if nothing else
    keeps those apart who must not meet."""
    ranked = [
        entrant for _, entrant in sorted(enumerate(entrants), key=lambda at: (at[1].byes, -at[0]))
    ]
    usual = ranked[:out]
    if out and any(entrant.apart for entrant in entrants):
        for last in (usual[-1], *ranked[out:]):
            chosen = [*usual[:-1], last]
            left = [entrant for entrant in entrants if entrant not in chosen]
            if _kept_apart(left, range(len(left)), plan):
                return chosen
    return usual


_MOST_TRIES = 50_000


def _kept_apart(
    players: Sequence[Entrant], order: Sequence[int], plan: Sequence[int]
) -> list[int] | None:
    """An order of the players, as near to another as it is simple, in which nobody sits at a table
    with somebody they must not meet; None if there is none. Tables are improved from there, and
    no swap is ever taken that seats such two together."""
    at_number = {player.number: at for at, player in enumerate(players)}
    apart = {
        at: {at_number[number] for number in player.apart if number in at_number}
        for at, player in enumerate(players)
    }
    careful = sorted((at for at in order if apart[at]), key=lambda at: -len(apart[at]))
    if not careful:
        return list(order)
    wished = iter(order)
    table_of = {at: table for table, size in enumerate(plan) for at in islice(wished, size)}
    seated: list[list[int]] = [[] for _ in plan]

    def possible(player: int) -> Iterator[int]:
        """Tables where the player can sit now, the one of the order first."""
        empty: set[int] = set()
        for table in sorted(range(len(plan)), key=lambda table: table != table_of[player]):
            if len(seated[table]) == plan[table] or apart[player] & set(seated[table]):
                continue
            if not seated[table]:  # empty tables of one size are alike
                if plan[table] in empty:
                    continue
                empty.add(plan[table])
            yield table

    chosen: list[int] = []
    untried = [possible(careful[0])]
    for _ in range(_MOST_TRIES):
        if (found := next(untried[-1], None)) is None:
            untried.pop()
            if not chosen:
                return None
            seated[chosen.pop()].pop()
            continue
        seated[found].append(careful[len(chosen)])
        chosen.append(found)
        if len(chosen) == len(careful):
            break
        untried.append(possible(careful[len(chosen)]))
    else:
        return None
    rest = [at for at in order if not apart[at]]
    for at in [at for at in rest if len(seated[table_of[at]]) < plan[table_of[at]]]:
        if len(seated[table_of[at]]) < plan[table_of[at]]:
            seated[table_of[at]].append(at)
            rest.remove(at)
    for table, size in zip(seated, plan, strict=True):
        while len(table) < size:
            table.append(rest.pop(0))
    return [at for table in seated for at in table]


def _anneal(
    start: Sequence[int], plan: Sequence[int], cost: list[list[int]], extra: list[list[int]],
    together: int, dice: SplitMix64,
) -> tuple[list[int], int]:  # fmt: skip
    """Simulated annealing: swap players between tables, early on also if it hurts a little.

    ``cost`` is that of two players at one table, ``extra`` that of one player at a table of the
    plan, ``together`` that of two who must not meet: more than all else, and no warmth takes it.
    Returns the best seating that was found, and its cost.
    """
    count = len(start)
    table_at = [table for table, size in enumerate(plan) for _ in range(size)]
    starts = [sum(plan[:table]) for table in range(len(plan))]
    around = [
        [other for other in range(starts[table], starts[table] + plan[table]) if other != at]
        for at, table in enumerate(table_at)
    ]
    here = list(start)
    now = sum(cost[here[at]][here[other]] for at in range(count) for other in around[at]) // 2
    now += sum(extra[here[at]][table_at[at]] for at in range(count))
    best, least = list(here), now
    swaps = _swaps(count)
    warmth = _warmth(cost, swaps, together)
    for swap in range(swaps):
        if least == 0 or len(plan) < 2:
            break
        one, two = divmod(dice.below(count * count), count)
        if table_at[one] == table_at[two]:
            continue
        a, b = cost[here[one]], cost[here[two]]
        change = 0
        for at in around[one]:
            change += b[here[at]] - a[here[at]]
        for at in around[two]:
            change += a[here[at]] - b[here[at]]
        mine, other = extra[here[one]], extra[here[two]]
        change += other[table_at[one]] - mine[table_at[one]]
        change += mine[table_at[two]] - other[table_at[two]]
        if change <= warmth(swap):
            here[one], here[two] = here[two], here[one]
            now += change
            if now < least:
                best, least = list(here), now
    return best, least


def _cost_matrix(
    players: Sequence[Entrant], costs: Tables
) -> tuple[list[list[int]], list[int], int]:
    """What two players cost at one table, what each costs at a small one, more than others, and
    what two cost who must not meet."""
    if not players:
        return [], [], 0
    pairs = [[costs.pair(one, other) for other in players] for one in players]
    everything = [pair for row in pairs for pair in row]
    repeats, gaps, clubs = (max(column) for column in zip(*everything, strict=True))
    prices = [costs.small(player) for player in players]
    small = [price - min(prices) for price in prices]
    highest = (repeats, max(small), gaps, clubs) if costs.most else (repeats, gaps, clubs)
    pack = LexicographicWeights(highest, len(players) * 4)

    def packed(met: int, gap: int, club: int) -> int:
        return pack((met, 0, gap, club) if costs.most else (met, gap, club))

    together = pack.weights[0] * (repeats + 1) * 4 * len(players)
    matrix = [
        [
            packed(*pair) + (together if players[other].number in players[at].apart else 0)
            if at != other
            else 0
            for other, pair in enumerate(row)
        ]
        for at, row in enumerate(pairs)
    ]
    return matrix, [pack((0, price, 0, 0)) if costs.most else 0 for price in small], together


def _warmth(cost: list[list[int]], swaps: int, most: int) -> Callable[[int], int]:
    """The temperature of the annealing: how much worse a swap may make things.

    It falls from the highest cost of a pair to zero in the first third, and again from a typical
    cost in the second.
    """
    seen = sorted(amount for row in cost for amount in row if 0 < amount < most) or [0]
    highest, typical = seen[-1], seen[len(seen) // 4]
    third = swaps // 3

    def limit(swap: int) -> int:
        if swap < third:
            return highest * (third - swap) // third
        return typical * max(0, 2 * third - swap) // third

    return limit
