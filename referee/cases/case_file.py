"""Case files: a position or a log, some lines, the verdicts they must get. See docs/cases.md."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from engines.kernel import Flaw
from engines.kernel.messages.errors import first_mistake
from engines.kernel.rules.actions import PlainText
from engines.kernel.values.versions import VERSION
from referee.untrusted.safe_toml import UnsafeToml, parse_toml


class CaseError(Flaw):
    """A case file that cannot be read: what and where."""


_STRICT = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Given(BaseModel):
    """A starting point that several cases share."""

    model_config = _STRICT

    log: str = ""
    """The story so far in the scribe's notation; every line must be accepted."""
    position: dict[str, JsonValue] | None = None
    """What lies on the table after the log."""
    stands: bool = False
    """The position itself breaks a rule, and is the real table's."""
    readings: dict[str, str] = {}
    """How this table understands ambiguities, if not by default."""
    house_rules: tuple[str, ...] = ()
    """Clauses that this table sets aside."""
    kit: dict[str, JsonValue] = {}
    """Data of the box that this table declares, by path."""
    engine: str = Field(default="", pattern=f"{VERSION}|^$")
    """The version of the engine that began the record, if it was not today's."""


class Case(Given):
    """One question about the rules with its answer."""

    name: PlainText = Field(min_length=1, max_length=300)
    given: str | None = None
    """The starting point, one of those in the file."""
    lines: str
    """Actions with the expected verdicts, facts and options."""
    shows: tuple[str, ...] = ()
    """Clauses (principles, mostly) that this case shows without citing them."""


class CaseFile(BaseModel):
    """Cases of one game."""

    model_config = _STRICT

    game: str
    about: PlainText = ""
    given: dict[str, Given] = {}
    case: tuple[Case, ...]

    @model_validator(mode="after")
    def _givens_exist(self) -> CaseFile:
        for case in self.case:
            if case.given is not None and case.given not in self.given:
                raise Flaw("no_such_given", case=case.name, given=case.given)
        return self

    def start_of(self, case: Case) -> Given:
        """The given of a case with the case's own additions."""
        base = self.given[case.given] if case.given is not None else Given()
        return Given(
            log="\n".join(part for part in (base.log, case.log) if part),
            position=case.position if case.position is not None else base.position,
            stands=case.stands or base.stands,
            readings={**base.readings, **case.readings},
            house_rules=(*base.house_rules, *case.house_rules),
            kit={**base.kit, **case.kit},
            engine=case.engine or base.engine,
        )


def read_cases(text: str | bytes, where: str = "case file") -> CaseFile:
    try:
        written = text if isinstance(text, bytes) else text.encode()
        return CaseFile.model_validate(parse_toml(written))
    except UnsafeToml as error:
        raise CaseError("at", place=where, problem=error.phrase) from None
    except ValidationError as error:
        raise CaseError("at", place=where, problem=first_mistake(error).phrase) from None
