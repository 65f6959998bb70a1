"""What the workers of one service share: rate limits, live streams, presence, metrics.

It is a SQLite file in a temporary folder, gone with the service; a single worker keeps it in
memory. SQLite also releases the lock of a worker that was killed, as shared memory would not.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

PATIENCE = 10.0
"""Seconds to wait for the lock of another worker, which holds it for microseconds."""
Values = Sequence[Any] | Mapping[str, Any]
_SCHEMA = """
CREATE TABLE IF NOT EXISTS buckets (
    kind TEXT, who TEXT, level REAL, at REAL, PRIMARY KEY (kind, who)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS known (address TEXT PRIMARY KEY, at REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS streams (
    who TEXT, worker INTEGER, count INTEGER, PRIMARY KEY (who, worker)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS present (
    worker INTEGER, game TEXT, seat TEXT, PRIMARY KEY (worker, game, seat)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS metrics (worker INTEGER PRIMARY KEY, exposition TEXT);
"""
_BY_WORKER = ("streams", "present", "metrics")
_COUNT = (
    "INSERT INTO streams VALUES (?, ?, 1) ON CONFLICT (who, worker) DO UPDATE SET count = count + 1"
)


class SharedState:
    """The state of all workers, as one of them reads and writes it, from any thread."""

    def __init__(self, path: Path | None = None) -> None:
        self.is_shared = path is not None
        self._worker = os.getpid()
        self._lock = Lock()
        self._db = sqlite3.connect(
            path or ":memory:", timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=OFF")  # it ends with the service, power cuts included
        self._db.executescript(_SCHEMA)

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def rows(self, sql: str, values: Values = ()) -> list[Any]:
        with self._lock:
            return self._db.execute(sql, values).fetchall()

    def change(self, sql: str, values: Values = ()) -> int:
        """How many rows were changed."""
        with self._lock:
            return self._db.execute(sql, values).rowcount

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            with self._db:
                yield self._db

    def forget(self, worker: int) -> None:
        """A worker has ended: its streams are closed, and nobody is present there."""
        with self._transaction() as db:
            for table in _BY_WORKER:
                db.execute(f"DELETE FROM {table} WHERE worker = ?", (worker,))

    # live streams

    def open_stream(self, most: Mapping[str, int]) -> bool:
        """Count one more live stream under each of these names, unless one has its most."""
        with self._transaction() as db:
            sql = "SELECT coalesce(sum(count), 0) FROM streams WHERE who = ?"
            for who, allowed in most.items():
                if db.execute(sql, (who,)).fetchone()[0] >= allowed:
                    return False
            db.executemany(_COUNT, [(who, self._worker) for who in most])
        return True

    def close_stream(self, names: Iterable[str]) -> None:
        own = [(who, self._worker) for who in names]
        with self._transaction() as db:
            place = "WHERE who = ? AND worker = ?"
            db.executemany(f"UPDATE streams SET count = count - 1 {place}", own)
            db.executemany(f"DELETE FROM streams {place} AND count < 1", own)

    # presence

    def enter(self, game: str, seat: str) -> None:
        self.change("INSERT OR IGNORE INTO present VALUES (?, ?, ?)", (self._worker, game, seat))

    def leave(self, game: str, seat: str) -> None:
        sql = "DELETE FROM present WHERE worker = ? AND game = ? AND seat = ?"
        self.change(sql, (self._worker, game, seat))

    def present_elsewhere(self) -> dict[str, frozenset[str]]:
        """By game, the seats that follow it at other workers."""
        found: dict[str, set[str]] = {}
        sql = "SELECT game, seat FROM present WHERE worker <> ?"
        for game, seat in self.rows(sql, (self._worker,)):
            found.setdefault(game, set()).add(seat)
        return {game: frozenset(seats) for game, seats in found.items()}

    # metrics

    def publish(self, exposition: str) -> None:
        """Let the other workers tell the metrics of this one."""
        self.change("INSERT OR REPLACE INTO metrics VALUES (?, ?)", (self._worker, exposition))

    def metrics_elsewhere(self) -> list[str]:
        sql = "SELECT exposition FROM metrics WHERE worker <> ?"
        return [text for (text,) in self.rows(sql, (self._worker,))]
