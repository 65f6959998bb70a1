"""Requests of a season."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from answers.requests.base import Params
from answers.requests.tournament import Name, Names
from referee.season.events import SeasonRules, Weight

Tournament = Annotated[str, Field(min_length=1, max_length=80)]
WhyText = Annotated[str, Field(min_length=1, max_length=2000)]


class CreateSeasonRequest(Params):
    name: Name
    rules: SeasonRules = SeasonRules()


class SeasonListRequest(Params):
    current: Annotated[str | None, Field(max_length=80)] = None
    """The season that is marked in what is told."""


class ReviseSeasonRequest(Params):
    rules: SeasonRules
    reason: WhyText


class AddEventRequest(Params):
    tournament: Tournament
    weight: Weight = 1


class RemoveEventRequest(Params):
    tournament: Tournament
    reason: WhyText


class ListPlayersRequest(Params):
    names: Annotated[Names, Field(min_length=1)]
    club: Annotated[str, Field(max_length=80)] = ""


class UnlistPlayerRequest(Params):
    player: Name
    reason: WhyText


class TeamRequest(Params):
    team: Name
    players: Annotated[list[Name], Field(max_length=8)] = []


class MergeSeasonPlayersRequest(Params):
    player: Name
    merged: Name
    reason: WhyText
