"""Games are found wherever they are installed."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from answers.context import open_store_context
from answers.i18n import Voice
from answers.rulebooks.kits import kits
from answers.rulebooks.rules import engines
from engines.kernel import ParseError, registry
from engines.kernel.messages.catalogue import LANGUAGES
from service.app import make_app
from service.settings import Settings
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
        registry._loaded.cache_clear()
        with pytest.raises(ParseError) as caught:
            registry.load_engine("marbles")
        assert caught.value.key == "broken_game"


READS = "from engines.kernel.messages.package_data import read_words\nread_words('broken')\n"
BREAKS = {
    "a slip of the pen": ("def (:\n", "broken/__init__.py:1", "SyntaxError"),
    "what cannot be done": ("\n\n1 / 0\n", "broken/__init__.py:3", "ZeroDivisionError"),
    "a list that stays open": (READS, "broken/__init__.py:2", "broken/words.toml"),
    "no engine": ("ENGINE = 3\n", "broken", "does not give an engine"),
}


@pytest.mark.parametrize("how", BREAKS)
def test_a_broken_game_is_left_out_and_named_with_file_and_line(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, place, why = BREAKS[how]
    package = tmp_path / "broken"
    package.mkdir()
    (package / "__init__.py").write_text(program, "utf-8")
    (package / "words.toml").write_text("game = [\n", "utf-8")
    monkeypatch.delitem(sys.modules, "broken", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("broken", "broken:ENGINE", registry.GROUP)
    points = entry_points

    def with_it(**wanted: str) -> object:
        found = points(**wanted)
        return [*found, point] if wanted.get("name", "broken") == "broken" else found

    monkeypatch.setattr(registry, "entry_points", with_it)
    registry._loaded.cache_clear()
    listed = engines()
    (broken,) = listed.data.broken
    assert broken.engine == "broken"
    assert broken.place == place
    assert why in broken.why
    assert "benevolent" in {row.engine for row in listed.data.engines}
    for lang in LANGUAGES:
        assert place in list(listed.told(Voice(lang)))[-1]
    assert "benevolent" in {row.game for row in kits().data.kits}
    monkeypatch.chdir(tmp_path)
    app = make_app(open_store_context("memory:"), Settings(hosts=("testserver",)))
    with TestClient(app) as client:
        for path in ("/rules", "/api/v1/engines"):
            answered = client.get(path)
            assert answered.status_code < 400, path
            assert "Benevolent" in answered.text, path


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
