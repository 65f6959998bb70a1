"""What is remembered is what would be made again."""

from __future__ import annotations

from engines.kernel.values.memo import MOST, memoize


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
