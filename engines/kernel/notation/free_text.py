"""Lines as people say them: what a line may mean that the notation does not read as it stands.

Commas and the colon behind a seat are left out, small words (``from``, ``the``, ``à``) may be,
and words that make up a name stand for it (``silver token``). A notation asks for this only
where it cannot read the words themselves, and takes it only where all that can be read is one
and the same action.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from engines.kernel.messages.catalogue import normalize

MOST_VARIANTS = 96
"""With more variants than this, a line counts as ambiguous."""
_LONGEST_NAME = 6
_APART = re.compile(r"[^a-z0-9]+")
_ELIDED = re.compile(r"(?i)(?:[dl]|qu)['’](?=\w)")
_ARROW = re.compile(r"->|=>|→")
_COMMA = re.compile(r"(@-?\d+,-?\d+)|,")
"""The one between two coordinates, ``a1@0,-1``, is part of their name."""
_ONE_LETTER = re.compile(r"[A-Za-z]")


def plain_name(text: str) -> str:
    """Normalize a name for comparison: spelling variants of ``jeton d'argent`` become equal."""
    return _APART.sub("_", normalize(text)).strip("_")


def tidied(words: Sequence[str]) -> list[str]:
    """Drop commas and the colon behind the seat; an arrow becomes ``to``."""
    plain = _COMMA.sub(lambda found: found[1] or " ", _ARROW.sub(" to ", " ".join(words)))
    found = plain.split()
    if len(found) > 1 and found[1] == ":":
        del found[1]
    if found and found[0].endswith(":"):
        found[0] = found[0].removesuffix(":")
    return [word for word in found if word]


class FreeText:
    """The names of a game that have several words, and the small words that may be left out."""

    def __init__(self, names: Mapping[str, str], small: frozenset[str]) -> None:
        self._names = {name: word for name, word in names.items() if "_" in name}
        self.small = small

    def variants(
        self, words: Sequence[str], keywords: Callable[[str], bool] = lambda word: False
    ) -> list[list[str]]:
        """Enumerate rewordings of the words behind a verb; empty if there are too many.

        Before that it tries again with every name of several words taken as a whole. A keyword of
        the verb is not dropped as a small word, unless it comes first or beside another keyword.
        """
        known = [True, *map(keywords, words), False]
        telling = [
            here and not (before or after)
            for before, here, after in zip(known, known[1:], known[2:], strict=False)
        ]
        for names_first in (False, True):
            found = list(islice(self._from(words, 0, names_first, telling), MOST_VARIANTS + 1))
            if len(found) <= MOST_VARIANTS:
                return found
        return []

    def _from(
        self, words: Sequence[str], index: int, names_first: bool, telling: Sequence[bool]
    ) -> Iterator[list[str]]:
        if index == len(words):
            yield []
            return
        for used, said in self._steps(words, index, names_first):
            if said or not telling[index]:
                for rest in self._from(words, index + used, names_first, telling):
                    yield [*said, *rest]

    def _steps(
        self, words: Sequence[str], index: int, names_first: bool
    ) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The ways to read on from here: how many words are consumed, and what replaces them."""
        word = words[index]
        for used in range(min(_LONGEST_NAME, len(words) - index), 0, -1):
            name = self._name(words[index : index + used])
            if name is not None and name != normalize(word):
                yield used, (name,)
                if names_first:
                    return
        yield 1, (word,)
        if _ELIDED.match(word):
            yield 1, (_spelled_out(word),)
        if self._says_nothing(words, index):
            yield 1, ()

    def _name(self, words: Sequence[str]) -> str | None:
        """The word of the notation for a name of several words."""
        if not all(word in "?!" or plain_name(word) for word in words):
            return None
        said = " ".join(words)
        return self._names.get(plain_name(said)) or self._names.get(plain_name(_spelled_out(said)))

    def _says_nothing(self, words: Sequence[str], index: int) -> bool:
        """Whether a small word may be dropped: not at the end, nor where it may name a seat."""
        word = words[index]
        if index + 1 >= len(words) or normalize(word) not in self.small:
            return False
        return not (_ONE_LETTER.fullmatch(word) and _may_be_letters(word, words[index + 1]))


def _spelled_out(text: str) -> str:
    """Without the elided French article at its beginning (``l'``, ``d'``)."""
    return _ELIDED.sub("", text, count=1) if _ELIDED.match(text) else text


def _may_be_letters(word: str, after: str) -> bool:
    return word.isupper() or _ONE_LETTER.fullmatch(after) is not None
