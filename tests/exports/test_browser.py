"""The page in a real browser: stepped through by keys and by touch, and harmless.

Needs Debian's chromium and the extra ``e2e``; skipped where they are missing.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engines.kernel import Action
from referee.record.game import Game
from referee.record.history import history
from referee.table.author import SCRIBE, By
from referee.table.corrections import undo
from referee.table.notes import Annotation, annotate
from replays.exports.render_options import RenderOptions
from replays.formats import export_bytes
from tests.deep import first
from tests.exports.tables import HOSTILE, eventful, quiet_bench, recorded
from tests.pages.club import violations

sync_api = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install .[e2e]")
pytestmark = pytest.mark.xdist_group("browser")
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}
GAMES = ("benevolent", "bethel_woods", "bloody_grove", "broom_service", "roundforest")


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Game, Path]]:
    """A page of each game, full of hostile words."""
    folder = tmp_path_factory.mktemp("pages")
    made = {}
    for name in GAMES:
        bench = quiet_bench()
        game = eventful(bench, name, limit=25)
        file = folder / f"{name}.html"
        file.write_bytes(
            export_bytes(bench, game, "html", RenderOptions(names={"pana": HOSTILE[:40]}))
        )
        made[name] = (game, file)
    return made


class Watched:
    """A page, and everything it does that it should not."""

    def __init__(self, browser: Any, **device: Any) -> None:
        self.context = browser.new_context(**device)
        self.page = self.context.new_page()
        self.troubles: list[str] = []
        self.page.on("console", lambda message: self.troubles.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: self.troubles.append(f"dialog: {dialog.message}"))
        self.page.on("request", lambda request: self._asked(request.url))

    def _asked(self, url: str) -> None:
        if not url.startswith(("file:", "data:", "blob:")):
            self.troubles.append(f"request: {url}")

    def open(self, file: Path, fragment: str = "") -> Any:
        self.page.goto(file.as_uri() + fragment)
        self.page.wait_for_selector("body[data-ready]", timeout=30_000)
        return self.page

    def close(self) -> None:
        self.context.close()
        assert self.troubles == []


def shown(page: Any) -> str:
    told: str = page.inner_text("#now .said")
    return told


def expected(game: Game) -> list[str]:
    return [f"#{step.number}" if step.number is not None else "" for step in game.steps]


@pytest.mark.parametrize("name", first(1, reversed(GAMES)))
def test_a_whole_game_is_stepped_by_keys(
    browser: Any, pages: dict[str, tuple[Game, Path]], name: str
) -> None:
    game, file = pages[name]
    watched = Watched(browser)
    page = watched.open(file)
    for step, label in zip(game.steps, expected(game), strict=True):
        told = shown(page)
        assert told.startswith(label), (told, label)
        if step.action is not None:
            notation = game.engine.text(step.action).split()
            assert notation in [
                line.split() for line in page.locator("#now p.soft").all_inner_texts()
            ]
        assert page.locator("#board > svg > title").count() == 1
        page.keyboard.press("ArrowRight")
    assert shown(page).startswith(expected(game)[-1])
    page.keyboard.press("Home")
    assert shown(page).startswith("#0")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert shown(page).startswith(expected(game)[-2])
    watched.close()


@pytest.mark.deep
def test_a_whole_game_is_stepped_by_touch(
    browser: Any, pages: dict[str, tuple[Game, Path]]
) -> None:
    game, file = pages["benevolent"]
    watched = Watched(browser, **PHONE)
    page = watched.open(file)
    for label in expected(game)[1:]:
        page.tap("[data-go=next]")
        assert shown(page).startswith(label)
    _swipe(page, 60)
    assert shown(page).startswith(expected(game)[-2])
    _swipe(page, -60)
    assert shown(page).startswith(expected(game)[-1])
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wide, "the page scrolls sideways on a phone"
    watched.close()


def _swipe(page: Any, by: int) -> None:
    """A finger on the picture, through the same door as a real one."""
    session = page.context.new_cdp_session(page)
    page.evaluate("scrollTo(0, 0)")
    box = page.locator("#board").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 60
    for kind, place in (("touchStart", x), ("touchMove", x + by / 2), ("touchMove", x + by)):
        point = [{"x": place, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": point})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_notes_are_shown_and_hostile_words_stay_words(
    browser: Any, pages: dict[str, tuple[Game, Path]]
) -> None:
    game, file = pages["benevolent"]
    noted = next(iter(game.notes.values()))
    watched = Watched(browser)
    page = watched.open(file, f"#{noted.number}")
    assert shown(page).startswith(f"#{noted.number}")
    assert page.locator("#now .note p").first.text_content() == f"n1 ? {HOSTILE}"
    assert page.locator("#title").text_content().startswith(HOSTILE)
    page.click("#about-head")
    assert HOSTILE[:40] in page.text_content("#tags")
    assert page.locator("img").count() == 0
    gone = page.locator("#moves li.gone").all_text_contents()
    assert [line.split()[-1] for line in gone] == ["corrected", "undone"]
    watched.close()


def test_the_slider_the_list_the_links_and_both_languages(
    browser: Any, pages: dict[str, tuple[Game, Path]]
) -> None:
    game, file = pages["broom_service"]
    watched = Watched(browser, color_scheme="dark")
    page = watched.open(file, "#7")
    assert shown(page).startswith("#7 ")
    page.locator("#moment").evaluate("(s) => { s.value = 3; s.dispatchEvent(new Event('input')) }")
    assert shown(page).startswith(expected(game)[3])
    assert page.url.endswith(expected(game)[3])
    page.click('#moves button[data-step="5"]')
    assert shown(page).startswith(expected(game)[5])
    before = page.inner_text("#words-head")
    page.click("#language")
    assert page.inner_text("#words-head") != before
    assert page.get_attribute("html", "lang") == "fr"
    assert shown(page).startswith(expected(game)[5])
    page.emulate_media(media="print")
    assert not page.locator("#controls").is_visible()
    watched.close()


def test_a_link_opens_what_was_taken_back_and_says_so(
    browser: Any, pages: dict[str, tuple[Game, Path]]
) -> None:
    game, file = pages["roundforest"]
    line = next(one for one in history(game) if one.status == "taken_back")
    watched = Watched(browser)
    page = watched.open(file, f"#{line.number}")
    assert shown(page).startswith(f"#{line.number} ")
    assert page.inner_text("#now .fate") == "Does not count: undone"
    assert "Does not count" in page.text_content("#board > svg > title")
    page.click("#why-head")
    assert page.locator("#asked p").count() > 0
    page.keyboard.press("ArrowLeft")
    assert page.locator("#now .fate").count() == 0
    page.click("#moves li.gone button")
    assert page.locator("#now .fate").count() == 1
    page.click("#language")
    assert page.inner_text("#now .fate").startswith("Ne compte pas")
    watched.close()


@pytest.mark.deep
def test_the_table_lies_as_the_screen_does(
    browser: Any, pages: dict[str, tuple[Game, Path]]
) -> None:
    _, file = pages["broom_service"]
    for device, shape in (({"viewport": {"width": 1280, "height": 800}}, "wide"), (PHONE, "tall")):
        watched = Watched(browser, **device)
        page = watched.open(file)
        assert page.get_attribute("#board", "data-lies") == shape
        size = page.get_attribute("#board > svg", f"data-{shape}")
        assert page.get_attribute("#board > svg", "viewBox") == f"0 0 {size}"
        watched.close()
    watched = Watched(browser, viewport={"width": 1280, "height": 800})
    page = watched.open(file)
    bottom = page.locator("#controls").bounding_box()
    assert bottom["y"] + bottom["height"] <= 800, "the table and its controls need no scrolling"
    narrow = page.locator("#board > svg").bounding_box()["width"]
    page.keyboard.press("f")
    assert page.locator("#board > svg").bounding_box()["width"] > narrow
    page.set_viewport_size({"width": 500, "height": 900})
    page.wait_for_selector("#board[data-lies=tall]")
    watched.close()


@pytest.mark.deep
def test_the_game_plays_itself_to_its_end(
    browser: Any, pages: dict[str, tuple[Game, Path]]
) -> None:
    game, file = pages["benevolent"]
    watched = Watched(browser)
    page = watched.open(file, f"#{game.steps[-3].number}")
    page.select_option(".stepping select", "4")
    page.click("[data-go=play]")
    page.wait_for_selector("[data-go=last][aria-pressed=true]")
    page.wait_for_selector("[data-go=play][title=Play]")
    assert shown(page).startswith(expected(game)[-1])
    assert page.text_content("#live").startswith(expected(game)[-1])
    watched.close()


def test_a_variation_is_walked_and_left(browser: Any, tmp_path: Path) -> None:
    bench = quiet_bench()
    game = recorded(bench, "roundforest", limit=40)
    number = next(n for n in reversed(game.numbers()) if len(choices(game, n)) > 1)
    played = game.engine.text(acted(game, number))
    instead = next(line for line in choices(game, number) if line != played)
    annotate(bench, game.id, number, Annotation("or so", instead=(instead,)), by=By(SCRIBE))
    file = tmp_path / "walked.html"
    file.write_bytes(export_bytes(bench, bench.game(game.id), "html", RenderOptions()))
    watched = Watched(browser)
    page = watched.open(file, f"#{number}")
    page.click("#now .note button")
    assert page.inner_text("#now .fate").startswith("Variation n1")
    told = game.engine.text.tell_line(instead, "en")
    assert shown(page).endswith(told)
    assert page.url.endswith("#n1.1")
    page.keyboard.press("Escape")
    assert page.locator("#now .fate").count() == 0
    assert shown(page).endswith(said(game, number))
    page = watched.open(file, "#n1.1")
    assert shown(page).endswith(told)
    page.keyboard.press("ArrowRight")
    assert page.locator("#now .fate").count() == 0, "behind its last step is the game"
    undo(bench, game.id, sum(n >= number for n in game.numbers()), reason="wrong tile")
    later = tmp_path / "taken_back.html"
    later.write_bytes(export_bytes(bench, bench.game(game.id), "html", RenderOptions()))
    page = watched.open(later, "#n1.1")
    assert shown(page).endswith(told), "also beside an action that no longer counts"
    page.click("#now > button")
    assert page.url.endswith(f"#{number}")
    assert shown(page).endswith(said(game, number))
    assert page.inner_text("#now .fate") == "Does not count: undone"
    page.fill("#find", "or so")
    page.click("#found button")
    assert page.url.endswith(f"#{number}")
    watched.close()


def choices(game: Game, number: int) -> list[str]:
    """What could have been said instead of an action."""
    before = game.before(number)
    return [game.engine.text(one) for one in game.engine.options(before.setting, before.state)]


def acted(game: Game, number: int) -> Action:
    action = game.step(number).action
    assert action is not None
    return action


def said(game: Game, number: int) -> str:
    return game.engine.text.tell(acted(game, number), "en")


def test_the_list_is_grouped_and_names_who_plays(
    browser: Any, pages: dict[str, tuple[Game, Path]]
) -> None:
    _, file = pages["benevolent"]
    watched = Watched(browser)
    page = watched.open(file)
    turns = page.locator("#moves li.turn").all_text_contents()
    assert len(turns) > 2
    assert f"A {HOSTILE[:40]}" in turns
    assert all(one != other for one, other in pairwise(turns))
    watched.close()


def test_notes_are_found_whatever_their_accents(
    browser: Any, pages: dict[str, tuple[Game, Path]]
) -> None:
    game, file = pages["benevolent"]
    watched = Watched(browser)
    page = watched.open(file)
    page.fill("#find", "LÓOK")
    (found,) = page.locator("#found button").all()
    found.click()
    note = next(one for one in game.notes.values() if one.text == "look")
    assert shown(page).startswith(f"#{note.number} ")
    page.fill("#find", "nothing like it")
    assert page.locator("#found button").count() == 0
    watched.close()


def test_what_happened_around_the_moves_has_its_own_link(
    browser: Any, pages: dict[str, tuple[Game, Path]]
) -> None:
    game, file = pages["benevolent"]
    (held,) = [entry.seq for entry in game.entries if entry.data.KIND == "held"]
    watched = Watched(browser)
    page = watched.open(file, f"#e{held}")
    assert "lunch" in page.inner_text("#moves li[aria-current]")
    watched.close()


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_for_people_with_other_senses(
    browser: Any, pages: dict[str, tuple[Game, Path]], axe: str, scheme: str
) -> None:
    game, file = pages["benevolent"]
    context = browser.new_context(bypass_csp=True, color_scheme=scheme)
    page = context.new_page()
    page.goto(file.as_uri() + f"#{next(iter(game.notes.values())).number}")
    page.wait_for_selector("body[data-ready]")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    assert violations(page, axe) == []
    context.close()
