"""``make load``: a service on this computer under load, held to its budgets.

Bounded in time and number, and never another address than 127.0.0.1. The store is SQLite with
``synchronous=FULL``; clients and server share the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import threading
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, sleep
from typing import Any

from answers.caller import Caller, open_house
from answers.play.opening import open_table
from referee.store import open_store
from referee.table import corrections, play
from service.app import make_app
from service.settings import Limits, Settings
from tests.answers.conftest import SETUP
from tests.service.killing import killed_under_load

PLENTY = Limits(
    reads_a_second=1e6, writes_a_second=1e6, streams=20_000, streams_of_one=20_000,
    connections=20_000,
)  # fmt: skip
LINE = "A step c2"
MOST_TABLES, MOST_SPECTATORS, MOST_SECONDS = 500, 5000, 120


class Load:
    """A service in a process of its own, and the tables that are played on it."""

    def __init__(self, folder: Path, tables: int) -> None:
        self.url = f"sqlite://{folder}/load.db"
        house = open_house(self.url)
        scribe = Caller(house)
        self.games = [_opened(scribe) for _ in range(tables)]
        self.watched, self.alone = _opened(scribe), _opened(scribe)
        _, self.token = house.access.give("organiser", "", "anonymous")
        house.store.close()
        self.logged = dict.fromkeys(self.games, False)
        self.process, self.port = _server(self.url)

    def connection(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.port, timeout=30)

    def post(self, connection: HTTPConnection, path: str, said: Any) -> int:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        connection.request("POST", f"/api/v1{path}", json.dumps(said), headers)
        reply = connection.getresponse()
        reply.read()
        return reply.status

    @property
    def resident(self) -> float:
        """Megabytes that the server holds."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0.0


def _opened(scribe: Caller) -> str:
    from answers.play.logging import log
    from answers.play.opening import NewAnswer

    opened = open_table(scribe, "benevolent", "A=blue B=red first A").data
    assert isinstance(opened, NewAnswer)
    log(scribe, opened.game, SETUP)
    return opened.game


def _server(url: str) -> tuple[Any, int]:
    import multiprocessing

    from service.running import Place, listening

    door, place = listening(Place(port=0))
    process = multiprocessing.get_context("fork").Process(
        target=_serve, args=(url, door), daemon=True
    )
    process.start()
    return process, place.port


def _serve(url: str, door: Any) -> None:
    import uvicorn

    app = make_app(open_house(url), Settings(limits=PLENTY))
    uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False)).run(sockets=[door])


# what is measured


def one_client(load: Load, folder: Path, times: int) -> str:
    """Logging over HTTP beside the same call of a bench in this process."""
    house = open_house(f"sqlite://{folder}/bench.db")
    game = _opened(Caller(house))
    inside = _timed(
        times,
        lambda: play.log(house.bench, game, LINE),
        lambda: corrections.undo(house.bench, game),
    )
    connection, here = load.connection(), load.alone

    def log() -> None:
        assert load.post(connection, f"/games/{here}/actions", {"lines": [LINE]}) == 200

    def undo() -> None:
        assert load.post(connection, f"/games/{here}/undo", {}) == 200

    over = _timed(times, log, undo)
    ratio = over / inside
    return (
        f"log in this process {inside * 1000:.2f} ms, over HTTP {over * 1000:.2f} ms: "
        f"{ratio:.2f} × (budget 3 ×)"
    )


def _timed(times: int, done: Callable[[], Any], undone: Callable[[], Any]) -> float:
    taken = []
    for _ in range(times):
        begun = perf_counter()
        done()
        taken.append(perf_counter() - begun)
        undone()
    return median(taken)


def many_tables(load: Load, seconds: float, rate: float, hands: int = 20) -> str:
    """All tables at once at a steady rate, each logging and taking back in turn."""
    taken: list[float] = []
    faults: list[int] = []
    end = perf_counter() + seconds

    def play_on(number: int) -> None:
        connection, games = load.connection(), load.games[number::hands]
        logged = load.logged
        due, turn = perf_counter() + number / rate, 0
        while perf_counter() < end and games:
            sleep(max(0.0, due - perf_counter()))
            due += hands / rate
            game = games[turn % len(games)]
            turn += 1
            path, said = ("undo", {}) if logged[game] else ("actions", {"lines": [LINE]})
            begun = perf_counter()
            status = load.post(connection, f"/games/{game}/{path}", said)
            taken.append(perf_counter() - begun)
            logged[game] = not logged[game]
            if status != 200:
                faults.append(status)

    threads = [threading.Thread(target=play_on, args=(number,)) for number in range(hands)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cut = quantiles(taken, n=100)
    return (
        f"{len(load.games)} tables, {len(taken) / seconds:.0f} requests/s for {seconds:.0f} s: "
        f"{len(faults)} errors, p50 {cut[49] * 1000:.1f} ms, p99 {cut[98] * 1000:.1f} ms "
        "(budget 0 errors, p99 60 ms at 100/s)"
    )


def saturated(load: Load, seconds: float, hands: int = 8) -> str:
    """As much as goes."""
    told = many_tables(load, seconds, rate=1e6, hands=hands)
    return "saturation: " + told.partition(" (budget")[0]


def spectators(load: Load, count: int, moves: int = 5) -> str:
    """The last of many spectators of one game sees a move."""
    behind = asyncio.run(_watched(load, count, moves))
    return (
        f"{count} spectators: the last one sees a move {median(behind) * 1000:.0f} ms after the "
        f"answer (worst {max(behind) * 1000:.0f}; budget 300 ms), "
        f"{load.resident:.0f} MB resident (budget 200 MB)"
    )


async def _watched(load: Load, count: int, moves: int) -> list[float]:
    game = load.watched
    request = (
        f"GET /api/v1/games/{game}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Authorization: Bearer {load.token}\r\n\r\n"
    ).encode()
    readers = []
    for _ in range(count):
        reader, writer = await asyncio.open_connection("127.0.0.1", load.port)
        writer.write(request)
        readers.append((reader, writer))
    for reader, _ in readers:
        await reader.readuntil(b"retry: 500")
    connection, behind = load.connection(), []
    for turn in range(moves):
        path, said = ("undo", {}) if turn % 2 else ("actions", {"lines": [LINE]})
        told = asyncio.gather(*(_entry(reader) for reader, _ in readers))
        status = await asyncio.to_thread(load.post, connection, f"/games/{game}/{path}", said)
        assert status == 200
        answered = perf_counter()
        await asyncio.wait_for(told, 60)
        behind.append(perf_counter() - answered)
    for _, writer in readers:
        writer.close()
    return behind


async def _entry(reader: asyncio.StreamReader) -> None:
    await reader.readuntil(b"data: ")


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--seconds", type=float, default=60)
    words.add_argument("--tables", type=int, default=200)
    words.add_argument("--rate", type=float, default=100)
    words.add_argument("--spectators", type=int, default=1000)
    words.add_argument("--kills", type=int, default=100)
    asked = words.parse_args()
    seconds = min(asked.seconds, MOST_SECONDS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        load = Load(folder, min(asked.tables, MOST_TABLES))
        sleep(2)
        try:
            print(one_client(load, folder, 100), flush=True)
            print(many_tables(load, seconds, asked.rate), flush=True)
            print(saturated(load, min(seconds, 10)), flush=True)
            print(spectators(load, min(asked.spectators, MOST_SPECTATORS)), flush=True)
        finally:
            load.process.kill()
            load.process.join()
        if asked.kills:
            (folder / "kills").mkdir()
            kept = killed_under_load(folder / "kills", min(asked.kills, 500))
            print(f"{asked.kills} kills: {kept} notes acknowledged, none lost, none doubled")
        open_store(load.url).close()


if __name__ == "__main__":
    main()
