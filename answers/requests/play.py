"""Requests of a table: open, log, look, undo, close, confirm."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from answers.game_filter import Dispute, Outcome
from answers.requests.base import Params
from engines.kernel import Seat
from referee.record.positions import PositionFile
from referee.table.presets import Preset, check_preset

Line = Annotated[str, Field(max_length=2000)]
Lines = Annotated[list[Line | dict[str, Any]], Field(min_length=1, max_length=500)]
"""Actions in the words of the game, or as data."""
Words = Annotated[str, Field(max_length=2000)]
View = Annotated[str | None, Field(max_length=40, examples=["public", "seat:A", "judge"])]
Number = Annotated[int, Field(ge=0, le=1_000_000)]
Most = Annotated[int, Field(ge=1, le=500)]


class GameFilterFields(Params):
    """What may be asked of games: ``answers.game_filter``."""

    closed: bool | None = None
    engine: str | None = None
    player: str | None = None
    tournament: Annotated[str | None, Field(max_length=80)] = None
    since: Annotated[str | None, Field(max_length=30)] = None
    """A date, or the beginning of one."""
    until: Annotated[str | None, Field(max_length=30)] = None
    search: Annotated[str, Field(max_length=200)] = ""
    players: Annotated[int | None, Field(ge=1, le=8)] = None
    """How many sit at the table."""
    box: Annotated[str | None, Field(max_length=80)] = None
    reading: Annotated[str | None, Field(max_length=80)] = None
    """``name=value``."""
    clause: Annotated[str | None, Field(max_length=40)] = None
    """It was broken, disputed or ruled on; or one of that section (``BEN-MOVE``)."""
    dispute: Dispute | None = None
    result: Outcome | None = None
    won_by: Annotated[str | None, Field(max_length=80)] = None


class GamesRequest(GameFilterFields):
    current: Annotated[str | None, Field(max_length=80)] = None
    """The game that is marked in what is told."""
    start: Number = 0
    most: Most = 50


class NewTableRequest(Params):
    game: str
    """The engine: ``benevolent``…"""
    table: Words = ""
    """The opening line, with or without its first word."""
    players: dict[str, Annotated[str, Field(max_length=40)]] = {}
    kit: Annotated[str, Field(max_length=60)] | dict[str, Any] | None = None
    """The name of a kit of the game, or a kit file as data."""
    readings: dict[str, str] = {}
    house_rules: list[str] = []
    preset: Preset | None = None
    title: Annotated[str, Field(max_length=120)] = ""
    stands: bool = False

    def to_args(self) -> dict[str, Any]:
        preset = self.preset and check_preset(self.preset.model_dump(), self.preset.name)
        return {**super().to_args(), "preset": preset}


class BranchRequest(Params):
    game: Annotated[str, Field(max_length=80)]
    at: Number
    """The last action that the new game begins with."""
    title: Annotated[str, Field(max_length=120)] = ""


class ActionsRequest(Params):
    lines: Lines
    stands: bool = False
    """It really happened, whatever the rules say."""
    after: Number | None = None
    """The number of the last action that the caller has seen."""


class PositionRequest(Params):
    position: PositionFile
    lines: Annotated[list[Line], Field(min_length=1, max_length=500)]


class TrialRequest(Params):
    lines: Annotated[list[Line], Field(max_length=100)] = []
    at: Number | None = None
    shape: Literal["tall", "wide"] = "tall"
    photo: bool = False
    """On the club's own board, where it has put one on a photograph."""


class PositionTrialRequest(Params):
    position: PositionFile
    lines: Annotated[list[Line], Field(max_length=100)] = []
    shape: Literal["tall", "wide"] = "tall"
    photo: bool = False
    """On the club's own board, if the position has its map and the caller may see its box."""


class MomentRequest(Params):
    at: Number | None = None


class AtRequest(MomentRequest):
    view: View = None


class PictureRequest(AtRequest):
    shape: Literal["tall", "wide"] = "tall"
    names: bool = False
    """Whether the people at the table are called by their names."""
    noted: bool = False
    """With the marks and arrows of the notes on it, and every space named."""
    photo: bool = False
    """On the club's own board, where it has put one on a photograph."""


class PrefixRequest(Params):
    prefix: Annotated[str, Field(max_length=200)] = ""
    at: Number | None = None


class BegunLineRequest(Params):
    prefix: Annotated[str, Field(max_length=1000)] = ""
    """The words of a line so far."""


class WhyRequest(Params):
    line: Line
    """A line, or the number of an action that was logged."""
    at: Number | None = None

    def to_args(self) -> dict[str, Any]:
        return {"line": self.line.split(), "at": self.at}

    @classmethod
    def from_args(cls, args: dict[str, Any]) -> dict[str, Any]:
        return {**args, "line": " ".join(args["line"])}


class CouldHoldRequest(Params):
    seat: Annotated[str, Field(max_length=1)]
    thing: Annotated[str, Field(max_length=80)]
    """Its code, or its name in either language."""
    at: Number | None = None


class MovesRequest(Params):
    start: Number = 0
    by: Annotated[str | None, Field(max_length=1)] = None
    containing: Annotated[str | None, Field(max_length=200)] = None
    everything: bool = False
    bare: bool = False
    """Told in as many lines as there are actions, without what they moved."""
    view: View = None


class BetweenRequest(Params):
    start: Number
    end: Number | None = None
    fields: bool = False
    """Told by the fields of the position."""
    view: View = None


class UndoRequest(Params):
    count: Annotated[int, Field(ge=1, le=10_000)] = 1
    to: Number | None = None
    reason: Words = ""


class RedoRequest(Params):
    count: Annotated[int, Field(ge=1, le=10_000)] = 1


class CorrectionRequest(Params):
    number: Number
    lines: Annotated[list[Line], Field(max_length=500)] = []
    remove: Annotated[int, Field(ge=0, le=10_000)] = 1
    drop: bool = False
    keep: bool = False
    stands: bool = False
    back: bool = False
    """Undo the last correction, which was made at this number."""
    seats: dict[Seat, Annotated[str, Field(min_length=1, max_length=100)]] = {}
    """Names of people who sit there from now on."""
    reason: Words = ""
    dry_run: bool = False


class AdjustmentRequest(Params):
    changes: dict[str, Any]
    reason: Words
    whole: bool = False
    """The changes are a whole position."""
    stands: bool = False
    """The table is so, though no table can show it."""


class ReasonRequest(Params):
    reason: Words = ""


class ClockTimeRequest(ReasonRequest):
    """The time that everybody has, or how much more is given."""

    seconds: Annotated[int, Field(ge=0, le=360_000)] | None = None
    """Zero takes the clock away."""
    per: Literal["seat", "round"] = "seat"
    at_zero: Literal["nothing", "judge"] = "nothing"
    increment: Annotated[int, Field(ge=0, le=36_000)] = 0
    """Seconds that a seat is given whenever its turn is over."""
    seat: Seat | None = None
    given: Annotated[int, Field(ge=-360_000, le=360_000)] = 0


class EndingRequest(ReasonRequest):
    yes: bool = False
    """Also with disputes or sealed values still open."""


class GoodReasonRequest(Params):
    reason: Annotated[str, Field(min_length=1, max_length=2000)]


class UptoRequest(Params):
    entry: Number | None = None
    """Up to this entry; by default all that was said."""
