"""Whole events with a phone for every player, all behind one address, and a server that dies.

``python -m tools.measure.load.event`` plays 256 players, nine rounds and a top 16 on a service with
its usual limits; ``weekend`` behind it two flights of 128 and a team event beside them, and on the
second day the best 64 with a double elimination of 16. ``weekend 8`` is an eighth of that. Every
phone joins with its code, follows the event, finds its table and reports; twice a day the server
is killed while reports come in. It ends with 1 if a report that was answered is not in the record,
anybody is refused or does not find back, or an event does not verify. Nothing but 127.0.0.1 is
asked. A time that is missed on a busy machine is only shown.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
from collections import Counter
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
FLIGHTS, FLIGHT, TEAMS, BOARDS = 2, 128, 24, 3
DAYS = (6, 4)
"""Rounds of each day of a weekend, before the finals."""
SPREAD = 10.0
"""Seconds over which the reports of a round come, but for one round: there all come at once."""
KILLED_IN, AT_ONCE_IN = (3, 7), 5
KILLED_ON_A_DAY = (2, 4)
AT_MOST, ALL_AT_MOST = 0.2, 4.0
"""Budgets in seconds: p99 of a report; all reports of a round that come in one instant."""
PATIENCE = 120.0


class Phone:
    """A player's, let in by a code; what it is answered is remembered."""

    def __init__(self, event: Event, player: str, name: str, code: str) -> None:
        self.event, self.port = event, event.house.port
        self.player, self.name, self.code = player, name, code
        self.cookie = ""
        self.told: list[tuple[int, int]] = []
        """Round and table of every report that was answered."""
        self.calm: list[float] = []
        """How long the reports took, but of rounds in which something happens to the server."""
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
        self.line = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        path = f"/api/v1/tournaments/{self.event.id}/events"
        self.line.request("GET", path, headers=self._headers())
        reply = self.line.getresponse()
        if reply.status != 200:
            self.refused.append(reply.status)
        else:
            reply.readline()

    def find_back(self) -> None:
        """From the first page, as after a break: the own event is offered, and opens."""
        place = f"/tournaments/{self.event.id}/players/{self.player}"
        if place.encode() not in self._body("/") or self.name.encode() not in self._body(place):
            self.refused.append(404)
        self.follow()

    def look(self) -> None:
        self._body(f"/tournaments/{self.event.id}/players/{self.player}")

    def report(self, round: int, table: int, slip: dict[str, Any], *, calm: bool) -> None:
        """Told until it is answered, with one key: a killed server is asked again."""
        said = json.dumps({**slip, "round": round}).encode()
        path = f"/api/v1/tournaments/{self.event.id}/tables/{table}/report"
        headers = {"Idempotency-Key": uuid4().hex, "Content-Type": "application/json"}
        begun = perf_counter()
        status = self._until_answered("POST", path, said, headers)
        if calm:
            self.calm.append(perf_counter() - begun)
        if status == 200:
            self.told.append((round, table))
        else:
            self.refused.append(status)

    def _body(self, path: str) -> bytes:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
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
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {**self._headers(), **(headers or {})})
            reply = connection.getresponse()
            reply.read()
            return reply.status, reply.headers
        finally:
            connection.close()

    def _headers(self) -> dict[str, str]:
        return {"Cookie": self.cookie, "Origin": f"http://127.0.0.1:{self.port}"}


class House:
    """A service that dies and comes back, and the phones that ask it."""

    def __init__(self, folder: Path) -> None:
        self.url = f"sqlite://{folder}/games.db"
        self.environment: dict[str, Any] = {"XDG_DATA_HOME": str(folder / "data")}
        open_store(self.url).close()
        self.server = start(self.url, **self.environment)
        self.port, self.token = self.server.port, self.server.token
        self.store_context = open_store_context(self.url)
        self.events: list[Event] = []
        self.paired: list[float] = []
        self.kills = 0

    def tell(self, place: str, said: dict[str, Any]) -> dict[str, Any]:
        """The desk; it is not killed while it speaks."""
        status, body = self.server.ask("POST", place, said, token=self.token)
        assert status == 200, body
        return dict(body)

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

    def arrive(self, *events: Event) -> None:
        """Every phone joins, and follows its event."""
        phones = [phone for event in events for phone in event.phones.values()]
        self.everybody(phone.join for phone in phones)
        self.everybody(phone.follow for phone in phones)

    def play(self, *events: Event, killed: bool = False, at_once: bool = False) -> float:
        """A round of events that are held beside each other: paired, started, found, reported by
        all, closed; how long the reports took."""
        seated = [each for event in events for each in event.begin()]
        self.everybody((phone.look for phone, _ in seated), SPREAD / 2)
        killer = threading.Timer(SPREAD / 2, self.kill)
        if killed:
            killer.start()
        calm = not (killed or at_once)
        tellings = [phone.event.telling(phone, table, calm=calm) for phone, table in seated]
        taken = self.everybody(tellings, 0.0 if at_once else SPREAD)
        if killed:
            killer.join()
            self.everybody(phone.find_back for e in events for phone in e.phones.values())
        for event in events:
            event.tell("/round/close", {})
        return taken

    def kill(self) -> None:
        self.server.kill()
        self.kills += 1
        self.server = start(self.url, self.port, **self.environment)

    def rows(self, what: str, instant: float | None = None) -> list[Row]:
        """What was lost, how long a report took, and how long a pairing."""
        phones = [phone for event in self.events for phone in event.phones.values()]
        problems = [problem for event in self.events for problem in event.problems()]
        cut = quantiles([taken for phone in phones for taken in phone.calm], n=100)
        reports = sum(len(phone.told) for phone in phones)
        wrong = f"{len(problems)} problems" + (f": {sorted(set(problems))[:5]}" if problems else "")
        done = f"{reports} reports, killed {self.kills} times, {wrong}"
        report = f"p50 {cut[49] * 1000:.0f} ms, p99 {cut[98] * 1000:.0f} ms"
        at_once = [] if instant is None else [
            Row("all reports in one instant", f"{instant:.2f} s", f"{ALL_AT_MOST:.0f} s")
        ]  # fmt: skip
        return [
            Row(what, done, "0 problems", not problems),
            Row(f"a report, all within {SPREAD:.0f} s", report, f"p99 {AT_MOST * 1000:.0f} ms"),
            *at_once,
            Row("a pairing", f"at most {max(self.paired):.2f} s", ""),
        ]

    def close(self) -> None:
        for event in self.events:
            for phone in event.phones.values():
                if phone.line is not None:
                    phone.line.close()
        self.store_context.store.close()
        self.server.process.kill()
        self.server.process.wait()


class Event:
    """One event of a house; its phones tell every result."""

    def __init__(self, house: House, name: str, rounds: int, boards: int = 0) -> None:
        self.house, self.name, self.rounds, self.boards = house, name, rounds, boards
        rules = {"game": "benevolent", "format": "swiss", "rounds": rounds, "check_in": False}
        if boards:
            rules |= {"match": {"games": boards, "boards": True}}
        told = house.tell("/tournaments", {"name": name, **rules})
        self.id = told["data"]["tournament"]
        self.phones: dict[str, Phone] = {}
        house.events.append(self)

    def tell(self, path: str, said: dict[str, Any]) -> dict[str, Any]:
        return self.house.tell(f"/tournaments/{self.id}{path}", said)

    def register(self, players: int) -> None:
        names = [f"{self.name[-1]}{at:03}" for at in range(players)]
        self.tell("/players", {"players": [{"name": name} for name in names]})
        for name in names if self.boards else ():
            members = [f"{name}-{at}" for at in range(self.boards + 1)]
            self.tell("/teams", {"team": name, "members": members})
        self.invite()

    def qualify(self, flight: Event, top: int) -> None:
        """The best of a flight go on here; a tie at the cut is decided by lot."""
        said = {"event": flight.id, "top": top, "carry": True}
        place = f"/tournaments/{self.id}/players/qualified"
        for _ in range(2):
            status, body = self.house.server.ask("POST", place, said, token=self.house.token)
            if status == 200:
                return
            level = body["facts"]["players"]
            flight.tell("/lots", {"names": level, "seed": 1, "reason": "the cut"})
        raise AssertionError(body)

    def invite(self) -> None:
        """A code for the phone of everybody who plays."""
        made = self.tell("/players/invitations", {"everybody": True})["data"]["invitations"]
        self.phones = {
            each["player"]: Phone(self, each["player"], each["name"], each["code"]) for each in made
        }

    @property
    def now(self) -> Tournament:
        return self.house.store_context.desk.load(self.id).now

    def begin(self) -> list[tuple[Phone, int]]:
        """The next round is paired and started: whose phone is at which table."""
        begun = perf_counter()
        self.tell("/round/pairing", {"seed": len(self.now.rounds) + 1})
        self.house.paired.append(perf_counter() - begun)
        self.tell("/round/start", {})
        return [
            (self.phones[player], table.number)
            for table in self.now.rounds[-1].draw.tables
            for player in table.seats
        ]

    def telling(self, phone: Phone, table: int, *, calm: bool) -> Callable[[], None]:
        """What a phone does at the end of a game; both at a table tell the same."""
        number = len(self.now.rounds)
        won, lost = "AB" if (number + table) % 3 else "BA"
        slip = {"games": (won + lost + won * 7)[: self.boards]} if self.boards else {
            "places": [won, lost]
        }  # fmt: skip
        return lambda: phone.report(number, table, slip, calm=calm)

    def finals(self, style: str, places: int = FINALISTS) -> None:
        """Played to the last table."""
        said = {"places": places, "style": style, "on_tie": "better_seed", "lot": 1}
        self.tell("/finals", said)
        while not self.decided:
            self.house.play(self)

    @property
    def decided(self) -> bool:
        """Whether nobody else can win the finals any more."""
        now, finals = self.now, self.now.finals
        assert finals is not None
        played = now.rounds_of(finals.started.style)
        defeats = Counter(
            player
            for round in played
            for table in round.draw.tables
            if (entered := round.result(table.number)) is not None
            for player, place in zip(table.seats, entered.outcome.places, strict=True)
            if place > 1
        )
        lives = 2 if finals.started.style == "double_elimination" else 1
        return sum(defeats[player] < lives for player in finals.players) == 1

    def problems(self) -> list[str]:
        """What was lost, doubled, refused or does not hold."""
        desk = self.house.store_context.desk
        hosted = desk.load(self.id)
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
        found += [p.key for p in inspect(desk, self.id) if not p.is_remark]
        rows = self.house.store_context.store.read(self.id)
        proven = verify_tournament(desk, self.id, rows)
        return [*found, *(problem.key for problem in proven.problems)]


def whole(house: House, players: int, rounds: int) -> float | None:
    """One event from its first phone to its winner; how long the round of one instant took."""
    event = Event(house, "Open P", rounds)
    event.register(players)
    house.arrive(event)
    times = [
        house.play(event, killed=number in KILLED_IN, at_once=number == AT_ONCE_IN)
        for number in range(1, rounds + 1)
    ]
    event.finals("knockout")
    event.tell("/close", {})
    return times[AT_ONCE_IN - 1] if rounds >= AT_ONCE_IN else None


def weekend(house: House, share: int = 1) -> None:
    """Flights and teams on the first day; on the second the best of the flights, and the teams."""
    first, second = DAYS
    flights = [Event(house, f"Flight {'AB'[at]}", first) for at in range(FLIGHTS)]
    teams = Event(house, "Teams T", first + second, BOARDS)
    for flight in flights:
        flight.register(FLIGHT // share)
    teams.register(TEAMS // min(share, 4))
    house.arrive(*flights, teams)
    for number in range(1, first + 1):
        house.play(*flights, teams, killed=number in KILLED_ON_A_DAY)
    final = Event(house, "Final F", second)
    for flight in flights:
        final.qualify(flight, FLIGHT // share // 4)
        flight.tell("/close", {})
    final.invite()
    house.arrive(final)
    for number in range(1, second + 1):
        house.play(final, teams, killed=number in KILLED_ON_A_DAY)
    final.finals("double_elimination", max(4, FINALISTS // share))
    final.tell("/close", {})
    teams.tell("/close", {})


def main(*asked: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder))
        try:
            if asked[:1] == ("weekend",):
                weekend(house, *map(int, asked[1:]))
                rows = house.rows(", ".join(f"{e.name}: {len(e.phones)}" for e in house.events))
            else:
                players, rounds = map(int, asked or (PLAYERS, ROUNDS))
                instant = whole(house, players, rounds)
                what = f"{players} players, {rounds} rounds, top {FINALISTS}"
                rows = house.rows(what, instant)
        finally:
            house.close()
    print_table("Whole events by phones", ["what", "measured", "budget"], [r[:3] for r in rows])
    return 0 if all(row.sound for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
