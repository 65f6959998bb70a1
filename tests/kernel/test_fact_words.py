"""Every fact a rule gives can be named in both languages."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from engines.kernel.registry import engine_ids, load_engine
from tests.speaking import placeholders

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
def test_a_sentence_has_the_same_blanks_in_both_languages(game: str) -> None:
    sentences = [clause.because for clause in load_engine(game).clauses.values() if clause.because]
    assert sentences
    assert [one for one in sentences if placeholders(one.en) != placeholders(one.fr)] == []


@pytest.mark.parametrize("game", [game for game in engine_ids() if game != "pebbles"])
def test_a_rule_gives_every_fact_its_sentence_names(game: str) -> None:
    engine = load_engine(game)
    module = __import__(engine.package, fromlist=["__file__"])
    blank = []
    for file in Path(module.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "rule"):
                continue
            cited = node.args[0]
            clause = engine.clauses.get(str(getattr(cited, "value", "")))
            given = {word.arg for word in node.keywords}
            if clause is None or clause.because is None or None in given:
                continue
            if placeholders(clause.because.en) - given:
                blank.append(f"{file.name}:{node.lineno} {clause.id}")
    assert blank == []
