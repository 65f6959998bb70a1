"""Results from records: from proven ones alone, and never over a slip in silence."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.judging.disputes import withdraw
from referee.judging.rulings import Decision, issue
from referee.record.entries import Closed, entry_data
from referee.record.game import Game
from referee.store import open_store
from referee.store.envelopes import Draft
from referee.table.author import JUDGE, By
from referee.table.corrections import undo
from referee.table.lifecycle import close, reopen
from referee.table.openings import open_game
from referee.table.play import Heard, log
from referee.tournament.consistency import inspect
from referee.tournament.desk import Desk
from referee.tournament.errors import NotPossible
from referee.tournament.events import FromGame, Outcome, RoundStarted, StartWithdrawn
from referee.tournament.ranking.standings import standings
from referee.tournament.table_games import table_ref
from tests.tournament.test_desk import (
    PEBBLES,
    cup,
    desk,
    desk_over,
    play_out,
    started,
)

__all__ = ["desk"]


def table_of(desk: Desk) -> tuple[str, int, str]:
    """A cup whose first table has a record."""
    cup_id = cup(desk)
    number = started(desk, cup_id)
    return cup_id, number, desk.open_table(cup_id, number, 1, PEBBLES)[0].game.id


def invent_result(desk: Desk, game: str) -> None:
    """Whoever can write into the store appends an end that the game does not have."""
    data = Closed(places=(("B",), ("A",)), scores={"A": 0, "B": 99}, clause="PEB-END-1")
    draft = Draft(data.KIND, data.SCHEMA, entry_data(data), "invented")
    last = desk.bench.game(game).version
    desk.bench.store.append(
        game, [draft], expected=last, at="2026-01-02T12:00:00.000Z", by="pmallory", role="scribe"
    )


def ends(desk: Desk, cup_id: str, number: int) -> tuple[Outcome, Outcome]:
    """What the record of table 1 tells, and what would contradict it."""
    [played] = desk.latest_at(cup_id, number, 1)
    assert played.closed is not None
    true = Outcome.of_game(played.closed.places, played.closed.scores)
    return true, Outcome(places=true.places[::-1])


def refusal(error: pytest.ExceptionInfo[NotPossible]) -> str:
    return error.value.key


OPENING = "table A B first A"
STARTS = ("start", "withdraw", "pair again", "open", "open")


@example(["start", "open", "withdraw", "open", "start", "open"])
@example(["start", "open", "withdraw"])
@given(st.lists(st.sampled_from(STARTS), max_size=9))
def test_a_record_from_elsewhere_fits_its_table_only_if_it_was_begun_since_the_start_that_holds(
    steps: list[str],
) -> None:
    """However often the round was started, its start withdrawn, and the same table paired again."""
    desk = desk_over("memory:")
    cup_id = cup(desk)
    _, round = desk.pair(cup_id)
    place, people = table_ref(cup_id, round.number, 1), round.table(1).seats
    elsewhere = desk.bench.elsewhere(open_store("memory:"))
    starts, is_started = 0, False
    brought: list[tuple[Game, int]] = []
    for step in steps:
        if step == "open":
            seats = dict(zip("AB", people, strict=True))
            opened = open_game(elsewhere, "pebbles", OPENING, seats=seats, tournament=place)
            assert isinstance(opened, Heard)
            brought.append((opened.game, starts if is_started else 0))
        elif step == "start" and not is_started:
            desk.tell(cup_id, RoundStarted(round=round.number))
            starts, is_started = starts + 1, True
        elif step == "withdraw" and is_started:
            desk.tell(cup_id, StartWithdrawn(round=round.number, reason="too early"))
            is_started = False
        elif step == "pair again" and not is_started:
            desk.unpair(cup_id, "again")
            assert desk.pair(cup_id)[1].table(1).seats == people
    for game, start in brought:
        assert desk.fits(game) == (is_started and start == starts)


def test_an_invented_result_is_not_taken(desk: Desk) -> None:
    cup_id, number, game = table_of(desk)
    invent_result(desk, game)
    heard: list[NotPossible] = []
    assert desk.collect(cup_id, number, unproven=heard.append) == []
    assert [error.facts for error in heard] == [{"table": 1, "game": game, "entry": 1}]
    with pytest.raises(NotPossible) as refused:
        desk.take_result(cup_id, number, 1)
    assert refusal(refused) == "game_unproven"
    assert desk.load(cup_id).now.round(number).result(1) is None


def test_a_result_by_hand_needs_no_proven_record(desk: Desk) -> None:
    cup_id, number, game = table_of(desk)
    invent_result(desk, game)
    hosted = desk.enter_result(cup_id, number, 1, Outcome(places=(1, 2)), "the judge saw it")
    assert standings(hosted.now).rows[0].values[0] > 0


def test_a_slip_against_a_record_is_a_dispute(desk: Desk) -> None:
    cup_id, number, game = table_of(desk)
    play_out(desk, game)
    _, slip = ends(desk, cup_id, number)
    for _ in range(2):
        with pytest.raises(NotPossible) as refused:
            desk.enter_result(cup_id, number, 1, slip, "their slip")
        assert refusal(refused) == "slip_against_record"
    assert desk.load(cup_id).now.round(number).result(1) is None
    (dispute,) = desk.bench.game(game).open_disputes()
    assert (dispute.cause, dispute.text) == ("slip", f"A {slip.places[0]}, B {slip.places[1]}")
    assert [(c.table, c.dispute) for c in desk.concerns(cup_id)] == [(1, dispute)]


def test_a_slip_that_agrees_with_the_record_is_taken(desk: Desk) -> None:
    cup_id, number, game = table_of(desk)
    play_out(desk, game)
    true, _ = ends(desk, cup_id, number)
    desk.enter_result(cup_id, number, 1, Outcome(places=true.places), "their slip")
    assert inspect(desk, cup_id) == []


def test_a_record_does_not_overrule_a_slip_in_silence(desk: Desk) -> None:
    cup_id, number, game = table_of(desk)
    play_out(desk, game)
    _, slip = ends(desk, cup_id, number)
    reopen(desk.bench, game, reason="the slip came first", by=By(JUDGE))
    desk.enter_result(cup_id, number, 1, slip, "their slip")
    close(desk.bench, game)
    with pytest.raises(NotPossible) as refused:
        desk.take_result(cup_id, number, 1)
    assert refusal(refused) == "slip_against_record"
    entered = desk.load(cup_id).now.round(number).result(1)
    assert entered is not None
    assert entered.outcome == slip
    problems = [problem.key for problem in inspect(desk, cup_id) if not problem.is_remark]
    assert problems == ["slip_against_record"]


@pytest.mark.parametrize("how", ["ruled", "withdrawn"])
def test_once_it_is_settled_either_may_be_taken(desk: Desk, how: str) -> None:
    cup_id, number, game = table_of(desk)
    play_out(desk, game)
    true, slip = ends(desk, cup_id, number)
    with pytest.raises(NotPossible):
        desk.enter_result(cup_id, number, 1, slip, "their slip")
    if how == "ruled":
        issue(desk.bench, game, Decision("they agreed", dispute="d1"), by=By(JUDGE))
    else:
        withdraw(desk.bench, game, "d1", by=By(JUDGE))
    hosted = desk.enter_result(cup_id, number, 1, slip, "ruled so")
    entered = hosted.now.round(number).result(1)
    assert entered is not None
    assert entered.outcome == slip
    assert inspect(desk, cup_id) == []
    corrected = desk.take_result(cup_id, number, 1).now.round(number).result(1)
    assert corrected is not None
    assert corrected.outcome == true


def test_a_record_that_was_changed_after_its_result_was_taken_is_named(desk: Desk) -> None:
    cup_id, number, game = table_of(desk)
    play_out(desk, game)
    taken = desk.take_result(cup_id, number, 1).now.round(number).result(1)
    assert taken is not None
    assert isinstance(taken.source, FromGame)
    reopen(desk.bench, game, reason="once more", by=By(JUDGE))
    invent_result(desk, game)
    assert [problem.key for problem in inspect(desk, cup_id)] == ["game_unproven"]


STEPS = st.lists(
    st.tuples(st.sampled_from(["play", "take", "collect"]), st.integers(0, 2)), max_size=7
)


@settings(max_examples=25)
@given(STEPS)
def test_the_table_has_the_result_that_its_record_told_when_it_was_last_taken_over(
    steps: list[tuple[str, int]],
) -> None:
    """However often the record is reopened, played otherwise from the first move and closed."""
    desk = desk_over("memory:")
    cup_id, number, game = table_of(desk)
    told: Outcome | None = None
    taken: Outcome | None = None
    for step, first in [*steps, ("take", 0)]:
        if step == "play":
            record = desk.bench.game(game)
            if record.closed is not None:
                reopen(desk.bench, game, reason="played otherwise", by=By(JUDGE))
                undo(desk.bench, game, len(record.numbers()), by=By(JUDGE))
                record = desk.bench.game(game)
            options = record.engine.options(record.setting, record.state)
            log(desk.bench, game, options[first])
            play_out(desk, game)
            told, _ = ends(desk, cup_id, number)
        elif told is not None and step == "take":
            desk.take_result(cup_id, number, 1)
            taken = told
        elif told is not None and taken is None:
            desk.collect(cup_id, number)
            taken = told
        entered = desk.load(cup_id).now.round(number).result(1)
        assert (entered.outcome if entered else None) == taken
