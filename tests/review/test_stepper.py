"""Stepping through a game, to every kind of moment."""

from __future__ import annotations

import pytest

from referee.errors import NotFound, Unfit
from referee.table.author import SCRIBE, By
from referee.table.bench import Bench
from referee.table.corrections import correct, undo
from referee.table.notes import Annotation, annotate, remove_note
from referee.table.openings import open_game
from referee.table.play import log
from replays.stepper import Stepper
from tests.record.conftest import make_bench


@pytest.fixture
def bench() -> Bench:
    return make_bench()


@pytest.fixture
def table(bench: Bench) -> str:
    """#3 was taken back, #2 corrected to #6, #5 stands."""
    table = open_game(bench, "pebbles", "table A B first A").game.id
    for line in ("take 2", "take 1", "take 1"):
        log(bench, table, line, stands=True)
    undo(bench, table)
    log(bench, table, "take 2")
    log(bench, table, "take 2", stands=True)
    correct(bench, table, 2, ["take 3"])
    return table


def at(stepper: Stepper) -> str:
    return stepper.moment.label


def test_variations_are_followed_and_left(bench: Bench, table: str) -> None:
    lines = ("A take 1", "B take 2")
    annotate(bench, table, 4, Annotation("better", instead=lines), by=By(SCRIBE))
    with pytest.raises(Unfit, match="PEB-TAKE-2"):
        annotate(bench, table, 4, Annotation(instead=("take 1", "take 1")), by=By(SCRIBE))
    stepper = Stepper(bench.game(table))
    assert stepper.next_note()
    assert at(stepper) == "#4"
    assert stepper.enter()
    assert (at(stepper), stepper.moment.step.state.heap) == ("n1.1", 6)
    assert stepper.move(1)
    assert stepper.moment.step.state.heap == 4
    annotate(bench, table, "n1.2", Annotation(instead=("B take 3",)), by=By(SCRIBE))
    nested = Stepper(bench.game(table))
    nested.goto(4)
    nested.enter()
    nested.move(1)
    assert nested.enter()
    assert nested.moment.step.state.heap == 3
    assert nested.leave()
    assert nested.leave()
    assert not nested.leave()
    assert at(nested) == "#4"


def test_of_two_variations_the_one_that_is_named_is_followed(bench: Bench, table: str) -> None:
    for line in ("A take 1", "A take 2"):
        annotate(bench, table, 4, Annotation(instead=(line,)), by=By(SCRIBE))
    for name, heap in ((None, 6), ("n1", 6), ("n2", 5)):
        stepper = Stepper(bench.game(table))
        stepper.goto(4)
        assert stepper.enter(name)
        assert (at(stepper), stepper.moment.step.state.heap) == (f"{name or 'n1'}.1", heap)
        assert stepper.leave()
        assert not stepper.enter("n3")


def test_notes_point_at_what_there_is(bench: Bench, table: str) -> None:
    for wrong in (
        Annotation("x", glyphs=("splendid",)),
        Annotation("x", clauses=("PEB-NO-1",)),
        Annotation("x", marks=("z9",)),
    ):
        with pytest.raises(NotFound):
            annotate(bench, table, 4, wrong, by=By(SCRIBE))
    with pytest.raises(Unfit, match="exclude"):
        annotate(bench, table, 4, Annotation("x", glyphs=("good", "??")), by=By(SCRIBE))
    with pytest.raises(NotFound):
        annotate(bench, table, 44, Annotation("x"), by=By(SCRIBE))
    with pytest.raises(NotFound):
        annotate(bench, table, "n9.1", Annotation("x"), by=By(SCRIBE))
    glyphs = ("!", "winning", "novelty", "idea")
    annotate(bench, table, 4, Annotation("x", glyphs=glyphs), by=By(SCRIBE))
    assert bench.game(table).notes["n1"].glyphs == ("good", "winning", "novelty", "idea")


def test_a_removed_note_stays_in_the_record(bench: Bench, table: str) -> None:
    annotate(bench, table, 4, Annotation("hm"), by=By(SCRIBE))
    remove_note(bench, table, "n1", by=By(SCRIBE))
    game = bench.game(table)
    assert game.notes == {}
    assert [entry.data.KIND for entry in game.entries][-2:] == ["noted", "unnoted"]
    annotate(bench, table, 4, Annotation("hm"), by=By(SCRIBE))
    assert list(bench.game(table).notes) == ["n2"]
