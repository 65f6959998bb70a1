"""The small clients are what the OpenAPI document says; their samples play and follow a game."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from referee.game_check.template import new_game
from tests.service.running import Running, events, start
from tests.tutorial import ROOT, write_plug_in
from tests.waiting import PATIENCE
from tools.clients import FOLDER, WRITTEN, pack

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


# packages


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which both packages were built and installed, with nothing from elsewhere."""
    folder = tmp_path_factory.mktemp("clients")
    source = folder / "source"
    source.mkdir()
    for name in WRITTEN:
        shutil.copy(FOLDER / name, source)
    pip = (sys.executable, "-m", "pip", "-q", "--disable-pip-version-check")
    built = ("wheel", "--no-build-isolation", "--no-deps", "-w", folder, source)
    subprocess.run([*pip, *built], check=True)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([*pip, "install", "--no-index", "--target", folder / "site", wheel], check=True)
    if shutil.which("npm"):
        pack(source, folder)
        (archive,) = folder.glob("*.tgz")
        npm = ["npm", "install", "--silent", "--offline", "--no-audit", "--no-fund", archive]
        subprocess.run(npm, cwd=folder, check=True)
    return folder


DESK = """
import sys
from referee_client import Client

url, token = sys.argv[1:]
desk = Client(url, token)
cup = desk.tournament_new(name="Cup", game="counters", rounds=1)["tournament"]
desk.tournament_register(cup, players=[{"name": name} for name in ("Ana", "Bo")])
desk.tournament_check_in(cup, everybody=True)
desk.tournament_pair(cup, seed=1)
desk.tournament_start(cup)
desk.tournament_result(cup, "1", places=["B", "A"], reason="slip")
desk.tournament_round_close(cup)
first = desk.tournament_standings(cup)["rows"][0]
numbers = [n for (n, _, _), _ in zip(desk.tournament_events(cup), range(5))]
print(cup, first["rank"], *numbers)
"""
FOLLOW = """
import { Client } from "referee-client";
const [url, token, cup] = process.argv.slice(2);
const numbers = [];
for await (const { number } of new Client(url, token).tournamentEvents(cup)) {
  numbers.push(number);
  if (numbers.length === 5) break;
}
console.log(numbers.join(" "));
"""


def by_python(installed: Path, code: str, *said: str) -> str:
    return told(installed, sys.executable, "-c", code, *said, PYTHONPATH=str(installed / "site"))


def by_node(installed: Path, code: str, *said: str) -> str:
    (installed / "follow.mjs").write_text(code, "utf-8")
    return told(installed, "node", "follow.mjs", *said)


def told(folder: Path, *command: str, **more: str) -> str:
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **more}, capture_output=True, text=True,
        timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_tournament_is_run_and_followed_with_the_packages(
    service: Running, installed: Path
) -> None:
    code = service.ask("POST", "/access/codes", {"role": "organiser"})[1]["data"]["code"]
    token = service.ask("POST", "/join", {"code": code})[1]["data"]["token"]
    cup, rank, *numbers = by_python(installed, DESK, service.url, token).split()
    assert (rank, numbers) == ("1", sorted(numbers))
    if shutil.which("npm"):
        assert by_node(installed, FOLLOW, service.url, token, cup).split() == numbers


AGAIN = {
    "python": """
import sys
from referee_client import Client, Refused

client = Client(sys.argv[1])
client.soonest = 0.01
try:
    for number, _, _ in client.events("game-a"):
        print(number, end=" ")
except Refused as refused:
    print(refused.status)
""",
    "node": """
import { Client, Refused } from "referee-client";
const client = new Client(process.argv[2]);
client.soonest = 0.01;
const heard = [];
try {
  for await (const { number } of client.events("game-a")) heard.push(number);
} catch (error) {
  heard.push(error.status);
}
console.log(heard.join(" "));
""",
}


@pytest.mark.parametrize("language", AGAIN)
def test_a_lost_stream_is_asked_for_again_behind_the_last_event(
    language: str, installed: Path
) -> None:
    """It is lost in the middle of a line, not served for a while, served on, and then refused."""
    if language == "node" and not shutil.which("npm"):
        pytest.skip("no npm")
    replies = [
        (200, b'id: 4\nevent: entry\ndata: {}\n\nid: 5\nevent: entry\ndata: {"ha'),
        (503, b'{"status": 503, "code": "busy", "title": "Busy"}'),
        (502, b"<html>"),
        (200, b"id: 5\nevent: entry\ndata: {}\n\n"),
        (401, b'{"status": 401, "code": "bad_token", "title": "Expired"}'),
    ]
    asked = []

    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.headers["Last-Event-ID"])
            status, content = replies[len(asked) - 1]
            self.send_response(status)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        run = by_python if language == "python" else by_node
        assert run(installed, AGAIN[language], url).split() == ["4", "5", "401"]
        server.shutdown()
    assert asked == ["-1", "4", "4", "4", "5"]
