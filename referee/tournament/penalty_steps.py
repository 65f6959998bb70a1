"""What the penalty guide proposes when a player repeats an infringement.

The levels of a guide are its steps, the mildest first. A proposal is told to the judge; nothing is
ever given because of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engines.kernel.messages.catalogue import normalize
from referee.tournament.plan import PenaltyLevel, Plan
from referee.tournament.state import Penalty, Tournament

USUAL_LEVELS = ("warning", "serious", "lost", "excluded")
"""Where the rules of no event say otherwise; from the mildest on."""
USUAL_GUIDE = tuple(PenaltyLevel(name=name) for name in USUAL_LEVELS)


def guide_of(plan: Plan) -> tuple[PenaltyLevel, ...]:
    """The published guide, else the usual one."""
    return plan.penalties or USUAL_GUIDE


def earlier(
    now: Tournament, player: str, infringement: str, clause: str | None = None
) -> tuple[Penalty, ...]:
    """The penalties in force that a player has for the same: the same clause, or the same words."""
    words = _words(infringement)
    return tuple(
        each
        for each in now.penalties
        if each.player == player
        and each.cancelled is None
        and (
            (clause is not None and each.clause == clause)
            or (words and _words(each.infringement or each.reason) == words)
        )
    )


def _words(text: str) -> str:
    return " ".join(normalize(text).split())


def step_of(guide: Sequence[PenaltyLevel], penalty: Penalty) -> int:
    """How far up the guide a penalty is: by its level, else the first one that costs as much."""
    for step, level in enumerate(guide):
        if penalty.level and normalize(level.name) == normalize(penalty.level):
            return step
    costs = (step for step, level in enumerate(guide) if level.halves >= penalty.halves)
    return next(costs, len(guide) - 1)


def next_step(
    guide: Sequence[PenaltyLevel], before: Iterable[Penalty]
) -> tuple[PenaltyLevel, bool]:
    """The step behind the severest one so far, and whether there was one left."""
    reached = max((step_of(guide, each) for each in before), default=-1)
    last = len(guide) - 1
    return guide[min(reached + 1, last)], reached < last
