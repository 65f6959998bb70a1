"""From a position without a log everything can be asked that can be asked of a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from answers.context import Caller, open_store_context
from answers.i18n import Voice
from answers.judge.rulings import RulingIssueAnswer, case, rule
from answers.judge.what_if import what_if
from answers.play import declared_positions, moves, options, views
from answers.play.analysis import check_position, position_trial
from answers.play.sandbox import laid_out
from engines.kernel import Language
from engines.kernel.registry import load_engine
from referee.errors import Unfit
from referee.judging.rulings import Decision
from referee.judging.what_if import Other
from referee.record.positions import PositionFile, position_file, read_position
from replays.gallery import samples


@pytest.fixture
def position(scribe: Caller, game: str) -> PositionFile:
    """The table after its set-up and two turns, declared by hand."""
    return read_position(position_file(scribe.game(game)))


def test_a_position_answers_as_the_game_does_from_which_it_was_taken(
    scribe: Caller, game: str, position: PositionFile
) -> None:
    caller, table, _ = laid_out(scribe, position)
    for ask in (
        lambda who, which: options.options(who, which).data.options,
        lambda who, which: views.state(who, which).lines(who.voice),
        lambda who, which: moves.why(who, which, "A step a3").data.verdict,
        lambda who, which: views.position(who, which),
    ):
        assert ask(caller, table) == ask(scribe, game)
    assert "<svg" in views.picture(caller, table)


def test_nothing_of_a_position_is_kept(scribe: Caller, position: PositionFile) -> None:
    before = scribe.store_context.store.streams()
    caller, table, _ = laid_out(scribe, position, ["A step c2"])
    assert caller.game(table).numbers()
    assert scribe.store_context.store.streams() == before


def test_lines_from_a_position_are_judged_under_other_rules(
    judge: Caller, position: PositionFile
) -> None:
    caller, table, numbers = laid_out(judge, position, ["A step a3"])
    found = what_if(caller, table, Other(house_rules=["BEN-MOVE-3", "BEN-MOVE-11"])).data
    (row,) = found.games[0].differences
    assert (row.number, row.before, row.after) == (numbers[0], "illegal", "legal")


def test_a_judge_rules_on_a_line_from_a_position_and_keeps_the_case(
    judge: Caller, position: PositionFile
) -> None:
    caller, table, numbers = laid_out(judge, position, ["A step a3"])
    decision = Decision("too far", remedy="taken_back", numbers=numbers)
    answered = rule(caller, table, decision).data
    assert isinstance(answered, RulingIssueAnswer)
    assert answered.ruling is not None
    assert answered.ruling.clauses[0] == "BEN-MOVE-3"
    assert "A step a3" in case(caller, table, "r1")


def test_a_position_that_breaks_a_rule_says_which(scribe: Caller, position: PositionFile) -> None:
    players: Any = (position.position or {})["players"]
    richer = {**players, "A": {**players["A"], "leaves": 90}}
    broken = position.model_copy(
        update={"position": {**(position.position or {}), "players": richer}}
    )
    with pytest.raises(Unfit) as refused:
        laid_out(scribe, broken)
    assert refused.value.facts["clause"].startswith("BEN-")
    assert laid_out(scribe, broken.model_copy(update={"stands": True}))


def test_a_doubtful_position_is_answered_with_its_doubt(
    scribe: Caller, position: PositionFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What can hardly have come about is told beside the verdict: at the terminal and as data."""
    engine = load_engine("benevolent")
    assert engine.position is not None
    declares = engine.rules.reducers[engine.position]

    def doubting(state: Any, action: Any, rule: Any) -> Any:
        rule.doubt("BEN-TURN-2", False, placed={"A": 3, "B": 1})
        return declares(state, action, rule)

    monkeypatch.setitem(engine.rules.reducers, engine.position, doubting)
    answers: list[Any] = [
        asked(scribe, position, ["A step c2"]) for asked in (check_position, position_trial)
    ]
    for answered in answers:
        assert [point.clause for point in answered.data.doubted] == ["BEN-TURN-2"]
        assert [line.verdict for line in answered.data.lines] == ["legal"]
        head, clause, *_ = answered.lines(scribe.voice)
        assert "doubtful" in head
        assert "BEN-TURN-2" in clause
    assert "BEN-TURN-2" in " ".join(answers[1].data.doubts)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_position_that_no_table_can_show_is_refused_by_its_clause_and_not_as_data(
    lang: Language,
) -> None:
    """Whoever sets the pieces by hand reads what is wrong, not what they have set."""
    data = declared_positions.at_moment(
        "benevolent", declared_positions.moments("benevolent", 6)[-1]
    )
    data["position"]["players"]["A"]["forest"] = ["a1", "a2", "b1", "b2", "c1", "c2"]
    caller = Caller(open_store_context("memory:"), voice=Voice(lang=lang))
    told = position_trial(caller, declared_positions.check(data), []).data
    (refused,) = told.lines
    assert not told.accepted
    said = " ".join((*refused.told, *refused.why))
    assert "BEN-KIT-5" in said
    assert "{" not in said


@pytest.mark.parametrize("engine", samples())
def test_everything_of_a_position_has_a_name_without_signs_of_code(engine: str) -> None:
    for number in declared_positions.moments(engine, 6):
        data = declared_positions.at_moment(engine, number)
        for field in _keys(data["position"]):
            name = declared_positions.field_name(Voice(lang="fr"), engine, field)
            assert not {"_", "{", "["} & {*name}, field


def _keys(data: object) -> Iterator[str]:
    if isinstance(data, dict):
        yield from data
        for value in data.values():
            yield from _keys(value)
