"""How many taps a line takes: what ``static/lines.js`` does, told again to count and to play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

FEW = 8
"""So few lines are offered whole."""


def remaining(lines: Sequence[str], taps: Sequence[str]) -> list[str]:
    """The lines in which every tapped word occurs, as often as it was tapped."""
    wanted = Counter(taps)
    return [line for line in lines if wanted <= Counter(line.split())]


def telling(lines: Sequence[str], taps: Sequence[str]) -> dict[str, int]:
    """The words that tell the remaining lines apart, and how many lines each would leave."""
    left, tapped = remaining(lines, taps), Counter(taps)
    counts = Counter(
        word
        for line in left
        for word, times in Counter(line.split()).items()
        if times > tapped[word]
    )
    return {word: count for word, count in counts.items() if count < len(left)}


def exact(lines: Sequence[str], taps: Sequence[str]) -> list[str]:
    """The lines that no further tap could single out."""
    words, tapped = telling(lines, taps), Counter(taps)
    return [
        line
        for line in remaining(lines, taps)
        if not any(
            word in words and count > tapped[word] for word, count in Counter(line.split()).items()
        )
    ]


def taps_needed(lines: Sequence[str], line: str) -> int:
    """The taps that single out a line, without the one that logs it: the least, up to two."""
    if len(lines) == 1:
        return 0
    for count in range(2):
        chosen = sorted(set(combinations(sorted(line.split()), count)))
        if any(remaining(lines, taps) == [line] for taps in chosen if taps):
            return count
        if any(offered_whole(lines, taps, line) for taps in chosen):
            return count + 1
    return len(path_to(lines, line))


def path_to(lines: Sequence[str], line: str) -> list[str]:
    """Taps that lead to a line, the most telling word first; the line itself, where it is offered
    whole."""
    taps: list[str] = []
    while remaining(lines, taps) != [line]:
        if offered_whole(lines, taps, line):
            return [*taps, line]
        words, tapped = telling(lines, taps), Counter(taps)
        mine = [word for word, times in Counter(line.split()).items() if times > tapped[word]]
        taps.append(min((word for word in mine if word in words), key=words.__getitem__))
    return taps


def offered_whole(lines: Sequence[str], taps: Sequence[str], line: str) -> bool:
    """Whether a button says the whole line."""
    left = remaining(lines, taps)
    return len(left) <= FEW or (bool(taps) and line in exact(lines, taps))
