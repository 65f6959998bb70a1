"""Glyphs: the assessment symbols of annotated games."""

from __future__ import annotations

from typing import Literal, NamedTuple

GlyphClass = Literal["move", "position", "observation"]


class Glyph(NamedTuple):
    """An assessment symbol. Of each of the first two classes a note has at most one."""

    kind: GlyphClass
    sign: str


GLYPHS: dict[str, Glyph] = {
    "good": Glyph("move", "!"),
    "mistake": Glyph("move", "?"),
    "brilliant": Glyph("move", "!!"),
    "blunder": Glyph("move", "??"),
    "interesting": Glyph("move", "!?"),
    "dubious": Glyph("move", "?!"),
    "forced": Glyph("move", "□"),
    "even": Glyph("position", "="),
    "unclear": Glyph("position", "∞"),
    "better": Glyph("position", "±"),
    "worse": Glyph("position", "∓"),
    "winning": Glyph("position", "+−"),
    "losing": Glyph("position", "−+"),
    "novelty": Glyph("observation", "N"),
    "initiative": Glyph("observation", "↑"),
    "attack": Glyph("observation", "→"),
    "hurry": Glyph("observation", "⊕"),
    "idea": Glyph("observation", "∆"),
}
SIGNS = {glyph.sign: name for name, glyph in GLYPHS.items()}


def sign_of(name: str) -> str:
    """The sign of a glyph; one that only another version knows is told by its name."""
    known = GLYPHS.get(name)
    return known.sign if known is not None else name
