"""Matches in the browser: tapped and typed at the desk, reported and confirmed on phones."""

from __future__ import annotations

from typing import Any

import pytest

from referee.tournament.events import Agreed, Outcome
from referee.tournament.plan import Match, TimeRule
from tests.pages.club import DESK, PHONE, Club, ready, violations
from tests.pages.event import Event, new_event

pytestmark = pytest.mark.xdist_group("pages hall")
NAMES = ["Ana", "Bo", "Cleo", "Dan"]
TIMED = TimeRule(minutes=50, on_time="judge")


def of_matches(club: Club, match: Match, names: list[str] = NAMES) -> Event:
    made = new_event(club, names, match=match, time=TIMED, tie_breaks=("PTS", "GP", "GW", "OGW"))
    made.pair()
    made.start()
    return made


def outcome(event: Event, table: int) -> Outcome | None:
    entered = event.now.current_round.result(table)
    return None if entered is None else entered.outcome


def test_a_match_is_tapped_typed_reported_and_confirmed(club: Club, devices: Any, axe: str) -> None:
    event = of_matches(club, Match(games=3), [*NAMES, "Eve", "Fay"])
    desk = ready(devices("organiser", event.id, bypass_csp=True, **DESK).open(event.page("/desk")))
    desk.click('[data-number="1"] [data-games="2-1"]')
    desk.wait_for_selector('[data-number="1"].done >> text=A 2 – 1 B')
    desk.focus('[data-number="2"] [data-games="2-0"]')
    desk.keyboard.press("0")
    desk.keyboard.press("2")
    desk.wait_for_selector('[data-number="2"].done >> text=A 0 – 2 B')
    assert [outcome(event, table) for table in (1, 2)] == [
        Outcome(places=(1, 2), games=("B", "A", "A")),
        Outcome(places=(2, 1), games=("B", "B")),
    ]
    one, two = (
        ready(
            devices("player", event.id, person=player, bypass_csp=True, **PHONE).open(
                event.page(f"/players/{player}")
            )
        )
        for player in event.now.current_round.table(3).seats
    )
    assert violations(one, axe) == []
    one.click(".unfinished summary")
    one.click('[data-games="1-1"]')
    two.wait_for_selector("[data-do=confirm] >> text=A 1 – 1 B")
    two.click("[data-do=confirm]")
    one.wait_for_selector("text=A 1 – 1 B")
    desk.wait_for_selector('[data-number="3"].done >> text=A 1 – 1 B')
    entered = event.now.current_round.result(3)
    assert entered is not None
    assert isinstance(entered.source, Agreed)
    assert entered.outcome == Outcome(places=(1, 1), games=("B", "A"), timed_out=True)
    assert violations(desk, axe) == []
