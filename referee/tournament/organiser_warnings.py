"""Warnings for organisers before the prize-giving: odd, but no contradiction."""

from __future__ import annotations

from collections.abc import Iterator

from referee.tournament.desk import Desk
from referee.tournament.events import FromRecords, Outcome
from referee.tournament.pairing.rounds import PairingProblem
from referee.tournament.plan import Plan
from referee.tournament.state import Tournament, apart_together

COUNT_POINTS = frozenset({"SHARE", "SCORE", "BEST"})
"""Tie-breaks that count the points of the game."""


def remarks(desk: Desk, tournament_id: str, now: Tournament) -> Iterator[PairingProblem]:
    """Open disputes, scores that are missing or contradict the places, lots drawn twice, and who
    met though they are kept apart."""
    for concern in desk.concerns(tournament_id):
        if concern.game is None:
            yield PairingProblem(concern.round, "table_waits", {"table": concern.table})
        elif concern.dispute is not None and concern.deviation is None:
            facts = {"table": concern.table, "game": concern.game.id}
            yield PairingProblem(
                concern.round, "dispute_open", {**facts, "dispute": concern.dispute.id}
            )
    yield from _points_told(now)
    yield from _lots_drawn_again(now)
    yield from _apart_met(now)


def wanted_points(plan: Plan) -> tuple[str, ...]:
    """The tie-breaks of a plan that need the scores of the games."""
    return tuple(column for column in plan.tie_breaks if column in COUNT_POINTS)


def contradict(outcome: Outcome) -> bool:
    """Whether places and scores disagree: a better place with fewer points, or a false tie."""
    if outcome.scores is None:
        return False
    here = [(outcome.places[seat], outcome.scores[seat]) for seat in outcome.here]
    return any(
        (place < other and points < others) or (place == other and points != others)
        for place, points in here
        for other, others in here
    )


def _points_told(now: Tournament) -> Iterator[PairingProblem]:
    columns = wanted_points(now.plan)
    for round in now.rounds_of("main"):
        for table in round.draw.tables:
            entered = round.result(table.number)
            if entered is None or len(entered.outcome.here) < 2:
                continue
            if columns and entered.outcome.scores is None:
                facts = {"table": table.number, "columns": columns}
                yield PairingProblem(round.number, "scores_missing", facts)
            if not isinstance(entered.source, FromRecords) and contradict(entered.outcome):
                yield PairingProblem(round.number, "scores_contradict", {"table": table.number})


def _apart_met(now: Tournament) -> Iterator[PairingProblem]:
    """Judged by what was told when the round was paired: who is kept apart since then may have
    met before."""
    for round in now.rounds:
        for table, one, other in apart_together(round.before, round.draw):
            facts = {"table": table, "players": (one, other)}
            yield PairingProblem(round.number, "apart_met", facts)


def _lots_drawn_again(now: Tournament) -> Iterator[PairingProblem]:
    known: set[frozenset[str]] = set()
    for lot in now.lots:
        among = frozenset(lot.order)
        if any(among <= earlier or earlier <= among for earlier in known):
            yield PairingProblem(0, "lot_again", {"players": lot.order, "event": lot.event})
        known.add(among)
