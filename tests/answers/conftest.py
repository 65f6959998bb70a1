"""A house in memory and callers of every kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from answers.context import Caller, StoreContext, open_store_context
from answers.play.actions import log
from referee.table.author import Author
from tests.opening import new_table

SETUP = [
    "forest S1A S2A",
    "pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal"
    " / hoard convert_1",
    "A step c1; pick",
    "B step c1; pick",
]


@pytest.fixture
def store_context(tmp_path: Path) -> StoreContext:
    return open_store_context(f"sqlite://{tmp_path}/games.db")


@pytest.fixture
def scribe(store_context: StoreContext) -> Caller:
    return Caller(store_context)


@pytest.fixture
def judge(store_context: StoreContext) -> Caller:
    return Caller(store_context, Author(role="judge"))


@pytest.fixture
def game(scribe: Caller) -> str:
    """A table of Benevolent after its set-up and two turns."""
    opened = new_table(scribe, "benevolent", "A=blue B=red first A", players={"A": "Ana"})
    assert log(scribe, opened, SETUP).outcome == "done"
    return opened
