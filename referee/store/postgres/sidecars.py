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
from referee.store.sidecars.change_counter import (
    ACCESS_PAGE,
    ATTACHMENTS_PAGE,
    BOXES_PAGE,
    PEOPLE_PAGE,
    WEBHOOKS_PAGE,
    ChangeCounter,
    new_mark,
)
from referee.store.sidecars.people import People
from referee.store.sidecars.sqlite_tables import Statement
from referee.store.sidecars.webhooks import Webhooks
from referee.store.witness import START, Checkpoint, Witness

_COUNT = """
    INSERT INTO changes AS c (name, count, mark) VALUES (%s, 1, %b)
    ON CONFLICT (name) DO UPDATE SET count = c.count + 1, mark = excluded.mark
    RETURNING count, mark
"""


class PostgresTables(ChangeCounter):
    """Tables that ``init`` has made, asked for in SQLite's dialect.

    A database that is brought back brings its tokens and names back with it: each computer that
    has seen later ones notices.
    """

    TABLE: LiteralString
    """By its name their changes are counted."""
    NEWEST: LiteralString | None = None
    """The table that the latest version has added, if nothing can be done without it."""
    PAGE: int

    def __init__(self, server: Server) -> None:
        name = f"{server.name} ({self.TABLE})"
        ChangeCounter.__init__(self, Witness(server.witness, self.PAGE), name)
        self._datastore = PooledPostgresDatastore(server)
        try:
            self._run(
                f"SELECT 1 FROM {self.NEWEST or self.TABLE} LIMIT 1", ()
            )  # what is wrong is told at once
            self.check_newest()
        except StoreError:
            self._datastore.close()
            raise

    def close(self) -> None:
        self._datastore.close()
        ChangeCounter.close(self)

    def counted(self) -> Checkpoint:
        sql = "SELECT count, mark FROM changes WHERE name = ?"
        rows, _ = self._datastore.retrying(lambda: self._run(sql, (self.TABLE,)))
        return Checkpoint(rows[0][0], bytes(rows[0][1])) if rows else Checkpoint(0, START)

    def version(self) -> Checkpoint:
        return self.counted()

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        if self.is_due():
            self.check_newest()
        return self._datastore.retrying(lambda: self._run(sql, values)[0])

    def _kept_rows(self, sql: str, *values: Any) -> list[Any]:
        """Nothing is kept: to ask whether anything has changed takes as long as to ask for it."""
        return self._rows(sql, values)

    def _change(self, sql: str, values: Sequence[Any]) -> int:
        return self._change_counted(sql, [values])

    def _change_all(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        self._change_counted(sql, rows)

    def _change_together(self, first: Statement, *rest: Statement) -> None:
        self._change_counted(first[0], [first[1]], *rest)

    def _change_counted(self, sql: str, rows: Sequence[Sequence[Any]], *then: Statement) -> int:
        self.check_newest()
        count, counted = self._datastore.retrying(lambda: self._run_counted(sql, rows, *then))
        if counted is not None:
            self.note(counted)
        return count

    def _run_counted(
        self, sql: str, rows: Sequence[Sequence[Any]], *then: Statement
    ) -> tuple[int, Checkpoint | None]:
        """The counter is taken last: whoever waits for it waits for no other row."""
        with (
            self._datastore.get_connection() as connection,
            connection.transaction(),
            connection.cursor(row_factory=tuple_row) as cursor,
        ):
            cursor.executemany(_server_sql(sql), rows)
            if not (changed := cursor.rowcount):
                return 0, None
            for more, values in then:
                cursor.execute(_server_sql(more), values)
            row = cursor.execute(_COUNT, (self.TABLE, new_mark())).fetchone()
            assert row is not None
            return changed, Checkpoint(int(row[0]), bytes(row[1]))

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
    PAGE = ACCESS_PAGE

    def __init__(self, server: Server, clock: Callable[[], str] = moment) -> None:
        self._clock = clock
        super().__init__(server)


class PostgresAttachments(PostgresTables, Attachments):
    """The same attachments at every node. The server's backups keep what they held."""

    TABLE = "attachments"
    NEWEST = "photographs"
    PAGE = ATTACHMENTS_PAGE
    _DIGEST = "encode(sha256(content), 'hex')"


class PostgresBoxes(PostgresTables, Boxes):
    """The same boxes at every node."""

    TABLE = "boxes"
    PAGE = BOXES_PAGE


class PostgresPeople(PostgresTables, People):
    """The same names, shared by every computer. The server's backups keep what they held."""

    TABLE = "people"
    PAGE = PEOPLE_PAGE
    _AS_ADDED = "place"

    def __init__(self, server: Server) -> None:
        self._found: set[str] = set()
        super().__init__(server)

    def _keeps(self, table: str) -> bool:
        """A store that no owner has brought to this version lacks what is new in it."""
        if table not in self._found:
            ((found,),) = self._rows("SELECT to_regclass(?) IS NOT NULL", (table,))
            if not found:
                return False
            self._found.add(table)
        return True


class PostgresWebhooks(PostgresTables, Webhooks):
    """The same addresses at every node, of which one sends at a time."""

    TABLE = "webhooks"
    PAGE = WEBHOOKS_PAGE

    def __init__(self, server: Server) -> None:
        self._clock = moment
        super().__init__(server)


def _server_sql(sql: str) -> bytes:
    return sql.replace("?", "%s").encode()
