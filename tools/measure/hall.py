"""An event from its publication to its end in a real browser, by its organiser and its players.

``make hall`` runs 24 players through six rounds; a short one is in the suite. Desk and wall stay
open; every player takes out a phone to report or to confirm, and puts it away. Somebody comes
late, somebody leaves, two tables disagree, a result is misread and corrected after the round, a
judge is called, and the server is killed while results come in.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from answers.context import open_store_context
from referee.store import open_store
from referee.tournament.consistency import inspect
from referee.tournament.events import Agreed, ResultReported
from referee.tournament.proof import verify_tournament
from referee.tournament.state import Tournament
from tests.browser import launched
from tests.pages.club import DESK, PHONE, Club, Device
from tests.pages.event import TAB_OF, tab, tap
from tests.service.running import Running, start

EXPECTED = ("ERR_CONNECTION", "ERR_EMPTY", "ERR_INCOMPLETE", "Failed to load resource")
"""What a browser says of a server that is killed."""
REPORT = ".result-taps[data-how=report] [data-place={}]"


class Run:
    """One event. What was shown as told is remembered, and must be in the record at the end."""

    def __init__(
        self,
        browser: Any,
        folder: Path,
        shots: Path | None = None,
        screen: Mapping[str, Any] = DESK,
    ) -> None:
        self.browser, self.shots, self.screen = browser, shots, screen
        self.store = f"sqlite://{folder}/games.db"
        open_store(self.store).close()
        self.environment: dict[str, Any] = {"XDG_DATA_HOME": str(folder / "data")}
        self.server: Running = start(self.store, **self.environment)
        self.store_context = open_store_context(self.store)
        self.club = Club(self.store_context, self.server.url)
        self.told: list[tuple[int, int, str]] = []
        """Round, table and player of every report that a phone was answered."""
        self.open: list[Device] = []

    def close(self) -> None:
        for device in self.open:
            device.context.close()
        self.store_context.store.close()
        self.server.process.kill()
        self.server.process.wait()

    # who is there

    def device(self, role: str | None = None, scope: str = "", **kind: Any) -> Device:
        made = Device(self.browser, self.club, role, scope, **kind)
        made.expected = EXPECTED
        self.open.append(made)
        return made

    @contextmanager
    def phone(self, player: str) -> Iterator[Any]:
        """A player's phone, taken out for a moment."""
        device = Device(self.browser, self.club, "player", self.event, person=player, **PHONE)
        page = device.open(f"/tournaments/{self.event}/players/{player}")
        page.wait_for_selector("body[data-ready]")
        yield page
        device.close()

    def shoot(self, name: str, page: Any) -> None:
        if self.shots is not None:
            page.screenshot(path=self.shots / f"{name}.png", full_page=True)

    @property
    def now(self) -> Tournament:
        return self.store_context.desk.load(self.event).now

    # the desk

    def publish(self, names: list[str], rounds: int) -> None:
        """Published, registered and checked in; the last name does not come yet."""
        self.desk = self.device("organiser", **self.screen).open("/tournaments")
        self.desk.fill("#name", "Autumn Cup")
        self.desk.select_option("#game", "benevolent")
        self.desk.fill("#rounds", str(rounds))
        self.desk.click("form button.main")
        self.desk.wait_for_url("**/desk")
        self.event = self.desk.url.split("/")[-2]
        self.desk.wait_for_selector("body[data-ready]")
        self._register(names[:-1])
        self._press("everybody")
        self._register(names[-1:])
        wall = self.device("spectator", self.event, reduced_motion="reduce", **DESK)
        self.wall = wall.open(f"/tournaments/{self.event}/wall")
        self.wall.wait_for_selector("body[data-ready]")

    def join_by_code(self) -> None:
        """Who comes last is let in by a code of the desk and says: I am here."""
        tap(self.desk, "invite")
        code = self.desk.locator("#cards .code").last.inner_text()
        page = self.device(**PHONE).open(f"/j/{code}")
        page.click("main form button")
        page.wait_for_selector("[data-do=check-in]")
        self.shoot("phone-arrival", page)
        page.click("[data-do=check-in]")
        count = len(self.now.players)
        self.desk.wait_for_selector(f"#players >> text={count} players, {count} checked in")

    def _register(self, names: list[str]) -> None:
        tab(self.desk, "players").fill("#names", "\n".join(names))
        before = len(self.now.players)
        self.desk.click("#register button")
        self.desk.wait_for_selector(f"#players >> text={before + len(names)} players")

    def _press(self, what: str) -> None:
        tab(self.desk, TAB_OF.get(what, "round"))
        self.desk.evaluate("document.getElementById('told').hidden = true")
        self.desk.click(f"main [data-do={what}]")
        self.desk.wait_for_selector("#told.good:not([hidden])")

    def _done(self, table: int) -> None:
        self.desk.wait_for_selector(f"li.done:has(a:text-is('table {table}'))")

    def slip(self, table: int, told: str, reason: str) -> None:
        """What the desk types itself, or corrects."""
        row = tab(self.desk, "round").locator(f".desk-tables > li:has(a:text-is('table {table}'))")
        row.locator("[data-do=slip]").click()
        self.desk.fill("dialog [name=slip]", told)
        self.desk.fill("dialog [name=reason]", reason)
        self.desk.click("dialog button.main")
        self._done(table)

    # a round

    def begin(self) -> None:
        self._press("pair")
        self._press("start")
        self.wall.wait_for_selector(f"text=/Round {len(self.now.rounds)}/i")

    def end(self) -> None:
        self._press("round-close")

    def seats(self, table: int) -> tuple[str, ...]:
        return self.now.rounds[-1].table(table).seats

    @property
    def tables(self) -> list[int]:
        return [table.number for table in self.now.rounds[-1].draw.tables]

    def report(self, table: int, winner: str) -> None:
        """The first one reports, the second confirms."""
        first, second = self.seats(table)
        with self.phone(first) as page:
            page.click(REPORT.format(winner))
            page.wait_for_selector("#told.good")
            self._remember(table, first)
        with self.phone(second) as page:
            page.click("[data-do=confirm]")
            page.wait_for_selector("text=Confirmed by everyone at the table.")
            self._remember(table, second)

    def _remember(self, table: int, player: str) -> None:
        self.told.append((len(self.now.rounds), table, player))

    def disagree(self, table: int) -> None:
        """Both claim the game; the desk sees it, and decides."""
        first, second = self.seats(table)
        with self.phone(first) as page:
            page.click(REPORT.format("A"))
            page.wait_for_selector("#told.good")
            self._remember(table, first)
        with self.phone(second) as page:
            page.click(".report > summary")
            page.click(REPORT.format("B"))
            page.wait_for_selector("text=Your reports do not match.")
            self.shoot("phone-differ", page)
            self._remember(table, second)
        self.desk.wait_for_selector("#waiting >> text=reports do not match")
        self.shoot("desk-differ", self.desk)
        self.desk.click(f".result-taps[data-table='{table}'] [data-place=A]")
        self._done(table)

    def call(self, table: int) -> None:
        """A result that both have misread: a judge is called, corrects it and says so."""
        with self.phone(self.seats(table)[1]) as page:
            page.click("[data-do=call]")
            page.fill("dialog [name=text]", "we have misread it")
            page.click("dialog button.main")
            page.wait_for_selector("text=A judge is on the way")
        self.desk.wait_for_selector("#waiting >> text=we have misread it")
        self.slip(table, "B A", "misread")
        second = self.store_context.people.name(self.seats(table)[1])
        self.desk.locator("li.done .won").filter(has_text=second or "").wait_for()
        self.desk.click("#waiting [data-do=answer]")
        self.desk.click("dialog button.main")
        self.desk.wait_for_selector("#waiting [data-do=answer]", state="detached")

    def leave(self, table: int) -> None:
        """Somebody goes home while the round is played: a forfeit."""
        player = self.seats(table)[1]
        tab(self.desk, "players").click(f"[data-do=drop][data-player={player}]")
        self.desk.click("dialog button.main")
        self.desk.wait_for_selector(f"[data-do=return][data-player={player}]")
        self.slip(table, "A -B", "went home")

    def late(self, name: str) -> None:
        """Somebody who was not registered comes after the first round."""
        tab(self.desk, "players").select_option("#counts", "half_bye")
        self._register([name])

    def kill(self) -> None:
        """The server dies, and comes back where it was."""
        self.server.kill()
        self.server = start(self.store, self.server.port, **self.environment)

    def correct_earlier(self, number: int) -> None:
        """A slip of a round that is closed was wrong."""
        self.desk.goto(f"{self.club.url}/tournaments/{self.event}/desk?round={number}")
        self.desk.wait_for_selector("body[data-ready]")
        self.desk.click("[data-do=round-reopen]")
        self.desk.fill("dialog [name=reason]", "a slip was misread")
        self.desk.click("dialog button.main")
        self.desk.wait_for_selector("[data-do=round-close]")
        self.slip(1, "A=B", "it was a draw")
        self._press("round-close")
        self.desk.goto(f"{self.club.url}/tournaments/{self.event}/desk")
        self.desk.wait_for_selector("body[data-ready]")

    def finish(self) -> None:
        self.shoot("desk-end", self.desk)
        self.shoot("wall-end", self.wall)
        self._press("close")
        self.wall.wait_for_selector("[data-view=standings]", state="attached")
        with self.phone(self.told[-1][2]) as page:
            page.wait_for_selector(".sum")
            self.shoot("phone-end", page)

    def prove(self) -> None:
        """All that a phone was told to be heard is in the record, once; and everything holds."""
        desk, now = self.store_context.desk, self.now
        reports = [
            (told.event.round, told.event.table, told.event.player)
            for told in desk.load(self.event).told
            if isinstance(told.event, ResultReported)
        ]
        assert sorted(reports) == sorted(self.told)
        assert now.closed
        assert all(round.closed and not round.waiting for round in now.rounds)
        assert [p.key for p in inspect(desk, self.event) if not p.is_remark] == []
        rows = self.store_context.store.read(self.event)
        assert verify_tournament(desk, self.event, rows).problems == []


def whole_event(run: Run, names: list[str], rounds: int) -> None:
    """All that happens in a long day; the last name is that of who comes late."""
    run.publish(names[:-1], rounds)
    run.join_by_code()
    for number in range(1, rounds + 1):
        run.begin()
        rest = iter(run.tables)
        if number == 1:
            run.disagree(next(rest))
        if number == 2:
            table = next(rest)
            run.report(table, "A")
            run.call(table)
        if number == min(3, rounds):
            run.leave(next(rest))
        for turn, table in enumerate(rest):
            if number == rounds // 2 + 1 and turn == 0:
                with run.phone(run.seats(table)[0]) as page:
                    page.click(REPORT.format("B"))
                    page.wait_for_selector("#told.good")
                run.told.append((number, table, run.seats(table)[0]))
                run.kill()
                with run.phone(run.seats(table)[1]) as page:
                    page.click("[data-do=confirm]")
                    page.wait_for_selector("text=Confirmed by everyone at the table.")
                run.told.append((number, table, run.seats(table)[1]))
                run._done(table)
            else:
                run.report(table, "AB"[turn % 2])
        run.end()
        if number == 1:
            run.late(names[-1])
    run.correct_earlier(rounds)
    run.finish()
    run.prove()
    sources = [type(e[0].source) for r in run.now.rounds for e in r.results.values()]
    assert sources.count(Agreed) > len(sources) // 2


def main(players: int, rounds: int, shots: str | None) -> None:
    names = [f"Player {chr(65 + at)}{at}" for at in range(players)]
    if shots:
        Path(shots).mkdir(parents=True, exist_ok=True)
    begun = perf_counter()
    with TemporaryDirectory() as folder, launched() as browser:
        run = Run(browser, Path(folder), Path(shots) if shots else None)
        try:
            whole_event(run, names, rounds)
            events = len(run.store_context.desk.load(run.event).told)
        finally:
            run.close()
    taken = perf_counter() - begun
    print(f"{players} players, {rounds} rounds, {taken:.0f} s")
    print(f"{events} events, {len(run.told)} reports by phones, the server killed once:")
    print("nothing lost, nothing doubled, everything proven")


if __name__ == "__main__":
    asked = sys.argv[1:]
    main(int(asked[0]), int(asked[1]), asked[2] if len(asked) > 2 else None)
