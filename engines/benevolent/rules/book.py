"""What is heard when: the actions that fulfil each duty of a turn."""

from __future__ import annotations

from engines.benevolent import actions as act
from engines.benevolent.kit import Box
from engines.kernel import Audit, Hearing, Rulebook, Step

rules = Rulebook(
    {
        "table": (act.Table,),
        "forest": (act.LayForest,),
        "pyramid": (act.LayPyramid, act.Position),
        "move": (act.PlaceStep,),
        "action": (act.Gather, *act.SITE_ACTIONS),
        "secret": (act.Use, act.Again),
        "after": (act.End, act.Use, act.Again),
        "": (Audit,),
    },
    audit="BEN-AUDIT-1",
)

Rule = Hearing[Box]

TURN = (Step("move"), Step("action"), Step("after"))
"""The phases of a turn, each a derived step that says what is owed."""
