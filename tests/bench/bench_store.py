"""The store beside bare SQLite, the library's own recorder and another canonical encoder.

``python -m tests.bench store``. The variants of a table take turns, round by round;
a ratio is the median of the ratios within each round.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from eventsourcing.persistence import StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

from referee.store import Draft, Store, canonical, digest, open_store
from referee.store.chain import find_break
from referee.store.doctor import kind_of_file_system
from referee.store.sqlite import sqlite_url
from tests.bench.measuring import print_table

ROUNDS = 101
"""Many short rounds: what else the computer does then spoils few of them."""
LENGTHS = (300, 10_000)

SIGNED: dict[str, Any] = {"at": "2025-01-01T12:00:00.000Z", "by": "pabcdefghij", "role": "scribe"}
DATA = {
    "number": 17,
    "action": {"verb": "step", "by": "A", "to": "b2"},
    "verdict": {"outcome": "legal", "clauses": ["MOVE-2", "MOVE-4"], "facts": {"hex": "b2"}},
}

Variant = Callable[[], object]
Times = dict[str, list[float]]


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        _appending(folder)
        for length in LENGTHS:
            _loading(folder, length)
        _encoding()


def _appending(folder: Path) -> None:
    body = _sample_body()
    with (
        bare_sqlite(folder / "full.db", "FULL", body) as full,
        bare_sqlite(folder / "normal.db", "NORMAL", body) as normal,
        library_recorder(folder / "library.db", body) as library,
        our_store(folder / "ours.db", batch=1) as ours,
        our_store(folder / "batch.db", batch=10) as ours_in_tens,
    ):
        times = _in_turns(
            {
                "bare sqlite3, WAL, synchronous=FULL": full,
                "bare sqlite3, WAL, NORMAL (loses entries at a power cut)": normal,
                "eventsourcing's SQLite recorder": library,
                "append: chained, no gaps, idempotent": ours,
                "append of ten at once, per append": ours_in_tens,
            },
            repeat=20,
        )
    kind = kind_of_file_system(folder) or "unknown"
    _print(f"Durable append of one entry of {len(body)} bytes ({kind})", times)


def _loading(folder: Path, length: int) -> None:
    path = folder / f"{length}.db"
    store = open_store(sqlite_url(path))
    drafts = [Draft("logged", 1, DATA, f"k{number}") for number in range(length)]
    store.append("game-1", drafts, expected=-1, **SIGNED)
    connection = sqlite3.connect(path)
    query = (
        "SELECT originator_id, originator_version, topic, state FROM entries "
        "WHERE originator_id = 'game-1' ORDER BY originator_version"
    )
    entries = store.read("game-1")
    times = _in_turns(
        {
            "bare sqlite3, rows": lambda: connection.execute(query).fetchall(),
            "read": lambda: store.read("game-1"),
            "read and json.loads": lambda: [json.loads(e.body) for e in store.read("game-1")],
            "check of the chain, read before": lambda: find_break("game-1", entries),
        },
        repeat=1,
        rounds=ROUNDS if length < 1000 else 11,
    )
    connection.close()
    store.close()
    _print(f"Loading {length:,} entries", times)


def _encoding() -> None:
    import rfc8785

    body = _sample_body()
    document = json.loads(body)
    times = _in_turns(
        {
            "json.dumps, as it comes": lambda: json.dumps(document),
            "canonical": lambda: canonical(document),
            "canonical and digest": lambda: digest(canonical(document)),
            "rfc8785": lambda: rfc8785.dumps(document),
        },
        repeat=50,
    )
    _print(f"Writing one entry of {len(body)} bytes in canonical form", times)


@contextmanager
def bare_sqlite(path: Path, synchronous: str, body: bytes) -> Iterator[Variant]:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA synchronous={synchronous}")
    connection.execute(
        "CREATE TABLE entries (stream TEXT, seq INTEGER, topic TEXT, state BLOB, "
        "PRIMARY KEY (stream, seq))"
    )
    seq = -1

    def append() -> None:
        nonlocal seq
        seq += 1
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            "INSERT INTO entries VALUES (?, ?, ?, ?)", ("game-1", seq, "logged@1", body)
        )
        connection.execute("COMMIT")

    yield append
    connection.close()


@contextmanager
def library_recorder(path: Path, body: bytes) -> Iterator[Variant]:
    datastore = SQLiteDatastore(str(path), originator_id_type="text")
    recorder = SQLiteApplicationRecorder(datastore)
    recorder.create_table()
    seq = -1

    def append() -> None:
        nonlocal seq
        seq += 1
        event = StoredEvent(
            originator_id="game-1", originator_version=seq, topic="logged@1", state=body
        )
        recorder.insert_events([event])

    yield append
    datastore.close()


@contextmanager
def our_store(path: Path, batch: int) -> Iterator[Variant]:
    store: Store = open_store(sqlite_url(path))
    last = -1

    def append() -> None:
        nonlocal last
        drafts = [Draft("logged", 1, DATA, f"key-{last}-{number}") for number in range(batch)]
        last = store.append("game-1", drafts, expected=last, **SIGNED)[-1].seq

    yield append
    store.close()


def _sample_body() -> bytes:
    store = open_store("memory:")
    return store.append("game-1", [Draft("logged", 1, DATA, "key-0-0")], expected=-1, **SIGNED)[
        0
    ].body


def _in_turns(variants: dict[str, Variant], *, repeat: int, rounds: int = ROUNDS) -> Times:
    """Microseconds per call, round by round; the first round warms up and does not count."""
    times: Times = {name: [] for name in variants}
    for _ in range(rounds + 1):
        for name, call in variants.items():
            start = perf_counter()
            for _ in range(repeat):
                call()
            times[name].append((perf_counter() - start) / repeat * 1e6)
    return {name: measured[1:] for name, measured in times.items()}


def _print(title: str, times: Times) -> None:
    base = next(iter(times.values()))
    print_table(
        title,
        ("", "µs", "× the first"),
        [
            (
                name,
                f"{median(rounds):,.1f}",
                f"{median(mine / first for mine, first in zip(rounds, base, strict=True)):.2f}",
            )
            for name, rounds in times.items()
        ],
    )


if __name__ == "__main__":
    main()
