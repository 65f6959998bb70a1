"""One bench, many threads, many games: only honest conflicts, and no more memory than allowed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from referee.errors import Conflicting
from referee.judging.disputes import dispute
from referee.proof.verify import verify
from referee.record.fold import fold
from referee.record.persistent_vector import CHUNK, PersistentVector
from referee.store import open_store
from referee.store.sqlite.files import sqlite_url
from referee.table.bench import Bench, VersionConflict
from referee.table.notes import Annotation, annotate
from referee.table.openings import open_game
from referee.table.play import dry_run_together, log

THREADS = 5
TIMES = 12


@pytest.fixture(params=["memory", "sqlite"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return "memory:" if request.param == "memory" else sqlite_url(tmp_path / "shared.db")


def opened(bench: Bench, count: int) -> list[str]:
    return [open_game(bench, "pebbles", "table A B first A").game.id for _ in range(count)]


def persist(command: Callable[[], object]) -> int:
    """Do it, again and again where others were faster; how often that was."""
    for missed in count():
        try:
            command()
        except VersionConflict:
            continue
        return missed
    raise AssertionError


def work(bench: Bench, games: list[str], thread: int) -> None:
    """Whatever several people may say at once of tables that others write to."""
    for turn in range(TIMES):
        game = games[(thread + turn) % len(games)]
        if turn % 3 == 0:
            persist(lambda game=game, turn=turn: dispute(bench, game, 0, text=f"{thread}/{turn}"))
        elif turn % 3 == 1:
            note = Annotation(f"{thread}/{turn}")
            persist(lambda game=game, note=note: annotate(bench, game, 0, note))
        else:
            list(dry_run_together(bench, game, ["take 2", "take 1"]))


@pytest.mark.parametrize("tables", [1, 3])
def test_threads_on_one_bench_hear_of_each_other_and_lose_nothing(url: str, tables: int) -> None:
    bench = Bench(open_store(url))
    games = opened(bench, tables)
    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(work, bench, games, thread) for thread in range(THREADS)]:
            done.result()
    disputes = notes = 0
    for game in games:
        rows = bench.store.read(game)
        assert verify(game, rows).problems == []
        fresh, kept = fold(game, rows), bench.game(game)
        assert kept.entries == fresh.entries
        assert (kept.disputes, kept.notes) == (fresh.disputes, fresh.notes)
        disputes, notes = disputes + len(fresh.disputes), notes + len(fresh.notes)
    assert disputes == notes == THREADS * TIMES // 3
    bench.store.close()


def test_a_table_that_several_log_to_gets_each_action_once(url: str) -> None:
    """All say the same next action: one is recorded, the others hear that it is not their turn."""
    bench = Bench(open_store(url))
    (game,) = opened(bench, 1)

    def say(thread: int) -> str:
        try:
            heard = log(bench, game, "A take 2", after=0)
        except Conflicting as error:
            return error.key
        return "accepted" if heard.accepted else "refused"

    with ThreadPoolExecutor(THREADS) as pool:
        said = sorted(pool.map(say, range(THREADS)))
    assert said.count("accepted") == 1
    assert set(said) <= {"accepted", "expected_other", "someone_else"}
    assert bench.game(game).numbers() == [1]
    bench.store.close()


def test_games_not_asked_for_lately_are_dropped_and_folded_again() -> None:
    bench = Bench(open_store("memory:"), at_hand=20)
    games = opened(bench, 8)
    for _ in range(2):
        for game in games:
            log(bench, game, "take 2" if not bench.game(game).numbers() else "take 1")
            for text in ("hm", "well"):
                annotate(bench, game, 0, Annotation(text))
            assert bench._cache.weight <= 20
    assert len(bench._cache) < len(games)
    for game in games:
        assert bench.game(game).numbers() == [1, 2]
        assert len(bench.game(game).notes) == 4


def test_a_game_that_alone_is_too_long_is_kept_while_it_is_asked_for() -> None:
    bench = Bench(open_store("memory:"), at_hand=2)
    first, second = opened(bench, 2)
    for text in "abcd":
        annotate(bench, first, 0, Annotation(text))
    assert len(bench._cache) == 1
    assert bench.game(first) is bench.game(first)
    bench.game(second)
    assert bench.game(second) is bench.game(second)


def test_a_trail_shares_what_it_has_and_never_changes() -> None:
    trail: PersistentVector[int] = PersistentVector()
    expected: list[int] = []
    past: list[tuple[PersistentVector[int], list[int]]] = []
    for number in range(3 * CHUNK + 5):
        past.append((trail, list(expected)))
        trail, expected = trail.grown(number), [*expected, number]
    for before, then in past:
        assert list(before) == then
        assert list(before.grown(-1)) == [*then, -1]
    for length in (0, 1, CHUNK - 1, CHUNK, CHUNK + 1, len(expected), len(expected) + 1):
        assert list(trail.upto(length)) == expected[:length]
    assert [trail[at] for at in (0, CHUNK - 1, CHUNK, -1, -len(expected))] == [
        expected[at] for at in (0, CHUNK - 1, CHUNK, -1, -len(expected))
    ]
    assert trail[CHUNK - 2 : CHUNK + 3] == tuple(expected[CHUNK - 2 : CHUNK + 3])
    assert trail[::-7] == tuple(expected[::-7])
    assert list(reversed(trail)) == expected[::-1]
    for wrong in (len(expected), -len(expected) - 1):
        with pytest.raises(IndexError):
            trail[wrong]


@pytest.mark.parametrize("cut", [0, 1, 31, 32, 33, 95, 96, 100])
def test_what_trails_share_begins_both_of_them(cut: int) -> None:
    whole = PersistentVector(range(100))
    branch = whole.upto(cut).extended(range(1000, 1080))
    shared = whole.shared(branch)
    assert cut - CHUNK < shared <= cut
    assert whole[:shared] == branch[:shared]
    assert PersistentVector(range(100)).shared(PersistentVector(range(100))) == 0
