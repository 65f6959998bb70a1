"""The rules, one module per heading of the rulebook."""

from engines.broom_service.rules import (
    clouds,
    events,
    final,
    order,
    performing,
    positions,
    roles,
    rounds,
    setup,
    tiles,
    turns,
)
from engines.broom_service.rules.book import rules
from engines.broom_service.state import count

rules.counts("BRM-AUD-1")(count)

__all__ = [
    "clouds",
    "events",
    "final",
    "order",
    "performing",
    "positions",
    "roles",
    "rounds",
    "rules",
    "setup",
    "tiles",
    "turns",
]
