"""How far a game is said to be: in play, played out, finished; on every list the same."""

from __future__ import annotations

import pytest

from answers.context import Caller, StoreContext
from answers.play.info import games, progress_of
from answers.review.players import player
from referee.table.author import JUDGE, SCRIBE, By
from referee.table.corrections import redo, undo
from referee.table.lifecycle import close, reopen
from referee.table.openings import open_game
from referee.table.play import log
from replays.gallery import sample, samples
from tests.exports.tables import quiet_bench


def listed(caller: Caller, person: str) -> str:
    (row,) = games(caller).data.games
    (of_player,) = player(caller, person).data.games
    assert row.over == of_player.over
    return progress_of(row.closed, row.over)


@pytest.mark.parametrize("name", samples())
def test_a_game_is_in_play_until_it_is_over_and_then_until_it_is_finished(name: str) -> None:
    bench = quiet_bench()
    first, *steps = sample(name).steps
    caller = Caller(StoreContext(bench.store, bench), JUDGE)
    ana = caller.store_context.people.add("Ana")
    game = open_game(bench, name, first.action, seats={"A": ana}).game  # type: ignore[arg-type]
    for step in steps[:-1]:
        assert step.action is not None
        log(bench, game.id, step.action)
    assert listed(caller, ana) == "open"
    assert steps[-1].action is not None
    log(bench, game.id, steps[-1].action)
    assert listed(caller, ana) == "over"
    undo(bench, game.id, by=By(SCRIBE))
    assert listed(caller, ana) == "open"
    redo(bench, game.id, by=By(SCRIBE))
    close(bench, game.id, by=By(SCRIBE))
    assert listed(caller, ana) == "closed"
    reopen(bench, game.id, reason="on", by=By(JUDGE))
    assert listed(caller, ana) == "over"
