"""Looking for a move in all games, by its words in either language."""

from __future__ import annotations

import pytest

from answers.context import Caller, open_store_context
from answers.i18n import Voice
from answers.play.actions import log
from answers.play.corrections import correct
from answers.review.move_search import search
from referee.errors import NotAllowed
from referee.table.author import Author
from tests.answers.conftest import SETUP
from tests.opening import new_table


@pytest.fixture
def scribe() -> Caller:
    return Caller(open_store_context("memory:"))


def played(scribe: Caller, lines: list[str]) -> str:
    opened = new_table(scribe, "benevolent", "A=blue B=red first A")
    assert log(scribe, opened, [*SETUP, *lines]).outcome == "done"
    return opened


def found(caller: Caller, words: str) -> list[tuple[str, str]]:
    return [(move.game, move.line) for move in search(caller, words).data.moves]


def test_moves_are_found_by_all_their_words_in_either_language_the_latest_first(
    scribe: Caller,
) -> None:
    first, second = played(scribe, ["A step b1"]), played(scribe, ["A step b1"])
    for words in ("b1", "step b1", "A STEP B1", "pas b1", "b1 a"):
        assert found(scribe, words) == [(second, "A step b1"), (first, "A step b1")]
    assert found(scribe, "step b1 c1") == []


def test_what_components_are_called_finds_the_moves_that_name_them(scribe: Caller) -> None:
    game = played(scribe, [])
    for words in ("cheap_crystal", "cheap crystal", "cristal"):
        assert (game, SETUP[1]) in found(scribe, words)


def test_what_was_put_right_is_found_as_it_was_said_and_as_it_is(scribe: Caller) -> None:
    game = played(scribe, ["A step b1"])
    number = scribe.bench.game(game).steps[-1].number
    assert correct(scribe, game, number, ["A step c2"], reason="misheard").outcome == "done"
    assert found(scribe, "step c2") == [(game, "A step c2")]
    assert found(scribe, "step b1") == [(game, "A step b1")]


@pytest.mark.parametrize("words", ["", "-", '"', "step* OR pick", "b1' --x", "text:step", "🂡"])
def test_hostile_words_find_nothing_and_break_nothing(scribe: Caller, words: str) -> None:
    played(scribe, ["A step b1"])
    assert found(scribe, words) == []


def test_a_move_is_told_in_the_language_of_whoever_asks(scribe: Caller) -> None:
    played(scribe, ["A step b1"])
    answered = search(scribe.speaking(Voice("fr")), "step b1")
    (move,) = answered.data.moves
    assert (move.line, move.told) == ("A step b1", "A pas b1")
    assert answered.lines(Voice("fr"))[0].endswith("A pas b1")
    assert search(scribe, "nothing").lines(Voice("fr")) == ["aucune action trouvée"]


@pytest.mark.parametrize("role", ["seat:A", "spectator"])
def test_who_may_not_see_everything_does_not_search_everything(scribe: Caller, role: str) -> None:
    played(scribe, [])
    with pytest.raises(NotAllowed, match="needs_judge_view"):
        search(Caller(scribe.store_context, Author("pa", role)), "leaf")
