"""Which clauses and readings of a game its cases have proven."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engines.kernel import Engine, Phrase, Reading
from referee.cases.runner import CaseRun


@dataclass
class Coverage:
    """Which clauses and readings of a game its cases have proven."""

    engine: Engine[Any, Any]
    cited: set[str] = field(default_factory=set)
    held: set[str] = field(default_factory=set)
    applied: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)
    readings: set[tuple[str, str]] = field(default_factory=set)

    def add(self, runs: Iterable[CaseRun]) -> None:
        for run in runs:
            self.cited |= run.cited
            self.held |= run.held
            self.applied |= run.applied
            self.shown |= run.shown
            self.readings |= run.readings

    @cached_property
    def missing(self) -> dict[str, Phrase]:
        """What has no case yet: clause or reading, and what kind of case it lacks."""
        lacking: dict[str, Phrase] = {}
        for clause in self.engine.clauses.values():
            lack = self._lack(clause.id, clause.kind)
            if lack is not None:
                lacking[clause.id] = Phrase(f"case.{lack}")
        for reading in self._judging_readings():
            for value in reading.values:
                if value != reading.default and (reading.id, value) not in self.readings:
                    lacking[f"{reading.id}={value}"] = Phrase("case.not_differing")
        return lacking

    def _judging_readings(self) -> list[Reading]:
        return [
            reading for reading in self.engine.readings.values() if reading.affects == "verdict"
        ]

    def _lack(self, clause: str, kind: str) -> str | None:
        if kind in ("rule", "structure", "kit"):
            if clause not in self.cited:
                return "not_broken"
            if clause not in self.held and clause not in self.shown:
                return "not_kept"
        if kind == "effect" and clause not in self.applied:
            return "not_shown"
        if kind == "claim" and clause not in self.cited:
            return "not_settled"
        if kind == "principle" and clause not in self.shown:
            return "not_named"
        return None

    def summary(self) -> Phrase:
        """How much is proven, in one line."""
        unchecked = sum(clause.kind == "unchecked" for clause in self.engine.clauses.values())
        total = len(self.engine.clauses) - unchecked
        values = sum(len(reading.values) - 1 for reading in self._judging_readings())
        clauses = sum(key in self.engine.clauses for key in self.missing)
        others = len(self.missing) - clauses
        told = {
            "game": self.engine.id,
            "proven": total - clauses,
            "total": total,
            "unchecked": unchecked,
            "shown": values - others,
            "values": values,
        }
        return Phrase("case.summary", told)
