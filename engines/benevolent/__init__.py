"""Benevolent: walk the forest, gather leaves, be the first to own all five gifts."""

from engines.benevolent import actions, choices
from engines.benevolent.describe import describe
from engines.benevolent.guide import GUIDE
from engines.benevolent.hiding import hide
from engines.benevolent.holdings import held
from engines.benevolent.kit import Box
from engines.benevolent.picture import picture
from engines.benevolent.rules import (
    audits,
    book,
    move,
    positions,
    repeats,
    secrets,
    setup,
    sites,
    timing,
    turn,
)
from engines.benevolent.state import balance, result
from engines.kernel import Engine, Faces, Holdings, Positions, Secrecy

ENGINE = Engine(
    id="benevolent",
    package="engines.benevolent",
    version="1.2",
    edition="Rules version 1.0, 2022",
    seats=(2, 4),
    kit=Box,
    opening=actions.Table,
    actions=actions.ACTIONS,
    rules=book.rules,
    chapters=(
        setup,
        turn,
        move,
        sites,
        secrets,
        repeats,
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
    secrecy=Secrecy(hide, private_facts=("leaves", "reserve", "derived")),
)
