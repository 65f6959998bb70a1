"""Bags: immutable multisets whose every operation is total."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar

T = TypeVar("T")


class Bag(Mapping[T, int], Generic[T]):
    """How many of each kind. Kinds with no item are absent; a count is never negative."""

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
        return self.change(Bag(items), 1)

    def take(self, *items: T) -> Bag[T]:
        """Without these items; an item that is not there is not missed."""
        return self.change(Bag(items), -1)

    def change(self, items: Mapping[T, int], sign: int) -> Bag[T]:
        counts = dict(self._counts)
        for kind, count in items.items():
            left = counts.get(kind, 0) + sign * count
            if left > 0:
                counts[kind] = left
            else:
                counts.pop(kind, None)
        bag: Bag[T] = Bag.__new__(Bag)
        bag._counts = counts
        bag._size = sum(counts.values())
        return bag

    def plus(self, other: Mapping[T, int]) -> Bag[T]:
        return self.change(other, 1)

    def minus(self, other: Mapping[T, int]) -> Bag[T]:
        return self.change(other, -1)

    def holds(self, items: Mapping[T, int] | Iterable[T]) -> bool:
        """Whether all of these could be taken together."""
        wanted = items if isinstance(items, Mapping) else Bag(items)
        return all(self._counts.get(kind, 0) >= count for kind, count in wanted.items())

    def elements(self) -> Iterator[T]:
        for kind, count in self._counts.items():
            for _ in range(count):
                yield kind

    def __getitem__(self, kind: T) -> int:
        """How many of a kind; 0 for a kind that is not there."""
        return self._counts.get(kind, 0)

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
