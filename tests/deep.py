"""What ``make test`` leaves to ``make check``, which runs a share of it, another after each commit.

``dear`` are the tests that take most of the time, by ``dear.txt``: a quarter a commit, so that each
is asked within four. ``deep`` are long ways to faults that a shorter test finds too, nearly always:
a sixteenth a commit. ``make deep`` runs all of both, and ``make chaos`` far more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

DEEP = "deep: long; `make check` runs a sixteenth, `make deep` all"
DEAR = "dear: takes most of the time (tests/dear.txt); `make check` runs a quarter, `make deep` all"
SHARES = {"deep": 16, "dear": 4}
"""Of so many parts a commit runs one."""
DEAR_FILE = Path(__file__).with_name("dear.txt")
CHEAP = 1 / 5
"""The part of the whole time that ``make test`` may take."""


def function_of(nodeid: str) -> str:
    """A test without its parameters and the group that xdist puts behind it."""
    return nodeid.partition("[")[0].partition("@")[0]


def dear_functions() -> frozenset[str]:
    return frozenset(DEAR_FILE.read_text("utf-8").split())


def dearest(seconds: Mapping[str, float]) -> list[str]:
    """The functions whose tests take longest each, until the others take no more than they may.

    By test, not by function: a thousand quick cases are not dear.
    """
    by_function: dict[str, list[float]] = defaultdict(list)
    for nodeid, took in seconds.items():
        if not nodeid.endswith("::runTest"):  # of a state machine, which has no function to name
            by_function[function_of(nodeid)].append(took)
    rest = total = sum(seconds.values())
    dear = []
    for name in sorted(
        by_function, key=lambda name: -sum(by_function[name]) / len(by_function[name])
    ):
        if rest <= CHEAP * total:
            break
        rest -= sum(by_function[name])
        dear.append(name)
    return sorted(dear)


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
