"""The seasons of a store: loads them, records their events, computes what follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

from msgspec import Struct

from engines.kernel.values.structs import evolve
from referee.season.events import SeasonCreated, SeasonEvent, SeasonRules, read_event
from referee.season.ratings import Ratings, ratings
from referee.season.standings import RankedMember, season_standings
from referee.season.state import Season, apply, fold
from referee.store.event_store import Store
from referee.table.author import Author, By
from referee.tournament.desk import Desk, LoadedTournament
from referee.tournament.event_streams import (
    BY_ORGANISER,
    EventStreams,
    LoadedStream,
    check_role,
)


class LoadedSeason(LoadedStream[SeasonEvent, Season], frozen=True):
    """A season as loaded from the store: its state and all its events."""

    def before(self, number: int) -> LoadedSeason:
        """The season as it was before an event; its head is still that of today."""
        return evolve(self, now=fold(self.events[:number]), told=self.told[:number])


class Computed(Struct, frozen=True):
    """What follows from a season and its tournaments as they stood at these heads."""

    heads: tuple[Any, ...]
    standings: tuple[RankedMember, ...]
    ratings: Ratings


class SeasonOffice(EventStreams[SeasonEvent, Season, LoadedSeason]):
    """The seasons of a store."""

    KIND = "season"
    read_event = staticmethod(read_event)
    fold = staticmethod(fold)
    loaded = LoadedSeason

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self._computed: dict[str, Computed] = {}
        """By season, as it was last computed."""

    @property
    def store(self) -> Store:
        return self.desk.store

    def on(self, desk: Desk) -> SeasonOffice:
        """This office with what it has computed, over another desk of the same store."""
        other = copy(self)
        other.desk = desk
        return other

    def events(self, season: LoadedSeason) -> list[LoadedTournament]:
        """Its tournaments, in the order they were added; one that is not in this store is none."""
        there = {*self.store.streams("tournament-")}
        return [self.desk.load(each) for each in season.now.events if each in there]

    def computed(
        self, season: LoadedSeason, seen: Sequence[LoadedTournament] | None = None
    ) -> Computed:
        """Standings and ratings, computed anew whenever an event of the log has come since.

        ``seen``: its tournaments as somebody may see them by now.
        """
        events = self.events(season) if seen is None else seen
        of_season = (season.head, len(season.told))  # what it was before has the head of today
        heads = (of_season, *((hosted.head, hosted.held_back) for hosted in events))
        known = self._computed.get(season.id)
        if known is None or known.heads != heads:
            known = Computed(
                heads,
                tuple(season_standings(season.now, events)),
                ratings(season.now, events),
            )
            self._computed[season.id] = known
        return known

    def create(self, name: str, rules: SeasonRules, *, by: By = BY_ORGANISER) -> LoadedSeason:
        return self.begin([SeasonCreated(name=name, rules=rules)], by)


def follow(now: Season | None, body: Mapping[str, Any]) -> Season:
    """The season after one more stored entry, as verification replays it."""
    event = read_event(body["kind"], body["schema"], body["data"])
    check_role(Author(body["by"], body["role"]), event)
    return apply(now, event)
