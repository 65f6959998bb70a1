"""After whatever has happened at a table, play can go on; and what is cited says something."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from engines.kernel import Judgement, ParseError
from engines.kernel.dialogue.clause_text import because, sentence_for
from engines.kernel.messages.catalogue import blanks
from engines.kernel.registry import load_engine
from tests.playing import Game, Strays, open_game, pick, playable_games, random_game, tables_of

ACTIONS = 60
"""How many actions a wild game has."""


def wild_game(game: str, seed: int) -> Iterator[tuple[Game, Judgement[Any]]]:
    """A game in which every third action is a stray that stands, with what was said of each."""
    engine, tables = load_engine(game), tables_of(game)
    rng = random.Random(f"stands {game} {seed}")
    setups = list(tables.SETUPS)
    setup = setups[seed % len(setups)]
    strays = Strays(engine, random_game(engine, setup, seed).actions)
    played = open_game(engine, tables.SETUPS[setup](rng))
    while not played.state.over and len(played.judgements) < ACTIONS:
        options = engine.options(played.setting, played.state)
        if rng.random() < 0.3:
            action = strays.draw(rng)
            if type(action) is engine.position:
                continue
            try:
                yield played, played.hear(action, lenient=True)
            except ParseError:
                continue
        elif options:
            yield played, played.hear(pick(options, rng))
        else:
            return


def lines(game: Game) -> list[str]:
    return [game.engine.text(action) for action in game.actions]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", playable_games())
def test_play_goes_on_after_whatever_stands(game: str, seed: int) -> None:
    for played, _ in wild_game(game, seed):
        engine, state = played.engine, played.state
        goes_on = engine.options(played.setting, state) or engine.unlisted(state)
        assert state.over or goes_on, lines(played)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("game", playable_games())
def test_the_reason_of_a_refusal_never_says_none(game: str, seed: int) -> None:
    """A sentence whose facts are empty gives no reason: another one must be there for it."""
    for played, heard in wild_game(game, seed):
        engine = played.engine
        for point in heard.verdict.breaches:
            sentences = engine.clauses[point.clause].because
            if not sentences:
                continue
            chosen = sentence_for(sentences, point.facts)
            assert chosen is not None, (point, lines(played))
            unquoted = blanks(re.sub("“.*?”", "", chosen.en))  # a word as it was typed
            empty = {name for name in unquoted if point.facts[name] in EMPTY}
            assert not empty, (point, because(engine, point, "en"))


EMPTY: tuple[Any, ...] = (None, "", "none", (), [], {})
