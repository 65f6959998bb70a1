"""A game from a file is studied in the browser, and stored nowhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from answers.context import Caller, open_store_context
from answers.play.actions import log
from referee.archive.record_files import record_lines
from tests.deep import first
from tests.opening import new_table
from tests.pages.club import DESK, PHONE, violations, waits
from tests.pages.player import data_of
from tests.pages.scenes import sample_lines

pytestmark = pytest.mark.xdist_group("pages study")
HOSTILE = '<img src=x onerror="document.title=1">'


@pytest.fixture(scope="module")
def record() -> bytes:
    """A record of another house, with a name that is no name."""
    store_context = open_store_context("memory:")
    opening, lines = sample_lines("benevolent")
    scribe = Caller(store_context)
    opened = new_table(scribe, "benevolent", opening, players={"A": HOSTILE, "B": "Bo"})
    log(scribe, opened, lines[:24])
    game = store_context.bench.game(opened)
    names = {person: store_context.people.name(person) or "" for person in game.seats.values()}
    return b"".join(record_lines(store_context.store, opened, names))


@pytest.fixture
def page(devices: Any, record: bytes, tmp_path: Path) -> Any:
    file = tmp_path / "game.jsonl"
    file.write_bytes(record)
    page = devices(**DESK).open("/study")
    page.wait_for_selector("body[data-ready]")
    page.set_input_files("#upload input", file)
    page.wait_for_selector("#moves li.counts")
    page.wait_for_selector("body[data-ready]")
    return page


def shows(page: Any, at: int | None) -> None:
    waits(page, "(at) => JSON.parse(document.getElementById('data').textContent).at === at", arg=at)


def test_a_file_is_replayed_tried_compared_and_nothing_of_it_is_stored(
    devices: Any, club: Any, page: Any
) -> None:
    assert page.locator(".seats").inner_text().count(HOSTILE) == 1
    page.keyboard.press("ArrowLeft")
    shows(page, 23)
    page.click("#moves li[data-number='11'] a")
    shows(page, 11)
    page.click("#taps button[data-line='A gather']")
    page.wait_for_selector("#trying li.good")
    page.click("#trying >> text=As played")
    page.wait_for_selector("#trying li.good", state="detached")
    page.click("#asking > summary")
    page.click("text=Compare with another move")
    page.select_option("[name=with]", "4")
    page.locator("button:has-text('Compare')").click()
    page.wait_for_selector("#compared svg")
    page.go_back()
    page.wait_for_selector("#compared svg", state="detached")
    assert page.locator("#note, #exports, [data-remove]").count() == 0
    assert page.evaluate("document.title") != "1"
    assert not list(club.store_context.store.streams("game-"))


@pytest.mark.deep
def test_a_file_is_pasted_and_turned_without_scripts(devices: Any, record: bytes) -> None:
    page = devices(java_script_enabled=False).open("/study")
    page.fill("[name=record]", record.decode())
    page.click("button.main")
    assert data_of(page)["at"] is None
    page.fill("[name=at]", "7")
    page.click(".points button")
    assert data_of(page)["at"] == 7


@pytest.mark.parametrize(
    "text", first(1, [HOSTILE, "", "{}", "[game 1]\n", "<!doctype html>nothing"])
)
def test_what_is_no_game_is_told_on_the_page(devices: Any, text: str) -> None:
    device = devices()
    reply = device.context.request.post(f"{device.club.url}/study", form={"record": text})
    assert 'id="unread"' in reply.text()
    assert "<img" not in reply.text()


def test_a_record_that_was_changed_is_not_opened(devices: Any, record: bytes) -> None:
    device = devices()
    forged = record.replace(b"Bo", b"Jo").replace(b"gather", b"pick", 1)
    reply = device.context.request.post(f"{device.club.url}/study", form={"record": forged})
    assert 'id="unread"' in reply.text()


@pytest.mark.deep
def test_a_file_that_is_too_large_is_refused_before_it_is_read(devices: Any) -> None:
    device = devices()
    sent = {"data": b"x" * (9 * 1024 * 1024), "headers": {"Content-Type": "text/plain"}}
    reply = device.context.request.post(f"{device.club.url}/study", **sent)
    assert reply.status == 413
    assert "<main" in reply.text()


@pytest.mark.deep
@pytest.mark.parametrize(("kind", "lang"), [(DESK, "en"), (PHONE, "fr")])
def test_nothing_serious_and_nothing_beyond_the_edge(
    devices: Any, record: bytes, axe: str, kind: dict[str, Any], lang: str
) -> None:
    page = devices(bypass_csp=True, locale=lang, **kind).open("/study")
    for _ in ("asked for", "shown"):
        assert page.get_attribute("html", "lang") == lang
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert violations(page, axe) == []
        if page.locator("#moves").count() == 0:
            page.fill("[name=record]", record.decode())
            page.click("#file-form button.main")
            page.wait_for_selector("#moves")
