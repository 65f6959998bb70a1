"""Tables of a sidecar file, asked by many threads over one connection."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from referee.store.envelopes import StoreError
from referee.store.sidecars.change_counter import ChangeCounter, new_mark
from referee.store.sqlite.errors import translating_errors
from referee.store.sqlite.files import identity, open_claimed
from referee.store.witness import START, Checkpoint, Witness

_HAS_COUNTER = "SELECT 1 FROM sqlite_master WHERE name = 'changes'"
SPOILT = frozenset(
    ("not_a_database", "not_ours", "damaged", "database_error", "older_copy", "disk_error")
)
"""What can be wrong with a file beside the records, which stay as good as they were."""
MOST_KEPT = 10_000
"""Answers in memory: who asks for what is not there, again and again, must not fill it."""
Statement = tuple[str, Sequence[Any]]
"""SQL and its values."""
_COUNTER = "CREATE TABLE changes (count INTEGER NOT NULL, mark BLOB NOT NULL) STRICT"


class SqliteTables(ChangeCounter):
    """One statement, or transaction, at a time.

    SQLite counts changed rows for a connection, not for a statement: without the lock a thread may
    be told the count of another one, and a code that is used up would let somebody in.
    """

    def __init__(
        self,
        path: Path | None,
        application: int,
        table: str,
        schema: Iterable[str],
        witness: Witness | None = None,
    ) -> None:
        self._path = path or Path(":memory:")
        self._lock = Lock()
        self._has_counter = False
        self._kept: dict[tuple[str, tuple[Any, ...]], list[Any]] = {}
        self._kept_at = 0
        ChangeCounter.__init__(self, witness, self._path)
        with translating_errors(self._path):
            self._db = open_claimed(path, application, table)
            self._file = None if path is None else identity(str(path))
            try:
                self._create(schema)
                self.check_newest()
            except BaseException:
                self._db.close()
                raise

    def _create(self, schema: Iterable[str]) -> None:
        """A new file goes on counting where the one before it ended: whoever deletes a file may,
        and an older copy of it that comes back is still older."""
        self._db.execute("BEGIN IMMEDIATE" if self._is_new() else "BEGIN")
        is_new = self._is_new()
        for statement in schema:
            self._db.execute(statement)
        if is_new:
            known = self.witnessed() or Checkpoint(0, START)
            self._db.execute(_COUNTER)
            self._db.execute("INSERT INTO changes VALUES (?, ?)", known)
        self._db.execute("COMMIT")

    def _is_new(self) -> bool:
        return self._db.execute("SELECT 1 FROM sqlite_master").fetchone() is None

    def close(self) -> None:
        with self._lock:
            self._db.close()
        ChangeCounter.close(self)

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._lock, translating_errors(self._path):
            self._look_if_due()
            return self._db.execute(sql, values).fetchall()

    def _kept_rows(self, sql: str, *values: Any) -> list[Any]:
        """The same, from memory as long as nobody has changed anything, in whichever process."""
        with self._lock, translating_errors(self._path):
            self._look_if_due()
            at = self._changed_elsewhere()
            if at != self._kept_at or len(self._kept) >= MOST_KEPT:
                self._kept_at, self._kept = at, {}
            found = self._kept.get((sql, values))
            if found is None:
                found = self._kept[sql, values] = self._db.execute(sql, values).fetchall()
            return found

    def _changed_elsewhere(self) -> int:
        """A number that is another one when another process has changed something."""
        if self._file is None:
            return 0
        (number,) = self._db.execute("PRAGMA data_version").fetchone()
        return int(number)

    def _look_if_due(self) -> None:
        if self.is_due():
            self._refuse_replaced()
            self.check_newest()

    def _change(self, sql: str, values: Sequence[Any]) -> int:
        """How many rows it changed."""
        return self._changed(lambda: self._db.execute(sql, values).rowcount)

    def _change_all(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        self._changed(lambda: self._db.executemany(sql, rows).rowcount)

    def _change_together(self, first: Statement, *rest: Statement) -> None:
        """In one transaction; where the first changes nothing, nothing is changed."""

        def change() -> int:
            changed = self._db.execute(*first).rowcount
            for sql, values in rest if changed else ():
                self._db.execute(sql, values)
            return changed

        self._changed(change)

    def _changed(self, change: Callable[[], int]) -> int:
        with self._lock, translating_errors(self._path):
            self._refuse_replaced()
            self._kept = {}
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self.check_newest()
                changed = change()
                counted = self._count() if changed else None
                self._db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise
            if counted is not None:
                self.note(counted)
            return changed

    def _count(self) -> Checkpoint:
        counted = Checkpoint(self.counted().number + 1, new_mark())
        if not self._has_counter:  # a file of an earlier version
            self._db.execute(_COUNTER)
            self._db.execute("INSERT INTO changes VALUES (?, ?)", counted)
        self._db.execute("UPDATE changes SET count = ?, mark = ?", counted)
        return counted

    def counted(self) -> Checkpoint:
        if not self._has_counter:
            self._has_counter = self._db.execute(_HAS_COUNTER).fetchone() is not None
        row = self._has_counter and self._db.execute("SELECT count, mark FROM changes").fetchone()
        if row and not all(map(isinstance, row, (int, bytes))):
            raise StoreError("damaged", path=self._path)
        return Checkpoint(*row) if row else Checkpoint(0, START)

    def version(self) -> Checkpoint:
        with self._lock, translating_errors(self._path):
            self._refuse_replaced()
            return self.counted()

    def _refuse_replaced(self) -> None:
        """A file under another name, or under none, would keep what nobody finds again."""
        if self._file is not None and identity(str(self._path)) != self._file:
            raise StoreError("replaced", path=self._path)
