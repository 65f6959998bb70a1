"""Requests of the tournament desk."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from answers.requests.base import Params
from answers.requests.play import Words
from answers.tournament.prizes import read_prizes
from answers.tournament.result_slips import Slip
from answers.tournament.standings import (
    OnTie,
)
from engines.kernel import Flaw
from engines.kernel.messages.errors import first_mistake
from engines.kernel.registry import load_engine
from engines.kernel.rules.actions import PlainText
from referee.errors import Misused
from referee.record.entries import ClauseId
from referee.tournament.default_plans import edition_on, usual_plan
from referee.tournament.errors import WORDS
from referee.tournament.events import (
    MOST_BOARDS,
    MOST_MEMBERS,
    MOST_PLAYERS,
    MOST_PRIZES,
    MOST_SECTIONS_EACH,
    MOST_ZONES,
    AskedOf,
    Prize,
    ScheduleItem,
    WallView,
)
from referee.tournament.interchange.json_csv import (
    DETAIL_FORMS,
    PlayerList,
    PlayerRow,
    read_players,
)
from referee.tournament.plan import (
    Deal,
    DealRef,
    Match,
    PenaltyLevel,
    Plan,
    Scoring,
    SeatRange,
    TimeRule,
)
from referee.tournament.values import (
    GameName,
    Moment,
    SectionLabel,
    TieBreakId,
    Unplayed,
    Word,
)

Name = Annotated[str, Field(min_length=1, max_length=100)]
Round = Annotated[int | None, Field(ge=1, le=999)]
Table = Annotated[int, Field(ge=1, le=9999)]
Seed = Annotated[int | None, Field(ge=0, le=2**32 - 1)]
Minutes = Annotated[int, Field(ge=-10_000, le=10_000)]
Names = Annotated[list[Name], Field(max_length=2000)]
Format = Literal["swiss", "round_robin", "knockout", "pods", "league", "duplicate", "ladder"]


_RULES = (
    "seats", "scoring", "tie_breaks", "readings", "house_rules", "presets", "time",
    "table_numbers", "check_in", "unplayed_rounds", "penalties", "match",
)  # fmt: skip
"""What a plan may say otherwise than usual."""


class RulesRequest(Params):
    """The usual plan of a game and a format, and what is otherwise in this one."""

    game: str | None = None
    games: Annotated[list[str], Field(max_length=20)] = []
    """Instead of one game: those that are played one after the other, round by round."""
    format: Format = "swiss"
    rounds: Annotated[int, Field(ge=1, le=99)] = 3
    options: dict[str, str | int | bool] = {}
    """Of the format: ``system``, ``twice``, ``counted``, ``lives``, ``on_tie``…"""
    deals: Annotated[list[Deal | DealRef], Field(max_length=99)] = []
    """Whose digests are published, one a round; what lies in them stays secret."""
    seats: SeatRange | None = None
    scoring: Scoring | None = None
    tie_breaks: Annotated[list[TieBreakId] | None, Field(max_length=12)] = None
    readings: dict[GameName, dict[Word, Word]] | None = None
    house_rules: dict[GameName, tuple[ClauseId, ...]] | None = None
    presets: dict[GameName, dict[Word, Word]] | None = None
    time: TimeRule | None = None
    table_numbers: Literal["varied", "by_standings"] | None = None
    check_in: bool | None = None
    unplayed_rounds: Literal["fide_2024", "fide_2026"] | None = None
    """Without a word, the edition that is in force today."""
    penalties: Annotated[list[PenaltyLevel] | None, Field(max_length=12)] = None
    """The penalty guide, from the mildest level on."""
    match: Match | None = None
    """Where a pairing is for several games, or for several boards of two teams."""

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
        for name in ("seats", "scoring", "time", "match"):
            if name in more:
                more[name] = more[name].model_dump()
        if self.penalties is not None:
            more["penalties"] = [level.model_dump() for level in self.penalties]
        more.setdefault("unplayed_rounds", edition_on(datetime.now(UTC).date().isoformat()))
        try:
            return usual_plan(games[0], self.format, self.rounds, options, games=games, **more)
        except ValidationError as error:
            problem = first_mistake(error, WORDS).phrase
            raise Misused("bad_plan", problem=problem) from None


class CreateTournamentRequest(RulesRequest):
    name: Name
    plan: Plan | None = None
    """A published plan; instead of it, the usual one of a game and a format."""

    def to_args(self) -> dict[str, Any]:
        return {"name": self.name, "plan": self.plan or self.published()}


class KeyRequest(Params):
    current: Annotated[str | None, Field(max_length=80)] = None
    """The tournament that is marked in what is told."""


class ReviseRequest(Params):
    plan: Plan | None = None
    rules: RulesRequest | None = None
    """Instead of a whole plan: what is otherwise than usual."""
    rounds: Annotated[int | None, Field(ge=1, le=99)] = None
    reason: Words

    def to_args(self) -> dict[str, Any]:
        plan = self.plan or (self.rules.published() if self.rules is not None else None)
        return {"plan": plan, "rounds": self.rounds, "reason": self.reason}


class AtEventRequest(Params):
    at: Annotated[int | None, Field(ge=0)] = None


class RegisterRequest(Params):
    players: Annotated[list[PlayerRow], Field(min_length=1, max_length=2000)]
    fixed_table: Annotated[int | None, Field(ge=1)] = None
    namesake: bool = False


class RegistrationRequest(Params):
    open: bool
    capacity: Annotated[int | None, Field(ge=2, le=MOST_PLAYERS)] = None
    closes: Moment | None = None
    asks: Annotated[list[AskedOf], Field(max_length=4)] = []


class SignUpRequest(Params):
    name: Name
    last_name: Annotated[str, Field(max_length=40)] = ""
    """As it stands in the name. This and what follows only where the event asks for it."""
    club: Annotated[PlainText, Field(max_length=80)] = ""
    federation: Annotated[str, Field(pattern=DETAIL_FORMS["federation"])] = ""
    licence: Annotated[str, Field(pattern=DETAIL_FORMS["licence"])] = ""
    namesake: bool = False
    """Somebody else of a name that is on the list already."""


class WaitingRequest(Params):
    name: Name


class PlayerListRequest(Params):
    players: Annotated[list[PlayerRow], Field(max_length=2000)] = []
    text: Annotated[str, Field(max_length=500_000)] = ""
    """Instead of them: a spreadsheet or a FIDE report, as it stands in its file."""
    unread: Annotated[list[Name], Field(max_length=100)] = []
    """Columns of the list that nobody understood."""
    source: Annotated[str, Field(max_length=120)] = "list"

    def to_args(self) -> dict[str, Any]:
        listed = PlayerList(self.players, self.unread)
        return {"listed": read_players(self.text) if self.text else listed, "source": self.source}


class CheckInRequest(Params):
    names: Names = []
    everybody: bool = False


class ArrivalRequest(Params):
    name: Name
    missed: Unplayed = "zero_bye"


class LateArrivalRequest(ArrivalRequest):
    new: bool = False
    """Somebody else of a name that is known already."""


class WithdrawRequest(Params):
    name: Name
    reason: Words = ""


class ByeRequest(Params):
    name: Name
    round: Annotated[int, Field(ge=1, le=999)]
    counts: Unplayed = "half_bye"


class PairingRequest(Params):
    round: Round = None
    seed: Seed = None
    anyway: bool = False


class KeepApartRequest(Params):
    names: Annotated[list[Name], Field(min_length=2, max_length=12)]
    reason: Words


class ExplainPairingRequest(PairingRequest):
    meet: tuple[Name, Name] | None = None


class RoundRequest(Params):
    round: Round = None


class RoundTablesRequest(RoundRequest):
    player: Annotated[str | None, Field(max_length=100)] = None
    """The table of this player alone."""


class SwapRequest(Params):
    a: Name
    b: Name
    reason: Words = ""
    round: Round = None
    dry_run: bool = False


class MoveRequest(Params):
    moves: Annotated[list[tuple[Table, Table]], Field(min_length=1, max_length=999)]
    round: Round = None


class StartRoundRequest(Params):
    round: Round = None
    with_clock: bool = False


class ReopenRequest(Params):
    round: Annotated[int, Field(ge=1, le=999)]
    reason: Words


class OpenTableRequest(Params):
    table: Words = ""
    """What the opening line says besides what the tournament fixes."""
    round: Round = None
    players: Annotated[int | None, Field(ge=1, le=8)] = None
    again: bool = False
    board: Annotated[int | None, Field(ge=1, le=MOST_BOARDS)] = None
    """The board of a team match: a game of its own."""


class TakeResultRequest(Params):
    table: Annotated[int | None, Field(ge=1, le=9999)] = None
    """One table; by default all whose record is closed."""
    round: Round = None


class SlipRequest(Params):
    """How a table ended, as people say it."""

    places: list[Annotated[str, Field(max_length=200)]] = []
    scores: list[Annotated[str, Field(max_length=60)]] = []
    absent: list[Annotated[str, Field(max_length=60)]] = []
    measures: list[int] | None = None
    tie_order: Annotated[str, Field(max_length=40)] = ""
    timed_out: bool = False
    anyway: bool = False
    games: Annotated[str, Field(max_length=40)] = ""
    """A match: ``2-1`` won by A and by B, with draws ``1-1-1``; or the winner of each, ``AB=``."""
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
            self.games,
        )
        of_slip = SlipRequest.model_fields.keys() - {"round"}
        others = {name: said for name, said in super().to_args().items() if name not in of_slip}
        return {"slip": slip, **others}


class ResultRequest(SlipRequest):
    reason: Words


class CorrectionRequest(ResultRequest):
    corrects: Annotated[int | None, Field(ge=0)] = None
    """The event of the result that is corrected: if another came since, nothing is recorded."""


class ReportRequest(SlipRequest):
    player: Annotated[str, Field(max_length=100)] = ""
    """Who says so; a player speaks for themselves."""


class CallJudgeRequest(Params):
    text: Words = ""
    player: Annotated[str, Field(max_length=100)] = ""
    round: Round = None


class AnswerCallRequest(Params):
    text: Words = ""


class ClockStartRequest(Params):
    minutes: Annotated[int | None, Field(ge=1, le=10_000)] = None
    round: Round = None


class ClockReasonRequest(Params):
    reason: Words = ""
    round: Round = None


class ExtendClockRequest(ClockReasonRequest):
    minutes: Minutes
    table: Annotated[int | None, Field(ge=1)] = None


class ThroughRequest(Params):
    through: Round = None


class FinalsRequest(Params):
    places: Annotated[int, Field(ge=2, le=64)]
    style: Literal["knockout", "top_table"] = "top_table"
    seats: SeatRange | None = None
    advance: Annotated[int, Field(ge=1, le=8)] = 1
    on_tie: OnTie = "better_seed"
    third_place: bool = False
    match: Annotated[int | None, Field(ge=2, le=9)] = None
    """So many games at most, where it is another number than in the rounds."""
    lot: Seed = None
    reason: Words = ""
    dry_run: bool = False


class ReplaceRequest(Params):
    name: Name
    substitute: Name
    reason: Words


class EditPlayerRequest(Params):
    name: Name
    club: Annotated[str | None, Field(max_length=80)] = None
    rating: Annotated[int | None, Field(ge=0, le=9999)] = None
    seed: Annotated[int | None, Field(ge=0, le=9999)] = None
    fixed_table: Annotated[int | None, Field(ge=0, le=999)] = None
    last_name: Annotated[str | None, Field(max_length=40)] = None
    """As it stands in the name; this and what follows is kept beside the name, not recorded."""
    title: Annotated[str | None, Field(pattern=DETAIL_FORMS["title"])] = None
    federation: Annotated[str | None, Field(pattern=DETAIL_FORMS["federation"])] = None
    licence: Annotated[str | None, Field(pattern=DETAIL_FORMS["licence"])] = None
    sections: Annotated[list[SectionLabel] | None, Field(max_length=MOST_SECTIONS_EACH)] = None
    """All of them, told anew."""


class FeeRequest(Params):
    names: Annotated[list[Name], Field(min_length=1, max_length=MOST_PLAYERS)]
    paid: bool = True


class StandingsRequest(ThroughRequest):
    section: Annotated[str | None, Field(max_length=60)] = None
    """Only the players of this section, with their ranks there."""


MemberName = Annotated[PlainText, Field(min_length=1, max_length=40)]


class TeamsRequest(Params):
    team: Annotated[str | None, Field(max_length=100)] = None
    """One team alone."""
    round: Round = None
    """The round of the line-ups; by default the one that is played, or the next."""


class TeamRequest(Params):
    team: Name
    members: Annotated[list[MemberName], Field(max_length=MOST_MEMBERS)] = []
    """In the order of the boards, reserves last."""
    captain: Annotated[PlainText, Field(max_length=40)] = ""
    away: Annotated[list[MemberName], Field(max_length=MOST_MEMBERS)] = []
    """Members who are not there for now."""
    namesake: bool = False
    """New names are other people than those of the same name elsewhere."""


class LineUpRequest(Params):
    names: Annotated[list[MemberName], Field(max_length=MOST_BOARDS)] = []
    """Board 1 first; none: the first members who are there."""
    team: Annotated[str, Field(max_length=100)] = ""
    """A team's own phone need not say it."""
    round: Round = None


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


class MergeRequest(Params):
    name: Name
    other: Name
    reason: Words


class RoundCheckInRequest(Params):
    round: Annotated[int, Field(ge=1, le=999)]
    names: Names


class UndoStartRequest(Params):
    round: Round = None
    reason: Words


class TogetherRequest(Params):
    names: Names
    round: Round = None
    reason: Words = ""


class ResultsRequest(Params):
    lines: Annotated[str, Field(max_length=60_000)]
    """A line a table: ``3 B A``, ``4 A=40 B=38``."""
    reason: Words = ""
    round: Round = None
    anyway: bool = False


class CloseTournamentRequest(Params):
    anyway: bool = False


class LotRequest(Params):
    names: Names
    reason: Words
    seed: Seed = None


class TournamentPenaltiesRequest(Params):
    name: Annotated[str | None, Field(max_length=100)] = None
    """Those of one player alone."""


class NextPenaltyRequest(Params):
    name: Name
    infringement: Annotated[str, Field(max_length=2000)] = ""
    """What for: as it was called before, or the same reason."""
    clause: Annotated[str | None, Field(max_length=40)] = None


class TournamentPenaltyRequest(Params):
    name: Name
    halves: Annotated[int | None, Field(ge=0, le=1998)] = None
    """Half points taken away; none is a warning. Not told: what the level costs."""
    reason: Words
    clause: Annotated[str | None, Field(max_length=40)] = None
    infringement: Annotated[PlainText, Field(max_length=80)] = ""
    """What for, in few words: by them a repetition is known."""
    level: Annotated[PlainText, Field(max_length=60)] = ""
    """A step of the penalty guide."""


class TournamentReadingRequest(Params):
    game: str
    reading: Annotated[str, Field(max_length=80)]
    value: Annotated[str, Field(max_length=80)]
    reason: Words

    def to_args(self) -> dict[str, Any]:
        return {**super().to_args(), "game": load_engine(self.game).id}


class PaperRequest(Params):
    format: Literal["html", "pdf"] = "html"
    round: Round = None
    url: Annotated[str, Field(max_length=500)] = ""
    """An address that is printed as a code, where the paper has one."""
    large: bool = False
    section: Annotated[str | None, Field(max_length=60)] = None
    """Of standings: only the players of this section."""


class TournamentExportRequest(Params):
    of: Literal["standings", "pairings", "players", "boards"] = "standings"
    round: Round = None
    raw_csv: bool = False
    to_pair: bool = False
    """Of ``trf``: a report from which another program pairs the next round."""
    named: bool = False
    """Of ``events``: with the names of the players."""


class LogRequest(Params):
    name: Name
    game: str
    file: Annotated[str | None, Field(max_length=200)] = None
    """What the file is called, for whoever is told that it cannot be read."""


class FeatureRequest(Params):
    tables: Annotated[list[Table], Field(max_length=24)] = []
    """None: as many as there is room for."""
    round: Round = None


class ZonesRequest(Params):
    zones: Annotated[
        list[tuple[Name, Annotated[int, Field(ge=1, le=999)], Annotated[int, Field(ge=1, le=999)]]],
        Field(max_length=MOST_ZONES),
    ] = []
    """A judge's name, the first and the last table of a zone; none: no zones."""


class ScheduleRequest(Params):
    items: Annotated[list[ScheduleItem], Field(max_length=60)]


class CommentRequest(Params):
    text: Annotated[str, Field(min_length=1, max_length=1000)]
    table: Annotated[int | None, Field(ge=1, le=9999)] = None
    round: Round = None


class AnnounceRequest(Params):
    text: Annotated[str, Field(max_length=300)] = ""
    """Empty: what was announced is over."""


class WallRequest(Params):
    shows: WallView = ""
    paused: bool = False
    leaf: Annotated[int, Field(ge=0, le=9999)] = 0
    section: Annotated[str | None, Field(max_length=60)] = None
    """Of standings: only those of this section."""
