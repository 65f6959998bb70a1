"""The table page: what happened is tapped, typed, refused, corrected and closed."""

from __future__ import annotations

from time import monotonic
from typing import Any

import pytest

from answers.admin.access import join
from answers.context import Caller
from answers.play.clocks import set_clock
from tests.answers.conftest import SETUP
from tests.pages.club import PHONE, TABLET, Club, ready
from tests.pages.player import logged, say_line, tap, tool, type_line
from tests.pages.scenes import sample_lines

PLAYED = 6
"""The actions of the set-up."""
pytestmark = pytest.mark.xdist_group("pages table")


@pytest.fixture
def game(club: Club) -> str:
    return club.table("benevolent", "A=blue B=red first A", SETUP, A="Ana", B="Bo")


@pytest.fixture
def tablet(devices: Any, game: str) -> Any:
    device = devices("scribe", game, **TABLET)
    page = device.open(f"/games/{game}")
    page.wait_for_selector("body[data-ready]")
    return device


def about(page: Any, number: int, deed: str) -> None:
    """What is done about an action of the record."""
    page.click(f"#moves [data-number='{number}'] [data-do=more]")
    page.click(f"#dialog [data-do={deed}]")


def version(club: Club, game: str) -> int:
    return club.store_context.bench.game(game).version


def test_a_tap_on_the_picture_and_one_more_log_a_step(club: Club, tablet: Any, game: str) -> None:
    tap(tablet.page, "c2")
    tablet.page.click("#taps button.chosen")
    logged(tablet.page, 7)
    assert club.lines(game)[-1] == "A step c2"
    assert tablet.page.locator("#verdict .first").inner_text().startswith("✔ legal")
    assert (
        tablet.page.locator("#moves li").first.locator(".line").inner_text()
        == "Ana places a step on c2"
    )


def test_what_is_refused_names_the_clause_and_offers_what_is_legal(
    club: Club, tablet: Any, game: str
) -> None:
    page, tablet.expected = tablet.page, ("422",)
    type_line(page, "A step a3")
    page.wait_for_selector("#verdict.bad")
    assert "BEN-" in page.locator("#verdict").inner_text()
    page.click("#verdict .why summary")
    page.wait_for_selector("#verdict .why p")
    page.locator("#verdict .near button").first.click()
    page.locator("#taps button.chosen").click()
    page.wait_for_selector("#verdict.good")
    assert len(club.lines(game)) == PLAYED + 1


def test_what_happened_all_the_same_stands_and_a_judge_is_asked(
    club: Club, tablet: Any, game: str
) -> None:
    page, tablet.expected = tablet.page, ("422",)
    type_line(page, "A step a3")
    page.click("#verdict [data-do=stands]")
    page.wait_for_selector("#notices >> text=d1")
    assert club.lines(game)[-1] == "A step a3"
    assert page.locator("#moves li.illegal").count() == 1


def test_the_last_action_is_taken_back_by_a_tap(club: Club, tablet: Any, game: str) -> None:
    page = tablet.page
    page.click("#tools [data-do=undo]")
    page.wait_for_selector("#moves li.taken_back")
    assert len(club.lines(game)) == PLAYED - 1


def test_a_correction_is_shown_before_it_is_made_and_what_waits_is_worked_through(
    club: Club, tablet: Any, game: str
) -> None:
    page = tablet.page
    about(page, 3, "correct-it")
    page.fill("#instead", "A step b1")
    page.click("#dialog [data-do=preview]")
    page.wait_for_selector("#preview [data-do=send]")
    assert version(club, game) == PLAYED
    page.click("#preview [data-do=send]")
    page.wait_for_selector("#pending [data-do=keep], #verdict.good")
    while page.locator("#pending [data-do=drop]").count():
        before = version(club, game)
        page.click("#pending [data-do=drop]")
        logged(page, before + 1)
    assert "A step b1" in club.lines(game)
    assert not club.store_context.bench.game(game).waiting


@pytest.mark.deep
def test_notes_holds_and_the_end_are_told_on_the_page(club: Club, tablet: Any, game: str) -> None:
    page = tablet.page
    about(page, 3, "note")
    page.fill("#note-text", "<b>bold</b> & brave")
    page.click("#dialog [data-do=send]")
    page.wait_for_selector("#moves q")
    assert page.locator("#moves q").inner_text().strip('“”"«» ') == "<b>bold</b> & brave"
    page.click("#tools [data-do=hold]")
    page.click("#dialog [data-do=send]")
    page.wait_for_selector("#tools [data-do=resume]")
    assert page.locator("#taps button").count() == 0
    page.click("#tools [data-do=resume]")
    page.wait_for_selector("#tools [data-do=hold]")
    tool(page, "finish")
    page.fill("#dialog #reason", "the room closes")
    page.click("#dialog [data-do=send]")
    page.wait_for_selector("#tools [data-do=reopen]")
    assert club.store_context.bench.game(game).closed is not None


@pytest.mark.deep
def test_the_clock_is_set_at_the_table_and_a_judge_is_called_once_at_zero(
    club: Club, devices: Any, tablet: Any, game: str
) -> None:
    phone = devices("seat:B", game, **PHONE).open(f"/games/{game}/seat")
    beside = devices("organiser", game, **TABLET)
    beside.expected = tablet.expected = ("409",)
    other = beside.open(f"/games/{game}")
    tablet.page.wait_for_selector("#seats .here[data-seat=B]")
    tool(tablet.page, "clock")
    tablet.page.fill("#dialog #minutes", "0.05")
    tablet.page.check("#dialog #calls")
    tablet.page.click("#dialog [data-do=send]")
    phone.wait_for_selector("#seats [data-time=B] >> text=0:03")
    for page in (tablet.page, other, phone):
        page.wait_for_selector("#seats [data-time=A].up")
        page.wait_for_selector("#notices >> text=d1")
    phone.close()
    tablet.page.wait_for_selector("#seats [data-seat=B]:not(.here)")
    (dispute,) = club.store_context.bench.game(game).disputes.values()
    assert (dispute.text, dispute.numbers) == ("Time is up: Ana", (PLAYED,))
    set_clock(Caller(club.store_context), game, given=60, seat="A")
    tablet.page.wait_for_selector("#seats [data-time=A]:not(.up)")


def test_a_seat_for_which_nobody_is_named_is_invited(club: Club, devices: Any) -> None:
    game = club.table("benevolent", "A=blue B=red first A", [])
    page = devices("scribe", game, **TABLET).open(f"/games/{game}")
    page.wait_for_selector("body[data-ready]")
    tool(page, "invite")
    page.fill("#invited", "Bo")
    page.click("#dialog [data-do=invite-B]")
    code = page.locator("#dialog .code").inner_text()
    joined = join(Caller(club.store_context), code).data
    assert (joined.role, joined.scope) == ("seat:B", game)
    assert club.store_context.people.name(joined.person) == "Bo"


def test_what_is_said_without_a_network_waits_survives_a_reload_and_is_sent_once(
    club: Club, tablet: Any, game: str
) -> None:
    page = tablet.page
    tablet.expected = ("ERR_INTERNET_DISCONNECTED", "Failed to fetch")
    tablet.context.route("**/api/v1/games/*/actions", lambda route: route.abort())
    tablet.expected += ("ERR_FAILED",)
    say_line(page, "A step c2")
    page.wait_for_selector("#waiting >> text=Offline")
    page.reload()
    page.wait_for_selector("#waiting li")
    assert page.locator("#waiting li").inner_text() == "Place a step on c2"
    tablet.context.unroute("**/api/v1/games/*/actions")
    logged(page, 7)
    assert club.lines(game).count("A step c2") == 1
    assert page.evaluate("localStorage.length") == 0


def test_a_line_that_came_too_often_is_sent_again_after_the_pause(
    club: Club, tablet: Any, game: str
) -> None:
    tablet.expected = ("429",)
    tried: list[float] = []

    def too_often_once(route: Any) -> None:
        tried.append(monotonic())
        if len(tried) > 1:
            route.continue_()
        else:
            route.fulfill(status=429, headers={"Retry-After": "1"}, body="{}")

    tablet.context.route("**/api/v1/games/*/actions", too_often_once)
    say_line(tablet.page, "A step c2")
    logged(tablet.page, 7)
    assert len(tried) == 2
    assert tried[1] - tried[0] >= 0.9, "not before the service wants to be asked"
    assert club.lines(game).count("A step c2") == 1


def test_two_tablets_agree_and_whoever_was_slower_is_asked(
    club: Club, devices: Any, tablet: Any, game: str
) -> None:
    other = devices("scribe", game, **TABLET)
    other.expected = ("409", "ERR_FAILED")
    page = other.open(f"/games/{game}")
    page.wait_for_selector("body[data-ready]")
    other.context.route("**/games/*/events*", lambda route: route.abort())
    page.reload()
    say_line(tablet.page, "A step c2")
    logged(tablet.page, 7)
    say_line(page, "A step b1")
    page.wait_for_selector("#verdict.unsure >> text=Ana places a step on c2")
    page.click("#verdict [data-do=forget]")
    page.wait_for_selector("body[data-queued='0']")
    assert club.lines(game)[-1] == "A step c2"
    say_line(page, "A gather")
    logged(tablet.page, 8)
    assert club.lines(game)[-1] == "A gather"


def test_the_table_page_is_light_on_the_wire(browser: Any, club: Club) -> None:
    """At most 120 kB with everything it loads, for the largest picture."""
    opening, lines = sample_lines("broom_service")
    game = club.table("broom_service", opening, lines[:23])
    context = browser.new_context(**TABLET)
    cookie = {"name": "referee", "value": club.token("scribe", game), "url": club.url}
    context.add_cookies([cookie])
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(f"{club.url}/games/{game}")
    page.wait_for_selector("body[data-ready]")
    page.wait_for_load_state("load")
    context.close()
    assert len(sizes) > 5
    assert sum(sizes) <= 120_000, sum(sizes)


def test_a_correction_is_undone_as_one_thing_and_another_person_sits_down(
    club: Club, devices: Any
) -> None:
    opening, lines = sample_lines("broom_service")
    game = club.table("broom_service", opening, lines[:60], A="Ana", B="Bo")
    phone = devices("seat:B", game, **PHONE)
    phone.expected = ("401", "403")
    phone.open(f"/games/{game}/seat").wait_for_selector("body[data-ready]")
    page = ready(devices("organiser", **TABLET).open(f"/games/{game}"))
    assert page.locator("#moves .round").first.inner_text() == "Round 2"
    before = club.lines(game)
    page.click("#moves [data-number='60'] [data-do=more]")
    page.click("#dialog [data-do=correct-it]")
    page.click("#dialog [data-do=preview-drop]")
    page.click("#preview [data-do=send]")
    page.wait_for_selector("#tools [data-do=put-back]")
    assert len(club.lines(game)) == len(before) - 1
    page.click("#tools [data-do=put-back]")
    page.wait_for_selector("#moves li.counts[data-number='61']")
    assert club.lines(game) == before
    tool(page, "replace")
    page.select_option("#replaced", "B")
    page.fill("#replacing", "Cleo")
    page.click("#dialog [data-do=send]")
    page.wait_for_selector("#seats >> text=Cleo")
    page.click("#dialog [data-do=invite-B]")
    page.wait_for_selector("#dialog .code")
    gone = {each.role for each in club.store_context.access.passes() if each.scope == game}
    assert "seat:B" not in gone
