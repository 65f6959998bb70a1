"""Connections to PostgreSQL: a pool of durable ones, deadlines, and a listener for new entries."""

from __future__ import annotations

import select
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from math import inf
from threading import BoundedSemaphore
from time import monotonic, sleep
from typing import Any, TypeVar

import psycopg
from eventsourcing.persistence import IntegrityError
from eventsourcing.postgres import PostgresDatastore
from psycopg import errors
from psycopg.pq import TransactionStatus
from psycopg.rows import DictRow, dict_row, tuple_row
from psycopg.sql import SQL, Identifier

from referee.store.envelopes import StoreError
from referee.store.postgres.server import Server

LOCK_TIMEOUT = 5.0
PATIENCE = 1.0
"""Seconds for which a request waits for a server that has just gone away to come back."""
MOST_CONNECTIONS = 8
SAFE_COMMITS = ("on", "remote_apply")

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
    (errors.DataError, "refused_entry"),
    (errors.DataCorrupted, "damaged"),
    (errors.IndexCorrupted, "damaged"),
)

Answer = psycopg.Cursor[tuple[Any, ...]]
T = TypeVar("T")
Waiting = Generator[Any, Any, T]
"""psycopg's wait function: waits until the socket is readable or writable."""


class PooledPostgresDatastore(PostgresDatastore):
    """The library's datastore over our own pool, with errors that say what is wrong."""

    def __init__(self, server: Server) -> None:
        super().__init__("", "", "", "", "", schema=server.schema, originator_id_type="text")
        self.server = server
        self.connections = ConnectionPool(server)

    def register_type_adapters(self) -> None:
        """None are needed: the server function takes arrays of plain types."""

    @contextmanager
    def get_connection(self) -> Iterator[Connection]:
        with translating_errors(self.server), self.connections.one() as connection:
            yield connection

    def close(self) -> None:
        with suppress(AttributeError):
            self.connections.close()

    def retrying(self, work: Callable[[], T]) -> T:
        """Retry idempotent work at a fixed interval (no backoff) while the server comes back."""
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


class ConnectionPool:
    """A bounded connection pool that opens connections on demand and says at once why it cannot."""

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
                if not _is_stale(connection):
                    return connection
                connection.close()
        return connect_durably(self._server)

    def _keep_or_close(self, connection: Connection) -> None:
        usable = connection.pgconn.transaction_status == TransactionStatus.IDLE
        if usable and not self._closed:
            self._idle.append(connection)
        else:
            connection.close()


def _is_stale(connection: Connection) -> bool:
    """Whether the server has closed an idle connection: then, and only then, it is readable."""
    if not hasattr(select, "poll"):
        return bool(select.select([connection.fileno()], [], [], 0)[0])
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


class Connection(psycopg.Connection[DictRow]):
    """A psycopg connection with a deadline for answers, and one cursor kept for appends.

    Making a cursor is a fifth of an append.
    """

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
    """A deadline around psycopg's wait: a server that never answers is taken for dead.

    TCP notices a cut cable by itself, but not a server or proxy that accepts and never answers.
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
        with translating_errors(server):
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


class Listener:
    """LISTEN/NOTIFY: wakes up when something was stored. Without a connection it just sleeps."""

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
            with translating_errors(self._server):
                connection.execute(SQL("LISTEN {}").format(Identifier(self._server.channel)))
        except StoreError:
            connection.close()
            raise
        return connection


@contextmanager
def translating_errors(server: Server) -> Iterator[None]:
    """Errors of PostgreSQL as store errors."""
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
