"""Round robin by Berger's tables: everyone meets everyone, once or twice."""

from __future__ import annotations

from collections.abc import Sequence

ALGORITHM = "berger"


def rounds_needed(players: int, *, twice: bool) -> int:
    once = players - 1 if players % 2 == 0 else players
    return 2 * once if twice else once


def berger(places: int, number: int) -> list[tuple[int, int]]:
    """Round ``number`` (from 1) for an even number of places: pairs of places, first one begins.

    The last place stays, the others go round; it begins in every second round. A second cycle
    has the same meetings with the other player beginning.
    """
    cycle, at = divmod(number - 1, places - 1)
    last = places - 1
    half = places // 2
    pivot = at * half % last
    pairs = [(pivot, last) if at % 2 == 0 else (last, pivot)]
    pairs += [((pivot + step) % last, (pivot - step) % last) for step in range(1, half)]
    return [(two, one) for one, two in pairs] if cycle % 2 else pairs


def schedule(players: Sequence[str], number: int) -> list[tuple[str | None, str | None]]:
    """The pairs of a round; an odd number is filled up with an empty place."""
    places: list[str | None] = list(players)
    if len(places) % 2:
        places.append(None)
    return [(places[one], places[two]) for one, two in berger(len(places), number)]
