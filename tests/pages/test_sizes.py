"""The play pages on every screen: nothing beyond its edge, labels that can be read, targets that
can be tapped, and the board in sight above what is to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from answers.admin import access
from answers.context import Caller
from answers.play.actions import log
from replays.gallery import sample
from tests.deep import first
from tests.pages.club import Club, Device, open_club, ready

pytestmark = pytest.mark.xdist_group("pages sizes")
GAMES = ("broom_service", "benevolent", "roundforest", "bethel_woods", "bloody_grove")
SCREENS = {
    "phone 360": {"viewport": {"width": 360, "height": 640}, "is_mobile": True},
    "phone 390": {"viewport": {"width": 390, "height": 844}, "is_mobile": True},
    "tablet upright": {"viewport": {"width": 820, "height": 1180}},
    "tablet": {"viewport": {"width": 1180, "height": 820}},
    "desk": {"viewport": {"width": 1440, "height": 900}},
    "desk at 200 %": {"viewport": {"width": 720, "height": 450}, "device_scale_factor": 2},
}
LINES_APART = """all => all.map((label) =>
  label.querySelector("tspan + tspan").getAttribute("dy") / label.getAttribute("font-size"))"""
PHONES = ("phone 360", "phone 390")
HEADER = 64

MEASURED = (Path(__file__).parent / "measured.js").read_text("utf-8")


@dataclass(frozen=True)
class Tables:
    """A game of every kind in its middle."""

    club: Club
    games: dict[str, str]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    with open_club(tmp_path_factory.mktemp("sizes")) as club:
        yield Tables(club, {engine: _in_the_middle(club, engine) for engine in GAMES})


def _in_the_middle(club: Club, engine: str) -> str:
    recorded = sample(engine)
    opening, *steps = [step for step in recorded.steps if step.action is not None]
    names = dict(
        zip(recorded.setting.seats, ("Ana", "Éléonore", "Cléo", "Dominique"), strict=False)
    )
    line = recorded.engine.text(opening.action).removeprefix("table ")
    game = club.table(engine, line, [], **names)
    scribe = Caller(club.store_context)
    for step in steps[: len(steps) * 9 // 20]:
        log(scribe, game, [recorded.engine.text(step.action)], stands=step.item.stands)
    access.set_rules(scribe, game, open_to="everybody")
    return game


def measured(page: Any) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(MEASURED)
    return found


KINDS = {"table": "", "seat:A": "/seat", "spectator": "/watch"}
SEEN = [
    ("phone 360", "fr", "table"),
    ("tablet", "fr", "table"),
    ("desk at 200 %", "en", "seat:A"),
    *(each for each in product(SCREENS, ("fr", "en"), KINDS)),
]


@pytest.mark.parametrize(("screen", "lang", "kind"), first(3, dict.fromkeys(SEEN)))
def test_every_game_is_legible_and_in_reach_on_every_screen(
    browser: Any, tables: Tables, screen: str, lang: str, kind: str
) -> None:
    place = KINDS[kind]
    troubles = {}
    for engine, game in tables.games.items():
        look = {**SCREENS[screen], "locale": lang, "has_touch": True, "reduced_motion": "reduce"}
        device = Device(browser, tables.club, kind, game, **look)
        ready(device.open(f"/games/{game}{place}"))  # now the server knows the shape of this screen
        page = ready(device.open(f"/games/{game}{place}"))
        troubles[engine] = _troubles(page, screen)
        device.close()
    assert troubles == {engine: [] for engine in GAMES}


def _small(seen: dict[str, Any]) -> bool:
    return bool(seen["illegible"] or seen["crowded"])


def _troubles(page: Any, screen: str) -> list[str]:
    seen = measured(page)
    found = [f"{seen['wide']} px too wide"] * (seen["wide"] > 0)
    found += [f"the header is {seen['header']} px high"] * (seen["header"] > HEADER)
    found += [f"the board has {seen['board']:.2f} of the height"] * (seen["board"] < 0.4)
    wide = (0.6 if screen in ("tablet", "desk") else 0.97) <= seen["across"] <= 1
    found += [f"the board has {seen['across']:.2f} of the width"] * (not wide)
    found += ["whose turn it is cannot be seen"] * (not seen["next"])
    found += ["something else stands above the board"] * (not seen["space"])
    found += ["buttons lie over the board"] * (seen["over"] > 0)
    found += [f"runs out of the picture: {each}" for each in seen["cut"]]
    found += [f"no finger: {each}" for each in seen["fingers"]]
    found += [f"too small: {each}" for each in seen["targets"]]
    if screen in PHONES:  # there one enlarges first
        while _small(seen) and page.locator("[data-enlarge=more]").is_enabled():
            page.click("[data-enlarge=more]")
            seen = measured(page)
        found += [f"{seen['wide']} px too wide, enlarged"] * (seen["wide"] > 0)
    found += [f"illegible: {each}" for each in seen["illegible"]]
    found += [f"too near to another: {each}" for each in seen["crowded"]]
    return found


WITHIN_ITS_ROW = """chips => {
  const row = chips[0]?.closest(".seats").getBoundingClientRect();
  return chips.every((chip) => chip.getBoundingClientRect().right <= row.right + 1);
}"""


@pytest.mark.parametrize("kind", KINDS)
def test_two_players_are_seen_and_many_scrolled_within_the_header(
    browser: Any, tables: Tables, kind: str
) -> None:
    """What is only read aloud has its place in their row too, and makes no page wider."""
    long = "Marie-Françoise de la Tour d’Auvergne"
    people = long, "Jean-Christophe Vandenbroucke", "Bo", long
    open_to_all = Caller(tables.club.store_context)
    apart = []
    for name, seats, opening in (
        ("bethel_woods", "ABCD", "A B C D first A"),  # all are to act
        ("benevolent", "ABCD", "A=blue B=red C=yellow D=green first A"),
        ("benevolent", "AB", "A=blue B=red first A"),
    ):
        seated = dict(zip(seats, people, strict=False))
        game = tables.club.table(name, opening, [], **seated)
        access.set_rules(open_to_all, game, open_to="everybody")
        for screen in SCREENS:
            device = Device(browser, tables.club, kind, game, **SCREENS[screen])
            page = ready(device.open(f"/games/{game}{KINDS[kind]}"))
            assert measured(page)["wide"] == 0
            if len(seats) == 2:
                assert page.eval_on_selector_all(".seats li", WITHIN_ITS_ROW), screen
            apart += page.eval_on_selector_all("#board text:has(tspan + tspan)", LINES_APART)
            device.close()
    assert apart, "a long name stands in two lines"
    assert min(apart) >= 1, "and is not written larger than they have room for"


def test_zooming_the_page_makes_the_board_larger(browser: Any, tables: Tables) -> None:
    """At 200 % the screen has half as many CSS pixels, each twice as large."""
    for game in tables.games.values():
        widths = []
        for screen, zoom in (("desk", 1), ("desk at 200 %", 2)):
            device = Device(browser, tables.club, "table", game, **SCREENS[screen])
            page = ready(device.open(f"/games/{game}"))
            scale = page.evaluate("document.querySelector('#board svg').getScreenCTM().a")
            widths.append(scale * zoom)
            device.close()
        assert widths[1] > widths[0]


BESIDE = """() => {
  for (const part of document.querySelectorAll("#board [role=button]")) {
    const { left, right, top, height } = part.getBoundingClientRect();
    for (const x of [right + 12, left - 12]) {
      const hit = document.elementFromPoint(x, top + height / 2);
      if (hit?.closest("#board svg") && !hit.closest(".lit")) return { x, y: top + height / 2 };
    }
  }
}"""
"""A place on the board 12 px beside something that can be tapped."""


def test_a_finger_beside_a_small_piece_means_it(browser: Any, tables: Tables) -> None:
    """What is lit is tapped within 22 px of it: a finger is wider than a pawn."""
    game = tables.games["bethel_woods"]
    device = Device(
        browser, tables.club, "table", game, **SCREENS["tablet upright"], has_touch=True
    )
    page = ready(device.open(f"/games/{game}"))
    beside = page.evaluate(BESIDE)
    page.mouse.click(beside["x"], beside["y"])
    assert page.locator("#taps .tapped, #taps .chosen").count() > 0
    device.close()


def test_two_fingers_and_a_double_tap_enlarge_the_board(browser: Any, tables: Tables) -> None:
    game = tables.games["broom_service"]
    device = Device(browser, tables.club, "spectator", game, **SCREENS["phone 360"], has_touch=True)
    page = ready(device.open(f"/games/{game}/watch"))
    width = "document.querySelector('#board svg').getBoundingClientRect().width"
    before = page.evaluate(width)
    page.locator("#pane").dblclick(position={"x": 180, "y": 20})
    enlarged = page.evaluate(width)
    assert enlarged > 2 * before
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#pane").dblclick(position={"x": 180, "y": 20})
    assert page.evaluate(width) == before
    fingers = device.context.new_cdp_session(page)
    for kind, apart in (("touchStart", 20), ("touchMove", 40), ("touchMove", 60)):
        points = [{"x": 180 + side * apart, "y": 150} for side in (-1, 1)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert page.evaluate(width) > 2 * before
    device.close()
