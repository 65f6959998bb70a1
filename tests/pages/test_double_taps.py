"""One tap, one move: a finger that taps twice at the same point logs what it meant, once.

The server is slow here, so that second taps fall before the answer, between it and the new
options, within the moment in which those take no tap, and after it. Which of these it was is told
by the page's own clock, not by how fast the test is.
"""

from __future__ import annotations

from typing import Any

import pytest

from replays.gallery import sample, samples
from tests.pages.club import PHONE, TABLET, Club, ready
from tests.pages.player import data_of, logged, narrowed, settled, takes_taps
from tools.measure.bench.bench_taps import LAID_BEFORE_PLAY

GAPS = (40, 80, 120, 180, 250, 300, 450, 600)
"""Milliseconds between the two taps."""
DEAD_TIME = 300
"""As long as options that have just appeared take no tap: as ``static/taps.js`` has it."""
CLOCKS = 1
"""A timer and the clock of a browser differ by so much at most."""
SLOW = """
const promptly = window.fetch;
window.fetch = async (address, ...more) => {
  const path = new URL(address, location.href).pathname;
  if (path.endsWith("/actions") || !path.startsWith("/api/")) await new Promise((go) => setTimeout(go, 150));
  return promptly(address, ...more);
};
const lines = () => JSON.stringify(JSON.parse(document.getElementById("data").textContent).lines);
window.seen = { taps: [], refreshes: [] };
addEventListener("click", ({ detail, target }) => {
  if (!detail) return;
  const tap = { at: performance.now(), lines: lines(), heldUp: target.closest("#taps, #verdict, #board svg") !== null && !target.closest("summary, a") };
  window.seen.taps.push(tap);
  setTimeout(() => { tap.sign = document.getElementById("dropped").textContent; });
}, true);
document.addEventListener("refreshed", () => window.seen.refreshes.push({ at: performance.now(), lines: lines() }));
"""  # noqa: E501
"""Answers to lines and pages come late; when was tapped, and when new options came, is kept."""


def begun(club: Club, engine: str) -> tuple[str, str]:
    """A table of the sample game where play begins, and its next line."""
    recorded = sample(engine)
    opening, *lines = [recorded.engine.text(s.action) for s in recorded.steps if s.action]
    laid = LAID_BEFORE_PLAY[engine] | {"event", "cursed", "hand"}
    played = next(at for at, line in enumerate(lines) if not laid & set(line.split()[:2]))
    seats = {seat: f"Player {seat}" for seat in recorded.setting.seats}
    game = club.table(engine, opening.removeprefix("table "), lines[:played], **seats)
    return game, lines[played]


def tapped_twice(club: Club, page: Any, game: str, line: str, gap: int) -> None:
    """The last tap of a line is a double one: what the record and the page say afterwards."""
    before = club.store_context.bench.game(game).version
    assert line in data_of(page)["lines"]
    button, _ = narrowed(page, line)
    takes_taps(page)
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.evaluate("window.seen.taps.length = window.seen.refreshes.length = 0")
    page.touchscreen.tap(*at)
    page.wait_for_timeout(gap)
    page.touchscreen.tap(*at)
    logged(page, before + 1)
    settled(page)
    seen = page.evaluate("window.seen")
    recorded = club.store_context.bench.game(game)
    assert club.lines(game)[-1 - (recorded.version - before - 1)] == line
    assert page.locator("#verdict.bad").count() == 0
    check_second(seen, counted=recorded.version > before + 1)


def check_second(seen: Any, counted: bool) -> None:
    """The second tap counts only on options that were there long enough; one that came while the
    line was on its way is told to be dropped."""
    if len(seen["taps"]) < 2:
        assert not counted, "what is no tap to the browser is none to the record"
        return
    first, second = seen["taps"]
    shown = [each for each in seen["refreshes"] if each["at"] <= second["at"]]
    if not shown:
        assert not counted
        assert bool(second["sign"]) == second["heldUp"]
    elif counted and shown[-1]["lines"] != first["lines"]:
        assert second["at"] - shown[0]["at"] >= DEAD_TIME - CLOCKS


@pytest.mark.parametrize(
    "engine",
    [
        pytest.param(engine, marks=[] if engine == "benevolent" else pytest.mark.deep)
        for engine in samples()
    ],
)
def test_a_double_tap_on_the_tablet_is_one_move(club: Club, devices: Any, engine: str) -> None:
    device = devices("organiser", **TABLET)
    device.context.add_init_script(SLOW)
    for gap in GAPS:
        game, line = begun(club, engine)
        tapped_twice(club, ready(device.open(f"/games/{game}")), game, line, gap)


@pytest.mark.deep
def test_a_double_tap_on_a_phone_is_one_move(club: Club, devices: Any) -> None:
    for gap in GAPS:
        game, line = begun(club, "benevolent")
        device = devices(f"seat:{line[0]}", game, locale="fr-FR", **PHONE)
        device.context.add_init_script(SLOW)
        tapped_twice(club, ready(device.open(f"/games/{game}/seat")), game, line, gap)
