"""Expected version of a request (optimistic concurrency, If-Match), and what it has written."""

from __future__ import annotations

import json
from collections.abc import Sequence

from referee.store.envelopes import Conflict, Draft, Stored
from referee.store.event_store import Store


class ExpectedVersionStore(Store):
    """The same store; the first append to a stream must follow what the client saw (If-Match).

    Where the client names no version, it only notes what the request has written. A request looks
    once for what others have written: if they are quicker after that, its append is a conflict.
    """

    def __init__(
        self, store: Store, stream: str, version: int | None, key: str | None = None
    ) -> None:
        self.url = store.url
        self._recorder = store._recorder
        self._last = store._last
        self._stream, self._version, self._key = stream, version or 0, key
        self._checked = version is None
        self._read_to: int | None = None
        self.reached: int | None = None
        """The last entry of the stream that this request has written, now or the first time."""

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
        self._read_to = None
        if stream == self._stream and not self._checked:
            self._check(expected)
        stored = super().append(stream, drafts, expected=expected, at=at, by=by, role=role)
        self._note(stream, stored)
        if stream == self._stream:
            self._read_to = stored[-1].seq
        return stored

    def read(self, stream: str, after: int = -1) -> tuple[Stored, ...]:
        if stream != self._stream or after < 0:
            return super().read(stream, after)
        if after == self._read_to:
            return ()
        rows = super().read(stream, after)
        self._read_to = rows[-1].seq if rows else after
        return rows

    def keyed(self, stream: str, keys: Sequence[str]) -> dict[str, Stored]:
        found = super().keyed(stream, keys)
        self._note(stream, [*found.values()])
        return found

    def _note(self, stream: str, stored: Sequence[Stored]) -> None:
        if stream == self._stream and stored:
            self.reached = max(self.reached or 0, *(entry.seq for entry in stored))

    def _check(self, expected: int) -> None:
        """Refuse if others have written since; what this request itself wrote does not count."""
        missed = self.read(self._stream, after=self._version)[: expected - self._version]
        if expected < self._version or not all(self._is_own(entry) for entry in missed):
            raise Conflict(self._stream, self._version, expected, missed)
        self._checked = True

    def _is_own(self, entry: Stored) -> bool:
        key: str = json.loads(entry.body)["key"]
        return self._key is not None and key.startswith((f"{self._key}-", f"{self._key}."))
