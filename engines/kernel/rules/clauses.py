"""Clauses and readings: what a rulebook says, and where it can be read in two ways."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, model_validator

from engines.kernel.messages.catalogue import Language
from engines.kernel.values.models import STRICT
from engines.kernel.values.versions import VERSION, age

Kind = Literal["rule", "structure", "kit", "effect", "claim", "principle", "unchecked"]
_STRAIGHT = re.compile(r"(?<=[\w}])'")


def typographic(text: str) -> str:
    """With the apostrophe that is printed, whichever one was typed into a file of clauses."""
    return _STRAIGHT.sub("’", text)


Prose = Annotated[str, AfterValidator(typographic)]


class Text(BaseModel):
    model_config = STRICT

    en: Prose
    fr: Prose

    def say(self, lang: Language) -> str:
        return self.fr if lang == "fr" else self.en


def _several(sentences: Any) -> Any:
    return sentences if isinstance(sentences, list | tuple) else (sentences,)


Sentences = Annotated[tuple[Text, ...], BeforeValidator(_several)]
"""One, or several for facts of different names; none where the facts are data alone."""


class Clause(BaseModel):
    """One testable statement of a rulebook, in our own words.

    Kinds: ``rule`` can be broken, and set aside; ``structure`` can be broken but not set
    aside (play could not go on); ``kit`` is a demand on the box; ``effect`` happens by
    itself; ``claim`` can only be settled later; ``principle`` is shown by what other
    clauses allow or refuse; ``unchecked`` no referee at a table could check (say why).
    """

    model_config = STRICT

    id: str = Field(pattern=r"^[A-Z]{3}-[A-Z]+-[0-9]+[a-z]?$")
    section: str
    kind: Kind
    en: Prose
    fr: Prose
    because: Sentences | None = None
    """How the facts of a breach are told: by the first sentence whose facts are all there."""
    told: Sentences | None = None
    """How the facts of an effect are told."""
    under: dict[str, dict[str, Text]] = {}
    """What it says instead where a reading has a certain value."""
    routine: bool = False
    """Whether what it says goes without saying: told only to those who want all of it."""
    settled_by: tuple[str, ...] = ()
    """Other clauses whose findings settle what was claimed under this one."""
    reason: Text | None = None
    """Why an unchecked clause cannot be checked."""

    @model_validator(mode="after")
    def _unchecked_has_a_reason(self) -> "Clause":
        if (self.kind == "unchecked") != (self.reason is not None):
            raise ValueError(f"{self.id}: a reason belongs to an unchecked clause")
        return self

    def say(self, lang: Language, readings: Mapping[str, str] | None = None) -> str:
        """Its text under the readings in force."""
        if (name := self.worded_by(readings)) is not None and readings is not None:
            return self.under[name][readings[name]].say(lang)
        return self.fr if lang == "fr" else self.en

    def worded_by(self, readings: Mapping[str, str] | None) -> str | None:
        """The reading under which its text differs from the default."""
        known = readings or {}
        return next((name for name in self.under if known.get(name) in self.under[name]), None)


class Reading(BaseModel):
    """A point the rulebook leaves open and its possible interpretations, the default first."""

    model_config = STRICT

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    ambiguity: str
    question: Text
    values: dict[str, Text]
    why: Text
    """Why the default is the default."""
    contested: bool = False
    """Whether the rulebook contradicts itself here, so that every table is asked."""
    changeable: Literal["opening", "any"] = "any"
    players: tuple[int, ...] = ()
    """The numbers of players that it matters to; all of them where none is named."""
    played_with: tuple[str, ...] = ()
    """The words of the opening that it matters with, any of them; always where none is named."""
    affects: Literal["verdict", "view"] = "verdict"
    """Whether it decides what is legal, or only what a seat may see."""
    clauses: tuple[str, ...] = ()
    since: str = Field(default="", pattern=rf"^$|{VERSION}")
    """The version of the engine that brought this reading; empty if it was there from the first."""
    before: str = ""
    """Which value tells what engines before that did; empty if it is the default."""

    @model_validator(mode="after")
    def _before_is_a_value(self) -> "Reading":
        if self.before and (not self.since or self.before not in self.values):
            raise ValueError(f"reading {self.id}: before names no value, or since is missing")
        return self

    @property
    def default(self) -> str:
        return next(iter(self.values))

    def under(self, version: str) -> str:
        """The value it had in an engine of that version, for a record that does not pin it."""
        is_older = self.since != "" and age(version, than=self.since) == "older"
        return self.before if is_older and self.before else self.default


def read_clauses(data: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Clause]:
    return {key: Clause.model_validate({"id": key, **entry}) for key, entry in data.items()}


def read_readings(data: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Reading]:
    return {key: Reading.model_validate({"id": key, **entry}) for key, entry in data.items()}
