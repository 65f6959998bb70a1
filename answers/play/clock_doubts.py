"""Warnings about a clock that can hardly be right: what is recorded keeps its time for ever."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from engines.kernel.messages.catalogue import Phrase
from referee.record.game import Game
from referee.table.bench import Bench

LONG_PAUSE = timedelta(days=60)
"""Between two entries of a record: after a longer pause, somebody is asked whether the clock of
the computer is right."""
AHEAD = timedelta(hours=1)
"""How far an entry may lie ahead of this computer's clock before somebody is asked."""


def clock_doubts(bench: Bench, game: Game, version: int) -> Iterator[Phrase]:
    """What is odd about the times of the entries behind ``version``."""
    if game.version <= version:
        return
    before, after = (datetime.fromisoformat(game.entries[seq].at) for seq in (version, version + 1))
    now = datetime.fromisoformat(bench.now())
    if after - before > LONG_PAUSE:
        yield Phrase("clock_doubt.jump", {"now": _day(after), "before": _day(before)})
    elif after - now > AHEAD:
        yield Phrase("clock_doubt.ahead", {"at": _day(after), "now": _day(now)})


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
