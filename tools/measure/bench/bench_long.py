"""Long records and large archives: what an entry more costs, and a million of them.

``python -m tools.measure.bench long``. Lines are of the tutorial game, an archive holds one record
of Benevolent many times over; time is that of the processor, but for the archive, where what
counts is how long somebody waits.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from pydantic_core import from_json

from referee.archive.process_pool import cores, map_store
from referee.archive.read_models import list_games
from referee.proof.verify import verify
from referee.record.entries import entry_data, read_entry
from referee.record.fold import fold
from referee.store import Draft, Store, open_store
from referee.store.derived import projections
from referee.store.sqlite.files import sqlite_url
from referee.table.bench import Bench
from referee.table.corrections import correct, redo, undo
from referee.table.play import log
from tools.measure.bench.bench_record import long_game, opened
from tools.measure.bench.measuring import print_table

LENGTHS = (100, 1_000, 10_000, 20_000)
TURNS = 25
COLD_TURNS = 3
GAMES = 120
"""Enough to be shared among processes."""
MILLION = 1_000_000


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        _lines(Path(name))
        _cold(Path(name))
        _archive(Path(name))


def _lines(folder: Path) -> None:
    head = ("a line of actions", "log", "undo", "redo", "correct", "cold, ms", "cold, an entry")
    rows = []
    bench = Bench(open_store(sqlite_url(folder / "long.db")))
    made = opened(bench, "pebbles", "table A B first A").id
    for length in LENGTHS:
        _lengthen(bench, made, length)
        times = [_turn(lambda: bench, made) for _ in range(TURNS)]
        each = [f"{median(kind) * 1e6:.0f}" for kind in zip(*times, strict=True)]
        stored = bench.store.read(made)
        cold = min(_spent(lambda: fold(made, bench.store.read(made))) for _ in range(3))
        rows.append((f"{length:,}", *each, f"{cold * 1e3:.0f}", f"{cold / len(stored) * 1e6:.0f}"))
    print_table("Long records, µs at a resident game", head, rows)


def _cold(folder: Path) -> None:
    """Each command by a bench that has nothing at hand, without snapshots and with them."""
    commands = ("log", "undo", "redo", "correct")
    head = (
        "a line of actions",
        "read",
        *(f"{command}, {how}" for how in ("folded", "snapshot") for command in commands),
    )
    rows = []
    store = open_store(sqlite_url(folder / "cold.db"))
    bench = Bench(store)
    made = opened(bench, "pebbles", "table A B first A").id
    for length in LENGTHS:
        _lengthen(bench, made, length)
        Bench(store, snapshots=True).game(made)
        spent: dict[bool, list[list[float]]] = {False: [], True: []}
        for _ in range(COLD_TURNS if length <= 1_000 else 1):
            for snapshots, times in spent.items():
                times.append(_turn(lambda on=snapshots: Bench(store, snapshots=on), made))  # type: ignore[misc]
        read = median(_spent(lambda: store.read(made)) for _ in range(COLD_TURNS))
        each = [
            f"{median(kind) * 1e3:.1f}"
            for times in spent.values()
            for kind in zip(*times, strict=True)
        ]
        rows.append((f"{length:,}", f"{read * 1e3:.1f}", *each))
    print_table("Long records from cold, ms", head, rows)


def _lengthen(bench: Bench, game: str, length: int) -> None:
    """Counts, which may be told at any time, until the line is so long."""
    told = log(bench, game, "audit heap 12")
    data = entry_data(told.entries[0].data)
    last = told.game.last_number
    more = [
        Draft("logged", 1, {**data, "number": last + n}, f"{game}-{last + n}")
        for n in range(1, length - told.game.length + 1)
    ]
    now = told.entries[0].at
    bench.store.append(
        game, more, expected=told.game.version, at=now, by="anonymous", role="scribe"
    )
    assert bench.game(game).length == length


def _turn(bench: Callable[[], Bench], game: str) -> list[float]:
    """Log, take back, bring back and correct one action, and leave the line as it was."""
    spent = [
        _spent(lambda: log(bench(), game, "take 2")),
        _spent(lambda: undo(bench(), game)),
        _spent(lambda: redo(bench(), game)),
    ]
    last = bench().game(game).last_number
    spent.append(_spent(lambda: correct(bench(), game, last, ["take 3"])))
    undo(bench(), game)
    return spent


def _archive(folder: Path) -> None:
    """A store of many games is proven, and its lists are made, by one process and by all."""
    bench = Bench(open_store("memory:"))
    rows = bench.store.read(long_game(bench, "benevolent", 300))
    store = open_store(sqlite_url(folder / "archive.db"))
    entries = [read_entry(row) for row in rows]
    drafts = [
        Draft(entry.data.KIND, entry.data.SCHEMA, from_json(row.body)["data"], entry.key)
        for entry, row in zip(entries, rows, strict=True)
    ]
    streams = [f"game-{number:013d}".translate(_LETTERS) for number in range(GAMES)]
    for stream in streams:
        store.append(stream, drafts, expected=-1, at=entries[-1].at, by="anonymous", role="scribe")
    projections.MANY = 0
    told = []
    for what, work in {"proven": _prove_all, "listed": _list_all}.items():
        for processes in dict.fromkeys((1, cores())):
            start = perf_counter()
            work(store, processes)
            seconds = perf_counter() - start
            done = GAMES * len(rows)
            told.append(
                (
                    f"{GAMES} games of {len(rows)} entries {what}, {processes} processes",
                    f"{seconds:.1f}",
                    f"{done / seconds:,.0f}",
                    f"{MILLION / done * seconds:.0f}",
                )
            )
    head = ("an archive", "s", "entries/s", "a million, s, extrapolated")
    print_table("A whole archive", head, told)


def _prove_all(store: Store, processes: int) -> None:
    assert all(map_store(store, store.streams("game-"), _is_proven, processes=processes))


def _list_all(store: Store, processes: int) -> None:
    """As if there had never been lists."""
    made = projections.view_path(store.url)
    if made is not None and made.exists():
        projections.forget_lists(made)
    assert len(list_games(store, processes=processes)) == GAMES


_LETTERS = str.maketrans("0123456789", "abcdefghij")


def _is_proven(store: Store, stream: str) -> bool:
    return verify(stream, store.read(stream)).ok


def _spent(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


if __name__ == "__main__":
    main()
