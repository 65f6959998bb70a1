"""Which actions fulfil which duty."""

from __future__ import annotations

from engines.bethel_woods import actions as act
from engines.bethel_woods.kit import Box
from engines.kernel import Audit, Hearing, Rulebook, RuleContext

Rule = Hearing[Box]
AnyTable = RuleContext[Box]

rules = Rulebook(
    {
        "character": (act.DealCharacter,),
        "position": (act.Position,),
        "added_spy": (act.RevealSpy,),
        "setup_draw": (act.DrawMalfunction,),
        "take": (act.TakeWorkers,),
        "sow": (act.DropWorker, act.Build),
        "fix": (act.FixMalfunctions,),
        "uncover": (act.UncoverSpy,),
        "ability": (act.Harris, act.Junas, act.Linny, act.Violet),
        "lower": (act.LowerTile,),
        "end": (act.EndTurn,),
        "discard": (act.DiscardKnowledge,),
        "draw": (act.DrawMalfunction,),
        "crit": (act.RevealTile,),
        "spy": (act.RevealSpy,),
        "": (Audit,),
    },
    audit="BTW-AUDIT-1",
)
