"""What is heard when: the actions that fulfil each duty of a turn."""

from __future__ import annotations

from engines.benevolent.actions import (
    SITE_ACTIONS,
    Again,
    End,
    Gather,
    LayForest,
    LayPyramid,
    OpenTable,
    PlaceStep,
    Position,
    Use,
)
from engines.benevolent.kit import Box
from engines.kernel import Audit, Hearing, Rulebook, Step

rules = Rulebook(
    {
        "table": (OpenTable,),
        "forest": (LayForest,),
        "pyramid": (LayPyramid, Position),
        "move": (PlaceStep,),
        "action": (Gather, *SITE_ACTIONS),
        "secret": (Use, Again),
        "after": (End, Use, Again),
        "": (Audit,),
    }
)

Rule = Hearing[Box]

TURN = (Step("move"), Step("action"), Step("after"))
"""The phases of a turn, each a derived step that says what is owed."""
