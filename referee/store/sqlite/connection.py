"""Connections to a store file: one that writes, a pool that reads, fsync at every commit."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import NamedTuple
from urllib.parse import quote

from eventsourcing.persistence import (
    ConnectionPoolClosedError,
    ConnectionUnavailableError,
    IntegrityError,
)
from eventsourcing.sqlite import (
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
)

from referee.store.envelopes import StoreError
from referee.store.sqlite.errors import translating_errors
from referee.store.sqlite.files import LOCK_TIMEOUT, companions, identity, read_only

POLL_EVERY = 0.02
"""Poll interval in seconds for commits of other connections."""
RETRY_EVERY = 0.003
"""Seconds between two tries for the lock. SQLite itself would sleep ever longer, so that whoever
has waited longest is the least likely to get it."""

DURABLE = ("synchronous=FULL", "fullfsync=1", "checkpoint_fullfsync=1")
SYNCHRONOUS_FULL = 2


class LockedSQLiteDatastore(SQLiteDatastore):
    """The library's datastore: one connection writes, those of the pool read beside it (WAL)."""

    def __init__(self, path: Path) -> None:
        self._writer: sqlite3.Connection | None = None
        self._writing = Lock()
        db_name = f"file:{quote(str(path))}?mode=rw"
        super().__init__(db_name, originator_id_type="text")
        self.path = path
        self.pool = Pool(db_name=db_name)
        self._name, self._log = str(path), str(companions(path)[0])
        self._file = identity(self._name)
        self._logged: LogMark | None = None
        """The log as our last transaction left it."""
        self.is_ours: Callable[[sqlite3.Connection], bool] = lambda connection: True
        """Asked of a fresh connection, which has no page in its cache, when the file changed."""
        self._content: tuple[int, int] | None = None
        self._overwritten = False

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        """A writer takes the lock at once; no transaction stays open, whatever happens."""
        with translating_errors(self.path):
            if commit:
                if not self._writing.acquire(timeout=LOCK_TIMEOUT):
                    raise ConnectionUnavailableError("another thread is writing")
                try:
                    yield from self._written()
                finally:
                    self._writing.release()
                return
            self._refuse_replaced()
            connection = self.pool.get_connection()
            try:
                cursor = connection.cursor()
                cursor.execute("BEGIN")
                yield cursor
            finally:
                try:
                    connection.rollback()
                finally:
                    self.pool.put_connection(connection)

    def _written(self) -> Iterator[SQLiteCursor]:
        if self.pool.closed:
            raise ConnectionPoolClosedError
        if self._writer is None:
            self._writer = connect_to_write(self.pool.db_name)
        cursor = self._writer.cursor()
        begin_immediate(cursor)
        try:
            self._refuse_cut_log()
            self._refuse_replaced()
            yield SQLiteCursor(cursor)
            self._writer.commit()
        finally:
            self._writer.rollback()
        self._refuse_replaced(log=True)

    def _refuse_replaced(self, *, log: bool = False) -> None:
        """Refuse if the file was deleted, replaced or overwritten: nobody would find again what
        was stored.

        A log that was emptied under us has no head: we write behind where its end was.
        """
        if identity(self._name) != self._file or self._is_overwritten():
            raise StoreError("replaced", path=self.path)
        if log:
            self._logged = now = log_mark(self._log)
            if now is None or (now.size and not now.head.startswith(LOG_MAGIC)):
                raise StoreError("replaced", path=self.path)

    def _is_overwritten(self) -> bool:
        """Whether another content was written into the file, which only checkpoints may change.

        Its date tells that it changed, and what is in it, by whom.
        """
        if self._overwritten:
            return True
        content = _content(self._name)
        if content != self._content:
            if self._content is not None and not self._looks_ours():
                self._overwritten = True
            self._content = content
        return self._overwritten

    def _looks_ours(self) -> bool:
        try:
            with closing(read_only(self.path)) as connection:
                return self.is_ours(connection)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                return False
            raise

    def _refuse_cut_log(self) -> None:
        """Refuse if the log has become shorter; one that was begun anew has another head."""
        before, now = self._logged, log_mark(self._log)
        if before and now and now.head == before.head and now.size < before.size:
            raise StoreError("replaced", path=self.path)

    def checkpoint(self) -> None:
        """WAL checkpoint: move the log into the file, as far as other readers allow."""
        with self._writing, suppress(sqlite3.Error, OSError):
            if self._writer is not None and not self._is_overwritten():
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                self._content = _content(self._name)

    def close(self) -> None:
        """The last one to close leaves a single file, without WAL."""
        if not hasattr(self, "_writing"):
            super().close()
        elif self._overwritten and not self.pool.closed:
            self._leave_as_it_is()
        else:
            self._close_connections()

    def _close_connections(self) -> None:
        super().close()
        if not self._overwritten:
            self.checkpoint()
        with self._writing:
            if self._writer is not None:
                self._writer.close()
                self._writer = None

    def _leave_as_it_is(self) -> None:
        """Close without writing the log into a file that it does not belong to, and set it aside:
        whoever opened the file next would do so.

        A connection that only reads cannot write the log into the file, and as long as it is open,
        no other one does so when it is closed.
        """
        with ExitStack() as reading:
            with suppress(sqlite3.Error):
                reader = reading.enter_context(closing(read_only(self.path)))
                reader.execute("PRAGMA schema_version").fetchone()
            log, memory, _ = companions(self.path)
            with suppress(OSError):
                log.rename(log.with_name(f"{log.name}.overwritten-{secrets.token_hex(4)}"))
                memory.unlink()
            self._close_connections()


def _content(name: str) -> tuple[int, int]:
    """The date and size of a file: another content has others."""
    found = os.stat(name)
    return found.st_mtime_ns, found.st_size


class LogMark(NamedTuple):
    """How a write-ahead log begins, which is otherwise when it is begun anew, and its size."""

    head: bytes
    size: int


LOG_MAGIC = bytes.fromhex("377f06")
_LOG_HEAD = 24


def log_mark(log: str) -> LogMark | None:
    """None if there is no log.

    One that was empty stays so for us: another process may begin it anew before its size is asked.
    """
    try:
        with open(log, "rb", buffering=0) as file:
            head = file.read(_LOG_HEAD) or b""
            return LogMark(head, os.fstat(file.fileno()).st_size if head else 0)
    except FileNotFoundError:
        return None


class Pool(SQLiteConnectionPool):
    """The library's pool of readers, with durable connections and a cache of statements."""

    def _create_connection(self) -> SQLiteConnection:
        return SQLiteConnection(connect(self.db_name), self.max_age)


def connect(database: str) -> sqlite3.Connection:
    """A durable connection (WAL, synchronous)."""
    connection = sqlite3.connect(
        database,
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
    return connection


def connect_to_write(database: str) -> sqlite3.Connection:
    """A connection with a busy timeout of milliseconds: ``begin_immediate`` retries by itself.

    SQLite's own busy handler backs off, so that the longest waiting writer is the least likely to
    get the lock.
    """
    connection = connect(database)
    connection.execute(f"PRAGMA busy_timeout={round(RETRY_EVERY * 1000)}")
    return connection


def begin_immediate(cursor: sqlite3.Cursor) -> None:
    """BEGIN IMMEDIATE, retried without backoff: every waiting writer has the same chance."""
    deadline = monotonic() + LOCK_TIMEOUT
    while True:
        try:
            cursor.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or monotonic() > deadline:
                raise


@contextmanager
def savepoint(c: SQLiteCursor, statements: int) -> Iterator[None]:
    """A savepoint: what does not fit is rolled back, the rest of the transaction stays.

    A single statement needs none, it rolls itself back.
    """
    if statements > 1:
        c.execute("SAVEPOINT before")
    try:
        yield
    except (IntegrityError, sqlite3.IntegrityError) as error:
        if statements > 1:
            c.execute("ROLLBACK TO before")
        raise IntegrityError(error) from error


def make_durable(connection: sqlite3.Connection) -> None:
    """Write-ahead log, synced at every commit: asked for, then checked."""
    for pragma in DURABLE:
        connection.execute(f"PRAGMA {pragma}")
    journal = switch_to_wal(connection)
    synchronous = connection.execute("PRAGMA synchronous").fetchone()[0]
    if journal != "wal" or synchronous < SYNCHRONOUS_FULL:
        raise StoreError("not_durable", journal=journal, synchronous=synchronous)


def switch_to_wal(connection: sqlite3.Connection) -> str:
    """Switch to WAL with retries: SQLite does not wait for a lock here."""
    deadline = monotonic() + LOCK_TIMEOUT
    while True:
        try:
            journal: str = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
            return journal
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or monotonic() > deadline:
                raise
            sleep(0.01)


def _is_busy(error: sqlite3.OperationalError) -> bool:
    return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


class DataVersionWatcher:
    """Polls ``PRAGMA data_version``, which SQLite counts up when another connection commits."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with translating_errors(path):
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
            sleep(min(left, POLL_EVERY))
        self._seen = self._version()

    def close(self) -> None:
        self._connection.close()

    def _version(self) -> int:
        with translating_errors(self._path):
            version: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        return version
