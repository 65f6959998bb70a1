"""The events of a tournament, as they are stored.

A tournament is a stream of its own, of events in the order they happened. Every kind has a
stable name and a schema number. All numbers are whole; points are in half points (``points``).
"""

import operator
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import (
    Field,
    ValidationError,
    model_validator,
)

from engines.kernel import Flaw, Seat
from engines.kernel.messages.errors import first_mistake
from engines.kernel.rules.actions import PlainText
from referee.record.entries import ClauseId, EntryData, Reason, Remark, Signed, UnreadableEntry
from referee.tournament.errors import WORDS
from referee.tournament.plan import Deal, Match, Plan, SeatRange, check_third_place
from referee.tournament.values import (
    SECTION,
    Digest,
    EventNumber,
    EventValue,
    GameName,
    Halves,
    Minutes,
    Moment,
    PlayerId,
    Role,
    RoundNumber,
    SectionLabel,
    Seed,
    TableNumber,
    Title,
    Unplayed,
    Whole,
    Word,
)

# What is told of a round ----------------------------------------------------------------------


def seat_letter(seat: int) -> str:
    """The letter of a seat, counted from 0: A, B, C…"""
    return chr(ord("A") + seat)


def seat_index(letter: str) -> int:
    return ord(letter) - ord("A")


class Table(EventValue):
    """Who sits where: the first seat is A and begins."""

    number: TableNumber
    seats: tuple[PlayerId, ...] = Field(min_length=1, max_length=8)


class FromGame(EventValue):
    """The result of a finished record: which game, and its last entry."""

    kind: Literal["game"] = "game"
    game: Word
    entry: EventNumber

    @property
    def records(self) -> tuple["FromGame", ...]:
        return (self,)


class FromGames(EventValue):
    """The result of a match, from the records of the games that count, in their order."""

    kind: Literal["games"] = "games"
    games: tuple[FromGame, ...] = Field(min_length=1, max_length=9)

    @property
    def records(self) -> tuple[FromGame, ...]:
        return self.games


FromRecords = FromGame | FromGames
"""A result that records tell, and no person."""


class ByHand(EventValue):
    kind: Literal["hand"] = "hand"
    reason: Reason


class Agreed(EventValue):
    """Everybody at the table has reported the same: by which events."""

    kind: Literal["agreed"] = "agreed"
    reports: tuple[EventNumber, ...]


Source = FromGame | FromGames | ByHand | Agreed
"""Where a result comes from."""


GameResult = Literal["A", "B", "="]
"""How one game of a match ended: the seat that won it, or a draw."""


def match_places(games: Sequence[GameResult]) -> tuple[int, int]:
    """The places of a match: whoever won more of its games is first."""
    first, second = games.count("A"), games.count("B")
    return (1 if first >= second else 2, 1 if second >= first else 2)


class Outcome(EventValue):
    """How a table ended. All lists are in the order of the seats."""

    places: tuple[int, ...] = Field(min_length=1, max_length=8)
    """1 for the first; tied seats have the same place and the next places stay empty."""
    scores: tuple[Whole, ...] | None = None
    absent: tuple[Seat, ...] = ()
    """Seats whose player did not come, or was sent away: a forfeit."""
    measures: tuple[Whole, ...] | None = None
    """Cooperative games: the team's result, measure by measure."""
    tie_order: tuple[Seat, ...] = ()
    """Tied seats in the order a judge put them, where somebody has to go on."""
    timed_out: bool = False
    games: tuple[GameResult, ...] = Field(
        default=(), max_length=9, exclude_if=lambda games: not games
    )
    """A match, game by game or board by board: the seat that won, or ``=`` for a draw."""

    @model_validator(mode="after")
    def _consistent(self) -> "Outcome":
        size = len(self.places)
        for place in self.places:
            if place != 1 + sum(other < place for other in self.places):
                raise Flaw("tied_places")
        if self.scores is not None and len(self.scores) != size:
            raise Flaw("scores_of_all")
        if any(seat_index(letter) >= size for letter in (*self.absent, *self.tie_order)):
            raise Flaw("no_such_seat")
        if any(self.places[seat] > len(self.here) for seat in self.here):
            raise Flaw("absent_behind")
        if self.games and not self.absent and self.places != match_places(self.games):
            raise Flaw("places_of_the_games")
        return self

    @classmethod
    def of_game(cls, places: Sequence[Sequence[str]], scores: Mapping[str, int]) -> "Outcome":
        """From the end of a record: seats by place; seats that share a place are tied."""
        by_seat: dict[str, int] = {}
        for seats in places:
            by_seat |= dict.fromkeys(seats, len(by_seat) + 1)
        letters = sorted(by_seat)
        return cls(
            places=tuple(by_seat[letter] for letter in letters),
            scores=tuple(scores[letter] for letter in letters) if scores else None,
        )

    @property
    def here(self) -> list[int]:
        """The seats whose players were present."""
        absent = {seat_index(letter) for letter in self.absent}
        return [seat for seat in range(len(self.places)) if seat not in absent]


# The events -----------------------------------------------------------------------------------


class Event(EntryData):
    """Base of all tournament events; ``BY`` are the roles that may write it."""

    BY: ClassVar[frozenset[Role]] = frozenset({"organiser"})
    """The roles that may tell this."""
    FOLLOWS: ClassVar[bool] = False
    """Whether the desk writes it by itself, behind what makes it so."""

    def __init_subclass__(cls, *, by: tuple[Role, ...] = (), **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.BY = frozenset({"organiser", *by})


class Created(Event):
    KIND = "tournament_created"

    name: Title
    plan: Plan


class Revised(Event):
    """The plan, while it can still be changed; afterwards only the number of rounds."""

    KIND = "tournament_revised"

    plan: Plan
    reason: Reason


MOST_SECTIONS_EACH = 8
MOST_SECTIONS = 40
"""In one event."""
MOST_PRIZES = 99


class Qualified(EventValue):
    """How somebody came here from an earlier event: the first day, or a flight."""

    tournament: Word
    place: int = Field(ge=1, le=9999)
    carried: Halves = 0
    """The points that they keep."""


class Registered(Event):
    KIND = "player_registered"

    player: PlayerId
    club: PlainText = Field(default="", max_length=80)
    rating: int = Field(default=0, ge=0, le=9999)
    seed: int | None = Field(default=None, ge=1, le=9999)
    fixed_table: TableNumber | None = None
    """For who cannot move about: always this table."""
    sections: tuple[SectionLabel, ...] = Field(
        default=(), max_length=MOST_SECTIONS_EACH, exclude_if=operator.not_
    )
    """Age groups and the like, each with standings of its own."""
    qualified: Qualified | None = Field(default=None, exclude_if=lambda told: told is None)


class PlayerEdited(Event):
    """What was registered otherwise; what is not told stays. A seed or table of 0: none."""

    KIND = "player_edited"

    player: PlayerId
    club: PlainText | None = Field(default=None, max_length=80)
    rating: int | None = Field(default=None, ge=0, le=9999)
    seed: int | None = Field(default=None, ge=0, le=9999)
    fixed_table: int | None = Field(default=None, ge=0, le=999)
    sections: tuple[SectionLabel, ...] | None = Field(
        default=None, max_length=MOST_SECTIONS_EACH, exclude_if=lambda told: told is None
    )
    """All of them, told anew."""


class PlayerUnregistered(Event, by=("player",)):
    """Somebody who has never had a place in a round is taken off the list, or off the waiting list;
    a player tells it of themselves."""

    KIND = "player_unregistered"

    player: PlayerId
    reason: Remark = ""


AskedOf = Literal["last_name", "club", "federation", "licence"]
"""What whoever registers themselves may be asked besides the name."""
MOST_PLAYERS = 999
MOST_WAITING = 500


class RegistrationSet(Event):
    """Whether people may register themselves, how many, until when; told anew as a whole."""

    KIND = "registration_set"

    open: bool
    capacity: int | None = Field(default=None, ge=2, le=MOST_PLAYERS)
    """Whoever comes when it is reached waits."""
    closes: Moment | None = None
    asks: tuple[AskedOf, ...] = Field(default=(), max_length=4)


class SignedUp(Event, by=("player",)):
    """Somebody has registered themselves: has a place, or waits for one."""

    KIND = "player_signed_up"

    player: PlayerId
    club: PlainText = Field(default="", max_length=80)


class MovedUp(Event, by=("judge", "scribe", "player")):
    """Somebody of the waiting list has a place now. The desk writes it by itself, behind whatever
    made room, in the name of who did that."""

    KIND = "player_moved_up"
    FOLLOWS = True

    player: PlayerId


class PlayersMerged(Event, by=("judge",)):
    """Two entries of the list are one person: what ``merged`` did, ``player`` did."""

    KIND = "players_merged"

    player: PlayerId
    merged: PlayerId
    reason: Reason
    completes: bool = Field(default=False, exclude_if=operator.not_)
    """Whether ``player`` has what they lack from the registration of ``merged``. Earlier versions
    kept sections and fee alone, and rounds were paired from that: their merges stay so."""


MOST_MEMBERS = 24
MOST_BOARDS = 9


class TeamSet(Event, by=("judge", "scribe")):
    """Who plays for a team, in the order of the boards, reserves last; told anew as a whole."""

    KIND = "team_set"

    player: PlayerId
    """The team."""
    members: tuple[PlayerId, ...] = Field(default=(), max_length=MOST_MEMBERS)
    captain: PlayerId | None = None
    """Need not play."""
    away: tuple[PlayerId, ...] = Field(
        default=(), max_length=MOST_MEMBERS, exclude_if=operator.not_
    )
    """Members who are not there: without a line-up the next ones sit at the boards."""

    @model_validator(mode="after")
    def _each_once(self) -> "TeamSet":
        if len(set(self.members)) != len(self.members):
            raise Flaw("twice_in_the_team")
        if not set(self.away) <= set(self.members):
            raise Flaw("away_from_the_team")
        return self


class LineUpSet(Event, by=("judge", "scribe", "player")):
    """Who of a team sits at which board in a round, board 1 first; nobody: as the roster says. The
    team's own phone tells it before the round starts."""

    KIND = "line_up_set"

    round: RoundNumber
    player: PlayerId
    """The team."""
    boards: tuple[PlayerId, ...] = Field(default=(), max_length=MOST_BOARDS)

    @model_validator(mode="after")
    def _each_once(self) -> "LineUpSet":
        if len(set(self.boards)) != len(self.boards):
            raise Flaw("twice_in_the_team")
        return self


class LineUpsDue(Event, by=("judge",)):
    """Until when teams may tell their line-ups for a round; no time: until it starts. What comes
    later the desk enters; whoever tells nothing plays as the roster says."""

    KIND = "line_ups_due"

    round: RoundNumber
    until: Moment | None = None


class PlayersKeptApart(Event):
    """These must not sit at one table: family, a shared car. Only organisers read it."""

    KIND = "players_kept_apart"

    players: tuple[PlayerId, ...] = Field(min_length=2, max_length=12)
    reason: Reason


class ApartWithdrawn(Event):
    """They may meet after all."""

    KIND = "apart_withdrawn"

    apart: EventNumber
    """The number of the event that kept them apart."""
    reason: Reason


class FeeMarked(Event):
    """Whether somebody has paid the fee. Only organisers read it."""

    KIND = "fee_marked"

    player: PlayerId
    paid: bool


PRIVATE = (PlayersKeptApart, ApartWithdrawn, FeeMarked)
"""What only organisers may read."""


class RoundCheckedIn(Event, by=("judge", "scribe")):
    """Who has come for a round. Once told of anybody, only those told of are paired for it."""

    KIND = "round_checked_in"

    round: RoundNumber
    players: tuple[PlayerId, ...] = Field(min_length=1, max_length=999)


class CheckedIn(Event, by=("judge", "scribe", "player")):
    KIND = "player_checked_in"

    player: PlayerId


class Late(Event, by=("judge",)):
    """Somebody arrives when rounds are over or running; those count as declared here."""

    KIND = "player_late"

    player: PlayerId
    missed: Unplayed = "zero_bye"


class Dropped(Event, by=("judge",)):
    KIND = "player_dropped"

    player: PlayerId
    reason: Remark = ""


class Returned(Event, by=("judge",)):
    KIND = "player_returned"

    player: PlayerId
    missed: Unplayed = "zero_bye"


class ByeRequested(Event, by=("judge",)):
    """A player will not play a round, or did not: it counts as declared here."""

    KIND = "bye_requested"

    player: PlayerId
    round: RoundNumber
    counts: Unplayed = "half_bye"


class RoundPaired(Event):
    """Who plays whom, and all that is needed to compute it again."""

    KIND = "round_paired"

    round: RoundNumber
    algorithm: Word
    version: int = Field(ge=1, le=999)
    seed: Seed
    input_hash: Digest
    tables: tuple[Table, ...] = Field(max_length=999)
    byes: tuple[PlayerId, ...] = ()
    """No opponent could be found: counts as a bye."""
    free: tuple[PlayerId, ...] = ()
    """The schedule itself leaves them out: counts for nothing."""
    seeding: tuple[PlayerId, ...] = ()
    """The list a bracket or a round robin stands on."""
    third_place: TableNumber | None = Field(default=None, exclude_if=lambda table: table is None)
    """The table at which the losers of the semi-finals meet."""


class PairingWithdrawn(Event):
    """A pairing taken back before its round started."""

    KIND = "pairing_withdrawn"

    round: RoundNumber
    reason: Reason


class Swapped(Event, by=("judge",)):
    KIND = "players_swapped"

    round: RoundNumber
    a: PlayerId
    b: PlayerId
    reason: Reason


class TablesAssigned(Event):
    """Other tables for a round: from number to number."""

    KIND = "tables_assigned"

    round: RoundNumber
    moves: tuple[tuple[TableNumber, TableNumber], ...] = Field(min_length=1, max_length=999)


class RoundArranged(Event, by=("judge",)):
    """Other tables for a round, also while it is played. Tables with a result stay as they are."""

    KIND = "round_arranged"

    round: RoundNumber
    tables: tuple[Table, ...] = Field(min_length=1, max_length=999)
    byes: tuple[PlayerId, ...] = ()
    free: tuple[PlayerId, ...] = ()
    reason: Reason


class RoundStarted(Event, by=("judge",)):
    KIND = "round_started"

    round: RoundNumber


class StartWithdrawn(Event, by=("judge",)):
    """A round without any result has not started after all: it can be paired anew."""

    KIND = "start_withdrawn"

    round: RoundNumber
    reason: Reason


class ClockStarted(Event, by=("judge",)):
    """The time of a round begins to run, or runs on."""

    KIND = "clock_started"

    round: RoundNumber
    at: Moment
    minutes: Minutes | None = None
    """How long the round lasts: told when its clock is started for the first time."""


class ClockPaused(Event, by=("judge",)):
    KIND = "clock_paused"

    round: RoundNumber
    at: Moment
    reason: Remark = ""


class ClockExtended(Event, by=("judge",)):
    """More time for a round, or for one table; less than nothing takes time away."""

    KIND = "clock_extended"

    round: RoundNumber
    minutes: int = Field(ge=-10_000, le=10_000)
    table: TableNumber | None = None
    reason: Remark = ""
    call: EventNumber | None = Field(default=None, exclude_if=lambda call: call is None)
    """The call of this table for which it gets the time that it waited."""


class ClockStopped(Event, by=("judge",)):
    """The time of a round is called off, whatever was left of it."""

    KIND = "clock_stopped"

    round: RoundNumber
    at: Moment
    reason: Remark = ""


class ResultEntered(Event, by=("judge", "scribe")):
    KIND = "result_entered"

    round: RoundNumber
    table: TableNumber
    outcome: Outcome
    source: Annotated[FromGame | FromGames | ByHand, Field(discriminator="kind")]


class ResultReported(Event, by=("player",)):
    """What a player says of the own table. Once everybody there has said the same, it is the
    result; said again, it replaces what the player said before."""

    KIND = "result_reported"

    round: RoundNumber
    table: TableNumber
    player: PlayerId
    outcome: Outcome


class JudgeCalled(Event, by=("judge", "scribe", "player")):
    """A table asks for a judge, for whatever no record can ask."""

    KIND = "judge_called"

    round: RoundNumber
    table: TableNumber
    player: PlayerId
    text: Remark = ""


class CallAnswered(Event, by=("judge",)):
    """A judge has been at the table."""

    KIND = "call_answered"

    call: EventNumber
    """The number of the event that called."""
    text: Remark = ""


class CallTaken(Event, by=("judge",)):
    """A judge is on the way to a table that has called, or leaves it to others."""

    KIND = "call_taken"

    call: EventNumber
    off: bool = False


MOST_ZONES = 100


class Zone(EventValue):
    """Tables from one number to another, and the judge who goes there first."""

    judge: PlayerId
    first: TableNumber
    last: TableNumber


class ZonesSet(Event):
    """Whose tables are whose; told anew as a whole. Without any, calls are everybody's."""

    KIND = "zones_set"

    zones: tuple[Zone, ...] = Field(default=(), max_length=MOST_ZONES)


MOST_ROWS = 60


class HallRow(EventValue):
    """Tables that stand beside each other, from the left."""

    name: PlainText = Field(default="", max_length=24)
    tables: tuple[TableNumber, ...] = Field(min_length=1, max_length=99)


class HallLaid(Event):
    """Where the tables stand, row behind row; told anew as a whole. Without rows there is no map
    of the hall."""

    KIND = "hall_laid"

    rows: tuple[HallRow, ...] = Field(default=(), max_length=MOST_ROWS)

    @model_validator(mode="after")
    def _each_once(self) -> "HallLaid":
        stand = [table for row in self.rows for table in row.tables]
        twice = next((table for table in stand if stand.count(table) > 1), None)
        if twice is not None:
            raise Flaw("stands_twice", table=twice)
        return self


class ResultCorrected(Event, by=("judge",)):
    """Another result in place of one that was entered. The old one is kept."""

    KIND = "result_corrected"

    round: RoundNumber
    table: TableNumber
    outcome: Outcome
    reason: Reason


class RoundClosed(Event, by=("judge",)):
    KIND = "round_closed"

    round: RoundNumber


class RoundReopened(Event, by=("judge",)):
    KIND = "round_reopened"

    round: RoundNumber
    reason: Reason


class PenaltyGiven(Event, by=("judge",)):
    """Half points taken away; none is a warning."""

    KIND = "penalty_given"

    player: PlayerId
    halves: Halves
    reason: Reason
    clause: ClauseId | None = None
    infringement: PlainText = Field(default="", max_length=80, exclude_if=operator.not_)
    """What for, in few words: by them a repetition is known; without them, by the reason."""
    level: PlainText = Field(default="", max_length=60, exclude_if=operator.not_)
    """The step of the guide that was taken."""


class PointPenaltyCancelled(Event, by=("judge",)):
    KIND = "penalty_cancelled"

    penalty: EventNumber
    """The number of the event that gave it."""
    reason: Reason


class LotDrawn(Event, by=("judge",)):
    """Tied players in the order a lot put them: by a seed, or drawn by hand before witnesses."""

    KIND = "lot_drawn"

    order: tuple[PlayerId, ...] = Field(min_length=2, max_length=999)
    seed: Seed | None = None
    reason: Reason


class FinalsStarted(Event):
    """The best go on among themselves: at one table, in a knock-out, or in a double elimination.
    Best first.

    ``advance``: how many go on from each table of a knock-out but the last.
    """

    KIND = "finals_started"

    style: Literal["top_table", "knockout", "double_elimination"]
    players: tuple[PlayerId, ...] = Field(min_length=2, max_length=64)
    seats: SeatRange
    advance: int = Field(default=1, ge=1, le=4)
    on_tie: Literal["replay", "better_seed", "later_seat", "judge"] = "better_seed"
    reason: Remark = ""
    third_place: bool = Field(default=False, exclude_if=operator.not_)
    """Whether the losers of the semi-finals play for third place, beside the final."""
    match: Match | None = Field(default=None, exclude_if=lambda match: match is None)
    """Where finals are played in other matches than the rounds before."""

    @model_validator(mode="after")
    def _fits_its_style(self) -> "FinalsStarted":
        if self.style == "double_elimination" and (self.seats.most, self.advance) != (2, 1):
            raise Flaw("format_for_two", format=self.style)
        if self.third_place:
            if self.style != "knockout":
                raise Flaw("third_place_of_duels")
            check_third_place(self.seats, self.advance)
        return self


class FinalsCancelled(Event):
    """Finals of which no round has started are called off."""

    KIND = "finals_cancelled"

    reason: Reason


class FinalistReplaced(Event):
    """Somebody takes the place of a finalist who has not played in the finals."""

    KIND = "finalist_replaced"

    player: PlayerId
    substitute: PlayerId
    reason: Reason


class ReadingRuled(Event, by=("judge",)):
    """A judge decides how a clause is read, at every table from now on."""

    KIND = "reading_ruled"

    game: GameName
    reading: Word
    value: Word
    reason: Reason


class DealRevealed(Event, by=("judge",)):
    """A published deal is opened: it must be the one whose digest stands in the plan."""

    KIND = "deal_revealed"

    deal: Deal


class TournamentClosed(Event):
    KIND = "tournament_closed"


class Vouched(Signed, Event, by=("judge", "scribe")):
    """A signature over everything up to the event before it."""

    KIND = "tournament_signed"


class TournamentReopened(Event):
    KIND = "tournament_reopened"

    reason: Reason


class TablesFeatured(Event, by=("judge",)):
    """The tables of a round that its broadcast shows; none: as many as it has room for."""

    KIND = "tables_featured"

    round: RoundNumber
    tables: tuple[TableNumber, ...] = Field(max_length=24)


class ScheduleItem(EventValue):
    at: Moment
    text: Title


class ScheduleTold(Event):
    """When what happens; told anew as a whole."""

    KIND = "schedule_told"

    items: tuple[ScheduleItem, ...] = Field(max_length=60)


class Prize(EventValue):
    """What somebody wins for a place in the event or in a section."""

    place: int = Field(ge=1, le=MOST_PLAYERS)
    text: Title
    section: PlainText = Field(default="", max_length=24, pattern=SECTION, exclude_if=operator.not_)
    """Empty: in the event."""


class PrizesDeclared(Event):
    """The prizes in the order in which they are given; told anew as a whole."""

    KIND = "prizes_declared"

    prizes: tuple[Prize, ...] = Field(max_length=MOST_PRIZES)
    several: bool = Field(default=False, exclude_if=operator.not_)
    """Whether somebody may get more than one."""

    @model_validator(mode="after")
    def _in_order(self) -> "PrizesDeclared":
        last: dict[str, int] = {}
        for prize in self.prizes:
            if prize.place <= last.get(prize.section, 0):
                raise Flaw("prizes_in_order", place=prize.place)
            last[prize.section] = prize.place
        return self


class Commented(Event, by=("judge", "scribe")):
    """A remark for the broadcast, by somebody with a name. With a table, it is about the last
    entry of its record that they have seen: nobody reads it before they see that entry."""

    KIND = "event_commented"

    text: Annotated[Remark, Field(min_length=1, max_length=1000)]
    round: RoundNumber | None = None
    table: TableNumber | None = None
    game: Word | None = None
    entry: EventNumber | None = None


WallView = Literal["", "tables", "names", "standings", "bracket", "clock", "rules", "map"]


class WallTurned(Event, by=("judge", "scribe")):
    """What the big screens show: one view, or all in turn; whether they stand still."""

    KIND = "wall_turned"

    shows: WallView = ""
    paused: bool = False
    leaf: int = Field(default=0, ge=0, le=9999)
    """Which leaf, counted on from the first and round again."""
    section: PlainText = Field(default="", max_length=24, pattern=SECTION, exclude_if=operator.not_)
    """Of standings: only those of this section."""


class Announced(Event, by=("judge", "scribe")):
    """What everybody in the hall should know now: until the next one, or an empty one."""

    KIND = "announced"

    text: Annotated[Remark, Field(max_length=300)] = ""


KINDS: dict[str, type[Event]] = {
    kind.KIND: kind
    for kind in (
        Created, Revised, RegistrationSet, SignedUp, MovedUp,
        Registered, PlayerEdited, PlayerUnregistered, PlayersMerged, CheckedIn,
        PlayersKeptApart, ApartWithdrawn, TeamSet, LineUpSet, LineUpsDue, HallLaid,
        RoundCheckedIn, Late, Dropped, Returned, ByeRequested, RoundPaired, PairingWithdrawn,
        Swapped, RoundArranged, TablesAssigned, RoundStarted, StartWithdrawn, ClockStarted,
        ClockPaused, ClockExtended, ClockStopped, ResultEntered, ResultReported, ResultCorrected,
        JudgeCalled, CallAnswered, CallTaken, ZonesSet, RoundClosed, RoundReopened, PenaltyGiven,
        PointPenaltyCancelled,
        LotDrawn, FinalsStarted, FinalsCancelled,
        FinalistReplaced, ReadingRuled, DealRevealed, TournamentClosed, TournamentReopened, Vouched,
        TablesFeatured, ScheduleTold, Commented, WallTurned, Announced, FeeMarked, PrizesDeclared,
    )
}  # fmt: skip


def read_event(kind: str, schema: int, data: dict[str, Any]) -> Event:
    """Parse an event from its stored data."""
    return read_kind(KINDS, kind, schema, data)


E = TypeVar("E", bound=Event)


def read_kind(kinds: Mapping[str, type[E]], kind: str, schema: int, data: dict[str, Any]) -> E:
    model = kinds.get(kind)
    if model is None:
        raise UnreadableEntry("unknown_kind", kind=kind[:40])
    if schema != model.SCHEMA:
        raise UnreadableEntry("newer_schema", kind=kind, schema=schema)
    try:
        return model.model_validate(data)
    except ValidationError as error:
        problem = first_mistake(error, WORDS).phrase
        raise UnreadableEntry("at", place=kind, problem=problem) from None
