"""A tournament in the hands of a test: tell it what happens, look at what it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.tournament.errors import NotPossible
from referee.tournament.events import (
    ByHand,
    CheckedIn,
    Created,
    Event,
    Outcome,
    Registered,
    ResultEntered,
    RoundClosed,
    RoundPaired,
    RoundStarted,
    Table,
)
from referee.tournament.fold import apply, fold
from referee.tournament.pairing.rounds import pair
from referee.tournament.plan import DuelScoring, Format, PlaceScoring, Plan, Pods, SeatRange, Swiss
from referee.tournament.state import Tournament
from tests.tournament.generator import player_id

TWO = SeatRange(least=2, most=2, preferred=2)
FOUR = SeatRange(least=3, most=5, preferred=4)
SLIP = ByHand(reason="paper slip")

Places = tuple[int, ...]


def duels(format: Format | None = None, **more: Any) -> Plan:
    given: dict[str, Any] = {
        "games": ("benevolent",),
        "format": format or Swiss(),
        "rounds": 5,
        "seats": TWO,
        "scoring": DuelScoring(),
        "tie_breaks": ("PTS", "DE", "SB", "WIN"),
    }
    return Plan(**{**given, **more})


def tables_of_four(format: Format | None = None, **more: Any) -> Plan:
    given: dict[str, Any] = {
        "games": ("broom_service",),
        "format": format or Pods(),
        "rounds": 4,
        "seats": FOUR,
        "scoring": PlaceScoring(places=(8, 4, 2, 0), bye=4),
        "tie_breaks": ("PTS", "FIRSTS", "SHARE", "SCORE", "OPP", "BEST"),
    }
    return Plan(**{**given, **more})


def seat_order_wins(table: Table) -> Places:
    """The first seat wins, the second is second, and so on."""
    return tuple(range(1, len(table.seats) + 1))


def better_rated_wins(table: Table) -> Places:
    """Players are rated in the order of their names: pa before pb."""
    order = sorted(table.seats, key=lambda player: (len(player), player))
    return tuple(order.index(player) + 1 for player in table.seats)


class Hall:
    """An event that is told to a stream, one after the other."""

    def __init__(self, plan: Plan, players: int = 0) -> None:
        self.events: list[Event] = []
        self.now: Tournament
        self.tell(Created(name="Spring Cup", plan=plan))
        for number in range(players):
            self.join(player_id(number), rating=2000 - number)

    def tell(self, *events: Event) -> Hall:
        for event in events:
            self.now = apply(self.now if self.events else None, event)
            self.events.append(event)
        return self

    def join(self, player: str, **more: Any) -> None:
        self.tell(Registered(player=player, **more), CheckedIn(player=player))

    @property
    def next_round(self) -> int:
        return len(self.now.rounds) + 1

    def pair(self, seed: int = 7) -> RoundPaired:
        paired = pair(self.now, self.next_round, seed)
        self.tell(paired)
        return paired

    def start(self, seed: int = 7) -> RoundPaired:
        paired = self.pair(seed)
        self.tell(RoundStarted(round=paired.round))
        return paired

    def result(self, number: int, table: int, *places: int, **more: Any) -> None:
        outcome = Outcome(places=places, **more)
        self.tell(ResultEntered(round=number, table=table, outcome=outcome, source=SLIP))

    def play(self, places: Callable[[Table], Places] = better_rated_wins, seed: int = 7) -> None:
        """A whole round."""
        number = self.start(seed).round
        for table in self.now.round(number).draw.tables:
            told = places(table)
            self.result(number, table.number, *told, scores=tuple(50 - 10 * p for p in told))
        self.tell(RoundClosed(round=number))

    def play_to_the_end(self) -> str:
        """Rounds until no other can be paired, and why."""
        while True:
            try:
                self.play()
            except NotPossible as end:
                return end.key

    def refolded(self) -> Tournament:
        return fold(self.events)


def meetings(paired: RoundPaired) -> set[frozenset[str]]:
    return {frozenset(table.seats) for table in paired.tables}


def play_pairs(hall: Hall, *games: tuple[str, str, str], byes: tuple[str, ...] = ()) -> None:
    """A round as given: first player, second player, “1”, “=”, “0”, “+” or “-”."""
    number = hall.next_round
    hall.tell(
        RoundPaired(
            round=number,
            algorithm="by-hand",
            version=1,
            seed=0,
            input_hash="0" * 64,
            tables=tuple(Table(number=t, seats=game[:2]) for t, game in enumerate(games, 1)),
            byes=byes,
        ),
        RoundStarted(round=number),
    )
    for table, (_, _, result) in enumerate(games, 1):
        places = {"1": (1, 2), "=": (1, 1), "0": (2, 1), "+": (1, 2), "-": (2, 1)}[result]
        absent = {"+": ("B",), "-": ("A",)}.get(result, ())
        hall.result(number, table, *places, absent=absent)
    hall.tell(RoundClosed(round=number))
