"""The rules of an event: chosen in the browser, read by everybody before round one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pages.club import DESK, PHONE, Club, ready
from tests.pages.event import Event, new_event

pytestmark = pytest.mark.xdist_group("pages hall")


def test_every_rule_is_chosen_in_the_browser_copied_and_changed(club: Club, devices: Any) -> None:
    page = ready(devices("organiser", **DESK).open("/tournaments"))
    page.fill("#name", "Brooms")
    page.select_option("#game", "broom_service")
    page.select_option("#format", "pods")
    page.click("#all-rules summary")
    chosen = {"by_standings": "no", "points": "places", "table_numbers": "by_standings"}
    for name, value in {**chosen, "on_time": "judge", "unplayed_rounds": "fide_2024"}.items():
        page.select_option(f"[name={name}]", value)
    typed = {"least": "3", "most": "5", "preferred": "4", "point_list": "5 3 1,5 0"}
    for name, text in {**typed, "size_3": "5 2 0", "bye": "2.5", "minutes": "90"}.items():
        page.fill(f"[name={name}]", text)
    page.locator("[name=tie_break]").nth(0).select_option("PTS")
    page.locator("[name=tie_break]").nth(1).select_option("FIRSTS")
    page.uncheck("[name=check_in]")
    page.click("#new button.main")
    page.wait_for_url("**/desk")
    desk = club.store_context.desk
    (first,) = desk.all()
    plan = first.now.plan
    assert (plan.scoring.kind, plan.scoring.bye) == ("places", 5)
    assert plan.scoring.places == (10, 6, 3, 0)  # type: ignore[union-attr]
    assert plan.scoring.by_size == {"3": (10, 4, 0)}  # type: ignore[union-attr]
    assert plan.tie_breaks == ("PTS", "FIRSTS")
    assert (plan.seats.least, plan.seats.preferred, plan.seats.most) == (3, 4, 5)
    assert plan.time is not None
    assert (plan.time.minutes, plan.time.on_time) == (90, "judge")
    assert (plan.table_numbers, plan.check_in, plan.unplayed_rounds) == (
        "by_standings", False, "fide_2024",
    )  # fmt: skip

    page.goto(f"{club.url}/tournaments")
    ready(page)
    page.fill("#name", "Brooms again")
    page.select_option("#like", first.id)
    page.wait_for_function("document.querySelector('[name=minutes]').value === '90'")
    page.click("#new button.main")
    page.wait_for_url("**/desk")
    copy = next(hosted for hosted in desk.all() if hosted.id != first.id)
    assert copy.now.plan == plan

    page.goto(f"{club.url}/tournaments/{copy.id}/rules")
    ready(page)
    page.fill("[name=minutes]", "75")
    page.fill("#reason", "the hall closes early")
    page.click("#revise button.main")
    page.wait_for_selector("text=75 minutes")
    assert desk.load(copy.id).now.plan == plan.model_copy(
        update={"time": plan.time.model_copy(update={"minutes": 75})}
    )


@pytest.mark.parametrize("rest", ["", "/rules", "/wall"])
def test_everybody_reads_the_rules_before_round_one(club: Club, devices: Any, rest: str) -> None:
    event = new_event(club)
    event.open_to_everybody()
    page = devices(None, **PHONE).open(event.page(rest))
    text = page.locator("main").inner_text()
    for words in ("Swiss", "win – draw – loss", "Buchholz without the lowest", "FIDE", "Bye 1"):
        assert words in text
    paper = page.request.get(f"{club.url}/api/v1{Event.page(event, '/papers/rules')}").text()
    assert "Buchholz without the lowest" in paper


def test_teams_of_a_ladder_enter_their_result_by_name(club: Club, devices: Any) -> None:
    page = ready(devices("organiser", **DESK).open("/tournaments"))
    page.fill("#name", "Woods")
    page.select_option("#game", "bethel_woods")
    page.select_option("#format", "ladder")
    page.click("#new button.main")
    page.wait_for_url("**/desk")
    (hosted,) = club.store_context.desk.all()
    event = Event(club, hosted.id)
    event.register(["The Owls", "The Foxes"])
    event.pair()
    event.start()
    page.reload()
    ready(page)
    row = page.locator("li[data-number='1']")
    row.locator("[name=won]").select_option("1")
    row.locator("[name=level]").fill("14")
    row.locator("form button").click()
    page.wait_for_selector("li[data-number='1'].done")
    entered = event.now.current_round.result(1)
    assert entered is not None
    assert entered.outcome.measures == (1, 14)
