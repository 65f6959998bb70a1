"""Roundforest: a race through a forest of turning tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.kernel import Action, Engine, Faces, Holdings, Positions, Setting, Speech
from engines.roundforest import actions, choices
from engines.roundforest.describe import describe
from engines.roundforest.holdings import held, sought
from engines.roundforest.kit import Box
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
from engines.roundforest.state import Tableau, balance, result

if TYPE_CHECKING:
    from engines.kernel.box.guide import Guide
    from engines.kernel.picture.layout import Sheet
    from engines.kernel.picture.svg import Picture


def _picture(state: Tableau, setting: Setting[Box], speech: Speech, last: Action | None) -> Sheet:
    from engines.roundforest.picture import picture

    return picture(state, setting, speech, last)


def _thing(word: str, setting: Setting[Box], speech: Speech) -> Picture | None:
    from engines.roundforest.picture import component

    return component(word, setting, speech)


def _guide() -> Guide[Box]:
    from engines.roundforest.guide import GUIDE

    return GUIDE


ENGINE = Engine(
    id="roundforest",
    package="engines.roundforest",
    version="1.3",
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
    holdings=Holdings(held, sought=sought),
    positions=Positions(
        actions.Position,
        positions.position_of,
        in_any_order=("players.*.pack", "players.*.debts"),
    ),
    faces=Faces(describe, _picture, thing=_thing),
    guide=_guide,
)
