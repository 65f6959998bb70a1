"""The store in PostgreSQL: many programs write, one server function keeps their order."""

from __future__ import annotations

import re
import select
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from math import inf
from threading import BoundedSemaphore
from time import monotonic, sleep
from typing import Any, LiteralString, TypeVar
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

import psycopg
from eventsourcing.persistence import IntegrityError, Notification, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg.rows import DictRow, dict_row, tuple_row
from psycopg.sql import SQL, Composable, Composed, Identifier

from referee.store.envelopes import StoreError

FORMAT = 1
"""Of the tables and the function; raised when they change."""
OLDEST_SERVER = 140000
DEFAULT_SCHEMA = "referee"
TABLE = "entries"
LOCK_TIMEOUT = 5.0
PATIENCE = 1.0
"""Seconds for which a request waits for a server that has just gone away to come back."""
MOST_CONNECTIONS = 8
FEW = 4
"""Up to so many entries at once, as a table appends them, travel without arrays."""

DEFAULTS = {
    "application_name": "referee",
    "client_encoding": "utf8",
    "connect_timeout": "3",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
"""What a connection is made with unless the URL says otherwise: a cut is noticed in seconds, and
so is a server that takes what it is sent and says nothing (``tcp_user_timeout``)."""

SAFE_COMMITS = ("on", "remote_apply")

_SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,39}")
_GONE = ("57P01", "57P02", "57P03")
_PASSING = ("unreachable", "connection_lost")
_CODES: tuple[tuple[type[psycopg.Error], str], ...] = (
    (errors.LockNotAvailable, "locked"),
    (errors.DiskFull, "disk_full"),
    (errors.ReadOnlySqlTransaction, "standby"),
    (errors.InsufficientPrivilege, "no_right"),
    (errors.UndefinedTable, "missing_schema"),
    (errors.UndefinedFunction, "missing_schema"),
    (errors.InvalidSchemaName, "missing_schema"),
    (errors.DataCorrupted, "damaged"),
    (errors.IndexCorrupted, "damaged"),
)

Answer = psycopg.Cursor[tuple[Any, ...]]
T = TypeVar("T")
Waiting = Generator[Any, Any, T]
"""psycopg's way to wait: it says what for, and is told whether that has come."""


class Connection(psycopg.Connection[DictRow]):
    """A connection that waits for no answer for ever, and keeps the cursor it appends with:
    making one is a fifth of an append."""

    @cached_property
    def appender(self) -> Answer:
        return self.cursor(row_factory=tuple_row)

    def wait(self, gen: Waiting[T], *args: Any, **options: Any) -> T:
        return super().wait(with_deadline(gen, self._silence), *args, **options)

    @cached_property
    def _silence(self) -> float:
        """Seconds without an answer after which the server is taken for one that is gone."""
        given = self.info.get_parameters().get("tcp_user_timeout", "0")
        return int(given) / 1000 or inf


def with_deadline(gen: Waiting[T], seconds: float) -> Waiting[T]:
    """The same waiting, ended when the server says nothing.

    A system notices a cut cable by itself, not a server or a proxy that takes and never answers.
    """
    deadline = monotonic() + seconds
    try:
        awaited = next(gen)
        while True:
            ready = yield awaited
            if not ready and monotonic() > deadline:
                raise psycopg.OperationalError("the server does not answer")
            awaited = gen.send(ready)
    except StopIteration as end:
        answer: T = end.value
        return answer


@dataclass(frozen=True)
class Server:
    """What a URL names: how to connect, which schema, and how to call it without secrets."""

    parameters: Mapping[str, Any]
    schema: str
    name: str

    @property
    def channel(self) -> str:
        """Where the server tells that something was stored."""
        return f"{self.schema}.{TABLE}"

    def sql(self, text: LiteralString, **names: Composable) -> Composed:
        """A statement about the tables of this schema."""
        schema = Identifier(self.schema)
        table = Identifier(self.schema, TABLE)
        return SQL(text).format(schema=schema, table=table, **names)


def postgres_server(url: str) -> Server:
    """Read ``postgresql://user@host1,host2/database?schema=club``; libpq knows the rest."""
    address, _, query = url.partition("?")
    options = dict(parse_qsl(query, keep_blank_values=True))
    schema = options.pop("schema", DEFAULT_SCHEMA)
    try:
        given = conninfo_to_dict(f"{address}?{urlencode(options)}" if options else address)
    except psycopg.Error:
        raise StoreError("bad_url", url=_without_password(url)) from None
    if not _SCHEMA.fullmatch(schema) or not given.get("dbname"):
        raise StoreError("bad_url", url=_without_password(url))
    hosts = _hosts(given)
    if "," in hosts:
        given.setdefault("target_session_attrs", "read-write")
    name = f"postgresql://{hosts}/{given['dbname']}?schema={schema}"
    return Server({**DEFAULTS, **given}, schema, name)


def _hosts(given: Mapping[str, Any]) -> str:
    """The hosts with their ports, as a URL writes them."""
    hosts = str(given.get("host") or given.get("hostaddr") or "").split(",")
    ports = str(given.get("port") or "").split(",")
    if len(ports) < len(hosts):
        ports = ports[:1] * len(hosts)
    pairs = zip(hosts, ports, strict=False)
    return ",".join(f"{host}:{port}" if port else host for host, port in pairs)


def _without_password(url: str) -> str:
    return re.sub(r"(//[^/@]*?):[^/]*@|(?<=[?&])password=[^&]*", r"\1@", url)


def connect(server: Server) -> Connection:
    """A connection, as the server is set; errors say at once what is wrong."""
    try:
        connection = Connection.connect(**server.parameters, autocommit=True, row_factory=dict_row)
    except psycopg.Error as error:
        raise StoreError("unreachable", path=server.name, problem=_first_line(error)) from error
    return connection


def connect_durably(server: Server) -> Connection:
    """A connection on which nothing is acknowledged before it is safe: asked for, then checked."""
    connection = connect(server)
    try:
        with explained(server):
            facts = {"lock": f"{LOCK_TIMEOUT:.3f}s", "schema": server.schema}
            row = connection.execute(_DURABLE, facts).fetchone()
        assert row is not None
        if row["standby"]:
            raise StoreError("standby", path=server.name)
        if row["fsync"] != "on":
            raise StoreError("forgetful_server", path=server.name, setting="fsync")
        if row["commits"] not in SAFE_COMMITS:
            raise StoreError("forgetful_server", path=server.name, setting="synchronous_commit")
    except BaseException:
        connection.close()
        raise
    return connection


_DURABLE = """
    SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                      WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false) AS commits,
           set_config('lock_timeout', %(lock)s, false),
           set_config('default_transaction_isolation', 'read committed', false),
           set_config('search_path', quote_ident(%(schema)s), false),
           set_config('idle_in_transaction_session_timeout', '30s', false),
           current_setting('fsync') AS fsync,
           pg_is_in_recovery() AS standby
"""


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


class ConnectionPool:
    """Connections kept for the next request; a bounded number at a time."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._idle: deque[Connection] = deque()
        self._places = BoundedSemaphore(MOST_CONNECTIONS)
        self._closed = False

    @contextmanager
    def one(self) -> Iterator[Connection]:
        if not self._places.acquire(timeout=LOCK_TIMEOUT):
            raise StoreError("locked", path=self._server.name)
        try:
            connection = self._idle_or_new()
            try:
                yield connection
            finally:
                self._keep_or_close(connection)
        finally:
            self._places.release()

    def close(self) -> None:
        self._closed = True
        while self._idle:
            with suppress(IndexError):
                self._idle.pop().close()

    def _idle_or_new(self) -> Connection:
        if self._closed:
            raise StoreError("closed", path=self._server.name)
        while self._idle:
            with suppress(IndexError):
                connection = self._idle.pop()
                if not _has_something_to_say(connection):
                    return connection
                connection.close()
        return connect_durably(self._server)

    def _keep_or_close(self, connection: Connection) -> None:
        usable = connection.pgconn.transaction_status == TransactionStatus.IDLE
        if usable and not self._closed:
            self._idle.append(connection)
        else:
            connection.close()


def _has_something_to_say(connection: Connection) -> bool:
    """An idle connection with something to read has been ended by the server: no need to ask."""
    if not hasattr(select, "poll"):
        return bool(select.select([connection.fileno()], [], [], 0)[0])
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


class Datastore(PostgresDatastore):
    """The library's datastore, with connections that are durable and tell what is wrong."""

    def __init__(self, server: Server) -> None:
        super().__init__("", "", "", "", "", schema=server.schema, originator_id_type="text")
        self.server = server
        self.connections = ConnectionPool(server)

    def register_type_adapters(self) -> None:
        """None are needed: the server function takes arrays of plain types."""

    @contextmanager
    def get_connection(self) -> Iterator[Connection]:
        with explained(self.server), self.connections.one() as connection:
            yield connection

    def close(self) -> None:
        with suppress(AttributeError):
            self.connections.close()

    def patiently(self, work: Callable[[], T]) -> T:
        """Do it again while the server comes back. Whatever is repeated here may be repeated."""
        deadline = monotonic() + PATIENCE
        lost: StoreError | None = None
        while True:
            try:
                return work()
            except StoreError as error:
                if error.key not in _PASSING:
                    raise
                if error.key == "connection_lost":
                    lost = error
                if monotonic() > deadline:
                    raise (lost or error) from None
            sleep(0.05)


class Recorder(PostgresApplicationRecorder):
    """The library's recorder over a table without gaps, written by one function alone."""

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

        last = self.datastore.patiently(insert)
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
        return self.datastore.patiently(
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
        return self.datastore.patiently(
            lambda: select(start, limit, stop, topics, inclusive_of_start=inclusive_of_start)
        )

    def max_notification_id(self) -> int | None:
        latest: int | None = self.datastore.patiently(super().max_notification_id)
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

        return self.datastore.patiently(select)


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


class Listener:
    """Hears when the server tells that something was stored. Deaf, it merely waits."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._connection: Connection | None = self._listening()

    def wait(self, seconds: float) -> None:
        try:
            if self._connection is None:
                self._connection = self._listening()
                return
            for _ in self._connection.notifies(timeout=seconds, stop_after=1):
                pass
        except (psycopg.Error, StoreError):
            self.close()
            sleep(min(seconds, 0.1))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _listening(self) -> Connection:
        connection = connect(self._server)
        try:
            with explained(self._server):
                connection.execute(SQL("LISTEN {}").format(Identifier(self._server.channel)))
        except StoreError:
            connection.close()
            raise
        return connection


@contextmanager
def explained(server: Server) -> Iterator[None]:
    """Errors of the database in our words."""
    try:
        yield
    except psycopg.IntegrityError as error:
        raise IntegrityError(error) from error
    except psycopg.Error as error:
        code = _code_of(error)
        facts = {"schema": server.schema} if code == "missing_schema" else {}
        raise StoreError(code, path=server.name, problem=_first_line(error), **facts) from error


def _code_of(error: psycopg.Error) -> str:
    for kind, code in _CODES:
        if isinstance(error, kind):
            return code
    ended = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    if ended and (error.sqlstate is None or error.sqlstate in _GONE):
        return "connection_lost"
    return "database_error"


def _first_line(error: psycopg.Error) -> str:
    told = error.diag.message_primary or str(error)
    return told.strip().partition("\n")[0] or type(error).__name__
