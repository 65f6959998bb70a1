"""Benevolent: walk the forest, gather leaves, be the first to own all five gifts."""

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
from engines.benevolent.choices import rules
from engines.benevolent.describe import describe
from engines.benevolent.kit import Box
from engines.benevolent.picture import picture
from engines.benevolent.state import balance, hide, position_of, result
from engines.kernel import Engine

ENGINE = Engine(
    id="benevolent",
    package="engines.benevolent",
    version="1.0",
    edition="Rules version 1.0, 2022",
    seats=(2, 4),
    kit=Box,
    opening=OpenTable,
    actions=(
        LayForest,
        LayPyramid,
        Position,
        PlaceStep,
        Gather,
        *SITE_ACTIONS,
        Use,
        Again,
        End,
    ),
    rules=rules,
    describe=describe,
    picture=picture,
    result=result,
    balance=balance,
    position=Position,
    position_of=position_of,
    hide=hide,
    private_facts=("leaves", "reserve", "derived"),
)
