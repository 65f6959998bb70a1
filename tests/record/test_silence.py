"""Silence in a record: a derived end is told by what implied it, and holds in every correction."""

from __future__ import annotations

import pytest

from engines.kernel import Verdict
from referee.proof.verify import verify
from referee.table.bench import Bench
from referee.table.corrections import correct
from referee.table.openings import open_game
from referee.table.play import log
from tests.record.test_bench import play

FOREST = (
    "forest S1A S2A",
    "pyramid swap_again gift_clover bargain lone_step"
    " / sale gift_feather cheap_crystal / hoard convert_1",
)
TURNS = ("A step a1", "A gather", "B step c1", "B pick", "A step b1", "A pick", "B step c2")


@pytest.fixture
def forest(bench: Bench) -> str:
    table = open_game(bench, "benevolent", "table A=blue B=red first A").game.id
    play(bench, table, *FOREST, *TURNS)
    return table


def test_a_correction_behind_an_end_that_nobody_said_leaves_nothing_pending(
    bench: Bench, forest: str
) -> None:
    """A gathered leaves, by the log; really A learnt a secret, and might have gone on with it."""
    correct(bench, forest, 4, ["A learn 1b"])
    game = bench.game(forest)
    assert game.pending == ()
    assert game.state.players["A"].ephemeral == ("gift_clover",)
    ended = [step.number for step in game.steps if "BEN-TURN-9" in told(step.verdict)]
    assert ended == [5, 9]


def told(verdict: Verdict) -> list[str]:
    return [point.clause for point in verdict.effects]


def test_the_end_is_no_entry_and_the_record_proves_itself(bench: Bench, forest: str) -> None:
    correct(bench, forest, 4, ["A learn 1b"])
    before = len(bench.game(forest).entries)
    heard = log(bench, forest, "B swap clover")
    assert heard.accepted
    assert len(bench.game(forest).entries) == before + 1
    assert verify(forest, list(bench.store.read(forest))).ok
