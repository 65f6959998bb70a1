"""Which games reached a position: each public position as a key, compared across games.

Keys are made from what everybody at the table sees, so that what was hidden cannot be found out
by asking whether two tables are the same.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.record.game import Game
from referee.record.line import JudgedItem
from referee.secrecy.redaction import PUBLIC, seen
from referee.store.canonical_json import canonical, digest

_BITS = 15
"""Hexadecimal digits of a key: as much as an integer of SQLite holds."""


class ReachedPosition(NamedTuple):
    """A moment of a game: what lay on the table, and what was played then."""

    key: int
    number: int
    following: str
    """The next action; empty at the end, and where it is not everybody's to know."""


def position_key(public: Game, step: JudgedItem) -> int:
    """The same for two steps whose tables look the same to everybody."""
    engine, setting = public.engine, step.setting
    told = [engine.id, list(setting.seats), engine.compared(setting, step.state)]
    return int(digest(canonical(told))[:_BITS], 16)


def reached_positions(game: Game) -> tuple[ReachedPosition, ...]:
    """Every position of a finished game; of one in play nothing is told.

    A reading that is fixed is no position of its own: it is that of the action before.
    """
    if game.closed is None:
        return ()
    public = seen(game, PUBLIC)
    steps = list(public.steps)
    following = [*(_line(public, step) for step in steps[1:]), ""]
    found: dict[tuple[int, int], ReachedPosition] = {}
    number = 0
    for step, then in zip(steps, following, strict=True):
        number = step.number or number
        key = position_key(public, step)
        found[key, number] = ReachedPosition(key, number, then)
    return tuple(found.values())


def _line(game: Game, step: JudgedItem) -> str:
    return game.engine.text(step.action) if step.action is not None else ""
