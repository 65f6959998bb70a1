"""A table sits in a circle: everybody one place further, and every answer is the same, moved on.

Nothing in a rulebook knows seat A. A rule that looks at the first player, the last one or "the
other one" where it means the next, the one who began or all others gives itself away here.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any, TypeVar
from unittest import mock

import pytest

from engines.kernel import Action, ParseError
from engines.kernel.registry import load_engine
from tests.playing import Game, open_game, playable_games, random_game, tables_of

A = TypeVar("A", bound=Action)
ACTIONS = 60
SEAT = "^[A-H]"
TABLES = [
    (game, setup)
    for game in playable_games()
    for setup in tables_of(game).SETUPS
    if "crowded" not in setup
]
"""Without those that begin with a position: it names seats in all depths."""


def _moved(data: Any, turn: dict[str, str]) -> Any:
    """The same, with every seat replaced by the next one; who is named together stays in order."""
    if isinstance(data, str):
        return turn.get(data, data)
    if isinstance(data, dict):
        return dict(sorted((_moved(key, turn), value) for key, value in data.items()))
    return sorted(_moved(seat, turn) for seat in data)


@cache
def _seats_in(kind: type[Action]) -> frozenset[str]:
    """The fields that name seats: a worker or a circle may bear the same letter."""
    fields = kind.model_json_schema()["properties"]
    return frozenset(name for name, field in fields.items() if SEAT in json.dumps(field))


def _turned(action: A, turn: dict[str, str]) -> A:
    data = action.model_dump(mode="json")
    moved = {name: _moved(data[name], turn) for name in _seats_in(type(action)) if data[name]}
    return type(action).model_validate(data | moved)


def _said(game: Game, turn: dict[str, str]) -> set[str]:
    options = game.engine.options(game.setting, game.state)
    return {game.engine.text(_turned(option, turn)) for option in options}


@pytest.mark.parametrize(("name", "setup"), TABLES)
def test_everybody_one_place_further_is_the_same_game(name: str, setup: str) -> None:
    engine = load_engine(name)
    with mock.patch.object(tables_of(name), "LINES_LIMIT", ACTIONS):
        played = random_game(engine, setup, 11)
    seats = played.opening.seats
    turn = dict(zip(seats, (*seats[1:], seats[0]), strict=True))
    opening = _turned(played.opening, turn)
    there = open_game(engine, [engine.text(played.opening)])
    here = open_game(engine, [engine.text(opening)])
    past: list[Action] = []
    for action in played.actions:
        assert _said(here, {}) == _said(there, turn), engine.text(action)
        for tried in (*past[-3:], action):
            expected = _asked(there, tried)
            assert _asked(here, _turned(tried, turn)) == expected, engine.text(tried)
        there.hear(action)
        here.hear(_turned(action, turn))
        past.append(action)
    assert here.state.over == there.state.over
    assert _said(here, {}) == _said(there, turn)


def _asked(game: Game, action: Action) -> list[object]:
    """What an action would be answered, with every clause that was consulted for it."""
    number = len(game.judgements)
    try:
        verdict = game.engine.judge(game.setting, game.state, action, number).verdict
    except ParseError as error:
        return [error.key]
    return [
        verdict.outcome,
        [point.clause for point in verdict.breaches],
        [point.clause for point in verdict.claims],
        sorted({(clause, holds) for clause, holds, *_ in verdict.asked}),
    ]
