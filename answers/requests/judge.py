"""Requests of judges: disputes, rulings, penalties, other readings."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from answers.declaration import Params
from answers.limits import Clauses, EngineName, Readings, SeatLetter, TriedLines
from engines.kernel.registry import load_engine
from referee.judging.rulings import Decision
from referee.judging.what_if import Other
from referee.record.entries import Number, Reason, Remedy

Id = Annotated[str, Field(max_length=120)]


class RulingRequest(Params):
    reason: Reason
    remedy: Remedy = "none"
    dispute: Id | None = None
    numbers: Annotated[list[Number], Field(max_length=100)] = []
    clauses: Annotated[list[Id], Field(max_length=16)] = []
    lines: TriedLines = []
    stands: bool = False
    seat: SeatLetter | None = None
    level: Annotated[str, Field(max_length=60)] = ""
    authority: Annotated[str, Field(max_length=120)] = ""
    cite: Annotated[list[Id], Field(max_length=32)] = []
    overturns: Id | None = None
    readings: Readings = {}
    scope: Literal["game", "tournament"] = "game"
    dry_run: bool = False

    def to_args(self) -> dict[str, Any]:
        decision = Decision(
            reason=self.reason,
            remedy="corrected" if self.lines and self.remedy == "none" else self.remedy,
            dispute=self.dispute,
            numbers=tuple(self.numbers),
            clauses=tuple(name.upper() for name in self.clauses),
            lines=tuple(self.lines),
            stands=self.stands,
            seat=self.seat.upper() if self.seat else None,
            level=self.level,
            authority=self.authority,
            overturns=self.overturns,
            readings=self.readings,
            scope=self.scope,
        )
        return {"decision": decision, "cite": self.cite, "dry_run": self.dry_run}


class WhatIfRequest(Params):
    readings: Readings = {}
    house_rules: Clauses | None = None
    kit: dict[str, Any] = {}

    def to_args(self) -> dict[str, Any]:
        other = Other(
            readings=self.readings, house_rules=self.house_rules, kit=self.kit, engine=None
        )
        return {"other": other}


class WhatIfAllRequest(WhatIfRequest):
    engine: EngineName
    """Every game of this kind."""

    def to_args(self) -> dict[str, Any]:
        return {**super().to_args(), "engine": load_engine(self.engine).id}
