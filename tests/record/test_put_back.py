"""A correction is undone as one thing, and another person sits down: the record keeps both."""

from __future__ import annotations

import random
from typing import Any

import pytest

from answers.context import Caller, open_store_context
from answers.play.corrections import correct
from answers.play.info import info
from answers.play.opening import open_table
from referee.errors import Conflicting
from referee.proof.verify import verify
from referee.record.game import Game
from referee.table.corrections import correct as corrected
from referee.table.corrections import latest_correction, put_back, undo
from referee.table.play import log
from replays.gallery import sample, samples
from tests.playing import tables_of


class Played:
    """A sample game, as far as its middle."""

    def __init__(self, engine: str) -> None:
        recorded = sample(engine)
        opening, *steps = [step for step in recorded.steps if step.action is not None]
        self.caller = Caller(open_store_context("memory:"))
        line = recorded.engine.text(opening.action)
        self.id = open_table(self.caller, engine, line, players={"A": "Ana"}).data.game
        self.bench = self.caller.store_context.bench
        for step in steps[: len(steps) // 2]:
            log(self.bench, self.id, recorded.engine.text(step.action), stands=step.item.stands)

    @property
    def game(self) -> Game:
        return self.bench.game(self.id)

    def legal_instead(self, back: int) -> list[str]:
        """One of the other actions that were legal there; none, if it was forced."""
        game = self.game
        step, then = game.step(game.numbers()[-back]), game.before(game.numbers()[-back])
        found = game.engine.options(then.setting, then.state)
        others = [game.engine.text(each) for each in found if each != step.action]
        return others[-1:]

    @property
    def holds(self) -> bool:
        return verify(self.id, [*self.bench.store.read(self.id)]).ok

    @property
    def lines(self) -> list[str]:
        game = self.game
        return [game.engine.text(step.action) for step in game.steps if step.action is not None]


@pytest.mark.parametrize("engine", samples())
@pytest.mark.parametrize("back", [1, 4])
def test_an_undone_correction_leaves_the_game_as_it_was(engine: str, back: int) -> None:
    """Whether the action was replaced or dropped, and whatever had to wait because of it."""
    played = Played(engine)
    before = played.lines
    for lines in ([], played.legal_instead(back)):
        number = played.game.numbers()[-back]
        corrected(played.bench, played.id, number, lines)
        assert played.lines != before
        assert latest_correction(played.game) is not None
        put_back(played.bench, played.id, number)
        assert played.lines == before
        assert not played.game.waiting
    assert played.holds


def test_a_correction_of_the_opening_is_undone() -> None:
    played = Played("benevolent")
    before = played.lines
    corrected(played.bench, played.id, 0, ["table A=red B=blue first A"])
    assert played.lines != before
    put_back(played.bench, played.id, 0)
    assert played.lines == before


def openings(game: str) -> list[str]:
    """Some tables as the tests set them up, by the line that opens each."""
    ways = tables_of(game).SETUPS.values()
    made = (begin(random.Random(seed))[0] for begin in ways for seed in range(3))
    return [line for line in dict.fromkeys(made) if " readings " not in line][:4]


@pytest.mark.parametrize("game", samples())
def test_of_several_openings_the_one_before_comes_back(game: str) -> None:
    """Each as it was said last, not as the table was opened first."""
    caller = Caller(open_store_context("memory:"))
    bench = caller.store_context.bench
    first, *others = openings(game)
    table = open_table(caller, game, first).data.game

    def opened() -> str:
        action = bench.game(table).steps[0].action
        assert action is not None
        return bench.game(table).engine.text(action)

    told = [opened()]
    for line in others:
        corrected(bench, table, 0, [line])
        told.append(opened())
        put_back(bench, table, 0)
        assert opened() == told[-2]
        put_back(bench, table, 0)
        assert opened() == told[-1]
    assert len({*told}) > 1


def test_what_was_undone_can_be_corrected_again_by_the_same_button() -> None:
    played = Played("benevolent")
    number = played.game.last_number
    corrected(played.bench, played.id, number, [])
    shorter = played.lines
    put_back(played.bench, played.id, number)
    again = info(played.caller, played.id).data.corrected
    assert again is not None
    correct(played.caller, played.id, again, back=True)
    assert played.lines == shorter


def test_only_the_last_change_of_the_line_is_undone_so() -> None:
    played = Played("benevolent")
    number = played.game.last_number
    assert info(played.caller, played.id).data.corrected is None
    corrected(played.bench, played.id, number, [])
    assert info(played.caller, played.id).data.corrected == number
    with pytest.raises(Conflicting):
        put_back(played.bench, played.id, number - 1)
    undo(played.bench, played.id)
    assert info(played.caller, played.id).data.corrected is None
    with pytest.raises(Conflicting):
        put_back(played.bench, played.id, number)


def test_another_person_sits_down_and_the_line_stays() -> None:
    played = Played("benevolent")
    before = played.lines
    told: Any = correct(played.caller, played.id, 0, seats={"A": "Cleo"})
    assert told.lines(played.caller.voice) == ["Cleo now plays A"]
    assert info(played.caller, played.id).data.seats["A"] == "Cleo"
    assert played.lines == before
    assert played.holds
