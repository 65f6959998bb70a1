"""The registry of games: every engine published under the entry-point group, and how the
engine of a game is assembled from the files of its package."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any

from engines.kernel.engine.contract import Faces
from engines.kernel.engine.engine import Engine
from engines.kernel.messages.catalogue import Verbatim
from engines.kernel.messages.errors import ParseError, close_to, hint
from engines.kernel.messages.unsafe_text import defused
from engines.kernel.rules.actions import Action
from engines.kernel.rules.rulebook import Rulebook

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

LONGEST = 300
"""So much is told of an error that is somebody else's."""
GROUP = "referee.engines"
DISTRIBUTION = "referee"
"""The distribution that our own games are published in."""
PARTS = {
    "kit": "kit.Box",
    "opening": "actions.Table",
    "rules": "rules.book.rules",
    "result": "state.result",
    "balance": "state.balance",
}
"""Where the package of a game has the parts of its engine, by the names that ``Engine`` has."""
OPTIONAL_PARTS = {
    "holdings": "holdings.HOLDINGS",
    "positions": "rules.positions.POSITIONS",
    "secrecy": "hiding.SECRECY",
    "sight": "sight.SIGHT",
}
"""The same for parts that a game need not have."""


def entry_points(**wanted: Any) -> EntryPoints:
    """Those of all packages; a command that loads no game does not import what reads them."""
    from importlib import metadata

    return metadata.entry_points(group=GROUP).select(**wanted)


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


def assemble(
    package: str, *, version: str, edition: str, seats: tuple[int, int], **given: Any
) -> Engine[Any, Any]:
    """The engine of a game whose files have the usual names (``docs/write-a-game.md``).

    Other arguments of ``Engine`` can be ``given``: they are not looked for. What is drawn, said
    or asked about the box is imported when it is first needed.
    """
    there = {name: place for name, place in OPTIONAL_PARTS.items() if _has(package, place)}
    places = {name: place for name, place in (PARTS | there).items() if name not in given}
    parts = {name: _part(package, place) for name, place in places.items()} | given
    usual: dict[str, Any] = {
        "id": package.rpartition(".")[2],
        "actions": _actions(import_module(f"{package}.actions")),
        "chapters": _chapters(package, parts["rules"]),
        "faces": Faces(
            _late(package, "describe.describe"),
            _late(package, "picture.picture"),
            _late(package, "key.card_key") if _has(package, "key.card_key") else None,
            _late(package, "picture.component"),
            lambda *given: _named_spaces(package, *given),
        ),
    }
    if _has(package, "guide.GUIDE"):
        usual["guide"] = lambda: _part(package, "guide.GUIDE")
    given = usual | parts
    return Engine(package=package, version=version, edition=edition, seats=seats, **given)


def _actions(module: ModuleType) -> list[type[Action]]:
    """The actions that a module defines, in the order in which they are written."""
    return [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, Action)
        and kind.__module__ == module.__name__
        and "verb" in kind.__annotations__
    ]


def _chapters(package: str, rules: Rulebook) -> list[ModuleType]:
    """The modules that have written in a rulebook."""
    room = import_module(f"{package}.rules")
    names = [f"rules.{module.name}" for module in iter_modules(room.__path__)]
    modules = [import_module(f"{package}.{name}") for name in (*names, "choices")]
    return [module for module in modules if module.__name__ in rules.authors]


def _part(package: str, place: str) -> Any:
    """What a package has at a place, ``kit.Box`` say."""
    module, _, name = place.rpartition(".")
    return getattr(import_module(f"{package}.{module}"), name)


def _has(package: str, place: str) -> bool:
    """Whether a package has the module of a place."""
    return find_spec(f"{package}.{place.rpartition('.')[0]}") is not None


def _late(package: str, place: str) -> Callable[..., Any]:
    """A function of a package that is imported when it is first called."""
    return lambda *given: _part(package, place)(*given)


def _named_spaces(package: str, *given: Any) -> Iterable[str] | None:
    """The spaces of a picture; none are told by a game that only draws them."""
    name: Callable[..., Any] | None
    name = getattr(import_module(f"{package}.picture"), "spaces", None)
    return None if name is None else name(*given)


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


def _place(package: str, error: BaseException) -> str:
    """File and line of an error: those it names itself, or where the package was last at work."""
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        places.append((error.filename, error.lineno))
    for file, line in reversed(places):
        _, found, within = file.replace("\\", "/").rpartition(f"/{package}")
        if found:
            return f"{package}{within}:{line}"
    return package


def game_at_fault(error: BaseException) -> tuple[str, str] | None:
    """The plug-in out of whose own code an error comes, with file and line; no game of ours."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    packages = [str(each.f_globals.get("__name__", "")).partition(".")[0] for each in frames]
    games = {point.module.partition(".")[0]: point.name for point in entry_points()}
    for package in reversed(packages):
        if package in games and package != __name__.partition(".")[0]:
            return games[package], _place(package, error)
    return None


def _published(game: str) -> Iterator[EntryPoint]:
    """The entry point of a game. Our own come first: scanning all packages is slow."""
    from importlib.metadata import PackageNotFoundError, distribution

    with suppress(PackageNotFoundError):  # it may be run from where it was unpacked
        yield from distribution(DISTRIBUTION).entry_points.select(group=GROUP, name=game)
    yield from entry_points(group=GROUP, name=game)
