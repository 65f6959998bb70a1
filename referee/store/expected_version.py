"""Optimistic concurrency for one request: it was made by somebody who had seen so much."""

from __future__ import annotations

import json
from collections.abc import Sequence

from referee.store.envelopes import Conflict, Draft, Stored
from referee.store.event_store import Store


class ExpectedVersionStore(Store):
    """The same store; the first append to a stream must follow what the client saw (If-Match)."""

    def __init__(self, store: Store, stream: str, version: int, key: str | None = None) -> None:
        self.url = store.url
        self._recorder = store._recorder
        self._last = store._last
        self._stream, self._version, self._key = stream, version, key
        self._checked = False

    def append(
        self,
        stream: str,
        drafts: Sequence[Draft],
        *,
        expected: int,
        at: str,
        by: str,
        role: str,
    ) -> tuple[Stored, ...]:
        if stream == self._stream and not self._checked:
            self._check(expected)
        return super().append(stream, drafts, expected=expected, at=at, by=by, role=role)

    def _check(self, expected: int) -> None:
        """Refuse if others have written since; what this request itself wrote does not count."""
        missed = self.read(self._stream, after=self._version)[: expected - self._version]
        if expected < self._version or not all(self._is_own(entry) for entry in missed):
            raise Conflict(self._stream, self._version, expected, missed)
        self._checked = True

    def _is_own(self, entry: Stored) -> bool:
        key: str = json.loads(entry.body)["key"]
        return self._key is not None and key.startswith((f"{self._key}-", f"{self._key}."))
