"""The clocks of a table, derived from the times of its entries and from who was to act.

Only the record starts or stops a clock: it runs for the seats that owe something, and for nobody
while the game is held, waits for a decision on pending actions, is over or closed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

from msgspec import Struct

from engines.kernel import evolve
from referee.errors import Conflicting
from referee.record.entries import ClockSet

EVERYBODY = "all"
"""The owner of a clock that all seats share."""


class Clock(Struct, frozen=True):
    """The time left after an entry, and whose clock runs from there."""

    rule: ClockSet
    seq: int
    """The entry that set it, or gave time to it last."""
    begun: int
    """The entry that set it: turns that were over before have brought no increment."""
    left: Mapping[str, timedelta]
    """By seat, or for ``EVERYBODY``; negative once the time is up."""
    since: str
    running: tuple[str, ...] = ()
    round: int | None = None

    @property
    def shared(self) -> bool:
        return self.rule.per == "round"

    def left_at(self, moment: str) -> dict[str, timedelta]:
        """The time left at a moment, if no entry came in between."""
        gone = _between(self.since, moment) if self.running else timedelta()
        return {
            whose: left - gone if whose in self.running else left
            for whose, left in self.left.items()
        }

    def given(self, data: ClockSet, seq: int) -> Clock:
        """A copy with time added (or taken away) for a seat, or for everybody."""
        if data.seat is not None and data.seat not in self.left:
            raise Conflicting("clock_is_shared")
        given = timedelta(seconds=data.given)
        left = {
            whose: left + given if data.seat in (None, whose) else left
            for whose, left in self.left.items()
        }
        return evolve(self, left=left, seq=seq)

    def ticked(
        self,
        moment: str,
        seats: Collection[str],
        round: int | None,
        turns: Mapping[str, int] = MappingProxyType({}),
    ) -> Clock:
        """The clock after an entry: charge those who were to act, and start those who are now.

        ``turns``: by seat, how many more turns are over in the line of play than before; each has
        brought the increment, and takes it along when it is taken back.
        """
        left = self.left_at(moment)
        for whose in left.keys() & turns.keys():
            left[whose] += timedelta(seconds=turns[whose] * self.rule.increment)
        if self.shared and round != self.round:
            left = _full(self.rule, [EVERYBODY])
        running = (EVERYBODY,) if self.shared and seats else tuple(dict.fromkeys(seats))
        since = max(self.since, moment)
        return evolve(self, left=left, since=since, running=running, round=round)


def new_clock(
    data: ClockSet, seq: int, moment: str, seats: Iterable[str], round: int | None
) -> Clock:
    """A clock with its full time."""
    whose = [EVERYBODY] if data.per == "round" else seats
    return Clock(data, seq, seq, _full(data, whose), moment, round=round)


def _full(rule: ClockSet, whose: Iterable[str]) -> dict[str, timedelta]:
    return dict.fromkeys(whose, timedelta(seconds=rule.seconds or 0))


def _between(earlier: str, later: str) -> timedelta:
    """Elapsed time, never negative: the computer's clock may have been set back."""
    if later <= earlier:
        return timedelta()
    return datetime.fromisoformat(later) - datetime.fromisoformat(earlier)
