"""Which actions fulfil which duty."""

from __future__ import annotations

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
