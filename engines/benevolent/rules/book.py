"""What is heard when: the actions that fulfil each duty of a turn."""

from __future__ import annotations

from engines.benevolent.actions import (
    SITE_ACTIONS,
    Again,
    End,
    Gather,
    LayForest,
    LayPyramid,
    PlaceStep,
    Position,
    Table,
    Use,
)
from engines.benevolent.kit import Box
from engines.kernel import Audit, Hearing, Rulebook, Step

rules = Rulebook(
    {
        "table": (Table,),
        "forest": (LayForest,),
        "pyramid": (LayPyramid, Position),
        "move": (PlaceStep,),
        "action": (Gather, *SITE_ACTIONS),
        "secret": (Use, Again),
        "after": (End, Use, Again),
        "": (Audit,),
    },
    audit="BEN-AUDIT-1",
)

Rule = Hearing[Box]

TURN = (Step("move"), Step("action"), Step("after"))
"""The phases of a turn, each a derived step that says what is owed."""
