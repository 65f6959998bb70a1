"""What organisers complain about elsewhere. One test for each complaint, named after it."""

from __future__ import annotations

import ast
from itertools import combinations
from pathlib import Path

import pytest
from pydantic import ValidationError

import referee.tournament
from referee.tournament.errors import NotPossible
from referee.tournament.events import (
    KINDS,
    RoundClosed,
    Swapped,
)
from referee.tournament.interchange.json_csv import pairings_csv
from referee.tournament.pairing.rounds import asked_for, explain, swap
from referee.tournament.plan import Knockout, TimeRule
from referee.tournament.ranking.standings import standings
from referee.tournament.state import Draw
from tests.tournament.hosting import Hall, duels, seat_order_wins, tables_of_four


def test_the_pairing_is_wrong_but_unexplained() -> None:
    hall = Hall(duels(), 8)
    hall.play()
    paired = hall.pair()
    chosen = Draw(paired.tables, paired.byes)
    former = hall.now.round(1).draw.tables[0].seats
    asked = asked_for(hall.now, 2, chosen, *former)
    told = explain(hall.now, 2, chosen, asked)
    assert set(former) <= set(asked.table_of[former[0]].seats)
    assert told.decided_by == "repeats"
    assert told.asked is not None
    assert told.chosen.costs < told.asked.costs
    by_table = [sum(m.costs[0] for m in told.asked.meetings), told.asked.costs[0]]
    assert by_table == [1, 1]


def test_repeats_and_seat_order_are_not_cared_for_in_multi_player() -> None:
    hall = Hall(tables_of_four(), 24)
    for _ in range(4):
        hall.play(seat_order_wins)
    met: dict[frozenset[str], int] = {}
    seats: dict[tuple[str, int], int] = {}
    for round in hall.now.rounds:
        for table in round.draw.tables:
            for pair_ in combinations(table.seats, 2):
                met[frozenset(pair_)] = met.get(frozenset(pair_), 0) + 1
            for seat, player in enumerate(table.seats):
                seats[player, seat] = seats.get((player, seat), 0) + 1
    assert max(met.values()) == 1
    assert max(seats.values()) <= 2


def test_swapping_two_players_needs_two_dialogs() -> None:
    hall = Hall(duels(), 8)
    hall.play()
    paired = hall.pair()
    draw = Draw(paired.tables, paired.byes)
    a, b = draw.tables[0].seats[0], draw.tables[1].seats[0]
    preview = explain(hall.now, 2, draw, swap(draw, a, b))
    assert preview.asked is not None
    assert preview.asked.costs >= preview.chosen.costs
    hall.tell(Swapped(round=2, a=a, b=b, reason="same car"))
    assert hall.now.round(2).draw == preview.asked.draw


def test_no_connection_and_nothing_goes_on() -> None:
    """The whole package reaches no network, and a round can be printed as it stands."""
    folder = Path(referee.tournament.__file__).parent
    network = {"socket", "ssl", "http", "urllib", "asyncio", "requests", "httpx", "subprocess"}
    for file in folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                used = {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                used = {(node.module or "").split(".")[0]}
            else:
                continue
            assert not used & network, file.name
    hall = Hall(tables_of_four(), 9)
    hall.pair()
    sheet = pairings_csv(hall.now, 1, {"pa": "Ada"})
    assert '"Ada"' in sheet
    assert len(sheet.splitlines()) == 3


def test_table_numbers_repeat() -> None:
    hall = Hall(duels(rounds=4), 20)
    for _ in range(4):
        hall.play()
    at: dict[tuple[str, int], int] = {}
    for round in hall.now.rounds:
        for table in round.draw.tables:
            for player in table.seats:
                at[player, table.number] = at.get((player, table.number), 0) + 1
    assert max(at.values()) == 1


def test_time_outs_decide_at_random() -> None:
    final = duels(Knockout(on_tie="judge"), time=TimeRule(minutes=40, on_time="judge"))
    hall = Hall(final, 2)
    hall.start()
    with pytest.raises(NotPossible, match="judge_decides_tie"):
        hall.result(1, 1, 1, 1, timed_out=True)
    hall.result(1, 1, 1, 1, timed_out=True, tie_order=("B",))
    winner = hall.now.round(1).draw.tables[0].seats[1]
    hall.tell(RoundClosed(round=1))
    assert standings(hall.now).rows[0].player == winner
    unsaid = Hall(duels(), 2)
    unsaid.start()
    with pytest.raises(NotPossible, match="no_time_rule"):
        unsaid.result(1, 1, 1, 1, timed_out=True)
    with pytest.raises(ValidationError):
        TimeRule.model_validate({"minutes": 40, "on_time": "random"})


def test_roles_too_coarse() -> None:
    assert "scribe" in KINDS["result_entered"].BY
    assert "scribe" not in KINDS["result_corrected"].BY
    assert "judge" in KINDS["penalty_given"].BY
    assert "judge" not in KINDS["round_paired"].BY
    assert all("organiser" in KINDS[kind].BY for kind in KINDS)
    assert not any("spectator" in KINDS[kind].BY for kind in KINDS)
