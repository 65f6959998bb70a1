"""The time of a round: how much of it is used up. Whoever asks says what time it is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from msgspec import Struct, field

MINUTE = timedelta(minutes=1)


class RoundClock(Struct, frozen=True):
    """A clock that runs, is paused or was stopped. When time is up, it only says so."""

    minutes: int
    """The time of every table, extensions included."""
    extra: Mapping[int, int] = field(default_factory=dict)
    """More minutes, by table."""
    spent: timedelta = timedelta()
    """Used up before the clock was last set going."""
    since: datetime | None = None
    """Running since then; ``None``: it does not run."""
    stopped: bool = False
    """The time of the round was called off, not just interrupted."""

    def used(self, now: datetime) -> timedelta:
        """A computer whose clock was set back does not give time back."""
        running = now - self.since if self.since is not None else timedelta()
        return self.spent + max(running, timedelta())

    def left(self, now: datetime, table: int | None = None) -> timedelta:
        """What a table still has; less than nothing once its time is up."""
        return self.allowed(table) * MINUTE - self.used(now)

    def ends(self, table: int | None = None) -> datetime | None:
        """When the time of a table is up, if the clock runs on."""
        if self.since is None:
            return None
        return self.since + self.allowed(table) * MINUTE - self.spent

    def allowed(self, table: int | None = None) -> int:
        """The minutes of a table."""
        return self.minutes + (self.extra.get(table, 0) if table is not None else 0)
