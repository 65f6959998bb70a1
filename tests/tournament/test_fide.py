"""FIDE's Dutch system through gacrux, and reports from which another program can go on."""

from __future__ import annotations

import sys
from typing import Literal

import pytest

from referee.errors import Misused
from referee.tournament.events import ByeRequested, Dropped, PenaltyGiven
from referee.tournament.interchange.trf import starting_list, trf
from referee.tournament.pairing.rounds import check_tournament
from referee.tournament.plan import Swiss
from referee.tournament.ranking.standings import standings
from referee.tournament.table_games import check_plan
from tests.tournament.compare import (
    NEXT,
    PROGRAMS,
    SCORINGS,
    SEEDS,
    Paired,
    by_lot,
    every_count,
    hall_of,
    halls,
    is_here,
    kept,
)
from tests.tournament.hosting import Hall, duels, play_pairs

DUTCH = duels(Swiss(system="dutch"), rounds=7)


@pytest.mark.parametrize("players", [6, 9, 14])
def test_a_dutch_event_keeps_the_absolute_rules_and_is_computed_again(players: int) -> None:
    hall = Hall(DUTCH, players)
    for number in range(5):
        if number == 2 and players > 6:
            hall.tell(Dropped(player="pc"), ByeRequested(player="pb", round=3))
        hall.play(by_lot(players + number), seed=number)
    met = [frozenset(t.seats) for r in hall.now.rounds for t in r.draw.tables]
    assert len(met) == len(set(met))
    byes = [player for r in hall.now.rounds for player in r.draw.byes]
    assert len(byes) == len(set(byes))
    assert all(r.paired.algorithm.startswith("fide-dutch/gacrux-") for r in hall.now.rounds)
    assert check_tournament(hall.now) == []


def test_the_first_round_of_the_dutch_system_is_the_one_of_the_book() -> None:
    """Top half against bottom half, colours in turn from the first board on."""
    hall = Hall(DUTCH, 8)
    tables = [table.seats for table in hall.pair().tables]
    assert [set(seats) for seats in tables] == [
        {"pa", "pe"}, {"pb", "pf"}, {"pc", "pg"}, {"pd", "ph"},
    ]  # fmt: skip
    white = [seats[0] in ("pa", "pb", "pc", "pd") for seats in tables]
    assert white in ([True, False, True, False], [False, True, False, True])


@pytest.mark.parametrize("system", ["dutch", "matching"])
def test_an_event_that_cannot_be_paired_here_is_not_made(
    system: Literal["dutch", "matching"], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "gacrux", None)
    plan = duels(Swiss(system=system))
    if system == "matching":
        check_plan(plan)
        return
    with pytest.raises(Misused, match="extra_missing"):
        check_plan(plan)


def test_where_the_dutch_system_has_no_answer_it_says_so() -> None:
    hall = Hall(DUTCH, 4)
    for _ in range(3):
        hall.play()
    with pytest.raises(Exception, match="no_fide_pairing"):
        hall.pair()


def test_a_dutch_pairing_that_was_altered_is_found() -> None:
    hall = Hall(DUTCH, 8)
    paired = hall.pair()
    hall.events.pop()
    hall.now = hall.refolded()
    first, *rest = paired.tables
    turned = first.model_copy(update={"seats": first.seats[::-1]})
    hall.tell(paired.model_copy(update={"tables": (turned, *rest)}))
    assert "recomputed_differs" in [problem.key for problem in check_tournament(hall.now)]


# reports


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("seed", SEEDS)
def test_other_programs_pair_the_next_round_from_our_report(
    seed: int, scoring: str, program: str
) -> None:
    """Our own pairing, its report, and nobody plays who has left or asked for a bye."""
    hall = hall_of(scoring, seed)
    numbers = {player: at for at, player in enumerate(starting_list(hall.now), 1)}
    met = {
        frozenset(numbers[player] for player in table.seats)
        for round in hall.now.rounds
        for table in round.draw.tables
    }
    pairs, bye = answered(program, f"{scoring}-{seed}", hall)
    playing = {number for pair in pairs for number in pair} | {bye}
    assert playing == set(numbers.values()) - {numbers["pd"], numbers["pf"]}
    assert not pairs & met


def answered(program: str, name: str, hall: Hall) -> Paired:
    """By the program if it is installed, which must be what is kept; else what is kept."""
    asked = PROGRAMS[program]
    report = asked.report(hall)
    before = kept(program, name, report)
    if is_here(program):
        now = asked.pair(report)
        assert before in (None, now), "another answer than the one that is kept: make compare"
        return now
    if before is None:
        pytest.skip(
            f"no {program}, and no answers of it are kept: make compare (where it installs)"
        )
    return before


def test_what_gacrux_has_answered_is_kept() -> None:
    """It is asked live above; kept, it shows a change of its own as well as one of our reports."""
    for name, hall in halls("gacrux"):
        assert kept("gacrux", name, PROGRAMS["gacrux"].report(hall)) is not None, name


def test_an_answer_to_another_report_counts_for_nothing() -> None:
    name, hall = next(halls("gacrux"))
    report = PROGRAMS["gacrux"].report(hall)
    assert kept("gacrux", name, report) is not None
    assert kept("gacrux", name, report.replace("142 6", "142 7")) is None
    assert kept("gacrux", "another", report) is None
    assert kept("nobody", name, report) is None


def test_the_extended_report_counts_whatever_the_plan_counts() -> None:
    """The engine that reads it adds the points up and refuses a sum that differs."""
    report = trf(every_count().now, {}, to_pair=NEXT, extended=True)
    assert {"XXR 6", "XXS W=3.0 D=1.5 L=0.5 PAB=2.0 FPB=2.0 HPB=1.0 ZPB=0.0 FL=0.0"} <= {
        *report.splitlines()
    }


def test_another_program_pairs_whatever_the_plan_counts() -> None:
    pairs, bye = answered("py4swiss", "every-count", every_count())
    assert len(pairs) == 4
    assert bye is not None


def test_a_report_says_when_it_was_and_how_many_rounds_there_are() -> None:
    hall = Hall(duels(rounds=5), 4)
    hall.play()
    report = trf(hall.now, {}, start="2026/11/14", end="2026/11/15")
    for line in ("042 2026/11/14", "052 2026/11/15", "142 5"):
        assert line in report.splitlines()


def test_points_of_a_report_are_those_of_its_rounds() -> None:
    """Another program adds them up; a penalty moves the rank."""
    hall = Hall(duels(), 4)
    hall.play()
    leader = standings(hall.now).rows[0].player
    hall.tell(PenaltyGiven(player=leader, halves=2, reason="phone"))
    number = starting_list(hall.now).index(leader) + 1
    line = next(x for x in trf(hall.now, {}).splitlines() if x.startswith(f"001 {number:>4}"))
    assert line[80:84].strip() == "1.0"
    assert int(line[85:89]) > 1


# tie-breaks


def test_koya_counts_points_against_the_upper_half() -> None:
    from referee.tournament.plan import RoundRobin

    hall = Hall(duels(RoundRobin(), rounds=3, tie_breaks=("PTS", "KS")), 4)
    play_pairs(hall, ("pa", "pd", "1"), ("pb", "pc", "1"))
    play_pairs(hall, ("pd", "pc", "="), ("pa", "pb", "="))
    play_pairs(hall, ("pb", "pd", "0"), ("pc", "pa", "0"))
    found = {row.player: [str(value) for value in row.values] for row in standings(hall.now).rows}
    assert found == {
        "pa": ["5/2", "3/2"], "pb": ["3/2", "1/2"], "pd": ["3/2", "1"], "pc": ["1/2", "1/2"],
    }  # fmt: skip
