"""Sprites: drawings with gaps, safe whatever is filled in, and sound in every game."""

from __future__ import annotations

from unittest.mock import patch
from xml.etree import ElementTree

import pytest
from hypothesis import given

from engines.kernel.messages.package_data import read_text
from engines.kernel.picture import sprites
from engines.kernel.picture.sprites import FILE, PALETTE, Sprites
from engines.kernel.picture.svg import Svg, el
from schemas.build import shipped_games
from tests.kernel.test_svg import ANY_TEXT

CONTENT = """<svg xmlns="http://www.w3.org/2000/svg">
      <symbol id="leaf"><path d="M0 0" fill="{ink}"/></symbol>
      <symbol id="pile">
        <g data-word="{word}" class="a {word}"
           stroke="{edge}">
          <use href="#leaf" transform="scale({size})"/>
          <text>{count} of
            {word}</text>
          {inside}
        </g>
      </symbol>
    </svg>"""
DRAW = Sprites("tests")
with patch.object(sprites, "read_text", return_value=CONTENT):
    assert list(DRAW.symbols) == ["leaf", "pile"]


def pile(**values: object) -> Svg:
    return DRAW(
        "pile", **{"word": "c3", "edge": None, "size": 2.0, "count": 1, "inside": None} | values
    )


def test_gaps_are_filled_in_and_drawings_used_by_others_are_in_them() -> None:
    assert pile(edge="red", count=3, inside=[el("b"), el("i")]) == (
        '<g data-word="c3" class="a c3" stroke="red"><g transform="scale(2)">'
        f'<path d="M0 0" fill="{PALETTE["ink"]}"/></g><text>3 of c3</text><b/><i/></g>'
    )
    assert "stroke" not in pile()


def test_a_drawing_is_put_in_its_place_and_size() -> None:
    leaf = DRAW("leaf")
    assert DRAW("leaf", 1, 2.5, 3) == f'<g transform="translate(1.00 2.50) scale(3)">{leaf}</g>'
    assert DRAW("leaf", 1, 0) == f'<g transform="translate(1.00 0.00)">{leaf}</g>'


def test_a_gap_that_nobody_fills_in_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        DRAW("pile", word="c3")


@given(ANY_TEXT)
def test_what_is_filled_in_stays_text(content: str) -> None:
    root = ElementTree.fromstring(pile(word=content, edge=content, inside=content))
    assert set(root.attrib) == {"data-word", "class", "stroke"}
    assert [child.tag for child in root] == ["g", "text"]


def test_a_text_that_looks_like_a_drawing_is_not_taken_for_it() -> None:
    drawn, typed = pile(inside=Svg("<b/>")), pile(inside="<b/>")
    assert "<b/>" in drawn
    assert "&lt;b/&gt;" in typed


@pytest.mark.parametrize("game", shipped_games())
def test_the_drawings_of_a_game_are_sound(game: str) -> None:
    """Well-formed, all of them read; no programs; a label has its own size, which the table page
    looks for."""
    content = read_text(f"engines.{game}", FILE)
    assert content is not None
    root = ElementTree.fromstring(content)
    symbols = Sprites(f"engines.{game}").symbols
    assert list(symbols) == [symbol.attrib["id"] for symbol in root]
    for part in root.iter():
        tag = part.tag.rpartition("}")[2]
        assert tag not in ("script", "style", "foreignObject", "image", "a")
        assert not [name for name in part.attrib if name.lower().startswith("on")]
        assert tag != "text" or "font-size" in part.attrib
