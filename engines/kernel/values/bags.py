"""Bags: immutable multisets whose every operation is total."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from typing import Generic, TypeVar

T = TypeVar("T")


class Bag(Mapping[T, int], Generic[T]):
    """How many of each kind. Kinds with no item are absent; a count is never negative.

    >>> bag = Bag({"red": 2, "blue": 1})
    >>> bag.size, bag["red"], bag["green"]
    (3, 2, 0)
    >>> bag.take("red", "green").add("blue")
    Bag({'red': 1, 'blue': 2})
    >>> bag.plus({"red": 1}).minus({"blue": 1})
    Bag({'red': 3})
    >>> bag.holds(["red", "red"]), bag.holds(["blue", "blue"])
    (True, False)
    >>> [*bag.elements()]
    ['red', 'red', 'blue']
    """

    __slots__ = ("_counts", "_size")

    def __init__(self, items: Mapping[T, int] | Iterable[T] = ()) -> None:
        counts: dict[T, int] = {}
        if isinstance(items, Mapping):
            counts = {kind: count for kind, count in items.items() if count > 0}
        else:
            for item in items:
                counts[item] = counts.get(item, 0) + 1
        self._counts = counts
        self._size = sum(counts.values())

    @property
    def size(self) -> int:
        """How many items in all."""
        return self._size

    def add(self, *items: T) -> Bag[T]:
        """Put these items in."""
        counts = self._counts.copy()
        for item in items:
            counts[item] = counts.get(item, 0) + 1
        return _bag(counts)

    def take(self, *items: T) -> Bag[T]:
        """Remove these items; those that are not there are ignored."""
        counts = self._counts.copy()
        for item in items:
            left = counts.get(item, 0)
            if left > 1:
                counts[item] = left - 1
            elif left:
                del counts[item]
        return _bag(counts)

    def change(self, items: Mapping[T, int], sign: int) -> Bag[T]:
        """``sign`` times so many of each kind more; what is not there is not taken."""
        counts = self._counts.copy()
        for kind, count in items.items():
            left = counts.get(kind, 0) + sign * count
            if left > 0:
                counts[kind] = left
            else:
                counts.pop(kind, None)
        return _bag(counts)

    def plus(self, other: Mapping[T, int]) -> Bag[T]:
        """With so many of each kind more."""
        return self.change(other, 1)

    def minus(self, other: Mapping[T, int]) -> Bag[T]:
        """With so many of each kind less."""
        return self.change(other, -1)

    def holds(self, items: Mapping[T, int] | Iterable[T]) -> bool:
        """Whether all of these are in it together."""
        counts = self._counts
        if type(items) is tuple:
            return all(items.count(kind) <= counts.get(kind, 0) for kind in items)
        wanted = items if isinstance(items, Mapping) else Bag(items)
        return all(counts.get(kind, 0) >= count for kind, count in wanted.items())

    def elements(self) -> Iterator[T]:
        """Each item, one after the other."""
        for kind, count in self._counts.items():
            for _ in range(count):
                yield kind

    def __getitem__(self, kind: T) -> int:
        """How many of a kind; 0 for a kind that is not there."""
        return self._counts.get(kind, 0)

    def items(self) -> ItemsView[T, int]:
        return self._counts.items()

    def values(self) -> ValuesView[int]:
        return self._counts.values()

    def __contains__(self, kind: object) -> bool:
        return kind in self._counts

    def __iter__(self) -> Iterator[T]:
        return iter(self._counts)

    def __len__(self) -> int:
        """How many different kinds (see ``size`` for items)."""
        return len(self._counts)

    def __eq__(self, other: object) -> bool:
        return self._counts == other._counts if isinstance(other, Bag) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._counts.items()))

    def __repr__(self) -> str:
        return f"Bag({self._counts!r})"


def _bag(counts: dict[T, int]) -> Bag[T]:
    """A bag that owns these counts, all of them positive (not checked)."""
    bag: Bag[T] = Bag.__new__(Bag)
    bag._counts = counts
    bag._size = sum(counts.values())
    return bag
