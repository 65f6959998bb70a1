"""What the referee only assumes of the box is asked at the table; photographs are taken there."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from answers.context import Caller
from answers.review.photos import add, photo, photos
from answers.rulebooks.boxes import own_box
from referee.judging.disputes import dispute
from tests.pages.club import PHONE, TABLET, Club, ready, waits
from tests.pages.player import type_line
from tests.photos import jpeg
from tests.proofs.twins import broom_service

POSITION = {
    "round": 2,
    "turn": 1,
    "first": "A",
    "event": "gathering",
    "cursed": ["rg", "pd", "wf"],
    "players": {"A": {"cards": 4, "bolts": 25}, "B": {"cards": 4}},
}
pytestmark = pytest.mark.xdist_group("pages box")


@pytest.fixture
def game(club: Club) -> str:
    lines = [f"position {json.dumps(POSITION)}", "A pw coward"]
    return club.table("broom_service", "A=red B=blue first A side front", lines, A="Ana", B="Bo")


@pytest.fixture
def tablet(devices: Any, game: str) -> Any:
    device = devices("scribe", game, **TABLET)
    device.expected = ("422",)
    ready(device.open(f"/games/{game}"))
    return device


def test_a_move_that_our_map_refuses_is_legal_once_the_table_has_said_what_it_sees(
    club: Club, tablet: Any, game: str
) -> None:
    page = tablet.page
    type_line(page, "A move 1 P3")
    question = page.locator("#verdict .box-question")
    question.wait_for()
    assert "P2, borders on: L1, F1, H3, H1" in question.inner_text()
    question.locator("[data-do=box-no]").click()
    assert question.locator("[data-choice=H1]").get_attribute("aria-pressed") == "true"
    question.locator("[data-choice=P3]").click()
    question.locator("[data-do=box-tell]").click()
    page.locator("#moves .line", has_text="P3").first.wait_for()
    assert club.lines(game)[-1] == "A move 1 P3"
    sheet = club.store_context.bench.game(game).sheet
    assert "P2-P3" in sheet.at("front.borders")
    assert sheet.provenance("front.borders#P2") == "declared"
    assert sheet.provenance("front.borders#P4") == "assumed"
    kept = own_box(Caller(club.store_context), "broom_service").tour.stated
    assert kept["front.borders#P2"].value == ["L1", "F1", "H3", "H1", "P3"]


def test_what_is_so_is_confirmed_and_the_refusal_stands(club: Club, tablet: Any, game: str) -> None:
    page = tablet.page
    type_line(page, "A move 1 L1")
    page.locator("#verdict .box-question", has_text="L1, terrain: water").wait_for()
    page.click("#verdict [data-do=box-yes]")
    page.locator("#verdict .box-question").wait_for(state="detached")
    page.locator("#verdict.bad", has_text="BRM-MOV-6").wait_for()
    assert club.lines(game)[-1] == "A pw coward"
    found = club.store_context.bench.game(game).sheet
    assert found.provenance("front.regions.L1.terrain") == "declared"


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    file = tmp_path / "board.jpg"
    file.write_bytes(jpeg(3000, 2000, colour="darkgreen"))
    return file


def take(page: Any, picture: Path, caption: str, whose: str = "") -> None:
    page.click("[data-do=photo]")
    page.set_input_files("#photo-camera", picture)
    page.locator("#dialog canvas:not([hidden])").wait_for()
    page.fill("#photo-caption", caption)
    page.select_option("#photo-whose", whose)
    page.click("#dialog [data-do=photo-send]")
    page.wait_for_selector("#dialog:not([open])", state="attached")


def test_a_photograph_from_a_phone_stands_beside_the_log_and_before_the_judge(
    club: Club, devices: Any, tablet: Any, game: str, picture: Path
) -> None:
    phone = devices("seat:A", game, **PHONE)
    page = ready(phone.open(f"/games/{game}/seat"))
    assert page.locator("[data-do=photo]").count() == 1
    take(page, picture, "here I stand")
    shown = page.locator("#moves [data-photo=f1] img")
    shown.wait_for()
    waits(page, "() => document.querySelector('[data-photo=f1] img').naturalWidth > 0")
    assert shown.get_attribute("alt") == "here I stand"
    tablet.page.locator("#moves [data-photo=f1]").wait_for()  # it is told at once
    dispute(club.store_context.bench, game, 2, seat="B", text="he stood elsewhere")
    judge = devices("judge", game)
    court = judge.open(f"/games/{game}/disputes/d1")
    court.locator(".pics .board svg").wait_for()
    waits(court, "() => document.querySelector('.evidence img').naturalWidth === 2560")
    assert "here I stand" in court.locator(".evidence figcaption").inner_text()


def test_a_photograph_of_a_hand_is_not_shown_to_the_others(
    club: Club, devices: Any, picture: Path
) -> None:
    bench, game = broom_service("fw hw mw")
    club.store_context.store.adopt_all([bench.store.read(game)])
    ana, bo = (devices(f"seat:{seat}", game, **PHONE) for seat in "AB")
    page = ready(ana.open(f"/games/{game}/seat"))
    take(page, picture, "my four cards", "A")
    page.locator("[data-photo=f1]").wait_for()
    other = ready(bo.open(f"/games/{game}/seat"))
    other.locator(".hidden-hand").wait_for()
    assert other.locator("[data-photo]").count() == 0
    assert "my four cards" not in other.content()


def test_a_judge_marks_a_photograph_and_the_marked_one_joins_the_evidence(
    club: Club, devices: Any, game: str
) -> None:
    caller = Caller(club.store_context)
    dispute(club.store_context.bench, game, 2, seat="B", text="he stood elsewhere")
    add(caller, game, jpeg(600, 400, colour="white"), dispute="d1", only="A")
    page = ready(devices("judge", game).open(f"/games/{game}/disputes/d1"))
    page.click("[data-mark=f1]")
    canvas = page.locator("#dialog canvas")
    canvas.wait_for()
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)
    page.mouse.up()
    canvas.focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    page.locator("#dialog", has_text="Marks: 2").wait_for()
    page.click("#dialog [data-do=marks-send]")
    page.locator("[data-mark=f2]").wait_for()
    first, marked = photos(caller, game).data.photos
    assert (marked.dispute, marked.only, marked.caption) == ("d1", "A", "f1, marked")
    assert marked.digest != first.digest
    with Image.open(BytesIO(photo(caller, game, "f2").content)) as seen:
        across, down = (20 / box[side] / 2 + 0.25 for side in ("width", "height"))
        red, green, _ = seen.getpixel((round(across * seen.width), round(down * seen.height)))
    assert red > 150 > 90 > green
