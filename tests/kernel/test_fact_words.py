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
