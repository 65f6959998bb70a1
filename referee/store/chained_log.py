"""The hash chain over the whole log of a database, and its witness outside: one home for both.

Streams have chains of their own, which cover neither their last entry nor a stream that is gone.
The *log hash* (column ``trail``) does: each entry has one, which covers all entries before it, in
their order.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, Generic, NamedTuple, TypeVar

from eventsourcing.persistence import StoredEvent

from referee.store.envelopes import StoreError
from referee.store.os_errors import translating_os_errors
from referee.store.witness import START, Checkpoint, Witness, extend_chain

BATCH = 1000

Cursor = TypeVar("Cursor")


class LogRow(NamedTuple):
    """One row of the log."""

    number: int
    stream: str
    seq: int
    topic: str
    body: bytes
    key: str
    log_hash: bytes | None
    """None where an older version wrote the row."""


_TYPES = (int, str, int, str, bytes, str, bytes | None)


class ChainedLog(ABC, Generic[Cursor]):
    """The log of a store, for SQLite and PostgreSQL alike. SQL is written in SQLite's dialect."""

    NUMBER: str
    """The column that numbers the entries."""
    ALL_TRAILED = False
    """Whether every entry since the first trail has one: a file may be written by an older program,
    a server's entries by its function alone."""
    witness: Witness
    log_table: str

    @property
    @abstractmethod
    def log_name(self) -> Any:
        """The name of the store in error messages."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Cursor]: ...

    @abstractmethod
    def _ask(self, c: Cursor, sql: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Run a query and return its rows."""

    def _trail_column(self, c: Cursor) -> str:
        """The column of the log hash; a store of an older version has none."""
        return "trail"

    def known(self) -> Checkpoint:
        """The checkpoint of the store: number and hash of its last entry."""
        with self._reading() as c:
            return self._last(c)

    def check_witness(self) -> Checkpoint:
        """Refuse a store that has lost acknowledged entries; update a witness that is behind.

        Returns the checkpoint of the store.
        """
        known = self.witness.latest()
        here = self.known()
        if known is not None:
            self._check_against(known, here)
        if known is not None and here.number > known.number:
            with suppress(OSError):  # a disk that cannot be written to can still be read
                self.witness.note(here)
        return here

    def accept(self) -> Checkpoint:
        """Reset the witness to what the store has now: lost entries are given up."""
        here = self.known()
        with translating_os_errors(self.log_name):
            self.witness.reset(here)
        return here

    def _note(self, last: Checkpoint) -> None:
        """Write the checkpoint before the append is acknowledged."""
        with translating_os_errors(self.log_name):
            self.witness.note(last)

    def _check_against(self, known: Checkpoint, here: Checkpoint) -> None:
        if here.number < known.number:
            facts = {"known": known.number, "found": here.number}
            raise StoreError("entries_lost", path=self.log_name, **facts)
        if self._log_hash_at(known.number) != known.log_hash:
            raise StoreError("other_entries", path=self.log_name, number=known.number)

    def find_altered(self) -> StoreError | None:
        """Walk the log and check its numbers, keys and rolling hash; the first thing wrong."""
        log_hash, due, trailed = START, 1, False
        for row in self.log_rows():
            if row.number != due:
                return StoreError("gap_inside", path=self.log_name, number=due)
            log_hash, due = extend_chain(log_hash, row.body), due + 1
            if row.log_hash not in (None, log_hash) or not names_key(row.body, row.key):
                return StoreError("altered", stream=row.stream, seq=row.seq)
            if row.log_hash is None and trailed and self.ALL_TRAILED:
                return StoreError("added", stream=row.stream, seq=row.seq)
            trailed = trailed or row.log_hash is not None
        return None

    def log_rows(self) -> Iterator[LogRow]:
        """Every row in the order of storing."""
        reached, end = 0, self.max_number()
        while reached < end:
            yield from self.rows_between(reached, reached + BATCH)
            reached += BATCH

    def rows_between(self, after: int, upto: int) -> list[LogRow]:
        """The entries after one number, up to and including another."""
        with self._reading() as c:
            sql = (
                f"SELECT {self.NUMBER}, originator_id, originator_version, topic, state, key, "
                f"{self._trail_column(c)} FROM {self.log_table} "
                f"WHERE {self.NUMBER} > ? AND {self.NUMBER} <= ? ORDER BY {self.NUMBER}"
            )
            return [self._row(row) for row in self._ask(c, sql, (after, upto))]

    def _row(self, row: tuple[Any, ...]) -> LogRow:
        """A row, validated: a damaged page can return anything, and is reported as damage."""
        if not all(map(isinstance, row, _TYPES)):
            raise StoreError("damaged", path=self.log_name)
        return LogRow._make(row)

    def max_number(self) -> int:
        """The number of the newest entry."""
        with self._reading() as c:
            (found,) = next(self._ask(c, f"SELECT MAX({self.NUMBER}) FROM {self.log_table}"))
        return found or 0

    def count(self) -> int:
        """How many entries there are; fewer than the newest number where some were removed."""
        with self._reading() as c:
            (found,) = next(self._ask(c, f"SELECT COUNT(*) FROM {self.log_table}"))
        return int(found)

    def _check_covered(self, event: StoredEvent) -> None:
        """Check the last entry of a stream by the log hash: no other entry names its hash."""
        place = (str(event.originator_id), event.originator_version)
        table, number = self.log_table, self.NUMBER
        with self._reading() as c:
            if self._trail_column(c) == "NULL":
                return
            found = next(
                self._ask(
                    c,
                    f"SELECT {number}, key, trail, (SELECT trail FROM {table} AS b "
                    f"WHERE b.{number} = a.{number} - 1) FROM {table} AS a "
                    "WHERE originator_id = ? AND originator_version = ?",
                    place,
                ),
                None,
            )
        if found is None:  # an index that leads to it, and one that does not
            raise StoreError("damaged", path=self.log_name)
        at, key, log_hash, before = found
        if not (isinstance(key, str) and isinstance(event.state, bytes)):
            raise StoreError("damaged", path=self.log_name)
        before = START if at == 1 else before
        if log_hash is not None and (
            not names_key(event.state, key)
            or (isinstance(before, bytes) and log_hash != extend_chain(before, event.state))
        ):
            raise StoreError("altered", stream=place[0], seq=place[1])

    def _last(self, c: Cursor) -> Checkpoint:
        column = self._trail_column(c)
        sql = f"SELECT {self.NUMBER}, {column} FROM {self.log_table} ORDER BY 1 DESC LIMIT 1"
        number, log_hash = next(self._ask(c, sql), (0, START))
        if not isinstance(log_hash, bytes | None):
            raise StoreError("damaged", path=self.log_name)
        return Checkpoint(number, log_hash) if log_hash is not None else self._walked(c)

    def _walked(self, c: Cursor, to: int | None = None) -> Checkpoint:
        """The log hash computed over entries that an older version wrote without it."""
        table, column, known = self.log_table, self.NUMBER, Checkpoint(0, START)
        within = "" if to is None else f" AND {column} <= {to:d}"
        if self._trail_column(c) != "NULL":
            sql = (
                f"SELECT {column}, trail FROM {table} WHERE trail IS NOT NULL{within} "
                f"ORDER BY {column} DESC LIMIT 1"
            )
            known = Checkpoint(*next(self._ask(c, sql), known))
        behind = f"SELECT {column}, state FROM {table} WHERE {column} > ?{within} ORDER BY {column}"
        for number, body in self._ask(c, behind, (known.number,)):
            if not (isinstance(body, bytes) and isinstance(known.log_hash, bytes)):
                raise StoreError("damaged", path=self.log_name)
            known = Checkpoint(number, extend_chain(known.log_hash, body))
        return known

    def _log_hash_at(self, number: int) -> bytes | None:
        """The log hash up to an entry; None if there is no such entry."""
        with self._reading() as c:
            found = self._walked(c, to=number)
        return found.log_hash if found.number == number else None


def names_key(body: bytes, key: str) -> bool:
    """Whether the body of an entry, in its canonical form, names this key."""
    return f'"key":{json.dumps(key)},"kind":'.encode() in body


def stored_by_key(rows: Sequence[Any]) -> dict[str, StoredEvent]:
    """Rows of the table of entries by their keys."""
    return {
        row["key"]: StoredEvent(
            originator_id=row["originator_id"],
            originator_version=row["originator_version"],
            topic=row["topic"],
            state=bytes(row["state"]),
        )
        for row in rows
    }
