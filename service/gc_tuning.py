"""Garbage collection tuning: short pauses by ``gc.freeze``.

A full collection stops every thread while it walks all container objects, and the cached games are
hundreds of thousands of them. So the survivors of each full collection are frozen: moved to the
permanent generation, which later collections skip.

One freeze after the cache warm-up is not enough. Longest pause with 150 tables of 60 actions while
more were logged: warmed up first, 366 ms without freezing and 53 ms with; each table loaded by its
first request, 381 ms without, 403 ms with one freeze at the start, 66 ms with one after each full
collection.

Frozen objects that become unreachable in a reference cycle would stay for ever, so that now and
then everything is thawed and collected again.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

FULL = 2
"""The oldest generation: a collection of it is a full one."""
THAW_EVERY = 500
"""Every so many full collections all objects are thawed: the next one walks everything."""


class GcFreezer:
    """Freezes the survivors of each full collection, from ``begin`` to ``end``.

    ``paused`` is told the seconds that each full collection has taken.
    """

    def __init__(
        self, paused: Callable[[float], None] = lambda _: None, thaw_every: int = THAW_EVERY
    ) -> None:
        self._paused, self._thaw_every = paused, thaw_every
        self._collections = 0
        self._begun = 0.0

    def begin(self) -> None:
        gc.callbacks.append(self._on_collection)
        gc.collect()

    def end(self) -> None:
        gc.callbacks.remove(self._on_collection)
        gc.unfreeze()

    def _on_collection(self, phase: str, about: Mapping[str, Any]) -> None:
        if about["generation"] != FULL:
            return
        if phase == "start":
            self._begun = perf_counter()
            return
        self._paused(perf_counter() - self._begun)
        self._collections += 1
        if self._collections % self._thaw_every:
            gc.freeze()
        else:
            gc.unfreeze()


def freeze_now() -> None:
    """Freeze what there is, without a pause to walk it first.

    The collection that follows is quick, and resets the threshold at which the next full one is
    due: a quarter of the objects that it has found.
    """
    gc.freeze()
    gc.collect()
