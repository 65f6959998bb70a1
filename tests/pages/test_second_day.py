"""What is tapped on a second day: who goes on, when the clock starts, time given back."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from answers.tournament import player_reports
from referee.tournament.plan import TimeRule
from tests.pages.club import DESK, PHONE, Club, ready, violations, waits
from tests.pages.event import new_event

pytestmark = pytest.mark.xdist_group("pages hall")


def test_the_first_go_on_the_clock_waits_and_a_call_gives_its_time_back(
    club: Club, devices: Any, axe: str
) -> None:
    first = new_event(club, ["Ana", "Bo", "Cleo", "Dan"])
    first.pair()
    first.start()
    for table, places in ((1, ("A", "B")), (2, ("A=B",))):
        first.result(table, *places)
    first.close_round()
    second = new_event(club, [], time=TimeRule(minutes=50, on_time="judge"), check_in=False)
    device = devices("organiser", bypass_csp=True, **DESK)
    page = ready(device.open(second.page("/players")))
    page.click("[data-do=qualify]")
    page.select_option("dialog [name=earlier_event]", first.id)
    page.fill("dialog [name=how_many_go_on]", "4")
    page.check("dialog [name=keep_points]")
    assert violations(page, axe) == []
    page.click("dialog button.main")
    page.wait_for_selector(".people >> text=Ana")
    assert sorted(p.carried for p in second.now.players.values()) == [0, 1, 1, 2]

    second.pair()
    second.start()
    page = ready(device.open(second.page("/desk")))
    page.click("[data-do=clock-start]")
    later = datetime.now().astimezone().replace(second=0, microsecond=0) + timedelta(minutes=3)
    page.fill("dialog [name=from]", f"{later:%H:%M}")
    page.click("dialog button.main")
    page.wait_for_selector("[data-waits]")
    assert page.inner_text("#time") == "50:00"
    clock = second.now.round(1).clock
    assert clock is not None
    assert clock.since == later

    for table in second.now.round(1).draw.tables:
        caller = table.seats[1]
        player_reports.call_judge(second.desk, second.id, table.number, player=caller)
    judge = ready(devices("judge", **PHONE).open("/judge"))
    assert judge.locator("[data-call]").count() == 2
    judge.locator("[data-call] button").first.click()
    judge.wait_for_selector("#calls li:first-child [data-call]", state="detached")
    assert judge.locator("[data-call]").count() == 1
    given = second.now.round(1).clock
    assert given is not None
    assert given.extra == {1: 1}


def test_badges_are_scanned_one_after_the_other(club: Club, devices: Any, axe: str) -> None:
    """A hand scanner types and presses Enter; the next badge may come before the answer."""
    event = new_event(club, [])
    event.register(["Ana", "Bo", "Cleo Noël"], here=False)
    device = devices("organiser", **DESK)
    device.expected = ("404",)
    page = ready(device.open(event.page("/players")))
    assert violations(page, axe) == []
    page.focus("#scanned")
    address = f"{club.url}{event.page('/players/')}"
    for read in (f"{address}{event.player('Bo')}", "cleo noel"):
        page.keyboard.insert_text(read)
        page.keyboard.press("Enter")
    waits(page, "() => document.querySelectorAll('[data-do=check-in]').length === 1")
    came = {club.store_context.people.name(p.id) for p in event.now.players.values() if p.came}
    assert came == {"Bo", "Cleo Noël"}
    page.keyboard.insert_text("nobody")
    page.keyboard.press("Enter")
    page.wait_for_selector("#told.bad")
    waits(page, "() => document.getElementById('scanned').value === 'nobody'")
    event.pair()
    event.start()
    page.reload()
    ready(page)
    page.fill("#scanned", "2")
    page.keyboard.press("Enter")
    page.wait_for_selector("#told.good")
    assert event.now.checked_in[2] == {event.player("Bo")}
