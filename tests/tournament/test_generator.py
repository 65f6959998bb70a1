"""Two thousand simulated events: whatever people do, these things hold.

``REFEREE_CHAOS=20000`` simulates more of them.
"""

from __future__ import annotations

import os
from fractions import Fraction
from itertools import combinations

import networkx as nx
import pytest

from referee.tournament.events import Event
from referee.tournament.fold import fold, states
from referee.tournament.knockout import losses
from referee.tournament.pairing.rounds import check_tournament
from referee.tournament.plan import (
    DuelScoring,
    Ladder,
    LadderScoring,
    League,
    PlaceScoring,
    RoundRobin,
)
from referee.tournament.ranking.points import POINT, in_points, units
from referee.tournament.ranking.score_sheet import score_sheet
from referee.tournament.ranking.standings import standings
from referee.tournament.splitmix import SplitMix64
from referee.tournament.state import Round, Tournament
from tests.deep import first
from tests.tournament.generator import KINDS, generate

EVENTS = max(1000, int(os.environ.get("REFEREE_CHAOS", "0")))
BLOCKS = 20


@pytest.mark.parametrize("block", first(5, range(BLOCKS)))
def test_simulated_events(block: int) -> None:
    for seed in range(block, EVENTS, BLOCKS):
        kind = KINDS[seed % len(KINDS)]
        events = generate(seed, kind)
        try:
            now = fold(events)
            _the_record_alone_decides(events, now, SplitMix64(seed))
            for round in now.rounds:
                _everybody_has_one_place(round)
                _byes_are_spread(round)
                _no_avoidable_repeat_or_bye(round)
            _rounds_check_out(now)
            _points_are_conserved(now)
            _standings_are_in_order(now)
        except AssertionError as error:
            raise AssertionError(f"{kind}, seed {seed}: {error}") from error


def _the_record_alone_decides(events: list[Event], now: Tournament, dice: SplitMix64) -> None:
    cut = 1 + dice.below(len(events))
    prefix = fold(events[:cut])
    assert prefix.last == cut - 1
    assert fold(events[cut:], prefix) == now, "prefix and rest are not the whole"


def _everybody_has_one_place(round: Round) -> None:
    placed = list(round.draw.players)
    assert len(placed) == len(set(placed)), "somebody sits twice"
    possible = {player.id for player in round.before.available(round.number)}
    assert set(placed) <= possible, "somebody plays who is not there"
    numbers = [table.number for table in round.draw.tables]
    assert len(numbers) == len(set(numbers)), "two tables have one number"


def _byes_are_spread(round: Round) -> None:
    """Nobody at a table of several had fewer byes than somebody who sits out."""
    if round.paired.algorithm != "pods-annealing" or round.swaps:
        return
    had = _byes_before(round)
    seated = [player for table in round.draw.tables for player in table.seats]
    fewest = min(had[player] for player in seated)
    assert all(had[player] <= fewest for player in round.draw.byes), "a bye was avoidable"


def _byes_before(round: Round) -> dict[str, int]:
    sheet = score_sheet(round.before)
    return {
        player: sum(line.kind in ("bye", "full_bye", "forfeit_win") for line in sheet[player])
        for player in round.draw.players
    }


def _no_avoidable_repeat_or_bye(round: Round) -> None:
    """Swiss: a repeat or a second bye only if no pairing does without."""
    if round.paired.algorithm != "swiss-matching" or round.swaps:
        return
    sheet = score_sheet(round.before)
    met = {
        (player, other)
        for player, lines in sheet.items()
        for line in lines
        if line.kind == "played"
        for other in line.opponents
    }
    players = sorted(round.draw.players)
    had = _byes_before(round)
    if any(table.seats in met for table in round.draw.tables):
        for bye in players if len(players) % 2 else [None]:
            assert not _all_new(players, bye, met), "a repeat was avoidable"
    elif round.draw.byes:
        for bye in players:
            if had[bye] < had[round.draw.byes[0]]:
                assert not _all_new(players, bye, met), "a second bye was avoidable"


def _all_new(players: list[str], bye: str | None, met: set[tuple[str, ...]]) -> bool:
    """Whether all but the one with the bye can be paired with somebody they have not met."""
    rest = [player for player in players if player != bye]
    graph = nx.Graph()
    graph.add_nodes_from(rest)
    graph.add_edges_from(pair for pair in combinations(rest, 2) if pair not in met)
    return 2 * len(nx.max_weight_matching(graph, maxcardinality=True)) == len(rest)


def _rounds_check_out(now: Tournament) -> None:
    found = {problem.key for problem in check_tournament(now)}
    assert found <= {"changed_by_hand"}, found


def _points_are_conserved(now: Tournament) -> None:
    """What a table gives out is what the plan says, however it is shared."""
    scoring = now.plan.scoring
    sheet = score_sheet(now)
    for round in now.rounds_of("main"):
        for table in round.draw.tables:
            result = round.result(table.number)
            if result is None or result.outcome.absent:
                continue
            given = sum(sheet[player][round.number - 1].points for player in table.seats)
            if isinstance(scoring, DuelScoring):
                assert given == units(scoring.win + scoring.loss)
            elif isinstance(scoring, PlaceScoring):
                assert given == units(sum(scoring.places[: len(table.seats)]))
        if isinstance(scoring, LadderScoring):
            told = [lines[round.number - 1] for lines in sheet.values()]
            teams = sum(line.measures is not None for line in told)
            given = sum(line.points for line in told if line.measures is not None)
            assert given == POINT * teams * (teams - 1) // 2


def _standings_are_in_order(now: Tournament) -> None:
    table = standings(now)
    sheet = score_sheet(now)
    assert sorted(row.player for row in table.rows) == sorted(sheet)
    ranks = [row.rank for row in table.rows]
    assert ranks == sorted(ranks)
    if not isinstance(now.plan.format, League | Ladder):
        at = table.columns.index("PTS")
        taken = sum(units(p.halves) for p in now.penalties if p.cancelled is None
                    and p.player in sheet)  # fmt: skip
        scored = sum(line.points for lines in sheet.values() for line in lines) - taken
        assert sum((row.values[at] for row in table.rows), Fraction(0)) == in_points(scored)
    if now.finals is None and not isinstance(now.plan.format, RoundRobin):
        assert len(set(ranks)) == len(ranks), "the lot leaves nobody tied"
    rules = now.knockout_rules("main")
    if rules is not None:
        assert all(lost <= rules.lives for lost in losses(now, "main").values())


def test_the_generator_knows_every_trick() -> None:
    """All kinds of events occur, many times."""
    told: dict[str, int] = {}
    for seed in range(140):
        for event in generate(seed, KINDS[seed % len(KINDS)]):
            told[event.KIND] = told.get(event.KIND, 0) + 1
    rare = {"tournament_revised", "tournament_reopened"}
    expected = {
        "player_late", "player_dropped", "player_returned", "bye_requested", "pairing_withdrawn",
        "players_swapped", "tables_assigned", "result_corrected", "round_reopened",
        "penalty_given", "penalty_cancelled", "lot_drawn", "finals_started", "reading_ruled",
    }  # fmt: skip
    assert expected <= set(told)
    assert not rare & set(told)
    assert min(told[kind] for kind in expected) >= 5


def test_the_same_seed_tells_the_same_story() -> None:
    assert generate(17) == generate(17)
    assert generate(17) != generate(18)


def test_every_state_on_the_way_has_standings() -> None:
    for seed in range(7):
        for now in states(generate(seed, KINDS[seed])):
            standings(now)
