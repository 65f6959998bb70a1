"""Pictures of parts: where everything lies, and what is marked."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from engines.kernel.picture.layout import (
    BESIDE,
    WIDTH,
    Disc,
    Frame,
    News,
    Part,
    Pen,
    Sheet,
    overlaid,
    stacked,
)
from engines.kernel.picture.svg import ACCENT, INK, Picture, el, text

HEAP = Part(50, el("circle", cx=20, cy=25, r=10), {"heap": Disc(20, 25, 12)})
HAND = Part(30, el("rect", x=5, y=5, width=40, height=20), {"A": Frame(5, 5, 40, 20)})


def drawn(picture: Picture) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(f"<g>{picture.body}</g>"))


def test_parts_lie_one_below_the_other() -> None:
    table = stacked([HEAP, HAND], above=6, below=4)
    picture = table.picture()
    assert (picture.width, picture.height) == (WIDTH, 6 + 50 + 30 + 4)
    assert picture.anchors == {"heap": (20, 31), "A": (25, 71)}
    tops = [part.attrib["transform"] for part in drawn(picture)]
    assert tops == ["translate(0 6.00)", "translate(0 56.00)"]


def test_a_stack_is_a_part_again() -> None:
    table = stacked([Part(100, text(1, 1, "title")), stacked([HEAP, HAND])])
    assert table.height == 180
    assert table.spaces == {"heap": Disc(20, 125, 12), "A": Frame(5, 155, 40, 20)}


def test_overlaid_parts_share_their_top() -> None:
    both = overlaid([HEAP, HAND], 50)
    assert both == Part(50, HEAP.body + HAND.body, {**HEAP.spaces, **HAND.spaces})


def test_nothing_is_marked_unless_it_was_touched() -> None:
    table = stacked([HEAP, HAND])
    assert table.picture().body == table.body
    assert table.picture(["nowhere"]).body == table.body


def test_what_was_touched_is_marked_once_and_on_top() -> None:
    *_, mark = drawn(stacked([HAND, HEAP]).picture(["heap", "heap"]))
    assert mark.tag == "circle"
    assert [float(mark.attrib[name]) for name in ("cx", "cy", "r")] == [20, 55, 12]
    assert (mark.attrib["fill"], mark.attrib["stroke"]) == ("none", ACCENT)


def test_a_frame_is_marked_round_what_lies_in_it() -> None:
    *_, mark = drawn(HAND.picture(["A"]))
    assert [float(mark.attrib[name]) for name in ("x", "y", "width", "height")] == [3, 3, 44, 24]


def test_a_game_marks_with_its_own_pen() -> None:
    *_, mark = drawn(HEAP.picture(["heap"], Pen("#ff8c00", 6, dashes=None)))
    assert (mark.attrib["stroke"], mark.attrib["stroke-width"]) == ("#ff8c00", "6")
    assert "stroke-dasharray" not in mark.attrib


def test_a_rim_of_ink_shows_on_both_sides_of_the_line() -> None:
    *_, mark = drawn(HEAP.picture(["heap"], Pen(width=3, rim=1)))
    assert [(line.attrib["stroke"], line.attrib["stroke-width"]) for line in mark] == [
        (INK, "5"),
        (ACCENT, "3"),
    ]


def test_what_is_drawn_over_the_marks_comes_last() -> None:
    arrow = el("path", d="M0 0L9 9")
    *_, mark, last = drawn(HEAP.picture(["heap"], over=[arrow], width=100))
    assert (mark.tag, last.tag) == ("circle", "path")


TABLE = Sheet([HEAP, HAND._replace(column=1)], margin=4)


def test_a_sheet_lies_tall_or_wide() -> None:
    tall, wide = TABLE.picture("tall"), TABLE.picture("wide")
    assert (tall.width, tall.height) == (WIDTH, 4 + 50 + 30 + 4)
    assert (wide.width, wide.height) == (WIDTH + 4 + BESIDE * WIDTH, 4 + 50 + 4)
    assert tall.anchors["A"] == (25, 54 + 15)
    assert wide.anchors["A"] == (WIDTH + 4 + BESIDE * 25, 4 + BESIDE * 15)


def test_each_shape_of_a_sheet_holds_the_way_to_the_other() -> None:
    tall, wide = TABLE.picture("tall"), TABLE.picture("wide")
    for part, other in zip(drawn(tall), drawn(wide), strict=True):
        assert part.attrib["transform"] == part.attrib["data-tall"] == other.attrib["data-tall"]
        assert other.attrib["transform"] == other.attrib["data-wide"] == part.attrib["data-wide"]
    root = ElementTree.fromstring(wide.svg("title", "words"))
    assert root.attrib["viewBox"] == f"0 0 {root.attrib['data-wide']}"
    assert root.attrib["data-tall"] == f"{WIDTH:.0f} 88"


def test_a_caption_lies_below_both_shapes() -> None:
    for picture in (TABLE.picture("tall"), TABLE.picture("wide")):
        told = picture.captioned("gone")
        assert told.height == picture.height + 40
        assert told.other is not None
        assert picture.other is not None
        assert told.other.height == picture.other.height + 40


def test_news_lie_on_the_panel_of_their_seat() -> None:
    news = {"A": [News("+ 1 leaf", "gain")], "Z": [News("nobody", "loss")]}
    heap, hand = drawn(TABLE.picture("wide", news))
    assert [text.text for text in hand.iter("text")] == ["+ 1 leaf"]
    assert not list(heap.iter("text"))


@pytest.mark.parametrize("space", [Disc(10, 20, 5), Frame(5, 15, 10, 10)])
def test_spaces_know_their_centre_and_their_height(space: Disc | Frame) -> None:
    assert space.centre == (10, 20)
    assert space.height == 10
    assert space.moved(3, 7).centre == (13, 27)
