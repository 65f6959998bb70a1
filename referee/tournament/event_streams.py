"""Streams of events in the store of the games: what tournaments and seasons have in common.

Events are first applied to the current state, then appended at that version (optimistic
concurrency): a refusal changes nothing.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from referee.errors import NotAllowed, NotFound
from referee.ids import letters_of, new_id
from referee.lru_cache import LruCache
from referee.record.entries import PLAYER, read_body
from referee.store.envelopes import Conflict, Draft, KeyReused, Stored
from referee.store.event_store import Store
from referee.table import bench
from referee.table.author import Author, By
from referee.table.unreadable import readable
from referee.tournament.events import Event

TRIES = 20
EVENTS_AT_HAND = 20_000
"""Cache size: how many events the streams in memory may have together."""
ORGANISER = Author(role="organiser")
BY_ORGANISER = By(ORGANISER)

E = TypeVar("E", bound=Event)
S = TypeVar("S")
L = TypeVar("L", bound="LoadedStream[Any, Any]")


class Recorded(Struct, Generic[E], frozen=True):
    """An event with its place, time and author in the stream."""

    number: int
    at: str
    by: str
    role: str
    key: str
    event: E


class LoadedStream(Struct, Generic[E, S], frozen=True):
    """A stream as loaded from the store: its state and all its events."""

    id: str
    now: S
    told: tuple[Recorded[E], ...]
    head: str

    @property
    def events(self) -> list[E]:
        return [recorded.event for recorded in self.told]

    def written_with(self, key: str) -> tuple[Recorded[E], ...]:
        """The events that were written with an idempotency key: the answer that was lost."""
        return tuple(one for one in self.told if one.key == key or one.key.startswith(f"{key}."))


def check_role(author: Author, event: Event) -> None:
    if author.role not in event.BY:
        raise NotAllowed("role_may_not", role=author.role, roles=sorted(event.BY))
    if author.role != PLAYER or event.FOLLOWS:
        return
    if getattr(event, "player", None) != author.person:
        raise NotAllowed("for_oneself_only")


def check_same_request(
    known: Sequence[Recorded[Any]], events: Sequence[Event], author: Author
) -> None:
    """Refuse an idempotency key that was used for another request, or by another author."""
    first = known[0]
    same_author = (first.by, first.role) == (author.person, author.role)
    if not same_author or [one.event for one in known] != list(events):
        raise bench.IdempotencyKeyReused("key_reused", key=first.key, entry=first.number)


class EventStreams(Generic[E, S, L]):
    """The streams of one kind in a store. Clock, keys and ids are injected, for tests."""

    KIND: ClassVar[str]
    """What one is: the first word of its id."""
    SIDE_BY_SIDE: ClassVar[tuple[type[Event], ...]] = ()
    """Events that commute: on a version conflict they can be appended behind the others."""
    read_event: Callable[[str, int, dict[str, Any]], E]
    fold: Callable[[Iterable[E], S | None], S]
    """The state after these events; refused at the first that does not fit."""
    loaded: Callable[[str, S, tuple[Recorded[E], ...], str], L]

    def __init__(
        self,
        *,
        clock: Callable[[], str] = bench.utc_now,
        keys: Callable[[], str] = bench.new_key,
        ids: Callable[[], str] | None = None,
        events_at_hand: int = EVENTS_AT_HAND,
    ) -> None:
        self._clock, self._keys = clock, keys
        self._ids = ids or (lambda: new_id(f"{self.KIND}-"))
        self._cache: LruCache[L] = LruCache(
            events_at_hand,
            weight=lambda found: len(found.told),
            order=lambda found: len(found.told),
        )
        self._telling = Lock()
        """Threads of this process write one after the other, so that only other processes can cause
        a version conflict."""

    @property
    @abstractmethod
    def store(self) -> Store: ...

    # finding

    def all(self, left_out: list[str] | None = None) -> list[L]:
        """Every one that can be read; the others are added to ``left_out``."""
        return [*readable(self.store.streams(f"{self.KIND}-"), self.load, left_out)]

    def find(self, prefix: str) -> str:
        """Resolve a prefix of an id, with or without its first word, to the only one it fits."""
        first = f"{self.KIND}-"
        start = prefix if prefix.startswith(first) else f"{first}{prefix}"
        found = self.store.streams(start)
        if start in found or len(found) == 1:
            return start if start in found else found[0]
        if found:
            raise NotFound(f"which_{self.KIND}", **{self.KIND: prefix, f"{self.KIND}s": found[:8]})
        raise self._missing(prefix)

    def has(self, stream: str) -> bool:
        return bool(self.store.streams(stream))

    def load(self, stream: str) -> L:
        """It as the store has it now."""
        known = self._cache.get(stream)
        rows = self.store.read(stream, after=len(known.told) - 1 if known else -1)
        if known is None and not (rows and stream.startswith(f"{self.KIND}-")):
            raise self._missing(stream)
        if rows:
            with bench.written_by_this_version(stream):
                new = tuple(read_told(row, self.read_event) for row in rows)
            now = self.fold([told.event for told in new], known.now if known else None)
            told = (*known.told, *new) if known else new
            known = self.loaded(stream, now, told, rows[-1].head)
            self._cache.put(stream, known)
        assert known is not None
        return known

    def known(self, stream: str, key: str | None) -> tuple[Recorded[E], ...]:
        """The events that were written with an idempotency key: the answer that was lost."""
        return self.load(stream).written_with(key) if key is not None else ()

    def made_with(self, key: str) -> str | None:
        """The one that was created with a key, if there is one."""
        stream = f"{self.KIND}-{letters_of(key)}"
        return stream if stream in self.store.streams(stream) else None

    def _missing(self, stream: str) -> NotFound:
        return NotFound(f"no_such_{self.KIND}", **{self.KIND: stream})

    # telling

    def moment(self) -> str:
        """The current time."""
        return self._clock()

    def moment_in(self, hosted: L) -> str:
        """The time for the next event of a stream: never before the last one."""
        return max(self._clock(), hosted.told[-1].at)

    def new_key(self) -> str:
        return self._keys()

    def begin(self, events: Sequence[E], by: By) -> L:
        """Create one; with a key it is idempotent, because the id is derived from it."""
        for event in events:
            check_role(by.author, event)
        stream = self._ids() if by.key is None else f"{self.KIND}-{letters_of(by.key)}"
        self._append(stream, events, -1, by, self._clock())
        return self.load(stream)

    def tell(
        self,
        stream: str,
        *events: E,
        by: By = BY_ORGANISER,
        check: Callable[[S], None] = lambda now: None,
    ) -> L:
        """Record events atomically; idempotent by key.

        On a version conflict, events that commute with others (``SIDE_BY_SIDE``) are retried behind
        them. ``check`` sees the very state that the events are appended to, and may refuse.
        """
        by = By(by.author, by.key or self._keys(), by.at)
        commute = all(isinstance(event, self.SIDE_BY_SIDE) for event in events)
        with self._telling:
            for _ in range(TRIES if commute else 1):
                try:
                    return self._tell(stream, events, by, check)
                except bench.VersionConflict as error:
                    missed = error
        raise missed

    def _tell(self, stream: str, events: Sequence[E], by: By, check: Callable[[S], None]) -> L:
        hosted = self.load(stream)
        if known := self.known(stream, by.key):
            told = [one for one in known if one.event in events or not one.event.FOLLOWS]
            check_same_request(told, events, by.author)
            return hosted
        check(hosted.now)
        at = by.at or self.moment_in(hosted)
        after = hosted.now
        for event in events:
            check_role(by.author, event)
            after = self._after(hosted, after, event, by.author)
        self._check_together(hosted, events, by.author)
        events = [*events, *self._following(after)]
        self._append(stream, events, len(hosted.told) - 1, by, at)
        return self.load(stream)

    def _after(self, hosted: L, now: S, event: E, author: Author) -> S:
        """The state after one more event of a request; refused where it does not fit."""
        return self.fold([event], now)

    def _check_together(self, hosted: L, events: Sequence[E], author: Author) -> None:
        """Refuse events of a request by what is looked up once for all of them."""

    def _following(self, now: S) -> Sequence[E]:
        """Events that are written by themselves behind those of a request."""
        return ()

    def _append(self, stream: str, events: Sequence[E], expected: int, by: By, at: str) -> None:
        key = by.key or self._keys()
        drafts = [
            Draft(
                event.KIND, event.SCHEMA, event.model_dump(mode="json"), f"{key}.{i}" if i else key
            )
            for i, event in enumerate(events)
        ]
        bench.refuse_unseen(drafts)
        try:
            self.store.append(
                stream, drafts, expected=expected, at=at, by=by.author.person, role=by.author.role
            )
        except Conflict as conflict:
            kinds = [json.loads(row.body)["kind"] for row in conflict.missed]
            raise bench.VersionConflict(
                "someone_else", entries=len(kinds), kinds=kinds[:5]
            ) from None
        except KeyReused as reused:
            raise bench.written_with_key(key, expected, reused.stored) from None


def read_told(row: Stored, read: Callable[[str, int, dict[str, Any]], E]) -> Recorded[E]:
    """An event with its place in the stream; ``read`` parses what it says."""
    body = read_body(row)
    event = read(body["kind"], body["schema"], body["data"])
    return Recorded(row.seq, body["at"], body["by"], body["role"], body["key"], event)
