"""Abbreviated lines: which whole line is meant by one that types only the beginnings of words.

Two ways. *Beginnings*: of each word of a legal line a few letters, or none (``c1`` for
``step c1``), where only one line can be meant. *Laying*: what is laid at the table is named by as
much of its name as tells it from what else is left, without the places where they are filled
in order, and without the signs between its parts (``tile 16n 03e``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, takewhile
from typing import Generic, NamedTuple, TypeVar

from engines.kernel.messages.catalogue import normalize

_ATOM = re.compile(r"[^\W\d_]+|\d+")
_MOST_PLACINGS = 400
_MOST_NAMES = 2000
_NUMBERED = re.compile(r"[a-z](\d\w*)")

M = TypeVar("M")
_Chunks = Sequence[Sequence[str]]
Line = tuple[str, ...]
"""The words of a line."""


# beginnings


def beginnings(typed: str, lines: Iterable[Line]) -> list[Line]:
    """The lines that match the typed word prefixes.

    Lines of which every word was typed come first; if there are none, those that leave out their
    first words; else those with any gaps.
    """
    chunks = [letters_and_numbers(chunk) for chunk in typed.split()]
    if not all(chunks):
        return []
    known = [
        (line, [atom for word in line for atom in letters_and_numbers(word)]) for line in lines
    ]
    for fits in (_begins, _begins_inside, _begins_with_gaps):
        if found := [line for line, atoms in known if fits(chunks, atoms)]:
            return found
    return []


def only(lines: Sequence[Line]) -> Line | None:
    """The only line, or the one that is a prefix of all others; None if it is ambiguous."""
    if not lines:
        return None
    shortest = min(lines, key=len)
    return shortest if all(line[: len(shortest)] == shortest for line in lines) else None


def forced(lines: Sequence[Line]) -> Line:
    """The longest common prefix of the lines, in words."""
    return tuple(words[0] for words in takewhile(_are_one, zip(*lines, strict=False)))


def letters_and_numbers(word: str) -> list[str]:
    """Split a word into runs of letters and numbers; punctuation need not be typed."""
    return _ATOM.findall(normalize(word))


def _begins(chunks: _Chunks, atoms: Sequence[str], gaps: bool = False) -> bool:
    """Whether the typed text consists of prefixes of the atoms; a number must be complete."""
    typed = [piece for chunk in chunks for piece in chunk]

    def from_here(piece: int, offset: int, atom: int) -> bool:
        if piece == len(typed):
            return True
        if atom == len(atoms):
            return False
        text, there = typed[piece][offset:], atoms[atom]
        for count in range(_in_common(text, there), 0, -1):
            if there[0].isdecimal() and count < len(there):
                break
            done = count == len(text)
            if from_here(piece + done, 0 if done else offset + count, atom + 1):
                return True
        return gaps and from_here(piece, offset, atom + 1)

    return from_here(0, 0, 0)


def _begins_inside(chunks: _Chunks, atoms: Sequence[str]) -> bool:
    return any(_begins(chunks, atoms[start:]) for start in range(1, len(atoms)))


def _begins_with_gaps(chunks: _Chunks, atoms: Sequence[str]) -> bool:
    return _begins(chunks, atoms, gaps=True)


def _in_common(text: str, other: str) -> int:
    """The length of the common prefix."""
    return sum(1 for _ in takewhile(_are_one, zip(text, other, strict=False)))


def _are_one(things: Sequence[str]) -> bool:
    return len(set(things)) == 1


# laying


class PlacingShorthand(NamedTuple, Generic[M]):
    """Callbacks that expand ``g w w`` into one placing action for each thing."""

    verb: str
    offered: Callable[[M, Line], Mapping[str, str]]
    """Names that may come next in a line, normalized, and the words they stand for."""
    after: Callable[[M, Line], M | None]
    """The state after a line; None if the line is illegal."""
    place: Callable[[M], str | None] | None = None
    """The next place in order, if there is one; not where places are part of what is said."""
    signs: Line = ()
    """The fixed words of the form."""


def laid(moment: M, said: Sequence[str], kind: PlacingShorthand[M]) -> list[Line] | None:
    """Expand a shorthand into one line for each thing placed; None if it is ambiguous."""
    chunks, begun = tuple(map(normalize, said)), _begun(moment, kind)
    if not chunks or begun is None:
        return None
    found = list(islice(_laid(moment, chunks, begun, kind, iter(range(_MOST_NAMES))), 2))
    return found[0] if len(found) == 1 else None


def _laid(
    moment: M, chunks: Line, line: Line, kind: PlacingShorthand[M], tries: Iterator[int]
) -> Iterator[list[Line]]:
    """Every way to parse the remaining words as placements, after the line begun so far."""
    for word, used in _next_names(chunks[0], kind.offered(moment, line)):
        if next(tries, None) is None:
            return
        longer = (*line, word)
        rest = (chunks[0][used:], *chunks[1:]) if used < len(chunks[0]) else chunks[1:]
        later = kind.after(moment, longer)
        if not rest:
            whole = longer if later is not None else _with_signs(moment, longer, kind)
            yield from [] if whole is None else [[whole]]
        elif later is None:
            yield from _laid(moment, rest, longer, kind, tries)
        elif (begun := _begun(later, kind)) is not None:
            for others in _laid(later, rest, begun, kind, tries):
                yield [longer, *others]


def _begun(moment: M, kind: PlacingShorthand[M]) -> Line | None:
    if kind.place is None:
        return (kind.verb,)
    place = kind.place(moment)
    return None if place is None else (kind.verb, place)


def _next_names(text: str, offered: Mapping[str, str]) -> list[tuple[str, int]]:
    """The words whose names are a prefix of the text, and how much of the text each consumes.

    Whole names come first, then one without its leading letter (``16`` for ``F16``), then a unique
    prefix of a name. A prefix that all names share need not be typed.
    """
    alike = len(_alike(offered))
    if alike and not any(text[:1] == name[:1] for name in offered):
        offered = {name[alike:]: word for name, word in offered.items()}
    if whole := [name for name in offered if text.startswith(name)]:
        return [(offered[name], len(name)) for name in sorted(whole, key=len, reverse=True)]
    numbers = {name: found[1] for name in offered if (found := _NUMBERED.fullmatch(name))}
    said = {name: len(number) for name, number in numbers.items() if text.startswith(number)}
    said = said or {name: _in_common(text, name) for name in offered}
    most = max(said.values(), default=0)
    likely = {offered[name] for name, count in said.items() if count == most}
    return [(likely.pop(), most)] if most and len(likely) == 1 else []


def _alike(names: Iterable[str]) -> tuple[str, ...]:
    """The common prefix of several names."""
    found = [tuple(name) for name in names]
    return forced(found) if len(found) > 1 else ()


def _with_signs(moment: M, line: Line, kind: PlacingShorthand[M]) -> Line | None:
    """Insert the fixed words between the parts of a line where that makes it legal."""
    if not kind.signs:
        return None
    for places in islice(combinations(range(2, len(line)), len(kind.signs)), _MOST_PLACINGS):
        found = list(line)
        for place, sign in zip(reversed(places), reversed(kind.signs), strict=True):
            found.insert(place, sign)
        if kind.after(moment, tuple(found)) is not None:
            return tuple(found)
    return None
