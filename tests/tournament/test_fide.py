"""FIDE's Dutch system through gacrux, and reports from which another program can go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gacrux.pairingdutch import pairing_dutch
from py4swiss.engines import DutchEngine
from py4swiss.trf import TrfParser

from referee.tournament.events import ByeRequested, Dropped, PenaltyGiven
from referee.tournament.interchange.trf import starting_list, trf
from referee.tournament.pairing.rounds import check_tournament
from referee.tournament.plan import DuelScoring, Swiss
from referee.tournament.ranking.standings import standings
from referee.tournament.splitmix import SplitMix64
from tests.tournament.hosting import Hall, Places, duels, play_pairs
from tests.tournament.oracle import read_report

DUTCH = duels(Swiss(system="dutch"), rounds=7)


def by_lot(seed: int) -> Any:
    dice = SplitMix64(seed)

    def places(table: object) -> Places:
        return dice.pick([(1, 2), (2, 1), (1, 1)])

    return places


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


def gacrux_pairs(report: str, number: int) -> tuple[set[frozenset[int]], int | None]:
    """Who would meet whom, and who has the bye, by starting numbers."""
    event = read_report(report)
    event["maxMeets"] = 1
    options = {"top_color": "w", "maxmeets": "0", "unpaired": [], "experimental": [], "verbose": 0}
    found = pairing_dutch(event, number, options).compute_pairing(False, 0)
    pairs = [frozenset((p["w"], p["b"])) for bracket in found for p in bracket["pairs"]]
    bye = next((max(pair) for pair in pairs if 0 in pair), None)
    return {pair for pair in pairs if 0 not in pair}, bye


def py4swiss_pairs(report: str, folder: Path) -> tuple[set[frozenset[int]], int | None]:
    """The same of py4swiss, which pairs as bbpPairings does and adds up every point itself."""
    file = folder / "report.trf"
    file.write_text(report, encoding="utf-8")
    found = DutchEngine.generate_pairings(TrfParser.parse(file, strict=False))
    bye = next((pair.white for pair in found if not pair.black), None)
    return {frozenset((pair.white, pair.black)) for pair in found if pair.black}, bye


@pytest.mark.parametrize("scoring", [DuelScoring(), DuelScoring(win=6, draw=2, bye=4, half_bye=2)])
@pytest.mark.parametrize("seed", range(4))
def test_other_engines_pair_the_next_round_from_our_report(
    seed: int, scoring: DuelScoring, tmp_path: Path
) -> None:
    """Our own pairing, its report, and nobody plays who has left or asked for a bye."""
    hall = Hall(duels(rounds=6, scoring=scoring), 11)
    hall.tell(ByeRequested(player="pg", round=2, counts="half_bye"))
    for number in range(3):
        hall.play(by_lot(seed * 10 + number))
    hall.tell(Dropped(player="pd"), ByeRequested(player="pf", round=4, counts="half_bye"))
    numbers = {player: at for at, player in enumerate(starting_list(hall.now), 1)}
    met = {
        frozenset(numbers[player] for player in table.seats)
        for round in hall.now.rounds
        for table in round.draw.tables
    }
    for pairs, bye in (
        gacrux_pairs(trf(hall.now, {}, to_pair=4), 4),
        py4swiss_pairs(trf(hall.now, {}, to_pair=4, extended=True), tmp_path),
    ):
        playing = {number for pair in pairs for number in pair} | {bye}
        assert playing == set(numbers.values()) - {numbers["pd"], numbers["pf"]}
        assert not pairs & met


def test_the_extended_report_counts_whatever_the_plan_counts(tmp_path: Path) -> None:
    """The engine that reads it adds the points up and refuses a sum that differs."""
    hall = Hall(duels(rounds=6, scoring=DuelScoring(win=6, draw=3, loss=1, bye=4, half_bye=2)), 9)
    hall.tell(
        ByeRequested(player="pb", round=1), ByeRequested(player="pc", round=2, counts="half_bye")
    )
    for number in range(3):
        hall.play(by_lot(number))
    report = trf(hall.now, {}, to_pair=4, extended=True)
    assert {"XXR 6", "XXS W=3.0 D=1.5 L=0.5 PAB=2.0 FPB=2.0 HPB=1.0 ZPB=0.0 FL=0.0"} <= {
        *report.splitlines()
    }
    pairs, bye = py4swiss_pairs(report, tmp_path)
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
