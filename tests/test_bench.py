"""What the bench compares, and the table in which it ends. No time is asserted."""

from __future__ import annotations

import pytest

from tools.measure.bench import earlier
from tools.measure.bench.earlier import MEASURES, ROOT, Compared, engines_compared


def test_a_ratio_is_the_median_of_those_within_a_round() -> None:
    """A round in which the computer was busy makes both slow, and changes no ratio."""
    compared = Compared.of([(1.0, 2.0), (30.0, 60.0), (3.0, 4.0)], each=10)
    assert compared == Compared(now=0.1, then=0.2, ratio=0.5)


def test_two_versions_judge_the_same_games_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(earlier, "ROUNDS", 1)
    found = engines_compared(ROOT, ["bloody_grove"])
    assert found.keys() == {("bloody_grove", measure) for measure in MEASURES}
    assert all(each.now > 0 and each.then > 0 for each in found.values())
