"""What may be typed next, at every word of recorded random games."""

from __future__ import annotations

import re

import pytest

from engines.kernel.registry import load_engine
from tests.playing import playable_games, random_game, tables_of

GAMES = playable_games()
BLANK = re.compile(r"[A-Z][A-Z_/]+|.*[…{}].*")
"""How a usage shows what is to be filled in."""


@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_the_set_up_is_offered_and_no_blank_is(game: str) -> None:
    engine, tables = load_engine(game), tables_of(game)
    for setup in list(tables.SETUPS)[:2]:
        played = random_game(engine, setup, 1)
        moments = zip(played.judgements, played.actions, strict=False)
        for before, action in [*moments][:60]:
            words = engine.text(action).split()[action.by is not None :]
            for index, word in enumerate(words):
                prefix = " ".join(words[:index])
                offered = engine.options.choices(played.setting, before.state, prefix)
                assert not [choice for choice in offered if BLANK.fullmatch(choice.word)]
                if not action.enumerable and "/" not in word:
                    assert word in [choice.word for choice in offered], (prefix, word)


@pytest.mark.parametrize("game", GAMES)
def test_a_french_verb_is_followed_by_the_same_words(game: str) -> None:
    engine, tables = load_engine(game), tables_of(game)
    played = random_game(engine, next(iter(tables.SETUPS)), 1)
    before, state = played.judgements[0], played.judgements[0].state
    for _, action_type in engine.options.unlisted(played.setting, state):
        for verb in action_type.french:
            english = engine.options.choices(played.setting, before.state, action_type.verb_of())
            assert engine.options.choices(played.setting, before.state, verb) == english
