"""Resumes long records from snapshots, and makes new snapshots as they grow."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from referee.lru_cache import LruCache
from referee.record.fold import fold
from referee.record.game import Game
from referee.record.snapshot_codec import NotPortable
from referee.record.snapshots import resumed, snapshot
from referee.store.derived.snapshot_files import Snapshots, snapshots_folder
from referee.store.envelopes import Stored
from referee.table.game_cache import LONG

EVERY = 250
"""A new snapshot is written after so many more entries."""
_REMEMBERED = 10_000


def resuming(url: str) -> Resuming | None:
    """Snapshot support for a store; None for a store in memory."""
    folder = snapshots_folder(url)
    return Resuming(Snapshots(folder)) if folder is not None else None


class Resuming:
    """Reads and writes the snapshots of one store for a bench."""

    def __init__(self, snapshots: Snapshots) -> None:
        self._snapshots = snapshots
        self._last: LruCache[int] = LruCache(_REMEMBERED)
        """By game: the last entry in its snapshot."""

    def game(self, game_id: str, rows: Sequence[Stored]) -> Game:
        """The game of a long record: resumed from its snapshot, else folded."""
        content = self._snapshots.read(game_id)
        found = resumed(game_id, rows, content) if content is not None else None
        if found is None:
            game = fold(game_id, rows)
        else:
            game, last = found
            self._last.put(game_id, last)
        self.look_at(game)
        return game

    def look_at(self, game: Game) -> None:
        """Write a new snapshot, if the game has grown enough since the last one."""
        last = self._last.get(game.id)
        if game.version < (LONG if last is None else last + EVERY):
            return
        self._last.put(game.id, game.version)
        with suppress(NotPortable):
            self._snapshots.write(game.id, snapshot(game))
