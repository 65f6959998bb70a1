"""The budget of the table page: how many taps an action takes.

Counted over the sample game and five random games of each game: on average at most 1.5 taps, and
two for at least nine actions of ten. The tap that logs the line is not counted; of lines that
cannot be listed (most of a set-up), every word is a tap.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from engines.kernel import Action, Engine, Setting
from engines.kernel.registry import load_engine
from replays.gallery import sample, samples
from tests.bench.measuring import print_table
from tests.pages.tapping import taps_needed
from tests.playing import random_game, tables_of

RANDOM = 5
MEAN, SHARE = 1.5, 0.9
Moment = tuple[Setting[Any], Any, Action]
"""Where an action was said, and the action."""


def main() -> None:
    print_table(
        f"Taps for an action (budget: {MEAN} on average, two enough for {SHARE:.0%})",
        ("game", "mean", "two enough", "listed", "word by word", "budget"),
        map(_row, samples()),
    )


def _row(game: str) -> tuple[str, ...]:
    mean, share, listed, others = measure(game)
    kept = "kept" if mean <= MEAN and share >= SHARE else "BROKEN"
    return game, f"{mean:.2f}", f"{share:.1%}", str(listed), str(others), kept


def measure(game: str, random: int = RANDOM) -> tuple[float, float, int, int]:
    """The mean, how often two are enough, and how many actions were listed, and were not."""
    engine = load_engine(game)
    said = [_said(engine, *moment) for moment in _moments(engine, random)]
    listed = [(lines, line) for lines, line in said if line in lines]
    taps = taps_needed(listed)
    two = sum(each <= 2 for each in taps)
    return sum(taps) / len(taps), two / len(taps), len(taps), len(said) - len(listed)


def _said(
    engine: Engine[Any, Any], setting: Setting[Any], state: Any, action: Action
) -> tuple[list[str], str]:
    """The lines that were listed, and the one that was said."""
    lines = [engine.text(each) for each in engine.options(setting, state)]
    return lines, engine.text(action)


def _moments(engine: Engine[Any, Any], random: int) -> Iterator[Moment]:
    for before, after in pairwise(sample(engine.id).steps):
        if after.action is not None:
            yield before.setting, before.state, after.action
    setups = sorted(tables_of(engine.id).SETUPS)
    for seed in range(random):
        played = random_game(engine, setups[seed % len(setups)], seed)
        for earlier, later in pairwise(played.judgements):
            yield played.setting, earlier.state, later.action


if __name__ == "__main__":
    main()
