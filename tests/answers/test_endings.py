"""A record is closed with open eyes: what is still open is named first."""

from __future__ import annotations

import pytest

from answers.context import Caller
from answers.i18n import Voice
from answers.judge.disputes import disputes
from answers.judge.rulings import rule
from answers.play.actions import log
from answers.play.corrections import redo, undo
from answers.play.lifecycle import finish
from referee.errors import Conflicting
from referee.judging.rulings import Decision
from referee.table.author import Author


@pytest.fixture
def disputed(scribe: Caller, game: str) -> str:
    """A table where an illegal action stands, and a judge is asked."""
    log(scribe, game, ["A step a3"], stands=True)
    return game


def test_an_open_dispute_is_named_before_a_record_is_closed(scribe: Caller, disputed: str) -> None:
    with pytest.raises(Conflicting) as refused:
        finish(scribe, disputed, reason="late")
    assert refused.value.key == "still_open"
    assert refused.value.facts["disputes"] == ["d1"]
    assert scribe.game(disputed).closed is None
    confirmed = {refused.value.facts["confirm"]: True}
    closed = finish(scribe, disputed, reason="late", **confirmed)
    assert closed.data.disputes == ["d1"]
    assert "d1" in "\n".join(closed.lines(Voice("fr")))


def test_closing_is_answered_again_as_it_was(scribe: Caller, disputed: str) -> None:
    first = finish(scribe, disputed, reason="late", yes=True, key="k1")
    again = finish(scribe, disputed, reason="late", yes=True, key="k1")
    assert again.data.head == first.data.head


def test_an_illegal_action_that_is_taken_back_ends_its_dispute_until_it_is_put_back(
    scribe: Caller, disputed: str
) -> None:
    assert [row.settled for row in disputes(scribe, disputed).data.disputes] == [None]
    undo(scribe, disputed)
    assert [row.settled for row in disputes(scribe, disputed).data.disputes] == ["undone"]
    assert scribe.game(disputed).open_disputes() == []
    redo(scribe, disputed)
    assert [d.id for d in scribe.game(disputed).open_disputes()] == ["d1"]
    undo(scribe, disputed)
    assert finish(scribe, disputed, reason="late").data.disputes == []


def test_a_judge_may_still_rule_on_what_was_taken_back(scribe: Caller, disputed: str) -> None:
    undo(scribe, disputed)
    judge = Caller(scribe.store_context, Author("anonymous", "judge"))
    rule(judge, disputed, Decision("a warning all the same", dispute="d1"))
    assert [row.settled for row in disputes(scribe, disputed).data.disputes] == ["r1"]


@pytest.mark.parametrize("remedy", ["corrected", "taken_back"])
def test_an_overturned_ruling_says_what_of_it_is_undone(
    scribe: Caller, disputed: str, remedy: str
) -> None:
    judge = Caller(scribe.store_context, Author("anonymous", "judge"))
    lines = ("A step c2",) if remedy == "corrected" else ()
    first = Decision("so it was", remedy=remedy, dispute="d1", lines=lines)  # type: ignore[arg-type]
    rule(judge, disputed, first)
    appeal = rule(judge, disputed, Decision("no", dispute="d1", overturns="r1"))
    told = "\n".join(appeal.lines(Voice()))
    assert "counts again: #7" in told
    assert ("no longer counts: #8" in told) == (remedy == "corrected")
    assert scribe.game(disputed).counts(7)
