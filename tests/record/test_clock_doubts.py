"""A clock that can hardly be right is questioned when something is recorded."""

from __future__ import annotations

import pytest

from answers.context import Caller, StoreContext
from answers.i18n import Voice
from answers.play import actions
from engines.kernel.messages.catalogue import LANGUAGES
from referee.store import open_store
from referee.table.bench import Bench
from referee.table.openings import open_game


def doubts(*times: str) -> list[list[str]]:
    """What is said of each action of a table that was opened at noon, logged at these times."""
    now = "2026-01-01T12:00:00.000Z"
    store = open_store("memory:")
    bench = Bench(store, clock=lambda: now)
    game = open_game(bench, "pebbles", "table A B first A").game.id
    caller = Caller(StoreContext(store, bench))
    told = []
    for number, at in enumerate(times):
        now = f"{at}T12:00:00.000Z"
        answered = actions.log(caller, game, [f"{'AB'[number % 2]} take {number + 1}"])
        assert answered.outcome == "done"
        for lang in LANGUAGES:
            assert all("{" not in Voice(lang).spoken(each) for each in answered.warnings)
        told.append([str(getattr(each, "key", each)) for each in answered.warnings])
    return told


@pytest.mark.parametrize("day", ["2026-01-01", "2026-01-20", "2026-02-28"])
def test_a_pause_is_no_doubt(day: str) -> None:
    assert doubts(day) == [[]]


def test_a_clock_far_ahead_is_questioned_at_once_and_remembered() -> None:
    """The first entry jumps, the later ones cannot go back."""
    assert doubts("2028-06-19", "2026-01-01", "2026-01-02") == [
        ["clock_doubt.jump"],
        ["clock_doubt.ahead"],
        ["clock_doubt.ahead"],
    ]
