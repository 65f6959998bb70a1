"""Roundforest: a race through a forest of turning tiles."""

from engines.kernel import Engine, Faces, Holdings, Positions
from engines.roundforest import actions, choices
from engines.roundforest.describe import describe
from engines.roundforest.guide import GUIDE
from engines.roundforest.holdings import held
from engines.roundforest.kit import Box
from engines.roundforest.picture import picture
from engines.roundforest.rules import (
    altruists,
    arrival,
    audits,
    blocking,
    book,
    characters,
    chest,
    fairy,
    garnishing,
    moving,
    objects,
    positions,
    setup,
    spirit,
    timing,
    turn,
    wells,
)
from engines.roundforest.state import balance, result

ENGINE = Engine(
    id="roundforest",
    package="engines.roundforest",
    version="1.2",
    edition="Piatnik 2020, French rules",
    seats=(2, 4),
    kit=Box,
    opening=actions.Table,
    actions=actions.ACTIONS,
    rules=book.rules,
    chapters=(
        setup,
        turn,
        moving,
        arrival,
        garnishing,
        objects,
        chest,
        fairy,
        characters,
        altruists,
        spirit,
        wells,
        blocking,
        timing,
        positions,
        audits,
        choices,
    ),
    result=result,
    balance=balance,
    holdings=Holdings(held),
    positions=Positions(actions.Position, positions.position_of),
    faces=Faces(describe, picture),
    guide=GUIDE,
)
