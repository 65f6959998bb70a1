"""The common house of all pages: the way in, language, look, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from answers.admin import access
from answers.context import Caller
from answers.play.actions import log
from referee.archive.read_models import list_games
from referee.table.author import Author
from tests.answers.conftest import SETUP
from tests.pages.club import DESK, PHONE, TABLET, Club, violations
from tests.pages.player import logged, say_line

pytestmark = pytest.mark.xdist_group("pages house")
ORGANISER = Author("porg", "organiser")


@pytest.fixture
def game(club: Club) -> str:
    return club.table("benevolent", "A=blue B=red first A", SETUP, A="Ana", B="Bo")


def code_for(club: Club, role: str, game: str) -> str:
    made = access.code(Caller(club.store_context, ORGANISER), role, scope=game).data
    return made.code


def switch(page: Any, what: str) -> None:
    with page.expect_navigation():
        page.click(what)


def test_who_has_no_token_finds_open_tables_alone(club: Club, devices: Any, game: str) -> None:
    page = devices().open("/")
    assert page.locator("a.card").count() == 0
    access.set_rules(Caller(club.store_context), game, open_to="everybody")
    page.reload()
    assert page.locator("a.card").get_attribute("href") == f"/games/{game}/watch"


def test_a_code_leads_a_seat_to_its_page_once(club: Club, devices: Any, game: str) -> None:
    code = code_for(club, "seat:B", game)
    phone = devices(**PHONE)
    page = phone.open("/join")
    page.fill("#code", code)
    page.click("button.main")
    page.wait_for_url(f"**/games/{game}/seat")
    other = devices(**PHONE)
    other.expected = ("403",)
    page = other.open(f"/j/{code}")
    page.click("button.main")
    page.wait_for_selector("body.page-problem")
    assert page.locator("h1").inner_text() == "Not allowed"


def test_the_head_has_what_a_role_may_do_and_who_i_am(club: Club, devices: Any, game: str) -> None:
    log(Caller(club.store_context), game, ["step c3"], stands=True)
    judged = devices("organiser", **DESK).open("/archive")
    assert judged.locator("#judge-waits .count").inner_text().split()[0] == "1"
    assert devices("seat:A", game, **DESK).open("/archive").locator("#judge-waits").count() == 0
    page = devices("seat:A", game, **PHONE).open("/archive")
    page.click(".menu-button")
    page.locator("#who .roles >> text=seat A").wait_for()
    places = page.locator("#menu a:visible").evaluate_all("all => all.map(a => a.pathname)")
    assert {"/play", "/tournaments", "/archive", "/rules", "/me"} <= set(places)


def test_the_language_is_the_browsers_until_it_is_switched(devices: Any, game: str) -> None:
    page = devices("organiser", locale="fr-FR").open("/?start=0")
    assert page.get_attribute("html", "lang") == "fr"
    assert page.locator(".role").inner_text() == "organisateur"
    page.click(".who")
    switch(page, "text=English")
    assert page.get_attribute("html", "lang") == "en"
    assert page.url.endswith("/?start=0")


def test_the_look_follows_the_device_until_it_is_chosen(devices: Any) -> None:
    page = devices(color_scheme="dark").open("/join")
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(paper)
    page.click(".who")
    switch(page, ".look")
    light = page.evaluate(paper)
    page.click(".who")
    switch(page, ".look")
    assert light != dark == page.evaluate(paper)


def test_files_and_pages_are_sent_once(devices: Any) -> None:
    device = devices()
    for path in ("/static/base.css", "/join"):
        first = device.context.request.get(device.club.url + path)
        again = device.context.request.get(
            device.club.url + path, headers={"If-None-Match": first.headers["etag"]}
        )
        assert (first.status, again.status) == (200, 304), path


def test_nothing_is_served_from_outside_the_folder(devices: Any) -> None:
    device = devices()
    for name in ("words.toml", "%2e%2e%2fwords.toml", "house.html", ""):
        reply = device.context.request.get(f"{device.club.url}/static/{name}")
        assert reply.status == 404, name


@pytest.mark.parametrize("origin", ["https://elsewhere.example/", "{url}//elsewhere.example/"])
def test_a_switch_leads_back_to_our_own_pages_alone(devices: Any, origin: str) -> None:
    device = devices()
    reply = device.context.request.get(
        f"{device.club.url}/language/fr",
        headers={"Referer": origin.format(url=device.club.url)},
        max_redirects=0,
    )
    assert reply.headers["location"] == "/"


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/join", "/join/ABCDEFGH", "/nowhere"])
def test_nothing_serious_for_people_with_other_senses(
    devices: Any, game: str, axe: str, path: str, scheme: str
) -> None:
    device = devices("organiser", bypass_csp=True, color_scheme=scheme, **DESK)
    device.expected = ("404",)
    assert violations(device.open(path), axe) == []


def test_a_table_is_opened_and_its_set_up_tapped(club: Club, devices: Any) -> None:
    device = devices("organiser", **DESK)
    device.expected = ("422",)
    page = device.open("/")
    page.click("text=New game")
    page.click("text=Benevolent")
    page.fill("[name=A]", "Ana")
    page.click("#opening summary >> text=More")
    page.fill("[name=line]", "A=blue B=blue first A")
    page.click("form button.main")
    page.wait_for_selector("#problem >> text=BEN-")
    page.fill("[name=line]", "")
    page.select_option("[data-seat-of=A]", "A=red")
    page.select_option("[data-about=first]", "first B")
    page.check("[name='reading.open_holdings']:not([data-usual])")
    page.click("#opening summary >> text=Clock")
    page.fill("[name=minutes]", "15")
    page.click("form button.main")
    page.wait_for_url("**/games/game-*")
    page.wait_for_selector("body[data-ready]")
    say_line(page, "forest S1A S2A")
    logged(page, 2)
    (game,) = [row["game"] for row in list_games(club.store_context.store)]
    assert club.lines(game) == ["forest S1A S2A"]
    found = club.store_context.bench.game(game)
    assert found.engine.text(found.steps[0].action).startswith("table A=red B=blue first B")
    assert found.setting.readings["open_holdings"] != found.engine.default_readings["open_holdings"]
    clock = found.clock
    assert clock is not None
    assert (clock.rule.seconds, clock.running) == (900, ())


def test_eight_tabs_of_one_browser_all_answer(club: Club, devices: Any, game: str) -> None:
    """A browser has six connections to a server: pages that were left give up their live lines, say
    so, look again by themselves, and hear again when they are looked at."""
    device = devices("scribe", game, **TABLET)
    device.open(f"/games/{game}")
    tabs = [device.page, *(device.context.new_page() for _ in range(7))]
    for tab in tabs:
        tab.goto(f"{club.url}/games/{game}")
        tab.wait_for_selector("body[data-ready]")
        tab.wait_for_selector("#state:text-is('Live')")
    not_live = "#state:has-text('Not live')"
    for tab in tabs[:4]:
        tab.wait_for_selector(not_live)
    now = club.store_context.bench.game(game)
    legal = now.engine.text(now.engine.options(now.setting, now.state)[0])
    assert log(Caller(club.store_context), game, [legal]).outcome == "done"
    version = club.store_context.bench.game(game).version
    for tab in (tabs[-1], tabs[0]):
        logged(tab, version)
    tabs[0].evaluate("dispatchEvent(new Event('focus'))")
    tabs[0].wait_for_selector("#state:text-is('Live')")
    tabs[4].wait_for_selector(not_live)
