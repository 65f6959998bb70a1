"""The state of a tournament: immutable values, and queries on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

from msgspec import Struct, field

from engines.kernel.values.structs import PartlyCompared
from referee.tournament import events
from referee.tournament.clock import RoundClock
from referee.tournament.errors import NotPossible
from referee.tournament.plan import (
    Deal,
    DoubleElimination,
    Duplicate,
    Elimination,
    Knockout,
    Match,
    Plan,
    SeatRange,
)
from referee.tournament.values import Unplayed

Status = Literal["registered", "present", "dropped"]
Stage = Literal["main", "top_table", "knockout", "double_elimination"]


class Player(Struct, frozen=True):
    id: str
    number: int
    """In order of registration, from 1: what the pairing rules sort by."""
    club: str = ""
    rating: int = 0
    seed: int | None = None
    fixed_table: int | None = None
    status: Status = "registered"
    came: bool = False
    """Whether the player was ever present: who never came is not ranked."""
    away: Mapping[int, Unplayed] = field(default_factory=dict)
    """Rounds not played, and what they count."""
    sections: tuple[str, ...] = ()
    """Age groups and the like; nothing but rankings asks for them."""
    paid: bool = False
    """Whether the fee is paid: for organisers alone."""
    qualified: events.Qualified | None = None
    """From which event they came, and with how many points."""

    @property
    def carried(self) -> int:
        """Half points brought along from an earlier event."""
        return self.qualified.carried if self.qualified is not None else 0

    @property
    def seeding_key(self) -> tuple[int, int, int]:
        return (self.seed if self.seed is not None else 10_000, -self.rating, self.number)


class Entered(NamedTuple):
    """A result as it was entered or corrected, with the number of the event."""

    event: int
    outcome: events.Outcome
    source: events.Source


class PlayerReport(NamedTuple):
    """What a player says of the own table, with the number of that event."""

    event: int
    outcome: events.Outcome


class Draw(Struct, frozen=True, dict=True):
    """Who sits where in one round."""

    tables: tuple[events.Table, ...]
    byes: tuple[str, ...] = ()
    free: tuple[str, ...] = ()

    @cached_property
    def table_of(self) -> dict[str, events.Table]:
        return {player: table for table in self.tables for player in table.seats}

    @property
    def players(self) -> Iterator[str]:
        for table in self.tables:
            yield from table.seats
        yield from self.byes
        yield from self.free


class Round(PartlyCompared, frozen=True):
    """One round. The tournament before it is no part of its value."""

    NOT_COMPARED: ClassVar[tuple[str, ...]] = ("before",)

    number: int
    stage: Stage
    event: int
    """The number of the event that paired it."""
    paired: events.RoundPaired
    draw: Draw
    before: Tournament
    """The tournament as it stood when the round was paired."""
    third_place: int | None = None
    """The table at which the losers of the semi-finals meet."""
    swaps: tuple[tuple[str, str], ...] = ()
    arranged: bool = False
    """Whether its tables were made anew by hand."""
    merged: Mapping[str, str] = field(default_factory=dict)
    """Entries of the list that turned out since to be somebody else's, and whose. Of a round, as an
    entry may be made once more, and be its own then."""
    joined: frozenset[str] = frozenset()
    """Who got a place by hand and was not there when the round was paired."""
    started: bool = False
    closed: bool = False
    clock: RoundClock | None = None
    """The time of the round, once it was started."""
    results: Mapping[int, tuple[Entered, ...]] = field(default_factory=dict)
    """By table: what was entered, and every correction after it; the last one counts."""

    reports: Mapping[int, Mapping[str, PlayerReport]] = field(default_factory=dict)
    """By table and player: what those who sit there say themselves."""

    line_ups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By team: who sits at which board, board 1 first, since the round started."""

    def result(self, table: int) -> Entered | None:
        entered = self.results.get(table, ())
        return entered[-1] if entered else None

    @property
    def waiting(self) -> tuple[int, ...]:
        """Tables without a result."""
        return tuple(t.number for t in self.draw.tables if not self.results.get(t.number))

    @property
    def differing(self) -> tuple[int, ...]:
        """Tables without a result whose players have reported different ones."""
        return tuple(
            table
            for table in self.waiting
            if len({report.outcome for report in self.reports.get(table, {}).values()}) > 1
        )

    def table(self, number: int) -> events.Table:
        for table in self.draw.tables:
            if table.number == number:
                return table
        raise NotPossible("no_such_table", round=self.number, table=number)


class Penalty(Struct, frozen=True):
    event: int
    player: str
    halves: int
    reason: str
    clause: str | None = None
    cancelled: str | None = None
    """Why it was cancelled; it stays on the list."""
    infringement: str = ""
    level: str = ""
    round: int = 0
    """The round that was played, or the last one; 0 before the first."""


class Apart(Struct, frozen=True):
    """Who must not sit at one table."""

    event: int
    players: tuple[str, ...]
    reason: str
    withdrawn: str | None = None
    """Why they may meet after all; it stays on the list."""


class Call(Struct, frozen=True):
    """Somebody at a table wants a judge."""

    event: int
    round: int
    table: int
    player: str
    text: str
    answered: str | None = None
    """What the judge said; the call stays on the list."""
    given_back: bool = False
    """The table got the time that it waited."""


class Team(Struct, frozen=True):
    """Who plays for a team, in the order of the boards, reserves last."""

    members: tuple[str, ...]
    captain: str | None = None
    away: tuple[str, ...] = ()

    @property
    def people(self) -> tuple[str, ...]:
        """The members, and a captain who does not play."""
        return tuple(dict.fromkeys(filter(None, (*self.members, self.captain))))


class Waiting(NamedTuple):
    """Somebody who has registered and has no place yet."""

    player: str
    club: str


class Comment(NamedTuple):
    """A remark for the broadcast, with the number of its event."""

    event: int
    told: events.Commented


class Lot(NamedTuple):
    event: int
    order: tuple[str, ...]


class Ruling(NamedTuple):
    event: int
    ruled: events.ReadingRuled


class Finals(PartlyCompared, frozen=True):
    """The finals. The tournament before them is no part of their value."""

    NOT_COMPARED: ClassVar[tuple[str, ...]] = ("before",)

    event: int
    started: events.FinalsStarted
    first_round: int
    before: Tournament
    """The tournament as it stood when the finals were called."""
    replaced: tuple[tuple[str, str], ...] = ()
    """Who did not play and who came instead, one after the other: somebody may come back."""

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, best seed first."""
        now = list(self.started.players)
        for player, substitute in self.replaced:
            now[now.index(player)] = substitute
        return tuple(now)

    @property
    def substitutes(self) -> dict[str, str]:
        """By finalist who does not play: who came instead."""
        return {player: other for player, other in self.replaced if player not in self.players}


class Tournament(Struct, frozen=True):
    """The state after event ``last``; the events themselves are numbered from 0."""

    name: str
    plan: Plan
    last: int = 0
    players: Mapping[str, Player] = field(default_factory=dict)
    numbered: int = 0
    """The last number given to a player; numbers are given once."""
    registration: events.RegistrationSet | None = None
    """As it was last told; None where nobody registers themselves."""
    waiting_list: tuple[Waiting, ...] = ()
    checked_in: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """By round: who has come, where that was asked round by round."""
    rounds: tuple[Round, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    apart: tuple[Apart, ...] = ()
    teams: Mapping[str, Team] = field(default_factory=dict)
    """By team, where teams meet at several boards."""
    line_ups: Mapping[int, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """By round and team: the line-ups that were told."""
    line_ups_due: Mapping[int, str] = field(default_factory=dict)
    """By round: until when teams may tell their line-ups, where that is before its start."""
    calls: tuple[Call, ...] = ()
    zones: tuple[events.Zone, ...] = ()
    """Whose tables are whose among the judges."""
    hall: tuple[events.HallRow, ...] = ()
    """Where the tables stand, row behind row."""
    lots: tuple[Lot, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    deals: Mapping[str, Deal] = field(default_factory=dict)
    """Those that have been opened, by name."""
    finals: Finals | None = None
    featured: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """By round: the tables that the broadcast shows."""
    schedule: tuple[events.ScheduleItem, ...] = ()
    comments: tuple[Comment, ...] = ()
    wall: events.WallTurned = events.WallTurned()
    announcement: str = ""
    """What everybody in the hall should know now."""
    prizes: events.PrizesDeclared = events.PrizesDeclared(prizes=())
    closed: bool = False

    def player(self, player: str) -> Player:
        try:
            return self.players[player]
        except KeyError:
            raise NotPossible("unknown_player", player=player) from None

    @property
    def places_left(self) -> int:
        """For how many who register themselves there is room; who has left takes none."""
        told = self.registration.capacity if self.registration is not None else None
        here = sum(player.status != "dropped" for player in self.players.values())
        return max(0, (told or events.MOST_PLAYERS) - here)

    @property
    def next_up(self) -> tuple[Waiting, ...]:
        """Who of the waiting list has a place by now; once round one is paired the desk decides."""
        return () if self.rounds or self.closed else self.waiting_list[: self.places_left]

    @property
    def sections(self) -> tuple[str, ...]:
        """Those of the players and of the prizes, each once."""
        told = [label for player in self.players.values() for label in player.sections]
        told += [prize.section for prize in self.prizes.prizes if prize.section]
        return tuple(sorted(set(told)))

    @property
    def has_matches(self) -> bool:
        """Whether those who are paired play several games, in the rounds or in the finals."""
        finals = self.finals.started.match if self.finals is not None else None
        return self.plan.match is not None or finals is not None

    def match_at(self, round: Round, seats: int) -> Match | None:
        """The match that a table of a round plays; finals may have longer ones than the rounds."""
        if round.stage != "main" and self.finals is not None and seats == 2:
            return self.finals.started.match or self.plan.match
        return self.plan.match_at(seats)

    def round(self, number: int) -> Round:
        if not 1 <= number <= len(self.rounds):
            raise NotPossible("no_such_round", round=number)
        return self.rounds[number - 1]

    @property
    def open_round(self) -> Round | None:
        """The first round that is paired and not closed."""
        return next((round for round in self.rounds if not round.closed), None)

    @property
    def open_rounds(self) -> tuple[Round, ...]:
        return tuple(round for round in self.rounds if not round.closed)

    @property
    def round_on(self) -> Round | None:
        """The round being played; a reopened one only if no later one is open."""
        last = self.open_rounds[-1:]
        return last[0] if last else None

    @property
    def current_round(self) -> Round:
        """The last round. An earlier round that was reopened must be named explicitly."""
        if not self.rounds:
            raise NotPossible("no_round_yet")
        return self.rounds[-1]

    @property
    def stage(self) -> Stage:
        return self.finals.started.style if self.finals else "main"

    @property
    def seats(self) -> SeatRange:
        return self.finals.started.seats if self.finals else self.plan.seats

    def knockout_rules(self, stage: Stage) -> Elimination | None:
        """The knock-out rules of a stage; None if it has none."""
        if stage == "main":
            return self.plan.format if isinstance(self.plan.format, Elimination) else None
        if self.finals is None:
            return None
        started = self.finals.started
        if stage == "double_elimination":
            return DoubleElimination(on_tie=started.on_tie)
        if stage == "knockout":
            return Knockout(
                advance=started.advance, on_tie=started.on_tie, third_place=started.third_place
            )
        return None

    def rounds_of(self, stage: Stage) -> tuple[Round, ...]:
        return tuple(round for round in self.rounds if round.stage == stage)

    def available(self, number: int) -> tuple[Player, ...]:
        """The players who can be paired for a round, in order of number."""
        return tuple(
            player
            for player in self.players.values()
            if player.status == "present"
            and number not in player.away
            and (number not in self.checked_in or player.id in self.checked_in[number])
            and (self.finals is None or player.id in self.finals.players)
        )

    @property
    def kept_apart(self) -> dict[str, frozenset[str]]:
        """By player: with whom they must not sit at one table."""
        found: dict[str, frozenset[str]] = {}
        for each in self.apart:
            if each.withdrawn is None:
                group = frozenset(each.players)
                for player in each.players:
                    found[player] = found.get(player, frozenset()) | group - {player}
        return found

    @property
    def team_of(self) -> dict[str, str]:
        """By person: the team for which they play, have played or are captain."""
        found = {person: team for team, told in self.teams.items() for person in told.people}
        for round in self.rounds:
            for team, people in round.line_ups.items():
                found |= dict.fromkeys(people, team)
        return found

    def line_up(self, number: int, team: str) -> tuple[str, ...]:
        """Who sits at which board in a round, board 1 first: what was told, otherwise the first
        members who are there. Once it has started, later changes of the roster change nothing."""
        if number <= len(self.rounds) and self.rounds[number - 1].started:
            return self.rounds[number - 1].line_ups.get(team, ())
        return self.expected_line_up(number, team)

    def expected_line_up(self, number: int, team: str) -> tuple[str, ...]:
        told = self.line_ups.get(number, {}).get(team)
        if told or team not in self.teams:
            return told or ()
        roster = self.teams[team]
        here = [member for member in roster.members if member not in roster.away]
        return tuple(here[: self.plan.boards])

    def calls_of(self, round: int, table: int) -> tuple[Call, ...]:
        """The calls for a judge from a table, answered or not."""
        return tuple(call for call in self.calls if (call.round, call.table) == (round, table))

    def deal_of(self, number: int) -> Deal | None:
        """The deal of a round; None until it is revealed."""
        plan = self.plan.format
        if not isinstance(plan, Duplicate) or number > len(plan.deals):
            return None
        return self.deals.get(plan.deals[number - 1].name)

    def readings(self, game: str) -> dict[str, str]:
        """The readings in force for a game: the published ones and every ruling since."""
        readings = dict(self.plan.readings.get(game, {}))
        for _, ruled in self.rulings:
            if ruled.game == game:
                readings[ruled.reading] = ruled.value
        return readings


def begins(board: int) -> Literal["A", "B"]:
    """The seat that begins at a board: the team named first at 1, 3, 5…, the other at 2, 4…"""
    return "A" if board % 2 else "B"


def person_at(line_up: tuple[str, ...], board: int) -> str | None:
    return line_up[board - 1] if board <= len(line_up) else None


def apart_together(now: Tournament, draw: Draw) -> tuple[tuple[int, str, str], ...]:
    """Who sits at one table of a draw and must not: the table and the two of them."""
    apart = now.kept_apart
    return tuple(
        (table.number, one, other)
        for table in draw.tables
        for at, one in enumerate(table.seats)
        for other in table.seats[at + 1 :]
        if other in apart.get(one, ())
    )


def no_shows(now: Tournament, number: int) -> tuple[str, ...]:
    """Who did not come to a table of a round, and has not left the tournament since."""
    if not 1 <= number <= len(now.rounds):
        return ()
    round = now.round(number)
    return tuple(
        player
        for table in round.draw.tables
        if (entered := round.result(table.number)) is not None
        for letter in entered.outcome.absent
        if now.players[player := table.seats[events.seat_index(letter)]].status == "present"
    )
