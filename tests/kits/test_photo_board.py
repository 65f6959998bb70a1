"""Boards on photographs: what follows from a placing, in every game that declares one."""

from __future__ import annotations

import gzip
import re
import tomllib
from base64 import b64decode
from cmath import rect
from dataclasses import replace
from io import BytesIO
from itertools import cycle
from math import radians, sqrt

import pytest
from PIL import Image

from answers.context import Caller, open_store_context
from answers.judge.disputes import brief_picture
from answers.play.actions import log
from answers.play.analysis import position_trial, trial
from answers.play.options import options
from answers.play.views import picture, position
from answers.review.import_export import ExportOptions, export
from answers.rulebooks.box_boards import WHOLE, board, board_picture, place
from answers.rulebooks.box_tour import add_photo
from answers.rulebooks.boxes import own_box, tell
from answers.rulebooks.games import usual_opening
from engines.benevolent.kit import Place
from engines.benevolent.photo import TURNS
from engines.kernel.box.placing import PlacedBoard, Placing
from engines.kernel.picture.ground import Ground
from engines.kernel.registry import load_engine, sound_engines
from referee.errors import Conflicting, NotFound, Unfit
from referee.judging.disputes import dispute
from referee.record.positions import read_position
from referee.table.author import Author
from referee.untrusted.photos import homography, straightened
from replays.exports.rasterizer import rendered
from tests.opening import new_table
from tests.photos import jpeg

BOARDS = [
    (engine.id, one.name)
    for engine in sound_engines()
    for one in engine.guide.boards(engine.read_kit(engine.kit_sheet(None)))
]
GAME = "broom_service"


@pytest.fixture
def caller() -> Caller:
    return Caller(open_store_context("memory:"))


def values(caller: Caller, space: str) -> dict[str, object]:
    rows = {row.name: row for row in board(caller, GAME, "front").data.spaces}
    return {question.path: question.value for question in rows[space].questions}


@pytest.mark.parametrize(("game", "name"), BOARDS)
def test_every_space_is_asked_in_words_about_data_that_the_kit_has(game: str, name: str) -> None:
    """Whatever a game declares: its paths exist, its starts lie on the board, its names differ."""
    engine = load_engine(game)
    caller = Caller(open_store_context("memory:"))
    box = own_box(caller, game)
    drawn = PlacedBoard(box.tour, name, Placing())
    spaces = drawn.board.spaces
    assert len({space.name for space in spaces}) == len(spaces)
    kinds = {space.kind for space in spaces} | {new.kind for new in drawn.board.new}
    for kind in kinds:
        assert f"box.{kind}" in engine.words or f"term.{kind}" in engine.words, kind
    for space in spaces:
        assert box.tour.sheet.at(space.path) is not None
        assert space.start is None or all(0 <= part <= 1 for part in space.start)
        assert set(space.nearest) <= set(space.asks)
        for path in (*space.asks, *space.lists, *(space.place or ())):
            assert drawn.question(path).value is not None, path


@pytest.mark.parametrize(("game", "name"), BOARDS)
def test_a_board_as_the_kit_assumes_it_can_be_declared(
    game: str, name: str, caller: Caller
) -> None:
    rows = place(caller, game, name, usual=True).data.spaces
    asked = [question for row in rows for question in row.questions if not question.linked]
    data = {question.path: question.value for question in asked}
    there = {each.path: each.there for row in rows for each in row.there if "@" in each.path}
    told = place(caller, game, name, data=data, there=there).data
    assert (told.conflicts, told.flaw) == ([], None)
    assert place(caller, game, name, declare=True).data.declared
    stated = own_box(caller, game).tour.stated
    assert stated
    assert own_box(caller, game).sheet.provenance(next(iter(stated))) == "declared"


def test_of_neighbours_both_are_told(caller: Caller) -> None:
    place(caller, GAME, "front", usual=True)
    place(caller, GAME, "front", chosen={"front.borders#F1": ["M2", "H1"]})
    assert values(caller, "M2")["front.borders#M2"] == ["F1"]
    place(caller, GAME, "front", chosen={"front.borders#M2": []})
    assert values(caller, "F1")["front.borders#F1"] == ["H1"]


def test_links_told_in_one_request_do_not_undo_each_other(caller: Caller) -> None:
    place(caller, GAME, "front", usual=True)
    chosen = {"front.borders#F1": ["H1"], "front.borders#P2": ["H1"]}
    place(caller, GAME, "front", chosen=chosen)
    assert values(caller, "H1")["front.borders#H1"] == ["F1", "P2"]


def test_what_lies_in_a_region_is_in_the_nearest_one_until_somebody_says_otherwise(
    caller: Caller,
) -> None:
    place(caller, GAME, "front", places={"F1": (1000, 1000), "H1": (9000, 1000)})
    place(caller, GAME, "front", places={"c01": (8000, 1000), "t05": (2000, 1000)})
    assert values(caller, "c01") == {"front.cloud_spaces.c01": "H1"}
    assert values(caller, "t05")["front.towers.t05.touches"] == ["F1"]
    place(caller, GAME, "front", data={"front.cloud_spaces.c01": "F1"})
    assert values(caller, "c01") == {"front.cloud_spaces.c01": "F1"}


def test_a_board_may_have_more_spaces_and_fewer(caller: Caller) -> None:
    place(caller, GAME, "front", usual=True)
    place(caller, GAME, "front", new="water")
    place(caller, GAME, "front", places={"L3": (5000, 9900)})
    place(caller, GAME, "front", chosen={"front.borders#L3": ["H4"]}, gone={"P5": True})
    told = place(caller, GAME, "front", declare=True).data
    assert told.flaw is None
    sheet = own_box(caller, GAME).sheet
    assert sheet.at("front.regions.L3.terrain") == "water"
    assert sheet.at("front.borders") == ["H4-L3"]
    assert sheet.at("front.regions.P5") is None
    place(caller, GAME, "front", gone={"L3": True})
    assert place(caller, GAME, "front", declare=True).data.flaw is None
    assert own_box(caller, GAME).sheet.at("front.regions.L3") is None
    with pytest.raises(Conflicting):
        place(caller, GAME, "front", gone={"west": True})


def test_nothing_is_the_boxs_before_it_is_declared(caller: Caller) -> None:
    place(caller, GAME, "front", usual=True)
    assert own_box(caller, GAME).tour.stated == {}
    with pytest.raises(Conflicting):
        place(caller, "bethel_woods", "board", usual=True, declare=True)


def test_numbers_of_the_rulebook_are_named_at_once_and_stay(caller: Caller) -> None:
    told = place(caller, GAME, "front", chosen={"front.towers.t01.touches": ["H1"]}).data
    assert told.conflicts == [
        "t01, touches the regions: you say H1, the rulebook says F1, H1, P2. The rulebook’s stays."
    ]
    assert "BRM-SET-11" in place(caller, GAME, "front", gone={"c01": True}).data.problems[0]
    place(caller, GAME, "front", declare=True)
    assert own_box(caller, GAME).sheet.at("front.towers.t01.touches") == ["F1", "H1", "P2"]


def test_what_is_no_question_of_the_board_is_refused(caller: Caller) -> None:
    for wrong in (
        {"data": {"front.banners": "red"}},
        {"chosen": {"scoring.lightning": [1]}},
        {"there": {"front.regions.F1": True}},
        {"places": {"nowhere": (1, 1)}},
        {"gone": {"nowhere": True}},
        {"new": "castle"},
    ):
        with pytest.raises(NotFound):
            place(caller, GAME, "front", **wrong)  # type: ignore[arg-type]
    with pytest.raises(Unfit):
        place(caller, GAME, "front", data={"front.regions.F1.terrain": "lava"})
    with pytest.raises(NotFound):
        board(caller, "bloody_grove")


def test_a_table_is_drawn_on_the_photograph_only_if_its_map_is_the_same(caller: Caller) -> None:
    add_photo(caller, GAME, jpeg(600, 400), "board:front")
    place(caller, GAME, "front", corners=WHOLE, usual=True, declare=True)
    opening = "A=red B=blue first A side front"
    opened = new_table(caller, GAME, opening)
    drawn = picture(caller, opened, photo=True)
    digest = caller.store_context.boxes.photos(GAME, "own")["flat:front"]
    assert f"digest={digest}" in drawn
    assert "<image" not in picture(caller, opened)
    assert all(f'data-word="{name}"' in drawn for name in ("F1", "M3", "t05", "c01"))
    assert board_picture(caller, GAME, "front", digest).content[:2] == b"\xff\xd8"
    for guessed in ("0" * 64, ""):
        with pytest.raises(NotFound):
            board_picture(caller, GAME, "front", guessed)
    shipped = new_table(caller, GAME, opening, kit="broom-default")
    assert "<image" not in picture(caller, shipped, photo=True)
    tell(caller, GAME, {"front.borders#F1": ["M3"]})
    other = new_table(caller, GAME, opening)
    assert "<image" not in picture(caller, other, photo=True)


PYRAMID = (
    "pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal / "
    "hoard convert_1"
)
SET_UP = {"benevolent": ["forest S1A S2B", PYRAMID]}
DRAWN = [
    (game, name)
    for game, name in BOARDS
    if (game, name) not in (("roundforest", "boards.3-4"), ("broom_service", "back"))
    if name not in ("S1B", "S2A", "S3A", "S3B")  # do not lie in a forest for two
    if not name.startswith("layouts.")  # tells how the segments lie, whose photographs are drawn
]


def declared(caller: Caller, game: str, name: str, **more: object) -> None:
    """A board with a photograph, as the kit assumes it."""
    add_photo(caller, game, jpeg(720, 500), f"board:{name}")
    rows = place(caller, game, name, corners=WHOLE, usual=True).data.spaces
    asked = [question for row in rows for question in row.questions if not question.linked]
    data = {question.path: question.value for question in asked}
    there = {each.path: each.there for row in rows for each in row.there if "@" in each.path}
    place(caller, game, name, data=data, there=there, declare=True, **more)  # type: ignore[arg-type]


def played_on(caller: Caller, game: str, name: str) -> str:
    """A table, set up, whose board the club has declared from a photograph."""
    declared(caller, game, name)
    opened = new_table(caller, game, usual_opening(game, 2)[0])
    if game in SET_UP:
        log(caller, opened, SET_UP[game])
    return opened


@pytest.mark.parametrize(("game", "name"), DRAWN)
def test_every_board_of_every_game_is_drawn_on_its_photograph(
    game: str, name: str, caller: Caller
) -> None:
    table = played_on(caller, game, name)
    drawn = picture(caller, table, photo=True)
    digest = caller.store_context.boxes.photos(game, "own")[f"flat:{name}"]
    assert drawn.count(f"digest={digest}") == 1
    plain = picture(caller, table)
    words = re.findall(r'data-word="([^"]+)"', plain)
    assert set(words) <= set(re.findall(r'data-word="([^"]+)"', drawn))  # all can still be tapped


@pytest.mark.parametrize(
    ("game", "name", "space", "right"),
    [("bethel_woods", "board", "3", 504), ("benevolent", "dream_path", "2", 500)],
)
def test_a_space_is_drawn_where_it_was_put(
    game: str, name: str, space: str, right: int, caller: Caller
) -> None:
    declared(caller, game, name, places={space: (7000, 1000)})
    opened = new_table(caller, game, usual_opening(game, 2)[0])
    drawn = picture(caller, opened, photo=True)
    assert re.search(rf'"translate\({right}\.00 [\d.]+\)"><g data-word="{space}"', drawn)


@pytest.mark.parametrize(("game", "name"), DRAWN)
def test_every_picture_of_a_table_is_drawn_on_the_clubs_own_board(
    game: str, name: str, caller: Caller
) -> None:
    """At the table, in a dispute, in a trial, in what is exported; not on a judge's paper."""
    table = played_on(caller, game, name)
    judge = (
        dispute(caller.bench, table, len(SET_UP.get(game, ())), text="is it so?").entries[0].data
    )
    digest = caller.store_context.boxes.photos(game, "own")[f"flat:{name}"]
    seen = {
        "table": picture(caller, table, photo=True),
        "dispute": brief_picture(caller, table, judge.id, photo=True),
        "trial": trial(caller, table, [], photo=True).data.picture,
        "at": picture(caller, table, at=len(SET_UP.get(game, ())), photo=True),
    }
    assert {place for place, drawn in seen.items() if f"digest={digest}" in drawn} == {*seen}
    file = position(caller, table)
    declared_by_hand = read_position(tomllib.loads(file))
    for role, shown in (("seat:A", True), ("organiser", True), ("spectator", False)):
        viewer = replace(caller, author=Author("p", role))
        tried = position_trial(viewer, declared_by_hand, [], photo=True).data.picture
        assert (f"digest={digest}" in tried) is shown, role
    page = export(caller, table, "html", ExportOptions()).content
    assert b"/api/v1/engines" not in page
    assert "data:image/jpeg;base64" in unpacked(page)
    svg = export(caller, table, "svg", ExportOptions()).content.decode()
    assert "data:image/jpeg;base64" in svg
    assert "/api/v1/engines" not in svg
    png = export(caller, table, "png", ExportOptions()).content
    assert png != rendered(re.sub(r"data:image/jpeg;base64,[^\"]*", "", svg), 720), "it is seen"
    assert "<image" not in brief_picture(caller, table, judge.id)


def unpacked(page: bytes) -> str:
    """The story inside an exported page."""
    found = re.search(rb'id="story">([A-Za-z0-9+/=\s]*)<', page)
    assert found is not None
    return gzip.decompress(b64decode(found[1])).decode()


def test_a_tile_is_laid_under_its_hexes_as_it_lies() -> None:
    """Turned by half a turn, twice as large, and cut along what can be seen of it."""
    ground = Ground("photo", 100, 50, {"1": (0.1, 0.2), "2": (0.9, 0.2), "3": (0.5, 0.8)})
    onto = {"1": (180.0, 80.0), "2": (20.0, 80.0), "3": (100.0, 20.0)}
    laid = ground.fitted(onto, [[(180.0, 80.0), (20.0, 80.0), (100.0, 20.0)]])
    assert laid is not None
    assert 'transform="matrix(-2 0 0 -2 200 100)"' in laid
    assert '<polygon points="10,10 90,10 50,40 10,10 10,10"/></clipPath>' in laid
    (cut,) = re.findall(r'clipPath id="([^"]+)"', laid)
    assert f'clip-path="url(#{cut})"' in laid, "as every program draws it, not browsers alone"
    assert ground.fitted({"1": (0.0, 0.0), "2": (1.0, 0.0)}, []) is None
    row = Ground("photo", 100, 50, {"1": (0.1, 0.5), "2": (0.5, 0.5), "3": (0.9, 0.5)})
    assert row.fitted(onto, []) is None


CORNERS = ((0.1, 0.2), (0.8, 0.1), (0.95, 0.9), (0.05, 0.7))


def test_a_homography_takes_every_corner_to_its_own() -> None:
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    a, b, c, d, e, f, g, h = homography(square, CORNERS)
    for (x, y), (u, v) in zip(square, CORNERS, strict=True):
        depth = g * x + h * y + 1
        assert ((a * x + b * y + c) / depth, (d * x + e * y + f) / depth) == pytest.approx((u, v))


def test_a_board_is_seen_from_straight_above_and_whatever_was_around_it_is_gone() -> None:
    size, flat = (640, 480), Image.new("RGB", (300, 200), "red")
    flat.paste("blue", (150, 0, 300, 200))
    edges = ((0, 0), (300, 0), (300, 200), (0, 200))
    there = [(x * size[0], y * size[1]) for x, y in CORNERS]
    askew = flat.transform(
        size, Image.Transform.PERSPECTIVE, homography(there, edges), fillcolor="white"
    )
    made = BytesIO()
    askew.save(made, "PNG")
    found = straightened(made.getvalue(), CORNERS)
    with Image.open(BytesIO(found.content)) as seen:
        wide, high = seen.size
        assert (wide, high) == (found.width, found.height)
        for x, y in ((0.1, 0.1), (0.4, 0.5), (0.1, 0.9)):
            red, _, blue = seen.getpixel((round(x * wide), round(y * high)))  # type: ignore[misc]
            assert red > 200 > 60 > blue
            red, _, blue = seen.getpixel((round((1 - x) * wide), round(y * high)))  # type: ignore[misc]
            assert blue > 200 > 60 > red


@pytest.mark.parametrize(
    "corners",
    [
        ((0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)),  # crossed
        ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)),  # the wrong way round
        ((0.5, 0.5), (0.51, 0.5), (0.51, 0.51), (0.5, 0.51)),  # a speck
        ((0.0, 0.0), (1.0, 0.0), (0.4, 0.3), (0.0, 1.0)),  # dented
    ],
)
def test_four_points_that_are_no_board_are_refused(
    corners: tuple[tuple[float, float], ...],
) -> None:
    with pytest.raises(Unfit):
        straightened(jpeg(400, 300), corners)


# how hexes lie together


def tapped(cells: list[tuple[int, int]], angle: float, tall: float) -> list[tuple[int, int]]:
    """Where the middles of some hexes lie on a photograph that was taken at an angle, in
    ten-thousandths; nobody taps them exactly."""
    turned = [complex(q + r / 2, r * sqrt(3) / 2) * rect(1, radians(angle)) for q, r in cells]
    left, top = (min(part) for part in zip(*((z.real, z.imag) for z in turned), strict=True))
    off = cycle((0.1, -0.06, 0.03, -0.1))
    spots = [
        ((z.real - left + 1 + next(off)) / 9, (z.imag - top + 1 + next(off)) / 9) for z in turned
    ]
    return [(round(x * 10_000), round(y / tall * 10_000)) for x, y in spots]


def on_photograph(caller: Caller, name: str, width: int, height: int) -> float:
    add_photo(caller, "benevolent", jpeg(width, height), f"board:{name}")
    place(caller, "benevolent", name, corners=WHOLE)
    return height / width


ROUND = [(0, 0), (1, 0), (-1, 1), (0, 1), (-1, 2)]
STRAIGHT = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]


@pytest.mark.parametrize("angle", [0, 20, -25, 170])
@pytest.mark.parametrize("size", [(600, 600), (900, 600), (500, 800)])
@pytest.mark.parametrize("cells", [ROUND, STRAIGHT])
def test_the_outline_of_a_segment_follows_from_its_hexes(
    caller: Caller, cells: list[tuple[int, int]], size: tuple[int, int], angle: float
) -> None:
    tall = on_photograph(caller, "S1A", *size)
    spots = tapped(cells, angle, tall)
    places = {str(number): spot for number, spot in enumerate(spots, start=1)}
    place(caller, "benevolent", "S1A", places=places, declare=True)
    found = own_box(caller, "benevolent").sheet.at("segment_shape.cells")
    turned = [[list(Place(origin=(0, 0), turn=t, level=0).cell(c)) for c in cells] for t in TURNS]
    assert found in turned


def test_a_segment_of_the_usual_shape_is_the_usual_one_however_it_lies(caller: Caller) -> None:
    known = own_box(caller, "benevolent").sheet.at("segment_shape.cells")
    tall = on_photograph(caller, "S2B", 700, 700)
    spots = tapped([tuple(cell) for cell in known], 115, tall)
    places = {str(number): spot for number, spot in enumerate(spots, start=1)}
    place(caller, "benevolent", "S2B", places=places, declare=True)
    sheet = own_box(caller, "benevolent").sheet
    assert sheet.at("segment_shape.cells") == known
    assert sheet.provenance("segment_shape.cells") == "declared"


def test_what_does_not_lie_like_hexes_tells_no_outline(caller: Caller) -> None:
    on_photograph(caller, "S1A", 700, 700)
    spots = [(1000, 1000), (9000, 1500), (2000, 4000), (3000, 4600), (9000, 9000)]
    places = {str(number): spot for number, spot in enumerate(spots, start=1)}
    place(caller, "benevolent", "S1A", places=places)
    site = board(caller, "benevolent", "S1A").data.spaces[0].questions[0]
    place(caller, "benevolent", "S1A", data={site.path: site.value}, declare=True)
    provenance = own_box(caller, "benevolent").sheet.provenance
    assert provenance("segment_shape.cells") == "assumed"


def laid(
    caller: Caller, players: int, slots: list[Place], angle: float, hexes: int = 5
) -> dict[str, tuple[int, int]]:
    """The forest as a club lays it, tapped on a photograph."""
    name = f"layouts.{players}"
    cells = own_box(caller, "benevolent").tour.kit.segment_shape.cells
    tall = on_photograph(caller, name, 800, 700)
    spots = tapped([slot.cell(cell) for slot in slots for cell in cells], angle, tall)
    names = [f"{slot}.{at}" for slot in range(1, len(slots) + 1) for at in range(1, 6)]
    return {n: at for n, at in zip(names, spots, strict=True) if int(n[-1]) <= hexes}


OURS = {
    2: [Place(origin=(0, 0), turn=0, level=0), Place(origin=(2, 0), turn=60, level=1)],
    3: [Place(origin=(0, 0), turn=0, level=0), Place(origin=(3, -1), turn=240, level=0)],
}


@pytest.mark.parametrize("hexes", [3, 5])
@pytest.mark.parametrize("angle", [0, 33, -100])
@pytest.mark.parametrize("players", OURS)
def test_how_a_forest_is_laid_follows_from_its_hexes(
    caller: Caller, players: int, angle: float, hexes: int
) -> None:
    """Some hexes of a segment are enough: those that another one covers cannot be seen."""
    slots = OURS[players]
    places = laid(caller, players, slots, angle, hexes)
    place(caller, "benevolent", f"layouts.{players}", places=places, declare=True)
    sheet = own_box(caller, "benevolent").sheet
    for at, slot in enumerate(slots[1:], start=1):
        assert tuple(sheet.at(f"layouts.{players}.{at}.origin")) == slot.origin
        assert sheet.at(f"layouts.{players}.{at}.turn") == slot.turn
        assert sheet.provenance(f"layouts.{players}.{at}.turn") == "declared"


def test_a_forest_with_other_hexes_than_the_rulebook_counts_is_named_at_once(
    caller: Caller,
) -> None:
    apart = [Place(origin=(0, 0), turn=0, level=0), Place(origin=(3, 0), turn=0, level=0)]
    shown = place(caller, "benevolent", "layouts.2", places=laid(caller, 2, apart, 0)).data
    assert len(shown.conflicts) == 1
    assert "10" in shown.conflicts[0]
    assert "8" in shown.conflicts[0]


def test_a_table_is_played_on_the_forest_that_the_club_has_laid(caller: Caller) -> None:
    """A step that our assumed layout refuses is legal on theirs."""

    def steps() -> set[str]:
        table = new_table(caller, "benevolent", "A=blue B=red first A")
        lines = ["forest S1A S2B", PYRAMID, "A step a1", "A gather", "B step a1", "B gather"]
        assert log(caller, table, lines).outcome == "done"
        return {one.notation for one in options(caller, table).data.options}

    before = steps()
    places = laid(caller, 2, OURS[2], 10)
    place(caller, "benevolent", "layouts.2", places=places, declare=True)
    assert {line.split()[-1] for line in steps() - before} == {"b2"}
