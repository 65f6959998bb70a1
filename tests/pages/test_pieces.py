"""Pictures of cards and tiles: photographed, cut and named on a page, shown where they are used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from answers.context import Caller
from answers.rulebooks.boxes import tell
from tests.kits.test_pieces import sheet
from tests.pages.club import PHONE, TABLET, Club, ready

pytestmark = pytest.mark.xdist_group("pages box")


def test_a_sheet_is_cut_and_its_pictures_stand_in_the_set_up_in_the_moves_and_in_the_key(
    club: Club, devices: Any, tmp_path: Path
) -> None:
    photo = tmp_path / "sheet.png"
    photo.write_bytes(sheet())
    page = ready(devices("organiser", **TABLET).open("/box/broom_service/pieces"))
    page.set_input_files("#sheet-file", photo)
    page.locator("#corners [data-corner='3']").wait_for()
    page.locator("[data-corner='0']").focus()
    for key in ("Shift+ArrowLeft", "Shift+ArrowUp"):
        page.keyboard.press(key)
    page.fill("#rows", "2")
    page.locator("#rows").blur()
    choices = page.locator("#names select")
    page.wait_for_function("() => document.querySelectorAll('#names select').length === 6")
    for at, code in enumerate(("h10", "h11", "gathering")):
        choices.nth(at).select_option(code)
    page.click("[data-do=cut]")
    page.locator("#pieces [data-piece=gathering] img").wait_for()
    page.wait_for_function(
        "() => [...document.querySelectorAll('#pieces img')].every((i) => i.naturalWidth)"
    )
    assert page.locator("#pieces figure").count() == 3
    tell(Caller(club.store_context), "broom_service", {"front.towers.t05.vp": 3})
    game = club.table("broom_service", "A=red B=blue first A side front", [])
    table = ready(devices("scribe", game, **TABLET).open(f"/games/{game}"))
    assert table.locator("[data-thing=h10] .drawing image").count() == 1
    key = devices("seat:A", game, **PHONE).open("/box/broom_service/key")
    assert key.locator(".pieces figure").count() == 3
    page.click("[data-erase=h11]")
    page.locator("#pieces [data-piece=h11]").wait_for(state="detached")
