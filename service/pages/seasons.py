"""The pages of seasons: the list, one season with standings and ratings, one player of it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from answers.answer import Data
from answers.season.lifecycle import SeasonInfoAnswer, SeasonRow, rules_in_words
from answers.season.tables import (
    SeasonPlayerAnswer,
    SeasonRatingsAnswer,
    SeasonStandingsAnswer,
    change_line,
    result_line,
    skill_cells,
    standings_table,
)
from answers.tournament.i18n import figure
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page


class SeasonsPage(Data):
    seasons: list[SeasonRow]
    may_create: bool


class StandingsLine(Data):
    player: str
    club: str
    cells: list[str]
    """Rank, name, total, and what each event counted; in brackets what does not."""


class RatingLine(Data):
    rank: int
    player: str
    name: str
    rating: str
    """mu ± sigma."""
    elo: str
    games: int


class CountingEvent(Data):
    tournament: str
    name: str | None
    weight: int
    closed: bool


class NamedPlayer(Data):
    player: str
    name: str
    club: str


class SeasonPage(Data):
    season: str
    name: str
    version: int
    rules: list[str]
    published: dict[str, Any]
    """The rules as a form shows them."""
    events: list[CountingEvent]
    columns: list[str]
    standings: list[StandingsLine]
    games: int
    ratings: list[RatingLine]
    listed: list[NamedPlayer]
    may_edit: bool
    to_add: dict[str, str]
    """Tournaments that do not count yet, by name; empty for who may add none."""


class SeasonPlayerPage(Data):
    season: str
    season_name: str
    player: str
    name: str
    club: str
    standing: str
    results: list[str]
    rating: str
    elo: str
    games: int
    changes: list[str]
    """Every game, the last one first: before, after and why."""


@page("seasons", "/seasons")
def seasons(page_context: PageContext) -> Shown:
    found = page_context.ask("season-list").data.seasons
    it = SeasonsPage(seasons=found, may_create=page_context.may("season-new"))
    return Shown("seasons", page_context.voice.say("seasons.title"), it)


@page("season", "/seasons/{season}", slow=True)
def season(page_context: PageContext) -> Shown:
    voice = page_context.voice
    info: SeasonInfoAnswer = page_context.ask("season-info").data
    ranked: SeasonStandingsAnswer = page_context.ask("season-standings").data
    rated: SeasonRatingsAnswer = page_context.ask("season-ratings").data
    may_edit = page_context.may("season-add")
    counting = {row.tournament for row in info.counting}
    tournaments = page_context.ask("tournament-list").data.tournaments if may_edit else []
    head, rows = standings_table(voice, ranked)
    it = SeasonPage(
        season=info.season,
        name=info.name,
        version=info.last_event,
        rules=rules_in_words(voice, info.rules),
        published=info.rules,
        events=[
            CountingEvent(
                tournament=row.tournament, name=row.name, weight=row.weight, closed=row.closed
            )
            for row in info.counting
        ],
        columns=head,
        standings=[
            StandingsLine(player=row.player, club=row.club, cells=[*cells])
            for row, cells in zip(ranked.rows, rows, strict=True)
        ],
        games=rated.games,
        ratings=[
            RatingLine(
                rank=row.rank,
                player=row.player,
                name=row.name,
                rating=rating,
                elo=elo,
                games=row.skill.games,
            )
            for row in rated.rows
            for rating, elo in [skill_cells(voice, row.skill)]
        ],
        listed=[
            NamedPlayer(player=row.player, name=row.name, club=row.club) for row in info.listed
        ],
        may_edit=may_edit,
        to_add={row.tournament: row.name for row in tournaments if row.tournament not in counting},
    )
    return Shown("season", info.name, it)


@page("season-player", "/seasons/{season}/players/{player}", slow=True)
def player(page_context: PageContext) -> Shown:
    voice = page_context.voice
    found: SeasonPlayerAnswer = page_context.ask("season-player").data
    rating, elo = skill_cells(voice, found.skill) if found.skill is not None else ("–", "–")
    standing = ""
    if found.rank is not None and found.total is not None:
        points = figure(voice, Fraction(*found.total))
        standing = voice.say("season.stands", rank=found.rank, points=points)
    it = SeasonPlayerPage(
        season=found.season,
        season_name=found.season_name,
        player=found.player,
        name=found.name,
        club=found.club,
        standing=standing,
        results=[result_line(voice, result) for result in found.results],
        rating=rating,
        elo=elo,
        games=found.skill.games if found.skill is not None else 0,
        changes=[change_line(voice, change) for change in found.changes],
    )
    return Shown("season_player", found.name, it)
