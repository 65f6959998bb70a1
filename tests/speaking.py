"""What a message inside an error says."""

from __future__ import annotations

from typing import Any

from engines.kernel import Language, Words
from engines.kernel.data import read_words
from engines.kernel.engine import KERNEL_WORDS

REFEREE_WORDS: Words = read_words("referee", KERNEL_WORDS)


def said(fact: Any, lang: Language = "en") -> str:
    return REFEREE_WORDS.show(fact, lang)
