"""SplitMix64: a small pseudo-random generator whose draws can be repeated from a seed.

Its numbers depend on the seed alone, not on the version of Python, so that a pairing can be
computed again years later, and in another language.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1


class SplitMix64:
    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def below(self, limit: int) -> int:
        """A number from 0 to ``limit`` - 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return ((mixed ^ (mixed >> 31)) * limit) >> 64

    def one_in(self, chances: int) -> bool:
        return self.below(chances) == 0

    def shuffled(self, items: Iterable[T]) -> list[T]:
        found = list(items)
        for last in range(len(found) - 1, 0, -1):
            other = self.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found

    def pick(self, items: list[T]) -> T:
        return items[self.below(len(items))]
