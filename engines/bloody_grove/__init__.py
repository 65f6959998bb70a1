"""Bloody Grove."""

from engines.bloody_grove import actions as act
from engines.bloody_grove import choices
from engines.bloody_grove.describe import describe
from engines.bloody_grove.hiding import hide
from engines.bloody_grove.key import card_key
from engines.bloody_grove.kit import Box
from engines.bloody_grove.picture import picture
from engines.bloody_grove.rules import position_of, rules
from engines.bloody_grove.sealed import check_hand, check_look
from engines.bloody_grove.state import balance, result
from engines.kernel import Engine

ENGINE = Engine(
    id="bloody_grove",
    package="engines.bloody_grove",
    version="1.0",
    edition="French rulebook",
    seats=(2, 2),
    kit=Box,
    opening=act.Table,
    actions=(
        act.LayGroves,
        act.ShowElite,
        act.ShowVenerables,
        act.ChooseFirst,
        act.Draw,
        act.Look,
        act.Invoke,
        act.Transform,
        act.Recruit,
        act.Ruse,
        act.Arcane,
        act.End,
        act.Pass,
        act.Stow,
        act.Reveal,
        act.Take,
        act.Replace,
        act.Bottom,
        act.Position,
    ),
    rules=rules,
    describe=describe,
    picture=picture,
    result=result,
    balance=balance,
    position=act.Position,
    position_of=position_of,
    hide=hide,
    card_key=card_key,
    sealed={"hand": check_hand, "look": check_look},
)

__all__ = ["ENGINE", "choices"]
