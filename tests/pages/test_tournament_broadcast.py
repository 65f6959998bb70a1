"""The broadcast in a browser: live for those who look on, run from the desk; seasons beside it."""

from __future__ import annotations

from typing import Any

import pytest

from answers.context import Caller
from answers.play.actions import log
from answers.season import lifecycle, tables
from answers.tournament import clock
from referee.season.events import SeasonRules
from referee.tournament.event_streams import ORGANISER
from tests.answers.conftest import SETUP
from tests.pages.club import DESK, PHONE, Club, ready, violations
from tests.pages.event import HOSTILE, Event, fits, new_event, tab

pytestmark = pytest.mark.xdist_group("pages hall")
STREAM = {"viewport": {"width": 1920, "height": 1080}}


@pytest.fixture
def event(club: Club) -> Event:
    made = new_event(club, ["Ana", "Bo", "Cleo", HOSTILE])
    made.pair()
    made.start()
    made.open_table(1)
    made.open_to_everybody()
    return made


def season_of(club: Club, event: Event) -> str:
    organiser = Caller(club.store_context, ORGANISER)
    season = lifecycle.create(organiser, "Year", SeasonRules()).data.season
    lifecycle.add_event(organiser, season, event.id)
    return season


def test_what_the_desk_publishes_is_seen_by_who_looks_on(devices: Any, event: Event) -> None:
    watching = ready(devices(**DESK).open(event.page("/broadcast")))
    assert watching.locator(".broadcast-board svg").count() == 1
    watching.wait_for_selector("#viewers >> text=1")
    desk = ready(devices("organiser", **DESK).open(event.page("/screens")))
    desk.fill("[data-broadcast=comments] [name=text]", f"Look: {HOSTILE}")
    desk.fill("[data-broadcast=comments] [name=table]", "1")
    desk.click("[data-broadcast=comments] button")
    watching.wait_for_selector(".comments li")
    assert HOSTILE in watching.locator(".comments").first.inner_text()
    assert watching.locator("main img").count() == 0
    overview = ready(devices(**DESK).open(event.page()))
    desk.click("#broadcast-desk summary")
    desk.fill("[data-schedule]", "2026-11-21 09:30 Round 2")
    desk.click("[data-broadcast=schedule] button")
    for page in (watching, overview):
        page.wait_for_selector("#schedule >> text=Round 2")


def test_the_big_screen_shows_what_the_desk_chooses(devices: Any, event: Event) -> None:
    event.time(30)
    wall = ready(devices(**STREAM).open(event.page("/wall")), "body[data-ready][data-leaf]")
    desk = ready(devices("organiser", **DESK).open(event.page("/screens")))
    desk.click("[data-wall=clock]")
    wall.wait_for_selector("[data-view=clock] [data-time] >> text=/^(30:00|29:)/")
    desk.wait_for_selector("[data-wall=clock][aria-pressed=true]")
    desk.click("[data-wall-paused=true]")
    wall.wait_for_selector("#pause[aria-pressed=true]")
    desk.click("[data-wall='']")
    wall.wait_for_selector("[data-view=clock]", state="detached")
    desk.wait_for_selector("[data-wall=''][aria-pressed=true]")
    desk.click("[data-wall-next]")
    wall.wait_for_selector("body[data-leaf='2']")


def test_an_announcement_reaches_phones_and_screens_by_itself(devices: Any, event: Event) -> None:
    ana = event.player("Ana")
    looking = [
        devices("player", event.id, person=ana, **PHONE).open(event.page(f"/players/{ana}")),
        devices("spectator", event.id, **DESK).open(event.page("/wall")),
        devices("spectator", event.id, **DESK).open(event.page()),
    ]
    desk = ready(devices("organiser", **DESK).open(event.page("/screens")))
    assert desk.locator("[data-announce-end]").count() == 0
    desk.fill("#announce [name=text]", HOSTILE)
    desk.click("#announce form button")
    for page in looking:
        page.wait_for_selector(f".announced:has-text('{HOSTILE}')")
        assert page.locator(".announced img").count() == 0
    desk.click("[data-announce-end]")
    for page in looking:
        page.wait_for_selector(".announced", state="detached")


def test_an_address_is_added_once_however_often_its_answer_is_lost(
    club: Club, devices: Any, event: Event
) -> None:
    device = devices("organiser", **DESK)
    device.expected = ("ERR_FAILED",)
    desk = ready(device.open(event.page("/screens")))

    def lose(route: Any) -> None:
        route.fetch()
        route.abort()

    desk.route("**/webhooks", lose, times=2)
    desk.fill("[data-broadcast=webhook] [name=address]", "https://club.example/told")
    for _ in range(2):
        with desk.expect_event("requestfailed"):
            desk.click("[data-broadcast=webhook] button")
    desk.click("[data-broadcast=webhook] button")
    desk.wait_for_selector("#webhooks [data-hook-remove]")
    (added,) = club.store_context.webhooks.all()
    assert (added.address, added.scope) == ("https://club.example/told", event.id)
    desk.click("#webhooks [data-hook-remove]")
    desk.wait_for_selector("#webhooks [data-hook-remove]", state="detached")
    assert club.store_context.webhooks.all() == []


def test_an_overlay_lets_the_picture_below_it_through(devices: Any, event: Event) -> None:
    page = devices(**STREAM).open(event.page("/overlay?table=1&size=1080p"))
    page.wait_for_selector("body[data-ready]", state="attached")
    seen = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(seen) == "rgba(0, 0, 0, 0)"
    assert page.locator(".versus li").count() == 2
    box = page.locator(".overlay").bounding_box()
    assert box["y"] + box["height"] <= 1080
    assert "place 1 in the event" in page.locator(".versus").inner_text()
    assert page.locator(".overlay-told").inner_text() != ""


@pytest.mark.parametrize("width", [1920, 2560, 3840])
def test_a_broadcast_fills_the_screen_it_has(devices: Any, event: Event, width: int) -> None:
    size = {"viewport": {"width": width, "height": width * 9 // 16}}
    page = ready(devices(**size).open(event.page("/broadcast")))
    assert page.locator(".boards").bounding_box()["width"] > 0.85 * width
    told = "parseFloat(getComputedStyle(document.querySelector('.versus')).fontSize)"
    assert page.evaluate(told) >= width / 120
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


LOST = """() => [...document.querySelectorAll("main *")].filter((each) => {
  const own = each.getBoundingClientRect(), { overflowX } = getComputedStyle(each);
  if (!own.width || !own.height || each.closest(".unseen, svg, .scroll *")) return false;
  const cut = !["visible", "auto"].includes(overflowX) && each.scrollWidth > each.clientWidth + 1;
  return cut || own.left < -1 || own.right > innerWidth + 1;
}).map((each) => `${each.className} ${each.textContent}`)"""
"""What is cut off, or lies beyond the screen."""


@pytest.mark.deep
@pytest.mark.parametrize("players", [8, 48, 256])
def test_nothing_of_a_broadcast_is_cut_however_many_play(
    club: Club, devices: Any, players: int
) -> None:
    """The longest names, on the screens that there are; standings are read part by part."""
    long = ["Anne-Sophie-Maximiliane de la Rochefouca", "Wolfeschlegelsteinhausenbergerdorffmülle"]
    event = new_event(club, [*long, *(f"Player {number} of many" for number in range(2, players))])
    event.pair()
    event.start()
    event.open_to_everybody()
    event.time(50)
    for table in range(1, 5):
        assert log(event.desk, event.open_table(table), SETUP).outcome == "done"
    first = {event.now.current_round.draw.table_of[event.player(name)].number for name in long}
    for width in (1920, 3840):
        high = width * 9 // 16
        page = devices(viewport={"width": width, "height": high})
        shown = ready(page.open(event.page("/broadcast")))
        assert shown.evaluate(LOST) == []
        assert fits(shown)
        listed = shown.locator(".standings tbody tr:visible").count()
        assert listed == min(players, 48)
        for table in {*first, 4}:
            page.open(event.page(f"/overlay?table={table}&size={high}p"))
            overlay = ready(page.page, "body[data-ready] .overlay")
            box = overlay.locator(".overlay").bounding_box()
            assert box["y"] > high * 2 / 3
            assert box["y"] + box["height"] <= high
            assert overlay.evaluate(LOST) == []


def test_the_time_left_is_told_wherever_somebody_looks(devices: Any, event: Event) -> None:
    """Of the round; at a table, and over its picture, with what it was given back."""
    event.time(50)
    clock.extend(event.desk, event.id, 10, table=1)
    rests = ("/broadcast", "/overlay?table=1", "/overlay?table=2", "/wall", "/desk", "", "/r1/t1")
    found = {}
    for rest in rests:
        page = devices("organiser", event.id, **STREAM).open(event.page(rest))
        page.wait_for_selector("#time:not(:empty)")
        found[rest] = page.locator("#time").inner_text().partition(":")[0]
    at_table = ("/overlay?table=1", "/r1/t1")
    assert found == {rest: "59" if rest in at_table else "49" for rest in rests}


@pytest.mark.deep
@pytest.mark.parametrize("kind", [DESK, PHONE], ids=["desk", "phone"])
def test_the_pages_are_for_every_width_and_sense(
    club: Club, devices: Any, event: Event, axe: str, kind: dict[str, Any]
) -> None:
    event.result(2, "A", "B")
    season = season_of(club, event)
    found = {}
    for role, path in (
        (None, event.page("/broadcast")),
        ("organiser", event.page("/screens")),
        *(
            ("organiser", f"/seasons/{season}{each}")
            for each in ("", "/ratings", "/events", "/rules")
        ),
        ("organiser", "/seasons"),
        ("organiser", f"/seasons/{season}/players/{event.player('Ana')}"),
    ):
        page = devices(role, **kind, bypass_csp=True).open(path)
        page.wait_for_load_state("networkidle") if role else ready(page)
        too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        found[path] = ["too wide"] * too_wide + violations(page, axe)
    assert found == {path: [] for path in found}


def test_a_long_table_opens_where_whoever_looks_stands(devices: Any, club: Club) -> None:
    event = new_event(club, [f"Player {number}" for number in range(30)])
    event.pair()
    event.start()
    for table in event.now.current_round.draw.tables:
        event.result(table.number, "A=B")
    event.close_round()
    season = season_of(club, event)
    organiser = Caller(club.store_context, ORGANISER)
    for player in {tables.standings(organiser, season).data.rows[at].player for at in (0, 29)}:
        page = devices("spectator", season, person=player, **DESK).open(f"/seasons/{season}")
        ready(page)
        own = page.locator("#standings .own")
        assert (own.count(), own.is_visible()) == (1, True)
        assert page.locator("#standings tbody tr:visible").count() < 30
        assert page.locator("#ratings .own").count() == 1


def test_a_season_is_made_and_filled_in_the_browser(devices: Any, club: Club) -> None:
    event = new_event(club, ["Ana", "Bo", "Cleo", HOSTILE])
    event.pair()
    event.start()
    event.result(1, "A", "B")
    event.result(2, "A=B")
    event.close_round()
    page = ready(devices("organiser", **DESK).open("/seasons"))
    page.fill("[name=name]", "Club year")
    page.fill("[name=counted]", "3")
    page.click("form[data-rules] button")
    page.wait_for_url("**/seasons/season-*")
    page.wait_for_selector("body[data-ready]")
    tab(page, "events").click("[data-post$='/events'] button")
    page.wait_for_selector("#events a >> text=Spring Cup")
    tab(page, "table")
    assert page.locator("#standings tbody tr").count() == 4
    listed, rated = (page.locator(each).bounding_box() for each in ("#standings", "#ratings"))
    assert listed["x"] + listed["width"] <= rated["x"]
    assert "±" not in page.locator("#ratings tbody").inner_text()
    assert "± 8" in tab(page, "ratings").locator("#ratings").inner_text()
    page.locator("#ratings tbody a").first.click()
    page.wait_for_selector("main li >> text=25 ± 8.33 →")
