"""The table page: what happened is tapped, typed, refused, corrected and closed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from replays.gallery import sample
from tests.answers.conftest import SETUP
from tests.pages.club import TABLET, Club
from tests.pages.player import data_of, logged, say_line
from tests.pages.tapping import exact, remaining, telling

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


def version(club: Club, game: str) -> int:
    return club.house.bench.game(game).version


def test_a_tap_on_the_picture_and_one_more_log_a_step(club: Club, tablet: Any, game: str) -> None:
    assert say_line(tablet.page, "A step c2") == 1
    logged(tablet.page, 7)
    assert club.lines(game)[-1] == "A step c2"
    assert tablet.page.locator("#verdict .first").inner_text().startswith("✔ legal")
    assert tablet.page.locator("#moves li").first.locator(".line").inner_text() == "A step c2"


def test_what_is_refused_names_the_clause_and_offers_what_is_legal(
    club: Club, tablet: Any, game: str
) -> None:
    page = tablet.page
    tablet.expected = ("422",)
    page.click("#composer summary")
    page.fill("#typed", "A step a3")
    page.press("#typed", "Enter")
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
    page = tablet.page
    tablet.expected = ("422",)
    page.click("#composer summary")
    page.fill("#typed", "A step a3")
    page.press("#typed", "Enter")
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
    page, third = tablet.page, 3
    page.click(f"#moves [data-number='{third}'] [data-do=more]")
    page.click("#dialog [data-do=correct-it]")
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
    assert not club.house.bench.game(game).waiting


def test_notes_holds_and_the_end_are_told_on_the_page(club: Club, tablet: Any, game: str) -> None:
    page = tablet.page
    page.click("#moves [data-number='3'] [data-do=more]")
    page.click("#dialog [data-do=note]")
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
    page.click("#tools [data-do=finish]")
    page.fill("#dialog #reason", "the room closes")
    page.click("#dialog [data-do=send]")
    page.wait_for_selector("#tools [data-do=reopen]")
    assert club.house.bench.game(game).closed is not None


def test_what_is_said_without_a_network_waits_survives_a_reload_and_is_sent_once(
    club: Club, tablet: Any, game: str
) -> None:
    page = tablet.page
    tablet.expected = ("ERR_INTERNET_DISCONNECTED", "Failed to fetch")
    tablet.context.route("**/api/v1/games/*/actions", lambda route: route.abort())
    tablet.expected += ("ERR_FAILED",)
    say_line(page, "A step c2")
    page.wait_for_selector("#waiting >> text=No connection")
    page.reload()
    page.wait_for_selector("#waiting li")
    assert page.locator("#waiting li").inner_text() == "A step c2"
    tablet.context.unroute("**/api/v1/games/*/actions")
    logged(page, 7)
    assert club.lines(game).count("A step c2") == 1
    assert page.evaluate("localStorage.length") == 0


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
    page.wait_for_selector("#verdict.unsure >> text=A step c2")
    page.click("#verdict [data-do=forget]")
    page.wait_for_selector("body[data-queued='0']")
    assert club.lines(game)[-1] == "A step c2"
    say_line(page, "A gather")
    logged(tablet.page, 8)
    assert club.lines(game)[-1] == "A gather"


def test_the_page_narrows_lines_as_they_are_counted(tablet: Any) -> None:
    """The budget of taps is counted by a twin of the script: they must agree."""
    played = sample("bloody_grove")
    cases = []
    for step in played.steps[8::12]:
        lines = [
            played.engine.text(each) for each in played.engine.options(step.setting, step.state)
        ]
        words = sorted({word for line in lines[:3] for word in line.split()})
        cases += [(lines, [])] + [(lines, [word]) for word in words]
        cases += [(lines, list(pair)) for pair in pairwise(words)]
    assert len(cases) > 20
    found = tablet.page.evaluate(
        """async (cases) => {
          const { exact, remaining, telling } = await import("/static/lines.js");
          return cases.map(([lines, taps]) =>
            [remaining(lines, taps), Object.fromEntries(telling(lines, taps)), exact(lines, taps)]);
        }""",
        cases,
    )
    expected = [[remaining(*case), telling(*case), exact(*case)] for case in cases]
    assert found == expected


def test_data_of_the_page_is_its_twin(tablet: Any, game: str) -> None:
    reply = tablet.context.request.get(f"{tablet.club.url}/games/{game}.json").json()
    assert reply["sayable"]["lines"] == data_of(tablet.page)["lines"]


def test_the_table_page_is_light_on_the_wire(browser: Any, club: Club) -> None:
    """At most 150 kB with everything it loads, for the largest picture."""
    opening, *lines = [
        sample("broom_service").engine.text(step.action)
        for step in sample("broom_service").steps
        if step.action
    ]
    game = club.table("broom_service", opening.removeprefix("table "), lines[:23])
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
    assert sum(sizes) <= 150_000, sum(sizes)
