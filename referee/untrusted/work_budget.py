"""A budget of work for files from elsewhere.

It belongs to the thread that does the work. Whoever works through entries asks ``check_budget``
from time to time, and charges what an entry has cost; where nobody has set a budget, there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from threading import local
from time import monotonic

from referee.errors import Unfit

AN_ENTRY = 10
"""Actions that an entry may have judged again: a record costs what reading it costs. What some
of its corrections cost more comes out of a reserve:"""
RESERVE = 250_000
RESERVE_OF_STRANGER = 5_000
SECONDS = 10.0


class OverBudget(Unfit):
    """Nothing is wrong with a file but what it costs."""


class WorkBudget:
    """What one file may cost; of a stranger, if nothing else is said."""

    def __init__(self, seconds: float = SECONDS, reserve: int = RESERVE_OF_STRANGER) -> None:
        self.seconds, self._left = seconds, reserve
        self._judged = 0
        self._until = inf

    def begin(self) -> None:
        self._until = monotonic() + self.seconds

    def check(self) -> None:
        if monotonic() > self._until:
            raise OverBudget("too_much_work", seconds=round(self.seconds))

    def charge(self, judged: int) -> None:
        self._judged += judged
        self._left += AN_ENTRY - judged
        if self._left < 0:
            raise OverBudget("too_many_corrections", limit=self._judged - 1)


_HERE = local()


def _budget() -> WorkBudget | None:
    return getattr(_HERE, "budget", None)


@contextmanager
def working_under(budget: WorkBudget) -> Iterator[None]:
    """Run this thread's work under a budget."""
    _HERE.budget = budget
    budget.begin()
    try:
        budget.check()
        yield
    finally:
        _HERE.budget = None


@contextmanager
def reading_a_file() -> Iterator[None]:
    """Under the budget of this thread; where there is none, under that for files of anybody."""
    if _budget() is not None:
        yield
        return
    with working_under(WorkBudget(inf, RESERVE)):
        yield


def check_budget() -> None:
    """Raises ``OverBudget`` once the time of this thread is spent."""
    if (budget := _budget()) is not None:
        budget.check()


def charge_entry(judged: int) -> None:
    """Charge an entry for which so many actions were judged again."""
    if (budget := _budget()) is not None:
        budget.charge(judged)
