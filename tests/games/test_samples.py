"""The sample games are packages of their own, with nothing wrong and no rule that can be bent."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

import pytest

from engines.kernel.engine.judge import Judge
from referee.cases.case_file import read_cases
from referee.game_check.checker import Effort, check_game
from tests.tutorial import SAMPLES

EFFORT = Effort(games=2, looks=2)
HEARINGS = 45_000
"""So often at most are the rules asked with that effort: the largest sample needs three quarters of
it, some seconds, with five days at each number of seats from three to six."""


def test_there_are_samples() -> None:
    assert [path.name for path in SAMPLES] == ["dunes", "harbour", "smugglers"]


@pytest.mark.parametrize("folder", SAMPLES, ids=lambda path: path.name)
def test_a_sample_is_sound_and_its_cases_prove_every_rule(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(folder)
    invalidate_caches()
    engine = import_module(folder.name).ENGINE
    cases = read_cases((folder / "tests" / "cases.toml").read_text("utf-8"))
    assert check_game(engine, cases=[cases], effort=EFFORT) == []


@pytest.mark.parametrize("folder", SAMPLES, ids=lambda path: path.name)
def test_the_check_of_a_sample_takes_seconds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted, not timed: its files are read once, and its rules asked no more than is needed."""
    monkeypatch.syspath_prepend(folder)
    invalidate_caches()
    engine = import_module(folder.name).ENGINE
    done: Counter[str] = Counter()
    for owner, name in ((Judge, "hearing"), (ast, "parse")):
        ask = getattr(owner, name)

        def counted(*args: object, ask: Any = ask, name: str = name, **more: object) -> object:
            done[name] += 1
            return ask(*args, **more)

        monkeypatch.setattr(owner, name, counted)
    check_game(engine, effort=EFFORT)
    assert done["parse"] == len([*(folder / folder.name).rglob("*.py")])
    assert 0 < done["hearing"] <= HEARINGS


@pytest.mark.parametrize("folder", SAMPLES, ids=lambda path: path.name)
def test_a_sample_can_be_installed(folder: Path) -> None:
    told = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
    points = told["project"]["entry-points"]["referee.engines"]
    assert points == {folder.name: f"{folder.name}:ENGINE"}
    assert told["tool"]["setuptools"]["packages"] == [folder.name]
