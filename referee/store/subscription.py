"""Subscriptions: new entries of all streams as they are stored, by whichever process."""

from __future__ import annotations

from threading import Event, Lock
from time import monotonic
from typing import Protocol

from referee.store.envelopes import Stored

POLL = 0.5
"""Poll interval in seconds, in case a notification got lost."""
BATCH = 500


class Signal(Protocol):
    """Notification of a back-end: something was stored since it was made or last awaited."""

    def wait(self, seconds: float) -> None:
        """Return as soon as something may have been stored, or after the timeout."""

    def close(self) -> None: ...


class Followed(Protocol):
    """A store whose entries are numbered across all streams."""

    def follow(self, after: int, limit: int) -> tuple[tuple[int, Stored], ...]: ...


class Follower:
    """Subscription to all streams after a number: each entry once, in the order of storing.

    One thread waits; ``close`` may be called from any.
    """

    def __init__(self, store: Followed, signal: Signal, after: int) -> None:
        self.position = after
        """The number of the last entry delivered."""
        self._store = store
        self._signal = signal
        self._closed = Event()
        self._waiting = Lock()

    def wait(self, seconds: float) -> tuple[tuple[int, Stored], ...]:
        """The next entries with their numbers; none if none came in time.

        A store that cannot be read is a ``StoreError``; the follower keeps its place, and the
        next call goes on from there.
        """
        deadline = monotonic() + seconds
        with self._waiting:
            while not self._closed.is_set():
                if entries := self._store.follow(self.position, BATCH):
                    self.position = entries[-1][0]
                    return entries
                left = deadline - monotonic()
                if left <= 0:
                    break
                self._signal.wait(min(left, POLL))
        return ()

    def close(self) -> None:
        """Wake a waiting thread with an empty result, and end."""
        self._closed.set()
        with self._waiting:
            self._signal.close()
