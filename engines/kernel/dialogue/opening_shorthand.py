"""A table opened in few words: ``blue red A`` is ``table A=blue B=red first A``.

Seats are named in their order, or only counted where they have nothing of their own; of a word
that is fixed its beginning is enough, and what can only stand behind one word needs no such word:
a seat that is taken is the first player's, a value that one reading alone has names its reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engines.kernel.engine.engine import Engine
from engines.kernel.messages.catalogue import normalize
from engines.kernel.messages.errors import ParseError
from engines.kernel.notation.reader import Section
from engines.kernel.values.numbers import whole_number

_SEATS = "ABCDEFGH"


def opening_in_full(engine: Engine[Any, Any], line: str) -> str:
    """Expand an opening shorthand; returned unchanged if the result would not open a table."""
    for text in (" ".join(["table", *_Seating(engine).spelled(line.split()[1:])]), line):
        try:
            engine.read(text)
        except ParseError:
            continue
        return text
    return line


class _Seating:
    """One opening, word by word."""

    def __init__(self, engine: Engine[Any, Any]) -> None:
        self._readings = engine.reading_values
        self._words = engine.words
        self._left = engine.notation.sections(engine.opening)
        """Keywords that were not said yet, and what may follow them."""
        self._values = dict.fromkeys(_usual_values(engine))
        """What the seats of usual tables have, as far as nobody has it yet: colours."""
        self._counted = not self._values
        self._seated = 0

    def spelled(self, words: Iterable[str]) -> Iterator[str]:
        section, waits = "", False
        fixed: tuple[str, ...] = ()
        for word in words:
            named = None if waits else self._named(word, section)
            implied = None if waits or named else self._implied(word, section)
            if keyword := named or implied:
                behind = self._left.pop(keyword)
                section, fixed = keyword, behind.words if behind else ()
                yield keyword
            waits = bool(named and behind)
            if not named:
                yield from self._values_of(word, section, fixed)

    def _named(self, word: str, section: str) -> str | None:
        """The keyword that a word is, or is a prefix of."""
        for keyword in self._left:
            entry = self._words.entry(f"keyword.{keyword}") or {}
            if normalize(word) in {keyword, *map(normalize, " ".join(entry.values()).split())}:
                return keyword
        return None if self._is_value(word, section) else only_one(word, self._left)

    def _implied(self, word: str, section: str) -> str | None:
        """The only keyword that this word could follow."""
        if self._is_value(word, section):
            return None
        taking = [key for key, behind in self._left.items() if self._takes(key, behind, word)]
        whole = "first" if "first" in taking else None  # a seat is said as a whole
        return whole or (taking[0] if len(taking) == 1 else None)

    def _is_value(self, word: str, section: str) -> bool:
        """Whether a word is a valid value in the current section."""
        if section == "readings" and self._read_by(word) is not None:
            return True
        return "=" in word or (not section and only_one(word, self._values) is not None)

    def _takes(self, keyword: str, behind: Section | None, word: str) -> bool:
        if behind is None or not self._seated:
            return False
        if keyword == "first":
            return word.upper() in _SEATS[: self._seated]
        return word.isdecimal() if behind.is_number else only_one(word, behind.words) is not None

    def _values_of(self, word: str, section: str, fixed: tuple[str, ...]) -> Iterator[str]:
        """The values a word may stand for in its section: seats, readings, or others."""
        if section:
            yield self._reading(word) if section == "readings" else only_one(word, fixed) or word
        elif not self._counted and "=" not in word:
            said, at, place = word.partition("@")
            colour = only_one(said, self._values) or said
            self._values.pop(colour, None)
            yield f"{_SEATS[min(self._seated, len(_SEATS) - 1)]}={colour}{at}{place}"
            self._seated += 1
        elif (count := whole_number(word)) is not None:
            yield from _SEATS[:count]
            self._seated = count
        else:
            yield word
            self._seated += 1

    def _reading(self, word: str) -> str:
        said, equals, value = word.partition("=")
        name = only_one(said, self._readings) if equals else self._read_by(word)
        known = self._readings.get(name or said, ())
        return f"{name or said}={only_one(value if equals else said, known) or value}"

    def _read_by(self, value: str) -> str | None:
        """The only reading that has a value with this prefix."""
        having = [name for name, values in self._readings.items() if only_one(value, values)]
        return having[0] if len(having) == 1 else None


def _usual_values(engine: Engine[Any, Any]) -> Iterator[str]:
    for players in range(engine.seats[0], engine.seats[1] + 1):
        try:
            usual = engine.opening.usual(players)
        except ParseError:  # a game need not have one
            return
        pairs = (word.partition("=") for word in usual.split())
        yield from (value.partition("@")[0] for _, equals, value in pairs if equals)


def only_one(word: str, words: Iterable[str]) -> str | None:
    """The word itself, or the only word that has it as a prefix."""
    known = list(words)
    found = [each for each in known if normalize(each) == normalize(word)]
    found = found or [
        each for each in known if word and normalize(each).startswith(normalize(word))
    ]
    return found[0] if len(found) == 1 else None
