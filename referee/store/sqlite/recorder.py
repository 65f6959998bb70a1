"""The store in one SQLite file: an acknowledged entry survives a crash and a power cut."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any
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

from referee.store.durable_files import make_private
from referee.store.envelopes import StoreError
from referee.store.sqlite.group_commit import GroupCommit, LockTimeout, PendingWrite
from referee.store.sqlite.witness import START, Checkpoint, Witness, extend_chain

if TYPE_CHECKING:
    from uuid import UUID

APPLICATION_ID = 0x52454631
"""Marks the file as a store of ours ("REF1")."""
FILE_FORMAT = 1
OLDEST_SQLITE = (3, 37, 0)
LOCK_TIMEOUT = 5.0
LOOK_AGAIN = 0.02
"""Seconds between two looks at whether another connection has written."""
KNOCK_AGAIN = 0.003
"""Seconds between two tries for the lock. SQLite itself would sleep ever longer, so that whoever
has waited longest is the least likely to get it."""

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


_SYSTEM_CODES = {
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
    errno.EROFS: "cannot_open",
    errno.EACCES: "cannot_open",
    errno.EPERM: "cannot_open",
}


def sqlite_url(path: Path) -> str:
    return "sqlite://" + quote(path.absolute().as_posix())


def sqlite_path(url: str) -> Path:
    """The file that a ``sqlite:///`` URL names, or one with four slashes, as others write it."""
    scheme, _, rest = url.partition("://")
    if rest.startswith("//"):
        rest = f"/{rest.lstrip('/')}"
    path = Path(unquote(rest))
    if scheme != "sqlite" or "?" in rest or "\0" in str(path) or not path.is_absolute():
        raise StoreError("bad_url", url=url)
    return path


def companions(path: Path) -> tuple[Path, ...]:
    """The files that SQLite keeps beside a database."""
    return tuple(path.with_name(path.name + end) for end in ("-wal", "-shm", "-journal"))


def beside(store: Path, what: str) -> Path:
    """The file of the names, or of the lists, of a store: no two stores share one.

    Stores that do not end in ``.db`` once did, with all of the same stem: what one of them has
    from then stays its own, if there is no other to claim it.
    """
    common = store.with_suffix(f".{what}.db")
    if store.suffix == ".db":
        return common
    own = store.with_name(f"{store.name}-{what}.db")
    inherited = common.exists() and not store.with_suffix(".db").exists()
    return common if inherited and not own.exists() else own


def open_recorder(path: Path, *, create: bool = True) -> Recorder:
    """Open a store, if it has all that its witness knows."""
    recorder = open_unwitnessed(path, create=create)
    try:
        recorder.check_witness()
    except BaseException:
        recorder.close()
        raise
    return recorder


def open_unwitnessed(path: Path, *, create: bool = True, known: bool = False) -> Recorder:
    """Open a store as it is, for those who look at what it has lost.

    One that is missing or empty although its witness knows it is made only if that is ``known``.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreError("sqlite_too_old", version=sqlite3.sqlite_version)
    if not path.parent.is_dir():
        raise StoreError("missing_folder", folder=path.parent)
    if path.is_dir():
        raise StoreError("not_a_database", path=path)
    if not path.exists():
        if not known:
            _refuse_known(path)
        if not create:
            raise StoreError("missing_store", path=path)
        with writing(path):
            make_private(path)
    made = _is_store(path)
    if not made and not known:
        _refuse_known(path)
    if not made and not create:
        raise StoreError("not_a_store", path=path)
    mapping = {
        "SQLITE_DBNAME": f"file:{quote(str(path))}?mode=rw",
        "ORIGINATOR_ID_TYPE": "text",
    }
    factory = Factory(Environment("referee", mapping), path)
    try:
        recorder = factory.application_recorder()
        if made:
            recorder.max_notification_id()  # what cannot be used fails here, not at a table
        else:
            recorder.create_table()
    except BaseException:
        factory.close()
        raise
    return recorder


def _refuse_known(path: Path) -> None:
    """A file that is not there or is empty, but was a store."""
    known = Witness(path).latest()
    if known is not None and known.number:
        raise StoreError("entries_lost", path=path, known=known.number, found=0)


class Recorder(SQLiteApplicationRecorder):
    """The library's recorder with ids that never change, no gaps, and nothing taken away."""

    datastore: Datastore

    def __init__(self, datastore: Datastore, events_table_name: str = "entries") -> None:
        super().__init__(datastore, events_table_name)
        self.witness = Witness(datastore.path)
        self._has_trail = False
        self._newest: Checkpoint | None = None
        self._turns = GroupCommit()
        table = self.events_table_name
        self.insert_events_statement = (
            f"INSERT INTO {table} "
            "(originator_id, originator_version, topic, state, key, trail, rowid) "
            "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 "
            "WHERE ?2 = (SELECT COALESCE(MAX(originator_version), -1) + 1 "
            f"FROM {table} WHERE originator_id = ?1)"
        )

    def construct_create_table_statements(self) -> list[str]:
        table = self.events_table_name
        return [
            f"CREATE TABLE IF NOT EXISTS {table} ("
            "rowid INTEGER PRIMARY KEY, "
            "originator_id TEXT NOT NULL, "
            "originator_version INTEGER NOT NULL, "
            "topic TEXT NOT NULL, "
            "state BLOB NOT NULL, "
            "key TEXT NOT NULL, "
            "trail BLOB, "
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
        wish = PendingWrite(stored_events, keys, number)
        try:
            return self._turns.fulfilled(wish, self._write_waiting, LOCK_TIMEOUT)
        except LockTimeout:
            raise StoreError(
                "locked", path=self.datastore.path, problem="other threads are writing"
            ) from None

    def _write_waiting(self) -> None:
        """Everything that waits, in one transaction; then the witness knows of it."""
        newest, self._newest = self._newest, None
        with self.datastore.transaction(commit=True) as c:
            last = newest or self._last_for_writer(c)
            wishes = self._turns.taken()
            outcomes: list[Sequence[int] | IntegrityError] = []
            for wish in wishes:
                try:
                    numbers, last = self._written(c, wish, last)
                    outcomes.append(numbers)
                except IntegrityError as error:
                    outcomes.append(error)
        if last != newest:
            self._note(last)
        self._newest = last
        for wish, outcome in zip(wishes, outcomes, strict=True):
            wish.outcome = outcome

    def _written(
        self, c: SQLiteCursor, wish: PendingWrite, last: Checkpoint
    ) -> tuple[range, Checkpoint]:
        """What was written last is believed to be the last; if it is not, it is looked for."""
        try:
            return self._inserted(c, wish, last)
        except IntegrityError:
            actual = self._last_for_writer(c)
            if actual == last:
                raise
        return self._inserted(c, wish, actual)

    def _inserted(
        self, c: SQLiteCursor, wish: PendingWrite, last: Checkpoint
    ) -> tuple[range, Checkpoint]:
        if wish.number not in (None, last.number + 1):
            raise IntegrityError(f"{wish.number}: not the next number")
        numbers = range(last.number + 1, last.number + 1 + len(wish.events))
        with savepoint(c, len(wish.events)):
            for event, key in zip(wish.events, wish.keys, strict=True):
                last = Checkpoint(last.number + 1, extend_chain(last.trail, event.state))
                position = (event.originator_id, event.originator_version)
                values = (*position, event.topic, event.state, key, last.trail, last.number)
                c.execute(self.insert_events_statement, values)
                if c.sqlite_cursor.rowcount != 1:
                    raise IntegrityError(f"{position}: not the next one")
        return numbers, last

    def _note(self, last: Checkpoint) -> None:
        try:
            self.witness.note(last)
        except OSError as error:
            raise _system_error(self.datastore.path, error) from error

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """The last one is covered by no other entry of its stream: its trail is looked at."""
        events = super().select_events(originator_id, gt=gt, lte=lte, desc=desc, limit=limit)
        if events:
            self._check_covered(events[0 if desc else -1])
        return events

    # the trail, and the witness outside

    def check_witness(self) -> None:
        """Refuse a store that lacks what was acknowledged; bring a witness that is behind up."""
        known = self.witness.latest()
        here = self.known()
        if known is None:
            return
        if here.number < known.number:
            facts = {"known": known.number, "found": here.number}
            raise StoreError("entries_lost", path=self.datastore.path, **facts)
        if self._trail_at(known.number) != known.trail:
            raise StoreError("other_entries", path=self.datastore.path, number=known.number)
        if here.number > known.number:
            with suppress(OSError):  # a disk that cannot be written to can still be read
                self.witness.note(here)

    def known(self) -> Checkpoint:
        """What a witness of this store would know."""
        with self.datastore.transaction(commit=False) as c:
            return self._last(c)

    def accept(self) -> Checkpoint:
        """From now on the witness knows what is here, and nothing else."""
        here = self.known()
        with writing(self.datastore.path):
            self.witness.reset(here)
        return here

    def find_altered(self) -> StoreError | None:
        """Walk the whole log: its numbers, its keys and its trail; what is wrong first."""
        with self.datastore.transaction(commit=False) as c:
            has_trail = self._looked_for_trail(c)
            c.execute(
                "SELECT rowid, originator_id, originator_version, state, key, "
                f"{'trail' if has_trail else 'NULL'} FROM {self.events_table_name} ORDER BY rowid"
            )
            trail, due = START, 1
            for number, stream, seq, body, key, noted in c.sqlite_cursor:
                if number != due:
                    return StoreError("gap_inside", path=self.datastore.path, number=due)
                trail, due = extend_chain(trail, body), due + 1
                if noted not in (None, trail) or not _names_key(body, key):
                    return StoreError("altered", stream=stream, seq=seq)
        return None

    def _check_covered(self, event: StoredEvent) -> None:
        place = (str(event.originator_id), event.originator_version)
        table = self.events_table_name
        with self.datastore.transaction(commit=False) as c:
            if not self._looked_for_trail(c):
                return
            c.execute(
                f"SELECT rowid, key, trail, (SELECT trail FROM {table} AS b "
                f"WHERE b.rowid = a.rowid - 1) FROM {table} AS a "
                "WHERE originator_id = ? AND originator_version = ?",
                place,
            )
            number, key, trail, before = c.fetchone()
        before = START if number == 1 else before
        if trail is not None and (
            not _names_key(event.state, key)
            or (before is not None and trail != extend_chain(before, event.state))
        ):
            raise StoreError("altered", stream=place[0], seq=place[1])

    def _last_for_writer(self, c: SQLiteCursor) -> Checkpoint:
        """How far the store is; one of an older version begins to keep a trail."""
        if not self._looked_for_trail(c):
            c.execute(f"ALTER TABLE {self.events_table_name} ADD COLUMN trail BLOB")
            self._has_trail = True
        return self._last(c)

    def _last(self, c: SQLiteCursor) -> Checkpoint:
        table, found = self.events_table_name, None
        has_trail = self._looked_for_trail(c)
        if has_trail:
            c.execute(f"SELECT rowid, trail FROM {table} ORDER BY rowid DESC LIMIT 1")
            found = c.fetchone()
            if found is None:
                return Checkpoint(0, START)
            if found["trail"] is not None:
                return Checkpoint(*found)
        return self._walked(c, has_trail)

    def _walked(self, c: SQLiteCursor, has_trail: bool, to: int | None = None) -> Checkpoint:
        """The trail behind entries that an older version has written without it."""
        table, number, trail = self.events_table_name, 0, START
        within = "" if to is None else f" AND rowid <= {to:d}"
        if has_trail:
            c.execute(
                f"SELECT rowid, trail FROM {table} WHERE trail IS NOT NULL{within} "
                "ORDER BY rowid DESC LIMIT 1"
            )
            number, trail = c.fetchone() or (0, START)
        c.execute(
            f"SELECT rowid, state FROM {table} WHERE rowid > ?{within} ORDER BY rowid", (number,)
        )
        known = Checkpoint(number, trail)
        for number, body in c.sqlite_cursor:
            known = Checkpoint(number, extend_chain(known.trail, body))
        return known

    def _trail_at(self, number: int) -> bytes | None:
        """The trail up to an entry; None if there is no such entry."""
        with self.datastore.transaction(commit=False) as c:
            found = self._walked(c, self._looked_for_trail(c), to=number)
        return found.trail if found.number == number else None

    def _looked_for_trail(self, c: SQLiteCursor) -> bool:
        if not self._has_trail:
            c.execute(
                "SELECT 1 FROM pragma_table_info(?) WHERE name = 'trail'",
                (self.events_table_name,),
            )
            self._has_trail = c.fetchone() is not None
        return self._has_trail

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

    def signal(self) -> DataVersionWatcher:
        return DataVersionWatcher(self.datastore.path)

    def close(self) -> None:
        self.datastore.close()
        self.witness.close()


class DataVersionWatcher:
    """Watches the number that SQLite counts up at every commit of somebody else."""

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
            sleep(min(left, LOOK_AGAIN))
        self._seen = self._version()

    def close(self) -> None:
        self._connection.close()

    def _version(self) -> int:
        with translating_errors(self._path):
            version: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        return version


class Pool(SQLiteConnectionPool):
    """Readers; every connection durable."""

    def _create_connection(self) -> SQLiteConnection:
        return SQLiteConnection(connect(self.db_name), self.max_age)


class Datastore(SQLiteDatastore):
    """One connection writes, those of the pool read beside it."""

    def __init__(self, db_name: str, path: Path) -> None:
        self._writer: sqlite3.Connection | None = None
        self._writing = Lock()
        super().__init__(db_name, originator_id_type="text")
        self.path = path
        self.pool = Pool(db_name=db_name)
        self._name, self._log = str(path), str(companions(path)[0])
        self._file = _identity(self._name)

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
            yield SQLiteCursor(cursor)
            self._writer.commit()
        finally:
            self._writer.rollback()
        self._refuse_replaced(log=True)

    def _refuse_replaced(self, *, log: bool = False) -> None:
        """Nothing is acknowledged into a file that nobody will find again."""
        if _identity(self._name) != self._file or (log and not os.access(self._log, os.F_OK)):
            raise StoreError("replaced", path=self.path)

    def close(self) -> None:
        super().close()
        with self._writing:
            if self._writer is not None:
                self._writer.close()
                self._writer = None


def connect(database: str) -> sqlite3.Connection:
    """A durable connection."""
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
    """One that knocks for itself: SQLite has patience with it only until it is made."""
    connection = connect(database)
    connection.execute(f"PRAGMA busy_timeout={round(KNOCK_AGAIN * 1000)}")
    return connection


def begin_immediate(cursor: sqlite3.Cursor) -> None:
    """Take the lock, with the same chance as everybody else who waits for it."""
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
    """What does not fit is undone, and the rest of the transaction stays as it is; a single
    statement undoes itself."""
    if statements > 1:
        c.execute("SAVEPOINT before")
    try:
        yield
    except (IntegrityError, sqlite3.IntegrityError) as error:
        if statements > 1:
            c.execute("ROLLBACK TO before")
        raise IntegrityError(error) from error


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
            if not _is_busy(error) or monotonic() > deadline:
                raise
            sleep(0.01)


def _is_busy(error: sqlite3.OperationalError) -> bool:
    return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


def _identity(path: str) -> tuple[int, int] | None:
    """Which file has this name now."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _names_key(body: bytes, key: str) -> bool:
    """Whether the body of an entry, in its canonical form, names this key."""
    return f'"key":{json.dumps(key)},"kind":'.encode() in body


def read_only(path: Path, *, immutable: bool = False) -> sqlite3.Connection:
    """``immutable``: nobody writes to the file, so that SQLite makes none beside it."""
    mode = "ro&immutable=1" if immutable else "ro"
    return sqlite3.connect(f"file:{quote(str(path))}?mode={mode}", uri=True, timeout=LOCK_TIMEOUT)


def _read_write(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?mode=rw", uri=True, timeout=LOCK_TIMEOUT)


def check_pages(path: Path) -> None:
    """Let SQLite look through its own file."""
    with translating_errors(path), closing(read_only(path)) as connection:
        answer = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if answer != "ok":
        raise StoreError("damaged", path=path, problem=answer)


def _is_store(path: Path) -> bool:
    """Whether the file is a store; an empty one may become one, others are left untouched."""
    application, version, tables = _marks(path)
    if application == APPLICATION_ID and version > FILE_FORMAT:
        raise StoreError("newer_format", path=path, format=version)
    if application != APPLICATION_ID and (application or tables):
        raise StoreError("not_a_store", path=path)
    return bool(application == APPLICATION_ID)


def _marks(path: Path) -> tuple[int, int, int]:
    """Application, version and number of tables; what a killed creation left is taken back."""
    with translating_errors(path):
        try:
            with closing(read_only(path)) as connection:
                return _asked(connection)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_READONLY:
                raise
        with closing(_read_write(path)) as connection:
            return _asked(connection)


def _asked(connection: sqlite3.Connection) -> tuple[int, int, int]:
    connection.execute("BEGIN")
    application, version, tables = (
        connection.execute(question).fetchone()[0]
        for question in (
            "PRAGMA application_id",
            "PRAGMA user_version",
            "SELECT COUNT(*) FROM sqlite_master",
        )
    )
    return application, version, tables


def claim(path: Path, application: int, table: str) -> None:
    """Make sure that a file is ours to write to: a new one, or one made for this purpose.

    Files of older versions bear no mark, but the ``table`` that only they have.
    """
    with writing(path):
        make_private(path)
    mark, _, tables = _marks(path)
    if mark == application or (not mark and not tables):
        return
    with translating_errors(path), closing(read_only(path)) as connection:
        known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,))
        if mark or known.fetchone() is None:
            raise StoreError("not_ours", path=path)


def open_claimed(path: Path | None, application: int, table: str) -> sqlite3.Connection:
    """A file of ours beside a store, for what can be erased: private, and synced at every change.

    A write-ahead log would keep copies of what is erased; zeroed pages keep none. Without EXTRA a
    journal could come back after a power cut, and with it what was the case before.
    """
    if path is not None:
        claim(path, application, table)
    connection = sqlite3.connect(
        path or ":memory:", isolation_level=None, check_same_thread=False, timeout=LOCK_TIMEOUT
    )
    for pragma in ("journal_mode=DELETE", "synchronous=EXTRA", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")
    if connection.execute("PRAGMA application_id").fetchone()[0] != application:
        connection.execute(f"PRAGMA application_id = {application}")
    return connection


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Errors of the system beside a database in our words."""
    try:
        yield
    except OSError as error:
        raise _system_error(path, error) from error


def _system_error(path: Path, error: OSError) -> StoreError:
    code = _SYSTEM_CODES.get(error.errno or 0, "disk_error")
    return StoreError(code, path=path, problem=error.strerror)


@contextmanager
def translating_errors(path: Path) -> Iterator[None]:
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
