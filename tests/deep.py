"""What only ``make check`` runs: long ways to faults that a shorter test finds too, nearly always.

``make test`` runs what is not marked ``deep``: of a list of long runs the first few, of a property
fewer examples. ``make check`` runs a sixteenth of the rest, another one after each commit;
``make deep`` runs all of it, and ``make chaos`` far more.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

DEEP = "deep: long; `make test` leaves it to `make check`"


def first(count: int, values: Iterable[object]) -> list[object]:
    """The values as parameters: after the first few, each is for ``make check`` alone."""
    return [
        value
        if number < count
        else pytest.param(
            *(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.deep
        )
        for number, value in enumerate(values)
    ]


def few_or_many(few: int, many: int) -> list[object]:
    """How many examples are tried: few by ``make test``, many by ``make check``."""
    return [few, pytest.param(many, marks=pytest.mark.deep)]
