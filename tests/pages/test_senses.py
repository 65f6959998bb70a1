"""The pages of a table for people with other senses, and on every width."""

from __future__ import annotations

from typing import Any

import pytest

from tests.deep import first
from tests.pages.club import DESK, PHONE, Club, violations
from tests.pages.scenes import Scene, scenes

pytestmark = pytest.mark.xdist_group("pages senses")
OF_A_TABLE = (
    *("table", "on-table", "seat", "watch", "refused", "opening", "clock", "devices", "me"),
    *("box", "key", "dispute", "replacing", "over", "won"),
)


@pytest.fixture
def pages(club: Club) -> list[Scene]:
    return [scene for scene in scenes(club) if scene.name in OF_A_TABLE]


@pytest.mark.deep
@pytest.mark.parametrize(("kind", "scheme"), first(1, [(DESK, "light"), (PHONE, "dark")]))
def test_nothing_serious_and_nothing_beyond_the_edge(
    pages: list[Scene], devices: Any, axe: str, kind: dict[str, Any], scheme: str
) -> None:
    assert {scene.name for scene in pages} == set(OF_A_TABLE)
    found = {}
    for scene in pages:
        look = {**kind, "color_scheme": scheme, "bypass_csp": True, "reduced_motion": "reduce"}
        device = devices(scene.role, scene.scope, **look)
        device.expected = ("422",)
        page = device.open(scene.path)
        scene.prepare(page)
        too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        found[scene.name] = ["too wide"] * too_wide + violations(page, axe)
    assert found == {name: [] for name in found}


def test_a_line_is_said_by_keyboard_alone(club: Club, pages: list[Scene], devices: Any) -> None:
    (table,) = [scene for scene in pages if scene.name == "table"]
    device = devices(table.role, table.scope, **DESK)
    page = device.open(table.path)
    table.prepare(page)
    before = len(club.lines(table.scope))
    page.locator("#board [role=button]").first.focus()
    for _ in range(4):
        page.keyboard.press("Enter")
        if page.locator("#taps button.chosen, #taps button[data-line]").count():
            break
        page.locator("#board [role=button]").first.focus()
    page.locator("#taps button[data-line]").first.focus()
    page.keyboard.press("Enter")
    if page.locator("#taps button.chosen").count():
        page.locator("#taps button.chosen").focus()
        page.keyboard.press("Enter")
    page.wait_for_selector("#verdict.good")
    assert len(club.lines(table.scope)) == before + 1
    assert page.locator("#announced").inner_text().startswith("✔")


def test_a_seat_has_one_colour_wherever_a_page_names_it(pages: list[Scene], devices: Any) -> None:
    (scene,) = [scene for scene in pages if scene.name == "on-table"]
    page = devices(scene.role, scene.scope, **DESK).open(scene.path)
    asked = "all => all.map(each => [each.textContent, getComputedStyle(each).backgroundColor])"
    badges = [tuple(each) for each in page.locator("b.seat").evaluate_all(asked)]
    assert len(badges) > len(set(badges)) == len({seat for seat, _ in badges})
