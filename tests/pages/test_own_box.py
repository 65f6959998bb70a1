"""The club's own box on a page: what the terminal's tour asks, by taps, and the same data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from answers.context import Caller, open_store_context
from answers.rulebooks.boxes import own_box, tell
from referee.store.sidecars.boxes import Seen
from tests.pages.club import PHONE, TABLET, Club, ready, waits
from tests.photos import jpeg

pytestmark = pytest.mark.xdist_group("pages box")


def seen(club: Club, game: str) -> list[Seen]:
    return club.store_context.boxes.seen(game, "own")


def settled(page: Any, title: str) -> None:
    page.locator("#stop-title", has_text=title).wait_for()


def test_a_page_of_the_box_is_confirmed_by_one_tap_and_the_next_one_comes(
    club: Club, devices: Any
) -> None:
    page = ready(devices("organiser", **TABLET).open("/box/bethel_woods"))
    settled(page, "machine 1")
    page.click("[data-do=all-right]")
    settled(page, "machine 2")
    assert page.locator(".told-bar").inner_text().strip() == "1 of 14 details confirmed"
    other = Caller(open_store_context("memory:"))
    tell(other, "bethel_woods", as_shown=["machines.1"])
    assert seen(club, "bethel_woods") == other.store_context.boxes.seen("bethel_woods", "own")


def test_what_differs_is_told_by_taps_as_the_terminal_tells_it(club: Club, devices: Any) -> None:
    page = ready(devices("organiser", **PHONE).open("/box/broom_service?page=front.F1"))
    settled(page, "F1")
    terrain = page.locator(".datum[data-path='front.regions.F1.terrain']")
    terrain.locator("[data-do=differs]").click()
    terrain.locator("[data-choice=hill]").click()
    terrain.locator(".seen").wait_for()
    assert terrain.locator(".shown").inner_text() == "hill"
    borders = page.locator(".datum[data-path='front.borders#F1']")
    borders.locator("[data-do=differs]").click()
    borders.locator("[data-choice=M1]").click()
    borders.locator("[data-choice=P2]").click()
    borders.locator("[data-do=box-tell]").click()
    borders.locator(".seen").wait_for()
    points = page.locator(".datum[data-path='front.towers.t05.vp']")
    points.locator("[data-do=differs]").click()
    points.locator("input").fill("7")
    points.locator("[data-do=box-tell]").click()
    points.locator(".seen").wait_for()
    other = Caller(open_store_context("memory:"))
    told = {
        "front.regions.F1.terrain": "hill",
        "front.borders#F1": ["H1", "M1"],
        "front.towers.t05.vp": 7,
    }
    tell(other, "broom_service", told)
    assert seen(club, "broom_service") == other.store_context.boxes.seen("broom_service", "own")


def test_there_may_be_one_more_or_one_less_than_the_kit_has(club: Club, devices: Any) -> None:
    page = ready(devices("organiser", **TABLET).open("/box/broom_service?page=front.F1"))
    page.click("[data-absent='front.towers.t05']")
    page.locator(".thing", has_text="t05").wait_for(state="detached")
    page.click("[data-more='0']")
    page.locator(".datum[data-path='front.towers.t05.colour']").wait_for()
    box = own_box(Caller(club.store_context), "broom_service")
    assert box.tour.sheet.at("front.towers.t05.touches") == ["F1"]
    assert box.tour.sheet.provenance("front.towers.t05") == "declared"


def test_it_goes_on_where_it_was_left_and_new_tables_use_it(club: Club, devices: Any) -> None:
    """A whole box in one sitting, with a pause."""
    page = ready(devices("organiser", **TABLET).open("/box/bethel_woods"))
    for stop in ("machine 1", "machine 2", "machine 3"):
        settled(page, stop)
        page.click("[data-do=all-right]")
    settled(page, "machine 4")
    again = ready(devices("organiser", **PHONE, locale="fr").open("/box/bethel_woods"))
    settled(again, "machine 4")
    for _ in range(4):
        before = again.locator("#stop-title").inner_text()
        again.click("[data-do=all-right]")
        waits(
            again,
            "(title) => document.querySelector('#stop-title').innerText !== title "
            "|| document.querySelector('.notice.good')",
            arg=before,
        )
    again.locator(".notice.good").wait_for()
    assert not own_box(Caller(club.store_context), "bethel_woods").open_pages
    game = club.table("bethel_woods", "A B first A", [])
    sheet = club.store_context.bench.game(game).sheet
    assert sheet.provenance("sections.0.accepts") == "declared"


def test_who_may_not_fill_it_in_looks_at_it(club: Club, devices: Any) -> None:
    game = club.table("broom_service", "A=red B=blue first A side front", [])
    page = ready(devices("seat:A", game, **PHONE).open("/box/broom_service"))
    assert page.locator(".box-look .board svg").count() == 1
    assert page.locator("[data-do=all-right], [data-do=differs]").count() == 0


def test_a_box_of_which_nothing_is_assumed_says_so(devices: Any) -> None:
    page = ready(devices("organiser").open("/box/bloody_grove"))
    assert "Nothing in this box is assumed" in page.locator(".notice.good").inner_text()


def test_the_key_to_the_codes_is_a_tap_from_the_table_and_from_the_rules(
    club: Club, devices: Any
) -> None:
    game = club.table("broom_service", "A=red B=blue first A side front", [])
    device = devices("scribe", game, **PHONE)
    for place in (f"/games/{game}", "/rules/broom_service"):
        device.open(place).locator("a[href='/box/broom_service/key']").click()
        device.page.locator(".key-page .key-list").first.wait_for()
    assert device.page.locator(".key-list b", has_text="t05").count() == 1


def test_opening_a_table_counts_what_the_club_has_not_confirmed_yet(
    club: Club, devices: Any
) -> None:
    page = devices("organiser").open("/new/bethel_woods")
    page.locator(".notice.unsure", has_text="14 details").wait_for()
    tell(Caller(club.store_context), "bethel_woods", as_shown=["machines.1", "machines.2"])
    page.reload()
    page.locator(".notice.unsure", has_text="11 details").wait_for()


def test_a_part_of_the_box_has_a_place_for_its_photograph(
    club: Club, devices: Any, tmp_path: Path
) -> None:
    file = tmp_path / "f1.jpg"
    file.write_bytes(jpeg(800, 600, colour="olive"))
    page = ready(devices("organiser", **TABLET).open("/box/broom_service?page=front.F1"))
    page.set_input_files("#take-photo", file)
    waits(page, "() => document.querySelector('#box-photo')?.naturalWidth === 800")
    other = tmp_path / "other.jpg"
    other.write_bytes(jpeg(400, 500, colour="navy"))
    page.set_input_files("#take-photo", other)
    waits(page, "() => document.querySelector('#box-photo')?.naturalWidth === 400")
    assert list(club.store_context.boxes.photos("broom_service", "own")) == ["front.F1"]
    page.click("[data-do=erase-photo]")
    page.locator("#box-photo").wait_for(state="detached")
    assert club.store_context.boxes.photos("broom_service", "own") == {}


def test_a_table_is_opened_with_a_box_by_its_name_and_a_clock_that_grows(
    club: Club, devices: Any
) -> None:
    tell(Caller(club.store_context), "bethel_woods", as_shown=["machines.1"], kit="attic")
    page = ready(devices("organiser", **PHONE).open("/new/bethel_woods"))
    page.select_option("[name=kit]", "attic")
    page.click("summary >> text=Clock")
    page.fill("[name=minutes]", "20")
    page.fill("[name=increment]", "15")
    page.click("#opening button.main")
    page.wait_for_url("**/games/*")
    (stream,) = club.store_context.store.streams("game-")
    game = club.store_context.bench.game(stream)
    assert game.sheet.content["kit"] == "attic"
    assert game.clock is not None
    assert (game.clock.rule.seconds, game.clock.rule.increment) == (1200, 15)
