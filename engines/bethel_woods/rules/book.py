"""Which actions fulfil which duty."""

from __future__ import annotations

from typing import Any

from engines.bethel_woods.actions import (
    Build,
    DealCharacter,
    DiscardKnowledge,
    DrawMalfunction,
    DropWorker,
    EndTurn,
    FixMalfunctions,
    Harris,
    Junas,
    Linny,
    LowerTile,
    Position,
    RevealSpy,
    RevealTile,
    TakeWorkers,
    UncoverSpy,
    Violet,
)
from engines.bethel_woods.kit import Box
from engines.kernel import Audit, Hearing, Rulebook, RuleContext

Rule = Hearing[Box]
AnyTable = RuleContext[Box]


def follows(rule: Rule, clause: str, holds: object, **facts: Any) -> bool:
    """A clause that does not hold because another one is broken already is no second breach."""
    return bool(holds) if rule.breaches else rule(clause, holds, **facts)


rules = Rulebook(
    {
        "character": (DealCharacter,),
        "position": (Position,),
        "added_spy": (RevealSpy,),
        "setup_draw": (DrawMalfunction,),
        "take": (TakeWorkers,),
        "sow": (DropWorker, Build),
        "fix": (FixMalfunctions,),
        "uncover": (UncoverSpy,),
        "ability": (Harris, Junas, Linny, Violet),
        "lower": (LowerTile,),
        "end": (EndTurn,),
        "discard": (DiscardKnowledge,),
        "draw": (DrawMalfunction,),
        "crit": (RevealTile,),
        "spy": (RevealSpy,),
        "": (Audit,),
    },
    audit="BTW-AUDIT-1",
)
