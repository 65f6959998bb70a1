"""How large each export of a game of 300 entries is, and how long it takes.

``python -m tools.measure.bench exports``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from engines.kernel.registry import load_engine
from referee.record.game import Game
from referee.store import open_store
from referee.table.bench import Bench
from referee.table.play import log
from replays.exports.render_options import RenderOptions
from replays.formats import FORMATS, export_bytes, read_record_file
from tests.playing import random_game
from tools.measure.bench.bench_record import opened
from tools.measure.bench.measuring import Figure, print_table

GAME, SETUP, SEED = "broom_service", "four, front", 1
ENTRIES = 300
LIMITS = {"html": "2 s", "gif": "10 s on two cores", "webp": "10 s on two cores"}


def main() -> list[Figure]:
    bench, game = _table()
    made = [*_measured(bench, game)]
    print_table(
        f"Exports of a game of {len(game.entries)} entries ({game.engine.id})",
        ("format", "kB", "ms"),
        made,
    )
    print_table("Imports of the same", ("format", "ms"), _read_back(bench, game))
    return [
        Figure(f"export as {format}, processor", f"{spent} ms", limit=LIMITS[format])
        for format, _, spent in made
        if format in LIMITS
    ]


def _table() -> tuple[Bench, Game]:
    engine = load_engine(GAME)
    played = random_game(engine, SETUP, SEED)
    bench = Bench(open_store("memory:"))
    game = opened(bench, GAME, played.opening)
    for action in played.actions:
        if len(game.entries) >= ENTRIES:
            break
        heard = log(bench, game.id, action)
        assert heard.accepted, action
        game = heard.game
    return bench, game


def _measured(bench: Bench, game: Game) -> Iterator[tuple[str, str, str]]:
    for format in FORMATS:
        if format == "bgstats":
            continue
        start = process_time()
        made = export_bytes(bench, game, format, RenderOptions())
        spent = process_time() - start
        yield format, f"{len(made) / 1000:,.0f}", f"{spent * 1000:,.0f}"


def _read_back(bench: Bench, game: Game) -> Iterator[tuple[str, str]]:
    with TemporaryDirectory(prefix="bench-") as folder:
        for format in ("record", "text", "html"):
            file = Path(folder) / format
            file.write_bytes(export_bytes(bench, game, format, RenderOptions()))
            start = process_time()
            read_record_file(file)
            yield format, f"{(process_time() - start) * 1000:,.0f}"


if __name__ == "__main__":
    main()
