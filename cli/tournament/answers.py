"""The answers of ``referee tournament … --json``."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

Data = dict[str, Any]


class EventRef(TypedDict):
    number: int
    kind: str


class ToldAnswer(TypedDict):
    tournament: str
    name: str
    events: list[EventRef]
    head: str
    games: NotRequired[list[str]]


class TournamentRow(TypedDict):
    tournament: str
    name: str
    format: str
    players: int
    rounds: int
    closed: bool
    created: str
    current: bool


class TournamentListAnswer(TypedDict):
    tournaments: list[TournamentRow]


class TournamentInfoAnswer(TournamentRow):
    open_round: int | None
    clock: ClockAnswer | None
    plan: Data
    readings: dict[str, dict[str, str]]
    last_event: int
    head: str


class HistoryEvent(EventRef):
    at: str
    by: str
    role: str
    data: Data


class TournamentHistoryAnswer(TypedDict):
    tournament: str
    events: list[HistoryEvent]


class ConcernAnswer(TypedDict):
    round: int
    table: int
    game: str
    held: bool
    dispute: Data | None
    deviation: Data | None


class TournamentDisputesAnswer(TypedDict):
    tournament: str
    concerns: list[ConcernAnswer]


class ProblemAnswer(TypedDict):
    round: int
    key: str
    facts: Data
    remark: bool
    """Worth telling, and in order."""


class TournamentCheckAnswer(TypedDict):
    tournament: str
    problems: list[ProblemAnswer]


class PlayerAnswer(TypedDict):
    player: str
    number: int
    name: str
    club: str
    rating: int
    status: Literal["registered", "present", "dropped"]


class TournamentPlayersAnswer(TypedDict):
    tournament: str
    players: list[PlayerAnswer]


class SeatAnswer(TypedDict):
    player: str
    name: str


class TableAnswer(TypedDict):
    table: int
    seats: list[SeatAnswer]
    games: list[str]
    outcome: Data | None
    event: int | None


class TimeAnswer(TypedDict):
    minutes: int
    left: int
    """Seconds; less than nothing once time is up."""
    ends: str | None
    up: bool


class TableTimeAnswer(TimeAnswer):
    table: int


class ClockAnswer(TimeAnswer):
    state: Literal["running", "paused", "stopped"]
    tables: list[TableTimeAnswer]
    """Those that have another time than the others."""


class TournamentClockAnswer(TypedDict):
    tournament: str
    round: int
    clock: ClockAnswer | None


class RoundData(TypedDict):
    round: int
    stage: str
    game: str
    algorithm: str
    version: int
    seed: int
    input_hash: str
    started: bool
    closed: bool
    clock: ClockAnswer | None
    tables: list[TableAnswer]
    byes: list[str]
    free: list[str]


class TournamentRoundAnswer(RoundData):
    tournament: str


class TournamentBracketAnswer(TypedDict):
    tournament: str
    rounds: list[RoundData]


class MeetingAnswer(TypedDict):
    players: list[str]
    bye: bool
    costs: list[int]


class PricedAnswer(TypedDict):
    costs: list[int]
    meetings: list[MeetingAnswer]


class TournamentExplainAnswer(TypedDict):
    tournament: str
    round: int
    criteria: list[str]
    chosen: PricedAnswer
    asked: PricedAnswer | None
    decided_by: str | None
    event: int | None


class TournamentTableAnswer(TypedDict):
    tournament: str
    round: int
    table: int
    game: str
    new: bool
    seats: dict[str, str]
    readings: dict[str, str]


class StandingsRow(TypedDict):
    rank: int
    player: str
    name: str
    values: list[tuple[int, int]]
    final: int | None


class TournamentStandingsAnswer(TypedDict):
    tournament: str
    rounds: int
    columns: list[str]
    rows: list[StandingsRow]


class TermAnswer(TypedDict):
    amount: tuple[int, int]
    kind: str
    round: int | None
    event: int | None
    others: list[str]
    counted: bool


class PartAnswer(TypedDict):
    column: str
    value: tuple[int, int]
    tied_with: list[str]
    terms: list[TermAnswer]


class TournamentWhyAnswer(TypedDict):
    tournament: str
    player: str
    name: str
    rank: int
    parts: list[PartAnswer]


class TournamentPenalty(TypedDict):
    event: int
    player: str
    halves: int
    reason: str
    clause: str | None
    cancelled: str | None


class TournamentPenaltiesAnswer(TypedDict):
    tournament: str
    penalties: list[TournamentPenalty]


class TournamentFileAnswer(TypedDict):
    file: str
    bytes: int
    sha256: str


TOURNAMENT_ANSWERS: dict[str, Any] = {
    "tournament-told": ToldAnswer,
    "tournament-list": TournamentListAnswer,
    "tournament-info": TournamentInfoAnswer,
    "tournament-history": TournamentHistoryAnswer,
    "tournament-disputes": TournamentDisputesAnswer,
    "tournament-check": TournamentCheckAnswer,
    "tournament-players": TournamentPlayersAnswer,
    "tournament-round": TournamentRoundAnswer,
    "tournament-clock": TournamentClockAnswer,
    "tournament-bracket": TournamentBracketAnswer,
    "tournament-explain": TournamentExplainAnswer,
    "tournament-table": TournamentTableAnswer,
    "tournament-standings": TournamentStandingsAnswer,
    "tournament-why": TournamentWhyAnswer,
    "tournament-penalties": TournamentPenaltiesAnswer,
    "tournament-file": TournamentFileAnswer,
}
