"""A desk that is killed while it writes: nothing acknowledged is lost, nothing is half there.

``REFEREE_CHAOS`` sets how many desks are killed.
"""

from __future__ import annotations

import multiprocessing
import os
import random
from collections.abc import Iterator
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from time import sleep

import pytest

from referee.store import open_store
from referee.store.sqlite.files import check_pages, sqlite_path, sqlite_url
from referee.table.bench import Bench, By
from referee.tournament.consistency import inspect
from referee.tournament.desk import Desk, LoadedTournament
from referee.tournament.event_streams import ORGANISER
from referee.tournament.events import ResultCorrected
from referee.tournament.fold import fold
from tests.deep import few_or_many
from tests.tournament.hosting import Hall, duels
from tests.tournament.writers import act, corrections, enter_results_until_killed
from tests.waiting import PATIENCE, ended

KILLS = int(os.environ.get("REFEREE_CHAOS", "30"))
TABLES = 3


@pytest.fixture(scope="session")
def processes() -> ForkServerContext:
    """Processes that start at once, with the desk imported already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.tournament.writers", "eventsourcing.sqlite"])
    return context


@pytest.mark.parametrize("kills", few_or_many(6, KILLS))
def test_a_desk_that_is_killed_loses_nothing_it_acknowledged(
    tmp_path: Path, processes: ForkServerContext, kills: int
) -> None:
    url = sqlite_url(tmp_path / "games.db")
    chance = random.Random(11)
    desk = Desk(Bench(open_store(url)))
    cup_id = desk.adopt(Hall(duels(rounds=6), 2 * TABLES).events).id
    desk.bench.store.close()
    everything: dict[int, str] = {}
    for seed in range(kills):
        acknowledged = kill_a_desk(url, processes, cup_id, seed, chance.uniform(0, 0.03))
        desk = Desk(Bench(open_store(url)))
        hosted = desk.load(cup_id)
        stored = {told.number: told.key for told in hosted.told}
        assert everything.items() <= stored.items(), "the past has changed"
        assert acknowledged.items() <= stored.items(), "something acknowledged is lost"
        assert_corrections_are_whole(hosted)
        assert fold(hosted.events) == hosted.now
        assert_last_command_told_again_changes_nothing(desk, hosted)
        everything = stored
        desk.bench.store.close()
    check_pages(sqlite_path(url))
    desk = Desk(Bench(open_store(url)))
    assert inspect(desk, cup_id) == []
    desk.bench.store.close()


def kill_a_desk(
    url: str, processes: ForkServerContext, cup_id: str, seed: int, delay: float
) -> dict[int, str]:
    """Let a desk work, kill it, and give back everything it had acknowledged."""
    receiver, sender = processes.Pipe(duplex=False)
    worker = processes.Process(target=enter_results_until_killed, args=(url, cup_id, sender, seed))
    worker.start()
    sender.close()
    assert receiver.poll(PATIENCE), "the desk never recorded anything"
    sleep(delay)
    worker.kill()
    acknowledged = dict(drain(receiver))
    ended(worker)
    return acknowledged


def drain(receiver: Connection) -> Iterator[tuple[int, str]]:
    while True:
        try:
            yield receiver.recv()
        except (EOFError, OSError):
            return


def assert_corrections_are_whole(hosted: LoadedTournament) -> None:
    told: dict[str, int] = {}
    for event in hosted.events:
        if isinstance(event, ResultCorrected):
            told[event.reason] = told.get(event.reason, 0) + 1
    assert set(told.values()) <= {TABLES}


def assert_last_command_told_again_changes_nothing(desk: Desk, hosted: LoadedTournament) -> None:
    """The answer of the killed desk was lost, and somebody asks again with its key."""
    last = hosted.told[-1]
    key = last.key.partition(".")[0]
    desk.tell(
        hosted.id, *[told.event for told in desk.known(hosted.id, key)], by=By(ORGANISER, key)
    )
    assert desk.load(hosted.id) == hosted


def test_the_writer_finds_something_to_do_for_ever() -> None:
    """So that what is killed above is really at work."""
    desk = Desk(Bench(open_store("memory:")))
    cup_id = desk.adopt(Hall(duels(rounds=6), 2 * TABLES).events).id
    chance = random.Random(1)
    before = len(desk.load(cup_id).told)
    for count in range(200):
        act(desk, cup_id, f"k{count}", chance)
        assert desk.known(cup_id, f"k{count}")
    kinds = {told.event.KIND for told in desk.load(cup_id).told[before:]}
    assert {"round_paired", "result_entered", "result_corrected", "round_reopened"} <= kinds
    assert len(corrections(1, TABLES, "x")) == TABLES
