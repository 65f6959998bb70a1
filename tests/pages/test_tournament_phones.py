"""Players' own phones: let in by a code, there, at their table, agreed or not, calling a judge."""

from __future__ import annotations

from typing import Any

import pytest

from answers.tournament import results
from referee.tournament.events import Agreed
from tests.pages.club import DESK, PHONE, Club, ready, violations
from tests.pages.event import Event, new_event

pytestmark = pytest.mark.xdist_group("pages hall")


@pytest.fixture
def event(club: Club) -> Event:
    made = new_event(club, ["Ana", "Bo", "Cleo", "Dan"])
    made.pair()
    made.start()
    return made


def phone(devices: Any, event: Event, player: str, **kind: Any) -> Any:
    device = devices("player", event.id, person=player, **{**PHONE, **kind})
    return ready(device.open(event.page(f"/players/{player}")))


def sitting(event: Event, table: int = 1) -> tuple[str, ...]:
    return event.now.current_round.table(table).seats


def test_a_code_from_the_desk_lets_a_phone_in_and_its_player_says_i_am_here(
    club: Club, devices: Any
) -> None:
    event = new_event(club)
    event.register(["Ana", "Bo"], here=False)
    desk = ready(devices("organiser", event.id, **DESK).open(event.page("/players")))
    desk.click("#players [data-do=invite]")
    desk.wait_for_selector("#cards figure")
    assert desk.locator("#cards figure").count() == 2
    code = desk.locator("#cards .code").first.inner_text()
    page = devices(**PHONE).open(f"/j/{code}")
    page.click("main form button")
    page.wait_for_url(f"**{event.page('/players/')}{event.player('Ana')}")
    ready(page)
    assert page.locator(".badge img").count() == 1
    page.click("[data-do=check-in]")
    desk.wait_for_selector("#players >> text=2 players, 1 checked in")
    scribe = ready(
        devices("scribe", event.id, **PHONE).open(event.page(f"/players/{event.player('Bo')}"))
    )
    scribe.click("[data-do=check-in]")
    desk.wait_for_selector("#players >> text=2 players, 2 checked in")


def test_one_reports_and_the_other_confirms(devices: Any, event: Event) -> None:
    one, two = (phone(devices, event, player) for player in sitting(event))
    assert "table 1" in one.locator(".my-table").inner_text().lower()
    one.click(".result-taps [data-place=B]")
    one.wait_for_selector("#now >> text=Waiting for the others")
    assert event.now.current_round.result(1) is None
    two.click("[data-do=confirm]")
    for page in (one, two):
        page.wait_for_selector("#now >> text=Confirmed by everyone at the table.")
    entered = event.now.current_round.result(1)
    assert entered is not None
    assert isinstance(entered.source, Agreed)
    assert entered.outcome.places == (2, 1)


def test_a_phone_says_that_a_table_waits_until_its_result_is_in(devices: Any, event: Event) -> None:
    one = phone(devices, event, sitting(event)[0])
    assert one.title().startswith("● To your table")
    event.result(1, "A", "B")
    one.wait_for_selector("#met .how:has-text('won')")
    assert not one.title().startswith("●")
    for table in event.now.current_round.draw.tables[1:]:
        event.result(table.number, "A", "B")
    event.close_round()
    event.pair()
    one.wait_for_selector("#now >> text=Round 2")
    assert one.title().startswith("● To your table")


@pytest.mark.deep
def test_what_differs_is_seen_at_the_desk_which_decides(devices: Any, event: Event) -> None:
    one, two = (phone(devices, event, player) for player in sitting(event))
    desk = ready(devices("judge", event.id, **DESK).open(event.page("/desk")))
    one.click(".result-taps [data-place=A]")
    two.wait_for_selector("[data-do=confirm]")
    two.click(".report > summary")
    two.click(".result-taps [data-place='=']")
    for page in (one, two):
        page.wait_for_selector("#now >> text=Your reports do not match.")
    desk.wait_for_selector("#waiting >> text=reports do not match")
    desk.click(".result-taps[data-table='1'] [data-place=A]")
    desk.wait_for_selector("li.done")
    assert desk.locator("#waiting .notice").count() == 0
    winner = event.desk.name(event.now.current_round.table(1).seats[0])
    two.wait_for_selector(f"#now >> text={winner} won")


@pytest.mark.deep
def test_a_judge_is_called_from_a_table_without_a_record(devices: Any, event: Event) -> None:
    page = phone(devices, event, sitting(event)[0])
    desk = ready(devices("judge", event.id, **DESK).open(event.page("/desk")))
    page.click("[data-do=call]")
    page.fill("dialog [name=text]", "who begins?")
    page.click("dialog button.main")
    page.wait_for_selector("#now >> text=A judge is on the way")
    desk.wait_for_selector("#waiting >> text=calls a judge: who begins?")
    desk.click("#waiting [data-do=answer]")
    desk.fill("dialog [name=text]", "the younger one")
    desk.click("dialog button.main")
    page.wait_for_selector("#now >> text=Judge: the younger one")
    assert page.locator("[data-do=call]").count() == 1
    assert event.now.calls[0].answered == "the younger one"


def test_a_player_at_a_table_with_a_record_is_its_seat_and_elsewhere_a_spectator(
    devices: Any, event: Event
) -> None:
    game = results.open_table(event.desk, event.id, 1, "").data.game
    page = phone(devices, event, sitting(event)[1])
    assert page.locator(".result-taps").count() == 0
    page.click("text=Go to my game")
    page.wait_for_url(f"**/games/{game}/seat")
    ready(page)
    other = devices("player", event.id, person=sitting(event, 2)[0], **PHONE)
    other.expected = ("403",)
    assert ready(other.open(f"/games/{game}/watch")).locator("#board").count() == 1
    refused = other.context.request.post(
        f"{event.club.url}/api/v1/games/{game}/actions",
        data={"lines": ["A pick"]},
        headers={"Origin": event.club.url},
    )
    assert refused.status == 403


def test_the_slip_leads_to_the_own_table_and_others_tables_are_only_shown(
    devices: Any, event: Event
) -> None:
    device = devices("player", event.id, person=sitting(event)[0], **PHONE)
    page = ready(device.open(event.page("/r1/t1")))
    page.click(".result-taps [data-place=A]")
    page.wait_for_selector("#table >> text=Waiting for the others")
    page = ready(device.open(event.page("/r1/t2")))
    assert page.locator(".result-taps, [data-do=call]").count() == 0
    device.expected = ("403",)
    assert device.open(event.page("/desk")).locator("body.page-problem").count() == 1


@pytest.mark.deep
@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("fr", "dark")])
def test_nothing_serious_and_nothing_beyond_the_edge(
    devices: Any, event: Event, axe: str, lang: str, scheme: str
) -> None:
    first, second = sitting(event)
    page = phone(devices, event, first, bypass_csp=True, locale=lang, color_scheme=scheme)
    phone(devices, event, second).click(".result-taps [data-place=B]")
    page.wait_for_selector("[data-do=confirm]")
    too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert ["too wide"] * too_wide + violations(page, axe) == []


def test_a_phone_finds_back_from_the_first_page_and_another_one_with_the_same_code(
    club: Club, devices: Any
) -> None:
    event = new_event(club, ["Ana", "Bo"])
    desk = ready(devices("organiser", event.id, **DESK).open(event.page("/players")))
    desk.click("#players [data-do=invite]")
    code = desk.locator("#cards .code").first.inner_text()
    mine = f"**{event.page('/players/')}{event.player('Ana')}"
    for _ in range(2):
        page = devices(**PHONE).open(f"/j/{code}")
        page.click("main form button")
        page.wait_for_url(mine)
        page.goto(club.url)
        page.click("#my-events a")
        page.wait_for_url(mine)
        page.goto(club.url + event.page())
        page.click("text=My page")
        page.wait_for_url(mine)
