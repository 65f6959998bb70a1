"""Bags: multisets that never go below nothing."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from engines.kernel import Bag, to_plain

ITEMS = st.lists(st.sampled_from("abcd"))


@given(ITEMS)
def test_it_counts_what_is_put_in(items: list[str]) -> None:
    bag = Bag(items)
    assert dict(bag) == dict(Counter(items))
    assert bag.size == len(items) == len(list(bag.elements()))
    assert Bag(bag.elements()) == Bag(dict(bag)) == bag


@given(ITEMS, ITEMS)
def test_adding_and_taking_are_those_of_multisets(items: list[str], others: list[str]) -> None:
    bag = Bag(items)
    assert dict(bag.add(*others)) == dict(Counter(items) + Counter(others))
    assert dict(bag.take(*others)) == dict(Counter(items) - Counter(others))
    assert bag.plus(Bag(others)) == bag.add(*others)
    assert bag.minus(Bag(others)) == bag.take(*others)
    assert bag == Bag(items), "changed in place"


@given(ITEMS, ITEMS)
def test_what_it_holds_can_be_taken_and_given_back(items: list[str], others: list[str]) -> None:
    bag = Bag(items)
    assert bag.holds(others) == bag.holds(tuple(others)) == bag.holds(Counter(others))
    if bag.holds(others):
        assert bag.take(*others).size == bag.size - len(others)
        assert bag.take(*others).add(*others) == bag
    else:
        assert bag.take(*others).add(*others) != bag


@given(st.dictionaries(st.sampled_from("abcd"), st.integers(-3, 3)))
def test_counts_below_one_are_absent(counts: dict[str, int]) -> None:
    bag = Bag(counts)
    assert all(count > 0 for count in bag.values())
    assert all(bag[kind] == max(0, count) for kind, count in counts.items())
    assert all((kind in bag) == (count > 0) for kind, count in counts.items())


@given(ITEMS)
def test_equal_bags_have_equal_hashes_whatever_their_order(items: list[str]) -> None:
    assert Bag(items) == Bag(reversed(items))
    assert hash(Bag(items)) == hash(Bag(reversed(items)))


def test_a_kind_that_is_not_there_counts_nothing() -> None:
    assert Bag("aab")["z"] == 0
    assert len(Bag("aab")) == 2
    assert to_plain(Bag([("a", 1), ("a", 1)])) == {"a/1": 2}
