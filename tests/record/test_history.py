"""The history of a game: what became of everything that was said."""

from __future__ import annotations

from referee.record.history import history
from referee.table.bench import Bench
from referee.table.corrections import correct, redo, undo
from tests.record.test_bench import play


def became(bench: Bench, table: str) -> dict[int, str]:
    return {line.number: line.status for line in history(bench.game(table))}


def test_what_no_longer_counts_says_why(bench: Bench, table: str) -> None:
    play(bench, table, "take 2", "take 1", "take 3")
    undo(bench, table)
    assert became(bench, table) == {0: "counts", 1: "counts", 2: "counts", 3: "taken_back"}
    correct(bench, table, 2, ["take 3"])
    assert became(bench, table)[2] == "corrected"


def test_what_was_restored_and_then_corrected_away_was_not_taken_back(
    bench: Bench, table: str
) -> None:
    play(bench, table, "take 2", "take 1")
    undo(bench, table)
    redo(bench, table)
    correct(bench, table, 2, ["take 3"])
    assert became(bench, table) == {0: "counts", 1: "counts", 2: "corrected", 3: "counts"}


def test_what_waits_is_pending(bench: Bench, table: str) -> None:
    play(bench, table, "take 2", "take 1", "take 3", "take 1")
    correct(bench, table, 2, ["take 3"])
    assert became(bench, table)[3] == became(bench, table)[4] == "pending"
