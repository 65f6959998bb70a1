"""Process pool: a parallel map over streams of a store, or over any other items.

Each worker process opens the store itself and handles chunks of the items, most often streams.
Results come in the order of the items, and only a few chunks are in flight at a time: memory stays
flat however many there are.
"""

from __future__ import annotations

import gc
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from referee.store import open_store
from referee.store.event_store import Store

if TYPE_CHECKING:  # most stores are small, and nobody is asked to help
    from concurrent.futures import Future, ProcessPoolExecutor

R = TypeVar("R")
T = TypeVar("T")
Work = Callable[[Store, T], R]
"""A function of a module, or a ``partial`` of one: other processes find it by its name."""

SHARE = 8
FEW = 100
"""With fewer items, starting processes would take longer than the work."""
AHEAD = 3
"""Chunks in flight for each process."""
OBJECTS_BEFORE_COLLECTING = 100_000
"""GC threshold: more objects than a game has, so that folding one triggers no collection."""


def cores() -> int:
    """The number of processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_store(
    store: Store, parts: Sequence[T], work: Work[T, R], *, processes: int = 1
) -> Generator[R, None, None]:
    """Parallel map of ``work`` over the items, with a store; results in order."""
    if processes < 2 or len(parts) < FEW or store.url == "memory:":
        yield from (work(store, part) for part in parts)
        return
    pool = _pool(processes, store.url)
    yield from _shared(pool, processes, parts, partial(_answers, work), partial(work, store))


def map_items(work: Callable[[T], R], things: Sequence[T], *, processes: int = 1) -> Iterator[R]:
    """Parallel map of a module-level function over items; results in order."""
    if processes < 2 or len(things) < FEW:
        yield from map(work, things)
        return
    yield from _shared(_pool(processes), processes, things, partial(_made, work), work)


def _pool(processes: int, url: str | None = None) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(processes, get_context("spawn"), _begin, (url,))


def _shared(
    pool: ProcessPoolExecutor,
    processes: int,
    things: Sequence[T],
    there: Callable[[Sequence[T]], list[R]],
    here: Callable[[T], R],
) -> Iterator[R]:
    """Submit chunks to the pool; if a worker dies, the rest is computed in this process."""
    from concurrent.futures import BrokenExecutor

    shares = deque(things[at : at + SHARE] for at in range(0, len(things), SHARE))
    waiting: deque[tuple[Sequence[T], Future[list[R]]]] = deque()
    try:
        while shares or waiting:
            while shares and len(waiting) < AHEAD * processes:
                with _undisturbed():
                    waiting.append((shares[0], pool.submit(there, shares[0])))
                shares.popleft()
            yield from waiting[0][1].result()
            waiting.popleft()
    except BrokenExecutor:  # a process was killed
        for share in (*(share for share, _ in waiting), *shares):
            yield from map(here, share)
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Block SIGINT while workers are spawned: Ctrl-C is for the parent, which ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_store: Store


def _begin(url: str | None) -> None:
    global _store
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    gc.set_threshold(OBJECTS_BEFORE_COLLECTING)
    if url is not None:
        _store = open_store(url, create=False)


def _end_with_parent() -> None:
    """Watchdog thread of a worker: exit when the parent process has died."""
    from multiprocessing import parent_process

    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _answers(work: Work[T, R], parts: Sequence[T]) -> list[R]:
    return [work(_store, part) for part in parts]


def _made(work: Callable[[T], R], things: Sequence[T]) -> list[R]:
    return [work(thing) for thing in things]
