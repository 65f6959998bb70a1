"""The registry of games: every engine published under the entry-point group."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points
from typing import Any

from engines.kernel.engine.engine import Engine
from engines.kernel.messages.catalogue import Verbatim
from engines.kernel.messages.errors import ParseError, close_to, hint
from engines.kernel.messages.unsafe_text import defused

LONGEST = 300
"""So much is told of an error that is somebody else's."""
GROUP = "referee.engines"
DISTRIBUTION = "referee"
"""The distribution that our own games are published in."""


def engine_ids() -> tuple[str, ...]:
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def sound_engines() -> list[Engine[Any, Any]]:
    """The games that can be refereed, without those that cannot be loaded."""
    broken = broken_games()
    return [load_engine(game) for game in engine_ids() if game not in broken]


def broken_games() -> dict[str, ParseError]:
    """The games that are installed and cannot be loaded, with what is wrong and where."""
    found = {}
    for game in engine_ids():
        try:
            load_engine(game)
        except ParseError as error:
            found[game] = error
    return found


def package_of(game: str) -> str:
    """The Python package of an installed game, whether or not it can be loaded."""
    for point in _published(game):
        return point.module
    return load_engine(game).package


def load_engine(game: str) -> Engine[Any, Any]:
    found = _loaded(game)
    if isinstance(found, Engine):
        return found
    raise ParseError("broken_game", **found)


@cache
def _loaded(game: str) -> Engine[Any, Any] | dict[str, Any]:
    """The engine; or what is wrong with it, which is not found out again and again."""
    for point in _published(game):
        try:
            return _engine(point)
        except Exception as error:
            return _fault(game, point, error)
    games = engine_ids()
    told = hint(close_to(game, games), games)
    raise ParseError("unknown_game", game=Verbatim(game), games=games, hint=told)


def _engine(point: EntryPoint) -> Engine[Any, Any]:
    engine = point.load()
    if not isinstance(engine, Engine) or engine.id != point.name:
        raise TypeError(f"entry point {point.name!r} does not give an engine of that id")
    return engine


def _fault(game: str, point: EntryPoint, error: Exception) -> dict[str, Any]:
    """What a plug-in that cannot be imported is told with: its package, the line, the error."""
    package = point.dist.name if point.dist is not None else point.module
    told = f"{type(error).__name__}: {error}"
    return {
        "game": Verbatim(game),
        "package": Verbatim(package),
        "place": Verbatim(_place(point.module.partition(".")[0], error)),
        "why": Verbatim(defused(" ".join(told.split())[:LONGEST])),
    }


def _place(package: str, error: Exception) -> str:
    """File and line of an error: those it names itself, or where the package was last at work."""
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        places.append((error.filename, error.lineno))
    for file, line in reversed(places):
        _, found, within = file.replace("\\", "/").rpartition(f"/{package}")
        if found:
            return f"{package}{within}:{line}"
    return package


def _published(game: str) -> Iterator[EntryPoint]:
    """The entry point of a game. Our own come first: scanning all packages is slow."""
    with suppress(PackageNotFoundError):  # it may be run from where it was unpacked
        yield from distribution(DISTRIBUTION).entry_points.select(group=GROUP, name=game)
    yield from entry_points(group=GROUP, name=game)
