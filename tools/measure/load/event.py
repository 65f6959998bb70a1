"""A whole event with a phone for every player, all behind one address, and a server that dies.

``python -m tools.measure.load.event`` plays 256 players, nine rounds and a top 16 on a service with
its usual limits. Every phone joins with its code, follows the event, finds its table and reports;
twice the server is killed while reports come in. It ends with 1 if a report that was answered is
not in the record, anybody is refused or does not find back, or the event does not verify. Nothing
but 127.0.0.1 is asked. A time that is missed on a busy machine is only shown.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter, sleep
from typing import Any
from uuid import uuid4

from answers.context import open_store_context
from referee.store import open_store
from referee.tournament.consistency import inspect
from referee.tournament.events import Agreed, ResultReported
from referee.tournament.proof import verify_tournament
from referee.tournament.state import Tournament
from tests.service.running import start
from tools.measure.bench.measuring import print_table
from tools.measure.load.__main__ import Row

PLAYERS, ROUNDS, FINALISTS = 256, 9, 16
SPREAD = 10.0
"""Seconds over which the reports of a round come, but for one round: there all come at once."""
KILLED_IN, AT_ONCE_IN = (3, 7), 5
AT_MOST, ALL_AT_MOST = 0.5, 4.0
"""Budgets in seconds: p99 of a report; all reports of a round that come in one instant."""
PATIENCE = 120.0


class Phone:
    """A player's, let in by a code; what it is answered is remembered."""

    def __init__(self, run: Run, player: str, name: str, code: str) -> None:
        self.run, self.player, self.name, self.code = run, player, name, code
        self.cookie = ""
        self.told: list[tuple[int, int]] = []
        """Round and table of every report that was answered."""
        self.taken: dict[int, float] = {}
        """By round, how long the report took."""
        self.refused: list[int] = []
        self.line: HTTPConnection | None = None

    def join(self) -> None:
        reply, headers = self._once("POST", f"/j/{self.code}", b"")
        if reply not in (200, 303):
            self.refused.append(reply)
            return
        self.cookie = headers["Set-Cookie"].partition(";")[0]

    def follow(self) -> None:
        """A live line, as the page keeps it."""
        if self.line is not None:
            self.line.close()
        self.line = HTTPConnection("127.0.0.1", self.run.port, timeout=PATIENCE)
        path = f"/api/v1/tournaments/{self.run.event}/events"
        self.line.request("GET", path, headers=self._headers())
        reply = self.line.getresponse()
        if reply.status != 200:
            self.refused.append(reply.status)
        else:
            reply.readline()

    def find_back(self) -> None:
        """From the first page, as after a break: the own event is offered, and opens."""
        place = f"/tournaments/{self.run.event}/players/{self.player}"
        if place.encode() not in self._body("/") or self.name.encode() not in self._body(place):
            self.refused.append(404)
        self.follow()

    def look(self) -> None:
        self._body(f"/tournaments/{self.run.event}/players/{self.player}")

    def report(self, round: int, table: int) -> None:
        """Told until it is answered, with one key: a killed server is asked again."""
        said = json.dumps({"places": ["A", "B"], "round": round}).encode()
        path = f"/api/v1/tournaments/{self.run.event}/tables/{table}/report"
        headers = {"Idempotency-Key": uuid4().hex, "Content-Type": "application/json"}
        begun = perf_counter()
        status = self._until_answered("POST", path, said, headers)
        self.taken[round] = perf_counter() - begun
        if status == 200:
            self.told.append((round, table))
        else:
            self.refused.append(status)

    def _body(self, path: str) -> bytes:
        connection = HTTPConnection("127.0.0.1", self.run.port, timeout=PATIENCE)
        try:
            connection.request("GET", path, headers=self._headers())
            reply = connection.getresponse()
            if reply.status != 200:
                self.refused.append(reply.status)
            return reply.read()
        finally:
            connection.close()

    def _until_answered(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> int:
        end = perf_counter() + PATIENCE
        while True:
            try:
                return self._once(method, path, body, headers)[0]
            except (OSError, HTTPException):
                assert perf_counter() < end, "nobody answers"
                sleep(0.2)

    def _once(
        self, method: str, path: str, body: bytes, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        connection = HTTPConnection("127.0.0.1", self.run.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {**self._headers(), **(headers or {})})
            reply = connection.getresponse()
            reply.read()
            return reply.status, reply.headers
        finally:
            connection.close()

    def _headers(self) -> dict[str, str]:
        return {"Cookie": self.cookie, "Origin": f"http://127.0.0.1:{self.run.port}"}


class Run:
    """One event on a service of its own."""

    def __init__(self, folder: Path, players: int, rounds: int) -> None:
        self.url, self.rounds = f"sqlite://{folder}/games.db", rounds
        self.environment: dict[str, Any] = {"XDG_DATA_HOME": str(folder / "data")}
        open_store(self.url).close()
        self.server = start(self.url, **self.environment)
        self.port, self.token = self.server.port, self.server.token
        self.store_context = open_store_context(self.url)
        self.paired: list[float] = []
        self.kills = 0
        rules = {"game": "benevolent", "format": "swiss", "rounds": rounds, "check_in": False}
        self.event = self.tell("", {"name": "Open", **rules})["data"]["tournament"]
        self.tell("/players", {"players": [{"name": f"P{at:03}"} for at in range(players)]})
        made = self.tell("/players/invitations", {"everybody": True})["data"]["invitations"]
        self.phones = {
            each["player"]: Phone(self, each["player"], each["name"], each["code"]) for each in made
        }

    def tell(self, path: str, said: dict[str, Any]) -> dict[str, Any]:
        """The desk; it is not killed while it speaks."""
        place = f"/tournaments/{self.event}{path}" if path else "/tournaments"
        status, body = self.server.ask("POST", place, said, token=self.token)
        assert status == 200, body
        return dict(body)

    @property
    def now(self) -> Tournament:
        return self.store_context.desk.load(self.event).now

    def everybody(self, does: Iterable[Callable[[], None]], spread: float = 0.0) -> float:
        """All phones, each at some moment of so many seconds; how long it took."""
        random = Random(1)

        def act(work: Callable[[], None], after: float) -> None:
            sleep(after)
            work()

        threads = [
            threading.Thread(target=act, args=(work, random.random() * spread)) for work in does
        ]
        begun = perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return perf_counter() - begun

    def play(self, number: int) -> float:
        """A round: paired, started, found, reported by all, closed; how long the reports took."""
        begun = perf_counter()
        self.tell("/round/pairing", {"seed": number})
        self.paired.append(perf_counter() - begun)
        self.tell("/round/start", {})
        seated = [
            (self.phones[player], table.number)
            for table in self.now.rounds[-1].draw.tables
            for player in table.seats
        ]
        self.everybody((phone.look for phone, _ in seated), SPREAD / 2)
        killer = threading.Timer(SPREAD / 2, self.kill)
        if number in KILLED_IN:
            killer.start()

        def telling(phone: Phone, table: int) -> Callable[[], None]:
            return lambda: phone.report(number, table)

        spread = 0.0 if number == AT_ONCE_IN else SPREAD
        taken = self.everybody((telling(*each) for each in seated), spread)
        if number in KILLED_IN:
            killer.join()
            self.everybody(phone.find_back for phone in self.phones.values())
        self.tell("/round/close", {})
        return taken

    def kill(self) -> None:
        self.server.kill()
        self.kills += 1
        self.server = start(self.url, self.port, **self.environment)

    def whole(self) -> float:
        """The event from its first phone to its winner; how long the round of one instant took."""
        self.everybody(phone.join for phone in self.phones.values())
        self.everybody(phone.follow for phone in self.phones.values())
        times = [self.play(number) for number in range(1, self.rounds + 1)]
        finals = {"places": FINALISTS, "style": "knockout", "on_tie": "better_seed", "lot": 1}
        self.tell("/finals", finals)
        number = self.rounds
        while len(self.now.rounds[-1].draw.tables) > 1 or number == self.rounds:
            number += 1
            self.play(number)
        self.tell("/close", {})
        return times[AT_ONCE_IN - 1] if self.rounds >= AT_ONCE_IN else 0.0

    def problems(self) -> list[str]:
        """What was lost, doubled, refused or does not hold."""
        hosted = self.store_context.desk.load(self.event)
        recorded = sorted(
            (told.event.round, told.event.table, told.event.player)
            for told in hosted.told
            if isinstance(told.event, ResultReported)
        )
        answered = sorted((*each, p.player) for p in self.phones.values() for each in p.told)
        found = [f"refused: {code}" for p in self.phones.values() for code in p.refused]
        if recorded != answered:
            found.append(f"{len(answered)} reports answered, {len(recorded)} recorded")
        results = [each[-1] for round in hosted.now.rounds for each in round.results.values()]
        found += ["a result not told by its players" for each in results
                  if not isinstance(each.source, Agreed)]  # fmt: skip
        found += [p.key for p in inspect(self.store_context.desk, self.event) if not p.is_remark]
        rows = self.store_context.store.read(self.event)
        proven = verify_tournament(self.store_context.desk, self.event, rows)
        return [*found, *(problem.key for problem in proven.problems)]

    def close(self) -> None:
        for phone in self.phones.values():
            if phone.line is not None:
                phone.line.close()
        self.store_context.store.close()
        self.server.process.kill()
        self.server.process.wait()


def measured(players: int = PLAYERS, rounds: int = ROUNDS) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder), players, rounds)
        try:
            instant = run.whole()
            problems = run.problems()
        finally:
            run.close()
    calm = [
        taken
        for phone in run.phones.values()
        for number, taken in phone.taken.items()
        if number not in KILLED_IN and number != AT_ONCE_IN
    ]
    cut = quantiles(calm, n=100)
    reports = sum(len(phone.told) for phone in run.phones.values())
    wrong = f"{len(problems)} problems" + (f": {sorted(set(problems))[:5]}" if problems else "")
    event = f"{players} players, {rounds} rounds, top {FINALISTS}"
    done = f"{reports} reports, killed {run.kills} times, {wrong}"
    report = f"p50 {cut[49] * 1000:.0f} ms, p99 {cut[98] * 1000:.0f} ms"
    return [
        Row(event, done, "0 problems", not problems),
        Row(f"a report, {players} within {SPREAD:.0f} s", report, f"p99 {AT_MOST * 1000:.0f} ms"),
        Row(f"{players} reports in one instant", f"{instant:.2f} s", f"{ALL_AT_MOST:.0f} s"),
        Row("a pairing", f"at most {max(run.paired):.2f} s", ""),
    ]


def main(players: int = PLAYERS, rounds: int = ROUNDS) -> int:
    rows = measured(players, rounds)
    print_table("A whole event by phones", ["what", "measured", "budget"], [r[:3] for r in rows])
    return 0 if all(row.sound for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
