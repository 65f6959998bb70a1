"""Positions as somebody might declare them by mistake: refused with a reason, or a table.

``REFEREE_PLAYOUTS`` tries more of them.
"""

from __future__ import annotations

import json
import os
import random
import re
from contextlib import suppress
from typing import Any

import pytest

from engines.kernel import Action, Engine, Judgement, ParseError
from engines.kernel.registry import load_engine
from tests.deep import few_or_many
from tests.playing import Game, bent, pick, playable_games, random_game, tables_of

MOMENTS = 3 * int(os.environ.get("REFEREE_PLAYOUTS", "2"))
SLIPS_PER_MOMENT = 20
ACTIONS = 6

GAMES = [game for game in playable_games() if load_engine(game).position is not None]


def slipped(data: Any, other: Any, rng: random.Random) -> Any:
    """A part of a position bent, gone, or as it was at another moment."""
    if not isinstance(data, dict) or not data:
        return rng.choice((bent(data, rng), other))
    key = rng.choice(sorted(data))
    if isinstance(data[key], dict) and data[key] and rng.random() < 0.7:
        before = other.get(key, {}) if isinstance(other, dict) else {}
        return {**data, key: slipped(data[key], before, rng)}
    way = rng.random()
    if way < 0.15:
        return {name: value for name, value in data.items() if name != key}
    if way < 0.45 and isinstance(other, dict) and key in other:
        return {**data, key: other[key]}
    return {**data, key: bent(data[key], rng)}


def declared(game: Game, data: dict[str, Any], *, lenient: bool = False) -> Judgement[Any] | None:
    """A position declared at a fresh table of the game; none if it cannot be read."""
    engine = game.engine
    assert engine.position is not None
    try:
        position: Action = engine.text.load({**data, "verb": engine.position.verb_of()})
        fresh = engine.open(game.setting, game.opening).state
        return engine.judge(game.setting, fresh, position, 1, lenient=lenient)
    except ParseError:
        return None


def check_table(game: Game, engine: Engine[Any, Any], state: Any, rng: random.Random) -> None:
    """Everything is somewhere, it can be shown and declared again, and play goes on from it."""
    assert not dict(state.offsets), "what no table can show is accepted"
    assert engine.position_of is not None
    again = declared(game, engine.positions.data_of(game.setting, state))
    assert again is not None
    assert again.accepted, again.verdict.breaches
    assert engine.options(game.setting, again.state) == engine.options(game.setting, state)
    for lang in ("en", "fr"):
        assert engine.describe(state, game.setting, lang)
    for number in range(ACTIONS):
        if state.over:
            assert engine.result(state) is not None
            return
        options = engine.options(game.setting, state)
        if not options:
            assert engine.options.templates(game.setting, state), (
                f"nobody can go on: {state.agenda.duties}"
            )
            return
        action = pick(options, rng)
        heard = engine.judge(game.setting, state, action, 2 + number)
        assert heard.accepted, (engine.text(action), heard.verdict.breaches)
        state = heard.state
        assert dict(engine.balance(state, game.setting)) == dict(state.offsets)


@pytest.mark.parametrize(
    ("name", "setup"),
    [(game, setup) for game in GAMES for setup in list(tables_of(game).SETUPS)[:3]],
)
@pytest.mark.parametrize("count", few_or_many(2, MOMENTS))
def test_a_slip_in_a_position_is_refused_or_leads_to_a_table(
    name: str, setup: str, count: int
) -> None:
    engine = load_engine(name)
    game = random_game(engine, setup, 0)
    rng = random.Random(f"{name} {setup} slips")
    moments = [j.state for j in game.judgements if not j.state.over]
    refused = 0
    for _ in range(count):
        data, other = (
            engine.positions.data_of(game.setting, state) for state in rng.choices(moments, k=2)
        )
        for _ in range(SLIPS_PER_MOMENT):
            wrong = slipped(data, other, rng)
            heard = declared(game, wrong)
            declared(game, wrong, lenient=True)
            if heard is None or not heard.accepted:
                refused += 1
                continue
            try:
                check_table(game, engine, heard.state, rng)
            except Exception as error:
                changes = engine.positions.changes_to(game.setting, heard.state, data)
                raise AssertionError(f"{wrong}, which differs by {changes}") from error
    assert refused


def spellings(name: str) -> set[str]:
    """A name once more, as it is, with or without noughts, and from its other end."""
    bare = re.sub(r"(?<!\d)0+(?=\d)", "", name)
    return {name, bare, re.sub(r"(\d+)", r"0\1", bare), "/".join(name.split("/")[::-1])}


NAMED_OTHERWISE = {
    "bethel_woods": {"machines"},
    "broom_service": {"clouds"},
    "roundforest": {"gaps"},
}
"""What can be named in several ways."""


@pytest.mark.parametrize("name", GAMES)
def test_whatever_a_position_names_it_names_once(name: str) -> None:
    """Wherever another spelling alone says the same, both at once are refused."""
    engine = load_engine(name)
    game = random_game(engine, [*tables_of(name).SETUPS][-1], 0)
    fresh = engine.open(game.setting, game.opening).state

    def judged(said: dict[str, Any], field: str, thing: str, *names: str) -> Any:
        pairs = [(each, said[field][thing]) for each in names]
        pairs += [(each, told) for each, told in said[field].items() if each != thing]
        named = ",".join(f"{json.dumps(each)}:{json.dumps(told)}" for each, told in pairs)
        others = json.dumps({each: told for each, told in said.items() if each != field})
        position = engine.read(f'position {others[:-1]},"{field}":{{{named}}}}}')
        return engine.judge(game.setting, fresh, position, 1, lenient=True).state

    otherwise, often = set[str](), max(1, len(game.judgements) // 4)
    for step in game.judgements[::often]:
        said = engine.positions.data_of(game.setting, step.state)
        mappings = {field: told for field, told in said.items() if isinstance(told, dict)}
        for field, thing in ((field, thing) for field, told in mappings.items() for thing in told):
            as_it_is = judged(said, field, thing, thing)
            for other in spellings(thing):
                with suppress(ParseError):
                    if judged(said, field, thing, other) == as_it_is:
                        with pytest.raises(ParseError, match="named_twice"):
                            judged(said, field, thing, thing, other)
                        otherwise |= {field} if other != thing else set()
    assert otherwise == NAMED_OTHERWISE.get(name, set())
