"""Who plays for third place, and what it counts: any bracket, any results, anybody may leave."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from referee.tournament.errors import NotPossible
from referee.tournament.events import (
    Dropped,
    FinalsStarted,
    RoundClosed,
    RoundPaired,
    RoundStarted,
    Table,
)
from referee.tournament.knockout import losses
from referee.tournament.pairing.rounds import check_tournament, pair
from referee.tournament.plan import Knockout
from referee.tournament.ranking.standings import standings, why
from tests.tournament.hosting import FOUR, TWO, Hall, duels, tables_of_four


def decided(hall: Hall, paired: RoundPaired, chance: Random) -> dict[int, tuple[str, str]]:
    """A round by chance: by table, who won and who lost."""
    hall.tell(RoundStarted(round=paired.round))
    found = {}
    for table in paired.tables:
        places = chance.choice([(1, 2), (2, 1)])
        hall.result(paired.round, table.number, *places)
        best = table.seats if places == (1, 2) else tuple(reversed(table.seats))
        found[table.number] = (best[0], best[1])
    hall.tell(RoundClosed(round=paired.round))
    return found


def of_main(players: int) -> Hall:
    return Hall(duels(Knockout(third_place=True)), players)


def of_finals(players: int) -> Hall:
    hall = Hall(duels(rounds=1), max(players, 4))
    hall.play()
    best = tuple(row.player for row in standings(hall.now).rows[:players])
    return hall.tell(FinalsStarted(style="knockout", players=best, seats=TWO, third_place=True))


@settings(max_examples=120, deadline=None)
@given(
    st.sampled_from([of_main, of_finals]),
    st.integers(2, 17),
    st.integers(0, 2**32),
    st.sampled_from([0, 0, 0, 1, 2]),
)
def test_the_losers_of_the_semi_finals_play_for_third_place(
    event: Any, players: int, seed: int, leave: int
) -> None:
    hall, chance = event(players), Random(seed)
    played: list[tuple[RoundPaired, dict[int, tuple[str, str]]]] = []
    before: list[str] = []  # who lost when two tables were left and nobody waited
    while True:
        try:
            paired = pair(hall.now, hall.next_round, chance.randrange(99))
        except NotPossible as end:
            over = end.key
            break
        meet = {frozenset(table.seats): table.number for table in paired.tables}
        assert paired.third_place == (meet.get(frozenset(before)) if len(before) == 2 else None)
        assert (paired.third_place is not None) == (len(before) == 2)
        hall.tell(paired)
        results = decided(hall, paired, chance)
        played.append((paired, results))
        last, before = before, []
        if len(results) == 2 and not paired.free and paired.third_place is None:
            before = [lost for _, lost in results.values()]
            for player in before[:leave]:
                hall.tell(Dropped(player=player))
            before = before[leave:]
    assert over == "knockout_is_over"
    assert check_tournament(hall.now) == []
    assert hall.refolded() == hall.now
    paired, results = played[-1]
    final = next(found for table, found in results.items() if table != paired.third_place)
    expected = list(final)
    if paired.third_place is not None:
        expected += results[paired.third_place]
    elif len(last) == 1:
        expected += last
    ranked = standings(hall.now)
    assert [(row.rank, row.player) for row in ranked.rows[: len(expected)]] == list(
        enumerate(expected, 1)
    )
    if len(expected) > 2:
        told = why(hall.now, expected[2])
        terms = told.final or told.parts[0].terms
        assert terms[-1].kind == "third_place"
        assert sum(term.amount for term in terms) < sum(
            term.amount for term in (why(hall.now, final[1]).final or
                                     why(hall.now, final[1]).parts[0].terms)
        )  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 17), st.integers(0, 2**32))
def test_nothing_else_of_the_bracket_changes(players: int, seed: int) -> None:
    """With and without third place: the same tables but that one."""
    plain, third = Hall(duels(Knockout()), players), of_main(players)
    chances = Random(seed), Random(seed)
    while True:
        try:
            one = pair(plain.now, plain.next_round, 5)
        except NotPossible:
            break
        other = pair(third.now, third.next_round, 5)
        rest = tuple(t.seats for t in other.tables if t.number != other.third_place)
        assert rest == tuple(t.seats for t in one.tables)
        assert (other.free, other.seeding) == (one.free, one.seeding)
        plain.tell(one)
        third.tell(other)
        results = {frozenset(pair) for pair in decided(plain, one, chances[0]).values()}
        third.tell(RoundStarted(round=other.round))
        winner = {
            pair: next(p for p in pair if losses(plain.now, "main").get(p, 0) == 0)
            for pair in results
        }
        for table in other.tables:
            best = winner.get(frozenset(table.seats), table.seats[0])
            third.result(other.round, table.number, *(
                1 if player == best else 2 for player in table.seats))  # fmt: skip
        third.tell(RoundClosed(round=other.round))


@pytest.mark.parametrize(
    "said",
    [
        lambda: duels(Knockout(lives=2, third_place=True)),
        lambda: tables_of_four(Knockout(third_place=True)),
        lambda: FinalsStarted(style="knockout", players=("pa", "pb"), seats=FOUR, third_place=True),
        lambda: FinalsStarted(style="top_table", players=("pa", "pb"), seats=TWO, third_place=True),
        lambda: FinalsStarted(
            style="knockout", players=("pa", "pb"), seats=TWO, advance=2, third_place=True
        ),
    ],
)
def test_only_a_bracket_of_duels_has_two_losers_of_semi_finals(said: Any) -> None:
    with pytest.raises(ValidationError, match="third_place_of_duels"):
        said()


def test_a_record_without_third_place_is_written_as_before() -> None:
    """Fields that say nothing are not stored: hashes of earlier versions stay."""
    table = Table(number=1, seats=("pa", "pb"))
    written = (
        Knockout().model_dump(mode="json"),
        FinalsStarted(style="knockout", players=("pa", "pb"), seats=TWO).model_dump(mode="json"),
        RoundPaired(
            round=1, algorithm="a", version=1, seed=1, input_hash="0" * 64, tables=(table,)
        ).model_dump(mode="json"),
    )
    assert not [data for data in written if "third_place" in data]
