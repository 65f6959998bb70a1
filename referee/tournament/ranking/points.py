"""Tournament points as whole numbers.

What people write down – scoring tables, penalties – counts **half points**: a win at chess is
2, a draw 1. What is computed counts **units**, 5040 to the point: half points can then be
shared exactly by any table of up to ten seats, and no total is ever rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from referee.tournament.plan import LadderScoring

POINT = 5040
HALF = POINT // 2


def units(halves: int) -> int:
    return halves * HALF


def in_points(amount: int) -> Fraction:
    return Fraction(amount, POINT)


def shared(table: Sequence[int], place: int, tied: int) -> int:
    """Units for a place that ``tied`` seats share: the mean of the places they cover.

    ``table`` holds half points by place; places beyond its end are worth nothing.
    """
    covered = table[place - 1 : place - 1 + tied]
    return units(sum(covered)) // tied


def decimal(value: Fraction | int, digits: int = 2) -> str:
    """Format a value for people: rounded half up, without trailing zeros."""
    scale = 10**digits
    value = Fraction(value)
    whole, rest = divmod(int(abs(value) * scale + Fraction(1, 2)), scale)
    shown = f"{whole}.{rest:0{digits}}".rstrip("0").rstrip(".")
    return f"-{shown}" if value < 0 and (whole or rest) else shown


def ladder_key(scoring: LadderScoring, measures: Sequence[int]) -> tuple[int, ...]:
    """A sort key in which greater is better, whatever each measure counts."""
    return tuple(
        value if measure.better == "more" else -value
        for measure, value in zip(scoring.measures, measures, strict=True)
    )
