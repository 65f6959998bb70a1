"""What is said of a refusal is true: every sentence is held against the table it is said of.

``TRUTHS`` of each game has the English sentences of its clauses, and when they are true.
"""

from __future__ import annotations

from functools import cache

import pytest

from engines.kernel import ParseError
from engines.kernel.registry import load_engine
from tests.facts import benevolent, bethel_woods, bloody_grove, broom_service, roundforest
from tests.facts.refusals import Refusal, refusals, told_in_cases
from tests.playing import tables_of

TRUTHS = {
    "benevolent": benevolent.TRUTHS,
    "bethel_woods": bethel_woods.TRUTHS,
    "bloody_grove": bloody_grove.TRUTHS,
    "broom_service": broom_service.TRUTHS,
    "roundforest": roundforest.TRUTHS,
}
TABLES = [(game, setup) for game in TRUTHS for setup in tables_of(game).SETUPS]


@pytest.mark.parametrize(("game", "setup"), TABLES)
def test_what_is_said_of_a_refusal_is_true(game: str, setup: str) -> None:
    said = [refusal for refusal in refusals(game, setup, 0) if refusal.sentence is not None]
    assert said
    for refusal in said:
        check(refusal)


@pytest.mark.parametrize("game", TRUTHS)
def test_what_is_said_in_the_cases_is_true(game: str) -> None:
    told = said_in_cases(game)
    for refusal in told:
        check(refusal)
    assert {refusal.sentence for refusal in told} == TRUTHS[game].keys()


@cache
def said_in_cases(game: str) -> list[Refusal]:
    return [refusal for refusal in told_in_cases(game) if refusal.sentence is not None]


def check(refusal: Refusal) -> None:
    """Whether what is said of it is true; nothing if nothing is said."""
    if refusal.sentence is not None:
        truths = TRUTHS[refusal.engine.id]
        assert refusal.sentence in truths, f"nobody knows whether it is true: {refusal}"
        assert truths[refusal.sentence](refusal), str(refusal)


@pytest.mark.parametrize("game", TRUTHS)
def test_every_truth_is_that_of_a_sentence(game: str) -> None:
    clauses = load_engine(game).clauses.values()
    sentences = {text.en for clause in clauses for text in clause.because or ()}
    assert TRUTHS[game].keys() == sentences


@pytest.mark.parametrize("game", TRUTHS)
def test_no_sentence_is_true_whatever_the_table(game: str) -> None:
    """What was said at one table is asked of others: every truth must be able to fail."""
    told = said_in_cases(game)
    others = [refusal for refusal in told if refusal.state is not None]
    seeing = {said.sentence for said in told if not all(is_true(said, one) for one in others)}
    assert seeing == TRUTHS[game].keys()


def is_true(said: Refusal, other: Refusal) -> bool:
    """Whether what was said of one action is true of another one at its own table."""
    try:
        return bool(TRUTHS[said.engine.id][str(said.sentence)](other._replace(point=said.point)))
    except (AttributeError, KeyError, IndexError, TypeError, ParseError):
        return False
