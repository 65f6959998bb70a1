"""Waiting for other processes, never for ever: one that has died must not hold up the tests."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from time import process_time
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

PATIENCE = 120.0
"""Seconds after which nothing more is to be expected, also on a busy machine."""


class Worker(Protocol):
    def join(self, timeout: float | None = None) -> None: ...
    def is_alive(self) -> bool: ...


def ended(*workers: Worker) -> None:
    """Processes or threads have come to their end; what does not is killed if it can be."""
    for worker in workers:
        worker.join(PATIENCE)
    late = [worker for worker in workers if worker.is_alive()]
    for worker in late:
        getattr(worker, "kill", lambda: None)()
    assert not late, f"still at work: {late}"


def received(receiver: Connection) -> Any:
    """What another process sends. Its end of the pipe must be closed here, so that its death
    is noticed at once."""
    assert receiver.poll(PATIENCE), "nothing was sent"
    return receiver.recv()


def awaited(work: Coroutine[Any, Any, T]) -> T:
    """What becomes of it, in a loop of its own: a browser test leaves one running in its thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result(PATIENCE)


@contextmanager
def no_toil(most: int) -> Iterator[None]:
    """It costs no more than so many sums of the first numbers here and now, on any machine."""
    began = process_time()
    sum(n * n for n in range(100_000))
    begun = process_time()
    yield
    assert process_time() - begun < most * (begun - began)
