"""The SQLite file: what it is made of, what it refuses, and what its errors say."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.context import ForkServerContext
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep

import pytest

from referee.store import Store, StoreError, open_store
from referee.store.hash_chain import find_break
from referee.store.maintenance.init import Made, init
from referee.store.sidecars.people import People
from referee.store.sqlite import connection as connecting
from referee.store.sqlite import recorder as opening
from referee.store.sqlite.connection import LOG_MAGIC, log_mark
from referee.store.sqlite.files import sqlite_path, sqlite_url
from referee.store.sqlite.recorder import SQLiteRecorder
from tests.store.writers import SIGNED, draft, open_and_append, open_without_rights
from tests.waiting import PATIENCE, ended, received


def raw(url: str) -> sqlite3.Connection:
    """A connection as a meddler would open it."""
    return sqlite3.connect(sqlite_path(url), isolation_level=None)


def fill(store: Store, count: int = 3) -> None:
    for number in range(count):
        store.append("game-1", [draft(number, str(number))], expected=number - 1, **SIGNED)


def refusal(url: str, *, create: bool = True) -> StoreError:
    with pytest.raises(StoreError) as caught:
        open_store(url, create=create)
    return caught.value


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET state = x'00' WHERE originator_version = 1",
        "UPDATE entries SET originator_version = 9 WHERE originator_version = 2",
        "DELETE FROM entries WHERE originator_version = 2",
        "DELETE FROM entries",
    ],
)
def test_entries_are_never_changed(file_store: Store, change: str) -> None:
    fill(file_store)
    before = file_store.read("game-1")
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        raw(file_store.url).execute(change)
    assert file_store.read("game-1") == before


def test_a_column_of_another_type_is_refused(file_store: Store) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        raw(file_store.url).execute(
            "INSERT INTO entries (originator_id, originator_version, topic, state, key) "
            "VALUES ('game-1', 0, 'logged@1', 'text', 'k')"
        )


@pytest.mark.parametrize(
    ("tampering", "seq", "key"),
    [
        ("UPDATE entries SET state = replace(state, 'b2', 'c3') WHERE rowid = 2", 2, None),
        ("UPDATE entries SET state = CAST('{}' AS BLOB) WHERE rowid = 2", 1, "not_an_entry"),
        ("UPDATE entries SET state = x'ff' WHERE rowid = 2", 1, "not_an_entry"),
        ("UPDATE entries SET topic = 'noted@1' WHERE rowid = 2", 1, "misplaced"),
        ("DELETE FROM entries WHERE rowid = 2", 1, "misplaced"),
        ("DELETE FROM entries WHERE rowid = 1", 0, "misplaced"),
    ],
)
def test_meddling_behind_the_triggers_breaks_the_chain(
    file_store: Store, tampering: str, seq: int, key: str | None
) -> None:
    fill(file_store)
    meddler = raw(file_store.url)
    for trigger in ("entries_no_update", "entries_no_delete"):
        meddler.execute(f"DROP TRIGGER {trigger}")
    meddler.execute(tampering.replace("replace(state, 'b2', 'c3')", REPLACED))
    found = find_break("game-1", file_store.read("game-1"))
    assert found is not None
    assert (found.seq, found.key) == (seq, key or "broken_chain")


REPLACED = "CAST(replace(CAST(state AS TEXT), 'b2', 'c3') AS BLOB)"


def test_every_connection_syncs_at_every_commit(file_store: Store) -> None:
    """Several connections at once, each looked at from the inside."""
    recorder = file_store._recorder
    assert isinstance(recorder, SQLiteRecorder)
    pool = recorder.datastore.pool
    connections = [pool.get_connection() for _ in range(4)]
    for connection in connections:
        cursor = connection.cursor()
        for pragma, value in (
            ("journal_mode", "wal"),
            ("synchronous", 2),
            ("fullfsync", 1),
            ("checkpoint_fullfsync", 1),
        ):
            cursor.execute(f"PRAGMA {pragma}")
            assert cursor.fetchone()[0] == value
        pool.put_connection(connection)


@pytest.mark.parametrize("level", ["NORMAL", "OFF"])
def test_weaker_syncing_is_noticed(
    file_url: str, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "DURABLE", (f"synchronous={level}",))
    assert refusal(file_url).key == "not_durable"


def test_a_journal_that_is_not_a_log_is_noticed(
    file_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "switch_to_wal", lambda connection: "delete")
    assert refusal(file_url).key == "not_durable"


def test_numbers_of_entries_are_never_given_twice(file_store: Store) -> None:
    fill(file_store, 2)
    meddler = raw(file_store.url)
    meddler.execute("DROP TRIGGER entries_no_delete")
    meddler.execute("DELETE FROM entries WHERE originator_version = 1")
    file_store.append("game-2", [draft(0, "k")], expected=-1, **SIGNED)
    assert [number for number, _ in file_store.follow()] == [1, 3]


def test_store_survives_being_closed(file_url: str) -> None:
    store = open_store(file_url)
    fill(store)
    entries = store.read("game-1")
    store.close()
    store = open_store(file_url, create=False)
    assert store.read("game-1") == entries
    store.close()


def test_closed_store_says_so(file_url: str) -> None:
    store = open_store(file_url)
    store.close()
    with pytest.raises(StoreError) as caught:
        store.read("game-1")
    assert caught.value.key == "closed"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "games.db",
        "/tmp/games.db",
        "sqlite:",
        "sqlite://",
        "sqlite://games.db",
        "sqlite:///a.db?mode=memory",
        "sqlite:///a%00.db",
        "mysql:///a.db",
        "memory",
        ":memory:",
    ],
)
def test_bad_urls(url: str) -> None:
    assert refusal(url).key == "bad_url"


def test_init_makes_a_file_once(file_url: str) -> None:
    assert init(file_url) == Made(file_url, created=True)
    assert init(file_url) == Made(file_url, created=False)


@pytest.mark.parametrize("name", ["été à table.db", "100%.db", "a?b#c.db", "a&mode=memory.db"])
def test_any_file_name_works(tmp_path: Path, name: str) -> None:
    url = sqlite_url(tmp_path / name)
    store = open_store(url)
    fill(store)
    store.close()
    assert (tmp_path / name).stat().st_size > 0
    assert sqlite_path(url) == tmp_path / name


def test_missing_folder(tmp_path: Path) -> None:
    assert refusal(sqlite_url(tmp_path / "none" / "games.db")).key == "missing_folder"


def test_missing_store_is_not_made_when_not_wanted(file_url: str) -> None:
    assert refusal(file_url, create=False).key == "missing_store"
    assert not sqlite_path(file_url).exists()


def test_folder_is_not_a_database(tmp_path: Path) -> None:
    assert refusal(sqlite_url(tmp_path)).key == "not_a_database"


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "letter.db"
    text.write_text("Dear table, " * 200)
    assert refusal(sqlite_url(text)).key == "not_a_database"
    assert text.read_text() == "Dear table, " * 200


def test_other_databases_are_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "recipes.db"
    sqlite3.connect(other).execute("CREATE TABLE recipes (name TEXT)").connection.close()
    before = other.read_bytes()
    assert refusal(sqlite_url(other)).key == "not_a_store"
    assert other.read_bytes() == before
    names = tmp_path / "games.people.db"
    People(names).close()
    assert refusal(sqlite_url(names)).key == "not_a_store"


def test_an_empty_file_becomes_a_store_only_when_wanted(file_url: str) -> None:
    path = sqlite_path(file_url)
    path.touch()
    assert refusal(file_url, create=False).key == "not_a_store"
    assert path.stat().st_size == 0
    store = open_store(file_url)
    fill(store)
    store.close()
    open_store(file_url, create=False).close()


def test_newer_format_is_not_touched(file_url: str) -> None:
    open_store(file_url).close()
    raw(file_url).execute("PRAGMA user_version = 2")
    assert refusal(file_url).key == "newer_format"


def test_locked_store(file_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "LOCK_TIMEOUT", 0.05)
    patient = open_store(file_store.url)
    blocker = raw(file_store.url)
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError) as caught:
        fill(patient)
    assert caught.value.key == "locked"
    assert patient.read("game-1") == ()
    blocker.execute("ROLLBACK")
    fill(patient)
    patient.close()


def test_whoever_waits_knocks_again_and_again(
    file_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite alone would sleep ever longer: those who have just written would always be first."""
    monkeypatch.setattr(connecting, "LOCK_TIMEOUT", 0.5)
    blocker, asked = raw(file_store.url), []
    blocker.execute("BEGIN IMMEDIATE")
    knocking = connecting.connect_to_write(f"file:{sqlite_path(file_store.url)}")
    knocking.set_trace_callback(asked.append)
    with pytest.raises(sqlite3.OperationalError):
        connecting.begin_immediate(knocking.cursor())
    assert asked.count("BEGIN IMMEDIATE") > 2
    blocker.execute("ROLLBACK")
    connecting.begin_immediate(knocking.cursor())
    assert knocking.in_transaction
    for connection in (blocker, knocking):
        connection.close()


def test_a_writer_has_patience_with_a_file_that_is_being_made(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    maker = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    maker.execute("CREATE TABLE of_an_older_journal (x)")
    maker.execute("BEGIN EXCLUSIVE")
    with ThreadPoolExecutor(1) as thread:
        made = thread.submit(connecting.connect_to_write, f"file:{path}")
        sleep(20 * connecting.RETRY_EVERY)
        maker.execute("ROLLBACK")
        maker.close()
        made.result().close()


def test_store_works_again_after_a_connection_could_not_be_made(
    file_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store(file_url).close()
    store = open_store(file_url)
    recorder = store._recorder
    assert isinstance(recorder, SQLiteRecorder)
    taken = recorder.datastore.pool.get_connection()

    def no_more_files(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    with monkeypatch.context() as patch:
        patch.setattr(connecting.sqlite3, "connect", no_more_files)
        for _ in range(3):
            with pytest.raises(StoreError):
                fill(store)
    recorder.datastore.pool.put_connection(taken)
    fill(store)
    store.close()


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that everybody may look into; the usual ones are private to the user."""
    with TemporaryDirectory(prefix="referee-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


def test_files_that_may_only_be_read(public_folder: Path, processes: ForkServerContext) -> None:
    existing, new = (sqlite_url(public_folder / name) for name in ("games.db", "new.db"))
    store = open_store(existing)
    fill(store)
    store.close()
    (public_folder / "games.db").chmod(0o444)
    public_folder.chmod(0o555)
    receiver, sender = processes.Pipe(duplex=False)
    process = processes.Process(target=open_without_rights, args=((existing, new), sender))
    process.start()
    sender.close()
    assert received(receiver) == ["read_only", "cannot_open"]
    ended(process)


def test_many_processes_may_make_the_store_at_once(
    file_url: str, processes: ForkServerContext
) -> None:
    started = [
        processes.Process(target=open_and_append, args=(file_url, f"game-{number}"))
        for number in range(6)
    ]
    for process in started:
        process.start()
    ended(*started)
    assert [process.exitcode for process in started] == [0] * 6
    store = open_store(file_url)
    assert len(store.streams()) == 6
    store.close()


def test_a_store_that_somebody_makes_meanwhile_is_no_lost_one(
    file_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = opening.is_store

    def look_before_it_is_made(path: Path) -> bool:
        found = look(path)
        monkeypatch.undo()
        open_and_append(file_url, "game-first")
        return found

    monkeypatch.setattr(opening, "is_store", look_before_it_is_made)
    open_and_append(file_url, "game-second")
    store = open_store(file_url)
    assert len(store.streams()) == 2
    store.close()


def test_readers_do_not_wait_for_a_writer(file_store: Store) -> None:
    fill(file_store)
    blocker = raw(file_store.url)
    blocker.execute("BEGIN IMMEDIATE")
    read: list[int] = []
    thread = threading.Thread(target=lambda: read.append(len(file_store.read("game-1"))))
    thread.start()
    thread.join(PATIENCE)
    blocker.execute("ROLLBACK")
    assert read == [3]


def test_environment_variables_do_not_reach_the_store(
    file_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("SQLITE_DBNAME", "REFEREE_SQLITE_DBNAME"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere.db"))
    monkeypatch.setenv("ORIGINATOR_ID_TYPE", "uuid")
    monkeypatch.setenv("PERSISTENCE_MODULE", "eventsourcing.popo")
    monkeypatch.setenv("CREATE_TABLE", "no")
    store = open_store(file_url)
    fill(store)
    store.close()
    assert sqlite_path(file_url).exists()
    assert not (tmp_path / "elsewhere.db").exists()


def test_opening_a_store_loads_nothing_heavy(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path / "games.db")
    script = (
        "import sys, referee.store.derived.projections\n"
        "import referee.store.maintenance.backup, referee.store.maintenance.health\n"
        f"referee.store.open_store({url!r}).close()\n"
        "print(*sorted({'sqlite_utils', 'jsonschema', 'psycopg'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE
    )
    assert (done.stdout.strip(), done.stderr) == ("", "")


@pytest.mark.parametrize("before", [b"", LOG_MAGIC + bytes(29)], ids=["empty", "begun"])
def test_a_log_that_others_begin_meanwhile_is_no_other_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bytes
) -> None:
    """One process has emptied it, another writes to it while a third one looks."""
    log = tmp_path / "games.db-wal"
    log.write_bytes(before)
    ask = os.fstat

    def begun_meanwhile(file: int) -> os.stat_result:
        with log.open("ab") as others:
            others.write(LOG_MAGIC + bytes(29))
        return ask(file)

    monkeypatch.setattr(os, "fstat", begun_meanwhile)
    mark = log_mark(str(log))
    assert mark is not None
    assert mark.head.startswith(LOG_MAGIC) if mark.size else mark.head == b""
