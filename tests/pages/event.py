"""A tournament at a club: told what happens by its organiser, looked at by devices."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from answers.admin import access
from answers.context import Caller
from answers.tournament import clock, lifecycle, player_reports, players, results, rounds
from answers.tournament.result_slips import Slip
from answers.tournament.results import TournamentTableAnswer
from referee.table.author import Author
from referee.tournament.default_plans import usual_plan
from referee.tournament.desk import LoadedTournament
from referee.tournament.interchange.json_csv import PlayerRow
from referee.tournament.state import Tournament
from tests.pages.club import Club, turned

ORGANISER = Author("porg", "organiser")
HOSTILE = "<img src=x onerror=alert(1)>"
SHOTS = os.environ.get("REFEREE_SHOTS")
"""Where pictures of the pages go, for who wants to look at them."""


@dataclass(frozen=True)
class Event:
    club: Club
    id: str

    @property
    def desk(self) -> Caller:
        return Caller(self.club.store_context, ORGANISER)

    @property
    def hosted(self) -> LoadedTournament:
        return self.club.store_context.desk.load(self.id)

    @property
    def now(self) -> Tournament:
        return self.hosted.now

    def page(self, rest: str = "") -> str:
        return f"/tournaments/{self.id}{rest}"

    def player(self, name: str) -> str:
        listed = players.players(self.desk, self.id).data.players
        return next(row.player for row in listed if row.name == name)

    def register(self, names: Sequence[str], *, here: bool = True) -> None:
        players.register(self.desk, self.id, [PlayerRow(name=name) for name in names])
        if here:
            players.check_in(self.desk, self.id, everybody=True)

    def pair(self) -> None:
        rounds.pair(self.desk, self.id, seed=7)

    def start(self) -> None:
        rounds.start(self.desk, self.id)

    def open_table(self, table: int) -> str:
        """The game of a table."""
        opened = results.open_table(self.desk, self.id, table).data
        assert isinstance(opened, TournamentTableAnswer)
        return opened.game

    def time(self, minutes: int) -> None:
        clock.start(self.desk, self.id, minutes)

    def result(self, table: int, *places: str) -> None:
        results.enter_result(self.desk, self.id, table, Slip(list(places)), "")

    def report(self, table: int, *places: str) -> None:
        """The first who sits there says how it ended."""
        first = self.now.current_round.table(table).seats[0]
        player_reports.report(self.desk, self.id, table, Slip(list(places)), player=first)

    def close_round(self) -> None:
        rounds.close(self.desk, self.id)

    def open_to_everybody(self) -> None:
        access.set_rules(self.desk, self.id, open_to="everybody")


def new_event(club: Club, names: Sequence[str] = (), **plan: Any) -> Event:
    """An event of duels that has not begun."""
    published = usual_plan("benevolent", "swiss", 2).model_copy(update=plan)
    made = lifecycle.create(Caller(club.store_context, ORGANISER), "Spring Cup", published).data
    event = Event(club, made.tournament)
    if names:
        event.register(names)
    return event


def shot(page: Any, name: str) -> None:
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)


TAB_OF = {
    **dict.fromkeys(("everybody", "invite", "more", "drop", "return", "late"), "players"),
    **dict.fromkeys(("keep-apart", "registration-close", "byes"), "players"),
    **dict.fromkeys(("lot", "reading", "zones", "hall-set", "penalty-cancel"), "judging"),
    **dict.fromkeys(("finalist", "finals-cancel", "close", "reopen", "seed"), "finals"),
    "prizes-set": "standings",
    "revise": "rules",
}
"""Where an organiser finds a button that is not on the desk itself."""


def tab(page: Any, name: str) -> Any:
    """The page of an event, turned to one of its tabs."""
    if not page.locator(f"#tabs a[data-tab={name}][aria-current]").count():
        with turned(page):
            page.click(f"#tabs a[data-tab={name}]")
    return page


def tap(page: Any, what: str) -> None:
    """A button of the event, on the tab where it stands."""
    tab(page, TAB_OF.get(what, "round")).click(f"main [data-do={what}]")


def fits(page: Any) -> bool:
    """Whether nothing is wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def told(page: Any) -> None:
    """The page has said that it is done; the next time it is waited for again."""
    page.wait_for_selector("#told.good:not([hidden])")
    page.evaluate("document.getElementById('told').hidden = true")
