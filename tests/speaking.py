"""What a message says, what it leaves to be filled in, and whether a shell takes it as it is."""

from __future__ import annotations

from functools import reduce
from typing import Any

from answers.i18n import words_on_top
from cli.command_table import TOURNAMENT
from cli.i18n import program_words
from engines.kernel import Catalogue, Language
from engines.kernel.messages.catalogue import blanks
from engines.kernel.messages.package_data import KERNEL_WORDS, read_words

REFEREE_WORDS: Catalogue = read_words("referee", KERNEL_WORDS)
PROGRAM_WORDS: Catalogue = reduce(
    lambda below, package: words_on_top(package, below), TOURNAMENT.catalogues, program_words()
)
"""All that the program may say, whichever command is called."""


def said(fact: Any, lang: Language = "en") -> str:
    return REFEREE_WORDS.show(fact, lang)


def placeholders(template: str) -> set[str]:
    return blanks(template)
