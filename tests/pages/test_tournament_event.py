"""The pages of an event for everybody: rounds and standings, a table, a player."""

from __future__ import annotations

from typing import Any

import pytest

from answers.tournament import results
from referee.tournament.default_plans import usual_plan
from tests.deep import first
from tests.pages.club import DESK, PHONE, Club, ready, violations, waits
from tests.pages.event import HOSTILE, Event, new_event, tab

pytestmark = pytest.mark.xdist_group("pages hall")


@pytest.fixture
def event(club: Club) -> Event:
    """Five players, so that somebody has a bye; one round is over, the next is played."""
    made = new_event(club, ["Ana", "Bo", "Cleo", "Dan", HOSTILE])
    made.pair()
    made.start()
    made.result(1, "A", "B")
    made.result(2, "B", "A")
    made.close_round()
    made.pair()
    made.start()
    return made


def seated(event: Event, table: int) -> list[str]:
    """The names at a table of the last round."""
    seats = event.now.current_round.table(table).seats
    return [event.club.store_context.people.name(player) for player in seats]


def test_an_event_shows_its_rounds_and_what_comes(devices: Any, event: Event) -> None:
    page = ready(devices("spectator", event.id, **DESK).open(event.page("/standings")))
    assert page.locator(".standings tbody tr").count() == 5
    tab(page, "round")
    assert page.locator(".hall-tables li.open").count() == 2
    event.result(1, "A=B")
    page.wait_for_selector(".hall-tables li.done >> text=draw")
    page.click("nav.choices >> text=1")
    page.wait_for_url("**?round=1")
    assert page.locator(".hall-tables li.done").count() == 2
    assert page.locator(".hall-tables li >> text=bye").count() == 1


def test_an_event_comes_in_from_its_file(devices: Any, event: Event) -> None:
    device = devices("organiser", **DESK)
    device.expected = ("400",)
    page = ready(device.open("/tournaments"))
    exported = f"{event.club.url}/api/v1/tournaments/{event.id}/exports/events"
    file = {"name": "cup.jsonl", "mimeType": "application/x-ndjson"}
    page.set_input_files("#file", {**file, "buffer": b"nothing of the kind"})
    page.wait_for_selector("#problem:not([hidden])")
    page.set_input_files("#file", {**file, "buffer": device.context.request.get(exported).body()})
    page.wait_for_url(f"**{event.page()}")


@pytest.mark.deep
def test_every_point_of_a_player_is_explained(devices: Any, event: Event) -> None:
    first, second = seated(event, 1)
    page = ready(devices("spectator", event.id, **PHONE).open(event.page()))
    page.locator(".hall-tables a", has_text=first).first.click()
    page.wait_for_url("**/players/*")
    assert page.locator("h1").inner_text() == first
    assert page.locator(".my-table").inner_text().split() == ["Table", "1", "A"]
    assert second in page.locator("#now").inner_text()
    before = page.locator(".sum").first.locator("summary b").inner_text()
    event.result(1, "A", "B")
    terms = page.locator(".sum").first.locator("li")
    waits(
        page,
        "before => document.querySelector('.sum summary b').textContent !== before",
        arg=before,
    )
    assert f"round 2 · played · {second}" in terms.last.inner_text()


def test_a_name_is_a_name_whatever_is_written_in_it(devices: Any, event: Event) -> None:
    player = event.player(HOSTILE)
    for path in ("", f"/players/{player}", "/r1/t1", "/r1/t2"):
        page = ready(devices("scribe", event.id).open(event.page(path)))
        assert page.locator("main img").count() == 0
    assert page.title() != ""
    named = devices("scribe", event.id).open(event.page(f"/players/{player}"))
    assert named.locator("h1").inner_text() == HOSTILE


def test_the_code_of_a_slip_leads_to_its_table_where_the_result_is_tapped(
    devices: Any, event: Event
) -> None:
    device = devices("scribe", event.id, **PHONE)
    where = f"{event.club.url}/tournaments"
    paper = device.context.request.get(
        f"{event.club.url}/api/v1{event.page('/papers/slips')}?url={where}"
    )
    assert f"{where}/{event.id}/r2/t1" in paper.text()
    page = ready(device.open(event.page("/r2/t1")))
    with page.expect_response("**/result"):
        page.click(".result-taps [data-place=B]")
    page.wait_for_selector("#table >> text= won")
    entered = event.now.round(2).result(1)
    assert entered is not None
    assert entered.outcome.places == (2, 1)


@pytest.mark.deep
def test_what_the_desk_refuses_is_said_at_the_table(devices: Any, event: Event) -> None:
    device = devices("scribe", event.id)
    device.expected = ("400", "409")
    page = ready(device.open(event.page("/r2/t1")))
    page.click("[data-do=slip]")
    page.fill("[name=slip]", "A Z")
    page.click("dialog button.main")
    page.wait_for_selector("#told.bad")
    assert event.now.round(2).result(1) is None


@pytest.mark.deep
def test_points_are_asked_where_the_plan_counts_them(club: Club, devices: Any) -> None:
    plan = usual_plan("broom_service", "pods", 2)
    pod = new_event(club, ["Ana", "Bo", "Cleo", "Dan"], **dict(plan))
    pod.pair()
    pod.start()
    page = ready(devices("scribe", pod.id, **PHONE).open(pod.page("/r1/t1")))
    for seat, points in zip("ABCD", (30, 12, 44, 7), strict=True):
        page.fill(f".points [name={seat}]", str(points))
    page.click(".points button")
    page.wait_for_selector("#table >> text=1. Cleo 44 · 2. Ana 30 · 3. Bo 12 · 4. Dan 7")


def test_places_of_several_are_tapped_in_their_order(club: Club, devices: Any) -> None:
    plan = {**dict(usual_plan("broom_service", "pods", 2)), "tie_breaks": ("PTS", "FIRSTS", "LOT")}
    event = new_event(club, ["Ana", "Bo", "Cleo", "Dan"], **plan)
    event.pair()
    event.start()
    page = ready(devices("scribe", event.id, **PHONE).open(event.page("/r1/t1")))
    for seat in "CADB":
        page.click(f".result-taps [data-place={seat}]")
    page.wait_for_selector("#table >> text=1. Cleo · 2. Ana · 3. Dan · 4. Bo")


def test_who_only_looks_on_enters_nothing(devices: Any, event: Event) -> None:
    event.open_to_everybody()
    page = ready(devices(**PHONE).open(event.page("/r2/t1")))
    assert page.locator(".result-taps").count() == 0


@pytest.mark.deep
def test_a_phone_at_a_seat_is_led_to_it(club: Club, devices: Any, event: Event) -> None:
    opened = results.open_table(event.desk, event.id, 1, "").data
    game = opened.game
    player = event.now.current_round.table(1).seats[0]
    page = ready(devices("seat:A", game, **PHONE).open(event.page(f"/players/{player}")))
    page.click("text=Go to my game")
    page.wait_for_url(f"**/games/{game}/seat")


@pytest.mark.parametrize(
    "path", first(2, ["/r9/t1", "/players/nobody", "/r1/t77", "/r0/t1", "/rx/t1"])
)
def test_what_is_not_there_is_refused(devices: Any, event: Event, path: str) -> None:
    device = devices("scribe", event.id)
    device.expected = ("400", "404", "409")
    assert device.open(event.page(path)).locator("body.page-problem").count() == 1


@pytest.mark.deep
@pytest.mark.parametrize(("size", "lang", "scheme"), [(DESK, "en", "light"), (PHONE, "fr", "dark")])
def test_nothing_serious_and_nothing_beyond_the_edge(
    devices: Any, event: Event, axe: str, size: Any, lang: str, scheme: str
) -> None:
    event.time(30)
    look = {"bypass_csp": True, "locale": lang, "color_scheme": scheme, **size}
    found = {}
    for path in ("", "/r2/t1", f"/players/{event.player('Ana')}"):
        page = ready(devices("organiser", event.id, **look).open(event.page(path)))
        too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        found[path] = ["too wide"] * too_wide + violations(page, axe)
    page = ready(devices("organiser", **look).open("/tournaments"))
    page.check("[name=format][value=pods]")
    unfolded = "all => all.forEach(each => { each.open = true; })"
    page.locator("#all-rules, #all-rules details").evaluate_all(unfolded)
    page.select_option("[name=points]", "places")
    page.locator("[name^='reading.']:visible").first.wait_for()
    too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    found["list"] = ["too wide"] * too_wide + violations(page, axe)
    fresh = new_event(event.club, ["Ana", "Bo"])
    page = ready(devices("organiser", fresh.id, **look).open(fresh.page("/rules")))
    found["rules"] = violations(page, axe)
    assert found == {path: [] for path in found}
