"""The pages of seasons: the list, one season with standings and ratings, one player of it."""

from __future__ import annotations

from answers.season import tables
from answers.season.lifecycle import SeasonInfoAnswer
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page


@page("seasons", "/seasons")
def seasons(page_context: PageContext) -> Shown:
    rows = page_context.ask("season-list").data.seasons
    return Shown("seasons", page_context.voice.say("seasons.title"), seasons=rows)


@page("season", "/seasons/{season}", slow=True)
def season(page_context: PageContext) -> Shown:
    info: SeasonInfoAnswer = page_context.ask("season-info").data
    ranked: tables.SeasonStandingsAnswer = page_context.ask("season-standings").data
    may_edit = page_context.may("season-add")
    counting = {row.tournament for row in info.counting}
    tournaments = page_context.ask("tournament-list").data.tournaments if may_edit else []
    rated: tables.SeasonRatingsAnswer = page_context.ask("season-ratings").data
    head, rows = tables.standings_table(page_context.voice, ranked)
    return Shown(
        "season",
        info.name,
        info=info,
        columns=head,
        standings=list(zip(ranked.rows, rows, strict=True)),
        rated=rated,
        rated_table=tables.ratings_table(page_context.voice, rated.rows),
        may_edit=may_edit,
        to_add=[row for row in tournaments if row.tournament not in counting],
    )


@page("season-player", "/seasons/{season}/players/{player}", slow=True)
def player(page_context: PageContext) -> Shown:
    found: tables.SeasonPlayerAnswer = page_context.ask("season-player").data
    return Shown("season_player", found.name, player=found)
