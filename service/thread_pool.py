"""The thread pool: whatever blocks (judging, writing, drawing) runs off the event loop.

It is asyncio's own default executor, so that the API, the pages and the live streams share one
pool: ``asyncio.to_thread`` uses the same threads.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from referee.untrusted.work_budget import WorkBudget, working_under
from service.problems import HttpRefusal

THREADS = 16
"""On a disk or a server: who waits for it needs no processor, and is written with who else waits
(group commit)."""
THREADS_IN_MEMORY = 4
"""Where nobody waits for a store: threads that only compute take the interpreter's lock from each
other. With 16 of them an action took 1.05 to 1.1 times the processor."""
SLOW = 4
"""At most this many threads run slow operations, so that no table waits behind a statistic."""

STRANGERS = 1
"""Threads for requests without a token: one, whatever they ask for."""
WAITING = 16
"""Anonymous requests that may wait for it: together, and from one address."""
WAITING_OF_ADDRESS = 4

P = ParamSpec("P")
T = TypeVar("T")


class ThreadPool:
    """The pool of one service. Tasks beyond its size wait in a queue.

    A task is never cancelled: a client that has gone away may still have something written.
    """

    def __init__(self, threads: int = THREADS, slow: int = SLOW) -> None:
        self._threads = threads
        self._slow = asyncio.Semaphore(slow)
        self._strangers = ThreadPoolExecutor(STRANGERS, thread_name_prefix="stranger")
        self._waiting: Counter[str] = Counter()

    @classmethod
    def for_store(cls, url: str) -> ThreadPool:
        return cls(THREADS_IN_MEMORY, SLOW // 2) if url == "memory:" else cls()

    def open(self) -> None:
        """Become the default executor of the running event loop, which also shuts it down."""
        pool = ThreadPoolExecutor(self._threads, thread_name_prefix="worker")
        asyncio.get_running_loop().set_default_executor(pool)

    async def run(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        return await asyncio.to_thread(work, *args, **more)

    async def run_for_stranger(
        self, address: str, gone: Callable[[], Awaitable[object]], work: Callable[[], T]
    ) -> T | None:
        """Run the work of an anonymous request under a budget, in a separate thread.

        Returns None, and cancels the work, if the client disconnects (``gone``) first.
        """
        if self._waiting.total() >= WAITING or self._waiting[address] >= WAITING_OF_ADDRESS:
            raise HttpRefusal("too_often", "busy", {"Retry-After": "5"})
        budget = WorkBudget()

        def within_budget() -> T:
            with working_under(budget):
                return work()

        self._waiting[address] += 1
        doing = asyncio.get_running_loop().run_in_executor(self._strangers, within_budget)
        leaving = asyncio.ensure_future(gone())
        either: set[asyncio.Future[Any]] = {doing, leaving}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            return doing.result() if doing.done() else None
        finally:
            self._waiting -= Counter([address])
            leaving.cancel()
            if not doing.done():
                budget.cancelled.set()
                doing.cancel()

    async def run_slow(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """The same for what may take seconds: it waits while ``slow`` others are running."""
        async with self._slow:
            return await asyncio.to_thread(work, *args, **more)
