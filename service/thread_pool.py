"""The thread pool: whatever blocks (judging, writing, drawing) runs off the event loop.

It is asyncio's own default executor, so that the API, the pages and the live streams share one
pool: ``asyncio.to_thread`` uses the same threads.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

THREADS = 16
SLOW = 4
"""At most this many threads run slow operations, so that no table waits behind a statistic."""

P = ParamSpec("P")
T = TypeVar("T")


class ThreadPool:
    """The pool of one service. Tasks beyond its size wait in a queue.

    A task is never cancelled: a client that has gone away may still have something written.
    """

    def __init__(self, threads: int = THREADS, slow: int = SLOW) -> None:
        self._threads = threads
        self._slow = asyncio.Semaphore(slow)

    def open(self) -> None:
        """Become the default executor of the running event loop, which also shuts it down."""
        pool = ThreadPoolExecutor(self._threads, thread_name_prefix="worker")
        asyncio.get_running_loop().set_default_executor(pool)

    async def run(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        return await asyncio.to_thread(work, *args, **more)

    async def run_slow(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """The same for what may take seconds: it waits while ``slow`` others are running."""
        async with self._slow:
            return await asyncio.to_thread(work, *args, **more)
