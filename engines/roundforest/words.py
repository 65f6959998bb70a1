"""The catalogue of the game's words."""

from __future__ import annotations

from engines.kernel import LANGUAGES, Words
from engines.kernel.data import catalogue
from engines.kernel.words import fold

WORDS: Words = catalogue("engines.roundforest")

COLOURS: dict[str, str] = {
    fold(WORDS.say(key, lang)): key.removeprefix("colour.")
    for key in WORDS
    if key.startswith("colour.")
    for lang in LANGUAGES
}
"""The names of pawn colours, folded, in every language."""
