"""Measuring: enough repetitions to mean something, in a table of plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import process_time, process_time_ns
from typing import NamedTuple


class Figure(NamedTuple):
    """A line of the table in which a run ends: today beside 0.1.0, the peer and the limit."""

    what: str
    today: str
    earlier: str = ""
    peer: str = ""
    limit: str = ""


SECONDS = 3.0
"""How long each rate is measured, in time of the processor."""


def per_second(plays: Sequence[Callable[[], int]]) -> list[float]:
    """How much each gets done in a second at its best; it says how much it has done.

    They take turns, so that all of them meet the machine's quiet moments.
    """
    best = [0.0] * len(plays)
    end = process_time() + SECONDS * len(plays)
    while process_time() < end:
        for index, play in enumerate(plays):
            start = process_time()
            done = play()
            best[index] = max(best[index], done / (process_time() - start))
    return best


def timed(calls: Iterable[Callable[[], object]]) -> list[float]:
    """How long each call takes, in microseconds, sorted."""
    times = []
    for call in calls:
        start = process_time_ns()
        call()
        times.append((process_time_ns() - start) / 1000)
    return sorted(times)


def percentile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def print_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    print(f"\n{title}\n")
    for index, line in enumerate(lines):
        cells = [cell.rjust(width) for cell, width in zip(line, widths, strict=True)]
        print("  ".join([line[0].ljust(widths[0]), *cells[1:]]).rstrip())
        if index == 0:
            print("  ".join("-" * width for width in widths))
