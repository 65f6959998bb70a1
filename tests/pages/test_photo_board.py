"""A club puts its own board on a photograph; from then on its tables are played and drawn on it."""

from __future__ import annotations

import json
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from PIL import Image, ImageDraw

from answers.context import Caller
from answers.rulebooks.box_boards import WHOLE, board, place
from answers.rulebooks.box_tour import add_photo
from answers.rulebooks.boxes import own_box
from engines.kernel.registry import load_engine
from referee.untrusted.photos import homography
from tests.pages.club import PHONE, TABLET, Club, ready
from tests.pages.player import type_line
from tests.photos import jpeg

pytestmark = pytest.mark.xdist_group("pages box")

CELL = 200
ROWS = (
    ("L1", "M1", "F2", "H5", "P1"),
    ("P2", "P3", "F1", "L2", "H1"),
    ("M3", "H3", "F5", "P4", "F4"),
    ("H2", "M2", "F3", "P5", "H4"),
)
"""A map that is not the assumed one: P2 lies beside P3 here."""
OTHER_TERRAINS = {"H2": "forest", "F3": "hill", "P1": "hill", "H4": "prairie"}
COLOURS = {
    "forest": "green",
    "prairie": "khaki",
    "hill": "peru",
    "mountain": "grey",
    "water": "navy",
}
SLOTS = ((70, 70), (-70, 70), (70, -70), (-70, -70), (0, 70), (0, -70), (70, 0), (-70, 0))
CORNERS = ((120, 90), (1120, 140), (1180, 930), (60, 900))
"""Of the board on the photograph, which was not taken from straight above."""
SIZE = (1280, 1000)
POSITION = {
    "round": 2,
    "turn": 1,
    "first": "A",
    "event": "gathering",
    "cursed": ["rg", "pd", "wf"],
    "players": {"A": {"cards": 4, "bolts": 25}, "B": {"cards": 4}},
}


def kit() -> Any:
    engine = load_engine("broom_service")
    return engine.read_kit(engine.kit_sheet(None)).front


def centre(region: str) -> tuple[int, int]:
    row = next(number for number, names in enumerate(ROWS) if region in names)
    return CELL * ROWS[row].index(region) + CELL // 2, CELL * row + CELL // 2


def terrain(region: str) -> str:
    return OTHER_TERRAINS.get(region, kit().regions[region].terrain)


def borders() -> list[tuple[str, str]]:
    across = [pair for row in ROWS for pair in pairwise(row)]
    return across + [
        pair for above, below in pairwise(ROWS) for pair in zip(above, below, strict=True)
    ]


def own_board() -> bytes:
    """The board from above, and a photograph of it that is askew."""
    flat = Image.new("RGB", (CELL * 5, CELL * 4))
    pen = ImageDraw.Draw(flat)
    for name in (name for row in ROWS for name in row):
        x, y = centre(name)
        half = CELL // 2
        pen.rectangle((x - half, y - half, x + half, y + half), COLOURS[terrain(name)], "black")
        pen.text((x - 6, y + 30), name, "white")
    edges = ((0, 0), (flat.width, 0), flat.size, (0, flat.height))
    turned = flat.transform(SIZE, Image.Transform.PERSPECTIVE, homography(CORNERS, edges))
    made = BytesIO()
    turned.save(made, "JPEG", quality=90)
    return made.getvalue()


class Board:
    """The page, used by a finger."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def saved(self) -> None:
        self.page.wait_for_selector("#photo-board:not([data-saving])", state="attached")

    def put(self, at: tuple[int, int]) -> None:
        """Tap the photograph at a place of the board."""
        box = self.page.evaluate(
            "() => document.querySelector('#spaces svg').getBoundingClientRect().toJSON()"
        )
        x, y = at[0] / (CELL * 5), at[1] / (CELL * 4)
        self.page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])

    def drag_corner(self, number: int, to: tuple[float, float]) -> None:
        mark = self.page.locator(f"[data-corner='{number}']")
        mark.scroll_into_view_if_needed()
        start = mark.bounding_box()
        whole = self.page.locator("#corners svg").bounding_box()
        self.page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        self.page.mouse.down()
        x, y = to[0] / SIZE[0], to[1] / SIZE[1]
        self.page.mouse.move(
            whole["x"] + x * whole["width"], whole["y"] + y * whole["height"], steps=3
        )
        self.page.mouse.up()


def slots() -> dict[str, tuple[int, int]]:
    """Where castles, towers and clouds lie: within a region that they touch on this map too."""
    side, free = kit(), {name: list(SLOTS) for row in ROWS for name in row}
    whose = {"west": "P2", "east": "P4"}
    dry = {name for name in free if terrain(name) != "water"}
    whose |= {name: next(r for r in t.touches if r in dry) for name, t in side.towers.items()}
    whose |= dict(side.cloud_spaces)
    found = {}
    for name, region in whose.items():
        (x, y), (right, down) = centre(region), free[region].pop(0)
        found[name] = (x + right, y + down)
    return found


@pytest.mark.deep
def test_a_board_with_another_map_is_declared_from_a_photograph_in_one_sitting(
    club: Club, devices: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "board.jpg"
    photo.write_bytes(own_board())
    began = monotonic()
    device = devices("organiser", viewport={"width": 1180, "height": 2400})
    page = ready(device.open("/box/broom_service/board"))
    page.set_input_files("#board-file", photo)
    page.locator("#corners [data-corner='3']").wait_for()
    shown = Board(page)
    for number, corner in enumerate(CORNERS):
        shown.drag_corner(number, corner)
    page.click("[data-do=straighten]")
    page.locator("#spaces svg image").wait_for()
    shown.saved()
    regions = list(kit().regions)
    for region in regions:
        shown.put(centre(region))
    others = slots()
    for name in others:
        shown.put(others[name])
    at = {**{region: centre(region) for region in regions}, **others}
    shown.saved()
    assert page.locator("#left").inner_text() == "Everything has its place."
    for region in regions:
        shown.put(at[region])
        page.locator(f"#chosen-space [data-choice='{terrain(region)}']").click()
        shown.put(at[region])
    for name in kit().towers:
        shown.put(at[name])
        right = page.locator("#chosen-space [data-do=right]")
        if right.count():
            right.click()
        shown.put(at[name])
    page.click("[data-mode=link]")
    for one in regions:
        neighbours = [pair[1] for pair in borders() if pair[0] == one]
        for other in neighbours:
            if other == neighbours[0]:
                shown.put(at[one])
            shown.put(at[other])
        if neighbours:
            shown.put(at[one])
    shown.saved()
    page.click("[data-do=declare]")
    page.locator("#declared:not([hidden])").wait_for()
    took = monotonic() - began
    sheet = own_box(Caller(club.store_context), "broom_service").sheet
    pairs = {frozenset(pair.split("-")) for pair in sheet.at("front.borders")}
    assert pairs == {frozenset(pair) for pair in borders()}
    assert {name: sheet.at(f"front.regions.{name}.terrain") for name in regions} == {
        name: terrain(name) for name in regions
    }
    assert sheet.provenance("front.borders") == "declared"
    assert sheet.provenance("front.regions") == "declared"
    assert sheet.provenance("front.towers.t05") == "declared"
    with capsys.disabled():
        print(f"\nBroom Service’s board declared from a photograph in {took:.1f} s")

    lines = [f"position {json.dumps(POSITION)}", "A pw coward"]
    game = club.table("broom_service", "A=red B=blue first A side front", lines, A="Ana", B="Bo")
    tablet = devices("scribe", game, **TABLET)
    table = ready(tablet.open(f"/games/{game}"))
    photograph = table.locator("#board svg image")
    address = photograph.get_attribute("href")
    assert table.evaluate("(href) => fetch(href).then((reply) => reply.status)", address) == 200
    type_line(table, "A move 1 P3")  # the assumed map has no border there
    table.locator("#moves .line", has_text="P3").first.wait_for()
    assert club.lines(game)[-1] == "A move 1 P3"
    x, y = centre("P3")
    pawn = table.locator("#board svg [data-word='A'] [data-word='1']").first.bounding_box()
    whole = photograph.bounding_box()
    assert abs(pawn["x"] + pawn["width"] / 2 - whole["x"] - x / 1000 * whole["width"]) < 40
    assert abs(pawn["y"] + pawn["height"] / 2 - whole["y"] - y / 800 * whole["height"]) < 60


FEW_TAPS = 90
"""The whole of a board that the referee has never seen takes fewer."""


def test_a_strangers_board_is_declared_in_few_taps(
    club: Club, devices: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The regions and their borders are found on the photograph; what stands in them takes a tap
    each."""
    photo = tmp_path / "board.jpg"
    photo.write_bytes(own_board())
    device = devices("organiser", viewport={"width": 1180, "height": 2400})
    page = ready(device.open("/box/broom_service/board"))
    page.set_input_files("#board-file", photo)
    page.locator("#corners [data-corner='3']").wait_for()
    shown = Board(page)
    for number, corner in enumerate(CORNERS):
        shown.drag_corner(number, corner)
    page.click("[data-do=straighten]")
    page.click("#tray [data-do=propose]")
    page.locator("#spaces [data-space]").first.wait_for()
    shown.saved()
    taps = len(CORNERS) + 2
    rows = board(Caller(club.store_context), "broom_service").data.spaces
    cells = {(x, y): name for y, names in enumerate(ROWS) for x, name in enumerate(names)}
    lies_in = {row.name: cells[row.x * 5 // 10_000, row.y * 4 // 10_000] for row in rows if row.x}
    assert sorted(lies_in.values()) == sorted(cells.values())
    page.locator("#spaces").scroll_into_view_if_needed()
    standing = [row.name for row in rows if row.x is None]
    dry = [name for name in lies_in.values() if terrain(name) != "water"]
    spots = dict[str, tuple[int, int]]()
    for at, name in enumerate(standing):
        (x, y), (right, down) = centre(dry[at % len(dry)]), SLOTS[at // len(dry)]
        spots[name] = x + right, y + down
    for at in spots.values():
        shown.put(at)
        taps += 1
    shown.saved()
    assert page.locator("#left").inner_text() == "Everything has its place."
    page.click("[data-do=declare]")
    taps += 1
    page.locator("#declared:not([hidden])").wait_for()
    sheet = own_box(Caller(club.store_context), "broom_service").sheet
    pairs = [pair.split("-") for pair in sheet.at("front.borders")]
    found = {frozenset(lies_in[name] for name in pair) for pair in pairs}
    assert found == {frozenset(pair) for pair in borders()}
    told = {cell: sheet.at(f"front.regions.{name}.terrain") for name, cell in lies_in.items()}
    assert told == {name: terrain(name) for name in cells.values()}
    with capsys.disabled():
        print(f"\nA stranger’s Broom Service board declared in {taps} taps")
    assert taps < FEW_TAPS


def test_on_a_picture_without_regions_nothing_is_proposed(club: Club, devices: Any) -> None:
    caller = Caller(club.store_context)
    add_photo(caller, "broom_service", jpeg(900, 600), "board:front")
    place(caller, "broom_service", "front", corners=WHOLE)
    page = ready(devices("organiser", **PHONE).open("/box/broom_service/board"))
    page.click("#tray [data-do=propose]")
    page.locator("#problem", has_text="cannot be told apart").wait_for()
    assert page.locator("#spaces [data-space]").count() == 0


@pytest.mark.parametrize("size", [(1180, 820), (820, 1180), (390, 844)])
def test_a_finger_puts_a_tower_beside_a_region_at_every_size(
    club: Club, devices: Any, tmp_path: Path, size: tuple[int, int]
) -> None:
    """The photograph has the width of the page, a mark is 24 pixels, and beside it there is room
    for the next one; enlarged and moved, a mark stays as it is and the room grows."""
    photo = tmp_path / "board.jpg"
    photo.write_bytes(own_board())
    device = devices("organiser", viewport={"width": size[0], "height": size[1]}, has_touch=True)
    page = ready(device.open("/box/broom_service/board"))
    page.set_input_files("#board-file", photo)
    page.locator("#corners [data-corner='3']").wait_for()
    page.click("[data-do=straighten]")
    page.locator("#spaces svg image").wait_for()
    Board(page).saved()
    whole = page.locator("#spaces svg").bounding_box()
    assert whole["width"] > 0.93 * size[0]
    page.locator("#spaces").scroll_into_view_if_needed()
    for beside, larger in ((0, 0), (16, 0), (-16, 2)):
        for _ in range(larger):
            page.click("[data-enlarge=more]")
        if not beside:
            page.locator("#spaces svg").tap(position={"x": whole["width"] / 2, "y": 60})
        else:
            mark = page.locator("#spaces [data-space]").first
            mark.scroll_into_view_if_needed()
            box = mark.locator("circle").bounding_box()
            assert 23 < box["width"] < 30
            middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            page.touchscreen.tap(middle[0] + beside, middle[1])
        Board(page).saved()
    rows = board(Caller(club.store_context), "broom_service").data.spaces
    assert sum(row.x is not None for row in rows) == 3


def test_everything_on_the_board_can_be_done_with_keys(club: Club, devices: Any) -> None:
    add_photo(Caller(club.store_context), "broom_service", jpeg(900, 600), "board:front")
    page = ready(devices("organiser", **TABLET).open("/box/broom_service/board"))
    page.locator("[data-corner='0']").focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    page.locator("[data-do=straighten]").focus()
    page.keyboard.press("Enter")
    page.locator("#spaces svg image").wait_for()
    shown = Board(page)
    shown.saved()
    for name, arrow in (("F1", "ArrowLeft"), ("H1", "ArrowRight")):
        page.locator(f"[data-put='{name}']").focus()
        page.keyboard.press("Enter")
        for _ in range(3):
            page.keyboard.press(f"Shift+{arrow}")
    page.locator("[data-mode=link]").focus()
    page.keyboard.press("Enter")
    page.locator("[data-space='F1']").focus()
    page.keyboard.press("Enter")
    page.locator("[data-space='H1']").focus()
    page.keyboard.press("Enter")
    shown.saved()
    found = {
        row.name: row for row in board(Caller(club.store_context), "broom_service").data.spaces
    }
    assert (found["F1"].x, found["H1"].x) == (3500, 6500)
    assert next(q.chosen for q in found["H1"].questions if q.linked) == ["F1"]
    page.locator("[data-space='H1']").focus()
    page.keyboard.press("Delete")
    shown.saved()
    found = {
        row.name: row for row in board(Caller(club.store_context), "broom_service").data.spaces
    }
    assert found["H1"].x is None


def test_what_the_rulebook_states_otherwise_is_named_at_once(club: Club, devices: Any) -> None:
    caller = Caller(club.store_context)
    add_photo(caller, "broom_service", jpeg(900, 600), "board:front")
    place(caller, "broom_service", "front", corners=WHOLE, usual=True)
    page = ready(devices("organiser", **PHONE, locale="fr").open("/box/broom_service/board"))
    page.locator("[data-put='t01']").click()
    touches = page.locator("#chosen-space .datum[data-path='front.towers.t01.touches']")
    touches.locator("[data-choice='H5']").click()
    touches.locator("[data-do=box-tell]").click()
    page.locator("#doubts", has_text="le livret dit F1, H1, P2").wait_for()
    page.locator("[data-put='c01']").click()
    page.click("#chosen-space [data-do=gone]")
    page.locator("#doubts", has_text="BRM-SET-11").wait_for()


@pytest.mark.parametrize("game", ["benevolent", "bethel_woods", "roundforest"])
def test_every_game_with_something_assumed_on_a_board_has_it_on_the_page(
    club: Club, devices: Any, game: str
) -> None:
    caller = Caller(club.store_context)
    first = board(caller, game).data.board
    add_photo(caller, game, jpeg(400, 300), f"board:{first}")
    place(caller, game, first, corners=WHOLE, usual=True)
    page = ready(devices("organiser", **TABLET).open(f"/box/{game}/board?board={first}"))
    assert page.locator("#spaces [data-space]").count() == len(board(caller, game).data.spaces)
    page.locator("#spaces [data-space]").first.focus()
    page.keyboard.press("Enter")
    page.locator("#chosen-space h3").wait_for()


def test_a_game_without_such_a_board_says_so(devices: Any) -> None:
    page = ready(devices("organiser", **TABLET).open("/box/bloody_grove/board"))
    assert page.locator(".notice.good").count() == 1
