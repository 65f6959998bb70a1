"""What a club has found in its boxes, in the database that holds the records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from psycopg.rows import tuple_row

from referee.store.boxes import SCHEMA, Boxes
from referee.store.postgres import Datastore, Server


class PostgresBoxes(Boxes):
    """The same boxes at every node. Whoever opens it first must be allowed to make tables."""

    def __init__(self, server: Server) -> None:
        self._datastore = Datastore(server)
        for statement in SCHEMA:
            self._change_all(statement, [()])

    def close(self) -> None:
        self._datastore.close()

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        def asked() -> list[Any]:
            with (
                self._datastore.get_connection() as connection,
                connection.cursor(row_factory=tuple_row) as cursor,
            ):
                cursor.execute(_server_sql(sql), values)
                return cursor.fetchall()

        return self._datastore.patiently(asked)

    def _change_all(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        def changed() -> None:
            with (
                self._datastore.get_connection() as connection,
                connection.transaction(),
                connection.cursor() as cursor,
            ):
                cursor.executemany(_server_sql(sql), rows)

        self._datastore.patiently(changed)


def _server_sql(sql: str) -> bytes:
    """A statement in SQLite's dialect, as the server takes it."""
    return sql.replace("?", "%s").encode()
