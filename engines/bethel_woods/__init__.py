"""Bethel Woods, by Shem Phillips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.bethel_woods import actions, choices
from engines.bethel_woods.describe import describe
from engines.bethel_woods.holdings import held
from engines.bethel_woods.kit import Box
from engines.bethel_woods.rules import (
    abilities,
    audits,
    book,
    building,
    critical,
    knowledge,
    placing,
    positions,
    setup,
    timing,
    turn,
    uncovering,
)
from engines.bethel_woods.state import Tableau, balance, result
from engines.kernel import Action, Engine, Faces, Holdings, Positions, Setting, Speech

if TYPE_CHECKING:
    from engines.kernel.box.guide import Guide
    from engines.kernel.picture.layout import Sheet
    from engines.kernel.picture.svg import Picture


def _picture(state: Tableau, setting: Setting[Box], speech: Speech, last: Action | None) -> Sheet:
    from engines.bethel_woods.picture import picture

    return picture(state, setting, speech, last)


def _thing(word: str, setting: Setting[Box], speech: Speech) -> Picture | None:
    from engines.bethel_woods.picture import component

    return component(word, setting, speech)


def _guide() -> Guide[Box]:
    from engines.bethel_woods.guide import GUIDE

    return GUIDE


ENGINE = Engine(
    id="bethel_woods",
    package="engines.bethel_woods",
    version="1.3",
    edition="French rules, Garphill Games 2016",
    seats=(2, 4),
    cooperative=True,
    kit=Box,
    opening=actions.Table,
    actions=actions.ACTIONS,
    rules=book.rules,
    chapters=(
        setup,
        turn,
        uncovering,
        building,
        abilities,
        knowledge,
        critical,
        placing,
        timing,
        positions,
        audits,
        choices,
    ),
    result=result,
    balance=balance,
    holdings=Holdings(held),
    positions=Positions(
        actions.Position,
        positions.position_of,
        in_any_order=("machines.*.tokens", "discard_pile"),
    ),
    faces=Faces(describe, _picture, thing=_thing),
    guide=_guide,
)
