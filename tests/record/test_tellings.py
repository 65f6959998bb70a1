"""A history is what happened, however it is told.

Line by line or several at once, in either language, by a scribe, by the seats' own phones or by
a judge, with slips that were taken back, with detours that were restored: the same history at
the table is the same game in the record.
"""

from __future__ import annotations

from itertools import chain, repeat
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kernel.messages.catalogue import Language
from engines.kernel.registry import load_engine
from referee.record.game import Game
from referee.table.author import Author, By
from referee.table.corrections import correct, redo, undo
from referee.table.openings import open_game
from referee.table.play import Heard, log, log_together
from tests.record.random_tables import (
    GAMES,
    JUDGE,
    OTHER,
    SCRIBE,
    lines_of,
    ticking_bench,
    tried,
)

LANGUAGES: tuple[Language, ...] = ("en", "fr")
LINES = 14
WAYS = ("one line", "together", "undone and restored", "after a slip", "inserted late")
Way = tuple[int, str, int, Language]
Telling = list[Way]
PLAINLY: Way = (1, "one line", 0, "en")


def _agreed(game: Game) -> tuple[object, ...]:
    """What all tellings must agree on: not who told it, when, or under which number."""
    assert game.engine.position_of is not None
    steps = [game.step(number) for number in game.numbers() if game.counts(number)]
    return (
        [game.engine.text(step.action) for step in steps if step.action is not None],
        [step.verdict.outcome for step in steps if step.verdict is not None],
        game.engine.position_of(game.state, game.setting),
        game.engine.options(game.setting, game.state),
    )


def _told(game: str, telling: Telling) -> Game:
    engine, bench = load_engine(game), ticking_bench()
    lines = lines_of(game)[: LINES + 1]
    said = {
        (line, language): engine.text(engine.read(line), language)
        for line in lines
        for language in LANGUAGES
    }
    opened = open_game(bench, game, lines[0], by=By(SCRIBE))
    assert isinstance(opened, Heard)
    at = opened.game.id
    left = list(lines[1:])
    ways = chain(telling, repeat(PLAINLY))
    while left:
        count, way, who, language = next(ways)
        batch, left = left[:count], left[count:]
        texts: list[str] = [said[line, language] for line in batch]
        author: Any = (SCRIBE, OTHER, JUDGE, _phone({engine.read(line).by for line in batch}))[who]
        if way == "together":
            heard, error = log_together(bench, at, [(text, None) for text in texts], author=author)
            assert error is None
            assert all(one.accepted for one in heard), texts
            continue
        for text in texts:
            assert log(bench, at, text, by=By(author)).accepted, text
        if way == "undone and restored":
            undo(bench, at, len(texts), by=By(SCRIBE))
            redo(bench, at, len(texts), by=By(OTHER))
        elif way == "after a slip":
            undo(bench, at, 1, by=By(OTHER))
            assert log(bench, at, texts[-1], by=By(SCRIBE)).accepted
        elif way == "inserted late":
            last = bench.game(at).last_number
            correct(bench, at, last, [texts[-1]], by=By(SCRIBE))
    return bench.game(at)


def _phone(seats: set[str | None]) -> Author:
    """The phone of whoever acts, if one did all of it: nobody tells what another one did."""
    (seat, *others) = seats
    return Author("pana", f"seat:{seat}") if seat and not others else OTHER


@pytest.mark.parametrize("game", [game for game in GAMES if game != "toy"])
@tried(6)
@given(
    telling=st.lists(
        st.tuples(
            st.integers(1, 5),
            st.sampled_from(WAYS),
            st.integers(0, 3),
            st.sampled_from(LANGUAGES),
        ),
        max_size=LINES,
    )
)
def test_one_history_is_one_game_however_it_is_told(game: str, telling: Telling) -> None:
    assert _agreed(_told(game, telling)) == _agreed(_told(game, []))
