"""How soon the program answers, beside version 0.1.0 and a bare Typer program.

``python -m tools.measure.bench start``. Every round starts each program once; a ratio is the
median of the ratios within each round. Time is that of the processor; compiled modules
are kept between starts, as they are for everybody who types the second command of an evening.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from tools.measure.bench.earlier import ROOT, checkout
from tools.measure.bench.measuring import Figure, print_table

ROUNDS = 9

BARE = """
import typer

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)

@app.command()
def main(word: str) -> None:
    print(word)

app()
"""
REFEREE = "from cli.entry_point import run; run()"
EARLIER = "from cli.program import run; run()"
TABLE = ("new", "benevolent", "A=blue", "B=red", "first", "A")
SETUP = (
    "forest S1A S2A",
    "pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal / "
    "hoard convert_1",
)
COMMANDS = {
    "--version": ("--version",),
    "--help": ("--help",),
    "log step c1": ("log", "step", "c1"),
    "check step c1": ("check", "step", "c1"),
    "state": ("state",),
    "options": ("options",),
    "tournament list": ("tournament", "list"),
}
SHELL = "play, until its prompt"
PROMPT = "›"
BARE_TITLE, EARLIER_TITLE, BY_THE_CLOCK = "bare Typer program", "0.1.0", "today, by the clock"

Times = dict[tuple[str, str], list[float]]


class Program:
    """The program of one version, with its own table in a folder of its own."""

    def __init__(self, folder: Path, tree: Path, code: str) -> None:
        self._data, self._kept = folder / "data", folder / "kept"
        self._tree, self._code = tree, code
        self._environment = {
            **{key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"},
            "PYTHONPATH": str(tree),
            "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
            "XDG_DATA_HOME": str(self._data),
            "TERM": "xterm",
        }
        self._data.mkdir(parents=True)
        self.spent(*TABLE)
        self.spent("log", *SETUP)
        shutil.copytree(self._data, self._kept)

    def fresh(self) -> None:
        """The table as it was at first."""
        shutil.rmtree(self._data)
        shutil.copytree(self._kept, self._data)

    def spent(self, *words: str, code: str = "") -> float:
        """Seconds of the processor from the start to the end of a command, or of other code."""
        process = subprocess.Popen(
            [sys.executable, "-c", code or self._code, *words],
            cwd=self._tree,  # what is imported by ``-c`` is looked for here first
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return _ended(process, expected=0)

    def prompted(self) -> tuple[float, float]:
        """Seconds of the processor until the shell can be typed into, and those of the clock."""
        import pty

        terminal, end = pty.openpty()
        begun = perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-c", self._code, "play"],
            cwd=self._tree,
            env=self._environment,
            stdin=end,
            stdout=end,
            stderr=end,
        )
        os.close(end)
        shown = b""
        while PROMPT.encode() not in shown:
            shown += os.read(terminal, 4096)
        waited = perf_counter() - begun
        process.kill()
        spent = _ended(process)
        os.close(terminal)
        return spent, waited


def _ended(process: subprocess.Popen[bytes], expected: int | None = None) -> float:
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert expected in (None, process.returncode), process.args
    return usage.ru_utime + usage.ru_stime


def main() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="start-") as name, checkout() as tree:
        folder = Path(name)
        today = Program(folder / "today", ROOT, REFEREE)
        before = None if tree is None else Program(folder / "before", tree, EARLIER)
        times = _times(today, before)
    bare = times[BARE_TITLE, "today"]
    print_table(
        f"Cold start, {ROUNDS} rounds",
        ["program", "version", "ms, median", "÷ a bare Typer program"],
        [
            (title, version, f"{median(spent) * 1000:.0f}", f"{_ratio(spent, bare):.1f}")
            for (title, version), spent in times.items()
        ],
    )
    return [*_figures(times)]


def _figures(times: Times) -> Iterator[Figure]:
    bare = times[BARE_TITLE, "today"]
    for title in (*COMMANDS, SHELL):
        spent, then = times[title, "today"], times.get((title, EARLIER_TITLE))
        yield Figure(
            f"referee {title}, processor",
            f"{median(spent) * 1000:.0f} ms",
            "" if then is None else f"{_ratio(spent, then):.2f} × its time",
            f"{_ratio(spent, bare):.1f} × a bare Typer program",
            "1.1 × 0.1.0",
        )
    waited = times[SHELL, BY_THE_CLOCK]
    yield Figure(f"referee {SHELL}, clock", f"{median(waited):.2f} s", limit="1 s")


def _ratio(these: Sequence[float], those: Sequence[float]) -> float:
    return median(a / b for a, b in zip(these, those, strict=True))


def _times(today: Program, before: Program | None) -> Times:
    """Seconds by command and version, round by round; the first round compiles."""
    times: Times = {}
    versions = {"today": today} if before is None else {"today": today, EARLIER_TITLE: before}
    for turn in range(ROUNDS + 1):
        found = {(BARE_TITLE, "today"): today.spent("hello", code=BARE)}
        for version, program in versions.items():
            for title, words in COMMANDS.items():
                program.fresh()
                found[title, version] = program.spent(*words)
            program.fresh()
            found[SHELL, version], waited = program.prompted()
            if program is today:
                found[SHELL, BY_THE_CLOCK] = waited
        if turn:
            for what, spent in found.items():
                times.setdefault(what, []).append(spent)
    return times


if __name__ == "__main__":
    main()
