"""Which games there are: whatever is published under the entry-point group."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from engines.kernel.engine import Engine
from engines.kernel.errors import BadForm, close_to, hint
from engines.kernel.words import Verbatim

GROUP = "referee.engines"


def engine_ids() -> tuple[str, ...]:
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


@cache
def load_engine(game: str) -> Engine[Any, Any]:
    for point in entry_points(group=GROUP, name=game):
        engine = point.load()
        if not isinstance(engine, Engine) or engine.id != game:
            raise TypeError(f"entry point {game!r} does not give an engine of that id")
        return engine
    games = engine_ids()
    told = hint(close_to(game, games), games)
    raise BadForm("unknown_game", game=Verbatim(game), games=games, hint=told)
