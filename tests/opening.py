"""Tables to ask about: opened as people open them, with so much played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from answers.context import Caller
from answers.play.actions import log
from answers.play.opening import NewAnswer, open_table


def new_table(
    caller: Caller, engine: str, opening: str, lines: Sequence[str] = (), **more: Any
) -> str:
    """The id of a new table, where all of these lines were taken."""
    opened = open_table(caller, engine, opening, **more).data
    assert isinstance(opened, NewAnswer), opened
    if lines:
        assert log(caller, opened.game, lines).outcome == "done"
    return opened.game
