"""The thread pool: whatever blocks (judging, writing, drawing) runs off the event loop.

It is asyncio's own default executor, so that the API, the pages and the live streams share one
pool: ``asyncio.to_thread`` uses the same threads.
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from contextvars import copy_context
from functools import partial
from math import inf
from pathlib import Path
from threading import Lock, get_ident
from time import monotonic
from typing import Any, Generic, ParamSpec, TypeVar

from referee import store
from referee.untrusted.work_budget import OverBudget

THREADS = 16
"""On a disk or a server: who waits for it needs no processor, and is written with who else waits
(group commit)."""
THREADS_IN_MEMORY = 4
"""Where nobody waits for a store: threads that only compute take the interpreter's lock from each
other. With 16 of them an action took 1.05 to 1.1 times the processor."""
SLOW = 4
"""At most this many threads run slow operations, so that no table waits behind a statistic."""

LIMIT = 30.0
"""Seconds that a request may take in its thread."""
LIMIT_SLOW = 600.0
"""The same for what is known to be slow: a file of a whole event, a backup."""
BRIEF = 1.0
"""Most is done before anybody looks whether the client is still there."""
EVERY = 0.5
"""Seconds between two looks at what is late."""
GRACE = 5.0
"""Seconds that the last writes are given when the service ends."""

_STORE = str(Path(store.__file__).parent)

P = ParamSpec("P")
T = TypeVar("T")


class Ended(BaseException):
    """Raised in a thread from outside: not an ``Exception``, so that nobody takes it for theirs."""


class Job(Generic[T]):
    """Work in a thread that ends when its time is over, or when nobody wants it any more.

    A thread cannot be killed, but an exception can be raised in it. Never while it is in the store:
    what is being written is written.
    """

    def __init__(self, work: Callable[[], T], limit: float) -> None:
        self._work, self._limit = work, limit
        self._lock = Lock()
        self._thread: int | None = None
        self._until = inf
        self._is_unwanted = False
        self._is_struck = False

    def __call__(self) -> T:
        with self._lock:
            self._thread, self._until = get_ident(), monotonic() + self._limit
        try:
            try:
                if self._is_unwanted:
                    raise Ended
                return self._work()
            finally:
                self._leave()
        except Ended:
            self._leave()
            raise OverBudget("took_too_long", seconds=round(self._limit)) from None

    def _leave(self) -> None:
        with self._lock:
            self._thread = None
        if self._is_struck:
            _take_what_is_raised()

    @property
    def is_late(self) -> bool:
        return self._is_unwanted or monotonic() > self._until

    def end(self) -> None:
        """Raise ``Ended`` in its thread. Whoever is in the store is asked again (``Threads``)."""
        self._is_unwanted = True
        with self._lock:
            if self._thread is not None and not _is_in_store(self._thread):
                self._is_struck = True
                _raise_in(self._thread, Ended)


def _is_in_store(thread: int) -> bool:
    frame = sys._current_frames().get(thread)
    while frame is not None:
        if frame.f_code.co_filename.startswith(_STORE):
            return True
        frame = frame.f_back
    return False


def _raise_in(thread: int, error: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _take_what_is_raised() -> None:
    """Wait for an ``Ended`` that was raised in this thread and has not arrived.

    It could be taken back, but an interpreter looks for ever for one that was: every call costs
    more, and until Python 3.12 the first one that a debugger or a tracer follows never returns.
    """
    try:
        for _ in range(3):  # it arrives where a loop goes back
            pass
    except Ended:
        pass


class Threads(ThreadPoolExecutor):
    """Threads whose work can be ended; of which none goes on for longer than its limit."""

    def __init__(self, count: int) -> None:
        super().__init__(count, thread_name_prefix="worker")
        self._jobs: set[Job[Any]] = set()
        self._loop = asyncio.get_running_loop()
        self._is_watched = False

    def submit(self, work: Callable[..., Any], /, *args: Any, **more: Any) -> Future[Any]:
        job = work if isinstance(work, Job) else Job(partial(work, *args, **more), LIMIT)
        self._jobs.add(job)
        future = super().submit(job)
        future.add_done_callback(lambda _: self._jobs.discard(job))
        if not self._is_watched:
            self._is_watched = True
            self._loop.call_later(EVERY, self._watch)
        return future

    def _watch(self) -> None:
        for job in tuple(self._jobs):
            if job.is_late:
                job.end()
        self._is_watched = bool(self._jobs)
        if self._is_watched:
            self._loop.call_later(EVERY, self._watch)

    async def end_all(self) -> bool:
        """End whatever goes on; False if something cannot be ended."""
        until = monotonic() + GRACE
        while self._jobs and monotonic() < until:
            for job in tuple(self._jobs):
                job.end()
            await asyncio.sleep(EVERY / 10)
        return not self._jobs


class ThreadPool:
    """The pool of one service. Tasks beyond its size wait in a queue.

    A write is not ended when its client goes: it may be half done. Everything is when its time is
    over.
    """

    def __init__(self, threads: int = THREADS, slow: int = SLOW) -> None:
        self._count = threads
        self._slow = asyncio.Semaphore(slow)
        self._threads: Threads | None = None

    @classmethod
    def for_store(cls, url: str) -> ThreadPool:
        return cls(THREADS_IN_MEMORY, SLOW // 2) if url == "memory:" else cls()

    def open(self) -> None:
        """Become the default executor of the running event loop, which also shuts it down."""
        self._threads = Threads(self._count)
        asyncio.get_running_loop().set_default_executor(self._threads)

    async def close(self) -> bool:
        """End what goes on; False if something cannot be ended."""
        return self._threads is None or await self._threads.end_all()

    async def run(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        return await asyncio.to_thread(work, *args, **more)

    async def run_slow(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """The same for what may take minutes: it waits while ``slow`` others are running."""
        async with self._slow:
            return await _begun(Job(_in_context(partial(work, *args, **more)), LIMIT_SLOW))

    async def run_for(
        self, gone: Callable[[], Awaitable[object]], work: Callable[[], T], *, slow: bool = False
    ) -> T | None:
        """The same for what only reads: None, and the work is ended, when the client goes first."""
        async with self._slow if slow else nullcontext():
            job = Job(_in_context(work), LIMIT_SLOW if slow else LIMIT)
            doing = _begun(job)
            try:
                await asyncio.wait((doing,), timeout=BRIEF)
                return doing.result() if doing.done() or await finished(doing, gone) else None
            finally:
                if not doing.done():
                    job.end()
                    _unheard(doing)


def _in_context(work: Callable[[], T]) -> Callable[[], T]:
    return partial(copy_context().run, work)


def _begun(job: Job[T]) -> asyncio.Future[T]:
    return asyncio.get_running_loop().run_in_executor(None, job)


async def finished(doing: asyncio.Future[Any], gone: Callable[[], Awaitable[object]]) -> bool:
    """Whether something was done before the client had gone."""
    leaving = asyncio.ensure_future(gone())
    try:
        await asyncio.wait({doing, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        leaving.cancel()
    if not doing.done():
        _unheard(doing)
    return doing.done()


def _unheard(doing: asyncio.Future[Any]) -> None:
    """Nobody asks how it ended."""
    doing.add_done_callback(lambda late: late.cancelled() or late.exception())
