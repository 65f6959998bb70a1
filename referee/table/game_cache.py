"""The games that are at hand, as many as fit; the others are folded again when asked for."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from referee.record.game import Game

LONG = 500
"""Shorter records are folded sooner than a snapshot would be found, read and checked."""


class GameCache:
    """Games never change, so that any thread may go on with what another has put here."""

    def __init__(self, bound: int) -> None:
        self.bound = bound
        """How many entries the games kept here may have together."""
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._entries = 0
        self._lock = Lock()

    def get(self, game_id: str) -> Game | None:
        with self._lock:
            game = self._games.get(game_id)
            if game is not None:
                self._games.move_to_end(game_id)
            return game

    def put(self, game: Game) -> None:
        """Keep a game, unless a later state of it is here; those longest unasked give way."""
        with self._lock:
            known = self._games.get(game.id)
            if known is not None and _order(known) >= _order(game):
                return
            self._entries += len(game.entries) - (len(known.entries) if known else 0)
            self._games[game.id] = game
            self._games.move_to_end(game.id)
            while self._entries > self.bound and len(self._games) > 1:
                _, dropped = self._games.popitem(last=False)
                self._entries -= len(dropped.entries)

    def __len__(self) -> int:
        return len(self._games)

    @property
    def entries(self) -> int:
        return self._entries


def _order(game: Game) -> tuple[int, bool]:
    """A later one comes behind an earlier one, a whole one behind one taken from a snapshot."""
    return game.version, game.steps.whole
