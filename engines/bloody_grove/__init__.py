"""Bloody Grove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.bloody_grove import actions, choices
from engines.bloody_grove.describe import describe
from engines.bloody_grove.hiding import hide
from engines.bloody_grove.holdings import hand, held, points
from engines.bloody_grove.kit import Box
from engines.bloody_grove.rules import audits, book, ending, positions, setup, timing, turns
from engines.bloody_grove.sealed import check_hand, check_look
from engines.bloody_grove.state import Tableau, balance, result
from engines.kernel import Action, Engine, Faces, Holdings, Positions, Secrecy, Setting, Speech

if TYPE_CHECKING:
    from engines.kernel.box.guide import Guide
    from engines.kernel.picture.layout import Sheet
    from engines.kernel.picture.svg import Picture


def _picture(state: Tableau, setting: Setting[Box], speech: Speech, last: Action | None) -> Sheet:
    from engines.bloody_grove.picture import picture

    return picture(state, setting, speech, last)


def _thing(word: str, setting: Setting[Box], speech: Speech) -> Picture | None:
    from engines.bloody_grove.picture import component

    return component(word, setting, speech)


def _card_key(setting: Setting[Box], speech: Speech) -> Picture:
    from engines.bloody_grove.key import card_key

    return card_key(setting, speech)


def _guide() -> Guide[Box]:
    from engines.bloody_grove.guide import GUIDE

    return GUIDE


ENGINE = Engine(
    id="bloody_grove",
    package="engines.bloody_grove",
    version="1.3",
    edition="French rulebook",
    seats=(2, 2),
    kit=Box,
    opening=actions.Table,
    actions=actions.ACTIONS,
    rules=book.rules,
    chapters=(book, setup, turns, ending, timing, positions, audits, choices),
    result=result,
    balance=balance,
    holdings=Holdings(
        held,
        points,
        lambda state: state.flow.round,
        hand=hand,
        in_hands=lambda setting: setting.kit.spirits,
    ),
    positions=Positions(
        actions.Position,
        positions.position_of,
        in_any_order=("reserve", "discard", "box", "players.*.looked"),
    ),
    faces=Faces(describe, _picture, _card_key, _thing),
    guide=_guide,
    secrecy=Secrecy(hide, sealed={"hand": check_hand, "look": check_look}),
)
