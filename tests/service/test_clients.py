"""The small clients are what the OpenAPI document says; their samples play and follow a game."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.game_check.template import new_game
from tests.service.running import Running, events, start
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
    said_in_the_stream(service, game, entries)


def said_in_the_stream(service: Running, game: str, entries: list[dict[str, Any]]) -> None:
    """Who won is known as soon as the game is over, and is what the list says when it is closed."""
    info = service.ask("GET", f"/games/{game}")[1]["data"]
    assert (info["all_seats"], info["over"], info["closed"]) == (["A", "B"], True, False)
    assert sorted(seat for place in info["result"]["places"] for seat in place) == ["A", "B"]
    with service.listening(f"/games/{game}/events", -1) as stream:
        found = events(stream, len(entries) + 1)
    last = len(entries) - 1
    assert found[-2] == (last - 1, {"game": game, "result": info["result"]})
    assert [id for id, _ in found if id == last] == [last], "over has no number"
    with service.listening(f"/games/{game}/events", last - 1) as stream:
        assert [data for _, data in events(stream, 2)] == [data for _, data in found[-2:]]
    assert service.ask("POST", f"/games/{game}/finish", {})[0] == 200
    (row,) = service.ask("GET", "/games?closed=true")[1]["data"]["games"]
    assert row["result"] == {name: info["result"][name] for name in row["result"]}
    assert service.ask("GET", f"/games/{game}")[1]["data"]["result"] == info["result"]
