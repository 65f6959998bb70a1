"""Pictures: well-formed whatever is written into them."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kernel.picture.svg import (
    Picture,
    Svg,
    arrow_head,
    at,
    el,
    group,
    joined,
    number,
    polygon,
    ring,
    spread,
    text,
    text_of,
    wrapped,
)

ANY_TEXT = st.text(st.characters(codec=None)) | st.sampled_from(
    ["<script>alert(1)</script>", '" onload="x', "]]>", "&amp;", "\x00\ud800\uffff", "'/><g>"]
)


def shown(markup: str) -> str:
    return "".join(ElementTree.fromstring(markup).itertext())


@given(ANY_TEXT)
def test_text_stays_text(content: str) -> None:
    root = ElementTree.fromstring(text(1, 2, content))
    assert len(root) == 0
    harmless = "".join(char for char in content if char.isprintable())
    got = (root.text or "").replace("\ufffd", "")
    assert "".join(char for char in got if char.isprintable()) == harmless.replace("\ufffd", "")


@given(ANY_TEXT)
def test_attributes_stay_attributes(content: str) -> None:
    root = ElementTree.fromstring(el("g", el("rect", width=2.0), data_name=content))
    assert list(root.attrib) == ["data-name"]
    assert [child.tag for child in root] == ["rect"]


@given(ANY_TEXT, ANY_TEXT)
def test_a_whole_picture_is_well_formed(title: str, description: str) -> None:
    picture = Picture(100, 50.5, group(text(1, 1, title)), {"a1": (1, 1)})
    root = ElementTree.fromstring(picture.svg(title, description, lang="fr", over=Svg("<g/>")))
    assert root.attrib["viewBox"] == "0 0 100 50.5"
    assert root.attrib["lang"] == "fr"
    assert [child.tag.rpartition("}")[2] for child in root] == ["title", "desc", "rect", "g", "g"]


@given(ANY_TEXT)
def test_joined_strings_are_not_trusted_and_markup_stays_markup(content: str) -> None:
    drawn = el("b")
    for put in (drawn + content, joined([drawn, content])):
        assert put == drawn + text_of(content)
        assert [child.tag for child in ElementTree.fromstring(el("g", put))] == ["b"]
    assert content + drawn == text_of(content) + drawn
    assert isinstance(content + drawn, Svg)
    assert el("g", drawn + drawn) == el("g", drawn, drawn)
    assert isinstance(text_of(content), Svg)
    assert text_of(text_of(content)) == text_of(content)


@pytest.mark.parametrize("tag", ["", "a b", "script>", "<g", "1g", "g\n"])
def test_tags_are_names(tag: str) -> None:
    with pytest.raises(ValueError):
        el(tag)


@pytest.mark.parametrize("name", ["onload", "onclick", "on_load", "a b", "x>", "OnLoad"])
def test_attributes_are_names_and_never_programs(name: str) -> None:
    with pytest.raises(ValueError):
        el("g", **{name: "1"})


def test_attribute_names_are_written_as_svg_has_them() -> None:
    assert el("g", class_="seat", stroke_width=2, fill=None) == '<g class="seat" stroke-width="2"/>'


@pytest.mark.parametrize(
    ("value", "written"), [(0.0, "0"), (100.0, "100"), (2.5, "2.5"), (1 / 3, "0.33"), (-1.0, "-1")]
)
def test_numbers_are_short(value: float, written: str) -> None:
    assert number(value) == written


def test_shapes() -> None:
    corners = ring(0, 0, 1, 4)
    assert [(round(x, 9), round(y, 9)) for x, y in corners] == [(1, 0), (0, 1), (-1, 0), (0, -1)]
    root = ElementTree.fromstring(polygon(corners, fill="none"))
    assert len(root.attrib["points"].split()) == 4


def test_an_arrow_head_has_its_tip_at_the_end() -> None:
    head = ElementTree.fromstring(arrow_head((0, 0), (30, 0), 10, "#000000"))
    assert head.attrib["points"] == "30,0 20,5 20,-5"
    nowhere = ElementTree.fromstring(arrow_head((3, 4), (3, 4), 10, "#000000"))
    assert nowhere.attrib["points"] == "3,4 3,4 3,4"


def test_drawings_are_put_in_their_place_and_size() -> None:
    assert at(1, 2.5, 3, Svg("<b/>"), fill="none") == (
        '<g transform="translate(1.00 2.50) scale(3.000)" fill="none"><b/></g>'
    )


@pytest.mark.parametrize(
    ("count", "places"), [(1, [0.0]), (2, [-5.0, 5.0]), (3, [-10.0, 0.0, 10.0])]
)
def test_things_in_a_row_stand_around_their_middle(count: int, places: list[float]) -> None:
    assert [spread(index, count, 10) for index in range(count)] == places


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("", [""]),
        ("one two three", ["one two", "three"]),
        ("immeasurable", ["immeasurable"]),
        ("an immeasurable one", ["an", "immeasurable", "one"]),
    ],
)
def test_lines_are_broken_at_spaces(words: str, lines: list[str]) -> None:
    assert wrapped(words, 8) == lines
