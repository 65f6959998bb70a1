"""Threads that do what would keep everybody else waiting: judging, writing, drawing."""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop, Future
from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class _Task(NamedTuple):
    loop: AbstractEventLoop
    done: Future[Any]
    work: Callable[[], Any]


class Hands:
    """So many threads at most, each started when all others are busy.

    There is little between a request and its thread: with the usual pools of threads the way
    there and back takes longer than many an answer.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._lock = Lock()
        self._threads = 0
        self._busy = 0

    @property
    def busy(self) -> bool:
        """Whether anything is under way."""
        return self._busy > 0

    async def do(self, work: Callable[[], T]) -> T:
        """What becomes of the work."""
        loop = asyncio.get_running_loop()
        done: Future[T] = loop.create_future()
        with self._lock:
            self._busy += 1
            begin = self._threads < min(self._busy, self._most)
            self._threads += begin
        self._tasks.put(_Task(loop, done, work))
        if begin:
            Thread(target=self._work, daemon=True, name="hand").start()
        return await done

    def rest(self) -> None:
        """Every thread ends once what was asked for is done."""
        with self._lock:
            for _ in range(self._threads):
                self._tasks.put(None)
            self._threads = 0

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                found, failed = task.work(), None
            except BaseException as error:
                found, failed = None, error
            with self._lock:
                self._busy -= 1
            if not task.loop.is_closed():
                task.loop.call_soon_threadsafe(_tell, task.done, found, failed)


def _tell(done: Future[Any], found: Any, failed: BaseException | None) -> None:
    """Whoever has gone in the meantime is told nothing."""
    if done.done():
        return
    if failed is None:
        done.set_result(found)
    else:
        done.set_exception(failed)
