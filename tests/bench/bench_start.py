"""How soon the program answers, beside a bare Typer program.

``python -m tests.bench start``. Every round starts each program once; a ratio is the
median of the ratios within each round. Time is that of the processor; compiled modules
are kept between starts, as they are for everybody who types the second command of an evening.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.bench.measuring import print_table

ROUNDS = 15
ROOT = Path(__file__).parents[2]

BARE = """
import typer

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)

@app.command()
def main(word: str) -> None:
    print(word)

app()
"""
REFEREE = "from cli.entry_point import run; run()"
TABLE = ("new", "benevolent", "A=blue", "B=red", "first", "A")
SETUP = (
    "forest S1A S2A",
    "pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal / "
    "hoard convert_1",
)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="start-") as name:
        folder = Path(name)
        environment = {
            **{key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"},
            "PYTHONPATH": str(ROOT),
            "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
            "XDG_DATA_HOME": str(folder / "data"),
        }
        _start(environment, REFEREE, *TABLE)
        _start(environment, REFEREE, "log", *SETUP)
        kept = folder / "kept"
        shutil.copytree(folder / "data", kept)
        programs = {
            "bare Typer program": (BARE, "hello"),
            "referee --version": (REFEREE, "--version"),
            "referee --help": (REFEREE, "--help"),
            "referee log step c1": (REFEREE, "log", "step", "c1"),
            "referee check step c1": (REFEREE, "check", "step", "c1"),
            "referee state": (REFEREE, "state"),
            "referee options": (REFEREE, "options"),
            "referee tournament list": (REFEREE, "tournament", "list"),
        }
        times: dict[str, list[float]] = {title: [] for title in programs}
        for count in range(ROUNDS + 1):
            for title, (code, *words) in programs.items():
                if code == REFEREE:
                    shutil.rmtree(folder / "data")
                    shutil.copytree(kept, folder / "data")
                spent = _start(environment, code, *words)
                if count:
                    times[title].append(spent)
    bare = times["bare Typer program"]
    print_table(
        f"Cold start, {ROUNDS} rounds",
        ["program", "ms, median", "times a bare Typer program"],
        [
            (
                title,
                f"{median(spent) * 1000:.0f}",
                f"{median(a / b for a, b in zip(spent, bare, strict=True)):.1f}",
            )
            for title, spent in times.items()
        ],
    )


def _start(environment: dict[str, str], code: str, *words: str) -> float:
    """Seconds of the processor from the start to the end of a program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-c", code, *words], env=environment, check=True, capture_output=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
