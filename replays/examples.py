"""Examples of clauses: the same questions that prove an engine, to be played by anybody.

They are made from the cases (``make examples``) and shipped beside the sample games.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Literal

from pydantic import BaseModel, ConfigDict

from referee.record.positions import PositionFile


class Example(BaseModel):
    """Lines from a start; of the last one a clause has something to say."""

    model_config = ConfigDict(frozen=True)

    start: int
    lines: tuple[str, ...]
    verdict: Literal["legal", "illegal", "undecided"]


class Examples(BaseModel):
    """The examples of one game, by clause."""

    model_config = ConfigDict(frozen=True)

    starts: tuple[PositionFile, ...] = ()
    clauses: Mapping[str, tuple[Example, ...]] = {}

    def of(self, clause: str) -> tuple[Example, ...]:
        return self.clauses.get(clause, ())


@cache
def examples(engine: str) -> Examples:
    """The examples that are shipped for a game; of a plug-in there may be none."""
    file = resources.files("replays").joinpath(f"samples/{engine}.json")
    return Examples.model_validate_json(file.read_bytes()) if file.is_file() else Examples()
