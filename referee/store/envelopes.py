"""Entries as they are stored, and what may be wrong with storing them."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from engines.kernel.messages.errors import MessageError
from referee.store.canonical_json import digest

FORMAT = 1
GENESIS = "0" * 64
"""What the first entry of a stream names as the hash of the one before."""


KEY = re.compile(r"[!-~]{1,200}")
"""The form of a key."""


class Draft(NamedTuple):
    """An entry before it is stored; ``key`` is its idempotency key: repeating it is harmless."""

    kind: str
    schema: int
    data: dict[str, Any]
    key: str


class Stored(NamedTuple):
    """An entry as it stands in its stream. ``body`` holds the exact bytes, for ever."""

    stream: str
    seq: int
    topic: str
    body: bytes

    @property
    def head(self) -> str:
        """The hash of this entry, which the next one names."""
        return digest(self.body)


class Conflict(Exception):
    """Version conflict: others wrote in the meantime. ``missed``: what the caller has not seen."""

    def __init__(self, stream: str, expected: int, actual: int, missed: tuple[Stored, ...]) -> None:
        super().__init__(f"{stream}: expected to follow {expected}, the last entry is {actual}")
        self.stream = stream
        self.expected = expected
        self.actual = actual
        self.missed = missed


class KeyReused(Exception):
    """The idempotency key already stands for another request."""

    def __init__(self, stream: str, key: str, stored: Stored) -> None:
        super().__init__(f"{stream}: the key {key!r} belongs to entry {stored.seq}")
        self.stream = stream
        self.key = key
        self.stored = stored


class StoreError(MessageError):
    """The store cannot do its work."""

    group = "store"
