"""The worked examples of docs/add-an-operation.md, really added to a copy of the program."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("engines", "referee", "replays", "answers", "service", "cli", "schemas", "tests", "docs")
PAGE = (ROOT / "docs" / "add-an-operation.md").read_text("utf-8")
OPERATION, FIELD = (
    re.findall(r"```diff\n--- (\S+)\n(.*?)```", part, re.DOTALL)
    for part in PAGE.split("## A field of a player")
)
ASKED = (
    "worked_examples.py",
    "test_same_answers.py::test_every_door_gives_the_same_answer[tournament-clubs]",
    "test_same_answers.py::test_every_operation_that_reads_is_asked_or_says_why_not",
    "test_permissions.py::test_each_operation_is_granted_to_the_roles_of_the_table_and_no_other",
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with both examples in it."""
    folder = tmp_path_factory.mktemp("copy")
    for room in ROOMS:
        unwanted = shutil.ignore_patterns("__pycache__", "frozen", "node_modules")
        shutil.copytree(ROOT / room, folder / room, ignore=unwanted)
    shutil.copy(ROOT / "pyproject.toml", folder)
    for place, edit in (*OPERATION, *FIELD):
        apply(folder / place, edit)
    return folder


def apply(file: Path, edit: str) -> None:
    lines = edit.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] in " -")
    after = "".join(line[1:] for line in lines if line[0] in " +")
    if before:
        text = file.read_text("utf-8")
        assert text.count(before) == 1, (file, before)
        after = text.replace(before, after)
    else:
        assert not file.exists()
    file.write_text(after, "utf-8")


def test_an_operation_has_five_places_and_a_field_of_a_player_six() -> None:
    assert 3 <= len(OPERATION) <= 5
    assert 3 <= len(FIELD) <= 6


def test_the_examples_are_all_that_has_to_be_written(copy: Path) -> None:
    asked = [f"tests/service/{place}" for place in ASKED]
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-p", "no:cacheprovider", *asked]
    surroundings = {**os.environ, "PYTHONPATH": str(copy)}
    done = subprocess.run(
        command, cwd=copy, env=surroundings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("." * 7 + " ")
