"""The events of a season, as they are stored.

A season is a stream of its own. It names tournaments and says what they count; results are never
copied into it, so that a result corrected at a tournament's desk is corrected here.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from engines.kernel.rules.actions import PlainText
from referee.record.entries import Reason
from referee.tournament.events import Event, read_kind
from referee.tournament.values import EventValue, PlayerId, Title

TournamentId = Annotated[str, Field(pattern=r"^tournament-[a-z2-7]{1,20}$")]
Points = Annotated[int, Field(ge=0, le=100_000)]
Weight = Annotated[int, Field(ge=1, le=10)]

USUAL_PLACES = (25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)


class PlacePoints(EventValue):
    """Points for the place in the final standings of an event. Who is level gets the same."""

    kind: Literal["places"] = "places"
    places: tuple[Points, ...] = Field(default=USUAL_PLACES, min_length=1, max_length=256)
    others: Points = 1
    """For everybody further down who took part."""


class EventPoints(EventValue):
    """The points of the event itself, as its standings count them."""

    kind: Literal["points"] = "points"


class EloRules(EventValue):
    """Elo of tables of two: where everybody starts, and the most that a game can change."""

    start: int = Field(default=1500, ge=100, le=4000)
    k: int = Field(default=32, ge=1, le=200)


class SeasonRules(EventValue):
    """What the season counts, published with it."""

    points: Annotated[PlacePoints | EventPoints, Field(discriminator="kind")] = PlacePoints()
    counted: int | None = Field(default=None, ge=1, le=99)
    """How many results of a player count, the best ones; all, if nothing is said."""
    listed_only: bool = False
    """Whether only players of the season's list are ranked; the others still count as opponents."""
    points_for: Literal["seated", "everybody"] | None = Field(
        default=None, exclude_if=lambda told: told is None
    )
    """Who gets the points of an event: whoever sat at a table, or everybody in its standings. A
    season of before this could be chosen says nothing, and counts everybody."""
    published: bool = False
    """Whether everybody may read the season, whoever may read its events."""
    rated: Literal["all", "recorded"] = "all"
    """Which results change a rating: all of them, or those that a record of the game proves."""
    elo: EloRules = EloRules()


class SeasonEvent(Event):
    """Base of all events of a season: the organiser tells them."""


class SeasonCreated(SeasonEvent):
    KIND = "season_created"

    name: Title
    rules: SeasonRules


class SeasonRevised(SeasonEvent):
    KIND = "season_revised"

    rules: SeasonRules
    reason: Reason


class EventAdded(SeasonEvent):
    """A tournament counts; told again, it counts with another weight."""

    KIND = "season_event_added"

    tournament: TournamentId
    weight: Weight = 1


class EventRemoved(SeasonEvent):
    KIND = "season_event_removed"

    tournament: TournamentId
    reason: Reason


class Listed(EventValue):
    player: PlayerId
    club: PlainText = Field(default="", max_length=80)


class PlayersListed(SeasonEvent):
    """Players of the club's list; who is on it already has another club from now on."""

    KIND = "season_players_listed"

    players: tuple[Listed, ...] = Field(min_length=1, max_length=2000)


class PlayerUnlisted(SeasonEvent):
    KIND = "season_player_unlisted"

    player: PlayerId
    reason: Reason


class TeamNamed(SeasonEvent):
    """Who plays for a team: its results change their ratings. Nobody: it is one again."""

    KIND = "season_team_named"

    team: PlayerId
    players: tuple[PlayerId, ...] = Field(max_length=8)


class SeasonPlayersMerged(SeasonEvent):
    """Two entries, perhaps of different events, are one person."""

    KIND = "season_players_merged"

    player: PlayerId
    merged: PlayerId
    reason: Reason


KINDS: dict[str, type[SeasonEvent]] = {
    kind.KIND: kind
    for kind in (
        SeasonCreated, SeasonRevised, EventAdded, EventRemoved, PlayersListed, PlayerUnlisted,
        TeamNamed, SeasonPlayersMerged,
    )
}  # fmt: skip


def read_event(kind: str, schema: int, data: dict[str, Any]) -> SeasonEvent:
    """Parse an event from its stored data."""
    return read_kind(KINDS, kind, schema, data)
