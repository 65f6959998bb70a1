"""A game written against version 0.2.0 is loaded, checked and played as it was then.

``0.2.0/games`` keeps the games of the guide, its recipes, the samples of the docs and what
``referee engine new`` wrote: what they import keeps its path, and what they call keeps its name.
"""

from __future__ import annotations

import ast
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path

import pytest

from engines.kernel import Engine, registry
from engines.kernel.registry import load_engine
from referee.game_check.checker import Effort, assert_sound
from tests.tutorial import ROOT, installed
from tests.waiting import PATIENCE

GAMES = Path(__file__).parent / "0.2.0" / "games"
OURS = ("engines", "referee")
FOLDERS = {
    "counters": "counters",
    "purses": "purses",
    "harbour": "harbour",
    "smugglers": "smugglers",
    "pebbles": "guide",
    "fists": "guide",
}
NEEDED = "id package version edition seats kit opening actions rules result faces"
OPTIONAL = "chapters balance holdings positions secrecy guide bgg cooperative"


def imported() -> list[tuple[str, str]]:
    """Every name of ours that those files import, with its module."""
    names = {
        (node.module, alias.name)
        for file in GAMES.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
        if node.module.partition(".")[0] in OURS
    }
    return sorted(names)


@pytest.fixture(params=FOLDERS)
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Such a game as an installed package, and its folder."""
    name = request.param
    folder = Path(shutil.copytree(GAMES / FOLDERS[name], tmp_path / "then"))
    shadowed = {key: sys.modules.pop(key) for key in [*sys.modules] if key == name}
    registry._loaded.cache_clear()
    with installed(name, folder, {}):
        yield name, folder
    sys.modules.update(shadowed)


@pytest.mark.parametrize(("module", "name"), imported())
def test_what_they_import_keeps_its_path(module: str, name: str) -> None:
    assert hasattr(import_module(module), name)


def test_an_engine_is_made_of_the_same_parts() -> None:
    parts = signature(Engine).parameters
    assert {*NEEDED.split(), *OPTIONAL.split()} <= parts.keys()
    assert {name for name, part in parts.items() if part.default is Parameter.empty} == {
        *NEEDED.split()
    }


def test_they_are_sound_and_their_cases_come_out_as_written(game: tuple[str, Path]) -> None:
    name, folder = game
    if not (tests := folder / "tests" / f"test_{name}.py").exists():
        assert_sound(load_engine(name), effort=Effort(games=1, looks=2))
        return
    asked = [test for key, test in runpy.run_path(str(tests)).items() if key.startswith("test_")]
    assert asked
    for test in asked:
        test()


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        ("guide/try.py", "Ne prenez jamais autant que ce qui vient d’être pris."),
        ("guide/try_fists.py", "cleared Un poing s’ouvre sur ce qui y a été fermé."),
        ("recipes/recipes.py", ""),
    ],
)
def test_the_programs_of_the_guide_run(program: str, printed: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-B", str(GAMES / program)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == printed
