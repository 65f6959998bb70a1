"""Records: changed by copying, shown as data."""

from __future__ import annotations

import pytest
from msgspec import Struct

from engines.kernel import Agenda, Bag, Duty, State, evolve, to_plain


class Hand(Struct, frozen=True):
    cards: Bag[str]
    seen: frozenset[str] = frozenset()


class Board(State, frozen=True):
    hands: dict[str, Hand]
    roads: dict[tuple[str, str], int]


BOARD = Board(
    {"A": Hand(Bag("xxy"), frozenset({"z", "y"}))},
    {("a1", "b1"): 2},
    agenda=Agenda().push(Duty("turn", "A")),
)


def test_a_copy_is_changed_and_the_rest_shared() -> None:
    after = evolve(BOARD, roads={})
    assert (after.roads, BOARD.roads) == ({}, {("a1", "b1"): 2})
    assert after.hands is BOARD.hands
    assert evolve(after, roads=BOARD.roads) == BOARD
    assert type(after) is Board


def test_a_state_is_shown_as_data_in_one_order() -> None:
    assert to_plain(BOARD) == {
        "agenda": [[{"kind": "turn", "seat": "A", "times": 1, "optional": False}]],
        "offsets": {},
        "hands": {"A": {"cards": {"x": 2, "y": 1}, "seen": ["y", "z"]}},
        "roads": {"a1/b1": 2},
    }


@pytest.mark.parametrize("value", [1.5, object(), b"x"])
def test_a_state_holds_nothing_that_is_not_data(value: object) -> None:
    with pytest.raises(TypeError):
        to_plain({"value": value})


def test_a_game_is_over_when_nothing_is_owed() -> None:
    assert not BOARD.over
    assert evolve(BOARD, agenda=BOARD.agenda.clear()).over
