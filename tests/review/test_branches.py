"""A new game that begins as another did, at any of its moments."""

from __future__ import annotations

import pytest

from answers.context import Caller, StoreContext
from answers.play.branches import branch
from answers.review.scores import scores
from referee.errors import NotFound
from referee.proof.verify import verify
from tests.exports.tables import eventful, quiet_bench
from tests.playing import playable_games
from tests.review.test_statistics import finished


@pytest.mark.parametrize("name", playable_games())
def test_a_branch_begins_with_the_same_line_and_state_and_proves_itself(name: str) -> None:
    bench = quiet_bench()
    game = eventful(bench, name)
    caller = Caller(StoreContext(bench.store, bench))
    numbers = game.numbers()
    for number in (0, numbers[len(numbers) // 2], numbers[-1]):
        made = bench.game(branch(caller, game.id, number).data.game)
        place = [step.number for step in game.steps].index(number)
        if number == numbers[-1]:
            place = len(game.steps) - 1
        kept = [step for step in game.steps[: place + 1] if step.item.reading is None]
        assert [step.action for step in made.steps[1:]] == [step.action for step in kept[1:]]
        assert made.setting.readings == kept[-1].setting.readings
        told = [
            at.engine.describe(step.state, step.setting, "en")
            for at, step in ((made, made.steps[-1]), (game, kept[-1]))
        ]
        assert told[0] == told[1]  # in words: a state knows its own numbers
        assert dict(made.seats) == dict(game.seats)
        assert verify(made.id, list(bench.store.read(made.id))).ok


def test_a_branch_is_made_once_for_one_key_and_never_by_halves() -> None:
    bench = quiet_bench()
    game = eventful(bench, "pebbles")
    caller = Caller(StoreContext(bench.store, bench))
    number = game.numbers()[-1]
    first = branch(caller, game.id, number, key="once").data.game
    assert branch(caller, game.id, number, key="once").data.game == first
    before = bench.store.streams("game-")
    with pytest.raises(NotFound, match="no_such_action"):
        branch(caller, game.id, 999)
    assert bench.store.streams("game-") == before


def test_the_last_points_are_those_of_the_result() -> None:
    bench = quiet_bench()
    caller = Caller(StoreContext(bench.store, bench))
    game = finished(bench, "broom_service", {})
    rows = scores(caller, game.id).data.scores
    result = game.engine.result(game.state)
    assert result is not None
    assert rows[0].number == 0
    assert rows[-1].points == dict(result.scores)
    assert [row.number for row in rows] == sorted({row.number for row in rows})
    assert {row.round for row in rows} >= {1, 2, 3}
