"""Leagues: the best n of m rounds count, and how often each player took part."""

from __future__ import annotations

from collections.abc import Sequence

from referee.tournament.plan import League, Plan
from referee.tournament.ranking.score_sheet import OPEN, Kind, Line

ATTENDED: frozenset[Kind] = frozenset({"played", "forfeit_win", "bye"})
"""Rounds in which a player was there."""


def counted_rounds(plan: Plan, lines: Sequence[Line]) -> frozenset[int]:
    """The rounds that count: all, or the best of a league; of equals the earlier ones."""
    told = [line for line in lines if line.kind not in OPEN]
    if isinstance(plan.format, League):
        told = sorted(told, key=lambda line: (-line.points, line.round))[: plan.format.counted]
    return frozenset(line.round for line in told)
