"""The map of a hall: where tables stand, as an organiser says it in a few words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from referee.errors import Misused
from referee.tournament.events import HallRow

ROWS = re.compile(r"([1-9][0-9]?)\s*[x×*]\s*([1-9][0-9]?)")
RANGE = re.compile(r"([1-9][0-9]{0,2})(?:\s*[-–]\s*([1-9][0-9]{0,2}))?")
PART = re.compile(r"[\s,]+")
BESIDE = re.compile(r"\s*([-–])\s*")


def rows_told(lines: Sequence[str]) -> tuple[HallRow, ...]:
    """``8x16``: eight rows of sixteen tables, numbered on. ``A: 1-12`` is a row by name; its tables
    stand as they are told: ``B: 24-13, 25``."""
    rows: list[HallRow] = []
    for line in filter(None, (line.strip() for line in lines)):
        rows += _rows_of(line, max((t for row in rows for t in row.tables), default=0))
    counted = Counter(table for row in rows for table in row.tables)
    if twice := [table for table, places in counted.items() if places > 1]:
        raise Misused("stands_twice", table=twice[0])
    return tuple(rows)


def _rows_of(line: str, last: int) -> Iterator[HallRow]:
    if (several := ROWS.fullmatch(line)) is not None:
        count, wide = int(several[1]), int(several[2])
        if last + count * wide > 999:
            raise Misused("bad_hall_row", text=line)
        for first in range(last + 1, last + count * wide + 1, wide):
            yield HallRow(tables=tuple(range(first, first + wide)))
        return
    name, colon, told = line.rpartition(":")
    parts = [RANGE.fullmatch(part) for part in PART.split(BESIDE.sub(r"\1", told.strip()))]
    tables = [table for part in parts if part is not None for table in _tables_of(part)]
    if None in parts or len(tables) > 99 or len(name.strip()) > 24 or (colon and not name.strip()):
        raise Misused("bad_hall_row", text=line)
    yield HallRow(name=name.strip(), tables=tuple(tables))


def _tables_of(part: re.Match[str]) -> range:
    first, last = int(part[1]), int(part[2] or part[1])
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


def row_text(row: HallRow) -> str:
    """A row as it can be told again."""
    runs: list[list[int]] = []
    for table in row.tables:
        run = runs[-1] if runs else [table]
        step = table - run[-1]
        if runs and abs(step) == 1 and (len(run) == 1 or step == run[1] - run[0]):
            run.append(table)
        else:
            runs.append([table])
    told = ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)
    return f"{row.name}: {told}" if row.name else told
