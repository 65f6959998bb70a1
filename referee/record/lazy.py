"""Lazy parts of a game that was resumed from a snapshot: parsed or judged on first access.

Such a game equals a game that was folded from the start. Old entries are kept as stored bytes: each
is parsed when it is accessed, and the first access to an early state folds all of them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import RLock
from typing import Any, TypeVar, overload

from referee.record.entries import Entry, read_entry
from referee.record.persistent_vector import CHUNK, PersistentVector
from referee.store.envelopes import Stored

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T", covariant=True)


class LazyChunk(Sequence[T]):
    """A chunk of a persistent vector whose items are made on first access."""

    __slots__ = ()

    @abstractmethod
    def _made(self) -> Sequence[T]:
        """All items, made now."""

    def _one(self, place: int) -> T:
        return self._made()[place]

    def __len__(self) -> int:
        return CHUNK

    def __iter__(self) -> Iterator[T]:
        return iter(self._made())

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return self._made()[index]
        return self._one(index if index >= 0 else index + CHUNK)


class LazyEntries(LazyChunk[Entry]):
    """Stored entries, each parsed on first access and then cached."""

    __slots__ = ("_lock", "_parsed", "_rows")

    def __init__(self, rows: Sequence[Stored], lock: RLock) -> None:
        self._rows = rows
        self._lock = lock
        self._parsed: list[Entry | None] = [None] * CHUNK

    def _one(self, place: int) -> Entry:
        parsed = self._parsed[place]
        if parsed is not None:
            return parsed
        with self._lock:
            if (entry := self._parsed[place]) is None:
                entry = self._parsed[place] = read_entry(self._rows[place])
        return entry

    def _made(self) -> Sequence[Entry]:
        return tuple(map(self._one, range(CHUNK)))

    def __iter__(self) -> Iterator[Entry]:
        return map(self._one, range(CHUNK))

    @property
    def looked_at(self) -> list[Entry]:
        """The entries that have been parsed so far."""
        return [entry for entry in self._parsed if entry is not None]


class LazyMapping(Mapping[K, V]):
    """A mapping whose keys are known and whose values are made on first access."""

    def __init__(
        self, keys: Mapping[K, Any], made: Callable[[K], V], own: Mapping[K, V] | None = None
    ) -> None:
        self._keys = dict.fromkeys(keys)
        self._made = made
        self._own = dict(own or {})

    def __or__(self, more: Mapping[K, V]) -> LazyMapping[K, V]:
        """A copy with more, or other, values."""
        return LazyMapping({**self._keys, **dict.fromkeys(more)}, self._made, {**self._own, **more})

    def __getitem__(self, key: K) -> V:
        if key in self._own:
            return self._own[key]
        if key not in self._keys:
            raise KeyError(key)
        return self._made(key)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __iter__(self) -> Iterator[K]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


def lazy_entries(rows: Sequence[Stored], upto: int) -> PersistentVector[Entry]:
    """A vector of entries in which the full chunks before ``upto`` are parsed lazily."""
    early = upto - upto % CHUNK
    lock = RLock()
    chunks = [LazyEntries(rows[at : at + CHUNK], lock) for at in range(0, early, CHUNK)]
    return PersistentVector.behind(chunks, map(read_entry, rows[early:upto]))
