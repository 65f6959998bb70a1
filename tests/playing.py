"""Random games at the tables of our own games: how each is set up."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engines.kernel import Action, Engine, Judgement, Opening, ParseError, Setting, evolve
from engines.kernel.registry import GROUP, load_engine
from referee.game_check import random_games
from referee.game_check.random_games import RandomGame as Game
from referee.game_check.random_games import Strays, Supply, bent, open_game, pick

__all__ = ["Game", "Strays", "bent", "open_game", "pick"]  # shared with those who play here

TABLES = Path(__file__).parent / "games"
SetUp = Callable[[random.Random], list[str]]
Crowd = Callable[[dict[str, Any], random.Random], dict[str, Any]]
"""Changes to a position that bring many into one place."""


@cache
def is_installed(game: str) -> bool:
    specs = [find_spec(point.module) for point in entry_points(group=GROUP, name=game)]
    return any(spec is not None and spec.origin is not None for spec in specs)


def playable_games() -> list[str]:
    """Games that are installed and say how their tables are set up: ``tests/games/<game>.py``.

    That module has ``SETUPS``, name to ``function(rng) -> lines`` from the opening to the
    first decision, and ``LINES_LIMIT``, after how many actions a random game may be cut. If
    something must be stated in mid-game that no option lists, ``supply(engine, setting,
    state, rng) -> line`` says it. If aimless games hardly ever end, ``hasten(position)`` gives
    the changes to a position that bring the end near. Some of the tables are ``crowded``.
    """
    return [path.stem for path in sorted(TABLES.glob("*.py")) if is_installed(path.stem)]


def tables_of(game: str) -> Any:
    return importlib.import_module(f"tests.games.{game}")


def replayed(
    engine: Engine[Any, Any], setting: Setting[Any], opening: Opening, actions: Iterable[Action]
) -> Iterator[Judgement[Any]]:
    """A whole game judged again; ends at the first action that is refused."""
    judgement = engine.open(setting, opening)
    yield judgement
    for number, action in enumerate(actions, start=1):
        if not judgement.accepted:
            return
        judgement = engine.judge(setting, judgement.state, action, number)
        yield judgement


def play_on(game: Game, rng: random.Random, limit: int) -> Iterator[list[Action]]:
    """Play to the end or to the limit; gives the options before each action."""
    supply: Supply | None = getattr(tables_of(game.engine.id), "supply", None)
    return random_games.play_on(game, rng, limit, supply)


def random_game(engine: Engine[Any, Any], setup: str, seed: int) -> Game:
    """A whole game, the same for the same seed."""
    tables = tables_of(engine.id)
    rng = random.Random(f"{engine.id} {setup} {seed}")
    game = open_game(engine, tables.SETUPS[setup](rng))
    for _ in play_on(game, rng, tables.LINES_LIMIT):
        pass
    return game


def crowded(game: str, start: SetUp, lines: int, crowd: Crowd) -> SetUp:
    """A start in mid-game: as far as an aimless one comes, crowded, and declared as it lies."""

    def set_up(rng: random.Random) -> list[str]:
        engine = load_engine(game)
        table = open_game(engine, start(rng))
        for _ in play_on(table, rng, len(table.judgements) + lines):
            pass
        fresh = engine.open(table.setting, table.opening).state
        late = [judged.state for judged in table.judgements if not judged.state.over][-lines // 2 :]
        while True:
            data = engine.positions.data_of(table.setting, rng.choice(late))
            action = engine.text.load({**data, **crowd(data, rng), "verb": "position"})
            with suppress(ParseError):  # nobody stands where an object is to be decided about
                if engine.judge(table.setting, fresh, action).accepted:
                    return [engine.text(table.opening), engine.text(action)]

    return set_up


def hastened(game: Game, rng: random.Random) -> Game:
    """Its last state, adjusted so that the end is near, and played on."""
    engine, tables = game.engine, tables_of(game.engine.id)
    assert engine.position_of is not None
    position = engine.position_of(game.state, game.setting).model_dump(mode="json")
    state = engine.positions.adjust(game.setting, game.state, tables.hasten(position))
    late = Game(engine, game.opening, game.setting, [evolve(game.judgements[-1], state=state)])
    for _ in play_on(late, rng, tables.LINES_LIMIT):
        pass
    return late


def restated(engine: Engine[Any, Any], setting: Setting[Any], state: Any) -> dict[str, Any]:
    """An adjustment that fits any position: part of it, counted again and found as it was."""
    field, value = next(iter(engine.positions.data_of(setting, state).items()))
    return {field: value}


def with_house_rules(game: Game, house_rules: frozenset[str]) -> Game:
    """The same game so far, under other house rules."""
    setting = evolve(game.setting, house_rules=house_rules)
    return Game(game.engine, game.opening, setting, list(game.judgements))
