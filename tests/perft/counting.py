"""The numbers, by the engine and by the naive models of ``tests/models``.

A number is that of different ways to go on for so many actions: of the actions that can be listed,
with the end of a turn spoken (silence would let others go on before it).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

from engines.kernel import Action, Engine, ParseError
from engines.kernel.registry import load_engine
from tests.playing import Game, open_game

MOST_CROSSED = 400
"""Lines of one verb and length, made of the words that stand in each place."""


@dataclass(frozen=True)
class Position:
    """What leads to a table, and to which depths lines are counted from there."""

    game: str
    name: str
    lines: str
    """Several actions on each, as in a file."""
    depth: int
    """How deep the engine counts."""
    naive_depth: int
    """How deep the model does, which tries every line anybody could think of."""

    @property
    def engine(self) -> Engine[Any, Any]:
        return load_engine(self.game)

    @cached_property
    def actions(self) -> list[str]:
        return [text for line in self.lines.splitlines() for text in line.split("; ")]

    @cached_property
    def table(self) -> Game:
        return open_game(self.engine, self.actions)


def positions() -> list[Position]:
    data = tomllib.loads((Path(__file__).parent / "positions.toml").read_text("utf-8"))
    return [Position(**entry) for entry in data["position"]]


POSITIONS = positions()


def counted(position: Position, depth: int) -> int:
    """The number that the engine gives."""
    table = position.table
    return _counted(position.engine, table.setting, table.state, depth)


def _counted(engine: Engine[Any, Any], setting: Any, state: Any, depth: int) -> int:
    options = engine.options(setting, state)
    if depth == 1:
        return len(options)
    return sum(
        _counted(engine, setting, engine.judge(setting, state, action).state, depth - 1)
        for action in options
    )


def counted_naively(position: Position, depth: int) -> int:
    """The number that the model gives, which knows the rules but lists nothing.

    What changes nothing is no way to go on: the end of what has ended by itself may be said.
    """
    model = import_module(f"tests.models.{position.game}")
    state = model.start(position.actions[0], position.engine.kit_sheet(None).content)
    for line in position.actions[1:]:
        state = model.play(state, line)
    lines = sorted(thinkable(position, depth))

    def below(state: Any, left: int) -> int:
        played = [model.play(state, line) for line in lines if _is_legal(model, state, line)]
        told = [after for after in played if model.view(after) != model.view(state)]
        return len(told) if left == 1 else sum(below(after, left - 1) for after in told)

    return below(state, depth)


def _is_legal(model: Any, state: Any, line: str) -> bool:
    told = model.legal(state, line)
    return bool(told[0] if isinstance(told, tuple) else told)


def thinkable(position: Position, depth: int) -> set[str]:
    """Lines like those that are legal somewhere: in the place of each word, any other of there."""
    table, engine = position.table, position.engine
    shapes: dict[tuple[str, int], list[list[str]]] = {}
    seen: set[str] = set()
    for action in _offered(engine, table.setting, table.state, depth):
        line = engine.text(action)
        seen.add(line)
        words = line.split()
        shapes.setdefault((action.verb, len(words)), []).append(words)
    for alike in shapes.values():
        places = [sorted(set(words)) for words in zip(*alike, strict=True)]
        crossed = list(product(*places))
        if len(crossed) <= MOST_CROSSED:
            seen |= {line for line in map(" ".join, crossed) if _is_canonical(engine, line)}
    return seen


def _offered(engine: Engine[Any, Any], setting: Any, state: Any, depth: int) -> Iterator[Action]:
    for action in engine.options(setting, state):
        yield action
        if depth > 1:
            after = engine.judge(setting, state, action).state
            yield from _offered(engine, setting, after, depth - 1)


def _is_canonical(engine: Engine[Any, Any], line: str) -> bool:
    try:
        return engine.text(engine.read(line)) == line
    except ParseError:
        return False
