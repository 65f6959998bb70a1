"""The event store in one SQLite file: an acknowledged entry survives a crash and a power cut."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteCursor

from referee.store.chained_log import ChainedLog, stored_by_key
from referee.store.durable_files import make_private
from referee.store.envelopes import StoreError
from referee.store.os_errors import translating_os_errors
from referee.store.sqlite.connection import DataVersionWatcher, LockedSQLiteDatastore, savepoint
from referee.store.sqlite.files import (
    APPLICATION_ID,
    FILE_FORMAT,
    LOCK_TIMEOUT,
    USERS,
    copy_before_upgrade,
    has_users,
    is_store,
    log_size,
)
from referee.store.sqlite.group_commit import GroupCommit, LockTimeout, PendingWrite
from referee.store.witness import Checkpoint, Witness, extend_chain, witness_beside

if TYPE_CHECKING:
    from uuid import UUID

OLDEST_SQLITE = (3, 37, 0)
LOOKED_AT = 2000
"""So many of the newest entries are looked for when the file has changed."""


def open_recorder(path: Path, *, create: bool = True) -> SQLiteRecorder:
    """Open a store, unless its witness shows that acknowledged entries are missing."""
    recorder = open_unwitnessed(path, create=create)
    try:
        recorder.check_complete()
    except BaseException:
        recorder.close()
        raise
    return recorder


def open_unwitnessed(path: Path, *, create: bool = True, known: bool = False) -> SQLiteRecorder:
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
        with translating_os_errors(path):
            make_private(path)
    log = log_size(path)
    made = is_store(path)
    if not made and not known:
        _refuse_known(path)
    if not made and not create:
        raise StoreError("not_a_store", path=path)
    datastore = LockedSQLiteDatastore(path)
    try:
        recorder = SQLiteRecorder(datastore)
        recorder.found_log = log
        if made:
            recorder.max_notification_id()  # what cannot be used fails here, not at a table
        else:
            recorder.create_table()
    except BaseException:
        datastore.close()
        raise
    return recorder


def _refuse_known(path: Path) -> None:
    """Refuse a missing or empty file whose witness shows that it was a store."""
    known = Witness(witness_beside(path)).latest()
    if known is None or not known.number:
        return
    # looked for again: another process may have made it since, and told its witness
    if not (path.exists() and is_store(path)):
        raise StoreError("entries_lost", path=path, known=known.number, found=0)


class SQLiteRecorder(SQLiteApplicationRecorder, ChainedLog[SQLiteCursor]):
    """The library's recorder: its reads and notification log, with our own table and insert.

    Ids never change, streams have no gaps, nothing is updated or deleted, and a rolling hash over
    the whole log (the trail) shows what is missing. See docs/eventsourcing.md.
    """

    NUMBER = "rowid"
    datastore: LockedSQLiteDatastore

    def __init__(
        self, datastore: LockedSQLiteDatastore, events_table_name: str = "entries"
    ) -> None:
        super().__init__(datastore, events_table_name)
        self.witness = Witness(witness_beside(datastore.path))
        self.found_log: int | None = 0
        """The size of the WAL when the file was opened; None if there was none."""
        self._has_log_hash = False
        self.copied_before: Path | None = None
        """The copy made before the upgrade, if this process was the first to write to an older
        store."""
        self._user = secrets.token_hex(8)
        self._has_written = self._is_announced = False
        self._newest: Checkpoint | None = None
        self._seen: Checkpoint | None = None
        """The newest entry that this program has seen in the file."""
        self._gaps = 0
        datastore.is_ours = self._has_what_was_seen
        self._group_commit = GroupCommit()
        table = self.log_table = self.events_table_name
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
        pending = PendingWrite(stored_events, keys, number)
        try:
            return self._group_commit.submit(pending, self._write_queued, LOCK_TIMEOUT)
        except LockTimeout:
            raise StoreError(
                "locked", path=self.datastore.path, problem="other threads are writing"
            ) from None

    def _write_queued(self) -> None:
        """The whole queue in one transaction (group commit); then the witness is told."""
        announces = self._has_written and not self._is_announced
        newest, self._newest = self._newest, None
        with self.datastore.transaction(commit=True) as c:
            if announces:
                self._announce(c)
            last = newest or self._last_for_writer(c)
            queue = self._group_commit.taken()
            outcomes: list[Sequence[int] | IntegrityError] = []
            for pending in queue:
                try:
                    numbers, last = self._written(c, pending, last)
                    outcomes.append(numbers)
                except IntegrityError as error:
                    outcomes.append(error)
        if last != newest:
            self._note(last)
        self._newest = self._seen = last
        self._has_written = True
        if announces:
            self._is_announced = True
            self.datastore.checkpoint()
        for pending, outcome in zip(queue, outcomes, strict=True):
            pending.outcome = outcome

    def _written(
        self, c: SQLiteCursor, pending: PendingWrite, last: Checkpoint
    ) -> tuple[range, Checkpoint]:
        """Insert behind the cached tail; if that is stale, read the real one and try again."""
        try:
            return self._inserted(c, pending, last)
        except IntegrityError:
            actual = self._last_for_writer(c)
            if actual == last:
                raise
        return self._inserted(c, pending, actual)

    def _inserted(
        self, c: SQLiteCursor, pending: PendingWrite, last: Checkpoint
    ) -> tuple[range, Checkpoint]:
        if pending.number not in (None, last.number + 1):
            raise IntegrityError(f"{pending.number}: not the next number")
        numbers = range(last.number + 1, last.number + 1 + len(pending.events))
        with savepoint(c, len(pending.events)):
            for event, key in zip(pending.events, pending.keys, strict=True):
                last = Checkpoint(last.number + 1, extend_chain(last.log_hash, event.state))
                position = (event.originator_id, event.originator_version)
                values = (*position, event.topic, event.state, key, last.log_hash, last.number)
                c.execute(self.insert_events_statement, values)
                if c.sqlite_cursor.rowcount != 1:
                    raise IntegrityError(f"{position}: not the next one")
        return numbers, last

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """The library's select. The chain covers all but the last entry: check its log hash."""
        events = super().select_events(originator_id, gt=gt, lte=lte, desc=desc, limit=limit)
        if events:
            self._check_covered(events[0 if desc else -1])
        return events

    # the trail, and the witness outside

    @property
    def log_name(self) -> Path:
        return self.datastore.path

    def _reading(self) -> AbstractContextManager[SQLiteCursor]:
        return self.datastore.transaction(commit=False)

    def _ask(
        self, c: SQLiteCursor, sql: str, values: Sequence[Any] = ()
    ) -> Iterator[tuple[Any, ...]]:
        c.execute(sql, values)
        return map(tuple, c.sqlite_cursor)

    def _last_for_writer(self, c: SQLiteCursor) -> Checkpoint:
        """The checkpoint before a write; an older store gets log hashes from here on."""
        if not self._looked_for_log_hash(c):
            self.copied_before = copy_before_upgrade(self.datastore.path)
            c.execute(f"ALTER TABLE {self.events_table_name} ADD COLUMN trail BLOB")
            self._has_log_hash = True
        return self._last(c)

    def _trail_column(self, c: SQLiteCursor) -> str:
        return "trail" if self._looked_for_log_hash(c) else "NULL"

    def _looked_for_log_hash(self, c: SQLiteCursor) -> bool:
        if not self._has_log_hash:
            c.execute(
                "SELECT 1 FROM pragma_table_info(?) WHERE name = 'trail'",
                (self.events_table_name,),
            )
            self._has_log_hash = c.fetchone() is not None
        return self._has_log_hash

    def select_keys(self, stream: str, keys: Sequence[str]) -> Mapping[str, StoredEvent]:
        marks = ",".join("?" * len(keys))
        with self.datastore.transaction(commit=False) as c:
            c.execute(f"{self.select_events_statement} AND key IN ({marks})", (stream, *keys))
            return stored_by_key(c.fetchall())

    def select_streams(self, prefix: str) -> Sequence[str]:
        """A loose index scan: seeks the next stream instead of reading every entry."""
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

    # who writes: a copy of the file without its log is short, and can say so

    def _announce(self, c: SQLiteCursor) -> None:
        """A long-running writer registers in the database file itself, not only in the WAL."""
        c.execute(f"CREATE TABLE IF NOT EXISTS {USERS} (id TEXT PRIMARY KEY) STRICT")
        if (
            self.found_log is None
        ):  # then whoever is named there did not end well, and nothing is lost
            c.execute(f"DELETE FROM {USERS} WHERE id <> ?", (self._user,))
        c.execute(f"INSERT OR IGNORE INTO {USERS} VALUES (?)", (self._user,))

    def _take_leave(self) -> None:
        with suppress(StoreError), self.datastore.transaction(commit=True) as c:
            c.execute(f"DELETE FROM {USERS} WHERE id = ?", (self._user,))

    def check_complete(self) -> Checkpoint:
        """Refuse a store that lacks what was acknowledged, as its witness knows, or without one a
        copy that was made without the log of a program that was writing."""
        if self.witness.latest() is not None or not has_users(self.datastore.path):
            return self.check_witness()
        if not self.found_log:
            raise StoreError("short_copy", path=self.datastore.path)
        # The log is there now, and is folded into the file when this program ends: whoever comes
        # then must not take the file for a copy without it.
        here = self.check_witness()
        with suppress(OSError):
            self.witness.reset(here)
        return here

    def check_witness(self) -> Checkpoint:
        self._seen = here = super().check_witness()
        try:
            with self._reading() as c:
                self._gaps = self._gaps_before(here.number, c.sqlite_cursor)
        except StoreError as error:
            if error.key != "damaged":
                raise
            self._gaps = LOOKED_AT  # known to whoever reads there; the other records go on
        return here

    def _has_what_was_seen(self, connection: sqlite3.Connection) -> bool:
        """Whether the file has what this program has seen in it: the newest entry, and before it
        no more gaps than then. An older copy lacks what is no longer in the log either."""
        if (seen := self._seen) is None:
            return True
        cursor = connection.cursor()
        if seen.number and self._has_log_hash:
            sql = f"SELECT trail FROM {self.log_table} WHERE rowid = ?"
            if cursor.execute(sql, (seen.number,)).fetchone() not in ((None,), (seen.log_hash,)):
                return False
        return self._gaps_before(seen.number, cursor) <= self._gaps

    def _gaps_before(self, number: int, cursor: sqlite3.Cursor) -> int:
        """So many of the newest entries are not there, or not found by both indexes."""
        after = max(0, number - LOOKED_AT)
        table, same = self.log_table, "b.originator_id = a.originator_id AND b"
        sql = (
            f"SELECT COUNT(*) FROM {table} AS a WHERE a.rowid > ? AND a.rowid <= ? "
            f"AND a.rowid = (SELECT b.rowid FROM {table} AS b "
            f"WHERE {same}.originator_version = a.originator_version) "
            f"AND a.rowid = (SELECT b.rowid FROM {table} AS b WHERE {same}.key = a.key)"
        )
        there: int = cursor.execute(sql, (after, number)).fetchone()[0]
        return number - after - there

    def accept(self) -> Checkpoint:
        if has_users(self.datastore.path):
            with self.datastore.transaction(commit=True) as c:
                c.execute(f"DELETE FROM {USERS}")
        return super().accept()

    def signal(self) -> DataVersionWatcher:
        return DataVersionWatcher(self.datastore.path)

    def close(self) -> None:
        if self._is_announced:
            self._take_leave()
        self.datastore.close()
        self.witness.close()
