"""The rules, in the order of the rulebook."""

from engines.bloody_grove.rules import audit, ending, setup, timing, turns
from engines.bloody_grove.rules.book import rules
from engines.bloody_grove.rules.position import position_of

__all__ = ["audit", "ending", "position_of", "rules", "setup", "timing", "turns"]
