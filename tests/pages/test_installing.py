"""The pages as an app: opened without a network, and never with what another role has seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from service.device import as_cookie
from tests.pages.club import PHONE, Club, Device, open_club, ready, waits
from tests.pages.player import logged, say_line

LINES = ["forest S1A S2A"]
OPENING = "A=blue B=red first A"
PYRAMID = (
    "pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal / hoard "
    "convert_1"
)
KEPT = """async (path) => {
  const pages = await caches.open("referee pages");
  const found = await pages.match(location.origin + path);
  return found === undefined ? null : found.text();
}"""
"""What a device has kept of a page."""


def kept(page: Any, path: str, has: str) -> None:
    """The page was kept, with this in it."""
    waits(
        page,
        f"async ([path, has]) => ((await ({KEPT})(path)) ?? '').includes(has)",
        arg=[path, has],
    )


@pytest.fixture
def table(club: Club) -> str:
    return club.table("benevolent", OPENING, [*LINES, PYRAMID], A="Ana", B="Bo")


@pytest.mark.parametrize(("locale", "name"), [("en-GB", "Referee"), ("fr-FR", "Arbitre")])
def test_the_manifest_names_the_app_and_all_its_icons_are_there(
    devices: Any, locale: str, name: str
) -> None:
    device = devices(locale=locale)
    page = device.open("/")
    place = page.locator("link[rel=manifest]").get_attribute("href")
    spoken = {"Accept-Language": locale}
    found = device.context.request.get(f"{device.club.url}{place}", headers=spoken)
    told = found.json()
    assert found.headers["content-type"] == "application/manifest+json"
    assert (told["name"], told["start_url"], told["display"]) == (name, "/", "standalone")
    for icon in told["icons"]:
        shown = device.context.request.get(f"{device.club.url}{icon['src']}")
        assert (shown.status, shown.headers["content-type"]) == (200, icon["type"])


def test_without_a_network_a_seat_sees_what_it_last_saw_and_is_told_so(
    browser: Any, tmp_path: Path
) -> None:
    with open_club(tmp_path) as club:
        game = club.table("benevolent", OPENING, [*LINES, PYRAMID], A="Ana", B="Bo")
        device = Device(browser, club, "seat:A", game, **PHONE)
        device.expected = ("ERR_", "Failed to fetch", "net::")
        path = f"/games/{game}/seat"
        page = ready(device.open(path))
        kept(page, path, "c1")
        say_line(page, "A step c1")
        logged(page, 3)
        kept(page, path, "Ana places a step on c1")
    page.reload()
    ready(page)
    assert page.locator(".last-seen").is_visible()
    assert "Ana places a step on c1" in page.locator("#moves").inner_text()
    page.goto(f"{club.url}/rules")
    assert "No connection" in page.locator("h1").inner_text()
    device.close()


def test_signing_out_or_another_role_leaves_nothing_that_was_seen(
    club: Club, devices: Any, table: str
) -> None:
    device = devices("seat:A", table, **PHONE)
    path = f"/games/{table}/seat"
    page = ready(device.open(path))
    kept(page, path, "c1")
    page.click(".menu-button")
    page.locator("form.leave button").click()
    page.wait_for_url(f"{club.url}/")
    assert page.evaluate(KEPT, path) is None
    cookie = {"name": "referee", "value": club.token("seat:B", table), "url": club.url}
    device.context.add_cookies([cookie])
    ready(device.open(path))
    kept(page, path, "c1")
    device.context.add_cookies([{**cookie, "value": club.token("table", table)}])
    ready(device.open(f"/games/{table}"))
    kept(page, f"/games/{table}", "c1")
    assert page.evaluate(KEPT, path) is None


@pytest.mark.parametrize("how", ["looks again", "says something", "says it with another role"])
def test_a_seat_that_the_organiser_signs_out_leaves_nothing_on_its_phone(
    club: Club, devices: Any, table: str, how: str
) -> None:
    """Neither its pages nor its unsent and sealed words, once the phone is told; and nothing of
    them is said in the name of another role that it has, or of who joins there next."""
    phone = devices("seat:A", table, **PHONE)
    phone.expected = ("401", "403", "ERR_", "Failed to")
    if how == "says it with another role":
        both = as_cookie([club.token(role, table) for role in ("seat:A", "scribe")])
        phone.context.add_cookies([{"name": "referee", "value": both, "url": club.url}])
    path = f"/games/{table}/seat"
    page = ready(phone.open(path))
    kept(page, path, "c1")
    own = page.locator("body").get_attribute("data-role")
    page.evaluate(
        """([game, own]) => {
          const said = { lines: ["A step c1"] };
          const item = { key: "k1", path: "/actions", said, version: null, seen: 0, told: "c1" };
          localStorage.setItem(`referee ${game} as ${own}`, JSON.stringify([item]));
          localStorage.setItem(`referee sealed ${game} as ${own}`, "{}");
        }""",
        [table, own],
    )
    club.store_context.access.revoke(own)
    if how == "looks again":
        page.goto(f"{club.url}{path}")
    else:
        say_line(page, "A step c1")
    waits(page, "Object.keys(localStorage).every((each) => !each.includes(' as '))")
    assert page.evaluate(KEPT, path) is None
    cookie = {"name": "referee", "value": club.token("scribe", table), "url": club.url}
    phone.context.add_cookies([cookie])
    ready(phone.open(f"/games/{table}"))
    assert club.lines(table) == [*LINES, PYRAMID]


def test_a_player_is_told_that_the_turn_has_come_in_the_ways_of_this_device(
    club: Club, devices: Any, table: str
) -> None:
    device = devices("seat:B", table, **PHONE)
    page = device.open("/me")
    page.evaluate("navigator.vibrate = (how) => { window.shaken = how; return true; }")
    page.check("[data-turn-way=vibration]")
    assert page.evaluate("window.shaken") == [200, 100, 200]
    page.check("[data-turn-way=sound]")
    page = ready(device.open(f"/games/{table}/seat"))
    page.evaluate("navigator.vibrate = (how) => { window.shaken = how; return true; }")
    title = page.title()
    tablet = devices("scribe", table)
    beside = ready(tablet.open(f"/games/{table}"))
    for version, line in ((3, "A step c1"), (4, "A pick")):
        say_line(beside, line)
        logged(beside, version)
    logged(page, 4)
    waits(page, "document.title.startsWith('● Your turn')")
    assert page.title().endswith(title)
    assert page.evaluate("window.shaken") == [200, 100, 200]
