"""Roundforest: a race through a forest of turning tiles."""

from engines.kernel import Engine
from engines.roundforest import actions, kit
from engines.roundforest.choices import rules
from engines.roundforest.describe import describe
from engines.roundforest.picture import picture
from engines.roundforest.rules.positions import position_of
from engines.roundforest.state import balance, result

ENGINE = Engine(
    id="roundforest",
    package="engines.roundforest",
    version="1.0",
    edition="Piatnik 2020, French rules",
    seats=(2, 4),
    kit=kit.Box,
    opening=actions.Table,
    actions=actions.ACTIONS,
    rules=rules,
    describe=describe,
    picture=picture,
    result=result,
    balance=balance,
    position=actions.Position,
    position_of=position_of,
)
