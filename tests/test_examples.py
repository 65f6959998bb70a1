"""The examples that are shipped: each comes out as it says, at the table it names."""

from __future__ import annotations

import pytest

from answers.i18n import Voice
from answers.rulebooks.games import clause_examples
from engines.kernel.registry import load_engine
from referee.record.positions import judge_from_position
from replays.examples import examples
from replays.gallery import samples


@pytest.mark.parametrize("engine", samples())
def test_an_example_gets_the_verdict_it_promises_and_asks_its_clause(engine: str) -> None:
    """Where this fails after a rule was changed: ``make examples``."""
    shipped = examples(engine)
    for clause, every in shipped.clauses.items():
        assert clause in load_engine(engine).clauses
        for each in every:
            tried = judge_from_position(shipped.starts[each.start], each.lines)
            judged = tried.judged[-1] if each.lines else tried.refused or tried.opened
            assert judged is not None, (clause, each)
            assert judged.verdict.outcome == each.verdict, (clause, each)


@pytest.mark.parametrize("engine", samples())
def test_a_page_draws_an_opening_and_names_the_clause_that_decides_instead(engine: str) -> None:
    """Of principles, which others apply, and of what an opening alone shows."""
    shipped, clauses = examples(engine), load_engine(engine).clauses
    asked = [
        clause
        for clause, every in shipped.clauses.items()
        if clauses[clause].kind == "principle" or not all(each.lines for each in every)
    ]
    others = 0
    for clause in asked[:24]:
        for told, each in zip(
            clause_examples(Voice("fr"), engine, clause), shipped.of(clause), strict=True
        ):
            assert bool(told.drawn) == (not each.lines and told.verdict != "illegal"), clause
            assert told.decided_by != clause
            assert bool(told.decided_by) == bool(told.because)
            others += bool(told.decided_by)
            start = shipped.starts[each.start]
            assert each.lines or told.said != [start.table], "an opening is a sentence, too"
    assert others


@pytest.mark.parametrize("engine", samples())
def test_every_clause_that_is_checked_has_an_example(engine: str) -> None:
    clauses = load_engine(engine).clauses.values()
    checked = [each.id for each in clauses if each.kind != "unchecked"]
    assert [clause for clause in checked if not examples(engine).of(clause)] == []
