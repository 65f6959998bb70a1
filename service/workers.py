"""Worker processes: one service on several cores, on one store and one listening socket.

The supervisor starts the workers and starts those anew that have died. A worker is a service of its
own: entries reach the live streams of the others by the store, as they do between computers.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import connection, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic, sleep
from types import FrameType

from answers.context import open_store_context
from referee.errors import Unfit
from service.server import ListenAddress, drain_on_hangup, serve
from service.settings import Limits
from service.shared_state import SharedState
from service.strangers import end_with_parent, processes

LOOK_EVERY = 0.2
"""Seconds between two looks at whether a signal says to stop."""
BREATH = 1.0
"""Seconds before a worker is started anew that has died as soon as it was started."""
log = logging.getLogger("referee.service")


@dataclass(frozen=True)
class Work:
    """What each worker is told."""

    url: str
    place: ListenAddress
    listener: socket.socket
    limits: Limits | None = None
    verbose: bool = False
    cold: bool = False


def serve_with_workers(work: Work, count: int, ready: Callable[[], None] = lambda: None) -> None:
    """Serve with so many workers until a signal says to stop; all of them finish their requests."""
    with TemporaryDirectory(prefix="referee-") as folder:
        Supervisor(work, count, Path(folder) / "state").run(ready)


class Supervisor:
    """Starts workers, and starts anew whichever has died."""

    def __init__(self, work: Work, count: int, path: Path) -> None:
        self._work, self._count, self._path = work, count, path
        self._state = SharedState(path)
        self._workers: dict[BaseProcess, float] = {}
        """The workers, and since when they run."""
        self._stopping = False
        self._context = processes(__name__)

    def run(self, ready: Callable[[], None]) -> None:
        before = {number: signal.signal(number, self._stop) for number in _STOPS}
        drain_on_hangup(self._stop)
        try:
            starting = deque(self._start() for _ in range(self._count))
            if self._all_listen(starting):
                ready()
            while not self._stopping:
                connection.wait([worker.sentinel for worker in self._workers], LOOK_EVERY)
                self._replace_dead()
        finally:
            self._end()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _start(self) -> Connection:
        """A new worker; the connection says when it listens."""
        here, there = self._context.Pipe(duplex=False)
        worker = self._context.Process(  # type: ignore[attr-defined]
            target=_serve, args=(self._work, self._path, there), name="worker"
        )
        worker.start()
        there.close()
        self._workers[worker] = monotonic()
        return here

    def _all_listen(self, starting: deque[Connection]) -> bool:
        """Wait until all workers listen; False if the service is stopped meanwhile.

        One that dies meanwhile is started anew, as later; if they all do, something is wrong.
        """
        failed = 0
        while starting:
            worker = starting.popleft()
            while not self._stopping and not worker.poll(LOOK_EVERY):
                pass
            if self._stopping:
                return False
            try:
                worker.recv()
            except EOFError:
                if self._stopping:
                    return False
                failed += 1
                if failed > self._count:
                    raise Unfit("worker_failed") from None
                self._forget_dead()
                starting.append(self._start())
        return True

    def _forget_dead(self) -> None:
        for worker in [worker for worker in self._workers if not worker.is_alive()]:
            del self._workers[worker]
            self._state.forget(worker.pid or 0)

    def _replace_dead(self) -> None:
        for worker, since in [*self._workers.items()]:
            if worker.is_alive() or self._stopping:
                continue
            del self._workers[worker]
            self._state.forget(worker.pid or 0)
            log.warning("worker %s ended (%s) and is started anew", worker.pid, worker.exitcode)
            if monotonic() - since < BREATH:
                sleep(BREATH)
            self._start().close()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        """The first signal lets the workers finish; a second Ctrl-C ends them at once."""
        if self._stopping and number == signal.SIGINT:
            for worker in self._workers:
                worker.kill()
        self._stopping = True

    def _end(self) -> None:
        for worker in self._workers:
            worker.terminate()
        for worker in self._workers:
            worker.join()
        self._state.close()


_STOPS = (signal.SIGINT, signal.SIGTERM)


def _serve(work: Work, state: Path, ready: Connection) -> None:
    """One worker, from its start to its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # until the server has its own handler
    Thread(target=end_with_parent, daemon=True, name="supervisor").start()
    store_context = open_store_context(work.url, create=False)
    folder = _SharedFolder(state.parent)
    try:
        serve(
            store_context,
            work.place,
            work.listener,
            limits=work.limits,
            ready=lambda: _tell(ready),
            verbose=work.verbose,
            cold=work.cold,
            state=SharedState(state),
        )
    finally:
        store_context.close()
        folder.leave()


class _SharedFolder:
    """The temporary folder of a service; the last to leave it removes it, if nobody else can."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        self._take("LOCK_SH")

    def leave(self) -> None:
        supervisor = parent_process()
        if supervisor is not None and not supervisor.is_alive() and self._take("LOCK_EX"):
            rmtree(self._folder, ignore_errors=True)
        os.close(self._lock)

    def _take(self, kind: str) -> bool:
        """Whether the lock could be had; a try that fails gives up the one that was held, so that
        of two who try at once one gets it."""
        try:
            import fcntl

            fcntl.flock(self._lock, getattr(fcntl, kind) | fcntl.LOCK_NB)
        except (ImportError, OSError):
            return False
        return True


def _tell(ready: Connection) -> None:
    with suppress(OSError):  # nobody waits for one that was started anew
        ready.send(True)
    ready.close()
