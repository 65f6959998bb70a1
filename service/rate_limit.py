"""Rate limit: a token bucket for each principal, so that one client cannot starve the others.

Many phones come from one address: those who try out codes there must not lock the others out.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from time import monotonic

MOST_VISITORS = 50_000
"""Buckets kept; beyond that the least recently used one is dropped, and starts full again."""


KNOWN_SECONDS = 3600.0


class TokenBuckets:
    """A request takes one token from the bucket of its principal; tokens are refilled with time."""

    def __init__(
        self, a_second: float, size: float, clock: Callable[[], float] = monotonic
    ) -> None:
        self.a_second, self.size = a_second, max(size, 1.0)
        self._clock = clock
        self._lock = Lock()
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def give_back(self, principal: str) -> None:
        """Refund the token that a request has just taken."""
        with self._lock:
            if principal in self._levels:
                level, since = self._levels[principal]
                self._levels[principal] = (min(self.size, level + 1), since)

    def take(self, principal: str) -> float:
        """0 if the request may pass; else the seconds to wait (``Retry-After``)."""
        with self._lock:
            now = self._clock()
            level, since = self._levels.pop(principal, (self.size, now))
            level = min(self.size, level + (now - since) * self.a_second)
            passes = level >= 1
            self._levels[principal] = (level - 1 if passes else level, now)
            while len(self._levels) > MOST_VISITORS:
                self._levels.popitem(last=False)
        return 0.0 if passes else (1 - level) / self.a_second


class KnownAddresses:
    """Addresses from which somebody has lately asked with a good token, as from a hall."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._seen: OrderedDict[str, float] = OrderedDict()

    def add(self, address: str) -> None:
        with self._lock:
            self._seen[address] = self._clock()
            self._seen.move_to_end(address)
            while len(self._seen) > MOST_VISITORS:
                self._seen.popitem(last=False)

    def __contains__(self, address: str) -> bool:
        with self._lock:
            return address in self._seen and self._clock() - self._seen[address] < KNOWN_SECONDS
