"""The store beside bare databases, the library's own recorders and another canonical encoder.

``python -m tools.measure.bench store``. The variants of a table take turns, round by round;
a ratio is the median of the ratios within each round.
"""

from __future__ import annotations

import json
import multiprocessing
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from threading import Barrier
from time import monotonic, perf_counter
from typing import Any

from eventsourcing.persistence import StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

from referee.store import Draft, Store, canonical, digest, open_store
from referee.store.hash_chain import find_break
from referee.store.maintenance.health import kind_of_file_system
from referee.store.maintenance.init import init
from referee.store.sqlite.files import sqlite_url
from tests.store.server import NoServer, running_server
from tools.measure.bench.measuring import Figure, print_table

ROUNDS = 101
"""Many short rounds: what else the computer does then spoils few of them."""
LENGTHS = (300, 10_000)
WRITERS = (1, 4, 8)
SECONDS = 3.0
"""How long several writers write."""

SIGNED: dict[str, Any] = {"at": "2025-01-01T12:00:00.000Z", "by": "pabcdefghij", "role": "scribe"}
DATA = {
    "number": 17,
    "action": {"verb": "step", "by": "A", "to": "b2"},
    "verdict": {"outcome": "legal", "clauses": ["MOVE-2", "MOVE-4"], "facts": {"hex": "b2"}},
}

Variant = Callable[[], object]
Times = dict[str, list[float]]


def main() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        figures = [_appending(folder)]
        for length in LENGTHS:
            _loading(folder, length)
        try:
            with running_server(shared_buffers="128MB") as server:
                figures.append(_beside_postgres(folder, server.url()))
        except (ImportError, NoServer) as error:
            print(f"\nPostgreSQL is not measured: {error}")
        _encoding()
    return figures


def _beside_postgres(folder: Path, url: str) -> Figure:
    init(url)
    figure = _appending_to_postgres(folder, url)
    for length in LENGTHS:
        _loading_from_postgres(url, length)
    _writing_at_once(folder, url)
    return figure


def _appending(folder: Path) -> Figure:
    body = _sample_body()
    with (
        bare_sqlite(folder / "full.db", "FULL", body) as full,
        bare_sqlite(folder / "normal.db", "NORMAL", body) as normal,
        library_recorder(folder / "library.db", body) as library,
        our_store(sqlite_url(folder / "ours.db"), batch=1) as ours,
        our_store(sqlite_url(folder / "alone.db"), batch=1, witnessed=False) as alone,
        our_store(sqlite_url(folder / "batch.db"), batch=10) as ours_in_tens,
    ):
        times = _in_turns(
            {
                "bare sqlite3, WAL, synchronous=FULL": full,
                "bare sqlite3, WAL, NORMAL (loses entries at a power cut)": normal,
                "eventsourcing's SQLite recorder": library,
                "append: chained, no gaps, idempotent, witnessed": ours,
                "the same without its witness": alone,
                "append of ten at once, per append": ours_in_tens,
            },
            repeat=20,
        )
    kind = kind_of_file_system(folder) or "unknown"
    _print(f"Durable append of one entry of {len(body)} bytes ({kind})", times)
    bare, _, library_time, our_time, *_ = times.values()
    return _append_figure("SQLite", bare, library_time, our_time)


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


def _appending_to_postgres(folder: Path, url: str) -> Figure:
    body = _sample_body()
    with (
        bare_psycopg(url, body, "one") as one_statement,
        bare_psycopg(url, body, "four") as four_statements,
        library_postgres_recorder(url, body) as library,
        our_store(url, batch=1, stream="game-1") as ours,
        our_store(url, batch=10, stream="game-2") as ours_in_tens,
        our_store(sqlite_url(folder / "beside.db"), batch=1) as on_sqlite,
    ):
        times = _in_turns(
            {
                "bare psycopg, lock and INSERT in one statement": one_statement,
                "bare psycopg, BEGIN, lock, INSERT, COMMIT": four_statements,
                "eventsourcing's PostgreSQL recorder": library,
                "append: chained, no gaps, idempotent, notified": ours,
                "append of ten at once, per append": ours_in_tens,
                "append to SQLite": on_sqlite,
            },
            repeat=20,
        )
    _print(f"PostgreSQL on a socket: durable append of one entry of {len(body)} bytes", times)
    bare, _, library_time, our_time, *_ = times.values()
    return _append_figure("PostgreSQL", bare, library_time, our_time)


def _loading_from_postgres(url: str, length: int) -> None:
    import psycopg

    from referee.store.postgres.server import postgres_server

    server = postgres_server(url)
    stream = f"game-of-{length}"
    store = open_store(url)
    drafts = [Draft("logged", 1, DATA, f"k{number}") for number in range(length)]
    store.append(stream, drafts, expected=-1, **SIGNED)
    query = server.sql(
        "SELECT originator_id, originator_version, topic, state FROM {table} "
        "WHERE originator_id = %s ORDER BY originator_version"
    )
    with psycopg.connect(**server.parameters, autocommit=True) as connection:
        times = _in_turns(
            {
                "bare psycopg, rows": lambda: connection.execute(
                    query, (stream,), prepare=True
                ).fetchall(),
                "read": lambda: store.read(stream),
            },
            repeat=1,
            rounds=ROUNDS if length < 1000 else 11,
        )
    store.close()
    _print(f"PostgreSQL on a socket: loading {length:,} entries", times)


def _writing_at_once(folder: Path, url: str) -> None:
    """Processes that write as fast as they can, each to its own stream."""
    stores = {
        "bare psycopg, lock and INSERT in one statement": ("bare", url),
        "append to PostgreSQL": ("ours", url),
        "append to SQLite": ("ours", sqlite_url(folder / "crowd.db")),
    }
    rows = [
        (name, *(f"{_commits_per_second(kind, where, count):,.0f}" for count in WRITERS))
        for name, (kind, where) in stores.items()
    ]
    head = ("commits per second", *(f"{count} at once" for count in WRITERS))
    print_table("Several writers, two cores for them and the server", head, rows)


def _commits_per_second(kind: str, url: str, count: int) -> float:
    processes = multiprocessing.get_context("forkserver")
    start, (receiver, sender) = processes.Barrier(count), processes.Pipe(duplex=False)
    writers = [
        processes.Process(target=write_for_a_while, args=(kind, url, f"{count}-{n}", start, sender))
        for n in range(count)
    ]
    for writer in writers:
        writer.start()
    done = sum(receiver.recv() for _ in writers)
    for writer in writers:
        writer.join()
    return float(done / SECONDS)


def write_for_a_while(
    kind: str, url: str, stream: str, start: Barrier, counted: Connection
) -> None:
    variant = (
        bare_psycopg(url, _sample_body(), "one", stream)
        if kind == "bare"
        else our_store(url, 1, stream)
    )
    with variant as append:
        append()
        start.wait()
        count, end = 0, monotonic() + SECONDS
        while monotonic() < end:
            append()
            count += 1
    counted.send(count)


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


def _of_the_library(recorder: Any, body: bytes) -> Variant:
    recorder.create_table()
    seq = -1

    def append() -> None:
        nonlocal seq
        seq += 1
        event = StoredEvent(
            originator_id="game-1", originator_version=seq, topic="logged@1", state=body
        )
        recorder.insert_events([event])

    return append


@contextmanager
def library_recorder(path: Path, body: bytes) -> Iterator[Variant]:
    datastore = SQLiteDatastore(str(path), originator_id_type="text")
    recorder = SQLiteApplicationRecorder(datastore)
    yield _of_the_library(recorder, body)
    datastore.close()


@contextmanager
def bare_psycopg(
    url: str, body: bytes, statements: str, stream: str = "game-1"
) -> Iterator[Variant]:
    """The same table and the lock that keeps the order of storing, and no more."""
    import psycopg

    from referee.store.postgres.server import postgres_server

    connection = psycopg.connect(**postgres_server(url).parameters, autocommit=True)
    table = f"bare_{statements}"
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS {table} (number bigserial PRIMARY KEY, stream text, "
        "seq bigint, topic text, state bytea, key text, UNIQUE (stream, seq), "
        "UNIQUE (stream, key))".encode()
    )
    insert = f"INSERT INTO {table} (stream, seq, topic, state, key) "
    at_once = (
        "WITH lock AS MATERIALIZED (SELECT pg_advisory_xact_lock(7)) "
        f"{insert} SELECT %s, %s, %s, %b, %s FROM lock"
    ).encode()
    alone = f"{insert} VALUES (%s, %s, %s, %b, %s)".encode()
    seq = -1

    def append_at_once() -> None:
        nonlocal seq
        seq += 1
        connection.execute(at_once, (stream, seq, "logged@1", body, f"key-{seq}"), prepare=True)

    def append_in_steps() -> None:
        nonlocal seq
        seq += 1
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(8)", prepare=True)
            connection.execute(alone, (stream, seq, "logged@1", body, f"key-{seq}"), prepare=True)

    yield append_at_once if statements == "one" else append_in_steps
    connection.close()


@contextmanager
def library_postgres_recorder(url: str, body: bytes) -> Iterator[Variant]:
    from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore

    from referee.store.postgres.server import postgres_server

    given = postgres_server(url).parameters
    datastore = PostgresDatastore(
        given["dbname"], given["host"], "5432", given["user"], "none", originator_id_type="text"
    )
    recorder = PostgresApplicationRecorder(datastore)
    yield _of_the_library(recorder, body)
    datastore.close()


@contextmanager
def our_store(
    url: str, batch: int, stream: str = "game-1", *, witnessed: bool = True
) -> Iterator[Variant]:
    store: Store = open_store(url)
    if not witnessed:
        recorder: Any = store._recorder
        recorder.witness.note = lambda known: None
    last = -1

    def append() -> None:
        nonlocal last
        drafts = [Draft("logged", 1, DATA, f"key-{last}-{number}") for number in range(batch)]
        last = store.append(stream, drafts, expected=last, **SIGNED)[-1].seq

    yield append
    store.close()


def _append_figure(kind: str, bare: list[float], library: list[float], ours: list[float]) -> Figure:
    """A durable append ÷ one without the library and the program, round by round."""

    def beside(these: list[float]) -> float:
        return median(mine / first for mine, first in zip(these, bare, strict=True))

    peer = f"eventsourcing {beside(library):.2f} ×"
    return Figure(f"append to {kind} ÷ a bare one", f"{beside(ours):.2f} ×", "", peer)


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
