"""Registration on phones, and the waiting list at the desk."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pages.club import DESK, PHONE, Club, ready, violations
from tests.pages.event import Event, new_event

pytestmark = pytest.mark.xdist_group("pages hall")


@pytest.fixture
def event(club: Club) -> Event:
    return new_event(club, ["Ana"])


def opened(devices: Any, event: Event, places: int, **kind: Any) -> tuple[Any, str]:
    """The desk, once it has opened registration, and the address it shows."""
    device = devices("organiser", event.id, **{**DESK, **kind})
    desk = ready(device.open(event.page("/players")))
    desk.fill("#registration [name=capacity]", str(places))
    desk.check("#registration [value=club]")
    desk.click("#registration form button.main")
    link = desk.wait_for_selector("#registration a.address").inner_text()
    return desk, link.removeprefix(event.club.url)


def come(devices: Any, link: str, name: str, **kind: Any) -> Any:
    device = devices(**{**PHONE, **kind})
    device.expected = ("401",)  # whoever leaves the list is signed out
    page = device.open(link)
    page.fill("#name", name)
    page.click("main form button")
    return ready(page)


def test_phones_register_wait_and_move_up_while_the_desk_looks_on(
    devices: Any, event: Event
) -> None:
    desk, link = opened(devices, event, 2)
    bo = come(devices, link, "Bo")
    assert "You are registered, number 2." in bo.inner_text("#now")
    cleo, dan = come(devices, link, "Cleo"), come(devices, link, "Dan")
    assert "place 2" in dan.inner_text("#now")
    desk.wait_for_selector("#registration li:nth-child(2) >> text=Dan")
    bo.click("[data-do=unregister]")
    bo.click("dialog button.main")
    bo.wait_for_url(f"{event.club.url}/")
    cleo.wait_for_selector("#now >> text=You are registered, number 3.")
    dan.wait_for_selector("#now >> text=place 1")
    desk.wait_for_selector("#registration li:nth-child(2)", state="detached")
    desk.click("#registration [data-do=move-up]")
    dan.wait_for_selector("#now >> text=You are registered, number 4.")
    desk.click("[data-do=registration-close]")
    desk.wait_for_selector("#registration >> text=Registration is closed.")
    late = devices(**PHONE).open(link)
    assert late.locator("main form").count() == 0
    home = dan.context.new_page()
    home.goto(f"{event.club.url}/")
    assert home.locator("#my-events a").count() == 1


@pytest.mark.deep
@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("fr", "dark")])
def test_nothing_serious_and_nothing_beyond_the_edge(
    devices: Any, event: Event, axe: str, lang: str, scheme: str
) -> None:
    kind = {"bypass_csp": True, "locale": lang, "color_scheme": scheme}
    desk, link = opened(devices, event, 2, **{**PHONE, **kind})
    come(devices, link, "Bo")
    waiting = come(devices, link, "C" * 40, **kind)
    form = devices(**PHONE, **kind).open(link)
    desk.wait_for_selector("#registration li")
    for page in (desk, waiting, form):
        assert violations(page, axe) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
