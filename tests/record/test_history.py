"""The history of a game: what became of everything that was said."""

from __future__ import annotations

from itertools import product

import pytest

from referee.record import history as histories
from referee.record.claims import Claim
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


FATES = ("open", "cleared", "broken")


@pytest.mark.parametrize("fates", [*product(FATES, repeat=2), *product(FATES, repeat=3)])
def test_several_claims_of_an_action_are_settled_by_one_broken_or_all_cleared(
    bench: Bench, table: str, fates: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    play(bench, table, "take 2", "take 1")
    made = [Claim(1, f"PEB-{at}", fate, at) for at, fate in enumerate(fates, 10)]  # type: ignore[arg-type]
    monkeypatch.setattr(histories, "claims", lambda game: {(c.number, c.clause): c for c in made})
    line = next(each for each in history(bench.game(table)) if each.number == 1)
    settled = "broken" if "broken" in fates else None if "open" in fates else "cleared"
    assert line.settled == settled
    by = {f"#{at}" for at, fate in enumerate(fates, 10) if fate == settled}
    assert line.settled_by in (by or {None})


def test_what_waits_is_pending(bench: Bench, table: str) -> None:
    play(bench, table, "take 2", "take 1", "take 3", "take 1")
    correct(bench, table, 2, ["take 3"])
    assert became(bench, table)[3] == became(bench, table)[4] == "pending"
