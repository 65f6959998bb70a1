"""Judges' zones: whose tables are whose, so that calls are shown first to whoever is near.

A zone hides nothing: every judge has every call.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from referee.tournament.events import Zone

Nearness = Literal[0, 1, 2]


class Overlap(NamedTuple):
    """Tables that are in the zones of several judges."""

    first: int
    last: int
    judges: tuple[str, ...]


def judges_of(zones: Sequence[Zone], table: int) -> tuple[str, ...]:
    """In whose zone a table is, each judge once."""
    return tuple(dict.fromkeys(each.judge for each in zones if each.first <= table <= each.last))


def nearness(zones: Sequence[Zone], table: int, judge: str) -> Nearness:
    """In which order calls come to a judge: own zone, nobody's, somebody else's."""
    judges = judges_of(zones, table)
    return 0 if judge in judges else 2 if judges else 1


def overlaps(zones: Sequence[Zone]) -> list[Overlap]:
    tables = range(1, max((each.last for each in zones), default=0) + 1)
    found = []
    for judges, group in groupby(tables, lambda table: judges_of(zones, table)):
        if len(judges) > 1:
            run = list(group)
            found.append(Overlap(run[0], run[-1], judges))
    return found
