"""Request context of a season: which one, whether the caller may see it, who its players are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from answers.answer import Answered, Data, Telling
from answers.context import Caller
from answers.tournament.context import EventRef, called, event_refs
from answers.tournament.i18n import answered
from referee.errors import NotFound
from referee.season.errors import SeasonRefused
from referee.season.events import SeasonEvent
from referee.season.office import Computed, LoadedSeason, SeasonOffice
from referee.season.state import Season
from referee.table.author import By
from referee.table.bench import new_key
from referee.tournament.desk import LoadedTournament


class SeasonToldAnswer(Data):
    """The answer of everything that is recorded: which events, and the head after them."""

    SCHEMA: ClassVar[str] = "season-told"

    season: str
    name: str
    events: list[EventRef]
    head: str


def may_see(caller: Caller, season: LoadedSeason) -> bool:
    """Whoever may see every event of a season may see the season; everybody, if it says so."""
    if season.now.rules.published or caller.reaches(season.id, ""):
        return True
    events = season.now.events
    return bool(events) and all(caller.reaches(each, "") for each in events)


class SeasonCall:
    """A caller at one season that they may see.

    A request that was recorded before, by the key of the caller, finds the season as it was then:
    its names mean the same people once more.
    """

    def __init__(self, caller: Caller, season: str) -> None:
        self.caller = caller
        self.hosted = self.office.load(self.office.find(season))
        if not may_see(caller, self.hosted):
            raise NotFound("no_such_season", season=season[:60])
        known = self.hosted.written_with(caller.key) if caller.key is not None else ()
        if known and known[0].number > 0:
            self.hosted = self.hosted.before(known[0].number)

    @property
    def office(self) -> SeasonOffice:
        return self.caller.store_context.seasons

    @property
    def now(self) -> Season:
        return self.hosted.now

    @cached_property
    def events(self) -> list[LoadedTournament]:
        return [self.caller.seen(each) for each in self.office.events(self.hosted)]

    @cached_property
    def computed(self) -> Computed:
        return self.office.computed(self.hosted, self.events)

    @cached_property
    def event_names(self) -> dict[str, str]:
        return {hosted.id: hosted.now.name for hosted in self.events}

    def name(self, player: str) -> str:
        return self.caller.name(player)

    @cached_property
    def players(self) -> dict[str, str]:
        """Everybody of the list, of the events and of the teams; with their clubs."""
        now = self.now
        found: dict[str, str] = {}
        for hosted in self.events:
            for player in hosted.now.players.values():
                known = found.setdefault(now.person(player.id), player.club)
                found[now.person(player.id)] = player.club or known
        for team in now.teams.values():
            for each in team:
                found.setdefault(now.person(each), "")
        listed = {player: club or found.get(player, "") for player, club in now.listed.items()}
        return {**found, **listed}

    def player(self, text: str) -> str:
        """A player by pseudonym or name, or by the beginning of one."""
        if text in self.now.merged or text in self.players:
            return self.now.person(text)
        found = called({player: self.name(player) for player in self.players}, text)
        if len(found) == 1:
            return found[0]
        near = [f"{self.name(player)} {player}" for player in found[:8]]
        raise NotFound("which_player" if found else "no_such_player", player=text, players=near)

    def person(self, name: str) -> str:
        """A player of this season; whoever is not yet one, by name."""
        try:
            return self.player(name)
        except NotFound as error:
            if error.key != "no_such_player":
                raise
            return self.caller.person(name)

    def _named(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Facts of a refusal, with names instead of pseudonyms."""
        return {
            name: self.name(fact)
            if name == "player"
            else self.event_names.get(fact, fact)
            if name == "tournament"
            else fact
            for name, fact in facts.items()
        }

    def record(self, *events: SeasonEvent, telling: Telling) -> Answered[SeasonToldAnswer]:
        """Record events and answer which."""
        key = self.caller.key or new_key()
        try:
            self.hosted = self.office.tell(self.hosted.id, *events, by=By(self.caller.author, key))
        except SeasonRefused as error:
            raise SeasonRefused(error.key, **self._named(error.facts)) from None
        return recorded_answer(self.hosted, key, telling)


def recorded_answer(hosted: LoadedSeason, key: str, telling: Telling) -> Answered[SeasonToldAnswer]:
    recorded = hosted.written_with(key)
    return answered(
        lambda: SeasonToldAnswer(
            season=hosted.id,
            name=hosted.now.name,
            events=event_refs(recorded),
            head=hosted.head,
        ),
        telling,
    )
