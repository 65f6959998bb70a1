"""The published numbers are those of the engines, and of the naive models."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.perft.counting import POSITIONS, Position, counted, counted_naively
from tests.perft.page import ABOUT, PAGE, told


def named(position: Position) -> str:
    return f"{position.game}: {position.name}"


@pytest.mark.parametrize("position", POSITIONS, ids=named)
def test_the_engine_gives_the_published_numbers(position: Position) -> None:
    assert told(position) in PAGE.read_text("utf-8")


@pytest.mark.parametrize("less", [1, pytest.param(0, marks=pytest.mark.deep)])
@pytest.mark.parametrize("position", POSITIONS, ids=named)
def test_the_naive_model_gives_the_numbers_of_the_engine(position: Position, less: int) -> None:
    for depth in range(1, max(1, position.naive_depth - less) + 1):
        assert counted_naively(position, depth) == counted(position, depth)


def test_the_page_has_every_position_and_no_other() -> None:
    written = PAGE.read_text("utf-8")
    assert written.startswith(ABOUT)
    assert written.count("| ways |") == len(POSITIONS)


def test_every_game_that_has_a_model_has_positions() -> None:
    models = (Path(__file__).parents[1] / "models").glob("*.py")
    modelled = {path.stem for path in models if not path.stem.startswith(("test_", "_"))}
    assert {position.game for position in POSITIONS} == modelled


@pytest.mark.parametrize("position", POSITIONS, ids=named)
def test_silence_ends_nothing_there(position: Position) -> None:
    table = position.table
    unsaid = position.engine.rules.unsaid
    assert unsaid is not None
    assert table.setting.reading(unsaid.reading) != unsaid.value
