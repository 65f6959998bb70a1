"""Pairing, standings and checks, from the first round to the last, beside another program.

``python -m tools.measure.bench tournament``. The other program is gacrux, which pairs by the
Dutch system of FIDE and computes the same tie-breaks.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TypeVar

from gacrux.pairingdutch import pairing_dutch  # type: ignore[import-untyped]

from referee.store import open_store
from referee.table.bench import Bench
from referee.tournament.desk import Desk
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
)
from referee.tournament.fold import apply, fold
from referee.tournament.interchange.trf import trf
from referee.tournament.pairing.rounds import check_tournament, pair
from referee.tournament.plan import DuelScoring, PlaceScoring, Plan, Pods, SeatRange, Swiss
from referee.tournament.ranking.standings import standings
from referee.tournament.splitmix import SplitMix64
from referee.tournament.state import Tournament
from tests.tournament.generator import player_id
from tests.tournament.oracle import read_report, tie_breaks
from tools.measure.bench.measuring import Figure, print_table

SWISS = Plan(
    games=("benevolent",),
    format=Swiss(),
    rounds=9,
    seats=SeatRange(least=2, most=2, preferred=2),
    scoring=DuelScoring(),
    tie_breaks=("PTS", "DE", "BH/C1", "BH", "SB", "WIN", "OMW"),
)
PODS = Plan(
    games=("broom_service",),
    format=Pods(),
    rounds=4,
    seats=SeatRange(least=3, most=5, preferred=4),
    scoring=PlaceScoring(places=(8, 4, 2, 0)),
    tie_breaks=("PTS", "FIRSTS", "SHARE", "SCORE", "OPP"),
)
SOURCE = ByHand(reason="simulated")

T = TypeVar("T")


def main() -> list[Figure]:
    rows = [
        _event("Swiss, 32 players, 9 rounds", SWISS, 32),
        _event("Swiss, 64 players, 9 rounds", SWISS, 64),
        _event("Swiss, 200 players, 9 rounds", SWISS, 200),
        _event("pods of 3-5, 64 players, 4 rounds", PODS, 64),
        _event("pods of 3-5, 200 players, 4 rounds", PODS, 200),
    ]
    print_table(
        "Tournaments (seconds)",
        ("event", "a pairing, median", "the slowest", "whole event", "fold", "standings", "check"),
        rows,
    )
    print_table(
        "The same at the desk, over a SQLite store: everything told is durable (milliseconds)",
        ("event", "events", "an event, median", "read from cold"),
        [
            _at_the_desk("Swiss, 64 players, 9 rounds", SWISS, 64),
            _at_the_desk("pods of 3-5, 64 players, 4 rounds", PODS, 64),
        ],
    )
    beside = [_beside_gacrux(players) for players in (32, 64, 128, 200, 400, 1000)]
    print_table(
        "Beside gacrux: rounds 2, 4 and 7 paired, six tie-breaks computed after them (seconds)",
        ("players", "pairing", "gacrux", "times", "least", "tie-breaks", "gacrux", "times"),
        beside,
    )
    return [
        Figure(f"three pairings of {players} players", f"{ours} s", "", f"gacrux {theirs} s")
        for players, ours, theirs, *_ in beside
    ]


def _beside_gacrux(players: int) -> tuple[str, ...]:
    """Both in one run, over the same rounds; ``least`` is the round in which gacrux is nearest."""
    events, _ = _play(SWISS.model_copy(update={"rounds": 7}), players)
    at = [number for number, event in enumerate(events) if isinstance(event, RoundPaired)]
    ours, theirs = [], []
    for number in (2, 4, 7):
        before = fold(events[: at[number - 1]])
        ours.append(_timed(lambda: pair(before, number, 1))[1])  # noqa: B023
        report = trf(before, {}, to_pair=number)
        theirs.append(_gacrux_pairing(report, number))
    after = fold(events)
    _, ranking = _timed(lambda: standings(after))
    other_ranking = _gacrux_tie_breaks(trf(after, {}))
    least = min(other / mine for mine, other in zip(ours, theirs, strict=True))
    return (
        str(players),
        f"{sum(ours):.3f}", f"{sum(theirs):.3f}", f"{sum(theirs) / sum(ours):.1f}", f"{least:.1f}",
        f"{ranking:.3f}", f"{other_ranking:.3f}", f"{other_ranking / ranking:.1f}",
    )  # fmt: skip


def _gacrux_pairing(report: str, number: int) -> float:
    tournament, reading = _timed(lambda: read_report(report))
    params = {"top_color": " ", "maxmeets": "0", "unpaired": [], "experimental": [], "verbose": 0}
    tournament["maxMeets"] = 1
    pairing = _timed(lambda: pairing_dutch(tournament, number, params).compute_pairing(False, True))
    return reading + pairing[1]


def _gacrux_tie_breaks(report: str) -> float:
    return _timed(lambda: tie_breaks(report, ("PTS", "DE", "BH/C1", "BH", "SB", "WIN")))[1]


def _event(title: str, plan: Plan, players: int) -> tuple[str, ...]:
    started = perf_counter()
    events, pairings = _play(plan, players)
    whole = perf_counter() - started
    now, folding = _timed(lambda: fold(events))
    _, ranking = _timed(lambda: standings(now))
    _, checking = _timed(lambda: check_tournament(now))
    figures = (median(pairings), max(pairings), whole, folding, ranking, checking)
    return (title, *(f"{seconds:.3f}" for seconds in figures))


def _at_the_desk(title: str, plan: Plan, players: int) -> tuple[str, ...]:
    events, _ = _play(plan, players)
    with TemporaryDirectory() as folder:
        url = f"sqlite://{folder}/games.db"
        desk = Desk(Bench(open_store(url)))
        cup = desk.create("Bench", plan).id
        told = [_timed(lambda: desk.tell(cup, event))[1] for event in events[1:]]  # noqa: B023
        _, reading = _timed(lambda: Desk(Bench(open_store(url))).load(cup))
    figures = (f"{1000 * median(told):.1f}", f"{1000 * reading:.0f}")
    return (title, str(len(events)), *figures)


def _timed(call: Callable[[], T]) -> tuple[T, float]:
    started = perf_counter()
    answer = call()
    return answer, perf_counter() - started


def _play(plan: Plan, players: int) -> tuple[list[Event], list[float]]:
    """A whole event: the better rated win more often. Every step is judged as in real life."""
    dice = SplitMix64(players)
    events: list[Event] = [Created(name="Bench", plan=plan)]
    now: Tournament = apply(None, events[0])

    def tell(event: Event) -> None:
        nonlocal now
        now = apply(now, event)
        events.append(event)

    apart = min(5, 2000 // players)
    for number in range(players):
        tell(Registered(player=player_id(number), rating=2400 - apart * number))
        tell(CheckedIn(player=player_id(number)))
    pairings = []
    for number in range(1, plan.rounds + 1):
        paired, seconds = _timed(lambda: pair(now, number, dice.below(2**32)))  # noqa: B023
        pairings.append(seconds)
        tell(paired)
        tell(RoundStarted(round=number))
        for table in paired.tables:
            outcome = _outcome(now, table.seats, dice)
            tell(ResultEntered(round=number, table=table.number, outcome=outcome, source=SOURCE))
        tell(RoundClosed(round=number))
        standings(now)
    return events, pairings


def _outcome(now: Tournament, seats: tuple[str, ...], dice: SplitMix64) -> Outcome:
    form = [now.players[player].rating + dice.below(800) for player in seats]
    places = [1 + sum(other > mine for other in form) for mine in form]
    if len(seats) == 2 and dice.one_in(4):
        places = [1, 1]
    return Outcome(places=tuple(places), scores=tuple(form))


if __name__ == "__main__":
    main()
