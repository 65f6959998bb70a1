"""Pure functions that are asked the same again and again."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")

MOST = 4096
MOST_ACTIONS = 2048
"""Of a kind, about as many as are offered anywhere at once: one and a half megabytes."""
_VALUES = frozenset((str, int, float, bool, type(None), tuple))


def memoize(make: Callable[P, R]) -> Callable[P, R]:
    """Of the same things the same value, made once.

    Numbers, words and tuples of them are the same if they are equal; anything else, such as the
    data of a box, if it is the very same object: hashing it would cost more than it saves.
    """
    kept: dict[tuple[Any, ...], tuple[tuple[Any, ...], R]] = {}

    @wraps(make)
    def once(*things: P.args, **named: P.kwargs) -> R:
        key = tuple(one if type(one) in _VALUES else id(one) for one in things)
        if (found := kept.get(key)) is None:
            if len(kept) >= MOST:
                kept.clear()
            # Whatever is known by identity is kept, so that nothing else can come in its place.
            found = kept[key] = things, make(*things, **named)
        return found[1]

    return once


def interned(kind: Callable[P, R]) -> Callable[P, R]:
    """Makes candidates of a kind: from the same words the very same action, checked once.

    They are frozen, and most of those that may come next here came next one position ago.
    """
    return cast(Callable[P, R], lru_cache(MOST_ACTIONS)(kind))
