"""What onlookers of an event with a delay are not told yet: points taken away, and results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from engines.kernel.values.structs import evolve
from referee.record.game import Game
from referee.store.sidecars.access import PolicyInForce
from referee.tournament.desk import LoadedTournament, RecordedEvent
from referee.tournament.events import (
    FromRecords,
    LotDrawn,
    PenaltyGiven,
    PointPenaltyCancelled,
    RoundClosed,
    RoundReopened,
    Source,
    TournamentClosed,
    TournamentReopened,
)
from referee.tournament.state import Entered, PlayerReport, Round, Tournament

R = TypeVar("R", Entered, PlayerReport)


def young_penalties(hosted: LoadedTournament, rules: PolicyInForce, person: str) -> frozenset[int]:
    """The events that gave or cancelled a penalty of somebody else and may not be told yet.

    Where a delay counts entries of a table, as long as a round is open.
    """
    now = hosted.now
    if not now.penalties:
        return frozenset()
    playing = {each.number for each in now.open_rounds} if rules.delay_entries else set()
    whose = {penalty.event: penalty for penalty in now.penalties if penalty.player != person}
    young = set()
    for told in hosted.told[min(whose, default=len(hosted.told)) :]:
        event = told.event
        number = event.penalty if isinstance(event, PointPenaltyCancelled) else told.number
        if number not in whose or not isinstance(event, PenaltyGiven | PointPenaltyCancelled):
            continue
        if _is_young(told, rules) or whose[number].round in playing:
            young.add(told.number)
    return frozenset(young)


def _is_young(told: RecordedEvent, rules: PolicyInForce) -> bool:
    return datetime.fromisoformat(told.at) > datetime.now(UTC) - timedelta(
        seconds=rules.delay_seconds
    )


def untold_round(now: Tournament) -> Round | None:
    """The round whose results nothing tells that everybody has to know: the last.

    The pairing of the next one, and the list of finalists, rest on the results before them.
    """
    if not now.rounds or (now.finals is not None and now.finals.first_round > len(now.rounds)):
        return None
    last = now.rounds[-1]
    return last if last.results or last.reports else None


def young_results(
    hosted: LoadedTournament,
    round: Round,
    delayed: Mapping[int, Mapping[str, PolicyInForce]],
    whole: Callable[[str], Game],
    shown: Callable[[str], Game],
) -> frozenset[int]:
    """The events that tell of a round what its boards do not show yet, and whatever rests on them.

    ``delayed``: by table, its records that are shown with a delay, and with which; ``whole`` and
    ``shown`` load them. The result of a table without any is told at once.
    """

    def waits(table: int, number: int, source: Source | None) -> bool:
        told = hosted.told[number]
        for game, rules in delayed.get(table, {}).items():
            if not rules.delay_entries and not _is_young(told, rules):
                continue
            if isinstance(source, FromRecords):
                ends = [each.entry for each in source.records if each.game == game]
                if any(end > shown(game).version for end in ends):
                    return True
            elif not rules.until_result and (_is_young(told, rules) or is_on(game)):
                return True
        return False

    def is_on(game: str) -> bool:
        """Whether onlookers have not seen its end; one that never ends is over with its round."""
        return not round.closed if whole(game).closed is None else shown(game).closed is None

    young = {
        entered.event
        for table, all in round.results.items()
        for entered in all
        if waits(table, entered.event, entered.source)
    } | {
        report.event
        for table, reports in round.reports.items()
        for report in reports.values()
        if waits(table, report.event, None)
    }
    if not young:
        return frozenset()
    # What is reopened was closed, and nothing is closed without its results.
    resting = (RoundClosed, RoundReopened, LotDrawn, TournamentClosed, TournamentReopened)
    return frozenset(young).union(
        told.number for told in hosted.told[min(young) :] if isinstance(told.event, resting)
    )


def without(hosted: LoadedTournament, held_back: frozenset[int]) -> LoadedTournament:
    """The tournament as if these events had not come yet; that something was recorded stays."""
    now, told = hosted.now, [hosted.told[number].event for number in held_back]
    cancelled = {event.penalty for event in told if isinstance(event, PointPenaltyCancelled)}
    closed = {event.round for event in told if isinstance(event, RoundClosed)}
    seen = evolve(
        now,
        penalties=tuple(
            evolve(penalty, cancelled=None) if penalty.event in cancelled else penalty
            for penalty in now.penalties
            if penalty.event not in held_back
        ),
        lots=tuple(lot for lot in now.lots if lot.event not in held_back),
        rounds=(*now.rounds[:-1], *(_round_without(e, held_back, closed) for e in now.rounds[-1:])),
        closed=now.closed and not any(isinstance(event, TournamentClosed) for event in told),
    )
    return evolve(hosted, now=seen, held_back=held_back)


def _round_without(round: Round, held_back: frozenset[int], closed: set[int]) -> Round:
    def kept(all: Sequence[R]) -> tuple[R, ...]:
        return tuple(each for each in all if each.event not in held_back)

    results = {table: kept(entered) for table, entered in round.results.items()}
    reports = {
        table: {player: each for player, each in told.items() if each.event not in held_back}
        for table, told in round.reports.items()
    }
    return evolve(
        round,
        results={table: entered for table, entered in results.items() if entered},
        reports={table: told for table, told in reports.items() if told},
        closed=round.closed and round.number not in closed,
    )
