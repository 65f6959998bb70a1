"""Games are found wherever they are installed."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from engines.kernel import ParseError, registry
from tests.tutorial import ROOT, write_tutorial
from tests.waiting import PATIENCE


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    with pytest.raises(ParseError) as caught:
        registry.load_engine("chess")
    assert caught.value.key == "unknown_game"
    assert {"pebbles", "benevolent"} <= set(caught.value.facts["games"])


def test_an_entry_point_gives_an_engine_of_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("pebbles:ENGINE", "pebbles:rules"):
        point = EntryPoint("marbles", value, registry.GROUP)
        monkeypatch.setattr(registry, "entry_points", lambda point=point, **_: [point])
        with pytest.raises(TypeError, match="marbles"):
            registry.load_engine("marbles")


def test_a_game_published_as_a_package_is_found_and_played(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    write_tutorial(source)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [*pip, "--target", target, source], check=True, capture_output=True, timeout=PATIENCE
    )
    program = (
        "from engines.kernel.registry import load_engine; e = load_engine('pebbles');"
        "o = e.read('table A B first A'); s = e.setting(o);"
        "print(e.judge(s, e.open(s, o).state, e.read('prend 4')).verdict.clause)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(target), str(ROOT)])},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stdout.strip() == "PEB-TAKE-1", done.stderr
