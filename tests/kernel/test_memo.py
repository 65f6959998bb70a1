"""What is remembered is what would be made again."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from engines.kernel.values.memo import MOST, MOST_ACTIONS, interned, memoize
from tests.kernel.toy import Bid


def test_the_same_is_made_once() -> None:
    made: list[tuple[str, tuple[int, ...]]] = []

    @memoize
    def said(word: str, numbers: tuple[int, ...]) -> str:
        made.append((word, numbers))
        return f"{word}{numbers}"

    assert said("a", (1, 2)) == said("a", (1, 2)) == "a(1, 2)"
    assert said("a", (2, 1)) == "a(2, 1)"
    assert made == [("a", (1, 2)), ("a", (2, 1))]


def test_equal_things_are_not_the_same_thing() -> None:
    @memoize
    def first(things: list[int]) -> int:
        return things[0]

    one, other = [1], [1]
    assert (first(one), first(other)) == (1, 1)
    other[0] = 2
    assert first(one) == 1


def test_nothing_comes_in_the_place_of_what_is_gone() -> None:
    @memoize
    def first(things: list[int]) -> int:
        return things[0]

    for number in range(2000):
        assert first([number]) == number, "a new list at the address of an old one"


def test_it_does_not_grow_for_ever() -> None:
    @memoize
    def same(number: int) -> int:
        return number

    assert [same(number) for number in range(2 * MOST)] == list(range(2 * MOST))


def test_the_same_words_make_the_very_same_action() -> None:
    bid = interned(Bid)
    assert bid(by="A", amount=1) is bid(by="A", amount=1)
    assert [bid(by="A", amount=1), bid(by="B", amount=1)] == [
        Bid(by="A", amount=1),
        Bid(by="B", amount=1),
    ]


def test_words_that_make_no_action_are_refused_each_time() -> None:
    bid = interned(Bid)
    for _ in range(2):
        with pytest.raises(ValidationError):
            bid(by="nobody", amount=1)


def test_actions_are_not_kept_for_ever() -> None:
    bid = interned(Bid)
    first = bid(by="A", amount=0)
    for amount in range(1, MOST_ACTIONS + 1):
        bid(by="A", amount=amount)
    again = bid(by="A", amount=0)
    assert again == first
    assert again is not first
