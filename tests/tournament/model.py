"""A tournament kept on paper: plain lists that are crossed out and written over.

Written from docs/run-a-tournament.md and the descriptions of the events, without the fold: what
the desk refuses (``refuses``) and what it then says of everybody (``plain``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from referee.tournament import events as told
from referee.tournament.events import Event, Outcome, Plan
from referee.tournament.values import read_moment


@dataclass
class Person:
    number: int
    club: str
    rating: int
    seed: int | None
    table: int | None
    status: str = "registered"
    came: bool = False
    away: dict[int, str] = field(default_factory=dict)
    sections: tuple[str, ...] = ()
    paid: bool = False
    qualified: told.Qualified | None = None
    away_since_paired: set[int] = field(default_factory=set)
    """Rounds that were paired already when they were said to be missed."""


@dataclass
class Watch:
    minutes: int
    running: datetime | None
    spent: timedelta = timedelta()
    off: bool = False
    more: dict[int, int] = field(default_factory=dict)

    def halt(self, at: datetime) -> None:
        if self.running is not None:
            self.spent += max(at - self.running, timedelta())
        self.running = None


@dataclass
class Sitting:
    """One round."""

    stage: str
    tables: dict[int, list[str]]
    byes: list[str]
    free: list[str]
    seeding: list[str]
    third: int | None = None
    """The table of those who lost in the semi-finals."""
    started: bool = False
    closed: bool = False
    watch: Watch | None = None
    results: dict[int, list[Outcome]] = field(default_factory=dict)
    says: dict[int, dict[str, Outcome]] = field(default_factory=dict)
    told_by: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    """By table: the event of each result, and by what it is known."""
    said_at: dict[int, dict[str, int]] = field(default_factory=dict)
    """By table and player: the event in which they said it."""
    swaps: list[tuple[str, str]] = field(default_factory=list)
    by_hand: bool = False
    joined: set[str] = field(default_factory=set)
    whose: dict[str, str] = field(default_factory=dict)
    """Entries that turned out since to be somebody else's."""

    def everybody(self) -> list[str]:
        return [p for seats in self.tables.values() for p in seats] + self.byes + self.free


@dataclass
class Call:
    round: int
    table: int
    player: str
    text: str
    answer: str | None = None


@dataclass
class Fine:
    player: str
    halves: int
    round: int
    why: tuple[str, str | None, str, str]
    cancelled: str | None = None


@dataclass
class KeptApart:
    players: list[str]
    over: str | None = None


@dataclass
class Finals:
    style: str
    listed: list[str]
    """Who was called, best first."""
    players: list[str]
    """Who plays, each in the place of the one they stand in for."""
    least: int
    most: int
    advance: int
    on_tie: str
    third: bool
    instead: dict[str, str] = field(default_factory=dict)
    """Who does not play, and who came instead of them."""


AFTER_THE_END = (
    told.TournamentReopened, told.Vouched, told.Commented, told.WallTurned, told.Announced,
)  # fmt: skip
"""What can be told of a tournament that is closed."""


class Book:
    """The organiser's book."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.events = 0
        self.given_numbers = 0
        self.people: dict[str, Person] = {}
        self.merged: list[str] = []
        """Entries of the list that turned out to be somebody else's."""
        self.here_for: dict[int, set[str]] = {}
        self.rounds: list[Sitting] = []
        self.calls: dict[int, Call] = {}
        self.fines: dict[int, Fine] = {}
        self.apart: dict[int, KeptApart] = {}
        self.prizes: list[tuple[int, str, str]] = []
        self.lots: list[list[str]] = []
        self.several_prizes = False
        self.registration: told.RegistrationSet | None = None
        self.waiting: list[tuple[str, str]] = []
        self.ruled: list[tuple[int, told.ReadingRuled]] = []
        self.zones: list[tuple[str, int, int]] = []
        self.hall: list[tuple[str, list[int]]] = []
        self.featured: dict[int, list[int]] = {}
        self.schedule: list[tuple[str, str]] = []
        self.comments: list[tuple[int, str]] = []
        self.wall = ("", False, 0)
        self.announcement = ""
        self.deals: list[str] = []
        self.finals: Finals | None = None
        self.closed = False

    # telling

    def tell(self, event: Event) -> bool:
        """Write it down; or refuse, and then nothing is written."""
        if self.closed and not isinstance(event, AFTER_THE_END):
            return False
        if not getattr(self, type(event).__name__)(event):
            return False
        self.events += 1
        return True

    # the plan

    def Revised(self, said: told.Revised) -> bool:
        if self.rounds:
            rest = said.plan.model_copy(update={"rounds": self.plan.rounds})
            if rest != self.plan or said.plan.rounds < len(self.rounds):
                return False
        self.plan = said.plan
        return True

    def ReadingRuled(self, said: told.ReadingRuled) -> bool:
        if said.game not in self.plan.games:
            return False
        self.ruled.append((self.events + 1, said))
        return True

    def readings_of(self, game: str) -> dict[str, str]:
        """As published, and then as ruled, the last ruling last."""
        found = dict(self.plan.readings.get(game, {}))
        for _, ruled in self.ruled:
            if ruled.game == game:
                found[ruled.reading] = ruled.value
        return found

    # who registers themselves

    def RegistrationSet(self, said: told.RegistrationSet) -> bool:
        if said.open and self.rounds:
            return False
        self.registration = said
        return True

    def free_places(self) -> int:
        most = 999
        if self.registration is not None and self.registration.capacity is not None:
            most = self.registration.capacity
        return max(0, most - sum(p.status != "dropped" for p in self.people.values()))

    def next_up(self) -> list[tuple[str, str]]:
        """Who of those waiting has a place by now."""
        if self.rounds or self.closed:
            return []
        return self.waiting[: self.free_places()]

    def SignedUp(self, said: told.SignedUp) -> bool:
        if self.registration is None or not self.registration.open or self.rounds:
            return False
        if said.player in self.people or said.player in dict(self.waiting):
            return False
        if self.waiting or self.free_places() == 0:
            self.waiting.append((said.player, said.club))
            return True
        return self.Registered(told.Registered(player=said.player, club=said.club))

    def MovedUp(self, said: told.MovedUp) -> bool:
        waiting = dict(self.waiting)
        if said.player not in waiting:
            return False
        return self.Registered(told.Registered(player=said.player, club=waiting[said.player]))

    # who

    def Registered(self, said: told.Registered) -> bool:
        if said.player in self.people or self.finals is not None:
            return False
        if self.rounds and self._losers_leave("main"):
            return False
        if said.qualified and said.qualified.carried and self._no_points_to_add():
            return False
        self.given_numbers += 1
        person = Person(self.given_numbers, said.club, said.rating, said.seed, said.fixed_table)
        person.sections = tuple(_once(list(said.sections)))
        person.qualified = said.qualified
        self.waiting = [each for each in self.waiting if each[0] != said.player]
        if not self.plan.check_in and not self.rounds:
            person.status, person.came = "present", True
        self.people[said.player] = person
        return True

    def _no_points_to_add(self) -> bool:
        """Whether points brought along could not be added to those of the rounds."""
        dutch = getattr(self.plan.format, "system", "") == "dutch"
        return dutch or self.plan.scoring.kind not in ("duel", "places")

    def PlayerEdited(self, said: told.PlayerEdited) -> bool:
        person = self.people.get(said.player)
        changes = (said.club, said.rating, said.seed, said.fixed_table, said.sections)
        if person is None or all(change is None for change in changes):
            return False
        if said.club is not None:
            person.club = said.club
        if said.sections is not None:
            person.sections = tuple(_once(list(said.sections)))
        if said.rating is not None:
            person.rating = said.rating
        if said.seed is not None:
            person.seed = said.seed if said.seed > 0 else None
        if said.fixed_table is not None:
            person.table = said.fixed_table if said.fixed_table > 0 else None
        return True

    def FeeMarked(self, said: told.FeeMarked) -> bool:
        person = self.people.get(said.player)
        if person is None or person.paid is said.paid:
            return False
        person.paid = said.paid
        return True

    def PrizesDeclared(self, said: told.PrizesDeclared) -> bool:
        self.prizes = [(prize.place, prize.section, prize.text) for prize in said.prizes]
        self.several_prizes = said.several
        return True

    def PlayerUnregistered(self, said: told.PlayerUnregistered) -> bool:
        if said.player in dict(self.waiting):
            self.waiting = [each for each in self.waiting if each[0] != said.player]
            return True
        if said.player not in self.people or self._has_a_past(said.player):
            return False
        del self.people[said.player]
        for here in self.here_for.values():
            here.discard(said.player)
        return True

    def _has_a_past(self, player: str) -> bool:
        return (
            any(player in sitting.everybody() for sitting in self.rounds)
            or any(player == fine.player for fine in self.fines.values())
            or any(player in lot for lot in self.lots)
            or self._in_a_schedule(player)
        )

    def _in_a_schedule(self, player: str) -> bool:
        listed = [player for sitting in self.rounds for player in sitting.seeding]
        if self.finals is not None:
            listed += self.finals.listed + self.finals.players
        return player in listed

    def PlayersMerged(self, said: told.PlayersMerged) -> bool:
        kept, gone = self.people.get(said.player), self.people.get(said.merged)
        if kept is None or gone is None or said.player == said.merged:
            return False
        if self._in_a_schedule(said.merged):
            return False
        if any({said.player, said.merged} <= set(s.everybody()) for s in self.rounds):
            return False
        for number in gone.away.keys() - kept.away.keys():
            kept.away[number] = gone.away[number]
            if number <= len(self.rounds):  # learnt after the pairing, whenever it was asked for
                kept.away_since_paired.add(number)
        for at, sitting in enumerate(self.rounds, 1):
            if {said.player, said.merged} & set(sitting.everybody()):
                kept.away.pop(at, None)
        kept.came = kept.came or gone.came
        kept.paid = kept.paid or gone.paid
        kept.sections = kept.sections if kept.sections else gone.sections
        if said.completes:
            kept.club = kept.club if kept.club else gone.club
            kept.rating = kept.rating if kept.rating else gone.rating
            kept.seed = kept.seed if kept.seed else gone.seed
            kept.table = kept.table if kept.table else gone.table
            kept.qualified = kept.qualified if kept.qualified else gone.qualified
        for status in ("registered", "dropped", "present"):
            if status in (kept.status, gone.status):
                seen = status
        kept.status = seen
        del self.people[said.merged]
        self._everywhere(said.merged, said.player)
        return True

    def _everywhere(self, old: str, new: str) -> None:
        """Another name in all that is written."""

        def names(players: list[str]) -> list[str]:
            return [new if player == old else player for player in players]

        self.merged.append(old)
        for sitting in self.rounds:
            sitting.whose = {entry: names([who])[0] for entry, who in sitting.whose.items()}
            sitting.whose[old] = new
            sitting.tables = {at: names(seats) for at, seats in sitting.tables.items()}
            sitting.byes, sitting.free = names(sitting.byes), names(sitting.free)
            sitting.joined = set(names(sorted(sitting.joined)))
            sitting.swaps = [(names([a])[0], names([b])[0]) for a, b in sitting.swaps]
            for reports in sitting.says.values():
                if old in reports:
                    reports[new] = reports.pop(old)
            for moments in sitting.said_at.values():
                if old in moments:
                    moments[new] = moments.pop(old)
        for call in self.calls.values():
            call.player = new if call.player == old else call.player
        for fine in self.fines.values():
            fine.player = new if fine.player == old else fine.player
        for kept in self.apart.values():
            kept.players = _once(names(kept.players))
        self.lots = [_once(names(lot)) for lot in self.lots]
        self.here_for = {at: set(names(sorted(here))) for at, here in self.here_for.items()}

    def CheckedIn(self, said: told.CheckedIn) -> bool:
        person = self.people.get(said.player)
        if person is None or person.status != "registered" or self.rounds:
            return False
        person.status, person.came = "present", True
        return True

    def RoundCheckedIn(self, said: told.RoundCheckedIn) -> bool:
        if said.round <= len(self.rounds):
            return False
        if any(p not in self.people or self.people[p].status != "present" for p in said.players):
            return False
        self.here_for.setdefault(said.round, set()).update(said.players)
        return True

    def Late(self, said: told.Late) -> bool:
        person = self.people.get(said.player)
        if person is None or person.status != "registered" or not self.rounds:
            return False
        if self._losers_leave("main"):
            return False
        self._joins_in(said.player, said.missed)
        return True

    def Returned(self, said: told.Returned) -> bool:
        person = self.people.get(said.player)
        if person is None or person.status != "dropped":
            return False
        if self.rounds and self._losers_leave(self._stage()):
            return False
        self._joins_in(said.player, said.missed)
        return True

    def _joins_in(self, player: str, missed: str) -> None:
        person = self.people[player]
        person.status, person.came = "present", True
        for at, sitting in enumerate(self.rounds, 1):
            if player not in sitting.everybody() and at not in person.away:
                person.away[at] = missed
                person.away_since_paired.add(at)

    def Dropped(self, said: told.Dropped) -> bool:
        person = self.people.get(said.player)
        if person is None or person.status == "dropped":
            return False
        person.status = "dropped"
        return True

    def ByeRequested(self, said: told.ByeRequested) -> bool:
        person = self.people.get(said.player)
        if person is None:
            return False
        if said.round <= len(self.rounds):
            if said.player in self.rounds[said.round - 1].everybody():
                return False
            if said.round not in person.away:
                person.away_since_paired.add(said.round)
        person.away[said.round] = said.counts
        return True

    # rounds

    def _stage(self) -> str:
        return "main" if self.finals is None else self.finals.style

    def _losers_leave(self, stage: str) -> bool:
        return (self.plan.format.kind if stage == "main" else stage) in (
            "knockout",
            "double_elimination",
        )

    def _bracket_says_who_meets(self, stage: str) -> bool:
        return (self.plan.format.kind if stage == "main" else stage) == "double_elimination"

    def _round(self, number: int) -> Sitting | None:
        return self.rounds[number - 1] if 1 <= number <= len(self.rounds) else None

    def can_play(self, player: str, number: int) -> bool:
        person = self.people.get(player)
        if person is None or person.status != "present" or number in person.away:
            return False
        if number in self.here_for and player not in self.here_for[number]:
            return False
        return self.finals is None or player in self.finals.players

    def _seats_at(self, stage: str) -> tuple[int, int]:
        if stage == "main" or self.finals is None:
            return min(2, self.plan.seats.most), self.plan.seats.most
        return min(2, self.finals.most), self.finals.most

    def _draw_fits(
        self, tables: tuple[told.Table, ...], others: list[str], stage: str
    ) -> dict[int, list[str]] | None:
        everybody = [player for table in tables for player in table.seats] + others
        least, most = self._seats_at(stage)
        if not tables or len(everybody) != len(set(everybody)):
            return None
        if len({table.number for table in tables}) < len(tables):
            return None
        if not all(least <= len(table.seats) <= most for table in tables):
            return None
        return {table.number: list(table.seats) for table in tables}

    def RoundPaired(self, said: told.RoundPaired) -> bool:
        if said.round != len(self.rounds) + 1 or not all(s.closed for s in self.rounds):
            return False
        stage = self._stage()
        goes_on_until_one_is_left = self.finals is not None or self._losers_leave(stage)
        if said.round > self.plan.rounds and not goes_on_until_one_is_left:
            return False
        others = [*said.byes, *said.free]
        tables = self._draw_fits(said.tables, others, stage)
        if tables is None:
            return False
        sitting = Sitting(stage, tables, list(said.byes), list(said.free), list(said.seeding))
        if not all(self.can_play(player, said.round) for player in sitting.everybody()):
            return False
        if said.third_place is not None:
            if not self._plays_for_third(stage) or said.third_place not in tables:
                return False
            sitting.third = said.third_place
        self.rounds.append(sitting)
        return True

    def _plays_for_third(self, stage: str) -> bool:
        if stage == "main":
            return getattr(self.plan.format, "third_place", False)
        return self.finals is not None and self.finals.third

    def PairingWithdrawn(self, said: told.PairingWithdrawn) -> bool:
        sitting = self._round(said.round)
        if sitting is None or said.round != len(self.rounds) or sitting.started:
            return False
        self.rounds.pop()
        for person in self.people.values():
            if said.round in person.away_since_paired:
                person.away_since_paired.discard(said.round)
                person.away.pop(said.round, None)
        return True

    def Swapped(self, said: told.Swapped) -> bool:
        sitting = self._round(said.round)
        if sitting is None or sitting.closed or said.a == said.b:
            return False
        if not {said.a, said.b} <= set(sitting.everybody()):
            return False
        for number, seats in sitting.tables.items():
            if {said.a, said.b} & set(seats) and sitting.results.get(number):
                return False
        if self._bracket_says_who_meets(sitting.stage) and any(
            len({said.a, said.b} & {*seats}) == 1 for seats in sitting.tables.values()
        ):
            return False
        other = {said.a: said.b, said.b: said.a}
        for number, seats in sitting.tables.items():
            if {said.a, said.b} & set(seats):
                sitting.says.pop(number, None)
                sitting.tables[number] = [other.get(player, player) for player in seats]
        sitting.byes = [other.get(player, player) for player in sitting.byes]
        sitting.free = [other.get(player, player) for player in sitting.free]
        sitting.swaps.append((said.a, said.b))
        return True

    def RoundArranged(self, said: told.RoundArranged) -> bool:
        sitting = self._round(said.round)
        if sitting is None or sitting.closed:
            return False
        stage = "main" if sitting.stage == "main" else self._stage()
        tables = self._draw_fits(said.tables, [*said.byes, *said.free], stage)
        if tables is None:
            return False
        if self._bracket_says_who_meets(sitting.stage):
            meet, met = (sorted(map(sorted, each.values())) for each in (tables, sitting.tables))
            if meet != met:
                return False
        before = sitting.everybody()
        after = [p for seats in tables.values() for p in seats] + [*said.byes, *said.free]
        present = [name for name, person in self.people.items() if person.status == "present"]
        if any(player not in before + present for player in after):
            return False
        if any(player in present and player not in after for player in before):
            return False
        if any(tables.get(at) != sitting.tables[at] for at, r in sitting.results.items() if r):
            return False
        new = [player for player in after if player not in before]
        if new and self._losers_leave(sitting.stage):
            return False
        for player in new:
            self.people[player].away.pop(said.round, None)
            self.people[player].away_since_paired.discard(said.round)
        sitting.says = {
            at: reports
            for at, reports in sitting.says.items()
            if tables.get(at) == sitting.tables[at]
        }
        sitting.joined |= set(new)
        sitting.by_hand = True
        sitting.tables, sitting.byes, sitting.free = tables, list(said.byes), list(said.free)
        if sitting.third not in tables:
            sitting.third = None
        return True

    def TablesAssigned(self, said: told.TablesAssigned) -> bool:
        sitting = self._round(said.round)
        if sitting is None or sitting.started:
            return False
        moves = dict(said.moves)
        if not moves.keys() <= sitting.tables.keys():
            return False
        moved = [(moves.get(at, at), seats) for at, seats in sitting.tables.items()]
        if len(dict(moved)) < len(moved):
            return False
        sitting.tables = dict(sorted(moved))
        if sitting.third is not None:
            sitting.third = moves.get(sitting.third, sitting.third)
        return True

    def RoundStarted(self, said: told.RoundStarted) -> bool:
        sitting = self._round(said.round)
        if sitting is None or sitting.started:
            return False
        sitting.started = True
        return True

    def StartWithdrawn(self, said: told.StartWithdrawn) -> bool:
        sitting = self._round(said.round)
        if sitting is None or not sitting.started or said.round != len(self.rounds):
            return False
        if any(sitting.results.values()):
            return False
        sitting.started, sitting.watch, sitting.says = False, None, {}
        return True

    def RoundClosed(self, said: told.RoundClosed) -> bool:
        sitting = self._playing(said.round)
        if sitting is None:
            return False
        missing = any(not sitting.results.get(at) for at in sitting.tables)
        if missing and self.plan.format.kind != "ladder":
            return False
        sitting.closed, sitting.watch = True, None
        return True

    def RoundReopened(self, said: told.RoundReopened) -> bool:
        sitting = self._round(said.round)
        if sitting is None or not sitting.closed:
            return False
        sitting.closed = False
        return True

    def _playing(self, number: int) -> Sitting | None:
        sitting = self._round(number)
        return sitting if sitting and sitting.started and not sitting.closed else None

    # time

    def ClockStarted(self, said: told.ClockStarted) -> bool:
        sitting = self._playing(said.round)
        if sitting is None:
            return False
        if sitting.watch is None:
            if said.minutes is None:
                return False
            sitting.watch = Watch(said.minutes, read_moment(said.at))
            return True
        if sitting.watch.running is not None or said.minutes is not None:
            return False
        sitting.watch.running, sitting.watch.off = read_moment(said.at), False
        return True

    def ClockPaused(self, said: told.ClockPaused) -> bool:
        sitting = self._playing(said.round)
        if sitting is None or sitting.watch is None or sitting.watch.running is None:
            return False
        sitting.watch.halt(read_moment(said.at))
        return True

    def ClockExtended(self, said: told.ClockExtended) -> bool:
        sitting = self._playing(said.round)
        if sitting is None or sitting.watch is None:
            return False
        watch = sitting.watch
        if said.table is None:
            if watch.minutes + said.minutes < 0:
                return False
            watch.minutes += said.minutes
            return True
        more = watch.more.get(said.table, 0) + said.minutes
        if said.table not in sitting.tables or watch.minutes + more < 0:
            return False
        watch.more[said.table] = more
        return True

    def ClockStopped(self, said: told.ClockStopped) -> bool:
        sitting = self._playing(said.round)
        if sitting is None or sitting.watch is None or sitting.watch.off:
            return False
        sitting.watch.halt(read_moment(said.at))
        sitting.watch.off = True
        return True

    # results

    def _takes(self, number: int, table: int, outcome: Outcome) -> Sitting | None:
        sitting = self._playing(number)
        if sitting is None or table not in sitting.tables:
            return None
        if len(outcome.places) != len(sitting.tables[table]):
            return None
        if outcome.timed_out and self.plan.time is None:
            return None
        if self.plan.scoring.kind == "game" and outcome.scores is None:
            return None
        scoring, measured = self.plan.scoring, len(outcome.measures or ())
        if scoring.kind == "ladder" and not outcome.absent and measured != len(scoring.measures):
            return None
        if self._losers_leave(sitting.stage) and self._nobody_can_say_who_goes_on(sitting, outcome):
            return None
        return sitting

    def _nobody_can_say_who_goes_on(self, sitting: Sitting, outcome: Outcome) -> bool:
        if self.finals is not None and sitting.stage != "main":
            going_on, rule = self.finals.advance, self.finals.on_tie
        else:
            going_on, rule = self.plan.format.advance, self.plan.format.on_tie  # type: ignore[union-attr]
        if len(sitting.tables) == 1 and not sitting.free:
            going_on = 1
        places = sorted(outcome.places[seat] for seat in outcome.here)
        tied = len(places) > going_on and places[going_on - 1] == places[going_on]
        return tied and (rule == "replay" or (rule == "judge" and not outcome.tie_order))

    def ResultEntered(self, said: told.ResultEntered) -> bool:
        sitting = self._takes(said.round, said.table, said.outcome)
        if sitting is None or sitting.results.get(said.table):
            return False
        sitting.results[said.table] = [said.outcome]
        known_by = said.source.game if said.source.kind == "game" else said.source.reason
        sitting.told_by[said.table] = [(self.events + 1, known_by)]
        return True

    def ResultCorrected(self, said: told.ResultCorrected) -> bool:
        sitting = self._takes(said.round, said.table, said.outcome)
        if sitting is None or not sitting.results.get(said.table):
            return False
        sitting.results[said.table].append(said.outcome)
        sitting.told_by[said.table].append((self.events + 1, said.reason))
        return True

    def ResultReported(self, said: told.ResultReported) -> bool:
        sitting = self._takes(said.round, said.table, said.outcome)
        if sitting is None or sitting.results.get(said.table):
            return False
        if said.player not in sitting.tables[said.table]:
            return False
        reports = sitting.says.setdefault(said.table, {})
        reports[said.player] = said.outcome
        moments = sitting.said_at.setdefault(said.table, {})
        moments[said.player] = self.events + 1
        seats = sitting.tables[said.table]
        if all(reports.get(player) == said.outcome for player in seats):
            sitting.results[said.table] = [said.outcome]
            told_in = sorted(moments[player] for player in seats)
            sitting.told_by[said.table] = [(self.events + 1, f"agreed {told_in}")]
        return True

    # judges

    def JudgeCalled(self, said: told.JudgeCalled) -> bool:
        sitting = self._round(said.round)
        if sitting is None or said.player not in sitting.tables.get(said.table, []):
            return False
        for call in self.calls.values():
            same = (call.round, call.table, call.player) == (said.round, said.table, said.player)
            if same and call.answer is None:
                return False
        self.calls[self.events + 1] = Call(said.round, said.table, said.player, said.text)
        return True

    def CallAnswered(self, said: told.CallAnswered) -> bool:
        call = self.calls.get(said.call)
        if call is None or call.answer is not None:
            return False
        call.answer = said.text
        return True

    def CallTaken(self, said: told.CallTaken) -> bool:
        call = self.calls.get(said.call)
        return call is not None and call.answer is None

    def PenaltyGiven(self, said: told.PenaltyGiven) -> bool:
        if said.player not in self.people:
            return False
        open_rounds = [at for at, sitting in enumerate(self.rounds, 1) if not sitting.closed]
        played = open_rounds[-1] if open_rounds else len(self.rounds)
        why = (said.reason, said.clause, said.infringement, said.level)
        self.fines[self.events + 1] = Fine(said.player, said.halves, played, why)
        return True

    def PointPenaltyCancelled(self, said: told.PointPenaltyCancelled) -> bool:
        fine = self.fines.get(said.penalty)
        if fine is None or fine.cancelled is not None:
            return False
        fine.cancelled = said.reason
        return True

    def ZonesSet(self, said: told.ZonesSet) -> bool:
        self.zones = [(zone.judge, zone.first, zone.last) for zone in said.zones]
        return True

    def DealRevealed(self, said: told.DealRevealed) -> bool:
        published = self.plan.format.deals if self.plan.format.kind == "duplicate" else ()
        if (said.deal.name, said.deal.ref.digest) not in [(p.name, p.digest) for p in published]:
            return False
        if said.deal.name not in self.deals:
            self.deals.append(said.deal.name)
        return True

    # the hall and its screens

    def HallLaid(self, said: told.HallLaid) -> bool:
        self.hall = [(row.name, [*row.tables]) for row in said.rows]
        return True

    def TablesFeatured(self, said: told.TablesFeatured) -> bool:
        sitting = self._round(said.round)
        if sitting is None or not set(said.tables) <= set(sitting.tables):
            return False
        self.featured[said.round] = list(dict.fromkeys(said.tables))
        return True

    def ScheduleTold(self, said: told.ScheduleTold) -> bool:
        self.schedule = sorted([(item.at, item.text) for item in said.items], key=lambda it: it[0])
        return True

    def Commented(self, said: told.Commented) -> bool:
        if said.table is not None:
            sitting = None if said.round is None else self._round(said.round)
            if sitting is None or said.table not in sitting.tables:
                return False
        self.comments.append((self.events + 1, said.text))
        return True

    def WallTurned(self, said: told.WallTurned) -> bool:
        self.wall = (said.shows, said.paused, said.leaf)
        return True

    def Announced(self, said: told.Announced) -> bool:
        self.announcement = said.text
        return True

    def Vouched(self, said: told.Vouched) -> bool:
        return said.seq == self.events

    def PlayersKeptApart(self, said: told.PlayersKeptApart) -> bool:
        if len(set(said.players)) < len(said.players) or not set(said.players) <= set(self.people):
            return False
        self.apart[self.events + 1] = KeptApart(list(said.players))
        return True

    def ApartWithdrawn(self, said: told.ApartWithdrawn) -> bool:
        kept = self.apart.get(said.apart)
        if kept is None or kept.over is not None:
            return False
        kept.over = said.reason
        return True

    def must_not_meet(self, one: str, other: str) -> bool:
        return one != other and any(
            one in kept.players and other in kept.players
            for kept in self.apart.values()
            if kept.over is None
        )

    def LotDrawn(self, said: told.LotDrawn) -> bool:
        if len(set(said.order)) < len(said.order) or not set(said.order) <= self.people.keys():
            return False
        self.lots.append(list(said.order))
        return True

    # the end

    def FinalsStarted(self, said: told.FinalsStarted) -> bool:
        if self.finals is not None or not self.rounds or not all(s.closed for s in self.rounds):
            return False
        if len(set(said.players)) < len(said.players):
            return False
        for player in said.players:
            if player not in self.people or self.people[player].status != "present":
                return False
        if said.style == "top_table" and len(said.players) > said.seats.most:
            return False
        self.finals = Finals(
            said.style,
            list(said.players),
            list(said.players),
            said.seats.least,
            said.seats.most,
            said.advance,
            said.on_tie,
            said.third_place,
        )
        return True

    def FinalsCancelled(self, said: told.FinalsCancelled) -> bool:
        if self.finals is None:
            return False
        if any(s.started for s in self.rounds if s.stage != "main"):
            return False
        self.finals = None
        self.rounds = [sitting for sitting in self.rounds if sitting.stage == "main"]
        return True

    def FinalistReplaced(self, said: told.FinalistReplaced) -> bool:
        if self.finals is None or said.player not in self.finals.players:
            return False
        person = self.people.get(said.substitute)
        if person is None or person.status != "present":
            return False
        if said.substitute in self.finals.players:
            return False
        if any(s.stage != "main" and said.player in s.everybody() for s in self.rounds):
            return False
        at = self.finals.players.index(said.player)
        self.finals.players[at] = said.substitute
        self.finals.instead[said.player] = said.substitute
        self.finals.instead.pop(said.substitute, None)
        return True

    def TournamentClosed(self, said: told.TournamentClosed) -> bool:
        if not all(sitting.closed for sitting in self.rounds):
            return False
        self.closed = True
        return True

    def TournamentReopened(self, said: told.TournamentReopened) -> bool:
        if not self.closed:
            return False
        self.closed = False
        return True

    # looking

    def _no_shows(self, sitting: Sitting) -> list[str]:
        """Who did not come to their table, as its last result has it, and is still in it."""
        missed = [
            sitting.tables[at]["ABCDEFGH".index(letter)]
            for at in sitting.tables
            if sitting.results.get(at)
            for letter in sitting.results[at][-1].absent
        ]
        return [player for player in missed if self.people[player].status == "present"]

    def plain(self) -> dict[str, Any]:
        """All of it, to be held against what the fold says."""
        return {
            "events": self.events,
            "people": {
                name: (
                    p.number,
                    p.club,
                    p.rating,
                    p.seed,
                    p.table,
                    p.status,
                    p.came,
                    p.away,
                    p.sections,
                    p.paid,
                    p.qualified,
                )
                for name, p in self.people.items()
            },
            "can_play": sorted(
                name for name in self.people if self.can_play(name, len(self.rounds) + 1)
            ),
            "rounds": [
                {
                    "stage": s.stage,
                    "tables": s.tables,
                    "others": (s.byes, s.free),
                    "so": (s.started, s.closed, s.third),
                    "joined": s.joined,
                    "whose": s.whose,
                    "results": {at: given for at, given in s.results.items() if given},
                    "says": {at: given for at, given in s.says.items() if given},
                    "known_by": {at: by for at, by in s.told_by.items() if s.results.get(at)},
                    "by_hand": (s.swaps, s.by_hand),
                    "waiting": [at for at in s.tables if not s.results.get(at)],
                    "differing": [
                        at
                        for at in s.tables
                        if not s.results.get(at) and len(_different(s.says.get(at, {}))) > 1
                    ],
                    "no_shows": self._no_shows(s),
                    "clock": s.watch
                    and (
                        s.watch.minutes,
                        s.watch.more,
                        s.watch.spent,
                        s.watch.running,
                        s.watch.off,
                    ),
                }
                for s in self.rounds
            ],
            "round_on": next(
                (at for at, s in reversed([*enumerate(self.rounds, 1)]) if not s.closed), None
            ),
            "calls": [
                (n, c.round, c.table, c.player, c.text, c.answer) for n, c in self.calls.items()
            ],
            "fines": [
                (n, f.player, f.halves, f.round, f.why, f.cancelled) for n, f in self.fines.items()
            ],
            "prizes": (self.prizes, self.several_prizes),
            "registration": (self.registration, self.waiting, self.free_places(), self.next_up()),
            "sections": sorted(
                {label for p in self.people.values() for label in p.sections}
                | {section for _, section, _ in self.prizes if section}
            ),
            "plan": self.plan,
            "readings": {game: self.readings_of(game) for game in self.plan.games},
            "ruled": self.ruled,
            "deals": self.deals,
            "hall": (
                self.zones,
                self.hall,
                self.featured,
                self.schedule,
                self.comments,
                self.wall,
                self.announcement,
            ),
            "meeting": {
                one: {other for other in self.people if self.must_not_meet(one, other)}
                for one in self.people
            },
            "apart": [(n, kept.players, kept.over) for n, kept in self.apart.items()],
            "lots": self.lots,
            "finals": self.finals and (self.finals.style, self.finals.players),
            "instead": self.finals and self.finals.instead,
            "closed": self.closed,
        }


def _different(said: dict[str, Outcome]) -> list[Outcome]:
    found: list[Outcome] = []
    for outcome in said.values():
        if outcome not in found:
            found.append(outcome)
    return found


def _once(names: list[str]) -> list[str]:
    return list(dict.fromkeys(names))
