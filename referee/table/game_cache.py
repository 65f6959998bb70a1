"""LRU cache of games, bounded by their entries; those evicted are folded again when asked for."""

from __future__ import annotations

from referee.lru_cache import LruCache
from referee.record.game import Game

LONG = 500
"""Shorter records are folded sooner than a snapshot would be found, read and checked."""


def game_cache(bound: int) -> LruCache[Game]:
    """``bound``: how many entries the games kept may have together."""
    return LruCache(bound, weight=lambda game: len(game.entries), order=_order)


def _order(game: Game) -> tuple[int, bool]:
    """Which of two versions of a game to keep: the later one, then one without lazy parts."""
    return game.version, game.steps.whole
