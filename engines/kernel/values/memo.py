"""Memoization of pure functions, and interning of actions: the same come again and again."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")

MOST = 4096
MOST_ACTIONS = 2048
"""Cache size for each action type: about the most candidates of any position (1.5 MB)."""
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


def interned(kind: Callable[P, R]) -> Callable[P, R]:
    """An interning constructor (LRU): equal arguments give the same frozen action, validated once.

    Most candidates of a position were candidates one position ago.
    """
    return cast(Callable[P, R], lru_cache(MOST_ACTIONS)(kind))
