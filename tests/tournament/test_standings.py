"""Points and tie-breaks: worked out by hand, shared fairly, and always accounted for."""

from __future__ import annotations

from fractions import Fraction

import pytest

from referee.tournament.deals import Deal, Deviation, Drawn, deviations, shuffled_deal
from referee.tournament.events import (
    ByeRequested,
    LotDrawn,
    Outcome,
    PenaltyGiven,
    ResultCorrected,
    RoundClosed,
    RoundReopened,
)
from referee.tournament.fold import fold
from referee.tournament.plan import (
    DealRef,
    Duplicate,
    Ladder,
    LadderScoring,
    League,
    Measure,
    PlaceScoring,
    Plan,
    SeatRange,
)
from referee.tournament.ranking.points import decimal
from referee.tournament.ranking.score_sheet import score_sheet
from referee.tournament.ranking.standings import standings, why
from referee.tournament.splitmix import SplitMix64
from tests.tournament.generator import generate
from tests.tournament.hosting import Hall, duels, play_pairs, tables_of_four

COLUMNS = ("PTS", "DE", "BH/C1", "BH", "SB", "WIN", "OMW")


def four_players() -> Hall:
    """A small Swiss: pa 2.5, pb 2, pc 1.5, pd 0."""
    hall = Hall(duels(tie_breaks=COLUMNS), 4)
    play_pairs(hall, ("pa", "pb", "1"), ("pc", "pd", "1"))
    play_pairs(hall, ("pa", "pc", "="), ("pb", "pd", "1"))
    play_pairs(hall, ("pd", "pa", "0"), ("pb", "pc", "1"))
    return hall


def test_duel_columns_worked_out_by_hand() -> None:
    table = standings(four_players().now)
    rows = {row.player: dict(zip(table.columns, row.values, strict=True)) for row in table.rows}
    half = Fraction(1, 2)
    assert rows["pa"] == {
        "PTS": 5 * half, "DE": 0, "BH/C1": 7 * half, "BH": 7 * half,
        "SB": 2 + 3 * half * half, "WIN": 2,
        "OMW": (Fraction(2, 3) + half + Fraction(33, 100)) / 3,
    }  # fmt: skip
    assert rows["pb"]["BH/C1"] == 4
    assert rows["pb"]["SB"] == 3 * half
    assert rows["pc"]["SB"] == 5 * half * half
    assert [row.rank for row in table.rows] == [1, 2, 3, 4]


def test_a_lot_separates_who_is_still_tied() -> None:
    hall = Hall(duels(tie_breaks=("PTS", "LOT")), 2)
    play_pairs(hall, ("pa", "pb", "="))
    assert [row.rank for row in standings(hall.now).rows] == [1, 1]
    hall.tell(LotDrawn(order=("pb", "pa"), seed=4, reason="for the cup"))
    assert [row.player for row in standings(hall.now).rows] == ["pb", "pa"]
    (drawn,) = why(hall.now, "pa").parts[1].terms
    assert (drawn.event, drawn.amount) == (hall.now.last, 2)


# Tables of several


def test_an_absent_seat_gets_nothing_and_the_rest_play_on() -> None:
    by_size = {"3": (6, 3, 0)}
    scoring = PlaceScoring(places=(8, 4, 2, 0), by_size=by_size)
    hall = Hall(tables_of_four(rounds=1, scoring=scoring), 4)
    seats = hall.start().tables[0].seats
    hall.result(1, 1, 1, 2, 3, 4, absent=("D",))
    sheet = score_sheet(hall.now)
    assert [sheet[player][0].points // 2520 for player in seats] == [6, 3, 0, 0]
    assert sheet[seats[3]][0].kind == "forfeit_loss"
    assert seats[3] not in sheet[seats[0]][0].opponents


# League


def test_a_league_counts_the_best_rounds() -> None:
    plan = tables_of_four(League(counted=2), rounds=3, tie_breaks=("PTS", "ATT"))
    hall = Hall(plan, 4)
    for places in ((1, 2, 3, 4), (4, 3, 2, 1), (4, 3, 2, 1)):
        hall.start()
        seats = hall.now.rounds[-1].draw.tables[0].seats
        told = tuple(places[["pa", "pb", "pc", "pd"].index(player)] for player in seats)
        hall.result(hall.next_round - 1, 1, *told)
        hall.tell(RoundClosed(round=hall.next_round - 1))
    assert [(row.player, row.rank, row.values) for row in standings(hall.now).rows] == [
        ("pd", 1, (8, 3)), ("pa", 2, (4, 3)), ("pc", 2, (4, 3)), ("pb", 4, (3, 3)),
    ]  # fmt: skip
    terms = why(hall.now, "pa").parts[0].terms
    assert [(term.amount, term.counted) for term in terms] == [(4, True), (0, True), (0, False)]


def test_attendance_counts_rounds_somebody_was_there() -> None:
    hall = Hall(tables_of_four(League(counted=1), rounds=2, tie_breaks=("ATT",)), 5)
    hall.tell(ByeRequested(player="pe", round=2))
    hall.play()
    hall.play()
    assert {row.player: row.values[0] for row in standings(hall.now).rows} == {
        "pa": 2, "pb": 2, "pc": 2, "pd": 2, "pe": 1,
    }  # fmt: skip


# Cooperative games

MEASURES = (Measure(name="level"), Measure(name="losses", better="fewer"))
ONE = SeatRange(least=1, most=1, preferred=1)


def cooperative(format: Duplicate | Ladder, columns: tuple[str, ...], rounds: int = 2) -> Plan:
    return Plan.model_validate(
        {
            "games": ("bethel_woods",),
            "format": format,
            "rounds": rounds,
            "seats": ONE,
            "scoring": LadderScoring(measures=MEASURES),
            "tie_breaks": columns,
        }
    )


def test_ladder_compares_measure_by_measure_and_keeps_the_best() -> None:
    hall = Hall(cooperative(Ladder(), ("LADDER",)), 3)
    for measures in ({"pa": (2, 5), "pb": (3, 9)}, {"pa": (3, 4), "pb": (1, 0)}):
        number = hall.start().round
        for team, told in measures.items():
            table = hall.now.round(number).draw.table_of[team].number
            hall.result(number, table, 1, measures=told)
        hall.tell(RoundClosed(round=number))
    assert [(row.player, row.values[0]) for row in standings(hall.now).rows] == [
        ("pa", 1), ("pb", 2), ("pc", 3),
    ]  # fmt: skip
    terms = why(hall.now, "pa").parts[0].terms
    assert [(term.round, term.kind, term.amount, term.counted) for term in terms] == [
        (1, "level", 2, False), (1, "losses", 5, False),
        (2, "level", 3, True), (2, "losses", 4, True),
    ]  # fmt: skip


def test_duplicate_deals_score_against_every_other_table() -> None:
    deal = DealRef(name="first", digest="a" * 64)
    hall = Hall(cooperative(Duplicate(deals=(deal,)), ("PTS",), rounds=1), 3)
    number = hall.start().round
    told = {"pa": (3, 1), "pb": (3, 1), "pc": (3, 2)}
    for team, measures in told.items():
        table = hall.now.round(number).draw.table_of[team].number
        hall.result(number, table, 1, measures=measures)
    hall.tell(RoundClosed(round=number))
    assert [row.values[0] for row in standings(hall.now).rows] == [
        Fraction(3, 2), Fraction(3, 2), 0,
    ]  # fmt: skip


def test_a_deal_fixes_the_draws_of_every_pile() -> None:
    deal = Deal(name="one", game="bethel_woods", piles={"rain": ("r1", "r2"), "wood": ("w1",)})
    assert deviations(deal, [Drawn(3, "wood", "w1"), Drawn(4, "rain", "r1")]) == []
    assert deviations(
        deal, [Drawn(3, "rain", "r1"), Drawn(5, "rain", "r9"), Drawn(6, "wood", "w1"),
               Drawn(8, "wood", "w2")]
    ) == [Deviation(5, "rain", 2, "r9", "r2"), Deviation(8, "wood", 2, "w2", None)]  # fmt: skip


def test_a_deal_is_shuffled_by_its_seed_alone() -> None:
    piles = {"rain": [f"r{n}" for n in range(12)], "wood": ["w1", "w2"]}
    turned = {"wood": ["w2", "w1"], "rain": [f"r{n}" for n in reversed(range(12))]}
    one = shuffled_deal("one", "bethel_woods", piles, 5)
    assert one == shuffled_deal("one", "bethel_woods", turned, 5)
    assert one.ref != shuffled_deal("one", "bethel_woods", piles, 6).ref
    assert sorted(one.piles["rain"]) == sorted(piles["rain"])


# Why


def test_why_names_the_events_a_point_follows_from() -> None:
    hall = four_players()
    hall.tell(PenaltyGiven(player="pa", halves=1, reason="slow play"))
    told = why(hall.now, "pa")
    points = told.parts[0]
    assert [(t.round, t.event, t.kind, t.others, t.amount) for t in points.terms] == [
        (1, 11, "played", ("pb",), 1),
        (2, 16, "played", ("pc",), Fraction(1, 2)),
        (3, 21, "played", ("pd",), 1),
        (None, 24, "penalty", (), Fraction(-1, 2)),
    ]
    cut = next(part for part in told.parts if part.column == "BH/C1")
    assert [term.others for term in cut.terms if not term.counted] == [("pd",)]


def test_why_follows_a_correction() -> None:
    hall = four_players()
    turned = Outcome(places=(2, 1))
    hall.tell(
        RoundReopened(round=1, reason="protest"),
        ResultCorrected(round=1, table=1, outcome=turned, reason="the other way round"),
        RoundClosed(round=1),
    )
    first = why(hall.now, "pa").parts[0].terms[0]
    assert (first.amount, first.event) == (0, hall.now.last - 1)


@pytest.mark.parametrize("kind", ["swiss", "pods", "league", "round_robin", "knockout"])
def test_why_adds_up_to_the_standings(kind: str) -> None:
    for seed in range(6):
        now = fold(generate(seed, kind))  # type: ignore[arg-type]
        table = standings(now)
        for row in table.rows:
            told = why(now, row.player)
            assert told.row == row
            for part in told.parts:
                counted = [term.amount for term in part.terms if term.counted]
                if part.column in ("DE", "LOT"):
                    continue
                if part.column in ("SHARE", "OPP", "OMW"):
                    expected = sum(counted) / len(counted) if counted else 0
                elif part.column == "BEST":
                    expected = max(counted, default=0)
                else:
                    expected = sum(counted)
                assert part.value == expected, (seed, row.player, part.column)


def test_standings_of_an_earlier_round() -> None:
    hall = four_players()
    assert standings(hall.now, through=1).rounds == 1
    assert sum(row.values[0] for row in standings(hall.now, through=1).rows) == 2


def test_decimals_are_rounded_half_up() -> None:
    shown = [decimal(Fraction(*value)) for value in ((1, 3), (1, 8), (-5, 2), (7, 1), (-1, 1000))]
    assert shown == ["0.33", "0.13", "-2.5", "7", "0"]


def test_dice_are_the_same_everywhere() -> None:
    """The published SplitMix64 sequence for seed 0, as its highest bits."""
    dice = SplitMix64(0)
    assert [dice.below(2**64) for _ in range(2)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]
