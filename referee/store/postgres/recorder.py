"""The event store in PostgreSQL: many programs write, one server function keeps their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from eventsourcing.persistence import IntegrityError, Notification, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder
from psycopg.rows import DictRow, tuple_row
from psycopg.sql import SQL, Composed

from referee.store.envelopes import StoreError
from referee.store.postgres.connection import Answer, Connection, Datastore, Listener
from referee.store.postgres.server import TABLE, Server

FORMAT = 1
"""Of the tables and the function; raised when they change."""
OLDEST_SERVER = 140000
FEW = 4
"""Up to so many entries at once, as a table appends them, travel without arrays."""


def open_recorder(server: Server) -> Recorder:
    """The recorder of a schema that ``init`` has made."""
    datastore = Datastore(server)
    try:
        with datastore.get_connection() as connection:
            known = format_of(connection, server)
        if known is None:
            raise StoreError("missing_schema", path=server.name, schema=server.schema)
        if known > FORMAT:
            raise StoreError("newer_format", path=server.name, format=known)
    except BaseException:
        datastore.close()
        raise
    return Recorder(datastore)


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


class Recorder(PostgresApplicationRecorder):
    """The library's recorder: its reads and notification log; a server function appends."""

    datastore: Datastore

    def __init__(self, datastore: Datastore) -> None:
        super().__init__(datastore, events_table_name=TABLE)
        server = datastore.server
        self._append_many = server.sql("SELECT {schema}.append(%s, %s, %b, %b, %b, %s)").as_bytes()
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

        def insert() -> int:
            with self.datastore.get_connection() as connection:
                if len(runs) == 1:
                    return _last_of(self._call(connection.appender, runs[0], number))
                with connection.pipeline(), connection.transaction():
                    return self._insert_runs(connection, runs, number)

        last = self.datastore.retrying(insert)
        return range(last - len(stored_events) + 1, last + 1)

    def _insert_runs(self, connection: Connection, runs: Sequence[Run], number: int | None) -> int:
        calls = []
        for run in runs:
            cursor = connection.cursor(row_factory=tuple_row)
            calls.append(self._call(cursor, run, number))
            number = None if number is None else number + len(run.keys)
        return [_last_of(call) for call in calls][-1]

    def _call(self, cursor: Answer, run: Run, number: int | None) -> Answer:
        count = len(run.keys)
        if number is None and count <= FEW:
            values = (run.stream, run.first, *run.topics, *run.bodies, *run.keys)
            return cursor.execute(self._append_few[count], values, prepare=True)
        arrays = (run.stream, run.first, run.topics, run.bodies, run.keys, number)
        return cursor.execute(self._append_many, arrays, prepare=True)

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        select = super().select_events
        return self.datastore.retrying(
            lambda: select(originator_id, gt=gt, lte=lte, desc=desc, limit=limit)
        )

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        select = super().select_notifications
        return self.datastore.retrying(
            lambda: select(start, limit, stop, topics, inclusive_of_start=inclusive_of_start)
        )

    def max_notification_id(self) -> int | None:
        latest: int | None = self.datastore.retrying(super().max_notification_id)
        return latest

    def select_keys(self, stream: str, keys: Sequence[str]) -> Mapping[str, StoredEvent]:
        return {
            row["key"]: StoredEvent(
                originator_id=row["originator_id"],
                originator_version=row["originator_version"],
                topic=row["topic"],
                state=row["state"],
            )
            for row in self._rows(self._select_keys, (stream, list(keys)))
        }

    def select_streams(self, prefix: str) -> Sequence[str]:
        """Jumps from stream to stream in the index instead of reading every entry."""
        limits = {"from": prefix, "to": prefix + "\U0010ffff"}
        return [row["id"] for row in self._rows(self._select_streams, limits)]

    def signal(self) -> Listener:
        return Listener(self.datastore.server)

    def close(self) -> None:
        self.datastore.close()

    def _rows(self, query: Composed, params: Sequence[Any] | Mapping[str, Any]) -> list[DictRow]:
        def select() -> list[DictRow]:
            with self.datastore.get_connection() as connection:
                return connection.execute(query, params).fetchall()

        return self.datastore.retrying(select)


@dataclass(frozen=True)
class Run:
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
    """The call for so many entries, each value on its own: far less work than arrays."""
    texts, bodies = (SQL(",").join([SQL(mark)] * count) for mark in ("%s::text", "%b::bytea"))
    call = server.sql(
        "SELECT {schema}.append(%s, %s, ARRAY[{texts}], ARRAY[{bodies}], ARRAY[{texts}])",
        texts=texts,
        bodies=bodies,
    )
    return call.as_bytes()


def _last_of(answer: Answer) -> int:
    row = answer.fetchone()
    if row is None or row[0] is None:
        raise IntegrityError("not the next one")
    return int(row[0])
