"""A bench in memory whose clock and keys do not depend on the day."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from referee.store import open_store
from referee.table.bench import Bench
from referee.table.openings import open_game


def make_bench(url: str = "memory:") -> Bench:
    seconds, keys, ids = count(), count(1), count(1)
    return Bench(
        open_store(url),
        clock=lambda: f"2026-01-01T12:{next(seconds) // 60 % 60:02}:00.000Z",
        keys=lambda: f"key-{next(keys)}",
        ids=lambda: f"game-{next(ids):08}",
    )


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = make_bench()
    yield made
    made.store.close()


@pytest.fixture
def table(bench: Bench) -> str:
    """A table of Pebbles, just opened: twelve pebbles, A begins."""
    return open_game(bench, "pebbles", "table A B first A").game.id
