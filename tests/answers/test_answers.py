"""Answers are what their types say, and say what happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from answers.answer import Answered
from answers.context import Caller
from answers.i18n import Voice
from answers.judge.disputes import brief, dispute
from answers.judge.rulings import rule
from answers.operations import answer_schema, answers
from answers.play import corrections
from answers.play.actions import check, log
from answers.play.corrections import CorrectAnswer, correct, redo, undo
from answers.play.info import games, info
from answers.play.moves import moves, why
from answers.play.opening import open_table
from answers.play.options import options
from answers.play.views import state
from answers.review.replay import replay
from answers.rulebooks.kits import declare
from engines.kernel.messages.errors import MessageError
from engines.kernel.registry import load_engine
from referee.judging.rulings import Decision
from referee.table.adjustments import adjust


def fits(name: str, answered: Answered[Any]) -> dict[str, Any]:
    """The answer as JSON, as the published schema of its operation says."""
    plain = answered.plain()
    Draft202012Validator(answer_schema(answers()[name])).validate(plain)
    return plain


def actions_in(data: Any) -> Iterator[dict[str, Any]]:
    """Every action anywhere in an answer."""
    if isinstance(data, dict):
        if isinstance(data.get("action"), dict):
            yield data["action"]
        for value in data.values():
            yield from actions_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from actions_in(value)


def test_every_action_of_an_answer_can_be_said_again(scribe: Caller, game: str) -> None:
    engine = load_engine("benevolent")
    dispute(scribe, game, 3)
    answers = (
        fits("log", log(scribe, game, ["A step c2", "A swap feather"])),
        fits("log", check(scribe, game, ["A step a3"])),
        fits("options", options(scribe, game)),
        fits("dispute-show", brief(scribe, game, "d1")),
    )
    for answer in answers:
        found = list(actions_in(answer))
        assert found
        for action in found:
            assert engine.text(engine.text.load(action))


def test_a_refused_opening_fits_its_schema(scribe: Caller) -> None:
    refused = open_table(scribe, "benevolent", "A=blue B=blue first A")
    assert refused.outcome == "illegal"
    assert fits("new", refused)["clause"]


def test_a_refused_line_fits_its_schema_and_names_what_would_be_legal(
    scribe: Caller, game: str
) -> None:
    refused = log(scribe, game, ["A step a3"])
    told = fits("log", refused)
    assert (refused.outcome, told["accepted"]) == ("illegal", False)
    assert told["try"]
    assert fits("why", why(scribe, game, "A step a3"))["try"]


def test_a_refused_correction_fits_its_schema(scribe: Caller, game: str) -> None:
    refused = correct(scribe, game, 5, ["B buy clover"])
    told = fits("correct", refused)
    assert (refused.outcome, told["notation"]) == ("illegal", "B buy clover")


def test_a_refused_correction_by_ruling_fits_its_schema(judge: Caller, game: str) -> None:
    dispute(judge, game, 3)
    decision = Decision("meant", remedy="corrected", dispute="d1", lines=("A step z9",))
    refused = rule(judge, game, decision)
    assert refused.outcome == "illegal"
    assert fits("ruling-issue", refused)["clause"] == "BEN-MOVE-16"


def test_a_table_that_contradicts_itself_is_not_adjusted_to(scribe: Caller, game: str) -> None:
    refused = corrections.adjust(scribe, game, {"players": {"A": {"card": 9}}}, "?")
    told = fits("adjust", refused)
    assert (refused.outcome, told["clause"], told["may_stand"]) == ("illegal", "BEN-KIT-5", True)
    assert "A has 1" in " ".join(refused.lines(Voice()))
    assert "A a 1" in " ".join(refused.lines(Voice("fr")))
    stands = corrections.adjust(scribe, game, {"players": {"A": {"card": 9}}}, "so", stands=True)
    assert fits("adjust", stands)["number"]


# what happened


def test_attention_is_asked_where_an_action_stands_or_a_breach_is_proven(
    scribe: Caller, game: str
) -> None:
    assert not log(scribe, game, ["A step c2; swap feather"]).data.attention
    assert log(scribe, game, ["B step a3"], stands=True).data.attention
    undo(scribe, game)
    wrong = log(scribe, game, ["audit A leaves 60"]).data
    assert [finding.status for finding in wrong.findings] == ["broken"]
    assert wrong.attention


def test_a_correction_tells_the_new_clauses_of_what_it_has_judged_anew(
    scribe: Caller, game: str
) -> None:
    log(scribe, game, ["A step c2"])
    log(scribe, game, ["A swap feather"])
    number = next(row.number for row in moves(scribe, game).data.moves if row.text == "A step c2")
    changed = correct(scribe, game, number, ["A step b1"]).data
    assert isinstance(changed, CorrectAnswer)
    first = changed.rejudged[0]
    assert (first.before, first.after) == ("legal", "pending")
    kept = correct(scribe, game, first.number, keep=True).data
    assert isinstance(kept, CorrectAnswer)
    told = {row.number: row for row in moves(scribe, game).data.moves}
    assert told[first.number].clauses != []


CHANGES: dict[str, Callable[[Caller, str], Answered[Any]]] = {
    "undo": lambda caller, game: undo(caller, game, 2),
    "redo": redo,
    "correct": lambda caller, game: correct(caller, game, 3, ["A step b1; gather"]),
    "keep": lambda caller, game: correct(caller, game, 6, keep=True),
    "adjust": lambda caller, game: corrections.adjust(
        caller, game, {"players": {"A": {"leaves": 1}}}, "so"
    ),
    "declare": lambda caller, game: declare(caller, game, "leaves.count", 1, "counted"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_that_is_told_again_is_told_as_it_was_though_others_have_gone_on(
    name: str, scribe: Caller, game: str
) -> None:
    log(scribe, game, ["A step c2"])
    log(scribe, game, ["A swap feather"])
    for before in {"redo": ["undo"], "keep": ["correct"]}.get(name, []):
        CHANGES[before](scribe, game)
    once = scribe.keyed("k")
    first = CHANGES[name](once, game)
    for _ in range(2):
        again = CHANGES[name](once, game)
        assert (again.plain(), [*again.lines(Voice())]) == (first.plain(), [*first.lines(Voice())])
        undo(scribe, game)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    steps=st.lists(st.sampled_from(["log", "undo", "redo", "insert", "drop", "adjust"]), max_size=8)
)
def test_the_list_and_the_page_of_a_game_count_the_same_actions(
    scribe: Caller, steps: list[str]
) -> None:
    opened = open_table(scribe, "pebbles", "A B first A").data
    for step in steps:
        last = info(scribe, opened.game).data.actions
        try:
            if step == "log":
                log(scribe, opened.game, ["take 1"])
            elif step == "undo":
                undo(scribe, opened.game)
            elif step == "redo":
                redo(scribe, opened.game)
            elif step == "insert":
                correct(scribe, opened.game, 1, ["take 1"], remove=0, stands=True)
            elif step == "drop":
                correct(scribe, opened.game, 1, drop=True)
            else:
                adjust(scribe.bench, opened.game, {"heap": 5}, "counted", stands=True)
        except MessageError:
            assert info(scribe, opened.game).data.actions == last
    row = next(row for row in games(scribe).data.games if row.game == opened.game)
    told = info(scribe, opened.game).data
    assert (row.actions, row.entries) == (told.actions, told.entries)


@pytest.mark.parametrize("name", sorted(answers()))
def test_every_operation_says_what_it_answers(name: str) -> None:
    schema = answer_schema(answers()[name])
    Draft202012Validator.check_schema(schema)
    assert schema.get("properties") or schema.get("anyOf")


def test_a_replay_holds_every_position(scribe: Caller, game: str) -> None:
    steps = fits("replay", replay(scribe, game))["steps"]
    assert steps[-1]["state"] == fits("state", state(scribe, game))["state"]
