"""Memoization of pure functions: the same arguments come again and again."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

MOST = 4096
_VALUES = frozenset((str, int, float, bool, type(None), tuple))


def memoize(make: Callable[P, R]) -> Callable[P, R]:
    """Memoize a function: numbers, strings and tuples by equality, all other arguments by identity.

    The data of a box is large: hashing it would cost more than the cache saves.
    """
    kept: dict[tuple[Any, ...], tuple[tuple[Any, ...], R]] = {}

    @wraps(make)
    def once(*things: P.args, **named: P.kwargs) -> R:
        key = tuple([one if type(one) in _VALUES else id(one) for one in things])
        if (found := kept.get(key)) is None:
            if len(kept) >= MOST:
                kept.clear()
            # Arguments known by identity are kept alive, so that no other is given their id.
            found = kept[key] = things, make(*things, **named)
        return found[1]

    return once
