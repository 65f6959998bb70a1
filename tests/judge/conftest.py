"""Tables to judge: a bench in memory, and a table where something went wrong."""

from __future__ import annotations

import pytest

from referee.table.bench import Bench
from referee.table.openings import open_game
from referee.table.play import log
from tests.record.conftest import make_bench


@pytest.fixture
def bench() -> Bench:
    return make_bench()


@pytest.fixture
def table(bench: Bench) -> str:
    return disputed_table(bench)


def disputed_table(bench: Bench) -> str:
    """B took as many as A had taken; it stands, and play went on."""
    table = open_game(bench, "pebbles", "table A B first A").game.id
    log(bench, table, "take 2")
    log(bench, table, "take 2", stands=True)
    log(bench, table, "take 1")
    return table
