"""The sample games are packages of their own, with nothing wrong and no rule that can be bent."""

from __future__ import annotations

import tomllib
from importlib import import_module, invalidate_caches
from pathlib import Path

import pytest

from referee.cases.case_file import read_cases
from referee.game_check.checker import Effort, check_game
from tests.tutorial import ROOT

SAMPLES = sorted(path for path in (ROOT / "docs" / "samples").iterdir() if path.is_dir())


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
    assert check_game(engine, cases=[cases], effort=Effort(games=2, looks=2)) == []


@pytest.mark.parametrize("folder", SAMPLES, ids=lambda path: path.name)
def test_a_sample_can_be_installed(folder: Path) -> None:
    told = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
    points = told["project"]["entry-points"]["referee.engines"]
    assert points == {folder.name: f"{folder.name}:ENGINE"}
    assert told["tool"]["setuptools"]["packages"] == [folder.name]
