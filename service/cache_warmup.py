"""Cache warm-up: after a start, games that are being played are loaded before anybody asks.

One thread folds them into the game cache, in small steps and only while no request is under way:
the first request of a table need not wait for its whole record, and no other waits for the warm-up.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from threading import Event, Thread

from referee.record.entries import AFTER_THE_END
from referee.store.event_store import Store
from referee.table.bench import Bench
from service.gc_tuning import freeze_now

LOOK_BACK = 50_000
"""Only games among so many last entries of the store are loaded; the others when asked for."""
BATCH = 500
BREATH = 0.003
"""Seconds between two steps, and between two looks at whether requests are under way."""
log = logging.getLogger("referee.service")


class CacheWarmup:
    """The thread that fills the game cache, from the start of a service to its end."""

    def __init__(self, bench: Bench, is_busy: Callable[[], bool]) -> None:
        self._bench, self._is_busy = bench, is_busy
        self._stop = Event()

    def start(self) -> Thread:
        thread = Thread(target=self.run, daemon=True, name="cache warm-up")
        thread.start()
        return thread

    def stop(self) -> None:
        self._stop.set()

    def run(self) -> None:
        """Loads games until all are loaded, the cache is half full, or the service stops."""
        try:
            for game in being_played(self._bench.store):
                if self._stop.is_set() or not self._bench.has_room:
                    break
                self._take_up(game)
        except Exception as error:
            log.warning("cache warm-up: %s", error)
        freeze_now()

    def _take_up(self, game: str) -> None:
        """Load one game. An unreadable record is skipped: a request for it gets the error."""
        try:
            for _ in self._bench.taking_up(game):
                if not self._may_go_on():
                    return
        except Exception as error:
            log.info("cache warm-up of %s: %s", game, error)

    def _may_go_on(self) -> bool:
        stopped = self._stop.wait(BREATH)
        while not stopped and self._is_busy():
            stopped = self._stop.wait(BREATH)
        return not stopped


def being_played(store: Store) -> Iterator[str]:
    """The games that are not closed, the most recently written first."""
    known: set[str] = set()
    end = store.position()
    oldest = max(0, end - LOOK_BACK)
    while end > oldest:
        start = max(oldest, end - BATCH)
        for _, entry in reversed(store.follow(start, end - start)):
            kind = entry.topic.partition("@")[0]
            tells_nothing = kind in AFTER_THE_END and kind != "reopened"
            if entry.stream in known or tells_nothing or not entry.stream.startswith("game-"):
                continue
            known.add(entry.stream)
            if kind != "closed":
                yield entry.stream
        end = start
