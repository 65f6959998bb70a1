"""The clock of a round: how much time is used. The caller passes the current time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from msgspec import Struct, field

MINUTE = timedelta(minutes=1)


class RoundClock(Struct, frozen=True):
    """A clock that runs, is paused or was stopped. When time is up, it stops nothing."""

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
        """The time used, never negative: the computer's clock may have been set back."""
        running = now - self.since if self.since is not None else timedelta()
        return self.spent + max(running, timedelta())

    def left(self, now: datetime, table: int | None = None) -> timedelta:
        """The time left for a table; negative once it is up."""
        return self.allowed(table) * MINUTE - self.used(now)

    def ends(self, table: int | None = None) -> datetime | None:
        """When the time of a table will be up, if the clock keeps running."""
        if self.since is None:
            return None
        return self.since + self.allowed(table) * MINUTE - self.spent

    def allowed(self, table: int | None = None) -> int:
        """The minutes a table has in all."""
        return self.minutes + (self.extra.get(table, 0) if table is not None else 0)
