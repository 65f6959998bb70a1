"""Records: loaded, verified, logged to; the scribe's shell and the replay beside nothing.

``python -m tools.measure.bench record``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from cli.commands.demo import BEGINNING, SETUP, TABLE
from cli.replay_screen import Review
from cli.session import Session
from cli.shell import Shell
from engines.kernel import Opening
from referee.proof.verify import verify
from referee.record.fold import fold
from referee.record.game import Game
from referee.store import open_store
from referee.store.sqlite.files import sqlite_url
from referee.table.bench import Bench
from referee.table.corrections import undo
from referee.table.openings import open_game
from referee.table.play import Heard, log
from tools.measure.bench.measuring import Figure, print_table

ROUNDS = 15


def main() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        _records(folder)
        return _faces(folder)


def _records(folder: Path) -> None:
    bench = Bench(open_store(sqlite_url(folder / "records.db")))
    rows = []
    for game, length in (("benevolent", 300), ("benevolent", 1000), ("pebbles", 10_000)):
        made = long_game(bench, game, length)
        read = _times(lambda made=made: bench.store.read(made))  # type: ignore[misc]
        stored = bench.store.read(made)
        folded = _times(lambda made=made, stored=stored: fold(made, stored))  # type: ignore[misc]
        proven = _times(lambda made=made, stored=stored: verify(made, stored))  # type: ignore[misc]
        rows.append((f"{game}, {len(stored)} entries", *(_ms(t) for t in (read, folded, proven))))
    print_table("Records", ("", "read, ms", "judged anew, ms", "verified, ms"), rows)


def opened(bench: Bench, game: str, line: str | Opening) -> Game:
    heard = open_game(bench, game, line)
    assert isinstance(heard, Heard), line
    return heard.game


def long_game(bench: Bench, game: str, length: int) -> str:
    """A record of so many entries: play, and take back, and play again."""
    if game == "pebbles":
        made = opened(bench, game, "table A B first A").id
        lines = ["take 2", "take 1", "take 3", "take 1"]
    else:
        made = opened(bench, game, f"table {TABLE}").id
        for line in SETUP:
            log(bench, made, line)
        lines = [text for turn in ("A step c1; pick", *BEGINNING) for text in turn.split("; ")]
    while len(bench.game(made).entries) < length:
        for line in lines:
            assert log(bench, made, line).accepted, line
        undo(bench, made, len(lines))
    for line in lines:
        log(bench, made, line)
    return made


def _faces(folder: Path) -> list[Figure]:
    here = Session(store_url=sqlite_url(folder / "faces.db"))
    made = opened(here.store_context.bench, "benevolent", f"table {TABLE}").id
    shell = Shell(here, made)
    for line in (*SETUP, "A step c1; pick", *BEGINNING):
        shell.handle(line)
    typed = ["s", "st", "step", "step ", "step b", "step b1", "step a3", "gather"]
    rows = []
    empty = [_once(lambda: shell.hint("")) for _ in range(200)]
    keys = [
        _once(lambda text=text: (shell.hint(text), shell.completions(text)))  # type: ignore[misc]
        for _ in range(50)
        for text in typed
    ]
    rows.append(("empty prompt", _ms(median(empty)), _ms(_p99(empty))))
    rows.append(("key to verdict and completions", _ms(median(keys)), _ms(_p99(keys))))
    review = Review(
        here.caller,
        here.voice,
        here.caller.bench.game(long_game(here.caller.bench, "benevolent", 1000)),
    )
    last = len(review.stepper.moments) - 1

    def jump(place: int) -> None:
        review.stepper.track.index = place % last
        review.about(), review.board(), review.moves()

    jumps = [_once(lambda n=n: jump(n * 397)) for n in range(200)]  # type: ignore[misc]
    rows.append((f"jump in a game of {last + 1} actions", _ms(median(jumps)), _ms(_p99(jumps))))
    print_table("The scribe's shell and the replay", ("", "median, ms", "p99, ms"), rows)
    return [Figure(what, f"{half} ms, p99 {most} ms") for what, half, most in rows]


def _once(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def _times(work: Callable[[], object]) -> float:
    return min(_once(work) for _ in range(ROUNDS))


def _p99(times: list[float]) -> float:
    return quantiles(times, n=100)[98]


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"


if __name__ == "__main__":
    main()
