"""Our tie-breaks equal those of gacrux, which is written by others from the same regulations."""

from __future__ import annotations

import pytest

from referee.tournament.events import (
    Created,
    Event,
    FinalsStarted,
    LotDrawn,
    PenaltyGiven,
    PointPenaltyCancelled,
    TournamentClosed,
)
from referee.tournament.fold import fold
from referee.tournament.interchange.trf import trf
from referee.tournament.plan import DuelScoring, Plan, RoundRobin
from referee.tournament.ranking.standings import standings
from referee.tournament.splitmix import SplitMix64
from referee.tournament.state import Tournament
from referee.tournament.values import TieBreakId
from tests.deep import first
from tests.tournament.generator import Kind, generate
from tests.tournament.hosting import Hall, duels
from tests.tournament.oracle import tie_breaks

EVENTS = 40
SWISS_COLUMNS: tuple[TieBreakId, ...] = (
    "PTS", "DE", "BH/C1", "BH/C2", "BH/M1", "BH", "PS", "SB", "WIN",
)  # fmt: skip
ROBIN_COLUMNS: tuple[TieBreakId, ...] = ("PTS", "DE", "SB", "WIN")
DATES = {"fide_2024": "2025/01/01", "fide_2026": "2026/05/01"}
"""The edition of the regulations is chosen by the date of the event."""


def main_rounds(
    seed: int, kind: Kind, columns: tuple[TieBreakId, ...], scoring: DuelScoring
) -> Tournament:
    """A generated tournament up to its finals, without what the other program does not know."""
    events: list[Event] = []
    for event in generate(seed, kind):
        if isinstance(event, FinalsStarted | TournamentClosed):
            break
        if isinstance(event, Created):
            plan = event.plan.model_copy(update={"tie_breaks": columns, "scoring": scoring})
            event = event.model_copy(update={"plan": plan})
        if not isinstance(event, PenaltyGiven | PointPenaltyCancelled | LotDrawn):
            events.append(event)
    return fold(events)


def differences(
    now: Tournament, columns: tuple[TieBreakId, ...], other_plan: Plan | None = None
) -> list[tuple[object, ...]]:
    report = trf(now, {}, start=DATES[(other_plan or now.plan).unplayed_rounds])
    played = len(now.rounds_of("main"))
    report = report.replace(f"142 {now.plan.rounds}\n", f"142 {played}\n")
    fixed = now.plan.format.kind == "round_robin"
    theirs = tie_breaks(report, columns, predetermined=fixed)
    ours = standings(now)
    listed = sorted(ours.rows, key=lambda row: now.players[row.player].seeding_key)
    return [
        (row.player, row.rank, row.values, theirs[number])
        for number, row in enumerate(listed, 1)
        if (row.rank, row.values) != theirs[number]
    ]


@pytest.mark.parametrize("block", first(1, range(5)))
def test_swiss(block: int) -> None:
    for seed in range(block * EVENTS, (block + 1) * EVENTS):
        now = main_rounds(seed, "swiss", SWISS_COLUMNS, DuelScoring())
        if now.rounds:
            assert differences(now, SWISS_COLUMNS) == [], seed


def test_swiss_with_three_points_for_a_win() -> None:
    scoring = DuelScoring(win=6, draw=2, bye=6, half_bye=2)
    for seed in range(EVENTS):
        now = main_rounds(seed, "swiss", SWISS_COLUMNS, scoring)
        if now.rounds:
            assert differences(now, SWISS_COLUMNS) == [], seed


def test_round_robin() -> None:
    for seed in range(EVENTS):
        now = main_rounds(seed, "round_robin", ROBIN_COLUMNS, DuelScoring())
        if now.rounds:
            assert differences(now, ROBIN_COLUMNS) == [], seed


@pytest.mark.parametrize("players", [4, 5, 6, 9])
def test_koya_in_a_complete_round_robin(players: int) -> None:
    columns: tuple[TieBreakId, ...] = ("PTS", "KS")
    for seed in range(6):
        dice = SplitMix64(seed)
        rounds = players - 1 + players % 2
        hall = Hall(duels(RoundRobin(), rounds=rounds, tie_breaks=columns), players)
        for _ in range(rounds):
            hall.play(lambda table: dice.pick([(1, 2), (2, 1), (1, 1)]))  # noqa: B023
        assert differences(hall.now, columns) == []


def test_the_oracle_would_notice_a_difference() -> None:
    """The two editions of the regulations do not agree about rounds nobody played."""
    noticed = 0
    for seed in range(20):
        now = main_rounds(seed, "swiss", SWISS_COLUMNS, DuelScoring())
        other = {"fide_2024": "fide_2026", "fide_2026": "fide_2024"}[now.plan.unplayed_rounds]
        plan = now.plan.model_copy(update={"unplayed_rounds": other})
        noticed += bool(now.rounds) and differences(now, SWISS_COLUMNS, plan) != []
    assert noticed > 3
