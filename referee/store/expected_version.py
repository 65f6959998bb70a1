"""A way to a store for one request, made by somebody who has seen a stream up to an entry."""

from __future__ import annotations

import json
from collections.abc import Sequence

from referee.store.envelopes import Conflict, Draft, Stored
from referee.store.event_store import Store


class ExpectedVersionStore(Store):
    """The same streams. The first append to the one named must follow the entry named."""

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
        """What the same request has written before its answer got lost was not missed."""
        missed = self.read(self._stream, after=self._version)[: expected - self._version]
        if expected < self._version or not all(self._is_own(entry) for entry in missed):
            raise Conflict(self._stream, self._version, expected, missed)
        self._checked = True

    def _is_own(self, entry: Stored) -> bool:
        key: str = json.loads(entry.body)["key"]
        return self._key is not None and key.startswith((f"{self._key}-", f"{self._key}."))
