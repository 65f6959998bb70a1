"""Broom Service: witches, druids and gatherers, brave or cowardly."""

from engines.broom_service import choices as choices
from engines.broom_service.actions import (
    Chase,
    ChooseHand,
    Deliver,
    End,
    FlyOn,
    Gather,
    HandInSet,
    LayDead,
    Move,
    OpenFist,
    Pass,
    PlaceCloud,
    PlaceTile,
    PlayRole,
    Position,
    RevealCursed,
    RevealEvent,
    Table,
    TakeBonus,
    TakeEvent,
    UseTile,
)
from engines.broom_service.describe import describe
from engines.broom_service.kit import BroomKit
from engines.broom_service.picture import picture
from engines.broom_service.rules import rules
from engines.broom_service.sealed import check_hand
from engines.broom_service.state import balance, hide, position_of, result
from engines.kernel import Engine

ENGINE = Engine(
    id="broom_service",
    package="engines.broom_service",
    version="1.0",
    edition="alea 2015",
    seats=(2, 5),
    kit=BroomKit,
    opening=Table,
    actions=(
        PlaceCloud,
        PlaceTile,
        RevealEvent,
        RevealCursed,
        ChooseHand,
        PlayRole,
        LayDead,
        Pass,
        Gather,
        Move,
        Deliver,
        Chase,
        TakeEvent,
        UseTile,
        TakeBonus,
        FlyOn,
        End,
        OpenFist,
        HandInSet,
        Position,
    ),
    rules=rules,
    describe=describe,
    picture=picture,
    result=result,
    balance=balance,
    position=Position,
    position_of=position_of,
    hide=hide,
    sealed={"hand": check_hand},
)
