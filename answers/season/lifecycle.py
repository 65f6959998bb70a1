"""Create and list seasons; their rules, events and players."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice, columns
from answers.left_out import left_out
from answers.limits import ClubName, EventId, Id, Name, NewName
from answers.permissions import EVERYBODY, ORGANISER
from answers.season.context import SeasonCall, SeasonToldAnswer, may_see, recorded_answer
from answers.tournament.i18n import answered, fluent, headed
from referee.errors import NotFound
from referee.record.entries import Reason
from referee.season import events
from referee.season.events import SeasonRules
from referee.season.office import LoadedSeason
from referee.table.author import By
from referee.table.bench import new_key

USUAL = SeasonRules()
"""The rules of a season that says nothing of its own."""


class SeasonRow(Data):
    season: str
    name: str
    events: int
    created: str


class SeasonListAnswer(Data):
    seasons: list[SeasonRow]


class SeasonEventRow(Data):
    tournament: str
    name: str | None
    """None where the event is not in this store."""
    weight: int
    players: int
    rounds: int
    closed: bool


class ListedRow(Data):
    player: str
    name: str
    club: str


class TeamRow(Data):
    team: str
    name: str
    players: list[ListedRow]


class SeasonInfoAnswer(SeasonRow):
    rules: dict[str, Any]
    counting: list[SeasonEventRow]
    """Its events, in the order they were added."""
    listed: list[ListedRow]
    """The club's list, by name."""
    teams: list[TeamRow]
    last_event: int
    head: str


@operation("season-list", "GET /seasons", grant=EVERYBODY, scope="list")
def seasons(caller: Caller, *, current: Id | None = None) -> Answered[SeasonListAnswer]:
    """Every season that the caller may see; ``current`` is marked with a star."""
    unread: list[str] = []
    found = [each for each in caller.store_context.seasons.all(unread) if may_see(caller, each)]

    def render(voice: Voice) -> list[str]:
        rows = columns(
            (
                "*" if each.id == current else " ",
                each.id,
                each.now.name,
                voice.say("season.count_events", count=len(each.now.events)),
            )
            for each in found
        )
        return rows or [voice.say("season.none")]

    return answered(
        lambda: SeasonListAnswer(seasons=[SeasonRow(**_fields(each)) for each in found]),
        render,
        warnings=left_out(caller, unread),
    )


def _fields(hosted: LoadedSeason) -> dict[str, Any]:
    return {
        "season": hosted.id,
        "name": hosted.now.name,
        "events": len(hosted.now.events),
        "created": hosted.told[0].at,
    }


@operation("season-new", "POST /seasons", grant=ORGANISER)
def create(caller: Caller, name: Name, rules: SeasonRules = USUAL) -> Answered[SeasonToldAnswer]:
    """A new season; where its rules do not say who gets points, whoever sat at a table does."""
    key = caller.key or new_key()
    rules = _said_for_whom(rules)
    hosted = caller.store_context.seasons.create(name, rules, by=By(caller.author, key))

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("season.created", name=name, id=hosted.id)
        yield from (f"  {line}" for line in rules_lines(voice, rules))

    return recorded_answer(hosted, key, render)


def _said_for_whom(rules: SeasonRules) -> SeasonRules:
    said = rules.points_for or "seated"
    return rules.model_copy(update={"points_for": said})


@operation("season-info", "GET /seasons/{season}", grant=EVERYBODY, scope="list", etag="content")
def info(caller: Caller, season: str) -> Answered[SeasonInfoAnswer]:
    """The rules of a season, its events, and the club's list of players."""
    call = SeasonCall(caller, season)
    now, there = call.now, {hosted.id: hosted.now for hosted in call.events}

    def listed(players: Sequence[str]) -> list[ListedRow]:
        rows = [
            ListedRow(player=each, name=call.name(each), club=call.players.get(each, ""))
            for each in players
        ]
        return sorted(rows, key=lambda row: (row.name.casefold(), row.player))

    def data() -> SeasonInfoAnswer:
        return SeasonInfoAnswer(
            **_fields(call.hosted),
            rules=now.rules.model_dump(mode="json"),
            counting=[
                SeasonEventRow(
                    tournament=each,
                    name=there[each].name if each in there else None,
                    weight=weight,
                    players=len(there[each].players) if each in there else 0,
                    rounds=len(there[each].rounds) if each in there else 0,
                    closed=each in there and there[each].closed,
                )
                for each, weight in now.events.items()
            ],
            listed=listed([*now.listed]),
            teams=[
                TeamRow(team=team, name=call.name(team), players=listed(players))
                for team, players in now.teams.items()
            ],
            last_event=call.hosted.told[-1].number,
            head=call.hosted.head,
        )

    def render(voice: Voice) -> Iterator[str]:
        yield f"{voice.mark('bold', now.name)}  {call.hosted.id}"
        yield from (f"  {line}" for line in rules_lines(voice, now.rules))
        found = data()
        if found.counting:
            head = [voice.say(f"season.head_{name}") for name in ("event", "id", "weight", "state")]
            rows = [
                (row.name or "–", row.tournament, f"× {row.weight}", event_state(voice, row))
                for row in found.counting
            ]
            yield from headed(voice, head, rows)
        if found.listed:
            yield voice.say("season.listed", count=len(found.listed))
            yield from columns((f"  {row.name}", row.club) for row in found.listed)
        for team in found.teams:
            yield "  " + voice.labelled(team.name, ", ".join(each.name for each in team.players))

    return answered(data, render)


def event_state(voice: Voice, row: SeasonEventRow) -> str:
    if row.name is None:
        return voice.say("season.event_missing")
    return voice.say("tournament.status_closed" if row.closed else "tournament.status_open")


def rules_lines(voice: Voice, rules: SeasonRules) -> Iterator[str]:
    """Everything that decides the season, in sentences."""
    if isinstance(rules.points, events.PlacePoints):
        places = " – ".join(map(str, rules.points.places))
        yield voice.say("season.rule_places", places=places, others=rules.points.others)
    else:
        yield voice.say("season.rule_points")
    if rules.counted is None:
        yield voice.say("season.rule_all_count")
    else:
        yield voice.say("season.rule_counted", count=rules.counted)
    yield voice.say(f"season.rule_for_{rules.points_for or 'everybody'}")
    if rules.listed_only:
        yield voice.say("season.rule_listed_only")
    yield voice.say(f"season.rule_rated_{rules.rated}")
    yield voice.say("season.rule_elo", start=rules.elo.start, k=rules.elo.k)
    yield voice.say("season.rule_published" if rules.published else "season.rule_not_published")


def rules_in_words(voice: Voice, rules: Mapping[str, Any]) -> list[str]:
    """The same, of rules as an answer tells them."""
    return [*rules_lines(fluent(voice), SeasonRules.model_validate_json(json.dumps(rules)))]


@operation("season-revise", "POST /seasons/{season}/rules", grant=ORGANISER)
def revise(
    caller: Caller, season: str, rules: SeasonRules, reason: Reason
) -> Answered[SeasonToldAnswer]:
    """Other rules: everything is computed anew by them. Where they do not say who gets points, it
    is as usual; a season of before this could be chosen keeps counting everybody."""
    call = SeasonCall(caller, season)
    if call.now.rules.points_for is not None:
        rules = _said_for_whom(rules)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("season.revised")
        yield from (f"  {line}" for line in rules_lines(voice, rules))

    event = events.SeasonRevised(rules=rules, reason=reason)
    return call.record(event, telling=render)


@operation("season-add", "POST /seasons/{season}/events", grant=ORGANISER)
def add_event(
    caller: Caller,
    season: str,
    tournament: EventId,
    *,
    weight: events.Weight = 1,
) -> Answered[SeasonToldAnswer]:
    """A tournament counts for the season; ``weight``: so many times."""
    call = SeasonCall(caller, season)
    hosted = caller.store_context.desk.load(caller.store_context.desk.find(tournament))
    event = events.EventAdded(tournament=hosted.id, weight=weight)
    return call.record(
        event,
        telling=lambda voice: [
            voice.say("season.event_added", event=hosted.now.name, name=call.now.name)
        ],
    )


@operation("season-remove", "POST /seasons/{season}/events/removal", grant=ORGANISER)
def remove_event(
    caller: Caller, season: str, tournament: EventId, reason: Reason
) -> Answered[SeasonToldAnswer]:
    """A tournament counts no more for the season."""
    call = SeasonCall(caller, season)
    full = tournament if tournament.startswith("tournament-") else f"tournament-{tournament}"
    found = [each for each in call.now.events if each.startswith(full)]
    event = events.EventRemoved(tournament=found[0] if len(found) == 1 else full, reason=reason)
    return call.record(
        event,
        telling=lambda voice: [voice.say("season.event_removed", name=call.now.name)],
    )


@operation("season-players-add", "POST /seasons/{season}/players", grant=ORGANISER)
def list_players(
    caller: Caller,
    season: str,
    names: Annotated[Sequence[NewName], Field(min_length=1, max_length=2000)],
    *,
    club: ClubName = "",
) -> Answered[SeasonToldAnswer]:
    """Players of the club's list, by name; a new name is a new person."""
    call = SeasonCall(caller, season)
    found = dict.fromkeys(call.person(name) for name in names)
    event = events.PlayersListed(
        players=tuple(events.Listed(player=each, club=club) for each in found)
    )
    return call.record(
        event,
        telling=lambda voice: [voice.say("season.players_listed", count=len(found))],
    )


@operation("season-players-remove", "POST /seasons/{season}/players/removal", grant=ORGANISER)
def unlist_player(
    caller: Caller, season: str, player: Name, reason: Reason
) -> Answered[SeasonToldAnswer]:
    """Take a player off the list of the season."""
    call = SeasonCall(caller, season)
    gone = call.player(player)
    return call.record(
        events.PlayerUnlisted(player=gone, reason=reason),
        telling=lambda voice: [voice.say("season.player_unlisted", name=call.name(gone))],
    )


@operation("season-team", "POST /seasons/{season}/teams", grant=ORGANISER)
def name_team(
    caller: Caller,
    season: str,
    team: Name,
    players: Annotated[Sequence[Name], Field(max_length=8)] = (),
) -> Answered[SeasonToldAnswer]:
    """Who plays for a team that takes part in events under a name of its own."""
    call = SeasonCall(caller, season)
    one = call.player(team)
    event = events.TeamNamed(team=one, players=tuple(call.person(each) for each in players))

    def render(voice: Voice) -> list[str]:
        names = [call.name(each) for each in event.players]
        key = "season.team_named" if names else "season.team_alone"
        return [voice.say(key, team=call.name(one), names=names)]

    return call.record(event, telling=render)


@operation("season-merge", "POST /seasons/{season}/players/merge", grant=ORGANISER)
def merge(
    caller: Caller, season: str, player: Name, merged: Name, reason: Reason
) -> Answered[SeasonToldAnswer]:
    """Two entries, perhaps of different events, are one person."""
    call = SeasonCall(caller, season)
    one, gone = call.player(player), call.player(merged)
    names = {"name": call.name(one), "other": call.name(gone)}
    return call.record(
        events.SeasonPlayersMerged(player=one, merged=gone, reason=reason),
        telling=lambda voice: [voice.say("season.merged", **names)],
    )


def no_such_format(format: str, formats: Sequence[str]) -> NotFound:
    return NotFound("no_such_format", format=format, formats=[*formats])
