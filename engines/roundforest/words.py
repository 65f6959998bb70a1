"""The names of pawn colours and directions in every language: a table may use any of them."""

from __future__ import annotations

from engines.kernel import LANGUAGES
from engines.kernel.messages.catalogue import normalize
from engines.kernel.messages.package_data import read_words
from engines.roundforest.kit import FACINGS

_names = read_words("engines.roundforest")

COLOURS: dict[str, str] = {
    normalize(_names.say(f"colour.{colour}", lang)): colour
    for colour in ("red", "blue", "green", "yellow")
    for lang in LANGUAGES
}
"""Normalized name of a pawn colour in any language, to the colour."""

FACING_NAMES = frozenset(
    normalize(name)
    for facing in FACINGS
    for name in (facing, *(_names.say(f"term.{facing}", lang) for lang in LANGUAGES))
)
"""What a tile may be said to point to."""
