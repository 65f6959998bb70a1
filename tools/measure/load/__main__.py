"""``make load``: a service on this computer under load, held to its budgets.

Bounded in time and number, and never another address than 127.0.0.1. The store is SQLite with
``synchronous=FULL``, unless it is said to be in memory; clients and server share the machine. It
ends with 1 if anything was lost, doubled or answered with an error: a time that is missed on a busy
machine is only shown.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from importlib.util import find_spec
from pathlib import Path
from random import Random
from socket import socket
from statistics import median, quantiles
from time import perf_counter, sleep
from typing import Any, NamedTuple

from answers.context import Caller, StoreContext, open_store_context
from answers.play.opening import open_table
from referee.proof.verify import verify
from referee.store import open_store
from referee.table import corrections, play
from service.settings import Limits
from tests.answers.conftest import SETUP
from tests.browser import chromium
from tests.service.killing import killed_under_load
from tools.measure.bench.measuring import print_table
from tools.measure.load.peer import PeerSpeed, peer_speed, spent_by
from tools.measure.load.screen import on_a_phone

PLENTY = Limits(
    reads_a_second=1e6, writes_a_second=1e6, streams=20_000, streams_of_one=20_000,
    streams_of_address=20_000, reads_a_second_of_address=1e6,
    connections=20_000,
)  # fmt: skip
LINE = "A step c2"
HANDS = 8
"""So many tables play at once where as much as goes is measured."""
TABLES_OF_WORKERS = 16
"""The same where workers are compared: connections stay with the worker that took them, and few of
them would not be shared evenly."""
ROUNDS = 3
TURN, BACKLOG = 8, 32
"""So many actions in a request: a turn of several, or a table that was without a network."""
IN_A_ROW = 96
"""So many actions are played at a table before they are all taken back at once."""
JOINS, REPORTS = 500, 256
MOST_TABLES, MOST_SPECTATORS, MOST_SECONDS = 500, 5000, 120


class Row(NamedTuple):
    """What was measured, beside its budget; ``sound``: nothing was lost and nothing went wrong."""

    what: str
    measured: str
    budget: str
    sound: bool = True
    speed: PeerSpeed | None = None
    """Actions a second and what each costs, where the peer's can be compared."""

    def beside(self, peer: PeerSpeed | None) -> str:
        """How often the peer's rate it is in the same run, and how often its processor time."""
        if self.speed is None or peer is None:
            return ""
        rate, processor = (ours / its for ours, its in zip(self.speed, peer, strict=True))
        return f"{rate:.2f} × its rate, {processor:.1f} × its processor"


class Load:
    """A service in a process of its own, and the tables that are played on it."""

    def __init__(self, url: str, tables: int, workers: int = 1) -> None:
        self.url = url
        store_context = open_store_context(self.url)
        scribe = Caller(store_context)
        self.games = [_opened(scribe) for _ in range(tables)]
        self.watched, self.alone = _opened(scribe), _opened(scribe)
        self.begun = store_context.bench.game(self.alone).last_number
        self.lines = legal_lines(IN_A_ROW)
        _, self.token = store_context.access.give("organiser", "", "anonymous")
        if url != "memory:":
            store_context.store.close()
        self.played = dict.fromkeys(self.games, 0)
        """How many of the lines each table has said."""
        self.tersely = False
        """Whether answers in data alone are asked for, as programs may."""
        self.process, self.port = _server(url, store_context, workers)

    def stop(self) -> None:
        self.process.terminate()  # a supervisor that was killed could not end its workers
        self.process.join()

    def connection(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.port, timeout=30)

    def post(self, connection: HTTPConnection, path: str, said: Any, *, token: bool = True) -> int:
        return self._posted(connection, path, said, token=token)[0]

    def asked(self, connection: HTTPConnection, path: str, said: Any) -> Any:
        """The data of the answer."""
        status, content = self._posted(connection, path, said)
        assert status == 200, content
        return json.loads(content)["data"]

    def _posted(
        self, connection: HTTPConnection, path: str, said: Any, *, token: bool = True
    ) -> tuple[int, bytes]:
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {self.token}"
        if self.tersely:
            headers["Prefer"] = "return=minimal"
        connection.request("POST", f"/api/v1{path}", json.dumps(said), headers)
        reply = connection.getresponse()
        return reply.status, reply.read()

    @property
    def pid(self) -> int:
        return int(self.process.pid)

    @property
    def resident(self) -> float:
        """Megabytes that the server holds."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0.0


def _opened(scribe: Caller) -> str:
    from answers.play.actions import log
    from answers.play.opening import NewAnswer

    opened = open_table(scribe, "benevolent", "A=blue B=red first A").data
    assert isinstance(opened, NewAnswer)
    log(scribe, opened.game, SETUP)
    return opened.game


def legal_lines(count: int) -> list[str]:
    """What can be said one after the other at any of these tables."""
    store_context, chance = open_store_context("memory:"), Random(1)
    game, lines = _opened(Caller(store_context)), list[str]()
    for _ in range(count):
        now = store_context.bench.game(game)
        options = now.engine.options(now.setting, now.state)
        lines.append(now.engine.text(chance.choice(options)))
        assert play.log(store_context.bench, game, lines[-1]).accepted
    return lines


def _server(url: str, store_context: StoreContext, workers: int) -> tuple[Any, int]:
    import multiprocessing

    from service.server import ListenAddress, listening

    listener, place = listening(ListenAddress(port=0))
    process = multiprocessing.get_context("fork").Process(
        target=_serve, args=(url, store_context, listener, workers)
    )
    process.start()
    return process, place.port


def _serve(url: str, store_context: StoreContext, listener: socket, workers: int) -> None:
    from service.server import ListenAddress, serve
    from service.workers import Work, serve_with_workers

    if workers > 1:
        serve_with_workers(Work(url, ListenAddress(), listener, PLENTY), workers)
        return
    served = store_context if url == "memory:" else open_store_context(url)
    serve(served, ListenAddress(), listener, limits=PLENTY)


# what is measured


def one_client(load: Load, folder: Path, times: int) -> Row:
    """Logging over HTTP beside the same call of a bench in this process."""
    store_context = open_store_context(f"sqlite://{folder}/bench.db")
    game = _opened(Caller(store_context))
    inside = _timed(
        times,
        lambda: play.log(store_context.bench, game, LINE),
        lambda: corrections.undo(store_context.bench, game),
    )
    connection, here = load.connection(), load.alone

    def log() -> None:
        assert load.post(connection, f"/games/{here}/actions", {"lines": [LINE]}) == 200

    def undo() -> None:
        assert load.post(connection, f"/games/{here}/undo", {}) == 200

    over = _timed(times, log, undo)
    measured = f"{over / inside:.2f} × ({over * 1000:.2f} and {inside * 1000:.2f} ms)"
    return Row("log over HTTP beside the call in the process", measured, "3 ×")


def _timed(times: int, done: Callable[[], Any], undone: Callable[[], Any]) -> float:
    taken = []
    for _ in range(times):
        begun = perf_counter()
        done()
        taken.append(perf_counter() - begun)
        undone()
    return median(taken)


def many_tables(load: Load, seconds: float, rate: float) -> Row:
    """All tables at once at a steady rate."""
    played = _played(load, seconds, rate, 20, 1)
    measured = f"{played.actions / seconds:.0f}/s, {played.told}"
    what = f"{len(load.games)} tables for {seconds:.0f} s"
    return Row(what, measured, f"{rate:.0f}/s, 0 errors, p99 60 ms", not played.faults)


class Played(NamedTuple):
    actions: int
    taken: list[float]
    faults: list[int]

    @property
    def told(self) -> str:
        cut = quantiles(self.taken, n=100)
        return (
            f"{len(self.faults)} errors, p50 {cut[49] * 1000:.1f} ms, p99 {cut[98] * 1000:.1f} ms"
        )


def _played(load: Load, seconds: float, rate: float, hands: int, count: int) -> Played:
    """So many requests a second at most, each with the next lines of a table; who has said all
    of them takes them back, which counts as no action."""
    taken: list[float] = []
    faults: list[int] = []
    actions: list[int] = []
    end = perf_counter() + seconds

    def play_on(number: int) -> None:
        connection, games = load.connection(), load.games[number::hands]
        due, turn = perf_counter() + number / rate, 0
        while perf_counter() < end and games:
            sleep(max(0.0, due - perf_counter()))
            due += hands / rate
            game = games[turn % len(games)]
            turn += 1
            lines = load.lines[load.played[game] :][:count]
            path, said = ("actions", {"lines": lines}) if lines else ("undo", {"to": load.begun})
            begun = perf_counter()
            status = load.post(connection, f"/games/{game}/{path}", said)
            taken.append(perf_counter() - begun)
            actions.append(len(lines))
            load.played[game] = load.played[game] + len(lines) if lines else 0
            if status != 200:
                faults.append(status)

    _in_threads(play_on, hands)
    return Played(sum(actions), taken, faults)


def saturated(load: Load, seconds: float, count: int = 1, *, tersely: bool = False) -> Row:
    """As much as goes, so many lines at once."""
    kept = "in memory" if load.url == "memory:" else "on SQLite"
    load.tersely, begun = tersely, spent_by(load.pid)
    played = _played(load, seconds, 1e6, HANDS, count)
    load.tersely, processor = False, (spent_by(load.pid) - begun) / played.actions
    measured = f"{played.actions / seconds:.0f}/s, {played.told}"
    measured += f", {processor * 1000:.2f} ms of the processor"
    what = f"as much as goes, {kept}, {count} {'action' if count == 1 else 'actions'} a request"
    what += ", data alone" if tersely else ""
    speed = PeerSpeed(played.actions / seconds, processor)
    return Row(what, measured, "0.6 × its rate", not played.faults, speed)


def several_workers(folder: Path, seconds: float, workers: int = 2) -> Row:
    """As much as goes with several workers beside as much as goes with one, in turns; then every
    record is proven."""
    loads = [
        Load(f"sqlite://{folder}/{count}.db", TABLES_OF_WORKERS, count) for count in (1, workers)
    ]
    sleep(3)
    rates: list[tuple[float, float]] = []
    faults: list[int] = []
    try:
        for _ in range(ROUNDS):
            one, many = (_played(load, seconds, 1e6, TABLES_OF_WORKERS, 1) for load in loads)
            rates.append((one.actions / seconds, many.actions / seconds))
            faults += [*one.faults, *many.faults]
    finally:
        for load in loads:
            load.stop()
    unproven = [game for load in loads for game in _unproven(load)]
    alone, shared = (median(each) for each in zip(*rates, strict=True))
    ratio = median(many / one for one, many in rates)
    measured = f"{ratio:.2f} × ({shared:.0f}/s and {alone:.0f}/s), {len(faults)} errors"
    measured += f", {len(unproven)} of {2 * TABLES_OF_WORKERS} records not proven"
    what = f"{workers} workers beside one, on SQLite, {TABLES_OF_WORKERS} tables"
    return Row(what, measured, "1.8 ×", not faults and not unproven)


def _unproven(load: Load) -> list[str]:
    store = open_store(load.url)
    found = [game for game in load.games if not verify(game, store.read(game)).ok]
    store.close()
    return found


def peer(folder: Path, seconds: float) -> Row:
    """boardgame.io's own server, as much as goes."""
    folder.mkdir()
    found = peer_speed(folder, HANDS, seconds)
    measured = "cannot be started here"
    if found is not None:
        measured = f"{found.a_second:.0f}/s, {found.processor * 1000:.2f} ms of the processor"
    return Row("boardgame.io's server, in memory", measured, "", speed=found)


def joins(load: Load, seconds: float) -> Row:
    """A hall comes in: everybody joins with the code on the wall, at some moment of a minute."""
    connection = load.connection()
    code = load.asked(connection, "/access/codes", {"role": "spectator", "many": True})["code"]
    taken: list[float] = []
    faults: list[int] = []
    random = Random(1)
    moments = sorted(random.random() * seconds for _ in range(JOINS))
    begin = perf_counter()

    def join(number: int) -> None:
        for moment in moments[number::HANDS]:
            sleep(max(0.0, begin + moment - perf_counter()))
            come, begun = load.connection(), perf_counter()
            status = load.post(come, "/join", {"code": code}, token=False)
            taken.append(perf_counter() - begun)
            come.close()
            if status != 200:
                faults.append(status)

    _in_threads(join, HANDS)
    played = Played(JOINS, taken, faults)
    return Row(f"{JOINS} join within {seconds:.0f} s", played.told, "0 errors", not faults)


def reports(folder: Path) -> Row:
    """All phones of a round report in the same moment."""
    from tools.measure.load.phones import Hall, Phone  # which needs the server from here

    folder.mkdir()
    hall = Hall(folder, REPORTS)
    try:
        hall.everybody(Phone.follow)
        begun = perf_counter()
        hall.everybody(Phone.report)
        last = perf_counter() - begun
    finally:
        hall.process.kill()
        hall.process.join()
    faults = [fault for phone in hall.phones for fault in phone.faults]
    measured = f"all after {last:.1f} s, {len(faults)} errors, {hall.agreed} tables agreed"
    sound = not faults and hall.agreed == REPORTS // 2
    return Row(f"{REPORTS} phones report in one moment", measured, "3 s", sound)


def _in_threads(work: Callable[[int], None], count: int) -> None:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def spectators(load: Load, count: int, moves: int = 5) -> Row:
    """The last of many spectators of one game sees a move."""
    behind = asyncio.run(_watched(load, count, moves))
    measured = (
        f"{median(behind) * 1000:.0f} ms after the answer (worst {max(behind) * 1000:.0f}), "
        f"{load.resident:.0f} MB"
    )
    return Row(f"the last of {count} spectators sees a move", measured, "300 ms, 200 MB")


def screen(load: Load) -> Row:
    """A phone in a hand."""
    what, budget = "a phone: first picture; from tap to verdict", "1,000 ms; 100 ms"
    if chromium() is None or find_spec("playwright") is None:
        return Row(what, "no browser here", budget)
    seen = on_a_phone(f"http://127.0.0.1:{load.port}", load.alone, load.token)
    return Row(what, f"{seen.picture:.0f} ms; {seen.verdict:.0f} ms", budget)


def kills(folder: Path, count: int) -> Row:
    """The server is killed while tables write."""
    folder.mkdir()
    what, budget = f"{count} kills under load", "0 lost, 0 doubled"
    try:
        kept = killed_under_load(f"sqlite://{folder}/games.db", count)
    except AssertionError as error:
        return Row(what, f"lost or doubled: {error}", budget, sound=False)
    return Row(what, f"{kept} acknowledged, none lost, none doubled", budget)


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


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--seconds", type=float, default=60)
    words.add_argument("--tables", type=int, default=200)
    words.add_argument("--rate", type=float, default=100)
    words.add_argument("--spectators", type=int, default=1000)
    words.add_argument("--kills", type=int, default=100)
    asked = words.parse_args()
    seconds = min(asked.seconds, MOST_SECONDS)
    with tempfile.TemporaryDirectory() as name:
        rows = [*_rows(asked, Path(name), seconds)]
    peers = next((row.speed for row in rows if row.what.startswith("boardgame.io")), None)
    print_table(
        f"Load, {seconds:.0f} s; 0.1.0 had no service",
        ["what", "today", "÷ boardgame.io", "limit"],
        [(row.what, row.measured, row.beside(peers), row.budget) for row in rows],
    )
    return 0 if all(row.sound for row in rows) else 1


def _rows(asked: argparse.Namespace, folder: Path, seconds: float) -> Iterator[Row]:
    short = min(seconds, 10)
    load = Load(f"sqlite://{folder}/load.db", min(asked.tables, MOST_TABLES))
    sleep(2)
    try:
        yield one_client(load, folder, 100)
        yield screen(load)
        yield many_tables(load, seconds, asked.rate)
        yield spectators(load, min(asked.spectators, MOST_SPECTATORS))
        yield joins(load, seconds)
        yield saturated(load, short)
    finally:
        load.stop()
    yield reports(folder / "reports")
    load = Load("memory:", HANDS)
    sleep(2)
    try:
        yield saturated(load, short)
        yield saturated(load, short, tersely=True)
        yield saturated(load, short, TURN, tersely=True)
        yield saturated(load, short, BACKLOG, tersely=True)
    finally:
        load.stop()
    yield several_workers(folder, short)
    yield peer(folder / "peer", short)
    if asked.kills:
        yield kills(folder / "kills", min(asked.kills, 500))


if __name__ == "__main__":
    sys.exit(main())
