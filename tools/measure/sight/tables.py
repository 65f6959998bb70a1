"""Tables to be photographed: random games, and where the places of their boards lie."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from engines.kernel import Action, Engine
from engines.kernel.registry import load_engine
from referee.game_check.random_games import GameStopped, RandomGame, completed, open_game, pick
from tools.measure.sight.scene import Scene
from tools.measure.sight.stranger import ENGINE as STRANGER

GAMES = ("benevolent", "broom_service", "bethel_woods", "roundforest", "stranger")
LONGEST = 150


def engine_of(game: str) -> Engine[Any, Any]:
    return STRANGER if game == "stranger" else load_engine(game)


@dataclass
class Table:
    """A game in progress, and the table it is played on."""

    game: RandomGame
    scene: Scene
    boards: dict[str, dict[str, tuple[float, float]]]
    """The places of every board, in parts of it."""
    printed: bool
    """Whether the boards look the same without their pieces in every game."""

    @property
    def places(self) -> set[str]:
        return {place for spots in self.boards.values() for place in spots}

    def things(self, state: Any) -> dict[tuple[str, str], int]:
        there = self.game.engine.things(state, self.game.setting)
        return {(place, kind): n for (place, kind), n in there.items() if place in self.places}


def tables(game: str, seed: int) -> Iterator[tuple[Table, list[Action]]]:
    """Moments of one random game, each with what may be done."""
    rng = random.Random(f"{game} {seed}")
    engine = engine_of(game)
    setups, supply = _setups(game)
    played = open_game(engine, rng.choice(setups)(rng))
    table: Table | None = None
    for _ in range(LONGEST):
        if played.state.over:
            return
        options = engine.options(played.setting, played.state)
        if table is None and _is_laid(game, played):
            table = _table(game, played, seed)
        if table is not None and options:
            yield table, options
        try:
            action = (
                pick(options, rng)
                if options
                else engine.read(supply(engine, played.setting, played.state, rng))
            )
        except GameStopped:
            return
        played.hear(action)


def _setups(game: str) -> tuple[list[Callable[[random.Random], list[str]]], Any]:
    """The tables that the tests play random games from, and what states there what is drawn."""
    if game == "stranger":
        return [lambda rng: [STRANGER.opening.usual(2)]], completed
    module = import_module(f"tests.games.{game}")
    usual = [setup for name, setup in module.SETUPS.items() if "reading" not in name]
    return usual[:4], getattr(module, "supply", completed)


def _is_laid(game: str, played: RandomGame) -> bool:
    """Whether the set-up is over: until then the board itself is being laid."""
    state = played.state
    if game == "benevolent":
        return bool(state.phase not in (None, "setup"))
    if game == "roundforest":
        board = state.board(played.setting.kit)
        return bool(len(state.forest.tiles) + len(board.corners) >= len(board.columns) * board.rows)
    if game == "bethel_woods":
        return bool(not state.in_setup)
    return bool(game != "broom_service" or state.round.event is not None)


def _table(game: str, played: RandomGame, seed: int) -> Table:
    engine, setting = played.engine, played.setting
    found: dict[str, tuple[float, dict[str, tuple[float, float]]]] = {}
    assert engine.sight is not None
    for board in engine.guide.boards(setting.kit):
        spaces = {space.name: space.start for space in board.spaces if space.start is not None}
        if game == "broom_service":
            spaces = _drawn(played, {space.name for space in board.spaces})
        spots = dict(engine.sight.spots(played.state, setting, board.name, spaces))
        if spots:
            tall = {"dream_path": 0.3, "board": 0.8}.get(board.name, 0.85)
            found[board.name] = (1.0 if game == "roundforest" else tall, spots)
    scene = Scene(seed, found)
    boards = {name: spots for name, (_, spots) in found.items()}
    return Table(played, scene, boards, game != "roundforest")


def _drawn(played: RandomGame, names: set[str]) -> dict[str, tuple[float, float]]:
    """Where a map that nobody has photographed is drawn."""
    anchors = played.engine.picture(played.state, played.setting, "en", None).anchors
    there = {name: at for name, at in anchors.items() if name in names and len(name) > 1}
    (left, right), (top, bottom) = (
        (min(at[axis] for at in there.values()), max(at[axis] for at in there.values()))
        for axis in (0, 1)
    )
    return {
        name: (0.06 + 0.88 * (x - left) / (right - left), 0.07 + 0.86 * (y - top) / (bottom - top))
        for name, (x, y) in there.items()
    }
