"""Threads that write to one SQLite file at the same moment."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from time import sleep
from typing import Any

import pytest

from referee.store import Conflict, Draft, KeyReused, Store, Stored, StoreError
from referee.store.hash_chain import find_break
from referee.store.sqlite import recorder as sqlite
from referee.store.sqlite.files import sqlite_path
from tests.store.test_sqlite import raw
from tests.store.writers import SIGNED, batch, draft

WRITERS = 8
Send = Callable[..., Future[tuple[Stored, ...]]]


def append(
    store: Store, stream: str, drafts: list[Draft], expected: int = -1
) -> tuple[Stored, ...]:
    return store.append(stream, drafts, expected=expected, **SIGNED)


def recorder_of(store: Store) -> sqlite.SQLiteRecorder:
    recorder = store._recorder
    assert isinstance(recorder, sqlite.SQLiteRecorder)
    return recorder


@contextmanager
def waiting_for_a_lock(store: Store) -> Iterator[Send]:
    """Who is sent to write here waits with all others until the end."""
    turns, sent = recorder_of(store)._group_commit, 0
    append(store, "first", [draft(0, "k")])
    blocker = raw(store.url)
    blocker.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(WRITERS) as threads:

        def send(*said: Any) -> Future[tuple[Stored, ...]]:
            nonlocal sent
            future, sent = threads.submit(append, store, *said), sent + 1
            while len(turns._waiting) < sent and not future.done():
                sleep(0.001)
            return future

        try:
            yield send
        finally:
            blocker.execute("ROLLBACK")
            blocker.close()


def statements(store: Store) -> list[str]:
    """What the one writing connection says from now on."""
    said: list[str] = []
    writer = recorder_of(store).datastore._writer
    assert writer is not None
    writer.set_trace_callback(said.append)
    return said


def assert_sound(store: Store) -> None:
    recorder = recorder_of(store)
    assert recorder.find_altered() is None
    assert recorder.witness.latest() == recorder.known()
    for stream in store.streams(""):
        assert find_break(stream, store.read(stream)) is None


def test_those_who_wait_share_a_transaction(file_store: Store) -> None:
    with waiting_for_a_lock(file_store) as send:
        said = statements(file_store)
        sent = [send(f"game-{n}", batch(f"{n}", 1 + n % 3)) for n in range(WRITERS)]
    for number, future in enumerate(sent):
        assert future.result() == file_store.read(f"game-{number}")
        assert len(future.result()) == 1 + number % 3
    assert said.count("COMMIT") == 1
    assert_sound(file_store)


def test_who_does_not_fit_stands_in_nobodys_way(file_store: Store) -> None:
    with waiting_for_a_lock(file_store) as send:
        fits = send("game-1", batch("a", 2))
        too_late = send("game-1", batch("b", 2))
        half_used = send("first", [draft(1, "new"), draft(2, "k")], 0)
        again = send("first", [draft(0, "k")])
        also_fits = send("first", batch("c", 3), 0)
    assert len(fits.result()) == 2
    assert len(also_fits.result()) == 3
    assert again.result() == file_store.read("first")[:1]
    with pytest.raises(Conflict):
        too_late.result()
    with pytest.raises(KeyReused):
        half_used.result()
    keys = [json.loads(entry.body)["key"] for entry in file_store.read("first")]
    assert keys == ["k", "c-0", "c-1", "c-2"]
    assert_sound(file_store)


def test_another_program_may_have_written_in_between(file_store: Store, file_url: str) -> None:
    append(file_store, "game-0", batch("a", 1))
    other = sqlite.open_recorder(sqlite_path(file_url))
    elsewhere = Store(other, file_url)
    append(elsewhere, "game-1", batch("b", 2))
    with waiting_for_a_lock(file_store) as send:
        append_elsewhere = send("game-1", batch("b", 2))
        sent = [send(f"game-{n}", batch(f"{n}", 2)) for n in range(2, 6)]
    assert append_elsewhere.result() == elsewhere.read("game-1")
    assert [len(future.result()) for future in sent] == [2] * 4
    assert_sound(file_store)
    elsewhere.close()


def test_one_who_fails_takes_nobody_along(
    file_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others try for themselves, and find what was kept all the same."""
    failing = [StoreError("disk_error", path="games.db", problem="once")]

    def replaced(*, log: bool = False) -> None:
        if log and failing:
            raise failing.pop()

    with waiting_for_a_lock(file_store) as send:
        monkeypatch.setattr(recorder_of(file_store).datastore, "_refuse_replaced", replaced)
        sent = [send(f"game-{n}", batch(f"{n}", 2)) for n in range(4)]
    outcomes = [future.exception() for future in sent]
    assert sum(isinstance(outcome, StoreError) for outcome in outcomes) == 1
    assert outcomes.count(None) == 3
    assert [len(file_store.read(f"game-{n}")) for n in range(4)] == [2] * 4
    assert_sound(file_store)


def test_nobody_is_told_what_the_witness_does_not_know(
    file_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch, waiting_for_a_lock(file_store) as send:
        patch.setattr(recorder_of(file_store).witness, "note", full)
        sent = [send(f"game-{n}", batch(f"{n}", 2)) for n in range(4)]
    refused = [future.exception() for future in sent]
    assert [error.key for error in refused if isinstance(error, StoreError)] == ["disk_full"] * 4
    assert [len(append(file_store, f"game-{n}", batch(f"{n}", 2))) for n in range(4)] == [2] * 4
    assert_sound(file_store)


def test_what_somebody_gave_up_is_not_written_later(
    file_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "LOCK_TIMEOUT", 0.05)
    with waiting_for_a_lock(file_store) as send:
        sent = [send(f"game-{n}", batch(f"{n}", 2)) for n in range(4)]
        refused = [future.exception() for future in sent]
    assert [error.key for error in refused if isinstance(error, StoreError)] == ["locked"] * 4
    append(file_store, "game-5", batch("a", 1))
    assert file_store.streams("") == ("first", "game-5")
    assert_sound(file_store)
