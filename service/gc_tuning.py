"""Collections of garbage that keep nobody waiting.

A full collection goes through everything that is kept, and all requests wait for it: the longer,
the more tables are at hand. So what outlives one is set apart, and the next goes through what has
come since. Now and then everything is gone through again, for what was forgotten in a circle
after it was set apart.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping
from typing import Any

FULL = 2
EVERYTHING_AFTER = 500
"""So many full collections later, the next goes through everything."""


class GcFreezer:
    """Sets apart what outlives a full collection, from ``begin`` to ``end``."""

    def __init__(self, everything_after: int = EVERYTHING_AFTER) -> None:
        self._everything_after = everything_after
        self._collections = 0

    def begin(self) -> None:
        gc.callbacks.append(self._collected)
        gc.collect()

    def end(self) -> None:
        gc.callbacks.remove(self._collected)
        gc.unfreeze()

    def _collected(self, phase: str, about: Mapping[str, Any]) -> None:
        if phase != "stop" or about["generation"] != FULL:
            return
        self._collections += 1
        if self._collections % self._everything_after:
            gc.freeze()
        else:
            gc.unfreeze()


def set_apart() -> None:
    """What is there now stays, and need not outlive a collection first. The one that follows has
    nothing to go through, and by it is measured when the next is due."""
    gc.freeze()
    gc.collect()
