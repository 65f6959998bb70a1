"""Point penalties in an event with a delay: onlookers are told of them as late as of its tables."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from engines.kernel.values.structs import evolve
from referee.store.sidecars.access import PolicyInForce
from referee.tournament.desk import LoadedTournament
from referee.tournament.events import PenaltyGiven, PointPenaltyCancelled


def young_penalties(hosted: LoadedTournament, rules: PolicyInForce, person: str) -> frozenset[int]:
    """The events that gave or cancelled a penalty of somebody else and may not be told yet.

    Where a delay counts entries of a table, as long as a round is open.
    """
    now = hosted.now
    if not now.penalties:
        return frozenset()
    edge = (datetime.now(UTC) - timedelta(seconds=rules.delay_seconds)).isoformat()
    playing = {each.number for each in now.open_rounds} if rules.delay_entries else set()
    whose = {penalty.event: penalty for penalty in now.penalties if penalty.player != person}
    young = set()
    for told in hosted.told[min(whose, default=len(hosted.told)) :]:
        event = told.event
        number = event.penalty if isinstance(event, PointPenaltyCancelled) else told.number
        if number not in whose or not isinstance(event, PenaltyGiven | PointPenaltyCancelled):
            continue
        if told.at[:19] > edge[:19] or whose[number].round in playing:
            young.add(told.number)
    return frozenset(young)


def without_penalties(hosted: LoadedTournament, held_back: frozenset[int]) -> LoadedTournament:
    """The tournament as if these events had not come yet; that something was recorded stays."""
    cancelled = {
        told.event.penalty
        for told in hosted.told
        if told.number in held_back and isinstance(told.event, PointPenaltyCancelled)
    }
    penalties = tuple(
        evolve(penalty, cancelled=None) if penalty.event in cancelled else penalty
        for penalty in hosted.now.penalties
        if penalty.event not in held_back
    )
    return evolve(hosted, now=evolve(hosted.now, penalties=penalties))
