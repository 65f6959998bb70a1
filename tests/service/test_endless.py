"""Work that never ends, of a game whose rule loops: nobody else waits for it, and it is ended."""

from __future__ import annotations

import os
import socket
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from tests.pages.club import open_club
from tests.service.running import Running, serving
from tests.tutorial import write_plug_in, write_tutorial
from tests.waiting import PATIENCE

ENDLESS = "\n    while action.pebbles == 7:\n        pass\n    rule("


def plug_in(folder: Path) -> str:
    """The tutorial's game, in which one move is judged for ever."""
    write_tutorial(folder)
    code = folder / "pebbles" / "__init__.py"
    head, rule, rest = code.read_text("utf-8").partition('\n    rule("PEB-TAKE-1"')
    code.write_text(head + ENDLESS + rule.removeprefix("\n    rule(") + rest, "utf-8")
    write_plug_in("pebbles", folder, {})
    return os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])


def others_are_answered(service: Running) -> str:
    status, said = service.ask("POST", "/games", {"game": "pebbles", "table": "A B first A"})
    assert status == 200, said
    game: str = said["data"]["game"]
    assert service.ask("POST", f"/games/{game}/actions", {"lines": ["A take 1"]})[0] == 200
    assert service.ask("GET", f"/games/{game}/state")[0] == 200
    return game


def test_endless_work_stops_nobody_and_is_ended(tmp_path: Path) -> None:
    position = {"game": "pebbles", "table": "table A B first A"}
    with (
        serving(tmp_path, PYTHONPATH=plug_in(tmp_path / "plug-in")) as service,
        ThreadPoolExecutor() as clients,
    ):
        game = others_are_answered(service)
        endless = {"lines": ["B take 7"]}
        try:
            writing = clients.submit(service.ask, "POST", f"/games/{game}/actions", endless)
            trial = {"position": position, "lines": ["A take 7"]}
            trying = clients.submit(service.ask, "POST", "/positions/trial", trial)
            others_are_answered(service)
            assert not writing.done()
            status, said = trying.result(PATIENCE)
            assert (status, said["code"]) == (400, "took_too_long")
            trial = {"position": position, "lines": ["A take 2"]}
            assert service.ask("POST", "/positions/trial", trial)[0] == 200
            others_are_answered(service)
            assert service.stop() == 0
        finally:
            service.process.kill()
            wait([writing, trying])


def test_nobody_waits_for_the_rest_of_half_a_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither for its head nor for its body; all the time there is is given to whoever sends it."""
    monkeypatch.setattr("service.asgi.PATIENCE", 10 * PATIENCE)
    head = b"POST /api/v1/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n"
    with ExitStack() as clients, open_club(tmp_path) as club:
        place = "127.0.0.1", urlsplit(club.url).port
        for said in (head, head + b"\r\n", head + b"\r\n{"):
            client = clients.enter_context(socket.create_connection(place, PATIENCE))
            client.sendall(said)
        with urlopen(f"{club.url}/api/health") as health:  # what was sent before has arrived
            assert health.status == 200
