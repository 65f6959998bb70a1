"""Catalogues for tests, and what a message inside an error says."""

from __future__ import annotations

from functools import reduce
from typing import Any

from answers.voice import words_on_top
from cli.commands.tournament import CATALOGUES
from cli.speech import program_words
from engines.kernel import Language, Words
from engines.kernel.data import read_words
from engines.kernel.engine import KERNEL_WORDS

REFEREE_WORDS: Words = read_words("referee", KERNEL_WORDS)
PROGRAM_WORDS: Words = reduce(
    lambda below, package: words_on_top(package, below), CATALOGUES, program_words()
)
"""All that the program may say, whichever command is called."""


def said(fact: Any, lang: Language = "en") -> str:
    return REFEREE_WORDS.show(fact, lang)
