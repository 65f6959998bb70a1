"""The rules, one module per heading of the rulebook."""

from engines.bethel_woods.rules import (
    abilities,
    building,
    critical,
    flow,
    knowledge,
    placing,
    positions,
    setup,
    turn,
    uncovering,
)
from engines.bethel_woods.rules.book import rules

__all__ = [
    "abilities",
    "building",
    "critical",
    "flow",
    "knowledge",
    "placing",
    "positions",
    "rules",
    "setup",
    "turn",
    "uncovering",
]
