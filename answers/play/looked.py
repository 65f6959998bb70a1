"""What is seen of a table, as data."""

from typing import Any, Literal

from pydantic import Field

from answers.answer import Data
from answers.claims import ClaimAnswer
from answers.play.clocks import TableClockAnswer
from answers.verdicts import (
    ActionAnswer,
    Outcome,
    PointAnswer,
    VerdictAnswer,
)
from referee.record.history import Status


class StateAnswer(Data):
    game: str
    number: int
    state: dict[str, Any]
    words: list[str]
    claims: list[ClaimAnswer]
    clock: TableClockAnswer | None
    """As it stands now, whatever moment is shown."""
    status: Status
    """What became of the action: a position may be shown that no longer counts."""


class OptionAnswer(Data):
    notation: str
    action: ActionAnswer


class OptionsAnswer(Data):
    game: str
    options: list[OptionAnswer]
    in_silence: list[OptionAnswer]
    """Legal as well: they end what stands before them."""
    templates: list[str]
    names: dict[str, str]
    """What the words of these lines are called, where that is not what is written."""


class ChoiceRow(Data):
    word: str
    name: str
    """What it is called in the language of who asks."""
    complete: bool
    """The line is a legal action with it."""
    options: int
    """How many legal actions go on with it; 0 where they cannot be listed."""


class ChoicesAnswer(Data):
    game: str
    choices: list[ChoiceRow]


class ConsultedAnswer(PointAnswer):
    held: bool
    effect: bool


class WhyAnswer(VerdictAnswer):
    game: str
    notation: str
    consulted: list[ConsultedAnswer]
    readings: dict[str, str]
    status: Status | None
    """What became of a logged action; none of a line that is only asked about."""
    nearest: list[str] = Field(validation_alias="try", serialization_alias="try")


class MoveRow(Data):
    number: int
    seq: int
    at: str
    by: str
    seat: str | None
    text: str
    outcome: Outcome
    clauses: list[str]
    status: Status
    stands: bool
    notes: list[str]
    settled: Literal["cleared", "broken"] | None
    """What became of an undecided verdict, once it could be checked."""
    settled_by: str | None


class MovesAnswer(Data):
    game: str
    moves: list[MoveRow]


class DiffRow(Data):
    path: str
    before: Any
    after: Any


class DiffAnswer(Data):
    game: str
    changes: list[DiffRow]
