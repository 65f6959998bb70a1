"""Every round has tables that can be played at, or says with numbers why there is none."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, count
from types import SimpleNamespace

import pytest

from answers.i18n import Voice
from answers.tournament.i18n import fluent
from engines.kernel.messages.catalogue import LANGUAGES
from referee.tournament import table_games
from referee.tournament.errors import NotPossible
from referee.tournament.events import ByeRequested, Dropped, FinalsStarted
from referee.tournament.pairing.rounds import check_tournament, pair
from referee.tournament.plan import (
    DoubleElimination,
    Format,
    Knockout,
    League,
    PlaceScoring,
    Plan,
    Pods,
    RoundRobin,
    SeatRange,
    Swiss,
)
from referee.tournament.table_games import check_plan, check_table_sizes
from tests.tournament.hosting import Hall, duels, tables_of_four

MOST_PLAYERS = 40
NUMBERS = ("left", "least")


def ranges(least: int, most: int) -> list[SeatRange]:
    """Every range of seats within that of a game."""
    found = combinations_with_replacement(range(least, most + 1), 3)
    return [SeatRange(least=a, preferred=b, most=c) for a, b, c in found]


def game_of(monkeypatch: pytest.MonkeyPatch, least: int, most: int) -> None:
    game = SimpleNamespace(seats=(least, most))
    monkeypatch.setattr(table_games, "load_engine", lambda name: game)


def knockouts(seats: SeatRange) -> Iterator[Plan]:
    if seats.most == 2:
        yield duels(Knockout())
        yield duels(Knockout(lives=2))
        yield duels(DoubleElimination())
        yield duels(Knockout(third_place=True))
        return
    for advance in range(1, min(seats.least, 5)):
        format = Knockout(advance=advance)
        scoring = PlaceScoring(places=(8, 4, 2, 0))
        yield tables_of_four(format, seats=seats, scoring=scoring, tie_breaks=("PTS",))


def played_to_the_end(hall: Hall) -> NotPossible:
    """Rounds until none can be paired, each at tables that the game allows."""
    while True:
        try:
            check_table_sizes(hall.now, pair(hall.now, hall.next_round, 7))
        except NotPossible as end:
            return end
        hall.play()


@pytest.mark.parametrize("least", [2, 3, 4])
def test_a_knockout_ends_with_one_winner_or_says_how_many_are_left(
    least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_of(monkeypatch, least, 5)
    stopped, turn = set(), count()
    for seats in ranges(least, 5):
        for plan in knockouts(seats):
            bigger = 8 + next(turn) * 10 % (MOST_PLAYERS - 7)  # every size has its turn
            for players in (*range(2, 8), bigger):
                hall = Hall(plan, players)
                end = played_to_the_end(hall)
                assert check_tournament(hall.now) == []
                sizes = [len(t.seats) for each in hall.now.rounds for t in each.draw.tables]
                assert all(least <= size <= seats.most for size in sizes)
                if end.key == "too_few_are_left":
                    assert end.facts["left"] < end.facts["least"] == least
                    stopped.add(end.facts["left"])
                else:
                    assert (end.key, end.facts["player"]) == ("knockout_is_over", "pa")
    assert stopped == set(range(2, least))


DUELS = (Swiss(), RoundRobin(), Knockout())
TABLES = (Pods(), Pods(by_standings=False), League(counted=1), Knockout())


@pytest.mark.parametrize("format", [*DUELS, *TABLES], ids=lambda each: each.kind)
def test_too_few_for_a_table_are_told_how_many_it_needs(format: Format) -> None:
    for seats in ranges(2, 5):
        if (seats.most == 2) != (format in DUELS) and not isinstance(format, Knockout):
            continue
        plan = duels(format) if seats.most == 2 else tables_of_four(format, seats=seats)
        needed = 2 if isinstance(format, Knockout) else seats.least
        for players in range(seats.most + 3):
            hall = Hall(plan, players)
            if players >= needed:
                tables = pair(hall.now, 1, 7).tables
                least = min(players, seats.least)
                assert all(least <= len(table.seats) <= seats.most for table in tables)
                continue
            with pytest.raises(NotPossible, match="nobody_to_pair") as refused:
                pair(hall.now, 1, 7)
            assert [refused.value.facts[fact] for fact in NUMBERS] == [players, needed]
            for language in LANGUAGES:
                said = fluent(Voice(language)).say("error.nobody_to_pair", **refused.value.facts)
                assert all(str(number) in said for number in (players, needed))


def test_a_round_that_some_miss_does_not_end_a_knockout() -> None:
    hall = Hall(duels(Knockout()), 2)
    hall.tell(ByeRequested(player="pb", round=1, counts="zero_bye"))
    with pytest.raises(NotPossible, match="knockout_waits") as refused:
        pair(hall.now, 1, 7)
    assert refused.value.facts == {"left": 2, "here": 1, "round": 1}
    hall.tell(Dropped(player="pb"))
    with pytest.raises(NotPossible, match="nobody_to_pair"):
        pair(hall.now, 1, 7)


def test_a_final_that_too_few_are_left_for_waits_for_substitutes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game_of(monkeypatch, 3, 5)
    hall = Hall(tables_of_four(), 8)
    hall.play()
    top = ("pa", "pb", "pc")
    hall.tell(FinalsStarted(style="top_table", players=top, seats=ranges(2, 3)[1]))
    check_table_sizes(hall.now, pair(hall.now, 2, 7))
    hall.tell(Dropped(player="pc"))
    with pytest.raises(NotPossible, match="too_few_finalists") as refused:
        check_table_sizes(hall.now, pair(hall.now, 2, 7))
    assert refused.value.facts == {"left": 2, "game": "broom_service", "least": 3}


def test_whoever_is_left_may_play_a_final_with_the_next_best(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the refusal advises can be done."""
    game_of(monkeypatch, 3, 5)
    hall = Hall(tables_of_four(Knockout(), tie_breaks=("PTS",)), 7)
    assert played_to_the_end(hall).key == "too_few_are_left"
    hall.tell(FinalsStarted(style="top_table", players=("pa", "pb", "pc"), seats=ranges(3, 3)[0]))
    assert len(hall.pair().tables[0].seats) == 3


def test_two_lives_are_for_duels() -> None:
    plan = tables_of_four(Knockout(lives=2), tie_breaks=("PTS",))
    with pytest.raises(NotPossible, match="two_lives_of_duels"):
        check_plan(plan)
