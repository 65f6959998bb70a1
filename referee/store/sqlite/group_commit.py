"""Threads that write at the same moment share one transaction, and with it one sync of the disk."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from threading import Lock

from eventsourcing.persistence import IntegrityError, StoredEvent


class PendingWrite:
    """Entries that somebody wants to have written: all of them, or none."""

    def __init__(self, events: Sequence[StoredEvent], keys: Sequence[str], number: int | None):
        self.events, self.keys, self.number = events, keys, number
        self.outcome: Sequence[int] | IntegrityError | None = None
        """The numbers of the entries once they are kept, or why they do not fit."""


class LockTimeout(Exception):
    """It was nobody's turn for too long."""


class GroupCommit:
    """Whoever has the turn writes what all who wait for it have wished.

    Nobody waits for company: what comes while one transaction is synced makes up the next one.
    """

    def __init__(self) -> None:
        self._turn = Lock()
        self._waiting: deque[PendingWrite] = deque()

    def fulfilled(
        self, wish: PendingWrite, write: Callable[[], None], patience: float
    ) -> Sequence[int]:
        """What became of a wish; ``write`` settles all that are ``taken``, or fails.

        If it fails nothing was kept, and everybody else in it tries for themselves.
        """
        self._await_turn(wish, patience)
        try:
            if wish.outcome is None:
                if wish not in self._waiting:  # whoever had taken it has failed
                    self._waiting.append(wish)
                write()
        finally:
            self._withdraw(wish)
            self._turn.release()
        if isinstance(wish.outcome, IntegrityError):
            raise wish.outcome
        assert wish.outcome is not None
        return wish.outcome

    def taken(self) -> list[PendingWrite]:
        """All that wait, in the order in which they came."""
        return [self._waiting.popleft() for _ in range(len(self._waiting))]

    def _await_turn(self, wish: PendingWrite, patience: float) -> None:
        try:
            self._waiting.append(wish)
            if self._turn.acquire(timeout=patience):
                return
        except BaseException:  # whoever is interrupted wishes nothing any more
            self._withdraw(wish)
            raise
        if self._withdraw(wish):
            raise LockTimeout
        self._turn.acquire()  # another thread is writing it just now

    def _withdraw(self, wish: PendingWrite) -> bool:
        """Whether it still waited; from now on nobody writes it."""
        try:
            self._waiting.remove(wish)
        except ValueError:
            return False
        return True
