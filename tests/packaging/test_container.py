"""The image is built and run where a container tool is, and said to be untested where not."""

from __future__ import annotations

import stat
import tomllib
from pathlib import Path

import pytest

from tests.test_structure import ROOT
from tools import container

PODMAN = """#!/bin/sh
echo "$@" >> "$HEARD"
case "$*" in *"$FAILS"*) exit 1;; esac
"""


@pytest.mark.parametrize("fails", ["info", "build", "run -d", "up -d", "nothing at all"])
def test_what_is_not_ready_is_not_passed_over(
    fails: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program, heard = tmp_path / "podman", tmp_path / "heard"
    program.write_text(PODMAN)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setenv("HEARD", str(heard))
    monkeypatch.setenv("FAILS", fails)
    monkeypatch.setattr(container, "is_ready", lambda: True)
    monkeypatch.setattr(container.shutil, "which", lambda name: "x" if name == "podman" else None)
    code = container.main()
    told = capsys.readouterr()
    assert code == (0 if fails in ("info", "nothing at all") else 1), told
    assert ("untested" in told.out) == (fails == "info")
    if fails == "nothing at all":
        assert "up -d --build" in heard.read_text()
        assert heard.read_text().rstrip().endswith("down -v"), "nothing is left running"


def test_the_image_has_the_extras_that_there_are_and_the_compose_file_builds_it() -> None:
    built = (ROOT / "service" / "Containerfile").read_text("utf-8")
    extras = built.partition("/source[")[2].partition("]")[0].split(",")
    known = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(extras) <= known["optional-dependencies"].keys()
    composed = container.COMPOSE.read_text("utf-8")
    assert (container.COMPOSE.parent / "../.." / "service/Containerfile").is_file()
    assert "dockerfile: service/Containerfile" in composed
