"""Judges recorded games in the tree of one version, as it is asked, line by line.

A program of its own, so that two versions can take turns: ``python judging.py TREE``. It knows
nothing but what version 0.1.0 had too.
"""

import json
import sys
from collections.abc import Iterable
from time import process_time
from typing import Any

sys.path[0] = sys.argv[1]

from engines.kernel.registry import load_engine  # noqa: E402  of that tree
from tests.playing import random_game, tables_of  # noqa: E402

GAMES = 6
"""Recorded games per engine."""


def recorded(game: str) -> Any:
    """Random games as data, as any version can read them."""
    engine = load_engine(game)
    setups = list(tables_of(game).SETUPS)
    games = [random_game(engine, setups[n % len(setups)], n) for n in range(GAMES)]
    return [
        {
            "opening": played.opening.model_dump(mode="json"),
            "actions": [action.model_dump(mode="json") for action in played.actions],
            "lines": [engine.text(action) for action in played.actions],
        }
        for played in games
    ]


class Games:
    """The games of one engine, read and ready to be judged."""

    def __init__(self, game: str, told: Any) -> None:
        self.engine = load_engine(game)
        self.openings: list[Any] = [self.engine.text.load(each["opening"]) for each in told]
        self.settings = [self.engine.setting(opening) for opening in self.openings]
        self.actions = [[self.engine.text.load(data) for data in each["actions"]] for each in told]
        self.lines = [each["lines"] for each in told]
        self.states = self.replayed(self.actions)

    def replayed(self, said: Iterable[Iterable[Any]]) -> list[list[Any]]:
        """The states of each game; it ends where an action is refused."""
        found = []
        for opening, setting, actions in zip(self.openings, self.settings, said, strict=True):
            judged = self.engine.open(setting, opening)
            states = [judged.state]
            for number, action in enumerate(actions, start=1):
                judged = self.engine.judge(setting, judged.state, action, number)
                if not judged.accepted:
                    break
                states.append(judged.state)
            found.append(states)
        return found

    def cut(self, lengths: list[int]) -> None:
        """Only so much of each game, so that all versions judge the same."""
        pairs = list(zip(lengths, self.actions, self.lines, self.states, strict=True))
        self.actions = [actions[:length] for length, actions, _, _ in pairs]
        self.lines = [lines[:length] for length, _, lines, _ in pairs]
        self.states = [states[: length + 1] for length, _, _, states in pairs]

    def replay(self) -> None:
        self.replayed(self.actions)

    def read(self) -> None:
        """As if nobody had read such a line before."""
        self.engine.notation.__dict__.pop("_lately", None)
        self.replayed(map(self.engine.read, lines) for lines in self.lines)

    def options(self, apart: int) -> None:
        for setting, states in zip(self.settings, self.states, strict=True):
            for state in states[::apart]:
                self.engine.options(setting, state)


def main() -> None:
    games: dict[str, Games] = {}
    for line in sys.stdin:
        asked, game, *more = json.loads(line)
        if asked == "recorded":
            told = recorded(game)
        elif asked == "load":
            games[game] = Games(game, *more)
            told = [len(states) - 1 for states in games[game].states]
        elif asked == "cut":
            told = games[game].cut(*more)  # type: ignore[func-returns-value]
        else:
            begun = process_time()
            getattr(games[game], asked)(*more)
            told = process_time() - begun
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
