"""A store that lives as long as the process: for trials and tests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.popo import POPOApplicationRecorder


class MemoryRecorder(POPOApplicationRecorder):
    """The library's recorder, made to refuse gaps and used keys as the others do."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: dict[str, dict[str, int]] = defaultdict(dict)

    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, keys: Sequence[str] = (), **_: Any
    ) -> Sequence[int] | None:
        with self._database_lock:
            for offset, (event, key) in enumerate(zip(stored_events, keys, strict=True)):
                stream = str(event.originator_id)
                if event.originator_version != len(self._stored_events_index[stream]) + offset:
                    raise IntegrityError(f"{stream} {event.originator_version}: not the next one")
                if key in self._keys[stream]:
                    raise IntegrityError(f"{stream}: the key {key!r} is used")
            ids = super().insert_events(stored_events)
            for event, key in zip(stored_events, keys, strict=True):
                self._keys[str(event.originator_id)][key] = event.originator_version
            return ids

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

    def close(self) -> None:
        """Nothing to let go of."""
