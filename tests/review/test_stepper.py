"""Stepping through a game, to every kind of moment."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode

import pytest

from answers.context import Caller, StoreContext
from answers.i18n import Voice
from answers.line_words import glyph_text
from answers.play.moves import moves
from engines.kernel.messages.catalogue import LANGUAGES, Language
from referee.errors import NotFound, Unfit
from referee.table.author import SCRIBE, By
from referee.table.bench import Bench
from referee.table.corrections import correct, undo
from referee.table.notes import Annotation, annotate, remove_note
from referee.table.openings import open_game
from referee.table.play import log
from replays.exports.render_options import RenderOptions
from replays.formats import export_bytes
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


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_signs_of_a_note_on_a_variation_stand_behind_the_variation(
    bench: Bench, table: str, lang: Language
) -> None:
    """In the list of moves, in the score sheets and in the page: what was played is not judged."""
    lines = ("A take 1", "B take 2")
    annotate(bench, table, 4, Annotation("of these", glyphs=("blunder",), instead=lines))
    annotate(bench, table, "n1.2", Annotation("of that", glyphs=("blunder",)))
    annotate(bench, table, 4, Annotation("of it", glyphs=("blunder",)))
    game, voice = bench.game(table), Voice(lang)
    sign = glyph_text(voice, "blunder")
    (played,) = (
        row.remarks
        for row in moves(Caller(StoreContext(bench.store, bench), voice=voice), table).data.moves
        if row.number == 4
    )
    tried = [game.engine.text.tell_line(line, lang, {}) for line in lines]
    these, that, its = played
    assert all(these.index(line) < these.index(sign) for line in tried)
    assert that.startswith("n1.2")
    assert its == f"{sign} of it"
    options = RenderOptions(lang=lang)
    (noted,) = re.findall(r"n1 (.*?)<br>", export_bytes(bench, game, "md", options).decode())
    assert noted.index(")") < noted.index("??") < noted.index("of these")
    packed = re.search(rb'id="story">([^<]*)<', export_bytes(bench, game, "html", options))
    assert packed is not None
    told = json.loads(gzip.decompress(b64decode(packed[1])))["languages"][lang]
    (row,) = (one for one in told["lines"] if one.get("label") == "#4")
    assert row["extra"].count("??") == 1


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
