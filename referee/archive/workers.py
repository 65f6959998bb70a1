"""One question about many streams of a store, or about many other things, answered by all cores.

Each process opens the store for itself and answers for a share of the streams. Answers come in
the order of the streams, and only a few shares are under way at a time: memory stays flat
however many streams there are.
"""

from __future__ import annotations

import gc
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from typing import TypeVar

from referee.store import open_store
from referee.store.base import Store

R = TypeVar("R")
T = TypeVar("T")
Work = Callable[[Store, str], R]
"""A function of a module, or a ``partial`` of one: other processes find it by its name."""

SHARE = 8
FEW = 100
"""So many are answered for before other processes would have started."""
AHEAD = 3
"""Shares that are under way for each process."""
OBJECTS_BEFORE_COLLECTING = 100_000
"""More than a game is made of: it goes without being looked for."""


def cores() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def of_each(
    store: Store, streams: Sequence[str], work: Work[R], *, processes: int = 1
) -> Iterator[R]:
    """What ``work`` answers for each stream, in order."""
    if processes < 2 or len(streams) < FEW or store.url == "memory:":
        yield from (work(store, stream) for stream in streams)
        return
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _begin, (store.url,))
    yield from _shared(pool, processes, streams, partial(_answers, work), partial(work, store))


def of_all(work: Callable[[T], R], things: Sequence[T], *, processes: int = 1) -> Iterator[R]:
    """What a function of a module makes of each of many things, in order."""
    if processes < 2 or len(things) < FEW:
        yield from map(work, things)
        return
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _begin)
    yield from _shared(pool, processes, things, partial(_made, work), work)


def _shared(
    pool: ProcessPoolExecutor,
    processes: int,
    things: Sequence[T],
    there: Callable[[Sequence[T]], list[R]],
    here: Callable[[T], R],
) -> Iterator[R]:
    """What other processes answer for share after share; what one of them left, this one does."""
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
    """Processes that begin here are not interrupted from the keyboard: this one ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_store: Store


def _begin(url: str | None = None) -> None:
    global _store
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(OBJECTS_BEFORE_COLLECTING)
    if url is not None:
        _store = open_store(url, create=False)


def _answers(work: Work[R], streams: Sequence[str]) -> list[R]:
    return [work(_store, stream) for stream in streams]


def _made(work: Callable[[T], R], things: Sequence[T]) -> list[R]:
    return [work(thing) for thing in things]
