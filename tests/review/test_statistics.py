"""What many games say together is what each of them says."""

from __future__ import annotations

import pytest

from answers.context import Caller, StoreContext
from answers.review.stats import Selection, chart, page, statistics
from referee.judging.disputes import dispute
from referee.judging.rulings import Decision, issue
from referee.record.game import Game
from referee.table.author import JUDGE, SCRIBE, Author
from referee.table.bench import Bench
from referee.table.lifecycle import close
from referee.table.openings import open_game
from referee.table.play import log
from replays.gallery import sample
from tests.exports.tables import HOSTILE, quiet_bench, recorded


def finished(bench: Bench, name: str, people: dict[str, str]) -> Game:
    """The sample game, played again by these people."""
    steps = sample(name).steps
    opening = steps[0].action
    game = open_game(bench, name, opening, seats=people).game  # type: ignore[arg-type]
    for step in steps[1:]:
        assert step.action is not None
        log(bench, game.id, step.action)
    return close(bench, game.id, author=SCRIBE).game


@pytest.fixture(scope="module")
def caller() -> Caller:
    """Two games of one kind that ended, one that goes on with a dispute and an appeal."""
    bench = quiet_bench()
    store_context = StoreContext(bench.store, bench)
    ana, bo = (store_context.people.add(name) for name in ("Ana", HOSTILE[:28]))
    finished(bench, "broom_service", {"A": ana, "B": bo})
    finished(bench, "benevolent", {"A": ana, "B": bo})
    game = recorded(bench, "benevolent", limit=9)
    dispute(bench, game.id, 5, clause="BEN-MOVE-2", seat="A", text="no")
    decided = Decision("so it is", dispute="d1", clauses=("BEN-MOVE-2",))
    issue(bench, game.id, decided, author=JUDGE)
    issue(bench, game.id, Decision("it is not", dispute="d1", overturns="r1"), author=JUDGE)
    return Caller(store_context, JUDGE)


def test_results_are_those_of_games_that_prove_them(caller: Caller) -> None:
    told = statistics(caller).data
    assert (told.games, told.proven) == (3, 2)
    seats = {(one.engine, one.name): one for one in told.results if one.by == "seat"}
    assert seats["broom_service", "B"].won == 1
    assert seats["broom_service", "B"].score == 77
    assert seats["broom_service", "A"].place == 2
    assert seats["benevolent", "A"].won == 1
    assert seats["benevolent", "A"].score is None


def test_a_clause_is_counted_wherever_something_happened_to_it(caller: Caller) -> None:
    told = {one.clause: one for one in statistics(caller).data.clauses}
    one = told["BEN-MOVE-2"]
    assert (one.disputed, one.overruled) == (1, 1)
    assert one.ruled >= 1
    assert one.consulted > one.disputed
    assert told["BRM-FOL-2"].undecided > 0


def test_openings_are_the_first_decisions(caller: Caller) -> None:
    openings = [one for one in statistics(caller).data.results if one.by == "opening"]
    assert {one.engine: one.name for one in openings}["benevolent"].startswith("step ")


def test_lengths_are_of_games_that_are_over(caller: Caller) -> None:
    lengths = {one.engine: one for one in statistics(caller).data.lengths}
    played = lengths["broom_service"]
    assert played.games == 1
    assert played.actions is not None
    assert played.actions.median == len(sample("broom_service").steps) - 1
    assert played.actions_in_turn is not None
    assert played.actions_in_turn.least >= 1


def test_names_are_shown_only_where_they_are_asked_for(caller: Caller) -> None:
    def players(names: bool) -> set[str]:
        told = statistics(caller, names=names).data
        return {one.name for one in told.results if one.by == "player"}

    assert "Ana" in players(True)
    assert "Ana" not in players(False)


@pytest.mark.parametrize(
    ("selection", "games"),
    [
        (Selection(engine="benevolent"), 2),
        (Selection(player="Ana"), 2),
        (Selection(tournament="nowhere"), 0),
        (Selection(since="2026-01-01"), 3),
        (Selection(since="2026-01-02"), 0),
        (Selection(until="2026"), 3),
        (Selection(until="2025-12-31"), 0),
    ],
)
def test_a_selection_is_any_part_of_the_archive(
    caller: Caller, selection: Selection, games: int
) -> None:
    assert statistics(caller, selection).data.games == games


def test_whoever_does_not_see_everything_is_told_of_closed_games(caller: Caller) -> None:
    seated = Caller(caller.store_context, Author(role="seat:A"))
    assert statistics(seated).data.games == 2


def test_bars_and_page_say_the_same_and_run_nothing(caller: Caller) -> None:
    drawn, shown = chart(caller, names=True), page(caller, names=True)
    assert "BEN-MOVE-2" in drawn
    assert drawn in shown
    for text in (drawn, shown):
        assert "<script" not in text
        assert "<img" not in text
