"""The catalogue of the game's words."""

from __future__ import annotations

from engines.kernel import LANGUAGES, Words
from engines.kernel.data import read_words
from engines.kernel.engine import KERNEL_WORDS
from engines.kernel.words import fold

WORDS: Words = read_words("engines.roundforest", KERNEL_WORDS)

COLOURS: dict[str, str] = {
    fold(WORDS.say(key, lang)): key.removeprefix("colour.")
    for key in WORDS
    if key.startswith("colour.")
    for lang in LANGUAGES
}
"""The names of pawn colours, folded, in every language."""
