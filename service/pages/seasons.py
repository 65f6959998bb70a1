"""The pages of seasons: the list, the tabs of one season, one player of it."""

from __future__ import annotations

from types import SimpleNamespace

from answers.season import tables
from answers.season.lifecycle import SeasonInfoAnswer
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page

TABS = ("table", "ratings", "events", "people", "rules")


@page("seasons", "/seasons")
def seasons(page_context: PageContext) -> Shown:
    rows = page_context.ask("season-list").data.seasons
    return Shown("seasons", page_context.voice.say("seasons.title"), seasons=rows)


def _season(page_context: PageContext, tab: str) -> SimpleNamespace:
    """A season with its tabs."""
    info: SeasonInfoAnswer = page_context.ask("season-info").data
    place, may_edit = f"/seasons/{info.season}", page_context.may("season-add")
    tabs = {name: place if name == "table" else f"{place}/{name}" for name in TABS}
    if not info.listed and not may_edit:
        del tabs["people"]
    return SimpleNamespace(info=info, tab=tab, tabs=tabs, may_edit=may_edit)


@page("season", "/seasons/{season}", slow=True)
def season(page_context: PageContext) -> Shown:
    shown = _season(page_context, "table")
    ranked: tables.SeasonStandingsAnswer = page_context.ask("season-standings").data
    head, rows = tables.standings_table(page_context.voice, ranked)
    standings = list(zip(ranked.rows, rows, strict=True))
    rated = _rated(page_context, most=10)
    table = {"columns": head, "standings": standings, "rated": rated}
    return Shown("season", shown.info.name, **vars(shown), **table)


def _rated(page_context: PageContext, most: int | None = None) -> SimpleNamespace:
    """Ratings under their heads; beside another table only those of the first and of whoever
    looks, in brief."""
    found: tables.SeasonRatingsAnswer = page_context.ask("season-ratings").data
    own = page_context.principal.person
    shown = [row for row in found.rows if not most or row.rank <= most or row.player == own]
    heads, cells = tables.ratings_table(page_context.voice, shown, brief=most is not None)
    widest = round(max((row.skill.mu + 2 * row.skill.sigma for row in found.rows), default=0), 1)
    rows = list(zip(shown, cells, strict=True))
    return SimpleNamespace(games=found.games, heads=heads, rows=rows, widest=widest)


@page("season-ratings", "/seasons/{season}/ratings", slow=True)
def ratings(page_context: PageContext) -> Shown:
    shown = _season(page_context, "ratings")
    rated = _rated(page_context)
    return Shown("season_ratings", shown.info.name, **vars(shown), rated=rated)


@page("season-events", "/seasons/{season}/events")
def events(page_context: PageContext) -> Shown:
    shown = _season(page_context, "events")
    counting = {row.tournament for row in shown.info.counting}
    listed = page_context.ask("tournament-list").data.tournaments if shown.may_edit else []
    to_add = [row for row in listed if row.tournament not in counting]
    return Shown("season_events", shown.info.name, **vars(shown), to_add=to_add)


@page("season-people", "/seasons/{season}/people")
def people(page_context: PageContext) -> Shown:
    shown = _season(page_context, "people")
    return Shown("season_people", shown.info.name, **vars(shown))


@page("season-rules", "/seasons/{season}/rules")
def rules(page_context: PageContext) -> Shown:
    shown = _season(page_context, "rules")
    return Shown("season_rules", shown.info.name, **vars(shown))


@page("season-player", "/seasons/{season}/players/{player}", slow=True)
def player(page_context: PageContext) -> Shown:
    found: tables.SeasonPlayerAnswer = page_context.ask("season-player").data
    return Shown("season_player", found.name, player=found)
