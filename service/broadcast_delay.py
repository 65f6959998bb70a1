"""The broadcast delay: spectators see a running game some entries, or some seconds, later."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from threading import Lock

from answers.context import StoreContext, policy_of
from referee.record.fold import fold
from referee.record.game import Game
from referee.store.sidecars.access import PolicyInForce

EARLIER_AT_HAND = 64
"""Cache size: so many delayed games."""


class BroadcastDelay:
    """Games as spectators may see them by now; earlier moments are cached."""

    def __init__(self, store_context: StoreContext) -> None:
        self._store_context = store_context
        self._earlier: dict[tuple[str, int], Game] = {}
        self._lock = Lock()

    def latest(self, game: Game) -> Game:
        """The game up to the latest entry that spectators may see."""
        rules = policy_of(self._store_context, game.id, game.opened.tournament)
        known = visible_entries(game, rules, datetime.now(UTC))
        if known == len(game.entries):
            return game
        with self._lock:
            found = self._earlier.get((game.id, known))
        if found is None:
            found = fold(game.id, self._store_context.store.read(game.id)[:known])
            with self._lock:
                while len(self._earlier) >= EARLIER_AT_HAND:
                    self._earlier.pop(next(iter(self._earlier)))
                self._earlier[game.id, known] = found
        return found


def visible_entries(game: Game, rules: PolicyInForce, now: datetime) -> int:
    """How many entries spectators may see: at least the opening.

    The end of a game is told as late as all else, unless the delay is only until the result.
    """
    count = len(game.entries)
    if game.closed is not None and rules.until_result:
        return count
    late = timedelta(seconds=rules.delay_seconds)
    ended, took = _last_entries(game, rules.delay_entries)
    if ended is not None and now >= ended + took:
        late = max(late, took)
    else:
        count -= rules.delay_entries
    if late:
        edge = (now - late).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        while count > 1 and game.entries[count - 1].at > edge:
            count -= 1
    return max(1, count)


def _last_entries(game: Game, behind: int) -> tuple[datetime | None, timedelta]:
    """When a finished game ended, and how long its last entries took.

    Where so many are held back and no more come, they are told that long after the end, and what
    is added later that long after it was.
    """
    if game.closed is None:
        return None, timedelta()
    last = max(i for i, entry in enumerate(game.entries) if entry.data.KIND == "closed")
    ended = datetime.fromisoformat(game.entries[last].at)
    return ended, ended - datetime.fromisoformat(game.entries[max(0, last - behind)].at)
