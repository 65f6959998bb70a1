"""Frozen classes of the kernel behave as frozen dataclasses do."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
from typing import Any, ClassVar

import pytest

from engines.kernel.rules.state import evolve
from engines.kernel.values.frozen import FEW, frozen


@frozen
class Card:
    """Has every kind of field."""

    PILE: ClassVar[str] = "deck"

    name: str
    cost: int = 1
    marks: Mapping[str, int] = field(default_factory=dict)
    owner: str | None = field(default=None, kw_only=True)
    seen: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class Usual:
    name: str
    cost: int = 1
    marks: Mapping[str, int] = field(default_factory=dict)
    owner: str | None = field(default=None, kw_only=True)
    seen: int = field(default=0, compare=False, repr=False)


@frozen
class Cheap:
    name: str
    cost: int = 0

    def __post_init__(self) -> None:
        if self.cost > 3:
            raise ValueError(self.cost)

    def __repr__(self) -> str:
        return self.name


GIVEN: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    (("a",), {}),
    (("a", 2, {"x": 1}, 7), {}),
    (("a",), {"owner": "B", "seen": 4}),
    ((), {"name": "a", "marks": {"x": 1}}),
]


@pytest.mark.parametrize(("given", "named"), GIVEN)
def test_it_is_constructed_shown_and_compared_as_a_dataclass(
    given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    usual = Usual(*given, **named)
    for card in (Card(*given, **named) for _ in range(FEW + 2)):
        assert list(vars(card).items()) == list(vars(usual).items())
    assert repr(card) == repr(usual).replace("Usual", "Card")
    for others, values in GIVEN:
        assert (card == Card(*others, **values)) == (usual == Usual(*others, **values))
    assert card != usual  # type: ignore[comparison-overlap]


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ((), {}),
        ((), {"b": 1}),
        (("a", 1, {}, 0, "B"), {}),
        (("a",), {"b": 1}),
        (("a",), {"name": "b"}),
        (("a",), {"self": 1}),
    ],
)
def test_what_a_dataclass_refuses_is_refused(given: tuple[Any, ...], named: dict[str, Any]) -> None:
    @frozen
    class New(Card):
        """Nothing of it is compiled yet."""

    with pytest.raises(TypeError) as usual:
        Usual(*given, **named)
    for _ in range(FEW + 2):
        with pytest.raises(TypeError) as refused:
            New(*given, **named)
        assert str(refused.value) == str(usual.value).replace("Usual.", "")


def test_every_instance_has_a_default_of_its_own() -> None:
    assert Card("a").marks == {}
    assert Card("a").marks is not Card("b").marks


def test_what_is_equal_has_one_hash_and_what_holds_a_dict_has_none() -> None:
    assert len({Cheap("a"), Cheap("a"), Cheap("b")}) == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(Card("a"))


def test_nothing_can_be_set_or_deleted() -> None:
    card: Any = Card("a")
    for name in ("name", "other"):
        with pytest.raises(FrozenInstanceError):
            setattr(card, name, "b")
    with pytest.raises(FrozenInstanceError):
        del card.name
    assert card == Card("a")


def test_what_the_class_defines_itself_is_kept() -> None:
    assert repr(Cheap("cheap")) == "cheap"
    for _ in range(FEW + 2):
        with pytest.raises(ValueError, match="4"):
            Cheap("dear", 4)


def test_the_tools_of_dataclasses_and_of_the_kernel_know_it() -> None:
    card = Card("a", owner="A")
    assert is_dataclass(card)
    assert [each.name for each in fields(Card)] == [each.name for each in fields(Usual)]
    assert replace(card, cost=3) == evolve(card, cost=3) == Card("a", 3, owner="A")
    assert Card.__match_args__ == Usual.__match_args__
    for copied in (copy.copy(card), copy.deepcopy(card), pickle.loads(pickle.dumps(card))):
        assert copied == card


def test_it_extends_a_frozen_dataclass_and_another_of_its_kind() -> None:
    @frozen
    class Dear(Usual):
        price: int = 9

    @frozen
    class Old(Card):
        year: int = 1900

    for made in (Dear("a", owner="A"), Old("a", owner="A")):
        assert made.owner == "A"
        assert made == replace(made)
        with pytest.raises(FrozenInstanceError):
            made.name = "b"  # type: ignore[misc]
    assert Old("a", year=1) != Old("a")
    assert Old("a") != Card("a")
    assert Dear("a", 1, {}, 0, 5).price == 5
