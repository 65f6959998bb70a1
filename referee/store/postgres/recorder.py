"""The event store in PostgreSQL: many programs write, one server function keeps their order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from time import monotonic
from typing import Any
from uuid import UUID

from eventsourcing.persistence import IntegrityError, Notification, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder
from msgspec import Struct
from psycopg.rows import DictRow, tuple_row
from psycopg.sql import SQL, Composed

from referee.store.chained_log import ChainedLog, stored_by_key
from referee.store.envelopes import StoreError
from referee.store.postgres.connection import Answer, Connection, Listener, PooledPostgresDatastore
from referee.store.postgres.server import TABLE, Server
from referee.store.witness import START, Checkpoint, Witness

FORMAT = 1
"""Of the tables and the function; raised when they change."""
OLDEST_SERVER = 140000
FEW = 4
"""Up to so many entries are sent without arrays: a usual append of a table."""
LOOK_EVERY = 0.5
"""Seconds after which an idle program looks whether the database still has what it knows."""


def open_recorder(server: Server) -> PostgresRecorder:
    """The recorder of a schema that ``init`` has made, if it has all that its witness knows."""
    recorder = open_unwitnessed(server)
    try:
        recorder.check_witness()
    except BaseException:
        recorder.close()
        raise
    return recorder


def open_unwitnessed(server: Server) -> PostgresRecorder:
    """Open without checking the witness: for commands that inspect lost entries."""
    datastore = PooledPostgresDatastore(server)
    try:
        with datastore.get_connection() as connection:
            known = format_of(connection, server)
            complete = known is not None and has_log_hash(connection, server)
        if known is None or (known <= FORMAT and not complete):
            raise StoreError("missing_schema", path=server.name, schema=server.schema)
        if known > FORMAT:
            raise StoreError("newer_format", path=server.name, format=known)
    except BaseException:
        datastore.close()
        raise
    return PostgresRecorder(datastore)


def format_of(connection: Connection, server: Server) -> int | None:
    """The format of the store in a schema; ``None`` if there is none."""
    if connection.info.server_version < OLDEST_SERVER:
        version = connection.info.server_version // 10000
        raise StoreError("postgres_too_old", version=version, oldest=OLDEST_SERVER // 10000)
    there = connection.execute(
        "SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = 'store'", (server.schema,)
    ).fetchone()
    if there is None:
        return None
    row = connection.execute(server.sql("SELECT format FROM {schema}.store")).fetchone()
    return None if row is None else int(row["format"])


def has_log_hash(connection: Connection, server: Server) -> bool:
    """Whether the table has the column of the log hash; an earlier version had none."""
    return (
        connection.execute(
            "SELECT 1 FROM information_schema.columns "
            "WHERE table_schema = %s AND table_name = %s AND column_name = 'trail'",
            (server.schema, TABLE),
        ).fetchone()
        is not None
    )


class PostgresRecorder(PostgresApplicationRecorder, ChainedLog[Connection]):
    """The library's recorder: its reads and notification log; a server function appends.

    A database can be brought back to an earlier moment under a running program. So each append
    names the newest entry that this program knows, and without it nothing is stored.
    """

    NUMBER = "notification_id"
    ALL_TRAILED = True
    datastore: PooledPostgresDatastore

    def __init__(self, datastore: PooledPostgresDatastore) -> None:
        super().__init__(datastore, events_table_name=TABLE)
        server = datastore.server
        self.log_table = server.sql("{table}").as_string()
        self.witness = Witness(server.witness)
        if server.witness_asked is None:
            with suppress(OSError):
                server.witness.parent.mkdir(parents=True, exist_ok=True)
        self._newest = Checkpoint(0, START)
        self._looked = monotonic()
        self._lost: StoreError | None = None
        self._append_many = server.sql(
            "SELECT last, trail FROM {schema}.extend(%s, %s, %b, %b, %b, %s, %s, %b)"
        ).as_bytes()
        self._append_few = {count: _append_few(server, count) for count in range(1, FEW + 1)}
        self._select_keys = server.sql(
            "SELECT * FROM {table} WHERE originator_id = %s AND key = ANY(%s)"
        )
        self._select_streams = server.sql(
            "WITH RECURSIVE stream (id) AS ("
            "(SELECT originator_id FROM {table} WHERE originator_id >= %(from)s "
            "ORDER BY originator_id LIMIT 1) UNION ALL SELECT ("
            "SELECT originator_id FROM {table} WHERE originator_id > stream.id "
            "ORDER BY originator_id LIMIT 1) FROM stream WHERE stream.id < %(to)s) "
            "SELECT id FROM stream WHERE id < %(to)s"
        )

    def insert_events(
        self,
        stored_events: Sequence[StoredEvent],
        *,
        keys: Sequence[str] = (),
        number: int | None = None,
        **_: Any,
    ) -> Sequence[int] | None:
        """One round trip for one stream. May be repeated: what is stored is not stored again."""
        runs = _runs(stored_events, keys)
        known = self._newest

        def insert() -> Checkpoint:
            with self.datastore.get_connection() as connection:
                if len(runs) == 1:
                    return _last_of(self._call(connection.appender, runs[0], number, known))
                with connection.pipeline(), connection.transaction():
                    return self._insert_runs(connection, runs, number, known)

        self._refuse_lost()
        try:
            last = self.datastore.retrying(insert)
        except EntriesGone:
            self._look_for_known()
            raise StoreError("other_entries", path=self.log_name, number=known.number) from None
        self._note(last)
        self._newest = max(self._newest, last)
        return range(last.number - len(stored_events) + 1, last.number + 1)

    def _insert_runs(
        self, connection: Connection, runs: Sequence[Run], number: int | None, known: Checkpoint
    ) -> Checkpoint:
        calls = []
        for run in runs:
            cursor = connection.cursor(row_factory=tuple_row)
            calls.append(self._call(cursor, run, number, known))
            number = None if number is None else number + len(run.keys)
        return [_last_of(call) for call in calls][-1]

    def _call(self, cursor: Answer, run: Run, number: int | None, known: Checkpoint) -> Answer:
        count = len(run.keys)
        if number is None and count <= FEW:
            values = (run.stream, run.first, *run.topics, *run.bodies, *run.keys, *known)
            return cursor.execute(self._append_few[count], values, prepare=True)
        arrays = (run.stream, run.first, run.topics, run.bodies, run.keys, number, *known)
        return cursor.execute(self._append_many, arrays, prepare=True)

    # the trail, and the witness outside

    @property
    def log_name(self) -> str:
        return self.datastore.server.name

    def _reading(self) -> AbstractContextManager[Connection]:
        return self.datastore.get_connection()

    def _ask(
        self, c: Connection, sql: str, values: Sequence[Any] = ()
    ) -> Iterator[tuple[Any, ...]]:
        cursor = c.cursor(row_factory=tuple_row)
        return iter(cursor.execute(sql.replace("?", "%s").encode(), values).fetchall())

    def known(self) -> Checkpoint:
        return self.datastore.retrying(super().known)

    def check_witness(self) -> Checkpoint:
        self._newest = super().check_witness()
        return self._newest

    def accept(self) -> Checkpoint:
        self._newest, self._lost = Checkpoint(0, START), None
        return super().accept()

    def _note(self, last: Checkpoint) -> None:
        """An optional witness: failing to write it does not fail the append."""
        asked = self.datastore.server.witness_asked is not None
        with suppress(*() if asked else (StoreError,)):
            super()._note(last)

    def _look_for_known(self) -> None:
        """Whether the database still has what this program has seen in it; if not, it says so
        from now on, whatever it is asked."""
        self._looked = monotonic()
        try:
            self._check_against(self._newest, self.known())
        except StoreError as error:
            if error.key in ("entries_lost", "other_entries"):
                self._lost = error
            raise

    def _refuse_lost(self) -> None:
        if self._lost is not None:
            raise StoreError(self._lost.key, **self._lost.facts)

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
        select = super().select_events

        def checked() -> Sequence[StoredEvent]:
            events: Sequence[StoredEvent] = select(
                originator_id, gt=gt, lte=lte, desc=desc, limit=limit
            )
            if events:
                self._check_covered(events[0 if desc else -1])
            return events

        self._refuse_lost()
        return self.datastore.retrying(checked)

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Whoever follows and finds nothing new looks now and then for what was there before."""
        self._refuse_lost()
        select = super().select_notifications
        found: Sequence[Notification] = self.datastore.retrying(
            lambda: select(start, limit, stop, topics, inclusive_of_start=inclusive_of_start)
        )
        if not found and monotonic() - self._looked > LOOK_EVERY:
            self._look_for_known()
        return found

    def max_notification_id(self) -> int | None:
        latest: int | None = self.datastore.retrying(super().max_notification_id)
        if (latest or 0) < self._newest.number:
            self._look_for_known()
        self._refuse_lost()
        return latest

    def select_keys(self, stream: str, keys: Sequence[str]) -> Mapping[str, StoredEvent]:
        return stored_by_key(self._rows(self._select_keys, (stream, list(keys))))

    def select_streams(self, prefix: str) -> Sequence[str]:
        """Jumps from stream to stream in the index instead of reading every entry."""
        limits = {"from": prefix, "to": prefix + "\U0010ffff"}
        return [row["id"] for row in self._rows(self._select_streams, limits)]

    def signal(self) -> Listener:
        return Listener(self.datastore.server)

    def close(self) -> None:
        self.datastore.close()
        with suppress(OSError):
            self.witness.close()

    def _rows(self, query: Composed, params: Sequence[Any] | Mapping[str, Any]) -> list[DictRow]:
        def select() -> list[DictRow]:
            with self.datastore.get_connection() as connection:
                return connection.execute(query, params).fetchall()

        return self.datastore.retrying(select)


class Run(Struct, frozen=True):
    """Entries that follow each other in one stream."""

    stream: str
    first: int
    topics: list[str]
    bodies: list[bytes]
    keys: list[str]


def _runs(stored_events: Sequence[StoredEvent], keys: Sequence[str]) -> list[Run]:
    """The entries cut where they do not follow each other in one stream."""
    runs: list[Run] = []
    for event, key in zip(stored_events, keys, strict=True):
        stream, seq = str(event.originator_id), event.originator_version
        if not runs or (stream, seq) != (runs[-1].stream, runs[-1].first + len(runs[-1].keys)):
            runs.append(Run(stream, seq, [], [], []))
        runs[-1].topics.append(event.topic)
        runs[-1].bodies.append(event.state)
        runs[-1].keys.append(key)
    return runs


def _append_few(server: Server, count: int) -> bytes:
    """The call with one parameter per value: far less work than arrays for a few entries."""
    texts, bodies = (SQL(",").join([SQL(mark)] * count) for mark in ("%s::text", "%b::bytea"))
    call = server.sql(
        "SELECT last, trail FROM {schema}.extend("
        "%s, %s, ARRAY[{texts}], ARRAY[{bodies}], ARRAY[{texts}], NULL, %s, %b)",
        texts=texts,
        bodies=bodies,
    )
    return call.as_bytes()


class EntriesGone(Exception):
    """The database does not have the newest entry that this program knows."""


def _last_of(answer: Answer) -> Checkpoint:
    row = answer.fetchone()
    if row is None or row[0] is None:
        raise IntegrityError("not the next one")
    if row[0] < 0:
        raise EntriesGone
    return Checkpoint(int(row[0]), bytes(row[1]))
