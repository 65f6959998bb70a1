"""What is said of a refusal is true: every sentence is held against the table it is said of.

``TRUTHS`` of each game has the English sentences of its clauses, and when they are true.
"""

from __future__ import annotations

import pytest

from engines.kernel.registry import load_engine
from tests.facts import broom_service, roundforest
from tests.facts.refusals import Refusal, refusals
from tests.playing import tables_of

TRUTHS = {"broom_service": broom_service.TRUTHS, "roundforest": roundforest.TRUTHS}
TABLES = [(game, setup) for game in TRUTHS for setup in tables_of(game).SETUPS]


@pytest.mark.parametrize(("game", "setup"), TABLES)
def test_what_is_said_of_a_refusal_is_true(game: str, setup: str) -> None:
    said = [refusal for refusal in refusals(game, setup, 0) if refusal.sentence is not None]
    assert said
    for refusal in said:
        check(refusal)


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
    assert TRUTHS[game].keys() <= sentences
