"""Prints a random game or two of each game in full; every process must print the same."""

from __future__ import annotations

import json
import sys

from engines.kernel import LANGUAGES, to_plain
from engines.kernel.registry import load_engine
from tests.playing import random_game, tables_of

END = "\f"
"""What stands after each game."""


def main(*games: str) -> None:
    for game in games:
        print_games(game)
        print(END)


def print_games(game: str) -> None:
    engine = load_engine(game)
    setups = list(tables_of(game).SETUPS)
    for setup in (setups[0], setups[-1]):
        played = random_game(engine, setup, seed=0)
        for judgement in played.judgements:
            print(engine.text(judgement.action))
            print(json.dumps(to_plain(judgement.verdict.consulted)))
            print(json.dumps(engine.plain(judgement.state)))
        for lang in LANGUAGES:
            print(*engine.describe(played.state, played.setting, lang), sep="\n")
            print(engine.picture(played.state, played.setting, lang, None).body)


if __name__ == "__main__":
    main(*sys.argv[1:])
