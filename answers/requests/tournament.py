"""Requests of the tournament desk."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import Base64Bytes, Field, ValidationError

from answers.declaration import Params
from answers.limits import (
    AnyName,
    EngineName,
    EntryNumber,
    Id,
    Name,
    SeatsWords,
    SeatWords,
)
from answers.tournament.prizes import read_prizes
from answers.tournament.result_slips import Slip
from engines.kernel import Flaw
from engines.kernel.messages.errors import first_mistake
from engines.kernel.registry import load_engine
from referee.errors import Misused
from referee.record.entries import Remark
from referee.tournament import values
from referee.tournament.default_plans import Model, edition_on, usual_plan
from referee.tournament.errors import WORDS
from referee.tournament.events import (
    MOST_PRIZES,
    Prize,
)
from referee.tournament.interchange.json_csv import (
    PlayerList,
    PlayerRow,
    read_players,
)
from referee.tournament.plan import (
    Deal,
    DealRef,
    HouseRules,
    Match,
    PenaltyLevel,
    Plan,
    Scoring,
    SeatRange,
    TimeRule,
)
from referee.untrusted.safe_csv import decoded

Format = Literal[
    "swiss",
    "round_robin",
    "knockout",
    "double_elimination",
    "pods",
    "league",
    "duplicate",
    "ladder",
]


_RULES = (
    "seats", "scoring", "tie_breaks", "readings", "house_rules", "presets", "time",
    "table_numbers", "check_in", "unplayed_rounds", "penalties", "match",
)  # fmt: skip
"""What a plan may say otherwise than usual."""


class RulesRequest(Params):
    """The usual plan of a game and a format, and what is otherwise in this one."""

    game: EngineName | None = None
    games: Annotated[list[EngineName], Field(max_length=20)] = []
    """Instead of one game: those that are played one after the other, round by round."""
    format: Format = "swiss"
    rounds: values.RoundNumber = 3
    options: dict[values.Word, Id | values.Whole | bool] = {}
    """Of the format: ``system``, ``twice``, ``counted``, ``lives``, ``on_tie``…"""
    deals: Annotated[list[Deal | DealRef], Field(max_length=99)] = []
    """Whose digests are published, one a round; what lies in them stays secret."""
    seats: SeatRange | None = None
    scoring: Scoring | None = None
    tie_breaks: Annotated[list[values.TieBreakId] | None, Field(max_length=12)] = None
    readings: dict[values.GameName, dict[values.Word, values.Word]] | None = None
    house_rules: dict[values.GameName, HouseRules] | None = None
    presets: dict[values.GameName, dict[values.Word, values.Word]] | None = None
    time: TimeRule | None = None
    table_numbers: Literal["varied", "by_standings"] | None = None
    check_in: bool | None = None
    unplayed_rounds: Literal["fide_2024", "fide_2026"] | None = None
    """Without a word, the edition that is in force today."""
    penalties: Annotated[list[PenaltyLevel] | None, Field(max_length=12)] = None
    """The penalty guide, from the mildest level on."""
    match: Match | None = None
    """Where a pairing is for several games, or for several boards of two teams."""
    like: Model | None = None
    """Team matches as at FIDE’s Olympiad, where nothing else is told."""

    def published(self) -> Plan:
        named = self.games or ([self.game] if self.game is not None else [])
        games = [load_engine(game).id for game in named]
        if not games:
            raise Misused("which_game_is_played")
        options: dict[str, Any] = dict(self.options)
        if self.format == "duplicate":
            if len(self.deals) < self.rounds:
                raise Misused("bad_plan", problem=Flaw("deal_a_round").phrase)
            options["deals"] = [deal.ref if isinstance(deal, Deal) else deal for deal in self.deals]
        told = {name: getattr(self, name) for name in _RULES}
        more = {name: rule for name, rule in told.items() if rule is not None}
        for name in ("seats", "scoring", "time"):
            if name in more:
                more[name] = more[name].model_dump()
        if self.match is not None:
            more["match"] = self.match.model_dump(exclude_unset=True)
        if self.penalties is not None:
            more["penalties"] = [level.model_dump() for level in self.penalties]
        more.setdefault("unplayed_rounds", edition_on(datetime.now(UTC).date().isoformat()))
        try:
            return usual_plan(
                games[0], self.format, self.rounds, options, self.like, games=games, **more
            )
        except ValidationError as error:
            problem = first_mistake(error, WORDS).phrase
            raise Misused("bad_plan", problem=problem) from None


class CreateTournamentRequest(RulesRequest):
    name: Name
    plan: Plan | None = None
    """A published plan; instead of it, the usual one of a game and a format."""

    def to_args(self) -> dict[str, Any]:
        return {"name": self.name, "plan": self.plan or self.published()}


class ReviseRequest(Params):
    plan: Plan | None = None
    rules: RulesRequest | None = None
    """Instead of a whole plan: what is otherwise than usual."""
    rounds: values.RoundNumber | None = None
    reason: Remark

    def to_args(self) -> dict[str, Any]:
        plan = self.plan or (self.rules.published() if self.rules is not None else None)
        return {"plan": plan, "rounds": self.rounds, "reason": self.reason}


class PlayerListRequest(Params):
    players: Annotated[list[PlayerRow], Field(max_length=2000)] = []
    file: Annotated[Base64Bytes, Field(max_length=1_000_000)] = b""
    """Instead of them: a spreadsheet or a FIDE report, its bytes in base64; in whatever way of
    writing letters its program left it."""
    text: Annotated[str, Field(max_length=500_000)] = ""
    """The same as text, where its letters are known."""
    unread: Annotated[list[Name], Field(max_length=100)] = []
    """Columns of the list that nobody understood."""
    source: Annotated[str, Field(max_length=120)] = "list"

    def to_args(self) -> dict[str, Any]:
        listed = PlayerList(self.players, self.unread)
        if text := decoded(self.file) if self.file else self.text:
            listed = read_players(text)
        return {"listed": listed, "source": self.source}


class SlipRequest(Params):
    """How a table ended, as people say it."""

    places: SeatsWords = []
    """A place a word, the first one first, tied seats joined: ``["B", "A=C", "D"]``."""
    scores: SeatWords = []
    """The points of every seat, ``A=12``."""
    absent: SeatWords = []
    """The seats that did not come."""
    measures: Annotated[list[values.Whole], Field(max_length=16)] | None = None
    """Of a table that plays together: its result, measure by measure as the plan has them."""
    tie_order: Annotated[str, Field(max_length=40)] = ""
    """Tied seats in the order in which a judge puts them, where somebody has to go on."""
    timed_out: bool = False
    """Whether the time was up."""
    anyway: bool = False
    """Record it though points are missing or contradict the places."""
    games: Annotated[str, Field(max_length=40)] = ""
    """A match: ``2-1`` won by A and by B, with draws ``1-1-1``; or the winner of each, ``AB=``."""
    round: values.RoundNumber | None = None
    """The round; else the open one."""

    def to_args(self) -> dict[str, Any]:
        slip = Slip(
            self.places,
            self.scores,
            self.absent,
            self.measures,
            self.games,
            self.tie_order,
            self.timed_out,
            self.anyway,
        )
        of_slip = SlipRequest.model_fields.keys() - {"round"}
        others = {name: said for name, said in super().to_args().items() if name not in of_slip}
        return {"slip": slip, **others}


class ResultRequest(SlipRequest):
    reason: Remark
    """Why it is entered by hand."""


class TournamentCorrectRequest(ResultRequest):
    corrects: EntryNumber | None = None
    """The event of the result that is corrected: if another came since, nothing is recorded."""


class ReportRequest(SlipRequest):
    player: AnyName = ""
    """Who says so; a player speaks for themselves."""


class PrizesRequest(Params):
    prizes: Annotated[list[Prize], Field(max_length=MOST_PRIZES)] = []
    """In the order in which they are given; none: there are no prizes."""
    lines: Annotated[str, Field(max_length=20_000)] = ""
    """Instead of them, as people write them: ``1: 100 €``, ``1 U14: a game``."""
    several: bool = False
    """Whether somebody may get more than one."""

    def to_args(self) -> dict[str, Any]:
        listed = read_prizes(self.lines.splitlines()) if self.lines else self.prizes
        return {"prizes": listed, "several": self.several}


class TournamentReadingRequest(Params):
    game: EngineName
    reading: Id
    value: Id
    reason: Remark

    def to_args(self) -> dict[str, Any]:
        return {**super().to_args(), "game": load_engine(self.game).id}
