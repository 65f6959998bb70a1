"""Finals: looked at first, cut fairly, called off, at several tables, and seen afterwards."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.tournament import judging, players, printing, results, rounds, standings
from answers.tournament.result_slips import Slip
from referee.tournament.events import FinalistReplaced
from referee.tournament.fold import apply
from referee.tournament.pairing.finals import substitutes
from referee.tournament.pairing.rounds import check_tournament
from referee.tournament.plan import SeatRange
from referee.tournament.state import Tournament
from tests.tournament.asking import Stand, brooms, swiss

EIGHT = tuple(f"H{number}" for number in range(1, 9))
FOURS = SeatRange(least=3, most=5, preferred=4)


def level_field(columns: tuple[str, ...] = ("PTS", "LOT")) -> Stand:
    """Everybody has drawn against everybody."""
    stand = Stand(swiss(1, tie_breaks=columns), *EIGHT)
    stand.start()
    stand.slips("\n".join(f"{table} A=B" for table in range(1, 5)))
    stand.ask(rounds.close)
    return stand


def seeded_field(count: int = 8) -> Stand:
    """Tables of Broom Service, one round; the order of points is known."""
    stand = Stand(brooms(1), *(f"H{number}" for number in range(1, count + 1)))
    stand.play()
    return stand


def in_finals(answered: Any) -> list[str]:
    return [finalist.name for finalist in answered.data.finalists]


def test_finals_before_the_last_published_round_want_a_reason() -> None:
    stand = Stand(swiss(5), *EIGHT)
    stand.play()
    refused = stand.refusal(standings.finals, 4, style="knockout")
    assert (refused.key, refused.facts) == ("rounds_to_come", {"played": 1, "planned": 5})
    shown = stand.ask(standings.finals, 4, style="knockout", dry_run=True)
    assert "1 of 5 planned rounds is played" in stand.told(shown)
    stand.ask(standings.finals, 4, style="knockout", lot=1, reason="the hall closes")
    assert stand.now.finals is not None


@pytest.mark.parametrize("lot", [None, 5])
def test_a_preview_records_nothing_and_draws_no_lot(lot: int | None) -> None:
    stand = level_field()
    head = stand.caller.store_context.desk.load(stand.id).head
    shown = stand.ask(standings.finals, 4, style="knockout", lot=lot, dry_run=True)
    assert stand.caller.store_context.desk.load(stand.id).head == head
    assert len(in_finals(shown)) == 4
    assert len(shown.data.at_the_cut) == 8
    assert "tied at the cut" in stand.told(shown)
    assert "à égalité à la coupure" in stand.told(shown, "fr")


@pytest.mark.parametrize("columns", [("PTS", "LOT"), ("PTS", "WIN")])
def test_who_is_level_at_the_cut_is_separated_by_a_lot_or_nobody_goes_on(
    columns: tuple[str, ...],
) -> None:
    stand = level_field(columns)
    refused = stand.refusal(standings.finals, 4, style="knockout")
    assert (refused.key, len(refused.facts["players"])) == ("tied_at_the_cut", 8)
    chosen = in_finals(stand.ask(standings.finals, 4, style="knockout", lot=5))
    (lot,) = stand.now.lots
    assert [stand.caller.name(player) for player in lot.order[:4]] == chosen
    assert chosen != list(EIGHT[:4])
    assert check_tournament(stand.now) == []


def test_finals_are_called_off_until_one_of_their_rounds_has_started() -> None:
    stand = seeded_field(4)
    stand.ask(standings.finals, 4, lot=1)
    stand.pair()
    stand.ask(standings.cancel_finals, "a round too early")
    assert stand.now.finals is None
    assert [round.stage for round in stand.now.rounds] == ["main"]
    stand.add("Late")
    assert stand.refusal(standings.cancel_finals, "again").key == "no_finals"
    stand.ask(standings.finals, 4, lot=1)
    stand.start()
    assert stand.refusal(standings.cancel_finals, "too late").key == "finals_are_played"
    stand.ask(rounds.unstart, "not yet")
    stand.ask(standings.cancel_finals, "in time after all")


def test_a_top_table_has_as_many_seats_as_the_game() -> None:
    stand = seeded_field(8)
    refused = stand.refusal(standings.finals, 8, lot=1)
    assert (refused.key, refused.facts["most"]) == ("too_many_for_a_table", 5)
    assert stand.refusal(standings.finals, 9, lot=1).key == "too_many_for_a_table"
    stand.ask(standings.finals, 5, lot=1)
    stand.start()
    assert stand.ask(results.open_table, 1).data.new


def test_semi_finals_are_played_at_several_tables() -> None:
    stand = seeded_field(16)
    stand.ask(standings.finals, 16, style="knockout", seats=FOURS, lot=1)
    stand.start()
    assert [len(seats) for seats in stand.seats()] == [4, 4, 4, 4]
    winners = {seats[0] for seats in stand.seats()}
    stand.slips("\n".join(f"{table} A=9 B=8 C=7 D=6" for table in range(1, 5)))
    stand.ask(rounds.close)
    stand.start()
    assert [set(seats) for seats in stand.seats()] == [winners]
    stand.slip(1, "A=9", "B=8", "C=7", "D=6")
    stand.ask(rounds.close)
    ranks = stand.ranks()
    assert {name for name, rank in ranks.items() if rank <= 4} == winners
    assert ranks[stand.seats()[0][0]] == 1
    assert check_tournament(stand.now) == []


@pytest.mark.parametrize(
    ("finalists", "seats", "advance", "key"),
    [
        (12, SeatRange(least=4, most=4, preferred=4), 1, "bracket_stops"),
        (8, SeatRange(least=3, most=5, preferred=4), 3, "nobody_leaves"),
        (16, SeatRange(least=3, most=6, preferred=4), 1, "seats_of_finals"),
    ],
)
def test_a_knockout_that_could_not_be_played_to_its_end_is_refused(
    finalists: int, seats: SeatRange, advance: int, key: str
) -> None:
    stand = seeded_field(16)
    refused = stand.refusal(
        standings.finals, finalists, style="knockout", seats=seats, advance=advance, lot=1
    )
    assert refused.key == key


def test_a_correction_that_changes_who_qualified_is_found() -> None:
    stand = Stand(swiss(1), "Ana", "Bo", "Cleo", "Dan")
    stand.play()
    stand.ask(standings.finals, 2, style="knockout", lot=1)
    inside = [stand.caller.name(p) for p in stand.now.finals.players]  # type: ignore[union-attr]
    table = stand.now.round(1).draw.table_of[stand.id_of(inside[0])]
    stand.ask(rounds.reopen, 1, "misread")
    stand.ask(results.correct_result, table.number, Slip(["B", "A"]), "misread", round=1)
    stand.ask(rounds.close, 1)
    answered = stand.ask(judging.check)
    problems = {problem.key for problem in answered.data.problems}
    assert ("finalist_overtaken" in problems, answered.outcome) == (True, "invalid")


def test_a_substitute_takes_the_seed_of_a_finalist_who_leaves() -> None:
    stand = seeded_field(8)
    stand.ask(standings.finals, 4, lot=1)
    assert stand.now.finals is not None
    first = stand.caller.name(stand.now.finals.players[0])
    outside = next(
        name for name in stand.names() if stand.id_of(name) not in stand.now.finals.players
    )
    assert "--replace" in stand.told(stand.ask(players.drop, first))
    stand.ask(standings.replace_finalist, first, outside, "had to catch a train")
    assert stand.caller.name(stand.now.finals.players[0]) == outside
    stand.start()
    assert outside in stand.seats()[0]
    assert [found.key for found in check_tournament(stand.now)] == ["finalist_replaced"]
    assert stand.ask(judging.check).outcome == "done"
    assert stand.refusal(standings.replace_finalist, outside, first, "x").key == "not_here_at_all"


SWAPS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=8)
"""The seed that is replaced, and which of those outside comes in."""


@given(SWAPS)
def test_a_seed_is_whose_it_became_last_however_often_it_changes_hands(
    swaps: list[tuple[int, int]],
) -> None:
    """A substitute may be replaced too, and who was replaced may come back, on any seed."""
    now = in_the_finals()
    assert now.finals is not None
    seeds, outside = list(now.finals.players), substitutes(now)
    for seed, other in swaps:
        told = FinalistReplaced(player=seeds[seed], substitute=outside[other], reason="ill")
        seeds[seed], outside[other] = outside[other], seeds[seed]
        now = apply(now, told)
        assert now.finals is not None
        assert list(now.finals.players) == seeds
        assert {player.id for player in now.available(len(now.rounds) + 1)} == set(seeds)
        gone = set(now.finals.started.players) - set(seeds)
        assert gone <= set(now.finals.substitutes)
        assert set(now.finals.substitutes).isdisjoint(seeds)


@cache
def in_the_finals() -> Tournament:
    """Four of eight play on, and all are there."""
    stand = seeded_field(8)
    stand.ask(standings.finals, 4, lot=1)
    return stand.now


def test_a_final_is_seen_in_the_standings_on_paper_and_in_the_reasons() -> None:
    stand = seeded_field(8)
    stand.ask(standings.finals, 4, lot=1)
    stand.start()
    stand.slip(1, "D=9", "C=8", "B=7", "A=6")
    stand.ask(rounds.close)
    winner = stand.seats()[0][3]
    told = stand.told(stand.ask(standings.standings))
    assert told.splitlines()[0] == "Standings after one round and the finals"
    assert "final" in told.splitlines()[1]
    paper = printing.printed(stand.caller, stand.id, "standings").content.decode()
    assert "and the finals" in paper
    assert '<th scope="col">final</th>' in paper
    why = stand.ask(standings.why, winner)
    assert (why.data.final, why.data.rank) == (1, 1)
    assert [(term.round, term.amount) for term in why.data.final_terms] == [(2, 1)]
    assert "rank in the finals: 1." in stand.told(why)


def test_a_running_round_is_named_above_the_standings() -> None:
    stand = Stand(swiss(), "Ana", "Bo", "Cleo", "Dan")
    stand.start()
    stand.slip(1, "A", "B")
    assert "during round 1" in stand.told(stand.ask(standings.standings))


def test_a_lot_that_is_drawn_again_is_remarked_upon() -> None:
    stand = level_field()
    stand.ask(standings.draw_lot, ["H1", "H2"], "third place", seed=7)
    again = stand.ask(standings.draw_lot, ["H2", "H1"], "third place", seed=8)
    assert "drawn among them before" in stand.told(again)
    assert [p.key for p in stand.ask(judging.check).data.problems] == ["lot_again"]
