"""Tie-breaks by another program: gacrux reads our report file and computes them anew."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from gacrux.tiebreak import tiebreak
from gacrux.trf2json import trf2json


class Ranked(NamedTuple):
    rank: int
    values: tuple[Fraction, ...]


def read_report(report: str) -> Any:
    reader = trf2json()
    reader.parse_file(report, 0)
    assert reader.get_status() == 0, reader.chessjson["status"]
    return reader.get_tournament(1)


def tie_breaks(
    report: str, columns: Sequence[str], *, predetermined: bool = False
) -> dict[int, Ranked]:
    """Rank and values by starting number."""
    tournament = read_report(report)
    params = {
        "tiebreak": list(columns),
        "check": 0,
        "swiss": not predetermined,
        "pre_determined": predetermined,
    }
    answer = tiebreak(tournament, -1, params).compute_tiebreaks(tournament, params)
    return {
        row["cid"]: Ranked(row["rank"], tuple(Fraction(value) for value in row["tiebreakScore"]))
        for row in answer["competitors"]
    }
