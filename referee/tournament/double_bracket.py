"""The matches of a double elimination: who meets whom, and where winners and losers go.

All of it follows from the number of players, so that it can be read before the first round.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

Part = Literal["upper", "lower", "final"]


class Source(NamedTuple):
    """Where somebody comes from: a seed, or what was won or lost at a match; both from 1."""

    kind: Literal["seed", "winner", "loser"]
    of: int


class BracketMatch(NamedTuple):
    number: int
    """From 1, in the order in which they are played."""
    step: int
    """Matches of the same step are played in the same round."""
    part: Part
    round: int
    """Within its part, from 1."""
    sides: tuple[Source, Source]


def bracket(size: int) -> list[int]:
    """The order of seeds in a bracket of 2, 4, 8…: the best two can only meet in the final."""
    order = [0]
    while len(order) < size:
        order = [seed for best in order for seed in (best, 2 * len(order) - 1 - best)]
    return order


def fall_to(place: int, places: int, round: int) -> int:
    """Where in the lower bracket somebody falls who loses in a round of the upper one.

    Straight, reversed, each half reversed, halves exchanged, and so on: those who have met come
    to different halves or quarters, and can only meet again late.
    """
    half = places // 2
    turns = (0, places - 1, max(half - 1, 0), half)
    return place ^ turns[(round - 1) % 4]


class _Place(NamedTuple):
    """Where a match is drawn. Sorted, places are in the order of play."""

    step: int
    part: int
    """Of ``PARTS``."""
    round: int
    at: int
    """From top to bottom."""


PARTS: tuple[Part, ...] = ("upper", "lower", "final")
_Side = tuple[Literal["winner", "loser"], _Place] | int | None
"""A seed, or who comes from another match; None is nobody."""


@lru_cache(64)
def matches_of(players: int) -> tuple[BracketMatch, ...]:
    """The bracket of so many players; the last match is played only if the final asks for it."""
    if players < 2:
        return ()
    drawn: dict[_Place, tuple[_Side, _Side]] = {}

    def meet(step: int, part: Part, round: int, pairs: Iterable[tuple[_Side, _Side]]) -> _Met:
        """Who wins and who loses, from top to bottom; whoever has no opponent goes on."""
        won: list[_Side] = []
        lost: list[_Side] = []
        for at, (one, other) in enumerate(pairs):
            place = _Place(step, PARTS.index(part), round, at)
            if one is not None and other is not None:
                drawn[place] = one, other
            met = place in drawn
            won.append(("winner", place) if met else other if one is None else one)
            lost.append(("loser", place) if met else None)
        return won, lost

    depth = (players - 1).bit_length()
    above: list[_Side] = [seed + 1 if seed < players else None for seed in bracket(2**depth)]
    below: list[_Side] = []
    for round in range(1, depth + 1):
        above, lost = meet(max(1, 2 * round - 2), "upper", round, _neighbours(above))
        if round == 1:
            below = lost
            continue
        below, _ = meet(2 * round - 2, "lower", 2 * round - 3, _neighbours(below))
        fallen = [lost[fall_to(at, len(lost), round)] for at in range(len(lost))]
        below, _ = meet(2 * round - 1, "lower", 2 * round - 2, zip(below, fallen, strict=True))
    won, lost = meet(2 * depth, "final", 1, zip(above, below, strict=True))
    meet(2 * depth + 1, "final", 2, zip(won, lost, strict=True))
    numbers = {place: number for number, place in enumerate(sorted(drawn), 1)}

    def source(side: _Side) -> Source:
        assert side is not None
        return Source("seed", side) if isinstance(side, int) else Source(side[0], numbers[side[1]])

    return tuple(
        BracketMatch(
            number,
            place.step,
            PARTS[place.part],
            place.round,
            (source(drawn[place][0]), source(drawn[place][1])),
        )
        for place, number in numbers.items()
    )


_Met = tuple[list[_Side], list[_Side]]


def _neighbours(sides: list[_Side]) -> Iterable[tuple[_Side, _Side]]:
    return zip(sides[::2], sides[1::2], strict=True)
