"""Who meets whom: against brute force where that is possible, against the books elsewhere."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest

from engines.kernel import evolve
from referee.tournament.errors import NotPossible
from referee.tournament.events import (
    Dropped,
    Late,
    Outcome,
    Registered,
    ResultCorrected,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RoundStarted,
    Swapped,
    Table,
)
from referee.tournament.fold import fold
from referee.tournament.knockout import bracket
from referee.tournament.pairing import pods
from referee.tournament.pairing.criteria import Costs, LexicographicWeights, Tables, total
from referee.tournament.pairing.entrants import field_of
from referee.tournament.pairing.finals import knockout_final
from referee.tournament.pairing.pods import plane
from referee.tournament.pairing.round_robin import berger
from referee.tournament.pairing.rounds import (
    check_round,
    check_tournament,
    compute,
    pair,
    swap,
)
from referee.tournament.pairing.seating import assignment, first_assignment
from referee.tournament.plan import Knockout, Pods, RoundRobin, SeatRange
from referee.tournament.ranking.standings import standings
from referee.tournament.splitmix import SplitMix64
from referee.tournament.state import Draw
from tests.tournament.hosting import (
    Hall,
    better_rated_wins,
    duels,
    meetings,
    seat_order_wins,
    tables_of_four,
)

# Swiss


def test_first_round_pairs_top_half_with_bottom_half() -> None:
    hall = Hall(duels(), 8)
    assert meetings(hall.pair()) == {
        frozenset(pair_) for pair_ in (("pa", "pe"), ("pb", "pf"), ("pc", "pg"), ("pd", "ph"))
    }


def test_packed_costs_compare_like_lists_of_costs() -> None:
    pack = LexicographicWeights((3, 5, 7), 4)
    sums = [(0, 0, 28), (0, 1, 0), (0, 20, 28), (1, 0, 0), (2, 3, 4)]
    assert sorted(sums, key=pack) == sorted(sums)


# Round robin


def test_berger_tables_are_the_published_ones() -> None:
    published = [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ]
    ours = [[(one + 1, two + 1) for one, two in berger(6, number)] for number in range(1, 6)]
    assert ours == published


def test_free_round_of_an_odd_robin_scores_nothing() -> None:
    hall = Hall(duels(RoundRobin(), rounds=3), 3)
    for _ in range(3):
        hall.play()
    assert sum(row.values[0] for row in standings(hall.now).rows) == 3


def test_late_player_takes_the_empty_place_of_a_robin() -> None:
    hall = Hall(duels(RoundRobin(), rounds=5), 5)
    hall.play()
    hall.tell(Registered(player="plate"), Late(player="plate"))
    for _ in range(4):
        hall.play()
    assert all(round.paired.algorithm == "berger" for round in hall.now.rounds)
    games = [t.seats for round in hall.now.rounds for t in round.draw.tables if "plate" in t.seats]
    assert len(games) == 4


def test_second_late_player_of_a_robin_is_paired_by_matching() -> None:
    hall = Hall(duels(RoundRobin(), rounds=8), 4)
    hall.play()
    hall.tell(Registered(player="plate"), Late(player="plate"))
    while hall.next_round <= 6:
        hall.play()
    met = {frozenset(t.seats) for round in hall.now.rounds for t in round.draw.tables}
    assert len(met) == 10
    assert check_tournament(hall.now) == []


def test_opponent_of_who_left_a_robin_has_a_bye() -> None:
    hall = Hall(duels(RoundRobin(), rounds=3), 4)
    hall.play()
    hall.tell(Dropped(player="pd"))
    hall.play()
    round = hall.now.round(2)
    assert (len(round.draw.byes), round.draw.free) == (1, ())


# Knock-out


def test_best_two_of_a_bracket_meet_last() -> None:
    assert [seed + 1 for seed in bracket(8)] == [1, 8, 4, 5, 2, 7, 3, 6]


def test_high_seeds_of_a_knockout_have_the_byes() -> None:
    hall = Hall(duels(Knockout()), 6)
    hall.play()
    assert set(hall.now.round(1).draw.free) == {"pa", "pb"}
    hall.play()
    assert meetings(hall.now.round(2).paired) == {frozenset(("pa", "pd")), frozenset(("pb", "pc"))}
    hall.play()
    assert meetings(hall.now.round(3).paired) == {frozenset(("pa", "pb"))}
    with pytest.raises(NotPossible, match="knockout_is_over") as over:
        hall.play()
    assert over.value.facts == {"player": "pa"}
    assert [row.player for row in standings(hall.now).rows][:2] == ["pa", "pb"]
    assert check_tournament(hall.now) == []


@pytest.mark.parametrize(
    ("rule", "through"), [("better_seed", "pa"), ("later_seat", None), ("replay", None)]
)
def test_a_tied_knockout_game_follows_the_published_rule(rule: str, through: str | None) -> None:
    plan = duels(Knockout.model_validate({"on_tie": rule}))
    hall = Hall(plan, 2)
    table = hall.start().tables[0]
    if rule == "replay":
        with pytest.raises(NotPossible, match="tie_is_replayed"):
            hall.result(1, 1, 1, 1)
        return
    hall.result(1, 1, 1, 1)
    hall.tell(RoundClosed(round=1))
    assert standings(hall.now).rows[0].player == (through or table.seats[1])


def test_two_of_each_table_go_on() -> None:
    plan = tables_of_four(Knockout(advance=2, on_tie="better_seed"), tie_breaks=("PTS",))
    hall = Hall(plan, 16)
    hall.play()
    first = hall.now.round(1).draw
    assert all(len({"pa", "pb", "pc", "pd"} & set(table.seats)) == 1 for table in first.tables)
    hall.play()
    assert {len(table.seats) for table in hall.now.round(2).draw.tables} == {4}
    assert len(list(hall.now.round(2).draw.players)) == 8
    hall.play()
    final = hall.now.round(3).draw
    assert len(final.tables) == 1
    assert standings(hall.now).rows[0].player == "pa"


def test_a_correction_behind_a_bracket_is_noticed() -> None:
    hall = Hall(duels(Knockout()), 4)
    hall.play()
    hall.play()
    table = hall.now.round(1).draw.table_of["pa"]
    turned = Outcome(places=tuple(2 if player == "pa" else 1 for player in table.seats))
    hall.tell(
        RoundReopened(round=1, reason="the slip was read wrongly"),
        ResultCorrected(round=1, table=table.number, outcome=turned, reason="read wrongly"),
        RoundClosed(round=1),
    )
    assert [(p.key, p.facts) for p in check_round(hall.now, 2)] == [("was_out", {"player": "pa"})]


# Tables of several


@pytest.mark.parametrize("order", [3, 4, 5])
def test_every_two_points_of_a_plane_share_one_line(order: int) -> None:
    together = [
        pair_ for lines in plane(order) for line in lines for pair_ in combinations(sorted(line), 2)
    ]
    assert sorted(together) == list(combinations(range(order * order), 2))


@pytest.mark.parametrize("order", [3, 4, 5])
def test_exact_schedules_let_everyone_meet_once(order: int) -> None:
    seats = SeatRange(least=3, most=5, preferred=order)
    plan = tables_of_four(Pods(by_standings=False), seats=seats, rounds=order + 1)
    hall = Hall(plan, order * order)
    for _ in range(order + 1):
        hall.play(seat_order_wins)
    met = [
        frozenset(pair_)
        for round in hall.now.rounds
        for table in round.draw.tables
        for pair_ in combinations(table.seats, 2)
    ]
    assert len(met) == len(set(met)) == order**2 * (order**2 - 1) // 2
    assert check_tournament(hall.now) == []


def test_equals_meet_at_the_same_table() -> None:
    hall = Hall(tables_of_four(rounds=3), 16)
    hall.play(better_rated_wins)
    hall.play(better_rated_wins)
    points = {row.player: row.values[0] for row in standings(hall.now, through=1).rows}
    for table in hall.now.round(2).draw.tables:
        assert len({points[player] for player in table.seats}) == 1


@pytest.mark.parametrize("seed", range(6))
def test_sixteen_players_find_the_exact_schedule_by_themselves(seed: int) -> None:
    """Four rounds of fours by standings: nobody meets anybody twice, whatever the results."""
    hall = Hall(tables_of_four(), 16)
    dice = SplitMix64(seed)
    for _ in range(4):
        hall.play(lambda table: tuple(dice.shuffled(seat_order_wins(table))), seed=seed)
    met = [frozenset(p) for r in hall.now.rounds for t in r.draw.tables
           for p in combinations(t.seats, 2)]  # fmt: skip
    assert len(met) == len(set(met))
    assert {round.paired.algorithm for round in hall.now.rounds} == {"pods-affine-plane"}
    assert check_tournament(hall.now) == []


def test_who_comes_or_leaves_ends_an_exact_schedule_and_not_the_event() -> None:
    hall = Hall(tables_of_four(), 16)
    hall.play()
    hall.tell(Dropped(player="pa"))
    hall.play()
    assert hall.now.rounds[-1].paired.algorithm == "pods-annealing"
    assert check_tournament(hall.now) == []


@pytest.mark.deep
def test_the_best_of_many_seatings_is_no_worse_than_one() -> None:
    """Fifteen players after two rounds: what one run finds depends on luck, the best does not."""
    hall = Hall(tables_of_four(), 15)
    dice = SplitMix64(4)
    for _ in range(2):
        hall.play(lambda table: tuple(dice.shuffled(seat_order_wins(table))))
    seen = field_of(hall.now, 3)
    costs = Tables(seen, by_standings=True)

    def price(seed: int, method: int) -> Costs:
        tables, _ = pods.pair(seen, seed, method, by_standings=True)
        return total(map(costs.meeting, tables), costs.criteria)[:4]

    single = [price(seed, 2) for seed in range(20)]
    many = [price(seed, 3) for seed in range(8)]
    assert max(many) <= min(single)


def test_leaders_play_at_the_first_tables_where_that_is_published() -> None:
    hall = Hall(duels(rounds=4, table_numbers="by_standings"), 12)
    for _ in range(4):
        ranks = {e.id: at for at, e in enumerate(field_of(hall.now, hall.next_round).entrants)}
        hall.play()
        best = [min(ranks[p] for p in t.seats) for t in hall.now.rounds[-1].draw.tables]
        assert best == sorted(best)
    assert check_tournament(hall.now) == []


def test_of_all_cheapest_numberings_the_first_is_taken() -> None:
    """Against every assignment of small tables: least cost, then the lowest number first."""
    dice = SplitMix64(9)
    for _ in range(200):
        rows = 1 + dice.below(4)
        columns = rows + dice.below(2)
        costs = [[dice.below(3) for _ in range(columns)] for _ in range(rows)]
        every = permutations(range(columns), rows)
        best = min(every, key=lambda p: (sum(costs[r][c] for r, c in enumerate(p)), p))
        assert tuple(first_assignment(costs)) == best


def test_assignment_is_the_cheapest() -> None:
    dice = SplitMix64(5)
    for _ in range(60):
        rows = 1 + dice.below(5)
        columns = rows + dice.below(2)
        costs = [[dice.below(20) for _ in range(columns)] for _ in range(rows)]
        chosen = assignment(costs)
        assert len(set(chosen)) == rows
        cheapest = min(
            sum(costs[row][column] for row, column in enumerate(order))
            for order in permutations(range(columns), rows)
        )
        assert sum(costs[row][column] for row, column in enumerate(chosen)) == cheapest


# Finals


def test_knockout_final_follows_the_standings() -> None:
    hall = Hall(duels(rounds=3), 8)
    for _ in range(3):
        hall.play()
    best = [row.player for row in standings(hall.now).rows[:4]]
    hall.tell(knockout_final(hall.now, 4))
    hall.play()
    assert meetings(hall.now.round(4).paired) == {
        frozenset((best[0], best[3])),
        frozenset((best[1], best[2])),
    }
    hall.play()
    assert standings(hall.now).rows[0].final == 1
    assert check_tournament(hall.now) == []


# Explaining, swapping, checking


def test_swapping_back_restores_the_draw() -> None:
    hall = Hall(tables_of_four(), 9)
    paired = hall.pair()
    draw = Draw(paired.tables)
    assert swap(swap(draw, "pa", "pi"), "pa", "pi") == draw
    with pytest.raises(NotPossible, match="not_in_the_draw"):
        swap(draw, "pa", "pz")
    with pytest.raises(NotPossible, match="swap_with_oneself"):
        swap(draw, "pa", "pa")


def test_a_player_with_a_bye_can_be_swapped_in() -> None:
    hall = Hall(duels(), 5)
    paired = hall.pair()
    hall.tell(Swapped(round=1, a=paired.byes[0], b="pa", reason="pa has to wait for a bus"))
    assert hall.now.round(1).draw.byes == ("pa",)


def changed(hall: Hall, number: int, **changes: object) -> list[str]:
    """What the checker says when the record of a pairing is another."""
    events = [
        event.model_copy(update=changes)
        if isinstance(event, RoundPaired) and event.round == number
        else event
        for event in hall.events
    ]
    return [problem.key for problem in check_round(fold(events), number)]


def test_the_checker_notices_another_pairing() -> None:
    hall = Hall(duels(), 6)
    hall.play()
    paired = hall.pair()
    first, second, third = paired.tables
    mixed = (
        Table(number=first.number, seats=(first.seats[0], second.seats[0])),
        Table(number=second.number, seats=(first.seats[1], second.seats[1])),
        third,
    )
    assert changed(hall, 2) == []
    assert changed(hall, 2, tables=mixed) == ["recomputed_differs", "not_the_best"]
    assert changed(hall, 2, tables=paired.tables[:2]) == ["left_out", "left_out",
                                                          "recomputed_differs"]  # fmt: skip
    assert changed(hall, 2, input_hash="0" * 64) == ["inputs_differ", "recomputed_differs"]
    assert changed(hall, 2, algorithm="by-hand") == ["other_algorithm"]


def test_the_checker_prices_a_swap() -> None:
    hall = Hall(duels(), 8)
    hall.play()
    draw = hall.pair().tables
    winner, loser = draw[0].seats[0], draw[-1].seats[0]
    hall.tell(Swapped(round=2, a=winner, b=loser, reason="they asked for it"))
    (problem,) = check_round(hall.now, 2)
    assert (problem.key, problem.facts["swaps"]) == ("changed_by_hand", [[winner, loser]])


def test_the_same_seed_gives_the_same_pairing() -> None:
    one, other = Hall(tables_of_four(), 17), Hall(tables_of_four(), 17)
    for seed in (3, 4):
        one.play(seed=seed)
        other.play(seed=seed)
    assert pair(one.now, 3, 5) == pair(other.now, 3, 5)
    assert pair(one.now, 3, 5).tables != pair(one.now, 3, 6).tables


def test_a_pairing_does_not_depend_on_what_it_does_not_look_at() -> None:
    hall = Hall(duels(), 6)
    hall.play()
    renamed = evolve(hall.now, name="Another name")
    assert pair(hall.now, 2, 1).input_hash == pair(renamed, 2, 1).input_hash


@pytest.mark.parametrize("players", [23, 27])
def test_the_small_tables_go_around(players: int) -> None:
    """Nobody has one a second time while others have had none; of so many, nobody meets again."""
    hall = Hall(tables_of_four(rounds=3), players)
    had: Counter[str] = Counter()
    for seed in range(3):
        hall.play(seed=seed)
        tables = hall.now.rounds[-1].draw.tables
        most = max(len(table.seats) for table in tables)
        had.update(p for table in tables if len(table.seats) < most for p in table.seats)
    assert sum(had.values()) > 0
    assert max(had.values()) == 1
    assert {round.paired.version for round in hall.now.rounds} == {4}
    assert check_tournament(hall.now) == []


def test_a_round_paired_before_small_tables_went_around_is_computed_as_it_was() -> None:
    hall = Hall(tables_of_four(rounds=2), 7)
    hall.play()
    seen = field_of(hall.now, 2)
    earlier = compute(hall.now, seen, 5, 3)
    hall.tell(earlier, RoundStarted(round=2))
    assert earlier.version == 3
    assert earlier.input_hash != compute(hall.now, seen, 5, 4).input_hash
    assert check_tournament(hall.now) == []


def test_where_all_tables_are_alike_nothing_has_changed() -> None:
    hall = Hall(tables_of_four(rounds=2), 8)
    hall.play()
    assert hall.start().version == 3
