"""Immutable values: what of a struct is compared, and how one is changed."""

from __future__ import annotations

import copy
import pickle
from typing import Any, ClassVar

import msgspec
import pytest

from engines.kernel import State, evolve
from engines.kernel.engine.judge import _same_table
from engines.kernel.values.structs import PartlyCompared, compared_fields


class Card(PartlyCompared, frozen=True):
    NOT_COMPARED: ClassVar[tuple[str, ...]] = ("seen",)

    name: str
    cost: int = 1
    seen: Any = None


class Dear(Card, frozen=True):
    marks: tuple[str, ...] = ()


def test_a_value_is_changed_by_the_library_itself() -> None:
    """A function around it takes as long as the copy."""
    assert evolve is msgspec.structs.replace
    assert evolve(Card("a"), cost=3) == Card("a", 3)
    with pytest.raises(TypeError, match="cost_"):
        evolve(Card("a"), cost_=3)


def test_what_is_not_compared_is_neither_hashed_nor_shown() -> None:
    seen = Card("a", seen=[1])
    assert seen == Card("a")
    assert hash(seen) == hash(Card("a"))
    assert repr(seen) == "Card(name='a', cost=1)"
    assert seen != Card("a", 2)
    assert compared_fields(Card) == ("name", "cost")


def test_a_subclass_compares_its_own_fields_too_and_only_its_own_kind() -> None:
    assert Dear("a", marks=("x",), seen=1) == Dear("a", marks=("x",))
    assert Dear("a", marks=("x",)) != Dear("a")
    assert Dear("a") != Card("a")
    assert Card("a") != "a"


def test_who_acted_last_is_no_part_of_a_state_and_goes_with_its_copies() -> None:
    state = State(last_seat="A")
    assert state == State()
    assert evolve(state, offsets={"x": 1}).last_seat == "A"
    for copied in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert copied.last_seat == "A"


def test_nothing_can_be_set_or_deleted() -> None:
    card: Any = Card("a")
    with pytest.raises(AttributeError):
        card.name = "b"
    with pytest.raises(AttributeError):
        del card.name


class Board(State, frozen=True):
    pieces: tuple[str, ...] = ()


class Misordered(State, frozen=True, kw_only=True):
    pieces: tuple[str, ...] = ()


def test_only_what_lies_on_the_table_tells_two_stages_apart() -> None:
    assert _same_table(Board(("a",), last_seat="A"), Board(("a",), last_seat="B"))
    assert _same_table(Board(offsets={"A": 1}), Board())
    assert not _same_table(Board(("a",)), Board(("b",)))


def test_a_state_whose_own_fields_do_not_come_first_is_refused() -> None:
    with pytest.raises(TypeError, match="Misordered"):
        _same_table(Misordered(), Misordered())
