"""Broom Service: witches, druids and gatherers, brave or cowardly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.broom_service import actions, choices
from engines.broom_service.actions import ROLES
from engines.broom_service.describe import describe
from engines.broom_service.hiding import hide
from engines.broom_service.holdings import hand, held, points
from engines.broom_service.kit import Box
from engines.broom_service.rules import (
    audits,
    book,
    clouds,
    events,
    performing,
    positions,
    roles,
    rounds,
    setup,
    tiles,
    timing,
    turns,
)
from engines.broom_service.sealed import check_hand
from engines.broom_service.state import Tableau, balance, result
from engines.kernel import Action, Engine, Faces, Holdings, Positions, Secrecy, Setting, Speech

if TYPE_CHECKING:
    from engines.kernel.box.guide import Guide
    from engines.kernel.picture.layout import Sheet
    from engines.kernel.picture.svg import Picture


def _picture(state: Tableau, setting: Setting[Box], speech: Speech, last: Action | None) -> Sheet:
    from engines.broom_service.picture import picture

    return picture(state, setting, speech, last)


def _thing(word: str, setting: Setting[Box], speech: Speech) -> Picture | None:
    from engines.broom_service.picture import component

    return component(word, setting, speech)


def _guide() -> Guide[Box]:
    from engines.broom_service.guide import GUIDE

    return GUIDE


ENGINE = Engine(
    id="broom_service",
    package="engines.broom_service",
    version="1.3",
    edition="alea 2015",
    seats=(2, 5),
    kit=Box,
    opening=actions.Table,
    actions=actions.ACTIONS,
    rules=book.rules,
    chapters=(
        setup,
        rounds,
        turns,
        roles,
        performing,
        events,
        clouds,
        tiles,
        timing,
        positions,
        audits,
        choices,
    ),
    result=result,
    balance=balance,
    holdings=Holdings(
        held,
        points,
        lambda state: state.round.number,
        by_round=True,
        hand=hand,
        in_hands=lambda setting: ROLES,
        undeclared=frozenset({"boltless"}),
    ),
    positions=Positions(
        actions.Position,
        positions.position_of,
        in_any_order=(
            "seen",
            "occupied",
            "players.*.amulets",
            "players.*.holds",
            "players.*.passed",
        ),
    ),
    faces=Faces(describe, _picture, thing=_thing),
    guide=_guide,
    secrecy=Secrecy(hide, sealed={"hand": check_hand}),
    bgg=172308,  # boardgamegeek.com/boardgame/172308/broom-service
)
