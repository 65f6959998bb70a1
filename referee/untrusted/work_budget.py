"""A budget of work for strangers: what one request may cost, and an end when its client goes.

It belongs to the thread that does the work. Whoever works through entries asks ``check_budget``
from time to time; where nobody has set a budget, there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, local
from time import monotonic

from referee.errors import Unfit

JUDGED_AGAIN = 50_000
"""Actions that may be judged again for an anonymous record, over all its corrections."""
SECONDS = 10.0


class WorkBudget:
    """What one anonymous request may cost."""

    def __init__(self, seconds: float = SECONDS, judged_again: int = JUDGED_AGAIN) -> None:
        self.seconds, self.judged_again = seconds, judged_again
        self._until: float | None = None
        self.cancelled = Event()
        """Set when the client has disconnected."""

    def begin(self) -> None:
        self._until = monotonic() + self.seconds

    def check(self) -> None:
        if self.cancelled.is_set() or (self._until is not None and monotonic() > self._until):
            raise Unfit("too_much_work", seconds=round(self.seconds))


_HERE = local()


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


def check_budget() -> None:
    """Raises ``Unfit`` once this thread's budget is spent, or its client has gone."""
    budget: WorkBudget | None = getattr(_HERE, "budget", None)
    if budget is not None:
        budget.check()


def judged_again_at_most(usual: int) -> int:
    """How many actions may be judged again under this thread's budget."""
    budget: WorkBudget | None = getattr(_HERE, "budget", None)
    return usual if budget is None else min(usual, budget.judged_again)
