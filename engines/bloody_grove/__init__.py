"""Bloody Grove."""

from engines.bloody_grove import actions, choices
from engines.bloody_grove.describe import describe
from engines.bloody_grove.guide import GUIDE
from engines.bloody_grove.hiding import hide
from engines.bloody_grove.holdings import held, points
from engines.bloody_grove.key import card_key
from engines.bloody_grove.kit import Box
from engines.bloody_grove.picture import picture
from engines.bloody_grove.rules import audits, book, ending, positions, setup, timing, turns
from engines.bloody_grove.sealed import check_hand, check_look
from engines.bloody_grove.state import balance, result
from engines.kernel import Engine, Faces, Holdings, Positions, Secrecy

ENGINE = Engine(
    id="bloody_grove",
    package="engines.bloody_grove",
    version="1.2",
    edition="French rulebook",
    seats=(2, 2),
    kit=Box,
    opening=actions.Table,
    actions=actions.ACTIONS,
    rules=book.rules,
    chapters=(book, setup, turns, ending, timing, positions, audits, choices),
    result=result,
    balance=balance,
    holdings=Holdings(held, points),
    positions=Positions(actions.Position, positions.position_of),
    faces=Faces(describe, picture, card_key),
    guide=GUIDE,
    secrecy=Secrecy(hide, sealed={"hand": check_hand, "look": check_look}),
)
