"""The row of a game in every list beside the game itself: whatever happened at its table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.archive.read_models import list_games
from referee.record.game import Game
from tests.record.random_tables import GAMES, STEPS, Step, table_of, tried, with_toy

DISPUTED: list[Step] = [("disputes", 0, 1), ("rules", 1, 4), ("appeals", 0, 0)]


def row_of(game: Game) -> dict[str, object]:
    """What a list says of a game, asked of the game."""
    return {
        "engine": game.engine.id,
        "title": game.opened.title,
        "people": dict(game.seats),
        "entries": len(game.entries),
        "actions": len(game.numbers()),
        "opened": game.entries[0].at,
        "updated": game.entries[-1].at,
        "closed": game.closed is not None,
        "seats": len(game.setting.seats),
        "disputes": len(game.disputes),
        # What waits is not judged yet, nor is a reading that was fixed behind it.
        **({} if game.waiting else {"readings": dict(game.setting.readings)}),
    }


@pytest.mark.parametrize("name", GAMES)
@tried(8)
@given(begun=st.integers(0, 12), steps=STEPS)
def test_a_list_says_of_a_game_what_the_game_says(name: str, begun: int, steps: list[Step]) -> None:
    with with_toy():
        told = [*steps[:4], *DISPUTED, *steps[4:]]
        table = table_of(name, begun, told)
        (row,) = list_games(table.bench.store)
        expected = row_of(table.game)
        assert {name: row[name] for name in expected} == expected
        assert bool(row["result"]) == row["closed"]
        assert row["open_disputes"] >= len(table.game.open_disputes())
