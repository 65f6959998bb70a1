"""The budget of the table page: how many taps an action takes, with the one that logs it.

Counted over the sample game and five random games of each game, by people who have no phone: who
tells a secret holds the table first. What lies on a tray takes a tap for each thing, or a stroke
for those beside each other; what can neither be listed nor laid is put together word by word, and
each word counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise, takewhile
from typing import Any, NamedTuple

from engines.kernel import Action, Engine, Setting
from engines.kernel.registry import load_engine
from engines.kernel.rules.actions import Tray
from replays.gallery import sample, samples
from service.pages.table import by_whom
from tests.pages.tapping import strokes, taps_needed
from tests.playing import random_game, tables_of
from tools.measure.bench.measuring import print_table

RANDOM = 5
MEAN, SHARE = 1.6, 0.9
LAID_BEFORE_PLAY = {
    "benevolent": {"forest", "pyramid"},
    "bethel_woods": {"char", "draw"},
    "bloody_grove": {"groves", "elite", "venerables", "draw", "look"},
    "broom_service": {"cloud", "tile"},
    "roundforest": {"tile", "chip", "fairy"},
}
SET_UP = {
    "benevolent": 12,
    "bethel_woods": 10,
    "bloody_grove": 12,
    "broom_service": 20,
    "roundforest": 45,
}
"""So many taps at most until play begins."""
MOST_PAINTED = 12
"""So many things are drawn over the board (``static/trays.js``)."""
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
    composed, said_for_all = 0, 0
    for setting, state, action in moments:
        line = engine.text(action)
        trays = dict(engine.options.trays(setting, state))
        if type(action) in trays:
            taps.append(_laid(trays[type(action)], line.split()[1:]))
            continue
        options = engine.options(setting, state)
        lines = [engine.text(each) for each in options if type(each) not in trays]
        if said_for_all and line in lines:
            said_for_all -= 1
            taps.append(0)
        elif alike := _for_all(lines, line):
            said_for_all = alike - 1
            taps.append(1)
        elif line in lines:
            held = action.known_to("") != action
            listed.append((_open_to_whom(lines, line), line) if held else (lines, line))
            taps.append(-1 if held else None)
        else:
            composed += 1
            taps.append(len(line.split()) + 2)
    needed = iter(taps_needed(listed))
    counted = [next(needed) + (each is not None) if each in (None, -1) else each for each in taps]
    return _drawn(engine, moments, counted), composed


def _laid(tray: Tray, words: Sequence[str]) -> int:
    """The taps that lay a line; the last thing comes by itself where only one is left."""
    things = [word for word in words if word in tray.things]
    *before, last = things or words
    gone = {*before, *(other for word in before for other in tray.apart.get(word, ()))}
    forced = before and {*tray.things} - gone == {last}
    return tray.size - bool(forced)


def _for_all(lines: Sequence[str], line: str) -> int:
    """How many seats do this alike, where nobody can do anything else; one tap says it for all."""
    alike = len(lines) > 1 and len({each[1:] for each in lines}) == 1 and line in lines
    return len(lines) if alike and all(by_whom(each) for each in lines) else 0


def _open_to_whom(lines: Sequence[str], line: str) -> list[str]:
    """Whoever holds the table is offered what that seat may do."""
    return [each for each in lines if by_whom(each) == by_whom(line)]


def _drawn(engine: Engine[Any, Any], moments: Sequence[Moment], taps: Sequence[int]) -> list[int]:
    """Of things that one stroke lays only the first counts."""
    counted, start = list(taps), 0
    for _, run in groupby(moments, lambda moment: moment[2].verb):
        actions = [*run]
        setting, state, first = actions[0]
        tray = dict(engine.options.trays(setting, state)).get(type(first))
        lines = [engine.text(action) for _, _, action in actions]
        if tray is not None and _is_painted(tray):
            spots = engine.picture(state, setting, "en", None).anchors
            more = {line for stroke in strokes(lines, spots) for line in stroke[1:]}
            for place, line in enumerate(lines, start):
                counted[place] = 0 if line in more else counted[place]
        start += len(actions)
    return counted


def _is_painted(tray: Tray) -> bool:
    few = len(tray.things) <= MOST_PAINTED and len(tray.places) > 1
    return few and tray.size == 1 and not tray.turns


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
