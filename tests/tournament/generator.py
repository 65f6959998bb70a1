"""Random tournaments: whole streams of possible events, from a seed.

For tests and demonstrations. Players come late, leave, return and ask for byes; pairings are
withdrawn and swapped; results are forfeited, timed out, corrected; rounds are reopened; judges
penalise, forgive and rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

from referee.tournament.errors import NotPossible
from referee.tournament.events import (
    ByeRequested,
    ByHand,
    CheckedIn,
    ClockExtended,
    ClockPaused,
    ClockStarted,
    ClockStopped,
    Created,
    Dropped,
    Event,
    FromGame,
    Late,
    LotDrawn,
    Outcome,
    PairingWithdrawn,
    PenaltyGiven,
    PointPenaltyCancelled,
    ReadingRuled,
    Registered,
    ResultCorrected,
    ResultEntered,
    Returned,
    RoundClosed,
    RoundReopened,
    RoundStarted,
    Swapped,
    Table,
    TablesAssigned,
    TournamentClosed,
    seat_letter,
)
from referee.tournament.fold import apply
from referee.tournament.pairing.finals import knockout_final, top_table_final
from referee.tournament.pairing.rounds import pair
from referee.tournament.plan import (
    DealRef,
    DoubleElimination,
    DuelScoring,
    Duplicate,
    Format,
    Knockout,
    Ladder,
    LadderScoring,
    League,
    Measure,
    PlaceScoring,
    Plan,
    Pods,
    RoundRobin,
    Scoring,
    SeatRange,
    Swiss,
    TimeRule,
)
from referee.tournament.splitmix import SplitMix64
from referee.tournament.state import Tournament
from referee.tournament.values import TieBreakId, Unplayed

Kind = Literal[
    "swiss",
    "round_robin",
    "knockout",
    "pods",
    "league",
    "duplicate",
    "ladder",
    "double_elimination",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

_DUEL_COLUMNS: tuple[TieBreakId, ...] = ("PTS", "DE", "BH/C1", "BH", "SB", "WIN", "OMW", "LOT")
_ROBIN_COLUMNS: tuple[TieBreakId, ...] = ("PTS", "DE", "WIN", "SB", "LOT")
_POD_COLUMNS: tuple[TieBreakId, ...] = (
    "PTS", "FIRSTS", "SHARE", "SCORE", "OPP", "BEST", "ATT", "LOT",
)  # fmt: skip
_TWO = SeatRange(least=2, most=2, preferred=2)
_CLUBS = ("", "", "Oak", "Elm")
_ABSENCES: tuple[Unplayed, ...] = get_args(Unplayed)


def player_id(number: int) -> str:
    """pa, pb … pz, pba …"""
    letters = ""
    while number >= 0:
        number, letter = divmod(number, 26)
        letters = chr(ord("a") + letter) + letters
        number -= 1
    return f"p{letters}"


def _moment(round: int, minute: int) -> str:
    """Every round has a day of its own, and begins at noon."""
    return f"2026-01-{round:02}T12:{minute:02}:00.000Z"


def generate(
    seed: int, kind: Kind | None = None, *, players: int | None = None, rounds: int | None = None
) -> list[Event]:
    """The events of one tournament, from its creation to its end."""
    return Simulation(seed, kind, players, rounds).run()


class Simulation:
    def __init__(self, seed: int, kind: Kind | None, players: int | None, rounds: int | None):
        self.dice = SplitMix64(seed)
        self.kind: Kind = kind if kind is not None else self.dice.pick(list(KINDS))
        self.entries = players or 4 + self.dice.below(7)
        plan = self._plan(rounds or 2 + self.dice.below(3))
        created = Created(name=f"Simulated {self.kind} {seed}", plan=plan)
        self.events: list[Event] = [created]
        self.now: Tournament = apply(None, created)

    def tell(self, event: Event) -> None:
        self.now = apply(self.now, event)
        self.events.append(event)

    def sometimes(self, chances: int, act: Callable[[], None]) -> None:
        if self.dice.one_in(chances):
            act()

    def run(self) -> list[Event]:
        for _ in range(self.entries):
            self._register()
        for player in list(self.now.players):
            if not self.dice.one_in(12):
                self.tell(CheckedIn(player=player))
        while self._play_round():
            pass
        self._finish()
        return self.events

    # The plan

    def _plan(self, rounds: int) -> Plan:
        seats, scoring, columns = self._tables()
        return Plan(
            games=("benevolent",),
            format=self._format(rounds),
            rounds=rounds + 2 if self.kind == "round_robin" else rounds,
            seats=seats,
            scoring=scoring,
            tie_breaks=columns,
            time=TimeRule(minutes=60, on_time="as_it_stands"),
            unplayed_rounds=self.dice.pick(["fide_2024", "fide_2026"]),
        )

    def _format(self, rounds: int) -> Format:
        match self.kind:
            case "swiss":
                return Swiss()
            case "round_robin":
                return RoundRobin(twice=self.dice.one_in(4))
            case "knockout":
                return Knockout(
                    lives=1 + self.dice.below(2),
                    on_tie=self.dice.pick(["replay", "better_seed", "later_seat", "judge"]),
                )
            case "double_elimination":
                return DoubleElimination(on_tie=self.dice.pick(["better_seed", "judge"]))
            case "pods":
                return Pods(by_standings=not self.dice.one_in(3))
            case "league":
                return League(counted=1 + self.dice.below(rounds))
            case "duplicate":
                deals = (DealRef(name=f"deal{at}", digest=f"{at:064x}") for at in range(rounds))
                return Duplicate(deals=tuple(deals))
            case "ladder":
                return Ladder()

    def _tables(self) -> tuple[SeatRange, Scoring, tuple[TieBreakId, ...]]:
        if self.kind in ("duplicate", "ladder"):
            measures = (Measure(name="level"), Measure(name="losses", better="fewer"))
            one = SeatRange(least=1, most=1, preferred=1)
            return one, LadderScoring(measures=measures), ("PTS", "LADDER", "LOT")
        if self.kind in ("pods", "league"):
            small = 2 + self.dice.below(2)
            seats = SeatRange(least=small, most=small + 2, preferred=small + 1)
            return seats, PlaceScoring(places=(10, 6, 4, 2, 0), bye=4), _POD_COLUMNS
        return _TWO, DuelScoring(), _ROBIN_COLUMNS if self.kind == "round_robin" else _DUEL_COLUMNS

    # Players

    def _register(self) -> None:
        number = len(self.now.players)
        self.tell(
            Registered(
                player=player_id(number),
                club=self.dice.pick(list(_CLUBS)),
                rating=1000 + self.dice.below(1000),
                fixed_table=1 if self.dice.one_in(25) else None,
            )
        )

    def _with_status(self, status: str) -> list[str]:
        return [player.id for player in self.now.players.values() if player.status == status]

    def _move_players(self) -> None:
        if self.now.finals is not None:
            return
        open_to_late = not self.eliminates and bool(self.now.rounds)
        if open_to_late and self.dice.one_in(4):
            self._register()
        for player in self._with_status("registered"):
            if open_to_late and self.dice.one_in(2):
                self.tell(Late(player=player, missed=self._absence()))
        for player in self._with_status("dropped"):
            if open_to_late and self.dice.one_in(4):
                self.tell(Returned(player=player, missed=self._absence()))
        for player in self._with_status("present"):
            if self.dice.one_in(15) and not self.eliminates:
                number = len(self.now.rounds) + 1
                self.tell(ByeRequested(player=player, round=number, counts=self._absence()))
        self.sometimes(4, self._drop)

    def _absence(self) -> Unplayed:
        """Only forfeits and absences leave holes in a round robin."""
        return "zero_bye" if self.kind == "round_robin" else self.dice.pick(list(_ABSENCES))

    def _drop(self) -> None:
        present = self._with_status("present")
        if len(present) > 3:
            self.tell(Dropped(player=self.dice.pick(present)))

    # Rounds

    def _play_round(self) -> bool:
        self._move_players()
        number = len(self.now.rounds) + 1
        try:
            self.tell(pair(self.now, number, self.dice.below(2**32)))
        except NotPossible:
            return False
        if self.dice.one_in(12):
            self.tell(PairingWithdrawn(round=number, reason="somebody has left"))
            self.sometimes(2, self._drop)
            try:
                self.tell(pair(self.now, number, self.dice.below(2**32)))
            except NotPossible:
                return False
        self.sometimes(8, lambda: self._swap(number))
        self.sometimes(8, lambda: self._move_table(number))
        self.tell(RoundStarted(round=number))
        self.sometimes(3, lambda: self._time(number))
        for table in self.now.round(number).draw.tables:
            self._result(number, table)
        self.sometimes(3, lambda: self._correct(number))
        self.sometimes(6, self._drop)
        self.tell(RoundClosed(round=number))
        self.sometimes(4, self._reopen)
        self.sometimes(5, self._judge)
        return len(self.now.rounds) < 30

    @property
    def eliminates(self) -> bool:
        return self.kind in ("knockout", "double_elimination")

    def _swap(self, number: int) -> None:
        players = self.dice.shuffled(self.now.round(number).draw.players)
        if self.kind == "double_elimination":  # who meets is fixed, who begins is not
            players = self.dice.pick(list(self.now.round(number).draw.tables)).seats
        if len(players) > 1:
            self.tell(Swapped(round=number, a=players[0], b=players[1], reason="they asked"))

    def _move_table(self, number: int) -> None:
        table = self.dice.pick(list(self.now.round(number).draw.tables))
        self.tell(TablesAssigned(round=number, moves=((table.number, 900 + number),)))

    def _time(self, number: int) -> None:
        """The clock is started, and then whatever a clock can do."""
        self.tell(ClockStarted(round=number, at=_moment(number, 0), minutes=60))
        table = self.dice.pick(list(self.now.round(number).draw.tables)).number
        self.sometimes(2, lambda: self.tell(ClockExtended(round=number, minutes=5, table=table)))
        if self.dice.one_in(2):
            self.tell(ClockPaused(round=number, at=_moment(number, 20)))
            self.tell(ClockStarted(round=number, at=_moment(number, 25)))
        self.sometimes(3, lambda: self.tell(ClockStopped(round=number, at=_moment(number, 50))))

    def _result(self, number: int, table: Table) -> None:
        source = FromGame(game=f"g{number}-{table.number}", entry=40)
        by_hand = ByHand(reason="paper slip")
        self.tell(
            ResultEntered(
                round=number,
                table=table.number,
                outcome=self._outcome(number, table),
                source=by_hand if self.dice.one_in(5) else source,
            )
        )

    def _outcome(self, number: int, table: Table) -> Outcome:
        """Any result the plan accepts; a tie that has to be replayed is."""
        seats = len(table.seats)
        places = list(range(1, seats + 1))
        if self.now.knockout_rules(self.now.round(number).stage) is None:
            for place in range(1, seats):
                if self.dice.one_in(4):
                    places[place] = places[place - 1]
        absent: tuple[str, ...] = ()
        order = self.dice.shuffled(range(seats))
        if seats > 1 and self.dice.one_in(15):
            places[-1] = seats
            absent = (seat_letter(order[-1]),)
            places = [min(place, places.index(place) + 1) for place in places]
        by_seat = dict(zip(order, places, strict=True))
        told = tuple(by_seat[seat] for seat in range(seats))
        one = seats == 1
        return Outcome(
            places=told,
            scores=None if one else tuple(60 - 7 * place for place in told),
            absent=absent,
            measures=(self.dice.below(5), self.dice.below(20)) if one else None,
            timed_out=self.dice.one_in(10),
        )

    def _correct(self, number: int) -> None:
        table = self.dice.pick(list(self.now.round(number).draw.tables))
        self.tell(
            ResultCorrected(
                round=number,
                table=table.number,
                outcome=self._outcome(number, table),
                reason="read wrongly",
            )
        )

    def _reopen(self) -> None:
        if self.eliminates or self.now.finals is not None:
            return
        number = 1 + self.dice.below(len(self.now.rounds))
        self.tell(RoundReopened(round=number, reason="a slip turned up"))
        self._correct(number)
        self.tell(RoundClosed(round=number))

    # Judges and the end

    def _judge(self) -> None:
        player = self.dice.pick(list(self.now.players))
        self.tell(PenaltyGiven(player=player, halves=self.dice.below(3), reason="slow play"))
        if self.dice.one_in(2):
            number = self.now.penalties[-1].event
            self.tell(PointPenaltyCancelled(penalty=number, reason="the clock was wrong"))
        value = self.dice.pick(["open", "hidden"])
        self.tell(ReadingRuled(game="benevolent", reading="hands", value=value, reason="asked"))

    def _finish(self) -> None:
        came = [player.id for player in self.now.players.values() if player.came]
        if len(came) > 1:
            order = tuple(self.dice.shuffled(came))
            self.tell(LotDrawn(order=order, reason="before prize-giving"))
        if self.kind in ("swiss", "pods") and self.now.rounds and self.dice.one_in(2):
            self._finals()
        self.tell(TournamentClosed())

    def _finals(self) -> None:
        final = knockout_final if self.dice.one_in(2) else top_table_final
        try:
            self.tell(final(self.now, 4))
        except NotPossible:
            return
        style = self.now.stage
        while self._play_round() and style == "knockout":
            pass
