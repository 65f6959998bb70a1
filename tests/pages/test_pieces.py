"""Pictures of cards and tiles: photographed, cut and named on a page, shown where they are used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from answers.context import Caller
from answers.play.options import options
from answers.play.trays import trays
from answers.rulebooks.box_pieces import PIECE, at_table, pieces
from answers.rulebooks.boxes import tell
from referee.store.sidecars.attachments import Attachment
from referee.untrusted.photos import read_photo
from replays.gallery import samples
from tests.deep import first
from tests.kits.test_pieces import sheet
from tests.pages.club import PHONE, TABLET, Club, ready, waits
from tests.pages.player import type_line
from tests.pages.scenes import sample_lines
from tests.photos import jpeg

pytestmark = pytest.mark.xdist_group("pages box")


FEW = 8
"""So few moves are listed, each on a button of its own."""
LOADED = "(all) => all.filter((one) => one.complete && one.naturalWidth > 0).length"


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
    waits(page, "() => document.querySelectorAll('#names select').length === 6")
    for at, code in enumerate(("h10", "h11", "gathering")):
        choices.nth(at).select_option(code)
    page.click("[data-do=cut]")
    page.locator("#pieces [data-piece=gathering] img").wait_for()
    waits(page, "() => [...document.querySelectorAll('#pieces img')].every((i) => i.naturalWidth)")
    assert page.locator("#pieces figure").count() == 3
    tell(Caller(club.store_context), "broom_service", {"front.towers.t05.vp": 3})
    game = club.table("broom_service", "A=red B=blue first A side front", [])
    table = ready(devices("scribe", game, **TABLET).open(f"/games/{game}"))
    assert table.locator("[data-thing=h10] .drawing image").count() == 1
    key = devices("seat:A", game, **PHONE).open("/box/broom_service/key")
    key.wait_for_load_state("networkidle")
    assert key.locator(".key-list img").evaluate_all(LOADED) == 3
    page.click("[data-erase=h11]")
    page.locator("#pieces [data-piece=h11]").wait_for(state="detached")


@pytest.mark.parametrize("game", samples())
def test_what_a_move_names_is_drawn_on_its_button(club: Club, devices: Any, game: str) -> None:
    """In every game, wherever it draws its components, and nothing but those that are named."""
    caller = Caller(club.store_context)
    opening, lines = sample_lines(game)
    for count in range(len(lines) // 4, len(lines)):
        table = club.table(game, opening, lines[:count])
        told = options(caller, table, drawings=True).data
        said = [one.notation for one in (*told.options, *told.in_silence)]
        words = {word for line in (*said, *told.templates) for word in line.split()}
        on_trays = {tray.verb for tray in trays(caller, table).data.trays}
        listed = [one.notation.split() for one in told.options]
        buttons = [words for words in listed if words[0] not in on_trays]
        if 1 < len(buttons) <= FEW and any(told.drawings.keys() & set(each) for each in buttons):
            break
    assert set(told.drawings) <= words
    assert not options(caller, table).data.drawings
    page = ready(devices("scribe", table, **PHONE).open(f"/games/{table}"))
    drawn = page.locator(".saying button .line-pieces svg")
    assert drawn.count() > 0
    box = drawn.first.bounding_box()
    assert min(box["width"], box["height"]) >= 20


def test_ones_own_hand_is_drawn_on_the_phone_and_on_no_other_page(club: Club, devices: Any) -> None:
    opening, lines = sample_lines("broom_service")
    begun = lines[: next(at for at, line in enumerate(lines) if " hand " in f" {line} ")]
    hands = ["B hand 4 fw hg wf pd", "A hand 4 fw rg pw vd"]
    game = club.table("broom_service", f"{opening} readings sealed_hands=yes", [*begun, *hands])
    phone = ready(devices("seat:A", game, **PHONE).open(f"/games/{game}/seat"))
    held = phone.locator("#own-hand li")
    codes = held.evaluate_all("all => all.map((each) => each.dataset.inHand)")
    assert sorted(codes) == ["fw", "pw", "rg", "vd"]
    assert held.locator("svg").count() == 4
    assert "forest witch" in held.locator(".name").all_inner_texts()
    type_line(phone, "A fw brave")
    waits(phone, "() => document.querySelectorAll('#own-hand li').length === 3")  # one is laid
    for role, place in (("table", ""), ("seat:B", "/seat")):
        page = ready(devices(role, game, **PHONE).open(f"/games/{game}{place}"))
        assert page.locator("[data-in-hand=rg]").count() == 0


@pytest.mark.parametrize("game", first(1, ("bloody_grove", "roundforest")))
def test_the_buttons_of_moves_show_the_pieces_that_they_name(
    club: Club, devices: Any, game: str
) -> None:
    """Every piece has a picture; the table stands where its moves name some of them."""
    caller, photo = Caller(club.store_context), read_photo(jpeg(90, 90))
    for row in pieces(caller, game).data.pieces:
        shown = Attachment(photo.content, photo.small)
        club.store_context.boxes.show(game, "own", PIECE + row.code, shown)
    opening, lines = sample_lines(game)
    for count in range(len(lines) // 3, len(lines), 2):
        table = club.table(game, opening, lines[:count])
        known = at_table(caller, table).data.pictures
        listed = [one.notation.split() for one in options(caller, table).data.options]
        if len([words for words in listed if any(word in known for word in words[1:])]) > 2:
            break
    page = ready(devices("scribe", table, **PHONE).open(f"/games/{table}"))
    page.wait_for_load_state("networkidle")
    buttons = page.locator(".saying button:has(.line-pieces)")
    assert buttons.count() > 0
    images = page.locator(".saying button .line-pieces img")
    assert images.evaluate_all(LOADED) == images.count()
    box = images.first.bounding_box()
    assert min(box["width"], box["height"]) >= 20  # large enough to tell one from another
