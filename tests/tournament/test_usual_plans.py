"""The usual plans: points that are fair at every table, and FIDE's edition of the day."""

from __future__ import annotations

from fractions import Fraction

import pytest

from referee.tournament.default_plans import edition_on, points_at, usual_plan
from referee.tournament.plan import PlaceScoring


@pytest.mark.parametrize("size", range(2, 9))
def test_no_size_of_table_is_worth_more_than_another(size: int) -> None:
    points = points_at(size)
    assert list(points) == sorted(points, reverse=True)
    assert (points[0], points[-1], len(points)) == (8, 0, size)
    if size > 2:
        assert abs(Fraction(sum(points), size) - Fraction(sum(points_at(4)), 4)) <= Fraction(1, 4)


def test_the_usual_points_name_every_size_that_can_be_paired() -> None:
    plan = usual_plan("broom_service", "pods", 4)
    assert isinstance(plan.scoring, PlaceScoring)
    sizes = {str(size) for size in range(plan.seats.least, plan.seats.most + 1)} - {"4"}
    assert set(plan.scoring.by_size) == sizes


@pytest.mark.parametrize(
    ("day", "edition"),
    [("2026-02-28", "fide_2024"), ("2026-03-01", "fide_2026"), ("2030-01-01", "fide_2026")],
)
def test_the_edition_follows_the_day(day: str, edition: str) -> None:
    assert edition_on(day) == edition
