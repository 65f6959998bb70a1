"""The pages of the box on phones, with a keyboard, and for people with other senses; boxes as
files that clubs exchange."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from answers.context import Caller
from answers.rulebooks.box_boards import WHOLE, board, place
from answers.rulebooks.box_exchange import unsigned_box
from answers.rulebooks.box_tour import add_photo
from answers.rulebooks.boxes import names_of_boxes, own_box, tell
from answers.rulebooks.games import has_boards
from referee.proof.keys import KeyRing
from referee.proof.signed_boxes import read_box, signed_box
from replays.gallery import samples
from tests.deep import first
from tests.pages.club import PHONE, TABLET, Club, ready, violations
from tests.photos import jpeg

pytestmark = pytest.mark.xdist_group("pages box")
GAMES = samples()
PAGES = ("", "/board", "/pieces", "/key", "/share")
SIZES = [(360, 640, "fr"), (390, 844, "en"), (360, 640, "en"), (390, 844, "fr")]


@pytest.fixture
def photographed(club: Club) -> Club:
    """Something lies on every first board, and a sheet waits to be cut."""
    caller = Caller(club.store_context)
    for game in GAMES:
        add_photo(caller, game, jpeg(300, 200), "sheet")
        if has_boards(game):
            name = board(caller, game).data.board
            add_photo(caller, game, jpeg(600, 400), f"board:{name}")
            place(caller, game, name, corners=WHOLE, usual=True)
    tell(caller, "broom_service", as_shown=["front.F1"])
    return club


@pytest.mark.deep
@pytest.mark.parametrize(("width", "height", "lang"), first(1, SIZES))
def test_no_page_of_the_box_is_too_wide_or_breaks_any_rule_of_axe(
    photographed: Club, devices: Any, axe: str, width: int, height: int, lang: str
) -> None:
    found = {}
    phone = {"viewport": {"width": width, "height": height}, "is_mobile": True, "has_touch": True}
    device = devices("organiser", **phone, locale=lang, bypass_csp=True, reduced_motion="reduce")
    for game in GAMES:
        for rest in PAGES:
            page = device.open(f"/box/{game}{rest}")
            page.wait_for_load_state("networkidle")
            wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
            found[game, rest] = ["too wide"] * wide + violations(page, axe)
    assert found == {place: [] for place in found}


REACHED = """() => {
  const kinds = ["a[href]", "button", "input", "select", "summary", "[tabindex='0']"];
  const wanted = [...document.querySelectorAll(kinds.map((kind) => `main ${kind}`).join())];
  return wanted.filter((each) => each.checkVisibility() && !each.disabled).length;
}"""
FOCUSED = """() => {
  const now = document.activeElement;
  if (!now.closest("main")) return null;
  now.dataset.visited ??= String(window.visits = (window.visits ?? 0) + 1);
  const seen = now.matches(".unseen") ? now.closest("label") : now;
  const { outlineStyle, outlineWidth } = getComputedStyle(seen);
  return outlineStyle !== "none" && parseFloat(outlineWidth) > 0 || Boolean(now.closest("svg"));
}"""


@pytest.mark.parametrize("rest", PAGES)
def test_everything_on_the_pages_of_the_box_is_reached_by_tab_and_shows_it(
    photographed: Club, devices: Any, rest: str
) -> None:
    page = devices("organiser", **TABLET).open(f"/box/broom_service{rest}")
    page.wait_for_load_state("networkidle")
    wanted = page.evaluate(REACHED)
    assert wanted > 1
    hidden = 0
    for _ in range(wanted + 40):
        page.keyboard.press("Tab")
        hidden += page.evaluate(FOCUSED) is False
    assert page.evaluate("window.visits") >= wanted
    assert hidden == 0


def test_a_box_is_given_with_its_fingerprint_and_taken_once_it_was_read_whose_it_is(
    club: Club, devices: Any, tmp_path: Path
) -> None:
    caller = Caller(club.store_context)
    tell(caller, "bethel_woods", as_shown=["machines.1"])
    page = ready(devices("organiser", **PHONE).open("/box/bethel_woods/share"))
    page.fill("[name=club]", "Thursday club")
    with page.expect_download() as given:
        page.click("#export button")
    file = tmp_path / "ours.box"
    given.value.save_as(file)
    bare = unsigned_box(caller, "bethel_woods", club="Thursday club")
    assert file.read_bytes() == bare.content
    digest = read_box(bare.content, "box").digest
    shown = page.locator("#given:not([hidden])").inner_text()
    assert digest in shown.replace(" ", "").replace("\n", "")
    page.set_input_files("#box-file", file)
    page.locator("#found .unsure", has_text="not signed").wait_for()
    assert digest in page.locator("#found .notice").inner_text().replace(" ", "")
    assert names_of_boxes(caller, "bethel_woods") == ["own"]
    page.fill("#found input", "thursday")
    page.click("#found button")
    page.locator("#found .good", has_text="thursday").wait_for()
    assert names_of_boxes(caller, "bethel_woods") == ["own", "thursday"]
    theirs = own_box(caller, "bethel_woods", "thursday")
    assert [*theirs.tour.stated] == [*own_box(caller, "bethel_woods").tour.stated]


def test_a_signature_is_checked_and_whose_key_it_is_is_said(
    club: Club, devices: Any, tmp_path: Path
) -> None:
    caller, ring = Caller(club.store_context), KeyRing(tmp_path / "keys")
    ring.new("ana")
    tell(caller, "bethel_woods", as_shown=["machines.1"])
    bare = unsigned_box(caller, "bethel_woods", club="Thursday club")
    signed = signed_box(read_box(bare.content, "box"), ring, "ana")
    for name, content in (("good", signed), ("bad", signed.replace(b"Thursday", b"Saturday"))):
        (tmp_path / f"{name}.box").write_bytes(content)
    device = devices("organiser", **TABLET, locale="fr")
    device.expected = ("422", "400")
    page = ready(device.open("/box/bethel_woods/share"))
    page.set_input_files("#box-file", tmp_path / "good.box")
    page.locator("#found .notice", has_text="Elle est signée").wait_for()
    key = read_box(signed, "box").key
    assert key in page.locator("#found .notice").inner_text().replace(" ", "")
    page.set_input_files("#box-file", tmp_path / "bad.box")
    page.locator("#problem:not([hidden])").wait_for()
    assert page.locator("#found button").count() == 0
