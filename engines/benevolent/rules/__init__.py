"""The rules, a module for each heading of the rulebook; a clause is named where it is applied."""

from engines.benevolent.rules import (
    audit,
    move,
    position,
    repeats,
    secrets,
    setup,
    sites,
    turn,
)
from engines.benevolent.rules.book import rules

__all__ = ["audit", "move", "position", "repeats", "rules", "secrets", "setup", "sites", "turn"]
