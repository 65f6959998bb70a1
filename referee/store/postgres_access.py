"""Tokens, codes and rules, in the database that holds the records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from psycopg.rows import tuple_row

from referee.store.access import SCHEMA, Access, moment
from referee.store.postgres import Datastore, Server


class PostgresAccess(Access):
    """The same tokens at every node. Whoever opens it first must be allowed to make tables."""

    def __init__(self, server: Server, clock: Callable[[], str] = moment) -> None:
        self._clock = clock
        self._datastore = Datastore(server)
        for statement in SCHEMA:
            self._change(statement, ())

    def close(self) -> None:
        self._datastore.close()

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._datastore.patiently(lambda: self._run(sql, values)[0])

    def _change(self, sql: str, values: Sequence[Any]) -> int:
        return self._datastore.patiently(lambda: self._run(sql, values)[1])

    def _run(self, sql: str, values: Sequence[Any]) -> tuple[list[Any], int]:
        with (
            self._datastore.get_connection() as connection,
            connection.cursor(row_factory=tuple_row) as cursor,
        ):
            cursor.execute(sql.replace("?", "%s").encode(), values)
            return cursor.fetchall() if cursor.description else [], cursor.rowcount
