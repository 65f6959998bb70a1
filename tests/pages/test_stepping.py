"""Stepping is the same wherever a game is looked at: watched, studied, or opened as a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from replays.exports.render_options import RenderOptions
from replays.exports.stepping import rounds_of
from replays.formats import export_bytes
from tests.pages.club import DESK, PHONE, Club, Device, violations, waits
from tests.pages.scenes import sample_lines

pytestmark = pytest.mark.xdist_group("pages stepping")
PLACES = ("watch", "study", "export")
START = 12


@pytest.fixture
def tables(club: Club) -> dict[str, str]:
    """A game with rounds and points, and one without either."""
    made = {}
    for name, count in (("broom_service", 50), ("benevolent", 6)):
        opening, lines = sample_lines(name)
        made[name] = club.table(name, opening, lines[:count], A="Ana", B="Bo")
    return made


class Looking:
    """A page at which a game is stepped through."""

    def __init__(self, page: Any, address: str) -> None:
        self.page, self.address = page, address

    def open(self, moment: str) -> None:
        self.page.goto("about:blank")
        self.page.goto(self.address + moment)
        self.page.wait_for_selector("body[data-ready]")

    def shows(self, number: int, last: int) -> None:
        """The slider, and the log or the address, agree on the moment."""
        waits(
            self.page,
            """([number, last]) => {
              const slider = document.getElementById("moment");
              const end = slider.value === slider.max;
              const told = /#([0-9]+)/.exec(location.hash) ?? /at=([0-9]+)/.exec(location.search);
              return told ? Number(told[1]) === number : end && number === last;
            }""",
            arg=[number, last],
        )

    def put(self, place: int) -> None:
        """The slider is moved there."""
        self.page.evaluate(
            """(place) => {
              const slider = document.getElementById("moment");
              slider.value = String(place);
              slider.dispatchEvent(new Event("input"));
            }""",
            place,
        )

    def state(self) -> dict[str, Any]:
        """What the bar is made of, by its names."""
        state: dict[str, Any] = self.page.evaluate(
            """() => ({
              buttons: Array.from(document.querySelectorAll(".stepping [data-go]"),
                (one) => [one.dataset.go, one.getAttribute("aria-label"), one.hidden]),
              slider: document.getElementById("moment").max,
              speeds: Array.from(document.querySelectorAll(".stepping option"), (one) => one.value),
              chart: document.querySelector("#chart svg")?.getAttribute("aria-label") ?? null,
              curves: Array.from(document.querySelectorAll("#chart polyline"),
                (one) => one.getAttribute("points")),
              rounds: Array.from(document.querySelectorAll("#chart [data-round]"),
                (one) => one.dataset.round),
            })"""
        )
        return state


@pytest.fixture
def looking(
    browser: Any,
    club: Club,
    devices: Callable[..., Device],
    tables: dict[str, str],
    tmp_path: Path,
) -> Iterator[Callable[..., Looking]]:
    contexts: list[Any] = []

    def opened(place: str, name: str, **kind: Any) -> Looking:
        game, kind = tables[name], {**DESK, **kind}
        if place != "export":
            return Looking(devices("judge", **kind).page, f"{club.url}/games/{game}/{place}")
        found = club.store_context.bench.game(game)
        people = club.store_context.people
        names = {person: people.name(person) or person for person in found.seats.values()}
        file = tmp_path / f"{name}.html"
        made = export_bytes(club.store_context.bench, found, "html", RenderOptions(names=names))
        file.write_bytes(made)
        contexts.append(browser.new_context(**kind))
        return Looking(contexts[-1].new_page(), file.as_uri())

    yield opened
    for context in contexts:
        context.close()


def moments(club: Club, game: str) -> Iterator[tuple[int, str | None, int | None]]:
    """Number, seat and round of each step, as the record has them."""
    found = club.store_context.bench.game(game)
    rounds = rounds_of(found)
    for step in found.steps:
        seat = step.action.by if step.action is not None else None
        yield step.number or 0, seat if step.number else None, rounds.get(step.number or 0)


def begins(steps: list[tuple[int, str | None, int | None]], what: int) -> list[int]:
    return [
        0,
        *(after[0] for before, after in pairwise(steps) if before[what] != after[what]),
    ]


def test_the_bar_and_the_chart_are_the_same_on_all(
    looking: Callable[..., Looking], tables: dict[str, str]
) -> None:
    for name in tables:
        states = []
        for place in PLACES:
            there = looking(place, name)
            there.open("?at=5")
            states.append(there.state())
        assert states[0] == states[1] == states[2], name
        assert bool(states[0]["curves"]) == (name == "broom_service")
        assert all(label for _, label, _ in states[0]["buttons"])


@pytest.mark.parametrize("place", PLACES)
def test_every_way_to_step_leads_to_the_same_moment(
    club: Club, looking: Callable[..., Looking], tables: dict[str, str], place: str
) -> None:
    """A table: what is done, and the moment to which it leads from #12."""
    steps = [*moments(club, tables["broom_service"])]
    numbers = [number for number, _, _ in steps]
    last = numbers[-1]
    turns, rounds = begins(steps, 1), begins(steps, 2)

    def after(some: list[int]) -> int:
        return next(number for number in some if number > START)

    def before(some: list[int]) -> int:
        return next(number for number in reversed(some) if number < START)

    def press(key: str) -> None:
        there.page.evaluate("document.activeElement?.blur()")
        there.page.keyboard.press(key)

    ways: list[tuple[str, str, int]] = [
        ("first", "Home", 0),
        ("back", "ArrowLeft", START - 1),
        ("next", "ArrowRight", START + 1),
        ("last", "End", last),
        ("turn_back", "Shift+ArrowLeft", before(turns)),
        ("turn_on", "Shift+ArrowRight", after(turns)),
        ("round_back", "Shift+ArrowUp", before(rounds)),
        ("round_on", "Shift+ArrowDown", after(rounds)),
    ]
    there = looking(place, "broom_service")
    for address in (f"?at={START}", f"#{START}"):
        there.open(address)
        there.shows(START, last)
    for button, key, number in ways:
        there.put(numbers.index(START))
        there.shows(START, last)
        there.page.click(f"[data-go={button}]")
        there.shows(number, last)
        there.put(numbers.index(START))
        there.shows(START, last)
        press(key)
        there.shows(number, last)


@pytest.mark.parametrize("place", PLACES)
def test_a_game_plays_itself_and_chart_rounds_and_slider_lead_to_a_moment(
    club: Club, looking: Callable[..., Looking], tables: dict[str, str], place: str
) -> None:
    steps = [*moments(club, tables["broom_service"])]
    last = steps[-1][0]
    there = looking(place, "broom_service")
    there.open(f"?at={START}")
    there.page.select_option(".stepping select", "4")
    there.page.evaluate("document.activeElement?.blur()")
    there.page.keyboard.press("Space")
    there.shows(START + 1, last)
    there.page.keyboard.press("Space")
    second = next(number for number, _, round in steps if round == 2)
    there.page.click("#chart [data-round='2']")
    there.shows(second, last)
    box = there.page.locator("#chart svg").bounding_box()
    there.page.mouse.click(box["x"] + box["width"] * (4 + 300) / 750, box["y"] + box["height"] / 2)
    there.shows(steps[round((len(steps) - 1) / 2)][0], last)
    there.put(7)
    there.shows(steps[7][0], last)


@pytest.mark.deep
@pytest.mark.parametrize("place", PLACES)
def test_the_bar_fits_a_phone_and_is_sound(
    looking: Callable[..., Looking], axe: str, place: str
) -> None:
    for lang in ("en", "fr"):
        there = looking(place, "broom_service", bypass_csp=True, locale=lang, **PHONE)
        there.open("?at=5")
        assert there.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert violations(there.page, axe) == []
