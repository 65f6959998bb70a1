"""The examples that are shipped: each comes out as it says, at the table it names."""

from __future__ import annotations

import pytest

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
def test_every_clause_that_is_checked_has_an_example(engine: str) -> None:
    clauses = load_engine(engine).clauses.values()
    checked = [each.id for each in clauses if each.kind != "unchecked"]
    assert [clause for clause in checked if not examples(engine).of(clause)] == []
