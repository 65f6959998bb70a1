"""Persistent vector: an immutable sequence; versions share their common beginning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, takewhile
from typing import Any, TypeVar, overload

T = TypeVar("T", covariant=True)

CHUNK = 32
_new = object.__new__


class PersistentVector(Sequence[T]):
    """Full chunks of 32, shared between versions, and a short tail, copied when it grows.

    Appending costs the same however long it is, and threads read and branch without a lock.
    """

    __slots__ = ("_chunks", "_end")

    def __init__(self, items: Iterable[T] = ()) -> None:
        rest = tuple(items)
        whole = len(rest) - len(rest) % CHUNK
        self._chunks = tuple(rest[at : at + CHUNK] for at in range(0, whole, CHUNK))
        self._end: tuple[T, ...] = rest[whole:]

    @classmethod
    def _made(cls, chunks: tuple[tuple[T, ...], ...], end: tuple[T, ...]) -> PersistentVector[T]:
        vector = cls.__new__(cls)
        vector._chunks, vector._end = chunks, end
        return vector

    @classmethod
    def behind(cls, chunks: Iterable[Sequence[T]], items: Iterable[T]) -> PersistentVector[T]:
        """A vector of given full chunks and these items behind them."""
        rest: PersistentVector[T] = PersistentVector(items)
        early: Any = tuple(chunks)
        return cls._made(early + rest._chunks, rest._end)

    @property
    def parts(self) -> tuple[Sequence[T], ...]:
        """The chunks, as shared with other versions, and the tail."""
        return (*self._chunks, self._end)

    @property
    def whole(self) -> bool:
        """Whether no chunk is lazy."""
        return all(type(chunk) is tuple for chunk in self._chunks)

    def grown(self, item: T) -> PersistentVector[T]:  # type: ignore[misc]  # it makes another vector
        """A version with one more item."""
        vector: PersistentVector[T] = _new(PersistentVector)
        end = self._end + (item,)  # noqa: RUF005  # twice as fast as unpacking
        if len(end) < CHUNK:
            vector._chunks, vector._end = self._chunks, end
        else:
            vector._chunks, vector._end = (*self._chunks, end), ()
        return vector

    def extended(self, items: Sequence[T]) -> PersistentVector[T]:
        """A version with several more items."""
        if len(items) == 1:
            return self.grown(items[0])
        more = PersistentVector((*self._end, *items))
        return self._made(self._chunks + more._chunks, more._end)

    def upto(self, length: int) -> PersistentVector[T]:
        """The prefix of this length."""
        if length >= len(self):
            return self
        full, rest = divmod(length, CHUNK)
        if full == len(self._chunks):
            return self._made(self._chunks, self._end[:rest])
        return self._made(self._chunks[:full], self._chunks[full][:rest])

    def shared(self, other: PersistentVector[Any]) -> int:
        """A lower bound for the common prefix: the items in chunks that both share."""
        same = takewhile(
            lambda pair: pair[0] is pair[1], zip(self._chunks, other._chunks, strict=False)
        )
        return CHUNK * sum(1 for _ in same)

    @property
    def last(self) -> T:
        return self._end[-1] if self._end else self._chunks[-1][-1]

    def __len__(self) -> int:
        return len(self._chunks) * CHUNK + len(self._end)

    def __iter__(self) -> Iterator[T]:
        return chain(chain.from_iterable(self._chunks), self._end)

    def __reversed__(self) -> Iterator[T]:
        return chain.from_iterable(map(reversed, reversed(self.parts)))

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return self._cut(index)
        if index == -1 and self._end:
            return self._end[-1]
        place = index if index >= 0 else index + len(self)
        full, rest = divmod(place, CHUNK)
        if full == len(self._chunks):
            return self._end[rest]
        if place < 0:
            raise IndexError(index)
        return self._chunks[full][rest]

    def _cut(self, index: slice) -> tuple[T, ...]:
        start, stop, step = index.indices(len(self))
        if step < 0:
            return tuple(self)[index]
        first = start // CHUNK
        rest = chain(chain.from_iterable(self._chunks[first:]), self._end)
        skipped = first * CHUNK
        return tuple(islice(rest, start - skipped, max(stop, start) - skipped, step))

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(
            mine is theirs or mine == theirs for mine, theirs in zip(self, other, strict=True)
        )

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"PersistentVector({list(self)!r})"
