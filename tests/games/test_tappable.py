"""Whatever a legal line names and the table shows can be tapped: it carries the line's word."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from engines.kernel import Action, Engine
from engines.kernel.registry import load_engine
from tests.playing import Game, open_game, play_on, playable_games, tables_of

PLACELESS = {
    "benevolent": {
        r"\w+ (to|from)": "joins two words",
        r"\w+ (none|waive)": "nothing is moved, or taken",
        r"gather (take|put)": "what is done with the hoard",
        r"again (sleep|swap)": "what is done again",
    },
    "bethel_woods": {
        r"\w+ (to|pay|swap|give|remove|plus)": "joins two words",
        r"take c?cw": "a direction",
        r"draw .*": "chance: it lies unseen in the supply",
        r"crit [a-z]+": "chance: the tile lay face down",
        r"spy .*": "chance: the card lay face down",
    },
    "bloody_grove": {
        r"\w+ (to|any)": "joins two words, or says that anything will do",
        r"(invoke|bottom|transform) .*": "it comes from a hand or a deck that is hidden",
        r"recruit (under|top)": "which end of the deck",
        r"(elite|venerables) .*": "chance: the card lay face down",
        r"reveal (\d|destroy)": "chance: the face of a token",
        r"(draw|stow|first) .*": "a number, or who begins",
    },
    "broom_service": {
        r"\w+ by": "joins two words",
        r"\w\w (brave|coward)": "how a role is played",
        r"event .*": "chance: the card lay face down",
        r"cursed .*": "chance: the card lay face down",
        r"hand \d": "a number",
        r"(fist|set) none": "nothing is taken",
        r"lay .*": "it comes from a hand that is hidden",
    },
    "roundforest": {
        r"\w+ (for|to)": "joins two words",
        r"(draw|meet|chip) .*": "chance: it lies unseen in a bag or a deck",
        r"(goblin|beggar) .*": "it may lie in the bag or the deck, which is searched",
        r"(barter|keep) coin": "whether the coin is taken at once",
        r"well (objects|nothing)": "what is wished for",
    },
}
"""Words of a legal line that lie nowhere on the table, by verb, and why."""

_WORD = re.compile(r'data-word="([^"]*)"')


def moments(game: str, every: int) -> Iterator[tuple[Game, list[Action]]]:
    engine, tables = load_engine(game), tables_of(game)
    for setup in tables.SETUPS:
        rng = random.Random(f"{game} {setup} tapped")
        played = open_game(engine, tables.SETUPS[setup](rng))
        for number, options in enumerate(play_on(played, rng, 140)):
            if number % every == 0:
                yield played, options


def words_drawn(game: Game) -> set[str]:
    """The words are the notation's, whatever language the picture speaks."""
    return set(_WORD.findall(game.engine.picture(game.state, game.setting, "fr", None).body))


def words_named(engine: Engine[Any, Any], action: Action) -> Iterator[tuple[str, str]]:
    """The words of an action behind its seat and verb, each with what it is preceded by."""
    words = engine.text(action).split()
    if words[0] == action.by:
        words = words[1:]
    return ((words[0], word) for word in words[1:])


@pytest.mark.parametrize("game", [game for game in playable_games() if game in PLACELESS])
def test_what_a_legal_line_names_can_be_tapped(game: str) -> None:
    placeless = re.compile("|".join(PLACELESS[game]))
    for played, options in moments(game, every=4):
        drawn = words_drawn(played)
        named = {pair for option in options for pair in words_named(played.engine, option)}
        hidden = {
            f"{verb} {word}"
            for verb, word in named
            if word not in drawn and not placeless.fullmatch(f"{verb} {word}")
        }
        assert not hidden


@pytest.mark.parametrize("game", sorted(PLACELESS))
def test_a_part_of_a_picture_carries_one_word(game: str) -> None:
    for played, _ in moments(game, every=25):
        assert all(re.fullmatch(r"\S+", word) for word in words_drawn(played))


def test_every_game_of_ours_is_tapped() -> None:
    assert sorted(PLACELESS) == [game for game in playable_games() if game != "pebbles"]


@pytest.mark.parametrize("game", [game for game in playable_games() if game in PLACELESS])
def test_whatever_is_drawn_can_be_asked_about(game: str) -> None:
    """A thing says what it is for, or whose it is; of a legal line it says that it takes part."""
    for played, options in moments(game, every=20):
        engine, setting, state = played.engine, played.setting, played.state
        uses = {word: engine.options.uses(setting, state, word) for word in words_drawn(played)}
        mute = {
            word for word, found in uses.items() if not found and f"term.{word}" not in engine.words
        }
        assert mute <= {*setting.seats}
        for option in options:
            named = {word for _, word in words_named(engine, option)} & uses.keys()
            amounts = {str(getattr(option, field)) for field in option.amounts}
            kept = {
                word
                for word in named - amounts - {*setting.seats}
                if type(option) not in uses[word]
            }
            assert not kept or option.bare, (engine.text(option), kept)
            assert f"verb.{option.verb_of()}" in engine.words or option.bare
