"""The cheapest pairing: against brute force, against networkx, and by its own proof."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

import pytest

from engines.kernel import evolve
from referee.tournament.events import RoundPaired
from referee.tournament.fold import apply, fold
from referee.tournament.pairing import cost_matrix, swiss
from referee.tournament.pairing.blossom import PerfectMatching
from referee.tournament.pairing.canonical_matching import first_cheapest
from referee.tournament.pairing.cost_matrix import CostMatrix
from referee.tournament.pairing.criteria import Costs, Duels, total
from referee.tournament.pairing.entrants import Entrant, RoundEntrants, field_of
from referee.tournament.pairing.networkx_matching import cheapest_pairs
from referee.tournament.pairing.rounds import check_tournament, compute
from referee.tournament.plan import SeatRange
from referee.tournament.splitmix import SplitMix64
from tests.deep import few_or_many
from tests.tournament.generator import Kind, generate
from tests.tournament.hosting import Hall, duels

FIELDS = max(120, int(os.environ.get("REFEREE_CHAOS", "0")) // 10)

Table = list[list[int]]


def random_field(dice: SplitMix64, players: int) -> RoundEntrants:
    """A round in the middle of some event, with more oddities than a real one."""
    rounds = dice.below(7)
    met: list[dict[int, int]] = [{} for _ in range(players)]
    for _ in range(rounds * players // 2):
        one, other = dice.below(players), dice.below(players)
        if one != other:
            for here, there in ((one, other), (other, one)):
                met[here][there + 1] = met[here].get(there + 1, 0) + 1
    entrants = [
        Entrant(
            number=at + 1, id=f"p{at}", seeding=at + 1, points=30 * dice.below(2 * rounds + 1),
            met=met[at], seats=(dice.below(4), dice.below(4)), last_seat=None,
            run=dice.below(7) - 3,
            byes=dice.below(2), tables={}, club=("", "", "Oak", "Elm")[dice.below(4)],
        )
        for at in range(players)
    ]  # fmt: skip
    entrants.sort(key=lambda entrant: (-entrant.points, entrant.seeding))
    seats = SeatRange(least=2, most=2, preferred=2)
    return RoundEntrants(
        round=rounds + 1, round_in_stage=rounds + 1, seats=seats, entrants=tuple(entrants)
    )


def fields(count: int, most: int) -> Iterator[RoundEntrants]:
    for seed in range(count):
        dice = SplitMix64(seed)
        yield random_field(dice, 2 + dice.below(most - 1))


def cost_of(matched: swiss.Matched, costs: Duels) -> Costs:
    meetings, byes = matched
    told = [min(costs.meeting(a, b), costs.meeting(b, a)) for a, b in meetings]
    return total([*told, *map(costs.bye, byes)], costs.criteria)


def random_table(dice: SplitMix64, players: int, most: int) -> Table:
    table = [[0] * players for _ in range(players)]
    for one in range(players):
        for other in range(one):
            table[one][other] = table[other][one] = 2 * (dice.below(most) - most // 4)
    return table


def pairings(players: Sequence[int]) -> Iterator[dict[int, int]]:
    if not players:
        yield {}
        return
    first, *rest = players
    for other in rest:
        for others in pairings([player for player in rest if player != other]):
            yield {**others, first: other, other: first}


def test_of_all_cheapest_pairings_the_first_is_chosen() -> None:
    """Small costs, so that many pairings are equally cheap."""
    choices = 0
    for seed in range(400):
        dice = SplitMix64(seed)
        players = 2 * (1 + dice.below(4))
        table = random_table(dice, players, dice.pick([2, 3, 5, 9, 1000]))
        told = [
            (
                sum(table[one][other] for one, other in pairing.items()),
                [pairing[player] for player in range(players)],
            )
            for pairing in pairings(range(players))
        ]
        cheapest = min(told)
        choices += sum(cost == cheapest[0] for cost, _ in told) > 1
        assert first_cheapest(table) == cheapest[1]
    assert choices > 100


def test_shares_and_bonuses_prove_that_no_pairing_is_cheaper() -> None:
    """What all pay in sum is what the pairing costs, and no two pay more than they cost."""
    blossoms = 0
    for seed in range(40):
        dice = SplitMix64(seed)
        table = random_table(dice, 2 * (10 + dice.below(20)), 200)
        found = PerfectMatching(table)
        above = [_blossoms_above(found, player) for player in range(len(table))]
        blossoms += any(above)
        for one, row in enumerate(table):
            for other, cost in enumerate(row[:one]):
                bonus = sum(found.bonus[node] for node in above[one] & above[other])
                left = cost + bonus - found.share[one] - found.share[other]
                assert left >= 0
                assert left == 0 or found.partner[one] != other
        for node in set().union(*above):
            members = set(found.members[node])
            assert found.bonus[node] >= 0
            assert sum(found.partner[member] not in members for member in members) == 1
    assert blossoms > 10


def _blossoms_above(found: PerfectMatching, player: int) -> set[int]:
    nodes, node = set[int](), found.parent[player]
    while node >= 0:
        nodes.add(node)
        node = found.parent[node]
    return nodes


@pytest.mark.parametrize("count", few_or_many(40, FIELDS))
def test_both_older_methods_cost_the_same(count: int) -> None:
    for field in fields(count, 40):
        costs = Duels(field, 2)
        told = [cost_of(swiss.METHODS[method](field.entrants, costs), costs) for method in (1, 2)]
        assert told[0] == told[1], len(field.entrants)


def test_the_third_method_is_the_second_where_nothing_new_is_asked() -> None:
    """Without seats in a row and without a bye the new criteria change nothing."""
    for field in fields(30, 30):
        calm = [evolve(one, run=0) for one in field.entrants]
        calm = calm[: len(calm) // 2 * 2]
        same = evolve(field, entrants=tuple(calm))
        told = [swiss.match(same.entrants, Duels(same, method)) for method in (2, 3)]
        assert told[0] == told[1]


@pytest.mark.parametrize("count", few_or_many(8, 25))
def test_another_program_finds_the_same_pairing_from_the_same_prices(count: int) -> None:
    for field in fields(count, 90):
        told = CostMatrix(field.entrants, Duels(field, swiss.VERSION))
        size = len(told.table)
        edges = [(one, two, told.table[one][two]) for one in range(size) for two in range(one)]
        others = {frozenset(pair) for pair in cheapest_pairs(edges)}
        ours = first_cheapest(told.table)
        assert {frozenset(pair) for pair in enumerate(ours)} == others


def test_prices_are_what_the_criteria_say() -> None:
    for field in fields(30, 24):
        costs = Duels(field, swiss.VERSION)
        told = CostMatrix(field.entrants, costs)
        for at, one in enumerate(told.order):
            for behind, other in enumerate(told.order[at + 1 :], at + 1):
                price = (
                    told.table[at][behind] - cost_matrix._lots(at, len(told.table))[behind - at - 1]
                )
                either = (costs.meeting(one, other), costs.meeting(other, one))
                assert price == _packed(told, min(either))
                assert told.table[behind][at] == told.table[at][behind]


def _packed(told: CostMatrix, costs: Costs) -> int:
    return sum(weight * cost for weight, cost in zip(told.weights, costs, strict=False))


def test_no_price_outweighs_an_earlier_criterion() -> None:
    """The sum of all later criteria over all tables is less than one of an earlier."""
    for field in fields(30, 24):
        told = CostMatrix(field.entrants, Duels(field, swiss.VERSION))
        highest = (*told._highest(), len(told.order), 2**32 - 1)
        tables = len(told.order) // 2 + 1
        for at, weight in enumerate(told.weights):
            later = zip(told.weights[at + 1 :], highest[at + 1 :], strict=True)
            assert sum(low * most for low, most in later) * tables < weight


def test_the_order_of_the_players_does_not_matter() -> None:
    for field in fields(20, 30):
        costs = Duels(field, swiss.VERSION)
        mixed = SplitMix64(1).shuffled(field.entrants)
        assert swiss.match(mixed, costs) == swiss.match(field.entrants, costs)


@pytest.mark.parametrize("method", [1, 2])
@pytest.mark.parametrize("players", [8, 11])
def test_an_old_round_is_checked_by_the_method_it_names(players: int, method: int) -> None:
    hall = Hall(duels(), players)
    hall.play()
    seen = field_of(hall.now, 2)
    assert compute(hall.now, seen, 3).version == 3
    hall.tell(compute(hall.now, seen, 3, method))
    assert hall.now.round(2).paired.version == method
    assert check_tournament(hall.now) == []


@pytest.mark.parametrize("method", [2, 3])
@pytest.mark.parametrize("kind", ["pods", "league", "round_robin", "knockout"])
def test_an_old_round_of_any_format_is_checked_by_the_method_it_names(
    kind: Kind, method: int
) -> None:
    """Until the third method what is not matched was called version 1."""
    events = list(generate(11, kind))
    now = fold(events[: next(at for at, e in enumerate(events) if isinstance(e, RoundPaired))])
    now = apply(now, compute(now, field_of(now, 1), 5, method))
    assert (now.round(1).paired.version == 3) == (method == 3)
    assert check_tournament(now) == []


def test_a_round_of_a_method_nobody_knows_is_named() -> None:
    hall = Hall(duels(), 6)
    paired = compute(hall.now, field_of(hall.now, 1), 3)
    hall.tell(paired.model_copy(update={"version": 9}))
    assert [problem.key for problem in check_tournament(hall.now)] == ["other_algorithm"]


def test_nobody_is_paired_where_nobody_is() -> None:
    assert first_cheapest([]) == []
