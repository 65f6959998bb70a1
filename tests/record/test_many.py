"""Looks at all games of a store keep none of them."""

from __future__ import annotations

import gc
from itertools import count
from pathlib import Path

import pytest

from answers.answer import Telling
from answers.context import Caller, StoreContext
from answers.judge.what_if import what_if_all
from answers.proof.verification import stored_records, verify, verify_all
from answers.review.import_export import ExportOptions, export
from referee.judging.what_if import Other
from referee.proof.keys import KeyRing
from referee.record.game import Game
from referee.store import Store
from referee.table.bench import Bench
from referee.table.openings import open_game
from referee.table.play import log
from tests.record.conftest import make_bench

GAMES = 30


@pytest.fixture
def caller(tmp_path: Path) -> Caller:
    """A store of many games, none of them at hand."""
    bench, ids = make_bench(), count(1)
    bench.new_id = lambda: f"game-one0of0many{next(ids)}"
    for _ in range(GAMES):
        game = open_game(bench, "pebbles", "table A B first A").game.id
        for line in ("take 2", "take 1", "take 3"):
            log(bench, game, line)
    return Caller(StoreContext(bench.store, Bench(bench.store, at_hand=10**6)))


def played() -> int:
    """How many of these games are in memory, with all that was played."""
    gc.collect()
    games = (one for one in gc.get_objects() if isinstance(one, Game) and one.steps)
    return len({one.id for one in games if one.id.startswith("game-one0of0many")})


@pytest.mark.deep
def test_all_records_are_proven_one_after_the_other(caller: Caller, tmp_path: Path) -> None:
    told: list[Telling] = []
    most = 0

    def watched(done: int, total: int) -> None:
        nonlocal most
        if done % 8 == 0:  # to look through the whole memory takes long
            most = max(most, played())
        assert total == GAMES

    ring = KeyRing(tmp_path)
    answered = verify_all(caller, ring, progress=watched, tell=told.append)
    assert most <= 2
    assert played() <= 2
    assert len(told) == len(answered.data.records) == GAMES
    assert all(record.ok for record in answered.data.records)
    assert answered.lines(caller.voice) == []
    again = verify(
        caller, stored_records(caller, caller.store_context.store.streams("game-")), ring
    )
    lines = [line for telling in told for line in telling(caller.voice)]
    assert lines == again.lines(caller.voice)


def test_all_games_are_judged_otherwise_one_after_the_other(caller: Caller) -> None:
    done: list[tuple[int, int]] = []
    answered = what_if_all(caller, "pebbles", Other(), lambda *how_far: done.append(how_far))
    assert played() <= 2
    assert len(answered.data.games) == GAMES
    assert done[-1] == (GAMES, GAMES)


def test_an_archive_is_made_of_one_game_after_the_other(caller: Caller) -> None:
    store: Store = caller.store_context.store
    made = export(caller, store.streams("game-")[0], "sqlite", ExportOptions(names=True))
    assert made.content.startswith(b"SQLite format 3")
    assert played() <= 3
