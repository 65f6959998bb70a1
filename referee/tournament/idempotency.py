"""Idempotent commands of a desk: a dry run tells whether a repeated key means the same request.

A command whose answer was lost is sent again with its key. It is run once more on the state before
its events; if it would write anything else, the key was reused for another command.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engines.kernel.values.structs import evolve
from referee.table.author import By
from referee.tournament.desk import Desk, LoadedTournament, RecordedEvent
from referee.tournament.errors import NotPossible
from referee.tournament.event_streams import BY_ORGANISER, Recorded
from referee.tournament.events import (
    ClockPaused,
    ClockStarted,
    ClockStopped,
    Event,
    ResultCorrected,
    ResultEntered,
    RoundPaired,
)
from referee.tournament.fold import apply, fold
from referee.tournament.results_from_records import is_from_record


class DryRunDesk(Desk):
    """A dry run: the desk as it was before ``recorded``, with the same clock and seed.

    Records of tables are not read, because they may have changed since: results that came from them
    are taken from the recorded events.
    """

    def __init__(self, desk: Desk, tournament_id: str, recorded: Sequence[RecordedEvent]) -> None:
        told = recorded[0]
        events = [one.event for one in recorded]
        timed = (e.at for e in events if isinstance(e, ClockStarted | ClockPaused | ClockStopped))
        drawn = (e.seed for e in events if isinstance(e, RoundPaired))
        moment, seed = next(timed, told.at), next(drawn, 0)
        super().__init__(desk.bench, clock=lambda: moment, seeds=lambda: seed)
        before = desk.load(tournament_id).told[: told.number]
        now = fold([one.event for one in before])
        self._hosted = LoadedTournament(tournament_id, now, before, "")
        self._recorded = events
        self._key = told.key
        self.told: list[Event] = []
        """The events written with the key of the command."""

    def load(self, tournament_id: str) -> LoadedTournament:
        return self._hosted

    def _records(self, tournament_id: str) -> dict[tuple[int, int], list[dict[str, Any]]]:
        return {}

    def known(self, tournament_id: str, key: str | None) -> tuple[RecordedEvent, ...]:
        return ()

    def take_result(
        self, tournament_id: str, number: int, table: int, *, by: By = BY_ORGANISER
    ) -> LoadedTournament:
        return self._take(number, by, lambda event: event.table == table)

    def collect(
        self,
        tournament_id: str,
        number: int,
        *,
        by: By = BY_ORGANISER,
        unproven: Callable[[NotPossible], None] = lambda error: None,
    ) -> list[int]:
        before = len(self.told)
        self._take(number, by, lambda event: True)
        taken = self.told[before:]
        return [e.table for e in taken if isinstance(e, ResultEntered | ResultCorrected)]

    def _take(
        self, number: int, by: By, wanted: Callable[[ResultEntered | ResultCorrected], bool]
    ) -> LoadedTournament:
        taken = [
            event
            for event in self._recorded
            if isinstance(event, ResultEntered | ResultCorrected)
            and event.round == number
            and is_from_record(event)
            and wanted(event)
        ]
        return self.tell(self._hosted.id, *taken, by=by)

    def _append(self, stream: str, events: Sequence[Event], expected: int, by: By, at: str) -> None:
        now, told = self._hosted.now, self._hosted.told
        for event in events:
            now = apply(now, event)
            told = (
                *told,
                Recorded(len(told), at, by.author.person, by.author.role, by.key or "", event),
            )
        self._hosted = evolve(self._hosted, now=now, told=told)
        if by.key == self._key:
            self.told += events
