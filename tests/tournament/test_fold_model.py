"""Whatever is told at a desk, sensible or not: the fold says what the organiser's book says.

Histories are made up at random, from what the book says could follow and from nonsense. One that
comes out differently is cut down to the events that are needed for it.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from engines.kernel.messages.catalogue import LANGUAGES
from referee.tournament import events as told
from referee.tournament.errors import WORDS, NotPossible
from referee.tournament.events import KINDS, Agreed, ByHand, Event, FromGame, Outcome, Plan, Source
from referee.tournament.fold import apply
from referee.tournament.plan import (
    Deal,
    DoubleElimination,
    Duplicate,
    Format,
    GameScoring,
    Knockout,
    Ladder,
    LadderScoring,
    Measure,
    SeatRange,
    TimeRule,
)
from referee.tournament.state import Tournament, no_shows
from tests.tournament.hosting import FOUR, TWO, duels, tables_of_four
from tests.tournament.model import Book, Sitting

NAMES = [f"p{letter}" for letter in "abcdefghij"]
UNPLAYED: list[Any] = ["zero_bye", "half_bye", "full_bye"]
MOMENTS = [f"2026-11-14T10:{minute:02}:00.000Z" for minute in (0, 5, 20, 50)]
DEALS = [
    Deal(name=name, game="bethel_woods", piles={"rain": cards})
    for name, cards in (("one", ("r1", "r2")), ("two", ("r2", "r1")), ("one", ("r2", "r2")))
]
"""The third has the name of the first, and other cards."""


def teams(format: Format, columns: tuple[Any, ...]) -> Plan:
    measures = (Measure(name="level"), Measure(name="losses", better="fewer"))
    return duels(
        format, games=("bethel_woods", "benevolent"), check_in=False, rounds=2, tie_breaks=columns,
        seats=SeatRange(least=1, most=1, preferred=1), scoring=LadderScoring(measures=measures),
        readings={"bethel_woods": {"deck": "open"}},
    )  # fmt: skip


PLANS: dict[str, Plan] = {
    "swiss": duels(rounds=3),
    "timed": duels(rounds=3, check_in=False, time=TimeRule(minutes=30, on_time="judge")),
    "pods": tables_of_four(rounds=3, check_in=False),
    "knockout": duels(Knockout(), check_in=False),
    "third": duels(Knockout(third_place=True), check_in=False),
    "judged": duels(Knockout(on_tie="judge"), check_in=False),
    "two-lives": duels(Knockout(lives=2, on_tie="judge"), check_in=False),
    "double": duels(DoubleElimination(on_tie="judge"), check_in=False),
    "points": tables_of_four(rounds=3, check_in=False, scoring=GameScoring()),
    "ladder": teams(Ladder(), ("LADDER",)),
    "deals": teams(Duplicate(deals=tuple(deal.ref for deal in DEALS[:2])), ("PTS",)),
    "pods-knockout": tables_of_four(Knockout(advance=2, on_tie="later_seat"), check_in=False),
}
CLOCK = (told.ClockStarted, told.ClockPaused, told.ClockExtended, told.ClockStopped)
CALL = (told.JudgeCalled, told.CallTaken, told.CallAnswered)
RESULT = (told.ResultEntered, told.ResultCorrected, told.ResultReported)
ROUND = (told.RoundStarted, told.StartWithdrawn, told.TablesAssigned, told.Swapped)
ROW = 0.6
"""How often more follows about the same thing."""
HISTORIES = max(40, int(os.environ.get("REFEREE_CHAOS", "0")) * 10)
STEPS = 90


class Desk:
    """Makes up what is told next."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self.book = Book(plan)
        self.chance = Random(seed)
        self.told: Event | None = None
        """The last of all: if it could be told, more about the same often follows."""
        self.events = 0
        self.by_phone = seed % 3 == 0
        """Whether most register themselves, and there is little room."""

    def one_of(self, *known: Any, nonsense: Any = None) -> Any:
        """Mostly something that is there."""
        if nonsense is not None and (not known or self.chance.random() < 0.07):
            return self.chance.choice(nonsense)
        return self.chance.choice(known)

    def whether(self, chance: float = 0.5) -> bool:
        return self.chance.random() < chance

    def player(self, *statuses: str) -> str:
        known = [n for n, p in self.book.people.items() if not statuses or p.status in statuses]
        return str(self.one_of(*known, nonsense=NAMES))

    def round(self) -> int:
        last = max(1, len(self.book.rounds))
        return int(self.one_of(*[last] * 8, max(1, last - 1), max(1, last - 2), last + 1))

    def sitting(self, number: int) -> Sitting | None:
        rounds = self.book.rounds
        return rounds[number - 1] if number <= len(rounds) else None

    def table(self, number: int) -> tuple[int, list[str]]:
        sitting = self.sitting(number)
        known = sitting.tables if sitting else {}
        table = self.one_of(*known, nonsense=[1, 7])
        return table, known.get(table, NAMES[:2])

    def several(self, players: list[str]) -> list[str]:
        return self.chance.sample(players, len(players))

    # what can be told

    def registered(self) -> Event:
        free = [name for name in NAMES if name not in self.book.people]
        table = self.one_of(None, None, 2)
        player = self.one_of(*free, nonsense=NAMES)
        sections = self.one_of((), (), ("U14",), ("women", "U14", "women"))
        return told.Registered(
            player=player,
            fixed_table=table,
            sections=sections,
            qualified=told.Qualified(tournament="a", place=1, carried=3) if sections else None,
        )

    def revised(self) -> Event:
        plan = self.book.plan
        change = self.one_of({"rounds": 1}, {"rounds": 3}, {"rounds": 4}, {"check_in": True}, {})
        if plan.format.kind == "duplicate":  # one round for each deal
            change.pop("rounds", None)
        return told.Revised(plan=plan.model_copy(update=change), reason="more of them came")

    def ruled(self) -> Event:
        game = self.one_of(*self.book.plan.games * 4, "pebbles")
        reading, value = self.one_of("deck", "stack"), self.one_of("open", "shut")
        return told.ReadingRuled(game=game, reading=reading, value=value, reason="as in May")

    def registration(self) -> Event:
        most, until = self.one_of(None, 2, 4, 8), self.one_of(None, MOMENTS[1])
        return told.RegistrationSet(open=self.whether(0.8), capacity=most, closes=until)

    def signed_up(self) -> Event:
        if self.book.registration is None and self.whether(0.9):
            return told.RegistrationSet(open=True, capacity=self.one_of(None, 2, 4, 4))
        free = [name for name in NAMES if name not in self.book.people]
        player = self.one_of(*free, nonsense=NAMES)
        return told.SignedUp(player=player, club=self.one_of("", "Rook"))

    def moved_up(self) -> Event:
        waiting = [player for player, _ in self.book.waiting]
        return told.MovedUp(player=self.one_of(*waiting, nonsense=NAMES))

    def zones(self) -> Event:
        zones = [told.Zone(judge=j, first=f, last=f + 1) for j, f in (("pjb", 3), ("pja", 1))]
        return told.ZonesSet(zones=tuple(zones[: self.one_of(0, 1, 2)]))

    def hall(self) -> Event:
        rows = [told.HallRow(name="Stage", tables=(2, 1)), told.HallRow(tables=(7, 3))]
        return told.HallLaid(rows=tuple(rows[: self.one_of(0, 1, 2)]))

    def featured(self) -> Event:
        number = self.round()
        tables = tuple(self.table(number)[0] for _ in range(self.one_of(0, 1, 2, 3)))
        return told.TablesFeatured(round=number, tables=tables)

    def schedule(self) -> Event:
        items = [
            told.ScheduleItem(at=self.one_of(*MOMENTS), text=text)
            for text in ("lunch", "round two", "prizes")[: self.one_of(0, 2, 3)]
        ]
        return told.ScheduleTold(items=tuple(items))

    def comment(self) -> Event:
        number = self.round()
        table = self.one_of(None, self.table(number)[0])
        round = None if table is None else self.one_of(*[number] * 8, None)
        text = self.one_of("what a move", "close")
        return told.Commented(text=text, round=round, table=table)

    def wall(self) -> Event:
        shows = self.one_of("", "tables", "clock")
        return told.WallTurned(shows=shows, paused=self.whether(), leaf=self.one_of(0, 2))

    def announced(self) -> Event:
        return told.Announced(text=self.one_of("", "lunch", "round two"))

    def vouched(self) -> Event:
        seq = max(0, self.book.events + self.one_of(0, 0, -1, 1))
        return told.Vouched(seq=seq, head="0" * 64, key="0" * 64, signature="0" * 128)

    def dealt(self) -> Event:
        return told.DealRevealed(deal=self.one_of(*DEALS))

    def call_taken(self) -> Event:
        call = self.one_of(*self.book.calls, nonsense=[1, 9])
        return told.CallTaken(call=call, off=self.whether(0.35))

    def edited(self) -> Event:
        return told.PlayerEdited(
            player=self.player(),
            club=self.one_of(None, "", "Rook"),
            rating=self.one_of(None, 0, 1500),
            seed=self.one_of(None, 0, 2),
            fixed_table=self.one_of(None, 0, 3),
            sections=self.one_of(None, (), ("U14", "women"), ("women", "women")),
        )

    def fee(self) -> Event:
        return told.FeeMarked(player=self.player(), paid=self.whether(0.7))

    def prizes(self) -> Event:
        listed = [told.Prize(place=place, text="cup") for place in (1, 3)]
        listed.append(told.Prize(place=1, section="U14", text="game"))
        some = tuple(listed[: self.one_of(0, 2, 3)])
        return told.PrizesDeclared(prizes=some, several=self.whether())

    def unregistered(self) -> Event:
        named = [name for here in self.book.here_for.values() for name in sorted(here)]
        named += [player for player, _ in self.book.waiting]
        return told.PlayerUnregistered(player=self.one_of(self.player(), *named))

    def merged(self) -> Event:
        """Often one with whom another was merged already."""
        kept = [name for sitting in self.book.rounds for name in sitting.whose.values()]
        merged = self.one_of(self.player(), *kept[-2:])
        return told.PlayersMerged(
            player=self.player(), merged=merged, reason="the same", completes=self.whether(0.7)
        )

    def checked_in(self) -> Event:
        return told.CheckedIn(player=self.player("registered"))

    def checked_in_for_round(self) -> Event:
        number = len(self.book.rounds) + self.one_of(1, 1, 1, 0, 2)
        here = [name for name, p in self.book.people.items() if p.status == "present"]
        count = self.chance.randint(1, max(1, len(here)))
        chosen = self.several(here)[:count] or NAMES[:1]
        if self.whether(0.1):
            chosen.append(self.player())
        return told.RoundCheckedIn(round=max(1, number), players=tuple(chosen))

    def late(self) -> Event:
        return told.Late(player=self.player("registered"), missed=self.one_of(*UNPLAYED))

    def dropped(self) -> Event:
        return told.Dropped(player=self.player("present", "registered"))

    def returned(self) -> Event:
        return told.Returned(player=self.player("dropped"), missed=self.one_of(*UNPLAYED))

    def bye(self) -> Event:
        number = max(1, len(self.book.rounds) + self.one_of(1, 1, 0, 2))
        return told.ByeRequested(player=self.player(), round=number, counts=self.one_of(*UNPLAYED))

    def drawn(self, wanted: list[str]) -> tuple[Any, Any, Any]:
        """Tables of those wanted, in some order, now and then too large or too small."""
        order = self.several(wanted)
        most = self.book.finals.most if self.book.finals else self.book.plan.seats.most
        size = self.one_of(*[most] * 8, max(2, most - 1), most + 1)
        number = self.one_of(1, 1, 1, 3)
        tables = []
        while len(order) >= min(2, most):
            tables.append(told.Table(number=number, seats=tuple(order[:size])))
            order, number = order[size:], number + self.one_of(*[1] * 15, 0)
        alone = tuple(order)
        return (tuple(tables), alone, ()) if self.whether() else (tuple(tables), (), alone)

    def paired(self) -> Event | None:
        number = len(self.book.rounds) + 1
        wanted = [name for name in NAMES if self.book.can_play(name, number)]
        if self.whether(0.07):
            number, wanted = max(1, number + self.one_of(-1, 1)), [*wanted, self.player()]
        if not wanted:
            return None
        tables, byes, free = self.drawn(wanted)
        seeding = tuple(wanted[: self.one_of(0, 0, 0, 2)])
        return told.RoundPaired(
            round=number, algorithm="by-hand", version=1, seed=1, input_hash="0" * 64,
            tables=tables, byes=byes, free=free, seeding=seeding,
            third_place=self.one_of(None, None, None, *(table.number for table in tables), 7),
        )  # fmt: skip

    def arranged(self) -> Event | None:
        number = self.round()
        sitting = self.sitting(number)
        here = [name for name, p in self.book.people.items() if p.status == "present"]
        wanted = list(dict.fromkeys([*here, *(sitting.everybody() if sitting else [])]))
        if self.whether():
            wanted = here
        kept: list[Any] = []
        if sitting and self.whether(0.8):
            some = [at for at in sitting.tables if sitting.results.get(at) or self.whether(0.3)]
            kept = [told.Table(number=at, seats=tuple(sitting.tables[at])) for at in some]
        seated = {player for table in kept for player in table.seats}
        tables, byes, free = self.drawn([name for name in wanted if name not in seated])
        apart = [table.model_copy(update={"number": table.number + 5}) for table in tables]
        everything = (*kept, *apart)
        if not everything:
            return None
        return told.RoundArranged(
            round=number, tables=everything, byes=byes, free=free, reason="by hand"
        )

    def unpaired(self) -> Event:
        return told.PairingWithdrawn(round=self.round(), reason="again")

    def swapped(self) -> Event:
        number = self.round()
        sitting = self.sitting(number)
        known = sitting.everybody() if sitting else []
        a, b = self.one_of(*known, nonsense=NAMES), self.one_of(*known, nonsense=NAMES)
        return told.Swapped(round=number, a=a, b=b, reason="clubs")

    def assigned(self) -> Event:
        number = self.round()
        moves = {self.table(number)[0]: self.one_of(1, 2, 8, 9) for _ in range(self.one_of(1, 2))}
        sitting = self.sitting(number)
        if sitting and sitting.third is not None and self.whether(0.8):
            other = self.one_of(8, *sitting.tables)
            moves = {sitting.third: other} | ({other: sitting.third} if other != 8 else {})
        return told.TablesAssigned(round=number, moves=tuple(moves.items()))

    def started(self) -> Event:
        return told.RoundStarted(round=self.round())

    def unstarted(self) -> Event:
        return told.StartWithdrawn(round=self.round(), reason="again")

    def closed_round(self) -> Event:
        return told.RoundClosed(round=self.round())

    def reopened_round(self) -> Event:
        number = self.one_of(*range(1, len(self.book.rounds) + 1), nonsense=[1, 2])
        return told.RoundReopened(round=number, reason="slip")

    def clock(self) -> Event:
        number, at = self.round(), self.one_of(*MOMENTS)
        sitting = self.sitting(number)
        runs = sitting is not None and sitting.watch is not None
        if not runs and self.whether(0.6):
            return told.ClockStarted(round=number, at=at, minutes=20)
        stands = runs and sitting is not None and sitting.watch.running is None
        usual = ("start", "start") if stands or not runs else ("pause", "stop")
        pressed = self.one_of(*["extend"] * 4, *usual, *usual, "start", "pause", "stop")
        if pressed == "start":
            lasting = self.one_of(20, None, None) if runs else self.one_of(20, 20, 30, None)
            return told.ClockStarted(round=number, at=at, minutes=lasting)
        if pressed == "pause":
            return told.ClockPaused(round=number, at=at)
        if pressed == "stop":
            return told.ClockStopped(round=number, at=at)
        minutes, table = self.one_of(-25, -3, 5, 10), self.one_of(None, 1, 1, self.table(number)[0])
        return told.ClockExtended(round=number, minutes=minutes, table=table)

    def outcome(self, seats: int) -> Outcome:
        order = [self.chance.randint(1, 3) for _ in range(seats)]
        places = tuple(1 + sum(other < mine for other in order) for mine in order)
        ruled = self.one_of((), (), ("A",), ("B", "A")) if seats > 1 else ()
        late = self.whether(0.1)
        scoring = self.book.plan.scoring
        scores = measures = None
        if scoring.kind == "game" and self.whether(0.95):
            scores = tuple(self.one_of(-3, 0, 7) for _ in places)
        if scoring.kind == "ladder" and self.whether(0.95):
            measures = tuple(self.one_of(-1, 0, 5) for _ in scoring.measures)
            measures = measures[: self.one_of(1, 2, 2, 2, 2)]
        behind = ["ABCDEFGH"[seat] for seat, place in enumerate(places) if place > 1]
        last = ["ABCDEFGH"[seat] for seat, place in enumerate(places) if place == seats > 1]
        absent = tuple(last) if behind and self.whether(0.3) else ()
        return Outcome(
            places=places, tie_order=ruled, timed_out=late, scores=scores, measures=measures,
            absent=absent,
        )  # fmt: skip

    def entered(self) -> Event:
        number = self.round()
        table, seats = self.table(number)
        outcome = self.outcome(len(seats) + self.one_of(*[0] * 12, 1))
        source = self.one_of(ByHand(reason="slip"), FromGame(game="game-x", entry=3))
        return told.ResultEntered(round=number, table=table, outcome=outcome, source=source)

    def corrected(self) -> Event:
        number = self.round()
        table, seats = self.table(number)
        outcome = self.outcome(len(seats))
        return told.ResultCorrected(round=number, table=table, outcome=outcome, reason="misread")

    def reported(self) -> Event:
        number = self.round()
        table, seats = self.table(number)
        sitting = self.sitting(number)
        said = list(sitting.says.get(table, {}).values()) if sitting else []
        outcome = said[0] if said and self.whether(0.7) else self.outcome(len(seats))
        player = self.one_of(*seats, nonsense=NAMES)
        return told.ResultReported(round=number, table=table, player=player, outcome=outcome)

    def called(self) -> Event:
        number = self.round()
        table, seats = self.table(number)
        return told.JudgeCalled(
            round=number,
            table=table,
            player=self.one_of(*seats, nonsense=NAMES),
            text=self.one_of("", "a card is missing"),
        )

    def answered(self) -> Event:
        call = self.one_of(*self.book.calls, nonsense=[1, 9])
        return told.CallAnswered(call=call, text=self.one_of("", "seen"))

    def fined(self) -> Event:
        return told.PenaltyGiven(
            player=self.player(), halves=self.chance.randint(0, 4), reason="late",
            clause=self.one_of(None, "BEN-MOVE-1"), infringement=self.one_of("", "slow play"),
            level=self.one_of("", "warning"),
        )  # fmt: skip

    def unfined(self) -> Event:
        penalty = self.one_of(*self.book.fines, nonsense=[1, 9])
        return told.PointPenaltyCancelled(penalty=penalty, reason="was there")

    def lot(self) -> Event:
        order = self.several(list(self.book.people))[: self.one_of(2, 3)]
        order += [self.player()] if self.whether(0.1) or len(order) < 2 else []
        return told.LotDrawn(order=tuple([*order, *NAMES][: max(2, len(order))]), reason="tied")

    def kept_apart(self) -> Event:
        some = tuple(self.player() for _ in range(self.one_of(2, 2, 3)))
        return told.PlayersKeptApart(players=some, reason="family")

    def meet_again(self) -> Event:
        number = self.one_of(*self.book.apart, nonsense=[0, self.book.events])
        return told.ApartWithdrawn(apart=number, reason="they asked")

    def finals(self) -> Event:
        here = [name for name, p in self.book.people.items() if p.status == "present"]
        best = [*self.several(here)[: self.one_of(2, 4, 5, 8)], *NAMES[: 2 if len(here) < 2 else 0]]
        style, seats = self.one_of("top_table", "knockout"), self.one_of(TWO, FOUR)
        return told.FinalsStarted(
            style=style, players=tuple(best), seats=seats,
            on_tie=self.one_of("replay", "better_seed", "judge"),
            advance=self.one_of(1, 2) if seats is FOUR else 1,
            third_place=(style, seats) == ("knockout", TWO) and self.whether(),
        )  # fmt: skip

    def no_finals(self) -> Event:
        return told.FinalsCancelled(reason="rain")

    def replaced(self) -> Event:
        finalists = self.book.finals.players if self.book.finals else []
        here = [name for name, p in self.book.people.items() if p.status == "present"]
        spare = self.one_of(*(name for name in here if name not in finalists), nonsense=NAMES)
        return told.FinalistReplaced(
            player=self.one_of(*finalists, nonsense=NAMES), substitute=spare, reason="ill"
        )

    def over(self) -> Event:
        return told.TournamentClosed()

    def goes_on(self) -> Event:
        return told.TournamentReopened(reason="more")

    def anything(self) -> Event | None:
        """Often more about what was told last: clocks, calls and results come in rows."""
        rows: list[tuple[tuple[type[Event], ...], list[Callable[[], Event | None]]]] = [
            (CLOCK, [self.clock]),
            ((told.FinalsStarted,), [self.replaced, self.paired, self.no_finals]),
            (CALL, [self.called, self.called, *[self.call_taken] * 4, self.answered]),
            (RESULT, [self.entered, self.corrected, self.reported]),
            (ROUND, [self.unstarted, self.started, self.assigned, self.swapped, self.arranged,
                     self.reopened_round, self.closed_round, self.featured]),
        ]  # fmt: skip
        if isinstance(self.told, told.RoundPaired) and self.told.third_place is not None:
            rows.append(((told.RoundPaired,), [self.assigned]))
        following = [makers for kinds, makers in rows if isinstance(self.told, kinds)]
        could, self.events = self.book.events > self.events, self.book.events
        if could and following and self.whether(0.9 if isinstance(self.told, CLOCK) else ROW):
            self.told = self.chance.choice(following[0])()
        else:
            self.told = self.next_of_all()
        return self.told

    def next_of_all(self) -> Event | None:
        """Whatever moves the event on is told more often, and what is due most of all."""
        last = self.book.rounds[-1] if self.book.rounds else None
        if self.book.closed and self.whether(0.7):
            return self.goes_on()
        if self.whether(0.35):
            if self.by_phone and len(self.book.waiting) < 3 and not self.book.rounds:
                return self.signed_up()
            if len(self.book.people) < 6:
                return self.registered() if self.whether() else self.checked_in()
            if last is None or last.closed:
                return self.paired() if self.whether(0.85) else self.finals()
            if not last.started:
                return self.started()
            if any(not last.results.get(at) for at in last.tables):
                return self.entered() if self.whether() else self.reported()
            return self.closed_round()
        rare: list[Callable[[], Event | None]] = [self.over, self.no_finals]
        kinds: list[Callable[[], Event | None]] = [
            self.registered, self.registered, self.unregistered, self.edited, self.merged,
            self.checked_in,
            self.checked_in_for_round, self.late, self.dropped, self.returned, self.returned,
            self.bye, self.bye, self.paired, self.arranged, self.arranged, self.unpaired,
            self.swapped, self.swapped, self.assigned, self.started, self.unstarted,
            self.closed_round, self.reopened_round, self.clock, self.clock, self.clock,
            self.entered, self.corrected, self.reported, self.reported, self.reported,
            self.called, self.called, self.called, self.answered, self.fined, self.unfined,
            self.lot, self.lot, self.kept_apart, self.kept_apart, self.meet_again, self.fee,
            self.prizes, self.finals, self.replaced, self.revised, self.ruled, self.registration,
            self.signed_up, self.moved_up, self.zones, self.hall, self.featured,
            self.schedule, self.comment, self.wall, self.announced, self.vouched, self.dealt,
            self.call_taken, *self.chance.sample(rare, 1),
        ]  # fmt: skip
        return self.chance.choice(kinds)()


# told to both


def compared(plan: Plan, history: list[Event]) -> str | None:
    """Where fold and book differ, if they do."""
    book, now = Book(plan), apply(None, told.Created(name="Spring Cup", plan=plan))
    for event in history:
        now, problem = both(book, now, event)
        if problem is not None:
            return problem
    return None


def both(book: Book, now: Tournament, event: Event) -> tuple[Tournament, str | None]:
    try:
        after, refused = apply(now, event), None
    except NotPossible as error:
        after, refused = now, error.key
        for lang in LANGUAGES:
            told = WORDS.say(error.phrase.key, lang, **error.facts)
            if "{" in told:
                return after, f"{event!r}: who is refused reads: {told}"
    if book.tell(event) != (refused is None):
        return after, f"{event!r}: the fold says {refused or 'yes'}"
    mine, theirs = book.plain(), said_by(after)
    for name in mine:
        if mine[name] != theirs[name]:
            return after, f"{event!r}: {name}: book {mine[name]} fold {theirs[name]}"
    return after, None


def shortest(plan: Plan, history: list[Event]) -> list[Event]:
    """The same difference from fewer events."""
    at = len(history) - 1
    while at >= 0:
        without = history[:at] + history[at + 1 :]
        if compared(plan, without) is not None:
            history = without
        at -= 1
    return history


@pytest.mark.parametrize("name", PLANS)
def test_the_fold_says_what_the_book_says(name: str) -> None:
    plan = PLANS[name]
    for seed in range(HISTORIES):
        desk = Desk(plan, seed)
        now = apply(None, told.Created(name="Spring Cup", plan=plan))
        history: list[Event] = []
        for _ in range(STEPS):
            event = desk.anything()
            if event is None:
                continue
            history.append(event)
            now, problem = both(desk.book, now, event)
            if problem is not None:
                needed = shortest(plan, history)
                pytest.fail("\n".join([*map(repr, needed), str(compared(plan, needed))]))


def test_every_kind_of_event_is_told_with_success() -> None:
    """A kind that is added is told at random, too, and written into the book. Teams have a binder
    of their own (``test_teams.py``)."""
    elsewhere = {told.Created, told.TeamSet, told.LineUpSet, told.LineUpsDue}
    never = {kind for kind in KINDS.values() if kind not in elsewhere}
    for plan in PLANS.values():
        for seed in range(HISTORIES):
            desk = Desk(plan, seed)
            for _ in range(STEPS if never else 0):
                event = desk.anything()
                if event is not None and desk.book.tell(event):
                    never.discard(type(event))
    assert not never


def about(event: Event, number: int) -> Iterator[tuple[str, Any]]:
    """Whatever an event touches of which there may be several."""
    match event:
        case told.JudgeCalled() | told.PenaltyGiven() | told.PlayersKeptApart():
            yield type(event).__name__, number
        case told.CallTaken(call=call) | told.CallAnswered(call=call):
            yield "JudgeCalled", call
        case told.PointPenaltyCancelled(penalty=fine):
            yield "PenaltyGiven", fine
        case told.ApartWithdrawn(apart=apart):
            yield "PlayersKeptApart", apart
    if isinstance(event, CLOCK):
        yield "clock", event.round
    elif isinstance(event, RESULT):
        yield "result", (event.round, event.table)
    elif getattr(event, "round", None) is not None and getattr(event, "table", None) is None:
        yield "round", event.round


ON_ONE_THING: dict[str, tuple[tuple[type[Event], ...], set[tuple[type[Event], type[Event]]]]] = {
    "clock": (
        CLOCK,
        {(told.ClockPaused, told.ClockPaused), (told.ClockStopped, told.ClockPaused),
         (told.ClockStopped, told.ClockStopped), (told.ClockStarted, told.ClockStarted)},
    ),
    "JudgeCalled": (
        CALL,
        {(kind, told.JudgeCalled) for kind in CALL} | {(told.CallAnswered, kind) for kind in CALL},
    ),
    "result": (
        RESULT,
        {(done, later) for done in (told.ResultEntered, told.ResultCorrected)
         for later in (told.ResultEntered, told.ResultReported)},
    ),
}  # fmt: skip
"""Kinds that touch the same thing, and which of them can never follow which."""
FLOOR = 3
PAIRS_OF_A_ROUND = 55


def test_histories_have_every_kind_behind_every_other_on_the_same_thing() -> None:
    """What shows only where a thing is told of twice is told of twice, by several seeds."""
    seen: dict[str, Counter[tuple[type[Event] | None, type[Event]]]] = defaultdict(Counter)
    for plan in PLANS.values():
        for seed in range(HISTORIES):
            desk = Desk(plan, seed)
            last: dict[tuple[str, Any], type[Event]] = {}
            for _ in range(STEPS):
                event = desk.anything()
                thirds = [sitting.third for sitting in desk.book.rounds]
                if event is not None and desk.book.tell(event):
                    moved = thirds != [sitting.third for sitting in desk.book.rounds]
                    seen["third place"][None, type(event)] += moved
                    for thing in about(event, desk.book.events):
                        seen[thing[0]][last.get(thing), type(event)] += 1
                        last[thing] = type(event)
    for thing, (kinds, never) in ON_ONE_THING.items():
        wanted = {*product(kinds, kinds)} - never
        assert {pair: seen[thing][pair] for pair in wanted if seen[thing][pair] < FLOOR} == {}
    assert len(seen["round"]) >= PAIRS_OF_A_ROUND
    assert seen["third place"][None, told.TablesAssigned] >= FLOOR
    for given, withdrawn in (
        (told.PenaltyGiven, told.PointPenaltyCancelled),
        (told.PlayersKeptApart, told.ApartWithdrawn),
    ):
        assert seen[given.__name__][given, withdrawn] > 10 * FLOOR


def known_by(source: Source) -> str:
    if isinstance(source, Agreed):
        return f"agreed {sorted(source.reports)}"
    return source.game if isinstance(source, FromGame) else source.reason


def said_by(now: Tournament) -> dict[str, Any]:
    following = len(now.rounds) + 1
    return {
        "events": now.last,
        "people": {
            p.id: (
                p.number, p.club, p.rating, p.seed, p.fixed_table, p.status, p.came, dict(p.away),
                p.sections, p.paid, p.qualified,
            )
            for p in now.players.values()
        },
        "can_play": sorted(player.id for player in now.available(following)),
        "rounds": [
            {
                "stage": r.stage,
                "tables": {t.number: list(t.seats) for t in r.draw.tables},
                "others": (list(r.draw.byes), list(r.draw.free)),
                "so": (r.started, r.closed, r.third_place),
                "joined": set(r.joined),
                "whose": dict(r.merged),
                "results": {
                    at: [e.outcome for e in entered] for at, entered in r.results.items() if entered
                },
                "says": {
                    at: {who: report.outcome for who, report in reports.items()}
                    for at, reports in r.reports.items()
                    if reports
                },
                "known_by": {
                    at: [(e.event, known_by(e.source)) for e in entered]
                    for at, entered in r.results.items()
                    if entered
                },
                "by_hand": (list(r.swaps), r.arranged),
                "waiting": list(r.waiting),
                "differing": list(r.differing),
                "no_shows": list(no_shows(now, r.number)),
                "clock": r.clock
                and (
                    r.clock.minutes, dict(r.clock.extra), r.clock.spent, r.clock.since,
                    r.clock.stopped,
                ),
            }
            for r in now.rounds
        ],
        "round_on": now.round_on and now.round_on.number,
        "calls": [(c.event, c.round, c.table, c.player, c.text, c.answered) for c in now.calls],
        "fines": [
            (
                p.event, p.player, p.halves, p.round, (p.reason, p.clause, p.infringement, p.level),
                p.cancelled,
            )
            for p in now.penalties
        ],
        "prizes": ([(p.place, p.section, p.text) for p in now.prizes.prizes], now.prizes.several),
        "registration": (
            now.registration, [(w.player, w.club) for w in now.waiting_list], now.places_left,
            [(w.player, w.club) for w in now.next_up],
        ),
        "sections": list(now.sections),
        "plan": now.plan,
        "readings": {game: now.readings(game) for game in now.plan.games},
        "ruled": [(r.event, r.ruled) for r in now.rulings],
        "deals": list(now.deals),
        "hall": (
            [(z.judge, z.first, z.last) for z in now.zones],
            [(row.name, list(row.tables)) for row in now.hall],
            {at: list(tables) for at, tables in now.featured.items()},
            [(item.at, item.text) for item in now.schedule],
            [(c.event, c.told.text) for c in now.comments],
            (now.wall.shows, now.wall.paused, now.wall.leaf),
            now.announcement,
        ),
        "meeting": {
            player: set(now.kept_apart.get(player, ())) & now.players.keys()
            for player in now.players
        },
        "apart": [(a.event, list(a.players), a.withdrawn) for a in now.apart],
        "lots": [list(lot.order) for lot in now.lots],
        "finals": now.finals and (now.finals.started.style, list(now.finals.players)),
        "instead": now.finals and now.finals.substitutes,
        "closed": now.closed,
    }  # fmt: skip
