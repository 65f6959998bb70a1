"""Requests of judges: disputes, rulings, penalties, other readings."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from answers.requests.base import Params
from answers.requests.play import Line, Number, Words
from engines.kernel.registry import load_engine
from referee.judging.rulings import Decision
from referee.judging.what_if import Other
from referee.record.entries import Remedy

Lines = Annotated[list[Line], Field(max_length=100)]
Clause = Annotated[str | None, Field(max_length=40)]
Id = Annotated[str, Field(max_length=120)]


class DisputeRequest(Params):
    number: Number
    text: Words = ""
    seat: Annotated[str | None, Field(max_length=1)] = None
    clause: Clause = None
    holds: bool = False


class DisputesRequest(Params):
    open_only: bool = False


class AttendRequest(Params):
    off: bool = False
    """Leave it to others."""


class TrialLinesRequest(Params):
    correct: Lines = []
    """A correction that is tried as a remedy too."""
    stands: bool = False
    """Its lines happened, even where they are illegal."""


class DisputeTrialRequest(TrialLinesRequest):
    remedy: Remedy | None = None
    """The table after this remedy, instead of before the disputed action."""
    photo: bool = False
    """On the club's own board, where it has put one on a photograph."""


class RulingRequest(Params):
    reason: Annotated[str, Field(min_length=1, max_length=2000)]
    remedy: Remedy = "none"
    dispute: Id | None = None
    numbers: Annotated[list[Number], Field(max_length=100)] = []
    clauses: Annotated[list[Id], Field(max_length=16)] = []
    lines: Lines = []
    stands: bool = False
    seat: Annotated[str | None, Field(max_length=1)] = None
    level: Annotated[str, Field(max_length=60)] = ""
    authority: Annotated[str, Field(max_length=120)] = ""
    cite: Annotated[list[Id], Field(max_length=32)] = []
    overturns: Id | None = None
    readings: dict[str, str] = {}
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


class RulingsRequest(Params):
    game: str | None = None
    clause: Clause = None
    search: Annotated[str, Field(max_length=200)] = ""


class FeedRequest(Params):
    game: Annotated[str | None, Field(max_length=40)] = None
    address: Annotated[str, Field(max_length=200, pattern=r"^(https?://[^\s\"<>]+)?$")] = ""
    """The address of the site, for links to its pages."""


class SourceRequest(Params):
    source: Annotated[str, Field(min_length=1, max_length=120)]
    names: bool = False


class PenaltyRequest(Params):
    seat: Annotated[str, Field(max_length=1)]
    level: Annotated[str, Field(min_length=1, max_length=60)]
    reason: Words = ""

    def to_args(self) -> dict[str, Any]:
        return {**super().to_args(), "seat": self.seat.upper()}


class WhatIfRequest(Params):
    readings: dict[str, str] = {}
    house_rules: list[str] | None = None
    kit: dict[str, Any] = {}

    def to_args(self) -> dict[str, Any]:
        other = Other(
            readings=self.readings, house_rules=self.house_rules, kit=self.kit, engine=None
        )
        return {"other": other}


class WhatIfAllRequest(WhatIfRequest):
    engine: str
    """Every game of this kind."""

    def to_args(self) -> dict[str, Any]:
        return {**super().to_args(), "engine": load_engine(self.engine).id}
