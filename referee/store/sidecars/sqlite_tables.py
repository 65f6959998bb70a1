"""The tables of a sidecar file, asked by many threads over one connection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from referee.store.sqlite.errors import translating_errors
from referee.store.sqlite.files import open_claimed


class SqliteTables:
    """One statement, or transaction, at a time.

    SQLite counts changed rows for a connection, not for a statement: without the lock a thread may
    be told the count of another one, and a code that is used up would let somebody in.
    """

    def __init__(
        self, path: Path | None, application: int, table: str, schema: Iterable[str]
    ) -> None:
        self._path = path or Path(":memory:")
        self._lock = Lock()
        with translating_errors(self._path):
            self._db = open_claimed(path, application, table)
            for statement in schema:
                self._db.execute(statement)

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._lock, translating_errors(self._path):
            return self._db.execute(sql, values).fetchall()

    def _change(self, sql: str, values: Sequence[Any]) -> int:
        """How many rows it changed."""
        with self._lock, translating_errors(self._path):
            return self._db.execute(sql, values).rowcount

    def _change_all(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        with self._lock, translating_errors(self._path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.executemany(sql, rows)
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
