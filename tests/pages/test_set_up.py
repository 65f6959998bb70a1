"""A table is laid out by tapping pictures: few taps, a step back, tiles turned on the board."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

import pytest

from replays.gallery import sample
from tests.pages.club import PHONE, TABLET, Club, ready
from tests.pages.player import SPOT, logged, say_line, takes_taps, tap_part
from tests.pages.tapping import strokes
from tools.measure.bench.bench_taps import LAID_BEFORE_PLAY, SET_UP

TALL = {**PHONE, "viewport": {"width": 390, "height": 844}}
ROUNDFOREST = "A=red@a1 B=blue@e5 first A"
BROOM = "A=red B=blue first A side front"


def opened(devices: Any, game: str, **kind: Any) -> Any:
    return ready(devices("scribe", game, **kind).open(f"/games/{game}"))


@pytest.mark.deep
@pytest.mark.parametrize("kind", [TABLET, TALL], ids=["tablet", "phone"])
@pytest.mark.parametrize("engine", SET_UP)
def test_a_set_up_takes_few_taps(club: Club, devices: Any, engine: str, kind: Any) -> None:
    """As in the sample game, with no phone; each third tile lies turned."""
    recorded = sample(engine)
    opening, *lines = [recorded.engine.text(s.action) for s in recorded.steps if s.action]
    game = club.table(engine, opening.removeprefix("table "), [])
    page = opened(devices, game, **kind)
    lines = [
        " ".join([*line.split()[:-1], "nesw"[place % 4]])
        if line.startswith("tile ") and engine == "roundforest"
        else line
        for place, line in enumerate(takewhile(lambda line: is_laid(engine, line), lines))
    ]
    taps, left = 0, lines
    while left:
        said, cost = say_first(page, left)
        taps += cost
        left = [line for line in left if line not in said]
        logged(page, len(lines) - len(left))
    assert sorted(club.lines(game)) == sorted(lines)
    print(f"{engine}: set-up {taps} taps for {len(lines)} actions")
    assert taps <= SET_UP[engine]


def is_laid(engine: str, line: str) -> bool:
    seat, *rest = line.split()
    return (rest[0] if len(seat) == 1 else seat) in LAID_BEFORE_PLAY[engine]


def say_first(page: Any, lines: list[str]) -> tuple[list[str], int]:
    """The next of some lines, and those that the same tap or stroke says; how many taps."""
    for_all = page.locator(f'#taps [data-line^="{lines[0]}; "]')
    if for_all.count():
        said = for_all.get_attribute("data-line").split("; ")
        for_all.click()
        return said, 1
    verb = lines[0].split()[0]
    if page.locator(f'#trays .tray.painted[open][data-verb="{verb}"]').count():
        run = [*takewhile(lambda line: line.startswith(f"{verb} "), lines)]
        spots = {place: page.evaluate(SPOT, [place, ""]) for _, place, _ in map(str.split, run)}
        if all(spots.values()):
            longest = max(strokes(run, spots), key=len)
            if len(longest) > 1:
                draw(page, longest[0].split()[2], [spots[line.split()[1]] for line in longest])
                return longest, 1
    return [lines[0]], say_line(page, lines[0])


def draw(page: Any, thing: str, way: list[Any]) -> None:
    """A finger goes from a thing of a tray over its places."""
    takes_taps(page)
    box = page.locator(f"[data-thing={thing}]").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(*way[0])
    for spot in way[1:]:
        page.mouse.move(*spot, steps=8)
    page.mouse.up()


def test_what_is_chosen_leaves_the_offer_and_comes_back_by_a_step_back(
    club: Club, devices: Any
) -> None:
    game = club.table("benevolent", "A=blue B=red first A", [])
    page = opened(devices, game, **PHONE)
    page.click("[data-thing=S1A]")
    assert not page.locator("[data-thing=S1A]").is_visible()
    assert not page.locator("[data-thing=S1B]").is_visible(), "it is the same tile"
    page.click("[data-do=step-back]")
    assert page.locator("[data-thing=S1A]").is_visible()
    page.click("[data-thing=S1B]")
    page.click("[data-thing=S2A]")
    logged(page, 1)
    assert club.lines(game) == ["forest S1B S2A"]
    page.click("[data-thing=sale]")
    assert page.locator(".chosen-things li").count() == 1


def test_another_place_is_tapped_first_and_a_logged_thing_is_taken_back(
    club: Club, devices: Any
) -> None:
    game = club.table("broom_service", BROOM, [])
    page = opened(devices, game, **TABLET)
    tap_part(page, "c05")
    page.click("[data-thing=h22]")
    logged(page, 1)
    page.click("[data-thing=h10]")
    logged(page, 2)
    assert club.lines(game) == ["cloud c05 h22", "cloud c01 h10"]
    page.click("[data-do=step-back]")
    logged(page, 3)
    assert club.lines(game) == ["cloud c05 h22"]


def test_quick_taps_lay_one_thing_after_the_other(club: Club, devices: Any) -> None:
    """Nobody waits for the page between two clouds."""
    game = club.table("broom_service", BROOM, [])
    page = opened(devices, game, **TABLET)
    for cloud in ("h10", "h11", "h10", "h33"):
        page.click(f"[data-thing={cloud}]")
    assert not page.locator("[data-thing=h10]").is_visible(), "there were two of them"
    logged(page, 4)
    assert club.lines(game) == ["cloud c01 h10", "cloud c02 h11", "cloud c03 h10", "cloud c04 h33"]


@pytest.mark.parametrize("kind", [TABLET, PHONE], ids=["tablet", "phone"])
def test_a_row_of_clouds_is_laid_in_one_gesture(club: Club, devices: Any, kind: Any) -> None:
    """A finger draws a cloud over its places; more than there are do not come of it."""
    game = club.table("broom_service", BROOM, [])
    page = opened(devices, game, **kind)
    cloud = page.locator("[data-thing=h10]").bounding_box()
    page.mouse.move(cloud["x"] + cloud["width"] / 2, cloud["y"] + cloud["height"] / 2)
    page.mouse.down()
    # Whatever lies between the trays and the first place on a small screen is not drawn over.
    for place, steps in (("c03", 1), ("c04", 8), ("c16", 8)):
        page.mouse.move(*page.evaluate(SPOT, [place, ""]), steps=steps)
    page.mouse.up()
    logged(page, 2)
    assert club.lines(game) == ["cloud c03 h10", "cloud c04 h10"]
    page.click("[data-thing=h11]")
    logged(page, 3)
    assert club.lines(game)[-1] == "cloud c01 h11"


def test_a_tile_is_tapped_and_turned(club: Club, devices: Any) -> None:
    game = club.table("roundforest", ROUNDFOREST, [])
    page = opened(devices, game, **TABLET)
    page.click("[data-turn=e]")
    page.click("[data-thing=F03]")
    logged(page, 1)
    assert club.lines(game) == ["tile b1 F03 e"]
    tap_part(page, "b1")
    logged(page, 2)
    assert club.lines(game) == ["tile b1 F03 s"]
    for cell in ("c1", "d1", "a2"):
        assert page.locator("#board .next-place").get_attribute("data-word") == cell
        page.locator("[data-thing^=F]:visible").first.click()
        logged(page, {"c1": 3, "d1": 4, "a2": 5}[cell])
    wells = page.locator("[data-thing]:visible").evaluate_all(
        "all => all.map(b => b.dataset.thing)"
    )
    assert wells == ["W1", "W2", "W3", "W4"], "nothing else fits on b2"
