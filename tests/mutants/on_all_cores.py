"""Mutants tried by several processes, which share the trial by being forked from it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

M = TypeVar("M")
F = TypeVar("F")


def on_all_cores(fate: Callable[[M], F], mutants: Sequence[M], jobs: int) -> Iterator[F]:
    """The fate of each mutant, in their order."""
    if jobs == 1:
        yield from map(fate, mutants)
        return
    global _fate
    _fate = fate
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        yield from pool.imap(_forked_fate, mutants, chunksize=8)


_fate: Callable[[Any], Any]


def _forked_fate(mutant: Any) -> Any:
    return _fate(mutant)
