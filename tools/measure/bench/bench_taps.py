"""The budget of the table page: how many taps an action takes, with the one that logs it.

Counted over the sample game and five random games of each game. What lies on a tray takes a tap for
each thing; what can neither be listed nor laid is put together word by word, and each word counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, takewhile
from typing import Any, NamedTuple

from engines.kernel import Action, Engine, Setting
from engines.kernel.registry import load_engine
from replays.gallery import sample, samples
from tests.pages.tapping import taps_needed
from tests.playing import random_game, tables_of
from tools.measure.bench.measuring import print_table

RANDOM = 5
MEAN, SHARE = 2.0, 0.9
LAID_BEFORE_PLAY = {
    "benevolent": {"forest", "pyramid"},
    "bethel_woods": {"char", "draw"},
    "bloody_grove": {"groves", "elite", "venerables", "draw", "look"},
    "broom_service": {"cloud", "tile"},
    "roundforest": {"tile", "chip", "fairy"},
}
SET_UP = {"benevolent": 12, "broom_service": 20, "roundforest": 60}
"""So many taps at most until play begins."""
Moment = tuple[Setting[Any], Any, Action]
"""Where an action was said, and the action."""


class Budget(NamedTuple):
    set_up: int
    """Taps until play begins, in the sample game."""
    mean: float
    """Of an action of play."""
    two: float
    """How often two are enough."""
    actions: int
    word_by_word: int
    """Actions that had to be put together so."""

    def kept(self, game: str) -> bool:
        return (
            self.set_up <= SET_UP.get(game, self.set_up) and self.mean <= MEAN and self.two >= SHARE
        )


def main() -> None:
    print_table(
        f"Taps with the one that logs (budget: {MEAN} on average, two enough for {SHARE:.0%})",
        ("game", "set-up", "mean", "two enough", "actions", "word by word", "budget"),
        map(_row, samples()),
    )


def _row(game: str) -> tuple[str, ...]:
    found = measure(game)
    kept = "kept" if found.kept(game) else "BROKEN"
    return (
        game,
        str(found.set_up),
        f"{found.mean:.2f}",
        f"{found.two:.1%}",
        str(found.actions),
        str(found.word_by_word),
        kept,
    )


def measure(game: str, random: int = RANDOM) -> Budget:
    engine = load_engine(game)
    recorded = [*_recorded(engine)]
    moments = [*recorded, *_random(engine, random)]
    taps, composed = _taps(engine, moments)
    laid = len([*takewhile(lambda moment: _is_set_up(engine, moment[2]), recorded)])
    in_play = [
        taken
        for place, (moment, taken) in enumerate(zip(moments, taps, strict=True))
        if place >= laid and not (place >= len(recorded) and _is_laid_out(engine, moment[2]))
    ]
    two = sum(each <= 2 for each in in_play) / len(in_play)
    return Budget(sum(taps[:laid]), sum(in_play) / len(in_play), two, len(in_play), composed)


def _is_set_up(engine: Engine[Any, Any], action: Action) -> bool:
    return action.verb in LAID_BEFORE_PLAY[engine.id]


def _is_laid_out(engine: Engine[Any, Any], action: Action) -> bool:
    """Laid before play and never in it."""
    return engine.id in SET_UP and _is_set_up(engine, action)


def _taps(engine: Engine[Any, Any], moments: list[Moment]) -> tuple[list[int], int]:
    """The taps of each action, and how many were put together word by word."""
    taps: list[int | None] = []
    listed: list[tuple[list[str], str]] = []
    composed = 0
    for setting, state, action in moments:
        line = engine.text(action)
        trays = dict(engine.options.trays(setting, state))
        if type(action) in trays:
            taps.append(trays[type(action)].size)
            continue
        options = engine.options(setting, state)
        lines = [engine.text(each) for each in options if type(each) not in trays]
        if line in lines:
            listed.append((lines, line))
            taps.append(None)
        else:
            composed += 1
            taps.append(len(line.split()) + 2)
    needed = iter(taps_needed(listed))
    return [next(needed) if each is None else each for each in taps], composed


def _recorded(engine: Engine[Any, Any]) -> Iterator[Moment]:
    for before, after in pairwise(sample(engine.id).steps):
        if after.action is not None:
            yield before.setting, before.state, after.action


def _random(engine: Engine[Any, Any], games: int) -> Iterator[Moment]:
    setups = sorted(tables_of(engine.id).SETUPS)
    for seed in range(games):
        played = random_game(engine, setups[seed % len(setups)], seed)
        for earlier, later in pairwise(played.judgements):
            yield played.setting, earlier.state, later.action


if __name__ == "__main__":
    main()
