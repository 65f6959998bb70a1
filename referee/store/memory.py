"""A store that lives as long as the process: for trials and tests."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Condition
from typing import Any
from uuid import UUID

from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.popo import POPOApplicationRecorder

from referee.store.envelopes import StoreError


class MemoryRecorder(POPOApplicationRecorder):
    """The library's in-memory recorder, which also refuses gaps and used idempotency keys."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: dict[str, dict[str, int]] = defaultdict(dict)
        self._grown = Condition()

    def insert_events(
        self,
        stored_events: Sequence[StoredEvent],
        *,
        keys: Sequence[str] = (),
        number: int | None = None,
        **_: Any,
    ) -> Sequence[int] | None:
        with self._database_lock:
            if number not in (None, len(self._stored_events) + 1):
                raise IntegrityError(f"{number}: not the next number")
            self._check(stored_events, keys)
            ids = super().insert_events(stored_events)
            for event, key in zip(stored_events, keys, strict=True):
                self._keys[str(event.originator_id)][key] = event.originator_version
        with self._grown:
            self._grown.notify_all()
        return ids

    def _check(self, stored_events: Sequence[StoredEvent], keys: Sequence[str]) -> None:
        before: Counter[str] = Counter()
        for event, key in zip(stored_events, keys, strict=True):
            stream = str(event.originator_id)
            following = len(self._stored_events_index[stream]) + before[stream]
            if event.originator_version != following:
                raise IntegrityError(f"{stream} {event.originator_version}: not the next one")
            if key in self._keys[stream]:
                raise IntegrityError(f"{stream}: the key {key!r} is used")
            before[stream] += 1

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """By index, since a stream has no gaps; the library's own would scan it from the start."""
        with self._database_lock:
            index = self._stored_events_index[str(originator_id)]
            first = 0 if gt is None else max(gt + 1, 0)
            end = len(index) if lte is None else min(lte + 1, len(index))
            wanted = range(first, end)[::-1] if desc else range(first, end)
            return [self._stored_events[index[place]] for place in wanted[:limit]]

    def select_keys(self, stream: str, keys: Sequence[str]) -> Mapping[str, StoredEvent]:
        with self._database_lock:
            used, index = self._keys[stream], self._stored_events_index[stream]
            return {key: self._stored_events[index[used[key]]] for key in keys if key in used}

    def select_streams(self, prefix: str) -> Sequence[str]:
        with self._database_lock:
            return sorted(
                stream
                for stream, index in self._stored_events_index.items()
                if index and stream.startswith(prefix)
            )

    def find_altered(self) -> None:
        """Nobody else can write here."""

    def signal(self) -> Growth:
        return Growth(self, self._grown)

    def close(self) -> None:
        """Nothing to let go of."""


class NothingYet(MemoryRecorder):
    """Stands for a store that has not been made: it is empty, and nothing is written to it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int] | None:
        raise StoreError("missing_store", path=self._path)


class Growth:
    """Wakes a waiting thread when something was stored.

    The library's ``listen`` would do, were its set of listeners safe to change while it is told.
    """

    def __init__(self, recorder: MemoryRecorder, grown: Condition) -> None:
        self._recorder = recorder
        self._grown = grown
        self._seen = recorder.max_notification_id()

    def wait(self, seconds: float) -> None:
        with self._grown:
            self._grown.wait_for(
                lambda: self._recorder.max_notification_id() != self._seen, seconds
            )
            self._seen = self._recorder.max_notification_id()

    def close(self) -> None:
        """Nothing to let go of."""
