"""Clauses and readings: what a rulebook says, and where it can be read in two ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from engines.kernel.words import Language

Kind = Literal["rule", "structure", "kit", "effect", "claim", "principle", "unchecked"]


class Text(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    en: str
    fr: str

    def say(self, lang: Language) -> str:
        return self.fr if lang == "fr" else self.en


class Clause(BaseModel):
    """One testable statement of a rulebook, in our own words.

    Kinds: ``rule`` can be broken, and set aside; ``structure`` can be broken but not set
    aside (play could not go on); ``kit`` is a demand on the box; ``effect`` happens by
    itself; ``claim`` can only be settled later; ``principle`` is shown by what other
    clauses allow or refuse; ``unchecked`` no referee at a table could check (say why).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=r"^[A-Z]{3}-[A-Z]+-[0-9]+[a-z]?$")
    section: str
    kind: Kind
    en: str
    fr: str
    because: Text | None = None
    """A sentence made of the facts of a breach."""
    reason: str | None = None
    """Why an unchecked clause cannot be checked."""

    @model_validator(mode="after")
    def _unchecked_has_a_reason(self) -> Clause:
        if (self.kind == "unchecked") != (self.reason is not None):
            raise ValueError(f"{self.id}: a reason belongs to an unchecked clause")
        return self

    def say(self, lang: Language) -> str:
        return self.fr if lang == "fr" else self.en


class Reading(BaseModel):
    """A known ambiguity and its possible interpretations, the default first."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    ambiguity: str
    question: Text
    values: dict[str, Text]
    why: Text
    """Why the default is the default."""
    changeable: Literal["opening", "any"] = "any"
    affects: Literal["verdict", "view"] = "verdict"
    """Whether it decides what is legal, or only what a seat may see."""
    clauses: tuple[str, ...] = ()

    @property
    def default(self) -> str:
        return next(iter(self.values))


_CLAUSE = TypeAdapter(Clause)
_READING = TypeAdapter(Reading)


def read_clauses(data: Mapping[str, Any]) -> dict[str, Clause]:
    return {key: _CLAUSE.validate_python({"id": key, **entry}) for key, entry in data.items()}


def read_readings(data: Mapping[str, Any]) -> dict[str, Reading]:
    return {key: _READING.validate_python({"id": key, **entry}) for key, entry in data.items()}
