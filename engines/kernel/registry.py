"""The registry of games: every engine published under the entry-point group."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points
from typing import Any

from engines.kernel.engine.engine import Engine
from engines.kernel.messages.catalogue import Verbatim
from engines.kernel.messages.errors import ParseError, close_to, hint

GROUP = "referee.engines"
DISTRIBUTION = "referee"
"""The distribution that our own games are published in."""


def engine_ids() -> tuple[str, ...]:
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


@cache
def load_engine(game: str) -> Engine[Any, Any]:
    for point in _published(game):
        engine = point.load()
        if not isinstance(engine, Engine) or engine.id != game:
            raise TypeError(f"entry point {game!r} does not give an engine of that id")
        return engine
    games = engine_ids()
    told = hint(close_to(game, games), games)
    raise ParseError("unknown_game", game=Verbatim(game), games=games, hint=told)


def _published(game: str) -> Iterator[EntryPoint]:
    """The entry point of a game. Our own come first: scanning all packages is slow."""
    with suppress(PackageNotFoundError):  # it may be run from where it was unpacked
        yield from distribution(DISTRIBUTION).entry_points.select(group=GROUP, name=game)
    yield from entry_points(group=GROUP, name=game)
