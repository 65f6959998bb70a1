"""The store in one SQLite file: an acknowledged entry survives a crash and a power cut."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote, unquote

from eventsourcing.persistence import (
    ConnectionPoolClosedError,
    ConnectionUnavailableError,
    IntegrityError,
    StoredEvent,
)
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteFactory,
)
from eventsourcing.utils import Environment

from referee.store.envelopes import StoreError

APPLICATION_ID = 0x52454631
"""Marks the file as a store of ours ("REF1")."""
FILE_FORMAT = 1
OLDEST_SQLITE = (3, 37, 0)
LOCK_TIMEOUT = 5.0
LOOK_AGAIN = 0.02
"""Seconds between two looks at whether another connection has written."""

DURABLE = ("synchronous=FULL", "fullfsync=1", "checkpoint_fullfsync=1")
SYNCHRONOUS_FULL = 2

_CODES = {
    sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_NOTADB: "not_a_database",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_CANTOPEN: "cannot_open",
    sqlite3.SQLITE_PERM: "read_only",
    sqlite3.SQLITE_IOERR: "disk_error",
}


def sqlite_url(path: Path) -> str:
    return "sqlite://" + quote(path.absolute().as_posix())


def sqlite_path(url: str) -> Path:
    """The file that a ``sqlite:///`` URL names."""
    scheme, _, rest = url.partition("://")
    path = Path(unquote(rest))
    if scheme != "sqlite" or "?" in rest or "\0" in str(path) or not path.is_absolute():
        raise StoreError("bad_url", url=url)
    return path


def companions(path: Path) -> tuple[Path, ...]:
    """The files that SQLite keeps beside a database."""
    return tuple(path.with_name(path.name + end) for end in ("-wal", "-shm", "-journal"))


def open_recorder(path: Path, *, create: bool = True) -> Recorder:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreError("sqlite_too_old", version=sqlite3.sqlite_version)
    if not path.parent.is_dir():
        raise StoreError("missing_folder", folder=path.parent)
    if path.is_dir():
        raise StoreError("not_a_database", path=path)
    if not create and not path.exists():
        raise StoreError("missing_store", path=path)
    known = path.exists() and _is_store(path)
    if not known and not create:
        raise StoreError("not_a_store", path=path)
    mapping = {
        "SQLITE_DBNAME": f"file:{quote(str(path))}?mode={'rwc' if create else 'rw'}",
        "ORIGINATOR_ID_TYPE": "text",
    }
    factory = Factory(Environment("referee", mapping), path)
    try:
        recorder = factory.application_recorder()
        if known:
            recorder.max_notification_id()  # what cannot be used fails here, not at a table
        else:
            recorder.create_table()
    except BaseException:
        factory.close()
        raise
    return recorder


class Recorder(SQLiteApplicationRecorder):
    """The library's recorder with ids that never change, no gaps, and nothing taken away."""

    datastore: Datastore

    def __init__(self, datastore: Datastore, events_table_name: str = "entries") -> None:
        super().__init__(datastore, events_table_name)
        table = self.events_table_name
        self.insert_events_statement = (
            f"INSERT INTO {table} (originator_id, originator_version, topic, state, key) "
            "SELECT ?1, ?2, ?3, ?4, ?5 WHERE ?2 = (SELECT COALESCE(MAX(originator_version), -1) "
            f"+ 1 FROM {table} WHERE originator_id = ?1)"
        )

    def construct_create_table_statements(self) -> list[str]:
        table = self.events_table_name
        return [
            f"CREATE TABLE IF NOT EXISTS {table} ("
            "rowid INTEGER PRIMARY KEY AUTOINCREMENT, "
            "originator_id TEXT NOT NULL, "
            "originator_version INTEGER NOT NULL, "
            "topic TEXT NOT NULL, "
            "state BLOB NOT NULL, "
            "key TEXT NOT NULL, "
            "UNIQUE (originator_id, originator_version), "
            "UNIQUE (originator_id, key)) STRICT",
            *(
                f"CREATE TRIGGER IF NOT EXISTS {table}_no_{change.lower()} "
                f"BEFORE {change} ON {table} "
                "BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END"
                for change in ("UPDATE", "DELETE")
            ),
            f"PRAGMA application_id = {APPLICATION_ID}",
            f"PRAGMA user_version = {FILE_FORMAT}",
        ]

    def insert_events(
        self,
        stored_events: Sequence[StoredEvent],
        *,
        keys: Sequence[str] = (),
        number: int | None = None,
        **_: Any,
    ) -> Sequence[int] | None:
        ids: list[int] = []
        with self.datastore.transaction(commit=True) as c:
            for event, key in zip(stored_events, keys, strict=True):
                position = (event.originator_id, event.originator_version)
                c.execute(self.insert_events_statement, (*position, event.topic, event.state, key))
                if c.sqlite_cursor.rowcount != 1:
                    raise IntegrityError(f"{position}: not the next one")
                ids.append(c.lastrowid)
            if number not in (None, ids[0]):
                raise IntegrityError(f"{number}: not the next number")
        return ids

    def select_keys(self, stream: str, keys: Sequence[str]) -> Mapping[str, StoredEvent]:
        marks = ",".join("?" * len(keys))
        with self.datastore.transaction(commit=False) as c:
            c.execute(f"{self.select_events_statement} AND key IN ({marks})", (stream, *keys))
            return {
                row["key"]: StoredEvent(
                    originator_id=row["originator_id"],
                    originator_version=row["originator_version"],
                    topic=row["topic"],
                    state=row["state"],
                )
                for row in c.fetchall()
            }

    def select_streams(self, prefix: str) -> Sequence[str]:
        """Jumps from stream to stream in the index instead of reading every entry."""
        next_stream = f"SELECT MIN(originator_id) FROM {self.events_table_name} WHERE originator_id"
        with self.datastore.transaction(commit=False) as c:
            c.execute(
                f"WITH RECURSIVE stream(id) AS ({next_stream} >= :from UNION ALL "
                f"SELECT ({next_stream} > stream.id) FROM stream "
                "WHERE stream.id IS NOT NULL AND stream.id < :to) "
                "SELECT id FROM stream WHERE id < :to",
                {"from": prefix, "to": prefix + "\U0010ffff"},
            )
            return [row[0] for row in c.fetchall()]

    def signal(self) -> Versions:
        return Versions(self.datastore.path)

    def close(self) -> None:
        self.datastore.close()


class Versions:
    """Watches the number that SQLite counts up at every commit of somebody else."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with explained(path):
            self._connection = sqlite3.connect(
                f"file:{quote(str(path))}?mode=ro",
                uri=True,
                check_same_thread=False,
                timeout=LOCK_TIMEOUT,
            )
        self._seen = self._version()

    def wait(self, seconds: float) -> None:
        deadline = monotonic() + seconds
        while self._version() == self._seen and (left := deadline - monotonic()) > 0:
            sleep(min(left, LOOK_AGAIN))
        self._seen = self._version()

    def close(self) -> None:
        self._connection.close()

    def _version(self) -> int:
        with explained(self._path):
            version: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        return version


class Pool(SQLiteConnectionPool):
    """One writer at a time, readers beside it; every connection durable."""

    def get_connection(
        self, timeout: float | None = None, *, is_writer: bool | None = None
    ) -> SQLiteConnection:
        try:
            return super().get_connection(timeout, is_writer=is_writer)
        except (sqlite3.Error, StoreError):
            # No connection could be made: the library would keep the writer's place taken.
            if is_writer:
                self._num_writers -= 1
                self._writer_lock.release()
            raise

    def _create_connection(self) -> SQLiteConnection:
        connection = sqlite3.connect(
            self.db_name,
            uri=True,
            check_same_thread=False,
            isolation_level=None,
            cached_statements=128,
            timeout=LOCK_TIMEOUT,
        )
        try:
            make_durable(connection)
        except BaseException:
            connection.close()
            raise
        connection.row_factory = sqlite3.Row
        return SQLiteConnection(connection, self.max_age)


class Datastore(SQLiteDatastore):
    def __init__(self, db_name: str, path: Path) -> None:
        super().__init__(db_name, originator_id_type="text")
        self.path = path
        self.pool = Pool(db_name=db_name)

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        """A writer takes the lock at once; no transaction stays open, whatever happens."""
        with explained(self.path):
            connection = self.pool.get_connection(is_writer=commit)
            try:
                cursor = connection.cursor()
                cursor.execute("BEGIN IMMEDIATE" if commit else "BEGIN")
                yield cursor
                if commit:
                    connection.commit()
            finally:
                try:
                    connection.rollback()
                finally:
                    self.pool.put_connection(connection)


class Factory(SQLiteFactory):
    def __init__(self, env: Environment, path: Path) -> None:
        super().__init__(env)
        self.datastore: Datastore = Datastore(env[self.SQLITE_DBNAME], path)

    def application_recorder(self) -> Recorder:
        return Recorder(self.datastore)


def make_durable(connection: sqlite3.Connection) -> None:
    """Write-ahead log, synced at every commit: asked for, then checked."""
    for pragma in DURABLE:
        connection.execute(f"PRAGMA {pragma}")
    journal = switch_to_wal(connection)
    synchronous = connection.execute("PRAGMA synchronous").fetchone()[0]
    if journal != "wal" or synchronous < SYNCHRONOUS_FULL:
        raise StoreError("not_durable", journal=journal, synchronous=synchronous)


def switch_to_wal(connection: sqlite3.Connection) -> str:
    """SQLite does not wait for others when it changes the journal of a new file: we do."""
    deadline = monotonic() + LOCK_TIMEOUT
    while True:
        try:
            journal: str = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
            return journal
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                raise
            sleep(0.01)


def read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=LOCK_TIMEOUT)


def check_pages(path: Path) -> None:
    """Let SQLite look through its own file."""
    with explained(path), closing(read_only(path)) as connection:
        answer = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if answer != "ok":
        raise StoreError("damaged", path=path, problem=answer)


def _is_store(path: Path) -> bool:
    """Whether the file is a store; an empty one may become one, others are left untouched."""
    with explained(path), closing(read_only(path)) as connection:
        connection.execute("BEGIN")
        application, version, tables = (
            connection.execute(question).fetchone()[0]
            for question in (
                "PRAGMA application_id",
                "PRAGMA user_version",
                "SELECT COUNT(*) FROM sqlite_master",
            )
        )
    if application == APPLICATION_ID and version > FILE_FORMAT:
        raise StoreError("newer_format", path=path, format=version)
    if application != APPLICATION_ID and (application or tables):
        raise StoreError("not_a_store", path=path)
    return bool(application == APPLICATION_ID)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Errors of the database in our words."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise IntegrityError(error) from error
    except sqlite3.Error as error:
        code = _CODES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, "database_error")
        problem = getattr(error, "sqlite_errorname", type(error).__name__)
        raise StoreError(code, path=path, problem=problem) from error
    except ConnectionUnavailableError as error:
        raise StoreError("locked", path=path, problem=error) from error
    except ConnectionPoolClosedError as error:
        raise StoreError("closed", path=path) from error
