"""A hall full of phones: everybody looks at the new round, and tells how it ended.

``python -m tools.measure.load.phones 100 200`` prints a row for each number of phones. Every phone
is let in as its player, follows the event live, fetches its page, and reports; a table is done when
both of its phones have said the same. Nothing but 127.0.0.1 is asked. It ends with 1 if anything
was refused, or a table is left without the result that its players told.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter, sleep

from answers.context import Caller, open_store_context
from answers.tournament import lifecycle, players, results, rounds
from referee.store import open_store
from referee.table.author import Author
from referee.tournament.default_plans import usual_plan
from referee.tournament.event_streams import read_told
from referee.tournament.events import Agreed, read_event
from referee.tournament.fold import fold
from referee.tournament.interchange.json_csv import PlayerRow
from tools.measure.bench.measuring import print_table
from tools.measure.load.__main__ import Row, _server

PLAYED, SPREAD = 3, 20.0
"""Rounds before the one that is measured; seconds over which its results come."""
PATIENCE = 300.0


class Phone:
    """One player's, with its own connections."""

    def __init__(self, port: int, event: str, player: str, table: int, token: str) -> None:
        self.page = f"/tournaments/{event}/players/{player}"
        self.event, self.table = f"/api/v1/tournaments/{event}", table
        self.headers = {"Cookie": f"referee={token}", "Origin": f"http://127.0.0.1:{port}"}
        self.port = port
        self.faults: list[int] = []
        self.looked: list[float] = []
        self.told: list[float] = []

    def follow(self) -> None:
        """A live line, as the page keeps it; nobody reads it faster than it comes."""
        self.line = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self.line.request("GET", f"{self.event}/events", headers=self.headers)
        self.line.getresponse().readline()

    def look(self) -> None:
        self.looked.append(self._asked("GET", self.page))

    def report(self) -> None:
        said = json.dumps({"places": ["A", "B"], "round": PLAYED + 1})
        self.told.append(self._asked("POST", f"{self.event}/tables/{self.table}/report", said))

    def _asked(self, method: str, path: str, body: str | None = None) -> float:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {**self.headers, "Content-Type": "application/json"}
        begun = perf_counter()
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        reply.read()
        connection.close()
        if reply.status != 200:
            self.faults.append(reply.status)
        return perf_counter() - begun


class Hall:
    """An event in its fourth round on a server of its own, and the phones of who plays in it."""

    def __init__(self, folder: Path, count: int, workers: int = 1) -> None:
        self.url = f"sqlite://{folder}/{count}.db"
        store_context = open_store_context(self.url)
        desk = Caller(store_context, Author("porg", "organiser"))
        plan = usual_plan("benevolent", "swiss", PLAYED + 1, check_in=False)
        self.event = lifecycle.create(desk, "Load", plan).data.tournament
        people = [PlayerRow(name=f"Player {number}") for number in range(count)]
        players.register(desk, self.event, people)
        for number in range(PLAYED + 1):
            rounds.pair(desk, self.event, seed=number)
            rounds.start(desk, self.event)
            if number < PLAYED:
                listed = "\n".join(f"{table} A B" for table in range(1, count // 2 + 1))
                results.enter_list(desk, self.event, listed)
                rounds.close(desk, self.event)
        seats = {
            player: table.number
            for table in store_context.desk.load(self.event).now.rounds[-1].draw.tables
            for player in table.seats
        }
        tokens = {p: store_context.access.give("player", self.event, p)[1] for p in seats}
        store_context.store.close()
        self.process, port = _server(self.url, store_context, workers)
        _awake(port)
        self.phones = [Phone(port, self.event, p, seats[p], tokens[p]) for p in seats]

    def everybody(self, does: Callable[[Phone], None], spread: float = 0) -> None:
        """All phones at once, or each at some moment of so many seconds."""
        random = Random(1)

        def act(phone: Phone, after: float) -> None:
            sleep(after)
            does(phone)

        threads = [
            threading.Thread(target=act, args=(phone, random.random() * spread))
            for phone in self.phones
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    @property
    def agreed(self) -> int:
        """Tables whose result is what both of their players said."""
        store = open_store(self.url)
        now = fold(read_told(row, read_event).event for row in store.read(self.event))
        store.close()
        last = now.rounds[-1]
        found = (last.result(table.number) for table in last.draw.tables)
        return sum(each is not None and isinstance(each.source, Agreed) for each in found)


def _awake(port: int) -> None:
    """The server answers; on a busy machine that takes a while."""
    end = perf_counter() + PATIENCE
    while True:
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        try:
            connection.request("GET", "/api/health")
            connection.getresponse().read()
            return
        except OSError:
            assert perf_counter() < end, "nobody answers"
            sleep(0.1)
        finally:
            connection.close()


def _report_and_look(phone: Phone) -> None:
    phone.report()
    phone.look()


def _times(taken: list[float]) -> str:
    cut = quantiles(taken, n=100)
    return f"p50 {cut[49] * 1000:.0f} ms, p99 {cut[98] * 1000:.0f} ms"


def measured(folder: Path, count: int) -> list[Row]:
    rows = []
    for spread, when in ((SPREAD, f"within {SPREAD:.0f} s"), (0.0, "all at once")):
        place = folder / f"{spread:.0f}"
        place.mkdir(exist_ok=True)
        hall = Hall(place, count)
        try:
            hall.everybody(Phone.follow)
            hall.everybody(Phone.look, spread)
            looked = [each for phone in hall.phones for each in phone.looked]
            hall.everybody(_report_and_look, spread)
        finally:
            hall.process.kill()
            hall.process.join()
        told = [each for phone in hall.phones for each in phone.told]
        faults = [fault for phone in hall.phones for fault in phone.faults]
        done = hall.agreed
        sound = not faults and done == count // 2
        wrong = f"{len(faults)} errors" + (f" {sorted(set(faults))}" if faults else "")
        shown = f"{wrong}, {done} of {count // 2} tables agreed"
        rows += [
            Row(f"{count} phones look, {when}", _times(looked), "", sound),
            Row(f"{count} phones report, {when}", f"{_times(told)}; {shown}", "0 errors", sound),
        ]
    return rows


def main(counts: list[int]) -> int:
    rows: list[Row] = []
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            rows += measured(Path(folder), count)
    print_table("Phones", ["what", "measured", "budget"], [row[:3] for row in rows])
    return 0 if all(row.sound for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main([int(word) for word in sys.argv[1:]] or [100, 200]))
