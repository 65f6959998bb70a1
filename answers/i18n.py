"""Localisation of answers: language, message catalogues, inline style markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct, field

from engines.kernel.messages.catalogue import Catalogue, Language, Spoken, Verbatim
from engines.kernel.messages.package_data import read_words
from engines.kernel.values.structs import evolve

Mark = Callable[[str, str], str]
"""Gives a text a style: ``good``, ``bad``, ``unsure``, ``dim`` or ``bold``."""


def unmarked(style: str, text: str) -> str:
    return text


_MARKED = re.compile("\ue000([a-z]+)\ue001(.*?)\ue002", re.DOTALL)


def marked(style: str, text: str) -> str:
    """Inline markup: wrap text in private-use code points that carry a style over HTTP.

    The service does not know whether its client has colours; ``shown`` turns the markers into them.
    """
    return f"\ue000{style}\ue001{text}\ue002"


def shown(text: str, mark: Mark) -> str:
    """Replace inline markup made by ``marked`` with the styles of this output."""
    return _MARKED.sub(lambda found: mark(found[1], found[2]), text)


@cache
def answers_words() -> Catalogue:
    """The catalogue of all answers."""
    return read_words("answers", read_words("referee", read_words("engines.kernel")))


@cache
def words_on_top(package: str, below: Catalogue) -> Catalogue:
    """A package's own catalogue with another as fallback."""
    return read_words(package, below)


class Voice(Struct, frozen=True):
    """Localiser: a language, its message catalogue, and how styles are marked.

    A style only repeats what the words say, so that nothing is lost without colours.
    """

    lang: Language = "en"
    words: Catalogue = field(default_factory=answers_words)
    mark: Mark = unmarked
    program: str | None = None
    """How this caller calls the referee again, where it is a program with commands."""
    thorough: bool = False
    """Whether also what goes without saying is said."""

    def say(self, key: str, /, **facts: Any) -> str:
        return self.words.say(key, self.lang, **facts)

    def spoken(self, fact: Any) -> str:
        """One fact as text: a nested message, a number, a list."""
        return self.words.show(fact, self.lang)

    def labelled(self, label: str, text: str) -> str:
        """``label: text`` with the punctuation of the language."""
        return self.say("labelled", label=Verbatim(label), text=Verbatim(text))

    def facts(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Facts as data, the messages among them in words."""
        return {
            name: self.spoken(fact) if isinstance(fact, Spoken) else fact
            for name, fact in facts.items()
        }

    def knowing(self, package: str) -> Voice:
        """The same localiser with the catalogue of another package on top."""
        return evolve(self, words=words_on_top(package, self.words))


def columns(rows: Iterable[tuple[str, ...]], gap: int = 2, widest: int | None = None) -> list[str]:
    """Text in aligned columns; a cell longer than ``widest`` does not widen its column."""
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
