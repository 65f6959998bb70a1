"""Readings: what rules ask for is what the file of readings offers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from engines.kernel import Engine
from engines.kernel.registry import engine_ids, load_engine

GAMES = engine_ids()


def modules_of(engine: Engine[Any, Any]) -> Iterator[tuple[str, ast.Module]]:
    spec = find_spec(engine.package)
    assert spec is not None
    assert spec.origin is not None
    for path in sorted(Path(spec.origin).parent.rglob("*.py")):
        yield path.name, ast.parse(path.read_text("utf-8"))


def asked(node: ast.AST) -> str | None:
    """The reading that a call ``….reading("name")`` asks for."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "reading"
        and isinstance(node.args[0], ast.Constant)
    ):
        return str(node.args[0].value)
    return None


def texts_in(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


@pytest.mark.parametrize("game", GAMES)
def test_every_reading_that_is_asked_for_exists_and_every_one_is_asked_for(game: str) -> None:
    engine = load_engine(game)
    told = {text for _, module in modules_of(engine) for text in texts_in(module)}
    names = {
        name
        for _, module in modules_of(engine)
        for node in ast.walk(module)
        if (name := asked(node)) is not None
    }
    assert names - set(engine.readings) == set()
    open_questions = {name for name, one in engine.readings.items() if len(one.values) > 1}
    assert open_questions - told == set()


@pytest.mark.parametrize("game", GAMES)
def test_readings_are_compared_with_values_that_they_can_have(game: str) -> None:
    engine = load_engine(game)
    wrong = [
        (file, name, value)
        for file, module in modules_of(engine)
        for node in ast.walk(module)
        if isinstance(node, ast.Compare)
        for name in filter(None, map(asked, (node.left, *node.comparators)))
        for side in (node.left, *node.comparators)
        if asked(side) is None
        for value in texts_in(side)
        if value not in engine.readings[name].values
    ]
    assert wrong == []


def test_a_misspelt_reading_would_be_seen() -> None:
    module = ast.parse('rule.reading("leaf_suply") == "limitted"')
    names = [asked(node) for node in ast.walk(module) if asked(node)]
    assert names == ["leaf_suply"]
    assert list(texts_in(module)) == ["limitted", "leaf_suply"]
