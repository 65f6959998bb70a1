"""Bethel Woods, by Shem Phillips."""

from engines.bethel_woods import actions
from engines.bethel_woods.choices import rules
from engines.bethel_woods.describe import describe
from engines.bethel_woods.kit import BethelWoodsKit
from engines.bethel_woods.picture import picture
from engines.bethel_woods.rules.positions import position_of
from engines.bethel_woods.state import balance, result
from engines.kernel import Engine

ENGINE = Engine(
    id="bethel_woods",
    package="engines.bethel_woods",
    version="1.0",
    edition="French rules, Garphill Games 2016",
    seats=(2, 4),
    kit=BethelWoodsKit,
    opening=actions.Table,
    actions=(
        actions.DealCharacter,
        actions.Position,
        actions.RevealSpy,
        actions.DrawMalfunction,
        actions.TakeWorkers,
        actions.DropWorker,
        actions.FixMalfunctions,
        actions.UncoverSpy,
        actions.Build,
        actions.Harris,
        actions.Junas,
        actions.Linny,
        actions.Violet,
        actions.LowerTile,
        actions.EndTurn,
        actions.DiscardKnowledge,
        actions.RevealTile,
    ),
    rules=rules,
    describe=describe,
    picture=picture,
    result=result,
    balance=balance,
    position=actions.Position,
    position_of=position_of,
)
