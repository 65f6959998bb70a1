"""Words, colours and the one way an answer is printed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.kernel.words import Language, Words


@cache
def _common() -> Words:
    from engines.kernel.data import read_words

    kernel = read_words("engines.kernel")
    return read_words("cli", read_words("referee", kernel))


_learned: dict[str, Words] = {}


def _catalogue() -> Words:
    return next(reversed(_learned.values()), None) or _common()


def learn(package: str) -> None:
    """Take in the words of a group of commands, when one of them is called."""
    from engines.kernel.data import read_words

    if package not in _learned:
        _learned[package] = read_words(package, _catalogue())


class _LazyWords:
    """The catalogue, read when the first word is needed."""

    def __contains__(self, key: str) -> bool:
        return key in _catalogue()

    def __getattr__(self, name: str) -> Any:
        return getattr(_catalogue(), name)


WORDS = _LazyWords()
_language: Language = "en"


def choose_language(arguments: list[str], environment: Mapping[str, str]) -> Language:
    """``--lang``, then REFEREE_LANG, then the locale; English otherwise."""
    asked = ""
    for index, word in enumerate(arguments):
        if word == "--lang" and index + 1 < len(arguments):
            asked = arguments[index + 1]
        elif word.startswith("--lang="):
            asked = word.removeprefix("--lang=")
    asked = asked or environment.get("REFEREE_LANG", "")
    asked = asked or environment.get("LC_ALL", "") or environment.get("LANG", "")
    set_language("fr" if asked.lower().startswith("fr") else "en")
    return language()


def language() -> Language:
    return _language


def set_language(lang: Language) -> None:
    global _language
    _language = lang


def say(key: str, /, **facts: Any) -> str:
    words: Words = _catalogue()
    return words.say(key, _language, **facts)


def spoken(fact: Any) -> str:
    """A fact in words: a message inside another one, a number, a list."""
    words: Words = _catalogue()
    return words.show(fact, _language)


def facts_data(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts as data, the messages among them in words."""
    from engines.kernel import Spoken

    return {name: spoken(v) if isinstance(v, Spoken) else v for name, v in facts.items()}


def labelled(label: str, text: str) -> str:
    """A label and what it says, as the language sets its colon."""
    from engines.kernel.words import Verbatim

    return say("labelled", label=Verbatim(label), text=Verbatim(text))


def version_line() -> str:
    from importlib.metadata import version

    return f"referee {version('referee')}"


# colours: they repeat what the words say

_STYLES = {"good": "32", "bad": "31", "unsure": "33", "dim": "2", "bold": "1"}


class Paint:
    """Colours a text, or leaves it alone."""

    def __init__(self, when: str = "auto") -> None:
        self.on = when == "always" or (when == "auto" and _wants_colour())

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.on else text


def _wants_colour() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def write(lines: Iterable[str]) -> None:
    try:
        for line in lines:
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except OSError as error:
        error.filename = error.filename or say("file.output")
        raise


def columns(rows: Iterable[tuple[str, ...]], gap: int = 2, widest: int | None = None) -> list[str]:
    """Aligned columns, without boxes; a cell beyond the widest sticks out alone."""
    table = [tuple(str(cell) for cell in row) for row in rows]
    if not table:
        return []
    widths = [
        max((len(row[i]) for row in table if widest is None or len(row[i]) <= widest), default=0)
        for i in range(len(table[0]))
    ]
    return [
        (" " * gap)
        .join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        .rstrip()
        for row in table
    ]
