"""Rate limit: a token bucket for each principal, so that one client cannot starve the others.

Many phones come from one address: those who try out codes there must not lock the others out.
A single worker counts in its own memory, as every request pays for it; several count together.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic

from service.shared_state import SharedState

KNOWN_SECONDS = 3600.0
TELL_EVERY = 1.0
"""Seconds within which an address is not told to be known again."""
SWEEP_EVERY = 1000
"""After so many requests, buckets that are full again and addresses nobody knows are dropped."""

_TAKE = """
INSERT INTO buckets VALUES (:kind, :who, :size - 1, :now)
ON CONFLICT (kind, who) DO UPDATE
SET level = min(:size, level + (:now - at) * :a_second) - 1, at = :now
WHERE min(:size, level + (:now - at) * :a_second) >= 1
"""
_LEVEL = "SELECT level + (:now - at) * :a_second FROM buckets WHERE kind = :kind AND who = :who"
_SWEEP = "DELETE FROM buckets WHERE kind = :kind AND level + (:now - at) * :a_second >= :size"


class TokenBuckets:
    """A request takes one token from the bucket of its principal; tokens are refilled with time.

    A bucket that was never used is full, so that a full one need not be kept.
    """

    def __init__(
        self, a_second: float, size: float, clock: Callable[[], float] = monotonic
    ) -> None:
        self.a_second, self.size = a_second, max(size, 1.0)
        self._clock = clock
        self._lock = Lock()
        self._levels: dict[str, tuple[float, float]] = {}
        """By principal, the level of the bucket, and when it had that level."""
        self._taken = 0

    def give_back(self, principal: str) -> None:
        """Refund the token that a request has just taken."""
        with self._lock:
            if principal in self._levels:
                level, at = self._levels[principal]
                self._levels[principal] = min(self.size, level + 1), at

    def take(self, principal: str) -> float:
        """0 if the request may pass; else the seconds to wait (``Retry-After``)."""
        now = self._clock()
        with self._lock:
            if self._sweeps():
                self._levels = {
                    other: bucket
                    for other, bucket in self._levels.items()
                    if self._refilled(bucket, now) < self.size
                }
            level = self._refilled(self._levels.get(principal, (self.size, now)), now)
            if level < 1:
                return (1 - level) / self.a_second
            self._levels[principal] = level - 1, now
            return 0.0

    def _refilled(self, bucket: tuple[float, float], now: float) -> float:
        level, at = bucket
        return min(self.size, level + (now - at) * self.a_second)

    def _sweeps(self) -> bool:
        """Whether it is time to drop the buckets that are full again."""
        self._taken += 1
        return self._taken % SWEEP_EVERY == 0


class SharedTokenBuckets(TokenBuckets):
    """The same buckets for all workers of a service."""

    def __init__(
        self,
        a_second: float,
        size: float,
        clock: Callable[[], float] = monotonic,
        *,
        kind: str,
        state: SharedState,
    ) -> None:
        super().__init__(a_second, size, clock)
        self._kind, self._state = kind, state

    def give_back(self, principal: str) -> None:
        sql = "UPDATE buckets SET level = min(?, level + 1) WHERE kind = ? AND who = ?"
        self._state.change(sql, (self.size, self._kind, principal))

    def take(self, principal: str) -> float:
        bucket = {
            "kind": self._kind,
            "who": principal,
            "size": self.size,
            "a_second": self.a_second,
            "now": self._clock(),
        }
        if self._sweeps():
            self._state.change(_SWEEP, bucket)
        if self._state.change(_TAKE, bucket):
            return 0.0
        levels = self._state.rows(_LEVEL, bucket)
        return (1 - min(levels[0][0], 1)) / self.a_second if levels else 0.0


class KnownAddresses:
    """Addresses from which somebody has lately asked with a good token, as from a hall."""

    def __init__(
        self, clock: Callable[[], float] = monotonic, *, state: SharedState | None = None
    ) -> None:
        self._clock = clock
        self._state = state or SharedState()
        self._told: dict[str, float] = {}
        """When this worker has told the others, so that not every request does."""

    def add(self, address: str) -> None:
        now = self._clock()
        if now - self._told.get(address, -TELL_EVERY) < TELL_EVERY:
            return
        if len(self._told) >= SWEEP_EVERY:
            self._told.clear()
            self._state.change("DELETE FROM known WHERE at <= ?", (now - KNOWN_SECONDS,))
        self._told[address] = now
        self._state.change("INSERT OR REPLACE INTO known VALUES (?, ?)", (address, now))

    def __contains__(self, address: str) -> bool:
        sql = "SELECT 1 FROM known WHERE address = ? AND at > ?"
        return bool(self._state.rows(sql, (address, self._clock() - KNOWN_SECONDS)))
