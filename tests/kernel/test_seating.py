"""Openings in few words, over the tables of every game."""

from __future__ import annotations

import pytest

from engines.kernel.dialogue.opening_shorthand import only_one, opening_in_full
from engines.kernel.registry import load_engine
from tests.playing import playable_games, random_game, tables_of
from tools.measure.bench.bench_keys import opened_in_short


@pytest.mark.parametrize(
    ("game", "said", "meant"),
    [
        ("benevolent", "r b y f B", "A=red B=blue C=yellow first B"),
        ("benevolent", "blue purple first A", "A=blue B=purple first A"),
        (
            "benevolent",
            "A=red B=blue f A r leaf=lim",
            "A=red B=blue first A readings leaf_supply=limited",
        ),
        ("bethel_woods", "3 f C h s 2", "A B C first C level hard spies 2"),
        ("bethel_woods", "A B premier A", "A B first A"),
        ("bethel_woods", "3 C h 2", "A B C first C level hard spies 2"),
        ("bethel_woods", "A B B", "A B first B"),
        (
            "bloody_grove",
            "b g B r alt heap sy=r",
            "A=black B=green first B readings turn_order=alternate token_tracking=heap "
            "symbol_order=ruse_first",
        ),
        ("broom_service", "r b B back v storm", "A=red B=blue first B side back variants storm"),
        ("roundforest", "r@a1 bl@e5 f A h b", "A=red@a1 B=blue@e5 first A hard blocking"),
    ],
)
def test_a_table_is_opened_in_few_words(game: str, said: str, meant: str) -> None:
    assert opening_in_full(load_engine(game), f"table {said}") == f"table {meant}"


@pytest.mark.parametrize("said", ["", "x", "r b", "r b f", "r b f A z", "f f f", "r b f A r q=1"])
@pytest.mark.parametrize("game", playable_games())
def test_what_gives_no_table_stays_as_it_was_said(game: str, said: str) -> None:
    line, engine = f"table {said}".strip(), load_engine(game)
    full = opening_in_full(engine, line)
    assert full == line or engine.text(engine.read(full)) == full


@pytest.mark.parametrize("game", playable_games())
def test_an_opening_as_it_is_recorded_is_left_alone_and_found_again_from_less(game: str) -> None:
    engine = load_engine(game)
    for setup in list(tables_of(game).SETUPS)[:4]:
        line = engine.text(random_game(engine, setup, 1).opening)
        assert opening_in_full(engine, line) == line
        assert opening_in_full(engine, f"table {opened_in_short(engine, line)}") == line


def test_of_two_that_begin_alike_neither_is_meant() -> None:
    assert only_one("b", ["blue", "black"]) is None
    assert only_one("b", ["blue", "b"]) == "b"
    assert only_one("", ["blue"]) is None
