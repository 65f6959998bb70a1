"""What nobody ends aloud ends in silence, in every game: the same table, one line less."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from engines.kernel import Action, Engine
from engines.kernel.registry import engine_ids, load_engine
from tests.playing import Game, playable_games, random_game, tables_of

GAMES = [game for game in playable_games() if load_engine(game).rules.unsaid is not None]


@cache
def played_with_ends(game: str, seed: int) -> Game:
    """A random game in which somebody says an end, at the first table where that happens."""
    engine = load_engine(game)
    assert engine.rules.unsaid is not None
    for setup in tables_of(game).SETUPS:
        played = random_game(engine, setup, seed)
        if any(type(action) is engine.rules.unsaid.end for action in played.actions):
            return played
    raise AssertionError(f"nobody ever ends anything in {game}")


def needed(engine: Engine[Any, Any], game: Game, index: int) -> bool:
    """Whether an end must be said: what comes next belongs to whoever ends, or nothing comes."""
    following = game.judgements[index + 1 :]
    if not following:
        return True
    before, action = game.judgements[index - 1].state, following[0].action
    heard = engine.judge(game.setting, before, action, index + 1)
    return not heard.accepted


def without_ends(game: Game) -> list[tuple[int, Action]]:
    """The numbered actions of a game, without the ends that the next line makes known."""
    engine, unsaid = game.engine, game.engine.rules.unsaid
    assert unsaid is not None
    return [
        (index, judgement.action)
        for index, judgement in enumerate(game.judgements[1:], start=1)
        if type(judgement.action) is not unsaid.end or needed(engine, game, index)
    ]


def test_every_game_of_this_house_has_something_that_nobody_ends_aloud() -> None:
    assert sorted(GAMES) == sorted(set(engine_ids()) - {"pebbles"})


@pytest.mark.parametrize("game", GAMES)
def test_what_lets_it_pass_is_the_default_and_was_not_before(game: str) -> None:
    engine = load_engine(game)
    unsaid = engine.rules.unsaid
    assert unsaid is not None
    reading = engine.readings[unsaid.reading]
    assert reading.default == unsaid.value
    assert engine.clauses[unsaid.clause].kind == "effect"
    assert unsaid.clause in reading.clauses
    if reading.since:
        assert reading.under("1.1") != unsaid.value


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_a_game_without_its_ends_is_the_same_game(game: str, seed: int) -> None:
    played = played_with_ends(game, seed)
    engine, unsaid = played.engine, played.engine.rules.unsaid
    assert unsaid is not None
    kept = without_ends(played)
    assert len(kept) < len(played.actions)
    state, told = played.judgements[0].state, 0
    for index, action in kept:
        heard = engine.judge(played.setting, state, action, index)
        assert heard.accepted, (engine.text(action), heard.verdict.breaches)
        state = heard.state
        told += sum(point.clause == unsaid.clause for point in heard.verdict.effects)
        assert engine.options(played.setting, state) == engine.options(
            played.setting, played.judgements[index].state
        )
    assert told == len(played.actions) - len(kept)
    assert engine.position_of is not None
    said, silent = (engine.position_of(s, played.setting) for s in (played.state, state))
    assert said == silent


@pytest.mark.parametrize("game", GAMES)
def test_a_table_may_wait_for_the_spoken_end(game: str) -> None:
    """Under another reading silence leads nowhere."""
    engine = load_engine(game)
    unsaid = engine.rules.unsaid
    assert unsaid is not None
    played = played_with_ends(game, 0)
    *_, aloud = engine.readings[unsaid.reading].values
    setting = engine.setting(
        played.opening.model_copy(
            update={"readings": {**played.opening.readings, unsaid.reading: aloud}}
        )
    )
    assert all(not engine.judge.unsaid(setting, judgement.state) for judgement in played.judgements)
    assert any(
        engine.judge.unsaid(played.setting, judgement.state) for judgement in played.judgements
    )
