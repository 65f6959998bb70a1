"""A table opened in few words: ``blue red f A`` is ``table A=blue B=red first A``.

Seats are named in their order, or only counted where they have nothing of their own; of a word
that is fixed its beginning is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engines.kernel.engine import Engine
from engines.kernel.errors import BadForm
from engines.kernel.words import fold

_SEATS = "ABCDEFGH"


def opening_in_full(engine: Engine[Any, Any], line: str) -> str:
    """The line with all that it leaves out; as it is, where that gives no table."""
    for text in (" ".join(["table", *_Seating(engine).spelled(line.split()[1:])]), line):
        try:
            engine.read(text)
        except BadForm:
            continue
        return text
    return line


class _Seating:
    """One opening, word by word."""

    def __init__(self, engine: Engine[Any, Any]) -> None:
        self._readings = {name: found.values for name, found in engine.readings.items()}
        self._words = engine.words
        self._left = engine.notation.sections(engine.opening)
        """Keywords that were not said yet, and the words that may follow them."""
        self._values = dict.fromkeys(_usual_values(engine))
        """What the seats of usual tables have: colours."""
        self._seated = 0

    def spelled(self, words: Iterable[str]) -> Iterator[str]:
        section, waits = "", False
        fixed: tuple[str, ...] = ()
        for word in words:
            keyword = None if waits else self._keyword(word, section)
            if keyword is None:
                waits = False
                yield from self._values_of(word, section, fixed)
                continue
            behind = self._left.pop(keyword)
            section, fixed, waits = keyword, behind or (), behind is not None
            yield keyword
            if waits and not keyword.startswith(fold(word)) and (value := only_one(word, fixed)):
                waits = False
                yield value

    def _keyword(self, word: str, section: str) -> str | None:
        """The keyword that a word begins, or that stands before a value like this."""
        for keyword in self._left:
            entry = self._words.entry(f"keyword.{keyword}") or {}
            if fold(word) in {keyword, *map(fold, " ".join(entry.values()).split())}:
                return keyword
        if "=" in word or (not section and only_one(word, self._values)):
            return None
        if found := only_one(word, self._left):
            return found
        holding = [key for key, fixed in self._left.items() if only_one(word, fixed or ())]
        return holding[0] if len(holding) == 1 else None

    def _values_of(self, word: str, section: str, fixed: tuple[str, ...]) -> Iterator[str]:
        """What a word says in its section: a seat, a reading, or something else."""
        if section == "readings":
            yield self._reading(word)
        elif section or "=" in word:
            yield only_one(word, fixed) or word
        elif self._values:
            colour, at, place = word.partition("@")
            seat = _SEATS[min(self._seated, len(_SEATS) - 1)]
            yield f"{seat}={only_one(colour, self._values) or colour}{at}{place}"
        elif word.isdigit():
            yield from _SEATS[: int(word)]
        else:
            yield word
        self._seated += not section

    def _reading(self, word: str) -> str:
        name, _, value = word.partition("=")
        name = only_one(name, self._readings) or name
        return f"{name}={only_one(value, self._readings.get(name, ())) or value}"


def _usual_values(engine: Engine[Any, Any]) -> Iterator[str]:
    for players in range(engine.seats[0], engine.seats[1] + 1):
        try:
            usual = engine.opening.usual(players)
        except BadForm:  # a game need not have one
            return
        pairs = (word.partition("=") for word in usual.split())
        yield from (value.partition("@")[0] for _, equals, value in pairs if equals)


def only_one(word: str, words: Iterable[str]) -> str | None:
    """The word itself, or the only one that begins with it."""
    known = list(words)
    found = [each for each in known if fold(each) == fold(word)]
    found = found or [each for each in known if word and fold(each).startswith(fold(word))]
    return found[0] if len(found) == 1 else None
