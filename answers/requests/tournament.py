"""Requests of the tournament desk."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from answers.requests.base import Params
from answers.requests.play import Words
from answers.tournament.result_slips import Slip
from answers.tournament.standings import (
    OnTie,
)
from engines.kernel.messages.errors import first_mistake
from engines.kernel.registry import load_engine
from referee.errors import Misused
from referee.tournament.default_plans import usual_plan
from referee.tournament.errors import WORDS
from referee.tournament.interchange.json_csv import Entry, PlayerList
from referee.tournament.plan import Plan, SeatRange
from referee.tournament.values import Unplayed

Name = Annotated[str, Field(min_length=1, max_length=100)]
Round = Annotated[int | None, Field(ge=1, le=999)]
Table = Annotated[int, Field(ge=1, le=9999)]
Seed = Annotated[int | None, Field(ge=0, le=2**32 - 1)]
Minutes = Annotated[int, Field(ge=-10_000, le=10_000)]
Names = Annotated[list[Name], Field(max_length=2000)]
Format = Literal["swiss", "round_robin", "knockout", "pods", "league", "duplicate", "ladder"]


class Creating(Params):
    name: Name
    plan: Plan | None = None
    """A published plan; instead of it, the usual one of a game and a format."""
    game: str | None = None
    format: Format = "swiss"
    rounds: Annotated[int, Field(ge=1, le=99)] = 3

    def to_args(self) -> dict[str, Any]:
        return {"name": self.name, "plan": self._published()}

    def _published(self) -> Plan:
        if self.plan is not None:
            return self.plan
        if self.game is None:
            raise Misused("which_game_is_played")
        try:
            return usual_plan(load_engine(self.game).id, self.format, self.rounds)
        except ValidationError as error:
            problem = first_mistake(error, WORDS).phrase
            raise Misused("bad_plan", problem=problem) from None


class Marked(Params):
    current: Annotated[str | None, Field(max_length=80)] = None
    """The tournament that is marked in what is told."""


class Revising(Params):
    plan: Plan | None = None
    rounds: Annotated[int | None, Field(ge=1, le=99)] = None
    reason: Words


class AtEvent(Params):
    at: Annotated[int | None, Field(ge=0)] = None


class Registering(Params):
    players: Annotated[list[Entry], Field(min_length=1, max_length=2000)]
    fixed_table: Annotated[int | None, Field(ge=1)] = None
    namesake: bool = False


class Listing(Params):
    players: Annotated[list[Entry], Field(min_length=1, max_length=2000)]
    unread: Annotated[list[Name], Field(max_length=100)] = []
    """Columns of the list that nobody understood."""
    source: Annotated[str, Field(max_length=120)] = "list"

    def to_args(self) -> dict[str, Any]:
        return {"listed": PlayerList(self.players, self.unread), "source": self.source}


class CheckingIn(Params):
    names: Names = []
    everybody: bool = False


class Coming(Params):
    name: Name
    missed: Unplayed = "zero_bye"


class ComingLate(Coming):
    new: bool = False
    """Somebody else of a name that is known already."""


class Leaving(Params):
    name: Name
    reason: Words = ""


class Bye(Params):
    name: Name
    round: Annotated[int, Field(ge=1, le=999)]
    counts: Unplayed = "half_bye"


class Pairing(Params):
    round: Round = None
    seed: Seed = None


class Explaining(Pairing):
    meet: tuple[Name, Name] | None = None


class Which(Params):
    round: Round = None


class WhichTables(Which):
    player: Annotated[str | None, Field(max_length=100)] = None
    """The table of this player alone."""


class Swapping(Params):
    a: Name
    b: Name
    reason: Words = ""
    round: Round = None
    dry_run: bool = False


class Moving(Params):
    moves: Annotated[list[tuple[Table, Table]], Field(min_length=1, max_length=999)]
    round: Round = None


class Starting(Params):
    round: Round = None
    with_clock: bool = False


class Reopening(Params):
    round: Annotated[int, Field(ge=1, le=999)]
    reason: Words


class TableOpening(Params):
    table: Words = ""
    """What the opening line says besides what the tournament fixes."""
    round: Round = None
    players: Annotated[int | None, Field(ge=1, le=8)] = None
    again: bool = False


class Taking(Params):
    table: Annotated[int | None, Field(ge=1, le=9999)] = None
    """One table; by default all whose record is closed."""
    round: Round = None


class Told(Params):
    """How a table ended, as people say it."""

    places: list[Annotated[str, Field(max_length=200)]] = []
    scores: list[Annotated[str, Field(max_length=60)]] = []
    absent: list[Annotated[str, Field(max_length=60)]] = []
    measures: list[int] | None = None
    tie_order: Annotated[str, Field(max_length=40)] = ""
    timed_out: bool = False
    anyway: bool = False
    round: Round = None

    def to_args(self) -> dict[str, Any]:
        slip = Slip(
            self.places,
            self.scores,
            self.absent,
            self.measures,
            self.tie_order,
            self.timed_out,
            self.anyway,
        )
        of_slip = Told.model_fields.keys() - {"round"}
        others = {name: said for name, said in super().to_args().items() if name not in of_slip}
        return {"slip": slip, **others}


class Result(Told):
    reason: Words


class Reporting(Told):
    player: Annotated[str, Field(max_length=100)] = ""
    """Who says so; a player speaks for themselves."""


class Calling(Params):
    text: Words = ""
    player: Annotated[str, Field(max_length=100)] = ""
    round: Round = None


class AnsweringCall(Params):
    text: Words = ""


class ClockStart(Params):
    minutes: Annotated[int | None, Field(ge=1, le=10_000)] = None
    round: Round = None


class ClockReason(Params):
    reason: Words = ""
    round: Round = None


class Extending(ClockReason):
    minutes: Minutes
    table: Annotated[int | None, Field(ge=1)] = None


class Through(Params):
    through: Round = None


class Finals(Params):
    places: Annotated[int, Field(ge=2, le=64)]
    style: Literal["knockout", "top_table"] = "top_table"
    seats: SeatRange | None = None
    advance: Annotated[int, Field(ge=1, le=8)] = 1
    on_tie: OnTie = "better_seed"
    lot: Seed = None
    reason: Words = ""
    dry_run: bool = False


class Replacing(Params):
    name: Name
    substitute: Name
    reason: Words


class Editing(Params):
    name: Name
    club: Annotated[str | None, Field(max_length=80)] = None
    rating: Annotated[int | None, Field(ge=0, le=9999)] = None
    seed: Annotated[int | None, Field(ge=0, le=9999)] = None
    fixed_table: Annotated[int | None, Field(ge=0, le=999)] = None


class Merging(Params):
    name: Name
    other: Name
    reason: Words


class RoundCheckIn(Params):
    round: Annotated[int, Field(ge=1, le=999)]
    names: Names


class Unstarting(Params):
    round: Round = None
    reason: Words


class Together(Params):
    names: Names
    round: Round = None
    reason: Words = ""


class Results(Params):
    lines: Annotated[str, Field(max_length=60_000)]
    """A line a table: ``3 B A``, ``4 A=40 B=38``."""
    reason: Words = ""
    round: Round = None
    anyway: bool = False


class Closing(Params):
    anyway: bool = False


class Lot(Params):
    names: Names
    reason: Words
    seed: Seed = None


class TournamentPenalty(Params):
    name: Name
    halves: Annotated[int, Field(ge=0, le=1998)]
    """Half points taken away; none is a warning."""
    reason: Words
    clause: Annotated[str | None, Field(max_length=40)] = None


class TournamentReading(Params):
    game: str
    reading: Annotated[str, Field(max_length=80)]
    value: Annotated[str, Field(max_length=80)]
    reason: Words

    def to_args(self) -> dict[str, Any]:
        return {**super().to_args(), "game": load_engine(self.game).id}


class Paper(Params):
    format: Literal["html", "pdf"] = "html"
    round: Round = None
    url: Annotated[str, Field(max_length=500)] = ""
    """An address that is printed as a code, where the paper has one."""
    large: bool = False


class TournamentExport(Params):
    of: Literal["standings", "pairings", "players"] = "standings"
    round: Round = None
    raw_csv: bool = False
    to_pair: bool = False
    """Of ``trf``: a report from which another program pairs the next round."""
    named: bool = False
    """Of ``events``: with the names of the players."""


class Log(Params):
    name: Name
    game: str
    file: Annotated[str | None, Field(max_length=200)] = None
    """What the file is called, for whoever is told that it cannot be read."""
