"""What many games say together is what each of them says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from answers.context import Caller, StoreContext, open_store_context
from answers.review import stats
from answers.review.stats import Selection, chart, page, statistics, wilson
from engines.kernel.registry import load_engine
from referee.archive.stats import GameFacts, open_stats
from referee.judging.disputes import dispute
from referee.judging.rulings import Decision, issue
from referee.record.game import Game
from referee.table.author import JUDGE, SCRIBE, Author, By
from referee.table.bench import Bench
from referee.table.lifecycle import close, reopen
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
    return close(bench, game.id, by=By(SCRIBE)).game


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
    issue(bench, game.id, decided, by=By(JUDGE))
    issue(bench, game.id, Decision("it is not", dispute="d1", overturns="r1"), by=By(JUDGE))
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


# kept up to date


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that are worked out, as they are."""
    done: list[str] = []
    count = stats._of_game

    def counted(caller: Caller, game_id: str) -> GameFacts:
        done.append(game_id)
        return count(caller, game_id)

    monkeypatch.setattr(stats, "_of_game", counted)
    return done


@pytest.fixture
def file_caller(tmp_path: Path) -> Iterator[Caller]:
    store_context = open_store_context(f"sqlite://{tmp_path}/club.db")
    yield Caller(store_context, JUDGE)
    store_context.store.close()


def test_only_what_has_changed_is_counted_again(file_caller: Caller, counting: list[str]) -> None:
    bench = file_caller.store_context.bench
    people = {"A": "pana", "B": "pbo"}
    games = [finished(bench, "benevolent", people).id for _ in range(2)]
    first = statistics(file_caller).data
    assert sorted(counting) == sorted(games)
    counting.clear()
    assert statistics(file_caller).data == first
    assert counting == []
    third = finished(bench, "broom_service", people).id
    assert statistics(file_caller).data.games == 3
    assert counting == [third]
    counting.clear()
    reopen(bench, games[0], reason="wrong", by=By(JUDGE))
    told = statistics(file_caller).data
    assert (counting, told.proven) == ([games[0]], 2)


def test_a_game_that_changes_while_it_is_counted_is_counted_once_more(
    file_caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may have seen the change before the first one keeps what it has counted."""
    store, bench = file_caller.store_context.store, file_caller.store_context.bench
    finished(bench, "benevolent", {"A": "pana", "B": "pbo"})
    count = stats._of_game

    def reopened_meanwhile(caller: Caller, game_id: str) -> GameFacts:
        facts = count(caller, game_id)
        monkeypatch.setattr(stats, "_of_game", count)
        reopen(bench, game_id, reason="wrong", by=By(JUDGE))
        open_stats(store).catch_up(store)
        return facts

    monkeypatch.setattr(stats, "_of_game", reopened_meanwhile)
    assert statistics(file_caller).data.proven == 1
    assert statistics(file_caller).data.proven == 0


@pytest.mark.parametrize("selection", [Selection(), Selection(engine="benevolent", players=2)])
def test_a_second_look_at_the_same_log_does_not_list_its_games(
    file_caller: Caller, selection: Selection, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished(file_caller.store_context.bench, "benevolent", {"A": "pana", "B": "pbo"})
    first = statistics(file_caller, selection).data
    with monkeypatch.context() as watched:
        watched.setattr(stats, "known_games", lambda *_, **__: pytest.fail("listed again"))
        assert statistics(file_caller, selection).data == first
    finished(file_caller.store_context.bench, "benevolent", {"A": "pana", "B": "pbo"})
    assert statistics(file_caller, selection).data.games == first.games + 1


def test_a_name_that_changes_is_asked_for_anew(file_caller: Caller) -> None:
    people = file_caller.store_context.people
    person = people.add("Ana")
    finished(file_caller.store_context.bench, "benevolent", {"A": person})
    assert statistics(file_caller, Selection(player="Ana")).data.games == 1
    people.rename(person, "Zoé")
    assert statistics(file_caller, Selection(player="Ana")).data.games == 0
    assert statistics(file_caller, Selection(player="zoe")).data.games == 1


def test_counted_anew_from_the_first_entry_it_says_the_same(
    file_caller: Caller, counting: list[str]
) -> None:
    finished(file_caller.store_context.bench, "broom_service", {"A": "pana", "B": "pbo"})
    kept = statistics(file_caller).data
    counting.clear()
    assert statistics(file_caller, rebuild=True).data == kept
    assert len(counting) == 1


def test_a_new_version_of_an_engine_counts_its_games_again(
    file_caller: Caller, counting: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = finished(file_caller.store_context.bench, "benevolent", {"A": "pana"}).id
    statistics(file_caller)
    counting.clear()
    monkeypatch.setattr(load_engine("benevolent"), "version", "9.9")
    statistics(file_caller)
    assert counting == [game]


def test_turn_order_is_not_the_letter_of_the_seat(file_caller: Caller) -> None:
    bench = file_caller.store_context.bench
    game = open_game(bench, "pebbles", "table A B first B").game  # type: ignore[union-attr]
    while (choices := game.engine.options(game.setting, game.state)) and game.state.heap:
        game = log(bench, game.id, choices[0]).game
    close(bench, game.id, by=By(SCRIBE))
    found = {(one.by, one.name): one for one in statistics(file_caller).data.results}
    assert found["turn", "1"].won == found["seat", "B"].won
    assert found["turn", "2"].won == found["seat", "A"].won
    assert {one.players for one in found.values() if one.by in ("seat", "turn")} == {2}


def test_a_table_that_plays_together_has_one_result(file_caller: Caller) -> None:
    game = finished(file_caller.store_context.bench, "bethel_woods", {})
    found = statistics(file_caller).data
    (table,) = [one for one in found.results if one.by == "table"]
    assert (table.games, table.players) == (1, len(game.setting.seats))
    assert not [one for one in found.results if one.by in ("seat", "turn")]


def test_tables_of_different_sizes_are_never_counted_together(file_caller: Caller) -> None:
    """All that is told of all games is told the same of those of one size."""
    bench, ana = file_caller.store_context.bench, file_caller.store_context.people.add("Ana")
    for setup in ("2 players, impossible", "3 players, hard"):
        game = recorded(bench, "bethel_woods", setup, limit=400)
        assert game.state.over
        close(bench, game.id, by=By(SCRIBE))
    finished(bench, "bethel_woods", {"A": ana})
    whole = statistics(file_caller).data
    parts = [statistics(file_caller, Selection(players=size)).data for size in (2, 3)]
    for name in ("results", "groups", "lengths"):
        found = [one.model_dump() for part in parts for one in getattr(part, name)]
        told = [one.model_dump() for one in getattr(whole, name)]
        assert sorted(map(str, found)) == sorted(map(str, told))
        assert {one["players"] for one in told} == {2, 3}


@pytest.mark.parametrize(
    ("selection", "games"),
    [
        (Selection(players=2), 3),
        (Selection(players=5), 0),
        (Selection(box="nowhere"), 0),
        (Selection(reading="turn_end=silence"), 2),
        (Selection(reading="turn_end=nonsense"), 0),
        (Selection(player="ana"), 2),
        (Selection(player="An"), 2),
        (Selection(player="na"), 0),
    ],
)
def test_a_selection_is_by_what_was_played_too(
    caller: Caller, selection: Selection, games: int
) -> None:
    assert statistics(caller, selection).data.games == games


@pytest.mark.parametrize("games", [1, 7, 400])
def test_an_interval_holds_the_share_it_is_about(games: int) -> None:
    for won in range(games + 1):
        low, high = wilson(won, games)
        assert 0 <= low <= won / games <= high <= 1
    assert wilson(0, games)[1] > wilson(0, games + 1)[1]
