"""The rules, a module for each heading of the rulebook."""

from engines.roundforest.rules import (  # noqa: F401 - importing them fills the rulebook
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

__all__ = ["rules"]
