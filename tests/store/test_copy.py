"""One store brought to another: every byte, key, number and head, and nothing over it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.store import Store, StoreError, open_store
from referee.store.hash_chain import find_break
from referee.store.maintenance import replicate as copying
from referee.store.maintenance.init import init
from referee.store.maintenance.replicate import Copied, copy
from referee.store.sqlite.files import sqlite_path, sqlite_url
from tests.store.writers import SIGNED, draft

KINDS = ("memory", "sqlite", "postgres")


@pytest.fixture(params=itertools.product(KINDS, KINDS), ids="-".join)
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    """A store with something in it, and an empty one, of any two kinds."""
    opened = []
    for number, kind in enumerate(request.param):
        if kind == "postgres":
            url = request.getfixturevalue("postgres").url()
            init(url)
        else:
            url = "memory:" if kind == "memory" else sqlite_url(tmp_path / f"{number}.db")
        opened.append(open_store(url))
    fill(opened[0], 12)
    yield opened[0], opened[1]
    for store in opened:
        store.close()


@pytest.fixture
def source() -> Store:
    store = open_store("memory:")
    fill(store, 12)
    return store


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "BATCH", 5)


def fill(store: Store, count: int) -> None:
    """Three games side by side, as on a busy evening."""
    for number in range(count):
        stream, last = f"game-{number % 3}", number // 3 - 1
        store.append(stream, [draft(number, f"k{number}", note="é")], expected=last, **SIGNED)


def test_copy_keeps_bytes_keys_numbers_and_heads(pair: tuple[Store, Store]) -> None:
    source, target = pair
    assert copy(source, target) == Copied(entries=12, new=12)
    assert target.follow() == source.follow()
    for stream in source.streams():
        assert target.read(stream) == source.read(stream)
        assert find_break(stream, target.read(stream)) is None
    last = source.read("game-0")[-1]
    body = json.loads(last.body)
    again = [draft(body["data"]["number"], body["key"], note="é")]
    assert target.append("game-0", again, expected=last.seq - 1, **SIGNED) == (last,)


def test_copy_goes_on_where_it_stopped(pair: tuple[Store, Store]) -> None:
    source, target = pair

    class Unplugged(Exception):
        pass

    def pull_the_plug(done: int, total: int) -> None:
        if done >= 10:
            raise Unplugged

    with pytest.raises(Unplugged):
        copy(source, target, pull_the_plug)
    assert target.position() == 10
    assert copy(source, target) == Copied(entries=12, new=2)
    fill_more = [draft(12, "k12")]
    source.append("game-9", fill_more, expected=-1, **SIGNED)
    assert copy(source, target) == Copied(entries=13, new=1)
    assert copy(source, target) == Copied(entries=13, new=0)
    assert target.follow() == source.follow()


def test_progress_is_told(source: Store) -> None:
    told: list[tuple[int, int]] = []
    target = open_store("memory:")
    copy(source, target, lambda done, total: told.append((done, total)))
    assert told == [(5, 12), (10, 12), (12, 12)]
    told.clear()
    copy(source, target, lambda done, total: told.append((done, total)))
    assert told == [(5, 12), (10, 12), (12, 12)]


def test_what_is_written_meanwhile_comes_along(source: Store) -> None:
    def write(done: int, total: int) -> None:
        if done == 5:
            source.append("game-9", [draft(0, "late")], expected=-1, **SIGNED)

    target = open_store("memory:")
    assert copy(source, target, write).entries == 13
    assert target.follow() == source.follow()


def test_a_target_that_holds_something_else_is_refused(pair: tuple[Store, Store]) -> None:
    source, target = pair
    copy(source, target)
    target.append("game-9", [draft(0, "mine")], expected=-1, **SIGNED)
    before = target.follow()
    with pytest.raises(StoreError) as caught:
        copy(source, target)
    assert (caught.value.key, caught.value.facts) == ("diverged", {"number": 13})
    source.append("game-9", [draft(0, "theirs")], expected=-1, **SIGNED)
    with pytest.raises(StoreError) as caught:
        copy(source, target)
    assert caught.value.facts == {"number": 13}
    assert target.follow() == before


def test_the_same_games_in_another_order_are_refused(source: Store) -> None:
    target = open_store("memory:")
    for stream in source.streams():
        target.adopt(source.read(stream))
    with pytest.raises(StoreError) as caught:
        copy(source, target)
    assert caught.value.facts == {"number": 2}


def test_a_writer_who_comes_between_is_noticed(source: Store) -> None:
    target = open_store("memory:")

    def meddle(done: int, total: int) -> None:
        if done == 5:
            target.append("game-9", [draft(0, "mine")], expected=-1, **SIGNED)

    with pytest.raises(StoreError) as caught:
        copy(source, target, meddle)
    assert caught.value.facts == {"number": 6}
    assert target.position() == 6


@pytest.mark.parametrize(
    ("tampering", "code"),
    [
        ("UPDATE entries SET state = CAST('{}' AS BLOB) WHERE rowid = 7", "not_an_entry"),
        ("UPDATE entries SET topic = 'noted@1' WHERE rowid = 7", "misplaced"),
        ("DELETE FROM entries WHERE rowid = 7", "gap"),
    ],
)
def test_a_damaged_store_is_not_copied(file_store: Store, tampering: str, code: str) -> None:
    import sqlite3

    fill(file_store, 12)
    meddler = sqlite3.connect(sqlite_path(file_store.url), isolation_level=None)
    for trigger in ("entries_no_update", "entries_no_delete"):
        meddler.execute(f"DROP TRIGGER {trigger}")
    meddler.execute(tampering)
    target = open_store("memory:")
    with pytest.raises(StoreError) as caught:
        copy(file_store, target)
    assert caught.value.key == code
    assert target.position() == 5
