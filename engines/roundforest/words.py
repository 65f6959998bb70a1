"""The names of pawn colours in every language: a table may be declared in any of them."""

from __future__ import annotations

from engines.kernel import LANGUAGES
from engines.kernel.messages.catalogue import normalize
from engines.kernel.messages.package_data import read_words

_names = read_words("engines.roundforest")

COLOURS: dict[str, str] = {
    normalize(_names.say(f"colour.{colour}", lang)): colour
    for colour in ("red", "blue", "green", "yellow")
    for lang in LANGUAGES
}
"""Normalized name of a pawn colour in any language, to the colour."""
