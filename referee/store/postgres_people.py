"""The names behind pseudonyms, in the database that holds the records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from psycopg.rows import tuple_row

from referee.store.envelopes import StoreError
from referee.store.people import People
from referee.store.postgres import Datastore, Server


class PostgresPeople(People):
    """The same names, shared by every computer. The server's backups keep what they held."""

    _AS_ADDED = "place"

    def __init__(self, server: Server) -> None:
        self._datastore = Datastore(server)
        try:
            self._run("SELECT 1 FROM people LIMIT 1", ())  # what is wrong is told at once
        except StoreError:
            self._datastore.close()
            raise

    def close(self) -> None:
        self._datastore.close()

    def _rows(self, sql: str, values: Sequence[str] = ()) -> list[Any]:
        return self._datastore.patiently(lambda: self._run(sql, values)[0])

    def _change(self, sql: str, values: Sequence[str]) -> int:
        return self._datastore.patiently(lambda: self._run(sql, values)[1])

    def _run(self, sql: str, values: Sequence[str]) -> tuple[list[Any], int]:
        """The rows, and how many were found or changed, of a statement in SQLite's dialect."""
        with (
            self._datastore.get_connection() as connection,
            connection.cursor(row_factory=tuple_row) as cursor,
        ):
            cursor.execute(sql.replace("?", "%s").encode(), values)
            return cursor.fetchall() if cursor.description else [], cursor.rowcount
