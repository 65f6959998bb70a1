"""The seasons of a store: loads them, records their events, computes what follows from them.

A season is a stream in the same store as games and tournaments. Events are first applied to the
current state, then appended at that version (optimistic concurrency): a refusal changes nothing.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from referee.errors import NotAllowed, NotFound
from referee.record.entries import read_body
from referee.season.events import SeasonCreated, SeasonEvent, SeasonRules, read_event
from referee.season.ratings import Ratings, ratings
from referee.season.standings import SeasonRow, season_standings
from referee.season.state import Season, apply, fold
from referee.store.envelopes import Conflict, Draft, KeyReused, Stored
from referee.store.event_store import Store
from referee.table.author import Author
from referee.table.bench import (
    IdempotencyKeyReused,
    VersionConflict,
    letters_of,
    new_key,
    refuse_unseen,
    utc_now,
    written_by_this_version,
)
from referee.table.unreadable import readable
from referee.tournament.desk import ORGANISER, Desk, LoadedTournament

PREFIX = "season-"


class RecordedSeasonEvent(Struct, frozen=True):
    number: int
    at: str
    by: str
    role: str
    key: str
    event: SeasonEvent


class LoadedSeason(Struct, frozen=True):
    """A season as loaded from the store: its state and all its events."""

    id: str
    now: Season
    told: tuple[RecordedSeasonEvent, ...]
    head: str

    def before(self, number: int) -> LoadedSeason:
        """The season as it was before an event; its head is still that of today."""
        told = self.told[:number]
        return LoadedSeason(self.id, fold(one.event for one in told), told, self.head)


class Computed(Struct, frozen=True):
    """What follows from a season and its tournaments as they stood at these heads."""

    heads: tuple[str, ...]
    standings: tuple[SeasonRow, ...]
    ratings: Ratings


def new_season_id() -> str:
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    return PREFIX + "".join(secrets.choice(letters) for _ in range(8))


class SeasonOffice:
    """The seasons of a store. Clock, keys and ids are injected, for tests."""

    def __init__(
        self,
        store: Store,
        desk: Desk,
        *,
        clock: Callable[[], str] = utc_now,
        keys: Callable[[], str] = new_key,
        ids: Callable[[], str] = new_season_id,
    ) -> None:
        self.store, self.desk = store, desk
        self._clock, self._keys, self._ids = clock, keys, ids
        self._computed: dict[str, Computed] = {}
        """By season, as it was last computed."""

    def all(self, left_out: list[str] | None = None) -> list[LoadedSeason]:
        """Every season that can be read; the others are added to ``left_out``."""
        return [*readable(self.store.streams(PREFIX), self.load, left_out)]

    def find(self, prefix: str) -> str:
        """Resolve a prefix of an id, with or without ``season-``, to the only one it fits."""
        start = prefix if prefix.startswith(PREFIX) else f"{PREFIX}{prefix}"
        found = self.store.streams(start)
        if start in found or len(found) == 1:
            return start if start in found else found[0]
        if found:
            raise NotFound("which_season", season=prefix, seasons=found[:8])
        raise NotFound("no_such_season", season=prefix)

    def load(self, season_id: str) -> LoadedSeason:
        rows = self.store.read(season_id) if season_id.startswith(PREFIX) else []
        if not rows:
            raise NotFound("no_such_season", season=season_id)
        with written_by_this_version(season_id):
            told = tuple(_read(row) for row in rows)
        return LoadedSeason(season_id, fold(one.event for one in told), told, rows[-1].head)

    def events(self, season: LoadedSeason) -> list[LoadedTournament]:
        """Its tournaments, in the order they were added; one that is not in this store is none."""
        there = {*self.store.streams("tournament-")}
        return [self.desk.load(each) for each in season.now.events if each in there]

    def computed(self, season: LoadedSeason) -> Computed:
        """Standings and ratings, computed anew whenever an event of the log has come since."""
        events = self.events(season)
        heads = (season.head, *(hosted.head for hosted in events))
        known = self._computed.get(season.id)
        if known is None or known.heads != heads:
            known = Computed(
                heads,
                tuple(season_standings(season.now, events)),
                ratings(season.now, events),
            )
            self._computed[season.id] = known
        return known

    # telling

    def create(
        self, name: str, rules: SeasonRules, *, author: Author = ORGANISER, key: str | None = None
    ) -> LoadedSeason:
        """Create a season; with a key it is idempotent, because the id is derived from it."""
        stream = PREFIX + letters_of(key) if key is not None else self._ids()
        return self._append(
            stream, [SeasonCreated(name=name, rules=rules)], (), author, key or self._keys()
        )

    def tell(
        self, season_id: str, *events: SeasonEvent, author: Author = ORGANISER,
        key: str | None = None,
    ) -> LoadedSeason:  # fmt: skip
        """Record events atomically; idempotent by key."""
        known = self.load(season_id)
        key = key or self._keys()
        if recorded := self.recorded(known, key):
            _check_same(recorded, events, author)
            return known
        now = known.now
        for event in events:
            now = apply(now, event)
        return self._append(season_id, events, known.told, author, key)

    def recorded(self, season: LoadedSeason, key: str) -> list[RecordedSeasonEvent]:
        """The events that were written with an idempotency key."""
        return [one for one in season.told if one.key == key or one.key.startswith(f"{key}.")]

    def _append(
        self, stream: str, events: Sequence[SeasonEvent], told: Sequence[RecordedSeasonEvent],
        author: Author, key: str,
    ) -> LoadedSeason:  # fmt: skip
        if author.role != "organiser":
            raise NotAllowed("role_may_not", role=author.role, roles=["organiser"])
        drafts = [
            Draft(
                event.KIND, event.SCHEMA, event.model_dump(mode="json"), f"{key}.{i}" if i else key
            )
            for i, event in enumerate(events)
        ]
        refuse_unseen(drafts)
        at = max(self._clock(), told[-1].at) if told else self._clock()
        try:
            self.store.append(
                stream, drafts, expected=len(told) - 1, at=at, by=author.person, role=author.role
            )
        except Conflict as conflict:
            kinds = [json.loads(row.body)["kind"] for row in conflict.missed]
            known = self.load(stream)
            if recorded := self.recorded(known, key):  # the same request, made twice at once
                _check_same(recorded, events, author)
                return known
            raise VersionConflict("someone_else", entries=len(kinds), kinds=kinds[:5]) from None
        except KeyReused as reused:
            raise IdempotencyKeyReused("key_reused", key=key, entry=reused.stored.seq) from None
        return self.load(stream)


def follow(now: Season | None, body: Mapping[str, Any]) -> Season:
    """The season after one more stored entry, as verification replays it."""
    if body["role"] != ORGANISER.role:
        raise NotAllowed("role_may_not", role=body["role"], roles=[ORGANISER.role])
    return apply(now, read_event(body["kind"], body["schema"], body["data"]))


def _read(row: Stored) -> RecordedSeasonEvent:
    body = read_body(row)
    event = read_event(body["kind"], body["schema"], body["data"])
    return RecordedSeasonEvent(row.seq, body["at"], body["by"], body["role"], body["key"], event)


def _check_same(
    known: Sequence[RecordedSeasonEvent], events: Sequence[SeasonEvent], author: Author
) -> None:
    """Refuse an idempotency key that was used for another request, or by another author."""
    first = known[0]
    same_author = (first.by, first.role) == (author.person, author.role)
    if not same_author or [one.event for one in known] != list(events):
        raise IdempotencyKeyReused("key_reused", key=first.key, entry=first.number)
