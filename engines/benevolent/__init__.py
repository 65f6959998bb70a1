"""Benevolent: walk the forest, gather leaves, be the first to own all five gifts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.benevolent import actions, choices
from engines.benevolent.describe import describe
from engines.benevolent.hiding import hide
from engines.benevolent.holdings import held
from engines.benevolent.kit import Box
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
from engines.benevolent.state import Tableau, balance, result
from engines.kernel import Action, Engine, Faces, Holdings, Positions, Secrecy, Setting, Speech

if TYPE_CHECKING:
    from engines.kernel.box.guide import Guide
    from engines.kernel.picture.layout import Sheet
    from engines.kernel.picture.svg import Picture


def _picture(state: Tableau, setting: Setting[Box], speech: Speech, last: Action | None) -> Sheet:
    from engines.benevolent.picture import picture

    return picture(state, setting, speech, last)


def _thing(word: str, setting: Setting[Box], speech: Speech) -> Picture | None:
    from engines.benevolent.picture import component

    return component(word, setting, speech)


def _guide() -> Guide[Box]:
    from engines.benevolent.guide import GUIDE

    return GUIDE


ENGINE = Engine(
    id="benevolent",
    package="engines.benevolent",
    version="1.3",
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
    positions=Positions(
        actions.Position,
        positions.position_of,
        in_any_order=("players.*.forest", "players.*.ephemeral", "players.*.permanent", "used"),
    ),
    faces=Faces(describe, _picture, thing=_thing),
    guide=_guide,
    secrecy=Secrecy(hide, private_facts=("leaves", "reserve", "derived")),
)
