"""Version 0.1.0 beside today's, in one run: two processes that take turns.

No tag names 0.1.0: it is the commit before the first one that reads its files. It is taken out of
the repository, and runs with today's libraries.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

COMMIT = "4cdc01d9"
ROOT = Path(__file__).parents[3]
PROGRAM = Path(__file__).with_name("judging.py")
ROUNDS = 15
MEASURES = ("replay", "read", "options")
APART = 7
"""Options are listed at every seventh position."""


@contextmanager
def checkout() -> Iterator[Path | None]:
    """The files of 0.1.0 in a temporary folder; None where the repository does not have them."""
    archive = subprocess.run(
        ["git", "-C", str(ROOT), "archive", COMMIT], capture_output=True, check=False
    )
    if archive.returncode:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="0.1.0-") as folder:
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            files.extractall(folder, filter="data")
        yield Path(folder)


class Version:
    """A process that judges games by the engines of one tree."""

    def __init__(self, tree: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(PROGRAM), str(tree)],
            cwd=tree,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, *asked: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(asked), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def __enter__(self) -> Version:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()


class Compared(NamedTuple):
    """Seconds of the processor, each version at its best, and today's ÷ those of 0.1.0."""

    now: float
    then: float
    ratio: float

    @classmethod
    def of(cls, pairs: Sequence[tuple[float, float]], each: int = 1) -> Compared:
        """The ratio is the median of those within a round; what took so long were ``each``."""
        ratio = median(now / then for now, then in pairs)
        now, then = (min(times) / each for times in zip(*pairs, strict=True))
        return cls(now, then, ratio)


def engines_compared(tree: Path, games: Sequence[str]) -> dict[tuple[str, str], Compared]:
    """An action replayed, an action read and replayed, options listed: by game and measure.

    The games are those that 0.1.0 plays at random, as far as both versions find them legal.
    """
    with ExitStack() as running:
        versions = [running.enter_context(Version(each)) for each in (ROOT, tree)]
        counts: dict[str, list[int]] = {}
        for game in games:
            told = versions[1]("recorded", game)
            lengths = [version("load", game, told) for version in versions]
            counts[game] = [min(each) for each in zip(*lengths, strict=True)]
            for version in versions:
                version("cut", game, counts[game])
        taken: dict[tuple[str, str], list[tuple[float, float]]] = {}
        for turn in range(ROUNDS):
            for game, measure in product(games, MEASURES):
                asked = (measure, game, APART) if measure == "options" else (measure, game)
                order = 1 if turn % 2 else -1
                now, then = [each(*asked) for each in versions[::order]][::order]
                taken.setdefault((game, measure), []).append((now, then))
    return {
        (game, measure): Compared.of(pairs, _so_many(measure, counts[game]))
        for (game, measure), pairs in taken.items()
    }


def _so_many(measure: str, lengths: Sequence[int]) -> int:
    """How many actions were judged, or how many lists of options were made."""
    if measure == "options":
        return sum(len(range(0, length + 1, APART)) for length in lengths)
    return sum(lengths)
