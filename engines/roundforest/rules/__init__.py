"""The rules, a module for each heading of the rulebook."""

from engines.roundforest.rules import (
    altruists,
    arrival,
    audits,
    blocking,
    characters,
    chest,
    fairy,
    garnishing,
    moving,
    objects,
    positions,
    setup,
    spirit,
    timing,
    turn,
    wells,
)
from engines.roundforest.rules.book import rules

__all__ = [
    "altruists",
    "arrival",
    "audits",
    "blocking",
    "characters",
    "chest",
    "fairy",
    "garnishing",
    "moving",
    "objects",
    "positions",
    "rules",
    "setup",
    "spirit",
    "timing",
    "turn",
    "wells",
]
