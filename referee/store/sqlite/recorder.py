"""The event store in one SQLite file: an acknowledged entry survives a crash and a power cut."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteCursor

from referee.store.durable_files import make_private
from referee.store.envelopes import StoreError
from referee.store.sqlite.connection import Datastore, DataVersionWatcher, savepoint
from referee.store.sqlite.errors import system_error, translating_os_errors
from referee.store.sqlite.files import APPLICATION_ID, FILE_FORMAT, LOCK_TIMEOUT, is_store
from referee.store.sqlite.group_commit import GroupCommit, LockTimeout, PendingWrite
from referee.store.sqlite.witness import START, Checkpoint, Witness, extend_chain

if TYPE_CHECKING:
    from uuid import UUID

OLDEST_SQLITE = (3, 37, 0)


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
        with translating_os_errors(path):
            make_private(path)
    made = is_store(path)
    if not made and not known:
        _refuse_known(path)
    if not made and not create:
        raise StoreError("not_a_store", path=path)
    datastore = Datastore(path)
    try:
        recorder = Recorder(datastore)
        if made:
            recorder.max_notification_id()  # what cannot be used fails here, not at a table
        else:
            recorder.create_table()
    except BaseException:
        datastore.close()
        raise
    return recorder


def _refuse_known(path: Path) -> None:
    """A file that is not there or is empty, but was a store."""
    known = Witness(path).latest()
    if known is not None and known.number:
        raise StoreError("entries_lost", path=path, known=known.number, found=0)


class Recorder(SQLiteApplicationRecorder):
    """The library's recorder: its reads and notification log, with our own table and insert.

    Ids never change, streams have no gaps, nothing is updated or deleted, and a rolling hash over
    the whole log (the trail) shows what is missing. See docs/eventsourcing.md.
    """

    datastore: Datastore

    def __init__(self, datastore: Datastore, events_table_name: str = "entries") -> None:
        super().__init__(datastore, events_table_name)
        self.witness = Witness(datastore.path)
        self._has_log_hash = False
        self._newest: Checkpoint | None = None
        self._group_commit = GroupCommit()
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
        pending = PendingWrite(stored_events, keys, number)
        try:
            return self._group_commit.submit(pending, self._write_queued, LOCK_TIMEOUT)
        except LockTimeout:
            raise StoreError(
                "locked", path=self.datastore.path, problem="other threads are writing"
            ) from None

    def _write_queued(self) -> None:
        """The whole queue in one transaction (group commit); then the witness is told."""
        newest, self._newest = self._newest, None
        with self.datastore.transaction(commit=True) as c:
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
        self._newest = last
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

    def _note(self, last: Checkpoint) -> None:
        try:
            self.witness.note(last)
        except OSError as error:
            raise system_error(self.datastore.path, error) from error

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """The library's select. The hash chain covers all but the last entry: check its trail."""
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
        if self._log_hash_at(known.number) != known.log_hash:
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
        with translating_os_errors(self.datastore.path):
            self.witness.reset(here)
        return here

    def find_altered(self) -> StoreError | None:
        """Walk the log and check its numbers, keys and rolling hash; the first thing wrong."""
        with self.datastore.transaction(commit=False) as c:
            has_log_hash = self._looked_for_log_hash(c)
            c.execute(
                "SELECT rowid, originator_id, originator_version, state, key, "
                f"{'trail' if has_log_hash else 'NULL'} "
                f"FROM {self.events_table_name} ORDER BY rowid"
            )
            log_hash, due = START, 1
            for number, stream, seq, body, key, noted in c.sqlite_cursor:
                if number != due:
                    return StoreError("gap_inside", path=self.datastore.path, number=due)
                log_hash, due = extend_chain(log_hash, body), due + 1
                if noted not in (None, log_hash) or not _names_key(body, key):
                    return StoreError("altered", stream=stream, seq=seq)
        return None

    def _check_covered(self, event: StoredEvent) -> None:
        place = (str(event.originator_id), event.originator_version)
        table = self.events_table_name
        with self.datastore.transaction(commit=False) as c:
            if not self._looked_for_log_hash(c):
                return
            c.execute(
                f"SELECT rowid, key, trail, (SELECT trail FROM {table} AS b "
                f"WHERE b.rowid = a.rowid - 1) FROM {table} AS a "
                "WHERE originator_id = ? AND originator_version = ?",
                place,
            )
            number, key, log_hash, before = c.fetchone()
        before = START if number == 1 else before
        if log_hash is not None and (
            not _names_key(event.state, key)
            or (before is not None and log_hash != extend_chain(before, event.state))
        ):
            raise StoreError("altered", stream=place[0], seq=place[1])

    def _last_for_writer(self, c: SQLiteCursor) -> Checkpoint:
        """How far the store is; one of an older version begins to keep a trail."""
        if not self._looked_for_log_hash(c):
            c.execute(f"ALTER TABLE {self.events_table_name} ADD COLUMN trail BLOB")
            self._has_log_hash = True
        return self._last(c)

    def _last(self, c: SQLiteCursor) -> Checkpoint:
        table, found = self.events_table_name, None
        has_log_hash = self._looked_for_log_hash(c)
        if has_log_hash:
            c.execute(f"SELECT rowid, trail FROM {table} ORDER BY rowid DESC LIMIT 1")
            found = c.fetchone()
            if found is None:
                return Checkpoint(0, START)
            if found["trail"] is not None:
                return Checkpoint(*found)
        return self._walked(c, has_log_hash)

    def _walked(self, c: SQLiteCursor, has_log_hash: bool, to: int | None = None) -> Checkpoint:
        """The trail behind entries that an older version has written without it."""
        table, number, log_hash = self.events_table_name, 0, START
        within = "" if to is None else f" AND rowid <= {to:d}"
        if has_log_hash:
            c.execute(
                f"SELECT rowid, trail FROM {table} WHERE trail IS NOT NULL{within} "
                "ORDER BY rowid DESC LIMIT 1"
            )
            number, log_hash = c.fetchone() or (0, START)
        c.execute(
            f"SELECT rowid, state FROM {table} WHERE rowid > ?{within} ORDER BY rowid", (number,)
        )
        known = Checkpoint(number, log_hash)
        for number, body in c.sqlite_cursor:
            known = Checkpoint(number, extend_chain(known.log_hash, body))
        return known

    def _log_hash_at(self, number: int) -> bytes | None:
        """The trail up to an entry; None if there is no such entry."""
        with self.datastore.transaction(commit=False) as c:
            found = self._walked(c, self._looked_for_log_hash(c), to=number)
        return found.log_hash if found.number == number else None

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


def _names_key(body: bytes, key: str) -> bool:
    """Whether the body of an entry, in its canonical form, names this key."""
    return f'"key":{json.dumps(key)},"kind":'.encode() in body
