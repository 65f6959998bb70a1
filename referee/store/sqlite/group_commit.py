"""Group commit: threads that write at the same moment share one transaction and one fsync."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from threading import Lock

from eventsourcing.persistence import IntegrityError, StoredEvent


class PendingWrite:
    """A write in the queue: entries to be stored, all of them or none."""

    def __init__(self, events: Sequence[StoredEvent], keys: Sequence[str], number: int | None):
        self.events, self.keys, self.number = events, keys, number
        self.outcome: Sequence[int] | IntegrityError | None = None
        """The numbers of the entries once they are kept, or why they do not fit."""


class LockTimeout(Exception):
    """The lock was not free within the time a writer waits for it."""


class GroupCommit:
    """The thread that holds the lock writes every queued write in one transaction.

    Nobody waits for company: what is queued while one transaction is synced makes up the next,
    so a lone writer is as quick as without, and many writers share the cost of the disk.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: deque[PendingWrite] = deque()

    def submit(
        self, pending: PendingWrite, write: Callable[[], None], timeout: float
    ) -> Sequence[int]:
        """Queue a write, wait for the lock, and write, or find that another thread has written it.

        ``write`` gives an outcome to everything it has ``taken``. If it raises, nothing was stored,
        and each of the others writes for itself.
        """
        self._acquire(pending, timeout)
        try:
            if pending.outcome is None:
                if pending not in self._waiting:  # the thread that had taken it has failed
                    self._waiting.append(pending)
                write()
        finally:
            self._withdraw(pending)
            self._lock.release()
        if isinstance(pending.outcome, IntegrityError):
            raise pending.outcome
        assert pending.outcome is not None
        return pending.outcome

    def taken(self) -> list[PendingWrite]:
        """Empty the queue: every write that waits, first come first."""
        return [self._waiting.popleft() for _ in range(len(self._waiting))]

    def _acquire(self, pending: PendingWrite, timeout: float) -> None:
        try:
            self._waiting.append(pending)
            if self._lock.acquire(timeout=timeout):
                return
        except BaseException:  # an interrupted thread wants nothing written any more
            self._withdraw(pending)
            raise
        if self._withdraw(pending):
            raise LockTimeout
        self._lock.acquire()  # another thread is writing it just now

    def _withdraw(self, pending: PendingWrite) -> bool:
        """Take a write out of the queue; whether it was still there."""
        try:
            self._waiting.remove(pending)
        except ValueError:
            return False
        return True
