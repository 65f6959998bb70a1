"""Processes killed while they write, full disks, several writers: nothing acknowledged is lost.

``REFEREE_CHAOS`` sets how many writers are killed.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from time import sleep

import pytest

from referee.store import Draft, Store, Stored, StoreError, open_store
from referee.store.hash_chain import find_break
from referee.store.sqlite import connection
from referee.store.sqlite.files import check_pages, sqlite_path, sqlite_url
from tests.deep import few_or_many
from tests.store.writers import (
    SIGNED,
    STREAMS,
    append_until_killed,
    append_with_retry,
    draft,
)
from tests.waiting import PATIENCE, ended, received

KILLS = int(os.environ.get("REFEREE_CHAOS", "50"))

Acknowledged = dict[tuple[str, int], str]


@pytest.mark.parametrize("kills", few_or_many(8, KILLS))
def test_killed_writers_lose_nothing_they_acknowledged(
    shared_url: str, processes: ForkServerContext, kills: int
) -> None:
    chance = random.Random(7)
    everything: Acknowledged = {}
    last: dict[str, Stored | None] = dict.fromkeys(STREAMS)
    for seed in range(kills):
        acknowledged = kill_a_writer(shared_url, processes, seed, chance.uniform(0, 0.02))
        store = open_store(shared_url)
        for stream, before in last.items():
            new = store.read(stream, after=before.seq if before else -1)
            assert find_break(stream, new, before) is None
            assert_batches_are_whole(new)
            everything |= {(stream, entry.seq): entry.head for entry in new}
            last[stream] = new[-1] if new else before
        assert acknowledged.items() <= everything.items()
        for stream in STREAMS:
            assert_retry_changes_nothing(store, stream)
        store.close()
    if shared_url.startswith("sqlite:"):
        check_pages(sqlite_path(shared_url))
    store = open_store(shared_url)
    followed = store.follow(0, limit=10**6)
    store.close()
    assert {(entry.stream, entry.seq): entry.head for _, entry in followed} == everything
    assert [number for number, _ in followed] == list(range(1, len(everything) + 1))


def kill_a_writer(url: str, processes: ForkServerContext, seed: int, delay: float) -> Acknowledged:
    """Let a process write, kill it, and give back everything it had acknowledged."""
    receiver, sender = processes.Pipe(duplex=False)
    writer = processes.Process(target=append_until_killed, args=(url, sender, seed))
    writer.start()
    sender.close()
    assert receiver.poll(PATIENCE), "the writer never stored anything"
    sleep(delay)
    writer.kill()
    acknowledged = dict(drain(receiver))
    ended(writer)
    return acknowledged


def drain(receiver: Connection) -> Iterator[tuple[tuple[str, int], str]]:
    while True:
        try:
            stream, seq, head = receiver.recv()
        except (EOFError, OSError):
            return
        yield (stream, seq), head


def assert_batches_are_whole(entries: Sequence[Stored]) -> None:
    bodies = [json.loads(entry.body)["data"] for entry in entries]
    sizes = {body["batch"]: body["size"] for body in bodies}
    assert Counter(body["batch"] for body in bodies) == sizes


def assert_retry_changes_nothing(store: Store, stream: str) -> None:
    """The killed writer's last request, sent again by somebody who knows no better."""
    *_, before_last, last = (None, None, *store.read(stream))
    if last is None:
        return
    body = json.loads(last.body)
    request = [Draft(body["kind"], body["schema"], body["data"], body["key"])]
    for expected in (before_last.seq if before_last else -1, last.seq):
        assert store.append(stream, request, expected=expected, **SIGNED) == (last,)


@pytest.mark.parametrize(("writers", "count"), [(2, 60), (4, 60), (8, 20)])
def test_writers_of_one_stream_all_get_through(
    shared_url: str, processes: ForkServerContext, writers: int, count: int
) -> None:
    start, (receiver, sender) = processes.Barrier(writers), processes.Pipe(duplex=False)
    started = [
        processes.Process(
            target=append_with_retry, args=(shared_url, "game-1", writer, count, start, sender)
        )
        for writer in range(writers)
    ]
    for process in started:
        process.start()
    ended(*started)
    assert [process.exitcode for process in started] == [0] * writers
    assert sum(received(receiver) for _ in started) > 0, "the writers never met"
    store = open_store(shared_url)
    entries = store.read("game-1")
    keys = Counter(json.loads(entry.body)["key"] for entry in entries)
    store.close()
    assert keys == {f"{writer}-{n}": 1 for writer in range(writers) for n in range(count)}
    assert find_break("game-1", entries) is None


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte, where the system lets us make one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    try:
        mounted = (
            os.name == "posix"
            and subprocess.run(mount, capture_output=True, timeout=PATIENCE).returncode == 0
        )
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("a small disk cannot be mounted here")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True, timeout=PATIENCE)


def append_until_full(store: Store, stream: str = "game-1") -> tuple[list[str], StoreError]:
    """The hashes of what was acknowledged, and how the store refused the next one."""
    heads: list[str] = []
    while True:
        try:
            drafts = [draft(len(heads), f"k{len(heads)}", note="x" * 5000)]
            heads += [
                entry.head
                for entry in store.append(stream, drafts, expected=len(heads) - 1, **SIGNED)
            ]
        except StoreError as error:
            return heads, error


def test_full_disk_refuses_and_recovers(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(300_000))
    store = open_store(sqlite_url(small_disk / "games.db"))
    heads, error = append_until_full(store)
    assert error.key == "disk_full"
    assert [entry.head for entry in store.read("game-1")] == heads

    ballast.unlink()
    number = len(heads)
    refused_before = [draft(number, f"k{number}", note="x" * 5000)]
    store.append("game-1", refused_before, expected=number - 1, **SIGNED)
    store.close()
    store = open_store(sqlite_url(small_disk / "games.db"))
    entries = store.read("game-1")
    store.close()
    assert [entry.head for entry in entries[:-1]] == heads
    assert find_break("game-1", entries) is None
    check_pages(small_disk / "games.db")


def test_full_disk_refuses_each_of_those_who_share_a_transaction(small_disk: Path) -> None:
    store = open_store(sqlite_url(small_disk / "games.db"))
    streams = [f"game-{number}" for number in range(8)]
    with ThreadPoolExecutor(len(streams)) as threads:
        outcomes = [*threads.map(partial(append_until_full, store), streams)]
    assert {error.key for _, error in outcomes} == {"disk_full"}
    for stream, (heads, _) in zip(streams, outcomes, strict=True):
        assert [entry.head for entry in store.read(stream)] == heads
    store.close()
    check_pages(small_disk / "games.db")


def test_file_that_may_not_grow_refuses_and_keeps_what_it_has(
    file_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(connection, "DURABLE", (*connection.DURABLE, "max_page_count=40"))
        cramped = open_store(file_url)
        heads, error = append_until_full(cramped)
        assert error.key == "disk_full"
        assert [entry.head for entry in cramped.read("game-1")] == heads
        assert find_break("game-1", cramped.read("game-1")) is None
        cramped.close()
    roomy = open_store(file_url)
    number = len(heads)
    roomy.append("game-1", [draft(number, "k")], expected=number - 1, **SIGNED)
    assert [entry.head for entry in roomy.read("game-1")][:number] == heads
    roomy.close()
