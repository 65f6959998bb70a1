"""Sandbox: a declared position in an in-memory store, so that any operation can be asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from answers.context import Caller, open_store_context
from engines.kernel.dialogue.clause_text import RecordedLine
from referee.errors import Unfit
from referee.record.positions import PositionFile, position_actions, position_sheet
from referee.table import openings, play
from referee.table.author import Author, By
from referee.table.openings import OpeningRefused

_WHOEVER_DECLARES = Author(role="judge")
"""A position is taken for what it is: nobody calls a judge because of it."""


class Sandbox(NamedTuple):
    """A caller on an in-memory store, the game there, and the numbers of the lines played."""

    caller: Caller
    game: str
    numbers: tuple[int, ...]


def laid_out(caller: Caller, position: PositionFile, lines: Sequence[str] = ()) -> Sandbox:
    """Lay out a position in memory and play lines from it as they happened; nothing is stored.

    Operations take this caller and game like any other.
    """
    here = caller.in_store_context(open_store_context("memory:"))
    engine, sheet = position_sheet(position)
    opened = openings.open_game(
        here.bench,
        position.game,
        position.table,
        kit=sheet,
        house_rules=position.house_rules,
        by=By(_WHOEVER_DECLARES),
    )
    if isinstance(opened, OpeningRefused):
        raise Unfit(
            "position_refused",
            line=RecordedLine(position.table, engine),
            clause=opened.verdict.clause,
        )
    game = opened.game.id
    for action in position_actions(engine, position):
        stands = position.stands and type(action) is engine.position
        heard = play.log(here.bench, game, action, stands=stands, by=By(_WHOEVER_DECLARES))
        if not heard.accepted:
            declared = RecordedLine(engine.text(action), engine)
            raise Unfit("position_refused", line=declared, clause=heard.verdict.clause)
    numbers = []
    for line in lines:
        for said in here.said(here.game(game), line):
            played = play.log(here.bench, game, said, stands=True, by=By(_WHOEVER_DECLARES))
            if played.number is None:
                clause = played.verdict.clause
                raise Unfit("position_refused", line=RecordedLine(said, engine), clause=clause)
            numbers.append(played.number)
    return Sandbox(here, game, tuple(numbers))
