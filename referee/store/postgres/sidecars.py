"""What stands beside the records, in the database that holds them: the same at every node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, LiteralString

from psycopg.rows import tuple_row

from referee.store.envelopes import StoreError
from referee.store.postgres.connection import PooledPostgresDatastore
from referee.store.postgres.server import Server
from referee.store.sidecars.access import Access, moment
from referee.store.sidecars.attachments import Attachments
from referee.store.sidecars.boxes import Boxes
from referee.store.sidecars.people import People


class PostgresTables:
    """Tables that ``init`` has made, asked for in SQLite's dialect."""

    TABLE: LiteralString

    def __init__(self, server: Server) -> None:
        self._datastore = PooledPostgresDatastore(server)
        try:
            self._run(f"SELECT 1 FROM {self.TABLE} LIMIT 1", ())  # what is wrong is told at once
        except StoreError:
            self._datastore.close()
            raise

    def close(self) -> None:
        self._datastore.close()

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._datastore.retrying(lambda: self._run(sql, values)[0])

    def _change(self, sql: str, values: Sequence[Any]) -> int:
        return self._datastore.retrying(lambda: self._run(sql, values)[1])

    def _change_all(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        def changed() -> None:
            with (
                self._datastore.get_connection() as connection,
                connection.transaction(),
                connection.cursor() as cursor,
            ):
                cursor.executemany(_server_sql(sql), rows)

        self._datastore.retrying(changed)

    def _run(self, sql: str, values: Sequence[Any]) -> tuple[list[Any], int]:
        """The rows, and how many were found or changed."""
        with (
            self._datastore.get_connection() as connection,
            connection.cursor(row_factory=tuple_row) as cursor,
        ):
            cursor.execute(_server_sql(sql), values)
            return cursor.fetchall() if cursor.description else [], cursor.rowcount


class PostgresAccess(PostgresTables, Access):
    """The same tokens at every node."""

    TABLE = "tokens"

    def __init__(self, server: Server, clock: Callable[[], str] = moment) -> None:
        self._clock = clock
        super().__init__(server)


class PostgresAttachments(PostgresTables, Attachments):
    """The same attachments at every node. The server's backups keep what they held."""

    TABLE = "attachments"


class PostgresBoxes(PostgresTables, Boxes):
    """The same boxes at every node."""

    TABLE = "boxes"


class PostgresPeople(PostgresTables, People):
    """The same names, shared by every computer. The server's backups keep what they held."""

    TABLE = "people"
    _AS_ADDED = "place"


def _server_sql(sql: str) -> bytes:
    return sql.replace("?", "%s").encode()
