"""A record is closed with open eyes: what is still open is named first."""

from __future__ import annotations

from itertools import islice

import pytest

from answers.context import Caller, open_store_context
from answers.i18n import Voice
from answers.judge.disputes import dispute, disputes
from answers.judge.rulings import rule
from answers.play.actions import log
from answers.play.corrections import CorrectAnswer, correct, redo, undo
from answers.play.lifecycle import finish
from answers.proof.commitments import seal_hashed
from engines.kernel import ParseError
from engines.kernel.messages.catalogue import LANGUAGES
from engines.kernel.messages.errors import MessageError
from engines.kernel.registry import load_engine
from referee.errors import Conflicting
from referee.judging.rulings import Decision
from referee.table.author import Author
from tests.opening import new_table
from tests.playing import playable_games, random_game, tables_of


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


@pytest.mark.parametrize(("calls", "sealed"), [(1, 2), (2, 1), (0, 3), (3, 0)])
def test_everything_that_is_open_is_named(
    calls: int, sealed: int, scribe: Caller, game: str
) -> None:
    for number in range(1, calls + 1):
        dispute(scribe, game, number, text="so")
    for at in range(sealed):
        seal_hashed(scribe, game, "AB"[at % 2], f"note-{at}", f"{at}" * 64)
    names = [f"d{at + 1}" for at in range(calls)], [f"s{at + 1}" for at in range(sealed)]
    with pytest.raises(Conflicting) as refused:
        finish(scribe, game, reason="late")
    facts = refused.value.facts
    assert (facts["disputes"], facts["seals"]) == names
    assert all(name in str(facts["what"]) for name in (*names[0], *names[1]))
    closed = finish(scribe, game, reason="late", yes=True)
    assert (closed.data.disputes, closed.data.seals) == names
    told = "\n".join(closed.lines(Voice()))
    assert all(name in told for name in (*names[0], *names[1]))


@pytest.mark.parametrize("good", range(4))
def test_an_error_says_at_which_line_it_was_and_every_action_recorded_before(
    good: int, scribe: Caller
) -> None:
    table = new_table(scribe, "pebbles", "A B first A")
    with pytest.raises(MessageError) as stopped:
        log(scribe, table, [*["take 1", "take 2", "take 1"][:good], "xyz", "take 2"])
    facts = stopped.value.facts
    assert (facts["line"], facts.get("recorded", [])) == (good + 1, [*range(1, good + 1)])
    for count in range(1, good + 1):
        done, again = undo(scribe, table, count), redo(scribe, table, count)
        for told in (done, again):
            first = told.lines(Voice())[0]
            assert all(f"#{number}" in first for number in range(good - count + 1, good + 1))


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


@pytest.mark.parametrize("name", sorted({*playable_games()} - {"pebbles"}))
def test_a_forgotten_step_put_in_before_what_stands_leaves_nothing_to_decide(name: str) -> None:
    """One line of a game is left out, and the next one recorded anyway; a dry run tells in either
    language what is then done."""
    engine = load_engine(name)
    played = random_game(engine, next(iter(tables_of(name).SETUPS)), 5)
    opening, *lines = map(engine.text, (played.opening, *played.actions))
    left_out = (
        place
        for place, act in enumerate(played.actions[1:])
        if not engine.judge(played.setting, played.judgements[place].state, act).accepted
    )
    mended = 0
    for place in islice(left_out, 5, 15):
        scribe = Caller(open_store_context("memory:"))
        game = new_table(scribe, name, opening.removeprefix("table "), lines[:place])
        try:
            told = log(scribe, game, [lines[place + 1]], stands=True).data
        except ParseError:  # only what was left out says which place is meant
            continue
        if told.number is None or not told.forgotten:
            continue
        (dispute,) = scribe.game(game).open_disputes()
        tried, done = (
            correct(scribe, game, told.number, [lines[place]], remove=0, dry_run=dry_run)
            for dry_run in (True, False)
        )
        assert isinstance(tried.data, CorrectAnswer)
        assert isinstance(done.data, CorrectAnswer)
        assert tried.data.disputes_ended == done.data.disputes_ended == [dispute.id]
        for voice in map(Voice, LANGUAGES):
            (_, *foreseen), happened = ([*each.lines(voice)] for each in (tried, done))
            assert {*foreseen} - {*happened} <= {f"  {voice.say('tell.table_then')}"}
            for about in (f"  #{told.number} ", dispute.id):
                assert [line for line in foreseen if about in line]
        assert finish(scribe, game, reason="late").data.disputes == []
        mended += 1
    assert mended > 2
