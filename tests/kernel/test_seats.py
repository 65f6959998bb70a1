"""Seats: who follows whom, and one player changed."""

from __future__ import annotations

import pytest
from msgspec import Struct

from engines.kernel import State, clockwise, next_seat, with_player


class Purse(Struct, frozen=True):
    coins: int


class Tableau(State, frozen=True):
    players: dict[str, Purse]


@pytest.mark.parametrize(("first", "order"), [("A", "ABC"), ("B", "BCA"), ("C", "CAB")])
def test_seats_go_round_clockwise(first: str, order: str) -> None:
    assert clockwise(("A", "B", "C"), first) == tuple(order)


def test_the_next_seat_is_the_left_neighbour() -> None:
    assert [next_seat(("A", "B", "C"), seat) for seat in "ABC"] == ["B", "C", "A"]
    assert next_seat(("A",), "A") == "A"


def test_one_player_is_changed_and_the_state_before_stays_as_it_was() -> None:
    before = Tableau({"A": Purse(1), "B": Purse(2)})
    after = with_player(before, "B", coins=5)
    assert after == Tableau({"A": Purse(1), "B": Purse(5)})
    assert before.players["B"] == Purse(2)
    assert after.players["A"] is before.players["A"]
