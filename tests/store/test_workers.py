"""One question about many streams, answered by several processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic, sleep

import pytest

from answers.context import Caller, StoreContext
from answers.review.stats import statistics
from referee.archive import process_pool
from referee.archive.process_pool import map_store
from referee.store import open_store
from referee.store.envelopes import StoreError
from referee.store.event_store import Store
from referee.table.bench import Bench
from referee.table.lifecycle import close
from referee.table.openings import open_game
from referee.table.play import log
from tests.waiting import PATIENCE

GAMES = 12


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store of some games, which count as many."""
    monkeypatch.setattr(process_pool, "FEW", 2)
    monkeypatch.setattr(process_pool, "SHARE", 2)
    return filled(tmp_path, GAMES)


def filled(folder: Path, games: int) -> Store:
    store = open_store(f"sqlite://{folder / 'games.db'}")
    bench = Bench(store)
    for _ in range(games):
        open_game(bench, "benevolent", "table A=blue B=red first A")
    return store


def asked(store: Store, stream: str) -> tuple[str, int, int]:
    return stream, len(store.read(stream)), os.getpid()


def dies_once(store: Store, stream: str, *, mark: Path) -> str:
    """The first process that comes here is killed."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return stream
    os.kill(os.getpid(), signal.SIGKILL)
    return "never"


def refused(store: Store, stream: str) -> str:
    raise StoreError("altered", stream=stream, seq=3)


def test_answers_come_in_order_from_other_processes(store: Store) -> None:
    streams = store.streams("game-")
    answers = list(map_store(store, streams, asked, processes=2))
    assert [(stream, size) for stream, size, _ in answers] == [(each, 1) for each in streams]
    assert os.getpid() not in {process for *_, process in answers}


def test_few_streams_and_stores_in_memory_are_asked_here(store: Store) -> None:
    streams = store.streams("game-")
    alone = [*map_store(store, streams[:1], asked, processes=2)]
    alone += map_store(open_store("memory:"), streams, asked, processes=2)
    assert {process for *_, process in alone} == {os.getpid()}


def test_a_process_that_is_killed_costs_no_answer(store: Store, tmp_path: Path) -> None:
    streams = store.streams("game-")
    work = partial(dies_once, mark=tmp_path / "mark")
    assert list(map_store(store, streams, work, processes=2)) == list(streams)
    assert (tmp_path / "mark").exists()


def test_what_is_refused_there_is_refused_here(store: Store) -> None:
    with pytest.raises(StoreError, match="altered"):
        list(map_store(store, store.streams("game-"), refused, processes=2))


@pytest.mark.deep
def test_nobody_is_left_behind_by_whoever_stops_asking(store: Store) -> None:
    answers = map_store(store, store.streams("game-"), asked, processes=2)
    *_, process = next(answers)
    answers.close()
    assert not _is_alive(process)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def _hears_the_keyboard() -> None:
    """Whatever runs in the background may have been told not to."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(os.name != "posix", reason="signals to a group of processes")
@pytest.mark.parametrize("after", ["at once", "first answer"])
def test_the_keyboard_ends_it_without_a_word_of_python(tmp_path: Path, after: str) -> None:
    running = _proving(tmp_path)
    assert running.stdout is not None
    if after == "first answer":
        running.stdout.readline()
    else:
        _await(lambda: _has_children(running.pid))
    os.killpg(running.pid, signal.SIGINT)
    _, told = running.communicate(timeout=PATIENCE)
    assert b"Traceback" not in told
    assert running.returncode == 130
    _await(lambda: not _has_members(running.pid))


@pytest.mark.deep
@pytest.mark.skipif(os.name != "posix", reason="signals to a group of processes")
def test_nobody_is_left_behind_by_whoever_is_killed(tmp_path: Path) -> None:
    running = _proving(tmp_path)
    assert running.stdout is not None
    running.stdout.readline()
    running.kill()
    running.communicate(timeout=PATIENCE)
    _await(lambda: not _has_members(running.pid))


def _proving(folder: Path) -> subprocess.Popen[bytes]:
    """``verify --all`` of many games, in a group of its own."""
    filled(folder, 120).close()
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "cli.main",
            "--store",
            str(folder / "games.db"),
            "verify",
            "--all",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        start_new_session=True,
        preexec_fn=_hears_the_keyboard,
    )


def _await(condition: Callable[[], bool]) -> None:
    deadline = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < deadline
        sleep(0.01)


def _has_children(process: int) -> bool:
    tasks = Path(f"/proc/{process}/task/{process}/children")
    return not tasks.exists() or bool(tasks.read_text())


def _has_members(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_statistics_are_the_same_from_several_processes(store: Store) -> None:
    bench = Bench(store)
    for number, game in enumerate(store.streams("game-")):
        log(bench, game, "forest S1A S2A")
        if number % 3 == 0:
            close(bench, game, reason="late")
    seen: list[tuple[int, int]] = []
    caller = Caller(StoreContext(store))
    alone = statistics(caller)
    shared = statistics(caller, processes=2, progress=lambda *done: seen.append(done), rebuild=True)
    assert shared.data.model_dump_json() == alone.data.model_dump_json()
    assert list(shared.lines(caller.voice)) == list(alone.lines(caller.voice))
    assert seen == [(done, GAMES) for done in range(1, GAMES + 1)]
