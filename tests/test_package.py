"""What is installed from a wheel is what runs here: no file of the house is left behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from setuptools import Distribution

from tests.test_structure import FOLDERS
from tests.tutorial import ROOT

LEFT_OUT = ("service/Containerfile", "service/deploy/")
"""For whoever builds an image or sets up a database: they have the sources."""


def packed() -> set[str]:
    """The files that a wheel would have, by the rules of ``pyproject.toml``; nothing is built."""
    distribution = Distribution({"script_name": "setup.py"})
    distribution.parse_config_files(["pyproject.toml"])
    distribution.include_package_data = False  # there is no manifest, and looking would write one
    building = distribution.get_command_obj("build_py")
    building.ensure_finalized()
    library = Path(building.build_lib)
    beside = {file for _, files in distribution.data_files for file in files}
    return beside | {
        Path(file).relative_to(library).as_posix()
        for file in building.get_outputs(include_bytecode=False)
    }


def test_a_wheel_forgets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    here = {
        file.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    wanted = {file for file in here if not file.startswith(LEFT_OUT)}
    assert len(wanted) > 400
    assert packed() == wanted
