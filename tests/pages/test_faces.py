"""Pictures of people and events on pages: chosen on a phone, seen by everybody, erased."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from answers.admin import people
from answers.context import Caller
from tests.pages.club import DESK, PHONE, TABLET, Club, ready
from tests.pages.event import new_event
from tests.photos import jpeg, png

pytestmark = pytest.mark.xdist_group("pages box")


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    file = tmp_path / "me.jpg"
    file.write_bytes(jpeg(300, 200))
    return file


def seen(page: Any, place: str) -> int:
    """How many pictures there are really drawn."""
    page.wait_for_load_state("networkidle")
    drawn = "(all) => all.filter((one) => one.complete && one.naturalWidth > 0).length"
    return int(page.locator(f"{place} img.face").evaluate_all(drawn))


def test_a_player_chooses_a_picture_and_the_table_shows_it_until_the_name_is_erased(
    club: Club, devices: Any, picture: Path
) -> None:
    game = club.table("benevolent", "A=blue B=red first A", [], A="Ana", B="Bo")
    ana = club.store_context.people.find("Ana")[0]
    phone = devices("seat:A", game, person=ana, **PHONE)
    page = ready(phone.open("/me"))
    with page.expect_navigation():
        page.set_input_files("[data-picture] input", picture)
    assert seen(page, ".picker") == 1
    tablet = devices("table", game, **TABLET)
    assert seen(tablet.open(f"/games/{game}"), "#seats") == 1
    assert seen(phone.open(f"/games/{game}/seat"), "#seats") == 1
    phone.expected = ("401",)  # whose name is erased is signed out
    people.erase(Caller(club.store_context), ana)
    assert seen(tablet.open(f"/games/{game}"), "#seats") == 0


def test_a_picture_that_is_none_is_refused_in_words_and_one_can_be_erased(
    club: Club, devices: Any, picture: Path, tmp_path: Path
) -> None:
    game = club.table("benevolent", "A=blue B=red first A", [], A="Ana", B="Bo")
    ana = club.store_context.people.find("Ana")[0]
    phone = devices("seat:A", game, person=ana, **PHONE, locale="fr")
    phone.expected = ("422", "400")
    page = ready(phone.open("/me"))
    (tmp_path / "me.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>")
    page.set_input_files("[data-picture] input", tmp_path / "me.svg")
    page.locator("[data-picture] [role=alert]", has_text="SVG").wait_for()
    with page.expect_navigation():
        page.set_input_files("[data-picture] input", picture)
    with page.expect_navigation():
        page.click("[data-picture] [data-erase]")
    assert seen(page, ".picker") == 0
    assert club.store_context.people.face(ana) is None


def test_an_event_and_its_players_have_pictures_on_all_its_pages(
    club: Club, devices: Any, picture: Path, tmp_path: Path
) -> None:
    event = new_event(club, ["Ana", "Bo", "Cy", "Di"])
    event.pair()
    event.start()
    (tmp_path / "emblem.png").write_bytes(png(90, 90))
    desk = devices("organiser", **DESK)
    page = ready(desk.open(event.page("/screens")))
    with page.expect_navigation():
        page.set_input_files("[data-picture] input", tmp_path / "emblem.png")
    ana = event.player("Ana")
    page = ready(desk.open(event.page(f"/players/{ana}")))
    page.click("details.more summary")
    with page.expect_navigation():
        page.set_input_files("[data-picture] input", picture)
    onlooker = devices("spectator", event.id, **PHONE)
    page = onlooker.open(event.page())
    assert (seen(page, "h1"), seen(page, "#rounds")) == (1, 1)
    assert seen(onlooker.open(event.page("/standings")), "#standings") == 1
    assert seen(onlooker.open(event.page(f"/players/{ana}")), "h1") == 1
    people.erase(Caller(club.store_context), ana)
    page = onlooker.open(event.page())
    assert (seen(page, "h1"), seen(page, "#rounds")) == (1, 0)
    assert seen(onlooker.open(event.page("/standings")), "#standings") == 0
