"""LRU cache for values that never change, bounded by what they weigh together."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class LruCache(Generic[T]):
    """Keeps the values asked for last, as many as fit; the least recently used is evicted first.

    Values are immutable, so threads share them freely. Of two values of one key the later stays,
    by ``order``: a thread that was slow does not put back what another has gone beyond. Without one
    the value that is put last stays.
    """

    def __init__(
        self,
        bound: int,
        *,
        weight: Callable[[T], int] = lambda value: 1,
        order: Callable[[T], Any] | None = None,
    ) -> None:
        self.bound = bound
        """What all values kept here may weigh together; a single one may weigh more."""
        self._weight_of = weight
        self._order = order
        self._values: OrderedDict[Hashable, T] = OrderedDict()
        self._weight = 0
        self._lock = Lock()

    def get(self, key: Hashable) -> T | None:
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Hashable, value: T) -> None:
        """Keep a value, unless a later one of its key is here."""
        with self._lock:
            known = self._values.get(key)
            order = self._order
            if known is not None and order is not None and order(known) >= order(value):
                return
            self._weight += self._weight_of(value) - (
                self._weight_of(known) if known is not None else 0
            )
            self._values[key] = value
            self._values.move_to_end(key)
            while self._weight > self.bound and len(self._values) > 1:
                _, evicted = self._values.popitem(last=False)
                self._weight -= self._weight_of(evicted)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def weight(self) -> int:
        return self._weight
