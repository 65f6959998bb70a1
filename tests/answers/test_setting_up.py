"""A table that is asked its way through a set-up can be opened with whatever it chooses."""

from __future__ import annotations

import pytest

from answers.context import Caller, open_store_context
from answers.play.opening import NewAnswer, open_table
from answers.rulebooks.setup_questions import SetupQuestion, asked_of, opening_of
from engines.kernel.registry import engine_ids, load_engine

TABLES = [
    (game, players)
    for game in engine_ids()
    for players in range(load_engine(game).seats[0], load_engine(game).seats[1] + 1)
]


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_the_usual_choices_open_a_table(game: str, players: int) -> None:
    engine = load_engine(game)
    chosen = {one: one.usual or "" for one in asked_of(engine, players)}
    line = opening_of(engine, players, chosen)
    opened = open_table(Caller(open_store_context("memory:")), game, line)
    assert isinstance(opened.data, NewAnswer), line


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_every_single_choice_makes_a_line_that_can_be_read(game: str, players: int) -> None:
    engine = load_engine(game)
    asked = list(asked_of(engine, players))
    assert any(one.about == "first" for one in asked)
    usual = {one: one.usual or "" for one in asked}
    for one in asked:
        for value in (*one.choices, *(() if one.usual else ("",))):
            swapped = dict(_without_doubles({**usual, one: value}, one))
            assert engine.read("table " + opening_of(engine, players, swapped))


def _without_doubles(
    chosen: dict[SetupQuestion, str], last: SetupQuestion
) -> list[tuple[SetupQuestion, str]]:
    """Whoever has what another one takes gets what that one had."""
    return [
        (one, last.usual or "")
        if one.seat and last.seat and one is not last and value == chosen[last]
        else (one, value)
        for one, value in chosen.items()
    ]
