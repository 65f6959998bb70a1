"""Baku acceleration: who is paired with virtual points, when, and that nothing else counts them."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from answers.tournament import lifecycle
from engines.kernel.values.structs import evolve
from referee.tournament.acceleration import virtual_points
from referee.tournament.events import (
    Created,
    Dropped,
    FinalsStarted,
    Late,
    Registered,
    Revised,
)
from referee.tournament.fold import fold
from referee.tournament.interchange.trf import starting_list, trf
from referee.tournament.pairing.entrants import field_of
from referee.tournament.pairing.rounds import check_tournament
from referee.tournament.plan import DuelScoring, Plan, Swiss
from referee.tournament.ranking.points import POINT
from referee.tournament.ranking.standings import standings
from tests.tournament.asking import Stand
from tests.tournament.compare import by_lot
from tests.tournament.generator import player_id
from tests.tournament.hosting import TWO, Hall, duels, meetings

ORDER = ("PTS", "BH/C1", "BH", "SB", "DE")


def accelerated(rounds: int = 9, system: str = "matching") -> Plan:
    format = Swiss.model_validate({"system": system, "accelerated": True})
    return duels(format, rounds=rounds, tie_breaks=ORDER)


def in_rounds(rounds: int) -> list[float]:
    """By round, what the upper half has more: counted off, half of the rounds and half of those."""
    found = [0.0] * rounds
    half = [number for number in range(rounds) if 2 * number < rounds]
    for at, number in enumerate(half):
        found[number] = 1 if 2 * at < len(half) else 0.5
    return found


def upper_half(players: int) -> int:
    """The first half of the players, rounded up to an even number; no more than there are."""
    size = 0
    while 2 * size < players:
        size += 2
    return min(size, players)


def test_the_book_has_nine_rounds_and_161_players() -> None:
    assert in_rounds(9) == [1, 1, 1, 0.5, 0.5, 0, 0, 0, 0]
    assert upper_half(161) == 82


@pytest.mark.parametrize("players", range(1, 41))
def test_virtual_points_are_those_that_are_counted_by_hand(players: int) -> None:
    now = Hall(accelerated(), players).now
    upper = [player_id(number) for number in range(upper_half(players))]
    for rounds in range(1, 16):
        planned = evolve(now, plan=accelerated(rounds))
        for number, points in enumerate(in_rounds(rounds), 1):
            found = virtual_points(planned, number)
            assert found == (dict.fromkeys(upper, int(points * POINT)) if points else {})


@pytest.mark.parametrize("system", ["matching", "dutch"])
@pytest.mark.parametrize("players", [8, 13, 20])
def test_an_accelerated_event_keeps_its_promises_and_its_standings(
    system: str, players: int
) -> None:
    hall = Hall(accelerated(6, system), players)
    for number in range(5):
        if number == 2:
            hall.tell(Dropped(player="pb"), Registered(player="plate", rating=1999))
            hall.tell(Late(player="plate", missed="half_bye"))
        hall.play(by_lot(players + number), seed=number)
    met = [frozenset(table.seats) for each in hall.now.rounds for table in each.draw.tables]
    byes = [player for each in hall.now.rounds for player in each.draw.byes]
    assert (len(met), len(byes)) == (len(set(met)), len(set(byes)))
    assert check_tournament(hall.now) == []
    first, *others = hall.events
    assert isinstance(first, Created)
    plain = fold([first.model_copy(update={"plan": duels(rounds=6, tie_breaks=ORDER)}), *others])
    assert [(row.player, row.rank, row.values) for row in standings(hall.now).rows] == [
        (row.player, row.rank, row.values) for row in standings(plain).rows
    ]


@pytest.mark.parametrize("system", ["matching", "dutch"])
def test_the_upper_half_meets_among_itself_at_first(system: str) -> None:
    hall = Hall(accelerated(9, system), 8)
    halves = [{"pa", "pc"}, {"pb", "pd"}, {"pe", "pg"}, {"pf", "ph"}]
    assert meetings(hall.pair()) == {frozenset(pair) for pair in halves}


def test_whoever_comes_late_is_accelerated_by_the_place_in_the_starting_list() -> None:
    hall = Hall(accelerated(), 8)
    hall.play()
    for name, rating in (("phigh", 2100), ("plow", 1000)):
        hall.tell(Registered(player=name, rating=rating), Late(player=name, missed="zero_bye"))
    assert set(virtual_points(hall.now, 2)) == {"pa", "pb", "pc", "pd", "phigh"}
    hall.tell(Dropped(player="pd"))
    assert "pc" in virtual_points(hall.now, 2)


def test_finals_are_not_accelerated() -> None:
    hall = Hall(accelerated(), 8)
    hall.play()
    hall.tell(FinalsStarted(style="knockout", players=("pa", "pb", "pc", "pd"), seats=TWO))
    points = {entrant.id: entrant.points for entrant in field_of(hall.now, 2).entrants}
    assert points == {"pa": POINT, "pb": POINT, "pc": 0, "pd": 0}


def test_a_report_tells_other_programs_of_it() -> None:
    hall = Hall(accelerated(5), 6)
    hall.play()
    report, extended = trf(hall.now, {}), trf(hall.now, {}, extended=True)
    assert len(starting_list(hall.now)) == 6
    assert [line for line in report.splitlines() if line.startswith("250")] == [
        "250       1.0   1   2    1    4",
        "250       0.5   3   3    1    4",
    ]
    assert [line for line in extended.splitlines() if line.startswith("XXA")] == [
        f"XXA    {number}  1.0  1.0  0.5  0.0  0.0" for number in range(1, 5)
    ]
    hall.tell(Revised(plan=accelerated(1), reason="it is late"))
    assert "250       1.0   1   1    1    4" in trf(hall.now, {})
    assert "250" not in {line[:3] for line in trf(Hall(duels(), 6).now, {}).splitlines()}


def test_it_is_published_and_a_plan_without_it_is_written_as_before() -> None:
    assert Swiss().model_dump(mode="json") == {"kind": "swiss", "system": "matching"}
    stand = Stand(accelerated(9))
    told = {lang: stand.told(stand.ask(lifecycle.info), lang) for lang in ("en", "fr")}
    assert "one point more for the first 3 rounds" in told["en"]
    assert "un point de plus pendant 3 rondes" in told["fr"]
    assert "up to round 5" in told["en"]
    assert "up to round" not in stand.told(Stand(accelerated(2)).ask(lifecycle.info))


def test_it_needs_the_usual_points() -> None:
    with pytest.raises(ValidationError, match="accelerated_points"):
        duels(Swiss(accelerated=True), scoring=DuelScoring(win=6, draw=2))
