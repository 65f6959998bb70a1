"""What happened is seen by a camera and proposed on the table page; a tap logs it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image, ImageDraw

from answers.context import Caller
from answers.play.actions import log
from answers.play.moves import moves
from answers.rulebooks.box_pieces import PIECE
from answers.rulebooks.boxes import OWN
from referee.store.sidecars.attachments import Attachment
from referee.untrusted.photos import read_photo
from tests.answers.test_sight import Bethel, visible
from tests.browser import FLAGS, chromium
from tests.games.bloody_grove import set_up
from tests.pages.club import PHONE, TABLET, Club, Device, ready
from tests.photos import art, jpeg_of
from tests.waiting import PATIENCE

pytestmark = pytest.mark.xdist_group("pages box")
FRAMES = 30
"""Of a video file, in a second."""
LONG = PATIENCE * 1000
GUIDE = Path(__file__).parents[2] / "docs"
TAKEN = "B take 1 cw"
"""After it a worker is put down: which one only its colour tells."""
WIDE = {"viewport": {"width": 1180, "height": 820}}


def sees(page: Any, file: Path) -> None:
    page.wait_for_selector("body:not([data-closed])")
    page.click("[data-do=look]")
    page.set_input_files("#sight-camera", file)


def confirms(page: Any, line: str) -> None:
    """The opening is a row too: the number of lines does not tell when one more is shown."""
    rows = page.locator("#moves li.counts").count()
    page.click(f'#verdict [data-seen="{line}"]')
    page.wait_for_selector(f"#moves li.counts >> nth={rows}")


def test_a_photograph_is_explained_by_a_tap_and_compared_with_the_record(
    club: Club, devices: Any, tmp_path: Path
) -> None:
    table = Bethel(Caller(club.store_context))
    state = table.known.step.state
    action, after = visible(table)[0]
    before, then = tmp_path / "before.jpg", tmp_path / "then.jpg"
    before.write_bytes(table.shown(table.things(state)))
    then.write_bytes(table.shown(table.things(after), light=0.9))
    device = devices("scribe", table.id, **TABLET)
    device.expected = ("422", "400")
    page = ready(device.open(f"/games/{table.id}"))
    lines = club.lines(table.id)
    sees(page, before)
    page.wait_for_selector("#verdict [data-do=sight-compare]", timeout=LONG)
    page.click("#verdict [data-do=sight-close]")
    sees(page, then)
    page.wait_for_selector("#verdict.seen", timeout=LONG)
    assert club.lines(table.id) == lines  # nothing is logged before the tap
    assert page.locator("#board .asked.seen").count()
    line = table.known.game.engine.text(action)
    confirms(page, line)
    assert club.lines(table.id) == [*lines, line]
    sees(page, before)  # somebody has put it back: no rule does that
    page.wait_for_selector("#verdict.unsure [data-do=sight-compare]", timeout=LONG)
    page.click("#verdict [data-do=sight-compare]")
    page.wait_for_selector("#verdict.unsure >> text=by the record", timeout=LONG)
    assert club.lines(table.id) == [*lines, line]
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"a face")
    sees(page, bad)
    page.wait_for_selector("#verdict >> text=not a photograph")


@contextmanager
def filmed(
    browser: Any, club: Club, folder: Path, *said: str, **kind: Any
) -> Iterator[tuple[Bethel, Any, Device]]:
    """A tablet whose camera sees a table after some lines, an arm over it, and the table after the
    next move."""
    table = Bethel(Caller(club.store_context))
    for line in said:
        log(table.caller, table.id, [line])
    action, after = visible(table)[0]
    was, now = (table.shown(table.things(one)) for one in (table.known.step.state, after))
    arm = Image.open(BytesIO(was))
    ImageDraw.Draw(arm).rectangle((300, 0, 520, 740), fill=(190, 140, 110))
    film = folder / "table.mjpeg"
    film.write_bytes(was * 25 * FRAMES + jpeg_of(arm) * 3 * FRAMES + now * 60 * FRAMES)
    camera = f"--use-file-for-fake-video-capture={film}"
    fake = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream", camera]
    sees = browser.browser_type.launch(executable_path=chromium(), args=[*FLAGS, *fake])
    try:
        device = Device(sees, club, "scribe", table.id, **{**TABLET, **kind})
        yield table, action, device
        device.close()
    finally:
        sees.close()


def watches(page: Any) -> None:
    page.click("[data-do=look]")
    page.click("[data-do=sight-watch]")
    page.wait_for_selector("#stand video")


def pictured(page: Any, language: str, name: str) -> None:
    """The pictures of the guide are these: ``REFEREE_REWRITE=1`` takes them anew."""
    page.locator("#verdict.seen").scroll_into_view_if_needed()
    shot = Image.open(BytesIO(page.screenshot()))
    if os.environ.get("REFEREE_REWRITE"):
        shot.save(GUIDE / ("" if language == "en" else language) / "pictures" / name, quality=80)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_tablet_on_a_stand_proposes_when_the_hands_have_gone(
    club: Club, browser: Any, tmp_path: Path, language: str
) -> None:
    with filmed(browser, club, tmp_path, TAKEN, locale=language, **WIDE) as (table, action, device):
        page = ready(device.open(f"/games/{table.id}"))
        lines, line = club.lines(table.id), table.known.game.engine.text(action)
        watches(page)
        page.wait_for_selector(f'#verdict.seen [data-seen="{line}"]', timeout=LONG)
        pictured(page, language, "sight-page.webp")
        assert club.lines(table.id) == lines
        confirms(page, line)
        assert club.lines(table.id) == [*lines, line]
        sighted = moves(table.caller, table.id).data.moves[-1].by_sight
        assert sighted == "confirmed"
        page.click("[data-do=sight-stop]")
        assert page.locator("#stand").count() == 0


def test_what_is_logged_by_itself_is_unconfirmed_until_somebody_taps(
    club: Club, browser: Any, tmp_path: Path
) -> None:
    """Off until the table chooses it; what is undone leaves the photograph before as it was."""
    with filmed(browser, club, tmp_path, TAKEN) as (table, action, device):
        page = ready(device.open(f"/games/{table.id}"))
        lines, line = club.lines(table.id), table.known.game.engine.text(action)
        page.click("[data-do=look]")
        assert not page.is_checked("#sight-logs")
        page.wait_for_selector("body:not([data-closed~=verdict])")
        page.check("#sight-logs")
        page.click("#verdict .close")
        watches(page)
        told = page.locator("#moves li.counts .fate >> nth=0")
        told.wait_for(timeout=LONG)
        assert club.lines(table.id) == [*lines, line]
        assert told.inner_text() == "by sight, unconfirmed"
        assert page.locator("#verdict.brief [data-do=undo-it]").count()
        page.click("#moves [data-do=sight-confirm]")
        page.wait_for_selector("#moves .fate >> text=by sight, confirmed")
        assert moves(table.caller, table.id).data.moves[-1].by_sight == "confirmed"


def test_a_card_is_shown_to_the_phone_of_its_owner_and_nobody_else_hears_of_it(
    club: Club, devices: Any, tmp_path: Path
) -> None:
    """Bloody Grove has no board: a card that is held into the camera completes what is due."""
    caller = Caller(club.store_context)
    opening, *lines = set_up(Random(5))
    game = club.table("bloody_grove", opening.removeprefix("table "), lines)
    found = caller.game(game)
    codes = [code.code for code in found.engine.guide.codes(found.setting.kit)][:9]
    for number, code in enumerate(codes):
        piece = read_photo(jpeg_of(art(number, (300, 400))))
        caller.store_context.boxes.show(
            "bloody_grove", OWN, PIECE + code, Attachment(piece.content, piece.small)
        )
    table = Image.new("RGB", (900, 740), (92, 64, 44))
    table.paste(art(1, (300, 400)).rotate(20, expand=True, fillcolor=(92, 64, 44)), (220, 90))
    shown, stranger = tmp_path / "card.jpg", tmp_path / "stranger.jpg"
    shown.write_bytes(jpeg_of(table))
    stranger.write_bytes(jpeg_of(art(40, (900, 740))))
    version = found.version
    phone = ready(devices("seat:A", game, **PHONE).open(f"/games/{game}/seat"))
    phone.click("[data-do=card]")
    phone.set_input_files("#sight-card", stranger)
    phone.wait_for_selector("#verdict.unsure >> text=Cannot tell")
    phone.set_input_files("#sight-card", shown)  # goes with the one before: either will do
    phone.wait_for_selector('#verdict.seen [data-seen="A invoke b2"]')
    assert caller.game(game).version == version
    phone.click('#verdict [data-seen="A invoke b2"]')
    phone.wait_for_selector("#verdict.good")
    assert club.lines(game)[-1] == "A invoke b2"
