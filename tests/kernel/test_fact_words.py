"""Every fact a rule gives can be named in both languages."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from engines.kernel.registry import engine_ids, load_engine

HEARING = {"rule", "effect", "claim", "proves", "clears"}


def fact_names(folder: Path) -> set[str]:
    """The names of the facts that the source of a game hands to its hearings."""
    names: set[str] = set()
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                called = node.func
                name = getattr(called, "id", None) or getattr(called, "attr", "")
                if name in HEARING:
                    names |= {word.arg for word in node.keywords if word.arg}
    return names


@pytest.mark.parametrize("game", [game for game in engine_ids() if game != "pebbles"])
def test_every_fact_has_a_name_in_both_languages(game: str) -> None:
    engine = load_engine(game)
    module = __import__(engine.package, fromlist=["__file__"])
    names = fact_names(Path(module.__file__).parent)
    assert names, "no facts found: the search is broken"
    assert sorted(name for name in names if f"fact.{name}" not in engine.words) == []


@pytest.mark.parametrize("game", [game for game in engine_ids() if game != "pebbles"])
def test_words_under_a_reading_name_a_reading_of_the_clause_and_its_values(game: str) -> None:
    engine = load_engine(game)
    for clause in engine.clauses.values():
        for name, texts in clause.under.items():
            assert clause.id in engine.readings[name].clauses
            assert texts.keys() <= engine.readings[name].values.keys()


SAYS_NOTHING_ELSE = {
    "bloody_grove": {"turn_order"},
    "broom_service": {"dead_card_cursed", "rank_ties", "sealed_hands"},
}
"""Readings whose clauses are worded so that they hold whatever the value."""


@pytest.mark.parametrize("game", [game for game in engine_ids() if game != "pebbles"])
def test_a_clause_has_words_for_each_value_of_a_reading(game: str) -> None:
    engine = load_engine(game)
    neutral = SAYS_NOTHING_ELSE.get(game, set())
    silent = [
        f"{name}={value}"
        for name, reading in engine.readings.items()
        if name not in neutral
        for value in reading.values
        if value != reading.default
        and not any(
            value in engine.clauses[clause].under.get(name, ()) for clause in reading.clauses
        )
    ]
    assert silent == []
