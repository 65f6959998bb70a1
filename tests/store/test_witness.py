"""Acknowledged entries that are gone are named, whoever took them away and however."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
from contextlib import closing
from multiprocessing.context import ForkServerContext
from pathlib import Path
from threading import Thread

import pytest

from referee.store import Store, StoreError, open_store
from referee.store.derived.projections import Projections, view_path
from referee.store.hash_chain import find_break
from referee.store.maintenance.backup import accept_loss, backup, restore
from referee.store.maintenance.health import doctor
from referee.store.sqlite.files import companions, sqlite_path, sqlite_url
from referee.store.witness import Checkpoint, Witness, witness_beside
from tests.store.projectors import games
from tests.store.writers import SIGNED, batch, draft

FLIPS = int(os.environ.get("REFEREE_CHAOS", "20"))


def fill(url: str, count: int, stream: str = "game-1") -> None:
    with closing(open_store(url)) as store:
        last = len(store.read(stream)) - 1
        for number in range(last + 1, last + 1 + count):
            store.append(stream, [draft(number, f"k{number}")], expected=number - 1, **SIGNED)


def write_and_die(url: str, count: int) -> None:
    store = open_store(url)
    for number in range(count):
        store.append("game-1", [draft(number, f"k{number}")], expected=number - 1, **SIGNED)
    os._exit(0)


def crashed(processes: ForkServerContext, url: str, count: int = 20) -> Path:
    """A store whose newest entries stand in the log alone."""
    writer = processes.Process(target=write_and_die, args=(url, count))
    writer.start()
    writer.join()
    return sqlite_path(url)


def refusal(url: str) -> str:
    with pytest.raises(StoreError) as caught:
        open_store(url).close()
    return caught.value.key


def levels(url: str) -> dict[str, str]:
    return {check.name: check.message for check in doctor(url) if check.level == "fail"}


def test_log_deleted_after_a_crash(
    processes: ForkServerContext, file_url: str, tmp_path: Path
) -> None:
    path = crashed(processes, file_url)
    for file in companions(path):
        file.unlink(missing_ok=True)
    with pytest.raises(StoreError) as caught:
        open_store(file_url)
    assert (caught.value.key, caught.value.facts["known"]) == ("entries_lost", 20)
    assert [*levels(file_url).values()] == ["store.entries_lost"]
    with pytest.raises(StoreError, match="entries_lost"):
        backup(file_url, tmp_path / "copy.db")
    found = accept_loss(file_url)
    assert found < 20
    fill(file_url, 1)
    assert not levels(file_url)


@pytest.mark.parametrize("create", [True, False])
def test_log_deleted_when_it_was_all_there_is(file_url: str, tmp_path: Path, create: bool) -> None:
    """Before the first checkpoint the file itself is empty: not even a store."""
    path, copy = sqlite_path(file_url), tmp_path / "copy"
    copy.mkdir()
    with closing(open_store(file_url)) as store:
        store.append("game-1", [draft(0, "k0")], expected=-1, **SIGNED)
        for file in (path, witness_beside(path)):
            shutil.copy(file, copy)
    with pytest.raises(StoreError) as caught:
        open_store(sqlite_url(copy / path.name), create=create)
    assert (caught.value.key, caught.value.facts["known"]) == ("entries_lost", 1)


def test_every_bit_of_the_log_counts(
    processes: ForkServerContext, file_url: str, tmp_path: Path
) -> None:
    """Either all that was acknowledged is there, or the store says that it is not."""
    path = crashed(processes, file_url)
    log, chance = companions(path)[0], random.Random(1)
    copy = tmp_path / "copy"
    named = 0
    for _ in range(FLIPS):
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for file in (path, log, witness_beside(path)):
            shutil.copy(file, copy)
        content = bytearray(log.read_bytes())
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        (copy / log.name).write_bytes(content)
        try:
            with closing(open_store(sqlite_url(copy / path.name))) as store:
                assert len(store.read("game-1")) == 20
        except StoreError:
            named += 1
    assert named > FLIPS // 2


@pytest.mark.parametrize("later", [0, 1, 30])
def test_old_copy_in_the_place_of_the_store(file_url: str, tmp_path: Path, later: int) -> None:
    """Even if the copy was carried on elsewhere, beyond what was acknowledged here."""
    fill(file_url, 5)
    path = sqlite_path(file_url)
    backup(file_url, tmp_path / "copy.db")
    fill(file_url, 5)
    for number in range(later):
        fill(sqlite_url(tmp_path / "copy.db"), 1, f"game-of-another-{number}")
    for file in companions(path):
        file.unlink(missing_ok=True)
    shutil.copy(tmp_path / "copy.db", path)
    assert refusal(file_url) == ("other_entries" if later > 4 else "entries_lost")


def test_deleted_store_is_not_begun_anew_in_silence(file_url: str) -> None:
    fill(file_url, 3)
    sqlite_path(file_url).unlink()
    assert refusal(file_url) == "entries_lost"
    assert not sqlite_path(file_url).exists()
    assert levels(file_url) == {"store": "store.entries_lost"}
    assert accept_loss(file_url) == 0
    fill(file_url, 1)


def test_restored_store_is_the_store_from_then_on(file_url: str, tmp_path: Path) -> None:
    fill(file_url, 5)
    backup(file_url, tmp_path / "copy.db")
    fill(file_url, 3)
    with closing(open_store(file_url)) as store:
        Projections(view_path(file_url), [games]).catch_up(store)
    for file in (sqlite_path(file_url), *companions(sqlite_path(file_url))):
        file.unlink(missing_ok=True)
    assert restore(tmp_path / "copy.db", file_url) == (5, 3, None)
    assert sorted(file.name for file in tmp_path.glob("copy.db*")) == ["copy.db"]
    with closing(open_store(file_url)) as store:
        assert Projections(view_path(file_url), [games]).catch_up(store) == 5
    assert not levels(file_url)


def test_killed_between_entry_and_witness(file_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry is there and nobody was told: nothing is lost, and the witness follows."""
    fill(file_url, 2)
    store = open_store(file_url)
    witness = Witness(witness_beside(sqlite_path(file_url)))

    def killed(*_: object) -> None:
        raise OSError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(Witness, "note", killed)
        with pytest.raises(StoreError):
            store.append("game-1", [draft(2, "k2")], expected=1, **SIGNED)
    store.close()
    assert witness.latest().number == 2  # type: ignore[union-attr]
    with closing(open_store(file_url)) as store:
        assert witness.latest().number == 3  # type: ignore[union-attr]
        (again,) = store.append("game-1", [draft(2, "k2")], expected=1, **SIGNED)
        assert again.seq == 2


def test_several_writers_and_one_witness(file_url: str) -> None:
    def write(name: str) -> None:
        with closing(open_store(file_url)) as store:
            for number in range(40):
                store.append(name, [draft(number, str(number))], expected=number - 1, **SIGNED)
                known = Witness(witness_beside(sqlite_path(file_url))).latest()
                assert known is not None
                assert known.number >= number + 1

    fill(file_url, 1)
    threads = [Thread(target=write, args=(f"game-{name}",)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    known = Witness(witness_beside(sqlite_path(file_url))).latest()
    assert known is not None
    assert known.number == 121
    open_store(file_url).close()


def test_damaged_witness_accuses_nobody(file_url: str) -> None:
    """A sector that is torn costs what it said; older numbers beside it are still known."""
    fill(file_url, 70)
    file = witness_beside(sqlite_path(file_url))
    content, chance = file.read_bytes(), random.Random(2)
    for _ in range(FLIPS):
        damaged = bytearray(content)
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        file.write_bytes(damaged)
        open_store(file_url).close()
    for sector in range(0, len(content), 512):
        file.write_bytes(content[:sector] + bytes(512) + content[sector + 512 :])
        known = Witness(witness_beside(sqlite_path(file_url))).latest()
        assert known is not None
        assert known.number >= 69


def test_numbers_stay_in_their_places_for_ever(tmp_path: Path) -> None:
    witness = Witness(tmp_path / "games.db-witness")
    for number in range(1, 1000):
        witness.note(Checkpoint(number, number.to_bytes(32, "big")))
        assert witness.latest() == (number, number.to_bytes(32, "big"))
    witness.reset(Checkpoint(3, bytes(32)))
    assert witness.latest() == (3, bytes(32))
    assert witness.path.stat().st_size == 4096
    witness.close()


@pytest.mark.parametrize("column", ["state", "key", "trail", "topic"])
def test_every_byte_of_the_last_entry_counts(file_url: str, column: str) -> None:
    fill(file_url, 3)
    fill(file_url, 3, "game-2")
    chance = random.Random(3)
    with closing(sqlite3.connect(sqlite_path(file_url), isolation_level=None)) as meddler:
        meddler.execute("DROP TRIGGER entries_no_update")
        place = "WHERE originator_id = 'game-1' AND originator_version = 2"
        whole, kind = meddler.execute(
            f"SELECT CAST({column} AS BLOB), typeof({column}) FROM entries {place}"
        ).fetchone()
        for _ in range(FLIPS):
            flipped = bytearray(whole)
            flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(6)
            if flipped in (b"k0", b"k1"):
                continue  # an index keeps keys apart
            meddler.execute(
                f"UPDATE entries SET {column} = CAST(? AS {kind}) {place}", (bytes(flipped),)
            )
            assert is_noticed(file_url, "game-1")


def is_noticed(url: str, stream: str) -> bool:
    """By whoever reads the record, and by the doctor."""
    try:
        with closing(open_store(url)) as store:
            broken = find_break(stream, store.read(stream)) is not None
    except StoreError:
        broken = True
    return broken and bool(levels(url))


def test_removed_entry_of_another_stream_is_noticed(file_url: str, tmp_path: Path) -> None:
    fill(file_url, 3)
    fill(file_url, 3, "game-2")
    with closing(sqlite3.connect(sqlite_path(file_url), isolation_level=None)) as meddler:
        meddler.execute("DROP TRIGGER entries_no_delete")
        meddler.execute("DELETE FROM entries WHERE rowid = 3")
    assert levels(file_url) == {"log": "store.gap_inside"}
    with pytest.raises(StoreError, match="gap_inside"):
        backup(file_url, tmp_path / "copy.db")


def test_store_of_an_older_version_gets_its_trail_with_the_next_entry(file_url: str) -> None:
    fill(file_url, 3)
    path = sqlite_path(file_url)
    with closing(sqlite3.connect(path, isolation_level=None)) as older:
        older.execute("ALTER TABLE entries DROP COLUMN trail")
    witness_beside(path).unlink()
    assert not levels(file_url)
    fill(file_url, 1, "game-2")
    with closing(sqlite3.connect(path, isolation_level=None)) as older:
        rows = older.execute("SELECT trail IS NULL FROM entries ORDER BY rowid").fetchall()
        assert [old for (old,) in rows] == [1, 1, 1, 0]
        assert not levels(file_url)
        older.execute("DROP TRIGGER entries_no_update")
        body = json.loads(older.execute("SELECT state FROM entries WHERE rowid = 3").fetchone()[0])
        body["at"] = "2024-12-31T12:00:00.000Z"
        changed = json.dumps(body, separators=(",", ":"), sort_keys=True).encode()
        older.execute("UPDATE entries SET state = ? WHERE rowid = 3", (changed,))
    assert levels(file_url) == {"log": "store.altered"}


def test_older_version_may_write_on(file_url: str) -> None:
    """Its entries have no trail; the next one covers them too."""
    fill(file_url, 2)
    with closing(open_store("memory:")) as elsewhere:
        for entry in open_store(file_url).read("game-1"):
            elsewhere.adopt([entry])
        (third,) = elsewhere.append("game-1", [draft(2, "k2")], expected=1, **SIGNED)
    with closing(sqlite3.connect(sqlite_path(file_url), isolation_level=None)) as older:
        older.execute(
            "INSERT INTO entries (originator_id, originator_version, topic, state, key) "
            "VALUES (?, ?, ?, ?, 'k2')",
            (third.stream, third.seq, third.topic, third.body),
        )
    fill(file_url, 2)
    assert not levels(file_url)
    open_store(file_url).close()


@pytest.mark.parametrize(
    "how", ["removed", "replaced", "log removed", "log emptied", "log cut", "log cut to its head"]
)
def test_file_taken_away_under_a_running_program(
    file_store: Store, tmp_path: Path, how: str
) -> None:
    path = sqlite_path(file_store.url)
    file_store.append("game-1", batch("a", 2), expected=-1, **SIGNED)
    log = companions(path)[0]
    cuts = {"log emptied": 0, "log cut to its head": 32, "log cut": log.stat().st_size - 1}
    if how == "log removed":
        log.unlink()
    elif how in cuts:
        os.truncate(log, cuts[how])
    else:
        path.unlink()
    if how == "replaced":
        open_store(sqlite_url(tmp_path / "other.db")).close()
        (tmp_path / "other.db").rename(path)
    with pytest.raises(StoreError, match="replaced"):
        file_store.append("game-1", batch("b", 1), expected=1, **SIGNED)


def test_lists_that_know_more_are_not_made_anew(file_url: str) -> None:
    fill(file_url, 5)
    with closing(open_store(file_url)) as store, closing(open_view(file_url)) as view:
        view.catch_up(store)
    path = sqlite_path(file_url)
    for file in (path, *companions(path), witness_beside(path)):
        file.unlink(missing_ok=True)
    fill(file_url, 2)
    with closing(open_store(file_url)) as store, closing(open_view(file_url)) as view:
        with pytest.raises(StoreError, match="lists_know_more"):
            view.catch_up(store)
        assert view.rows("SELECT entries FROM games") == [{"entries": 5}]
    assert levels(file_url) == {"lists": "store.lists_know_more"}
    accept_loss(file_url)
    with closing(open_store(file_url)) as store, closing(open_view(file_url)) as view:
        assert view.catch_up(store) == 2


def open_view(url: str) -> Projections:
    return Projections(view_path(url), [games])


def test_files_belong_to_their_user(file_url: str, tmp_path: Path) -> None:
    from referee.store.urls import open_people

    os.umask(0o022)
    fill(file_url, 1)
    with closing(open_store(file_url)) as store, closing(open_view(file_url)) as view:
        view.catch_up(store)
        people = open_people(file_url)
        people.add("Zoé")
        people.close()
        backup(file_url, tmp_path / "copy.db")
        files = [file for file in tmp_path.iterdir() if file.is_file()]
        assert len(files) >= 7
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_files_that_others_can_read_are_named(file_url: str) -> None:
    fill(file_url, 1)
    sqlite_path(file_url).chmod(0o644)
    assert {c.name for c in doctor(file_url) if c.level == "warn"} - {"sqlite"} == {"private"}


def test_creation_that_was_killed_is_taken_up(file_url: str, tmp_path: Path) -> None:
    """What SQLite finds half made it takes back, and the store is made."""
    half = tmp_path / "half.db"
    with closing(sqlite3.connect(half, isolation_level=None)) as creator:
        creator.execute("PRAGMA cache_size = 1")
        creator.execute("BEGIN")
        creator.execute("CREATE TABLE entries (state BLOB)")
        creator.executemany("INSERT INTO entries VALUES (?)", [(bytes(4000),)] * 50)
        path = sqlite_path(file_url)
        shutil.copy(half, path)
        shutil.copy(f"{half}-journal", f"{path}-journal")
        creator.execute("ROLLBACK")
    fill(file_url, 1)
    assert not levels(file_url)
