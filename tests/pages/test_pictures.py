"""The pictures of the README and the guides are what the pages look like today.

``REFEREE_PICTURES=1 python -m pytest -n 0 tests/pages/test_pictures.py`` takes them anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from tests.answers.conftest import SETUP
from tests.pages.club import Club, Device, open_club, ready
from tests.pages.event import new_event
from tests.pages.player import type_line
from tests.pages.scenes import sample_lines

pytestmark = pytest.mark.xdist_group("pages pictures")
DOCS = Path(__file__).parents[2] / "docs"
FOLDERS = {"en": DOCS / "pictures", "fr": DOCS / "fr" / "pictures"}
MOST_BYTES = 120_000
ALIKE = 1.5
"""Of 255: how far small copies of picture and page may differ. The same page taken again differs by
0.2 to 0.7 (compression, a clock that goes on), the same page in the other language by 1.9."""
TABLET = {"viewport": {"width": 1180, "height": 820}, "has_touch": True}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
NAMES = ("Ana", "Bo", "Cleo", "Dana", "Eva", "Fin", "Gus", "Hana", "Ida", "Jon", "Kim", "Leo")


def _as_it_is(page: Any) -> None:
    """Nothing is done to the page."""


def _refused(page: Any) -> None:
    type_line(page, "A step a3")
    page.wait_for_selector("#verdict.bad")
    page.evaluate("scrollTo(0, 0)")


@dataclass(frozen=True)
class Picture:
    """One picture: whose device looks at which page, and what must be in sight there."""

    name: str
    role: str
    device: dict[str, Any]
    shows: dict[str, str]
    """Selectors, and words that are seen there."""
    prepare: Callable[[Any], None] = _as_it_is


PICTURES = (
    Picture("table", "scribe", TABLET, {"#board svg": "Ana", "#tools": "", "h1": "Benevolent"}),
    Picture("seat", "seat:B", PHONE, {"#board svg": "Bo", "#next": "", "#seats": "Ana"}),
    Picture(
        "refused", "scribe", TABLET, {"#verdict.bad": "BEN-MOVE-3", "#board svg": ""}, _refused
    ),
    Picture("desk", "organiser", TABLET, {"h1": "Spring Cup", "#round": "Cleo"}),
)


@dataclass(frozen=True)
class Places:
    """A club with everything that is pictured, and at which address it is."""

    club: Club
    paths: dict[str, tuple[str, str]]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    with open_club(tmp_path_factory.mktemp("pictures")) as club:
        opening, lines = sample_lines("benevolent")
        table = club.table("benevolent", opening, lines[:24], A="Ana", B="Bo")
        early = club.table("benevolent", opening, SETUP, A="Ana", B="Bo")
        event = new_event(club, NAMES)
        event.pair()
        event.start()
        event.time(45)
        event.result(1, "A", "B")
        event.result(4, "B", "A")
        yield Places(
            club,
            {
                "table": (f"/games/{table}", table),
                "seat": (f"/games/{table}/seat", table),
                "refused": (f"/games/{early}", early),
                "desk": (event.page("/desk"), event.id),
            },
        )


@pytest.mark.deep
@pytest.mark.parametrize("lang", FOLDERS)
@pytest.mark.parametrize("picture", PICTURES, ids=lambda one: one.name)
def test_a_picture_shows_what_the_page_shows(
    browser: Any, places: Places, picture: Picture, lang: str
) -> None:
    path, scope = places.paths[picture.name]
    look = {**picture.device, "locale": lang, "color_scheme": "light", "reduced_motion": "reduce"}
    device = Device(browser, places.club, picture.role, scope, **look)
    device.expected = ("422",)  # what is refused on purpose
    ready(device.open(path))  # from now on the server knows the shape of this screen
    page = ready(device.open(path))
    picture.prepare(page)
    for selector, words in picture.shows.items():
        assert in_sight(page, selector), f"{selector} is out of the picture"
        assert words in page.locator(selector).first.text_content()
    shot = Image.open(BytesIO(page.screenshot())).convert("RGB")
    device.close()
    file = FOLDERS[lang] / f"{picture.name}-page.webp"
    if os.environ.get("REFEREE_PICTURES"):
        shot.save(file, quality=70, method=6)
    assert file.stat().st_size < MOST_BYTES
    kept = Image.open(file).convert("RGB")
    assert kept.size == shot.size
    assert difference(kept, shot) < ALIKE, f"take the pictures anew: {__doc__}"


def in_sight(page: Any, selector: str) -> bool:
    """At least a good part of it, large enough to be seen, is on the screen without scrolling."""
    box = page.locator(selector).first.bounding_box()
    screen = page.viewport_size
    if box is None or box["x"] < 0 or box["x"] + box["width"] > screen["width"]:
        return False
    seen = min(box["y"] + box["height"], screen["height"]) - max(box["y"], 0)
    return bool(box["width"] > 40 and seen > 20 and seen >= box["height"] / 2)


def difference(one: Image.Image, other: Image.Image) -> float:
    """How far two pictures differ on average, where fine print no longer counts."""
    small = [each.convert("L").resize((96, 96), Image.Resampling.BOX) for each in (one, other)]
    return float(ImageStat.Stat(ImageChops.difference(*small)).mean[0])


def test_another_page_or_another_language_is_told_apart() -> None:
    """The bound is worth something: none of the kept pictures would pass for another one."""
    drawn = {
        (each.name, lang): Image.open(folder / f"{each.name}-page.webp").convert("RGB")
        for each in PICTURES
        for lang, folder in FOLDERS.items()
    }
    for key, image in drawn.items():
        for other, another in drawn.items():
            if key != other and image.size == another.size:
                assert difference(image, another) > ALIKE, (key, other)
