"""The state of a season, and the pure fold that makes it from the events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from engines.kernel.values.structs import evolve
from referee.season.errors import SeasonRefused
from referee.season.events import (
    EventAdded,
    EventRemoved,
    PlayersListed,
    PlayerUnlisted,
    SeasonCreated,
    SeasonEvent,
    SeasonPlayersMerged,
    SeasonRevised,
    SeasonRules,
    TeamNamed,
)


class Season(Struct, frozen=True):
    name: str
    rules: SeasonRules
    events: Mapping[str, int] = field(default_factory=dict)
    """The tournaments that count, in the order they were added, and their weights."""
    listed: Mapping[str, str] = field(default_factory=dict)
    """The club's list: players and their clubs."""
    teams: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The people of each, none of them a team."""
    merged: Mapping[str, str] = field(default_factory=dict)

    def person(self, player: str) -> str:
        """Who this entry of an event is, after everything that was merged."""
        while player in self.merged:
            player = self.merged[player]
        return player

    def side(self, player: str) -> tuple[str, ...]:
        """Whose ratings a result of this entry changes: a team's players, else their own."""
        one = self.person(player)
        return self.teams.get(one, (one,))


def fold(events: Iterable[SeasonEvent], now: Season | None = None) -> Season:
    for event in events:
        now = apply(now, event)
    assert now is not None, "a season without an event"
    return now


def apply(now: Season | None, event: SeasonEvent) -> Season:
    """The season after one more event; what does not fit is refused."""
    if isinstance(event, SeasonCreated):
        if now is not None:
            raise SeasonRefused("season_exists", name=now.name)
        return Season(event.name, event.rules)
    if now is None:
        raise SeasonRefused("no_season_yet")
    if isinstance(event, SeasonRevised):
        return evolve(now, rules=event.rules)
    if isinstance(event, EventAdded):
        if now.events.get(event.tournament) == event.weight:
            raise SeasonRefused("event_counts_already", tournament=event.tournament)
        return evolve(now, events={**now.events, event.tournament: event.weight})
    if isinstance(event, EventRemoved):
        return evolve(now, events=_without(now.events, event.tournament, "event_counts_not"))
    if isinstance(event, PlayersListed):
        told = {now.person(each.player): each.club for each in event.players}
        return evolve(now, listed={**now.listed, **told})
    if isinstance(event, PlayerUnlisted):
        gone = now.person(event.player)
        return evolve(now, listed=_without(now.listed, gone, "not_on_the_list"))
    if isinstance(event, TeamNamed):
        return evolve(now, teams=_teams(now, event))
    assert isinstance(event, SeasonPlayersMerged)
    return _merged(now, event)


def _without(known: Mapping[str, object], gone: str, refusal: str) -> dict[str, object]:
    if gone not in known:
        raise SeasonRefused(refusal, player=gone, tournament=gone)
    return {each: value for each, value in known.items() if each != gone}


def _teams(now: Season, event: TeamNamed) -> dict[str, tuple[str, ...]]:
    team = now.person(event.team)
    players = tuple(now.person(each) for each in event.players)
    if team in players or len({*players}) < len(players):
        raise SeasonRefused("team_of_others", player=event.team)
    if any(each in now.teams for each in players) or any(
        team in others for others in now.teams.values()
    ):
        raise SeasonRefused("team_of_teams", player=event.team)
    others = {each: kept for each, kept in now.teams.items() if each != team}
    return {**others, team: players} if players else others


def _merged(now: Season, event: SeasonPlayersMerged) -> Season:
    player, gone = now.person(event.player), now.person(event.merged)
    if player == gone:
        raise SeasonRefused("merged_already", player=event.player)
    if gone in now.teams or any(
        gone in kept and (player in kept or player in now.teams) for kept in now.teams.values()
    ):
        raise SeasonRefused("team_of_others", player=gone)
    # A team has people, not names: whoever is merged away plays for it under the other name.
    teams = {
        team: tuple(player if each == gone else each for each in kept)
        for team, kept in now.teams.items()
    }
    listed = {each: club for each, club in now.listed.items() if each != gone}
    if gone in now.listed:
        listed[player] = listed.get(player) or now.listed[gone]
    return evolve(now, merged={**now.merged, gone: player}, listed=listed, teams=teams)
