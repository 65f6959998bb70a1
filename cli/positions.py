"""The option ``--position``: ask about a position from a file instead of a recorded game."""

from __future__ import annotations

from collections.abc import Sequence

from answers.context import open_store_context
from answers.play.sandbox import Sandbox, laid_out
from cli.session import Session
from referee.record.positions import PositionFile, read_position
from referee.untrusted.safe_toml import read_toml_file


def table(here: Session, position: str | None, lines: Sequence[str] = ()) -> Sandbox:
    """Caller and game to ask about: the current game, or a sandbox with the declared position."""
    if position is None:
        return Sandbox(here.caller, here.game_id(), ())
    here.store_context = open_store_context("memory:")
    return laid_out(here.caller, declared(position), lines)


def declared(file: str) -> PositionFile:
    return read_position(read_toml_file(file))
