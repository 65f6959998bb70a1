"""The small clients are what the OpenAPI document says; their samples play and follow a game."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.game_check.template import new_game
from tests.service.running import Running, start
from tests.tutorial import ROOT, write_plug_in
from tests.waiting import PATIENCE
from tools.clients import FOLDER, WRITTEN

BIN = str(Path(sys.executable).parent)


@pytest.mark.parametrize("name", WRITTEN)
def test_a_client_is_as_the_document_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else ``python -m tools.clients`` writes it anew."""
    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")
    assert (FOLDER / name).read_text("utf-8") == WRITTEN[name]()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Running]:
    write_plug_in("counters", tmp_path / "game", new_game("counters"))
    running = start(f"sqlite://{tmp_path / 'one.db'}", PYTHONPATH=str(tmp_path / "game"))
    yield running
    running.process.kill()
    running.process.wait()


def test_a_bot_plays_against_another_and_a_follower_tells_the_game(service: Running) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    status, reply = service.ask("POST", "/games", {"game": "counters", "table": "A B first A"})
    assert status == 200, reply
    game = reply["data"]["game"]

    def token(role: str) -> str:
        said = {"role": role, "scope": game}
        code = service.ask("POST", "/access/codes", said)[1]["data"]["code"]
        found: str = service.ask("POST", "/join", {"code": code})[1]["data"]["token"]
        return found

    def started(*program: str, role: str) -> subprocess.Popen[str]:
        asked = [*program, service.url, token(role), game]
        return subprocess.Popen(asked, stdout=subprocess.PIPE, text=True, cwd=ROOT / "docs/clients")

    follower = started(node, "follow.js", role="spectator")
    bots = [started(sys.executable, "random_bot.py", role=f"seat:{seat}") for seat in "AB"]
    played = [int(bot.communicate(timeout=PATIENCE)[0]) for bot in bots]
    told, _ = follower.communicate(timeout=PATIENCE)
    entries = service.ask("GET", f"/games/{game}/entries")[1]["data"]["entries"]
    assert sum(played) == len(entries) - 1 >= 5
    assert [line.partition(" ")[2] for line in told.splitlines()] == [e["told"] for e in entries]
