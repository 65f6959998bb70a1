"""The archive: what was played, by whom, in which tournament; what was noted, ruled, counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args
from urllib.parse import urlencode

from answers.game_filter import Dispute, Outcome
from answers.judge.precedents import RulingAnswer
from answers.play.info import GameRow
from answers.review import stats
from answers.review.import_export import game_formats
from answers.review.players import PlayerAnswer
from answers.review.stats import StatsAnswer
from answers.rulebooks.games import game_name, reading_told
from answers.rulebooks.rules import EngineRow, ReadingAnswer
from service.pages.home import A_PAGE, PlacedRow, pages_of
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.problems import HttpRefusal

LONGEST = 80
"""What is typed into a filter; names and ids are shorter."""


_FIELDS = (
    "engine", "player", "played", "tournament", "words", "since", "until",
    "box", "reading", "clause", "dispute", "result", "won_by",
)  # fmt: skip


FOR_PROGRAMS = frozenset(("playthrough", "svg", "card_svg"))
"""Formats of many games at once that no person opens."""
COUNTED_AT_ONCE = 60
"""So many games are read in about a second."""


@page("archive", "/archive", slow=True)
def archive(page_context: PageContext) -> Shown:
    _only(page_context, *_FIELDS, "players", "start")
    said = {name: typed(page_context, name) for name in _FIELDS}
    said |= {name: said[name][:30] for name in ("since", "until")}
    players = page_context.number("players") or 0
    start = page_context.number("start") or 0
    may_clause = page_context.may("export-chosen")  # whoever sees whole games
    asked = _asked(said, players if 1 <= players <= 8 else 0, may_clause=may_clause)
    found = page_context.ask("games", **asked, start=start, most=A_PAGE).data
    engines = page_context.ask("engine-list").data.engines
    return Shown(
        "archive",
        page_context.voice.say("archive.title"),
        games=_studied(found.games),
        pages=pages_of(found.total, start, len(found.games)),
        **said,
        players=players,
        asked=_query(asked),
        readings=_readings(page_context, said["engine"], engines),
        formats=[one for one in game_formats(whole=True, closed=True) if one not in FOR_PROGRAMS]
        if may_clause
        else [],
        may_clause=may_clause,
        moves=_searched(page_context, "move-search", said["words"]),
        notes=_searched(page_context, "note-search", said["words"]),
        rulings=page_context.ask("ruling-list", search=said["words"]).data
        if said["words"] and page_context.may("ruling-list")
        else None,
        engines=engines,
        tournaments=page_context.ask("tournament-list").data.tournaments,
        people=page_context.ask("people-list").data.people
        if page_context.may("people-list")
        else [],
    )


def _asked(said: dict[str, str], players: int, *, may_clause: bool) -> dict[str, Any]:
    """The filters as the operation has them; what is nonsense in an address is not asked."""
    plain = ("engine", "player", "tournament", "since", "until", "box", "won_by")
    asked: dict[str, Any] = {name: said[name] for name in plain}
    asked |= {
        "closed": {"open": False, "closed": True}.get(said["played"]),
        "search": said["words"],
        "players": players,
        "reading": said["reading"] if "=" in said["reading"] else "",
        "clause": said["clause"][:40] if may_clause else "",
        "dispute": said["dispute"] if said["dispute"] in get_args(Dispute) else "",
        "result": said["result"] if said["result"] in get_args(Outcome) else "",
    }
    return {name: value for name, value in asked.items() if value or value is False}


def _query(asked: dict[str, Any]) -> dict[str, str]:
    """The filters that are set, as an address has them."""
    return {
        name: str(value).lower() if value in (True, False) else str(value)
        for name, value in asked.items()
        if value or value is False
    }


def _readings(page_context: PageContext, engine: str, engines: list[EngineRow]) -> dict[str, str]:
    if engine not in {one.engine for one in engines}:
        return {}
    found: list[ReadingAnswer] = page_context.ask("readings", engine=engine).data.readings
    return {
        f"{one.id}={value}": reading_told(page_context.voice, engine, one.id, value)
        for one in found
        for value in one.values
    }


@page("archive-tournaments", "/archive/tournaments")
def tournaments(page_context: PageContext) -> Shown:
    return Shown(
        "tournaments",
        page_context.voice.say("archive.tournaments"),
        tournaments=page_context.ask("tournament-list").data.tournaments,
    )


@page("archive-players", "/archive/players")
def players(page_context: PageContext) -> Shown:
    return Shown(
        "players",
        page_context.voice.say("archive.players"),
        people=page_context.ask("people-list").data.people,
    )


@page("archive-player", "/archive/players/{person}")
def player(page_context: PageContext) -> Shown:
    found: PlayerAnswer = page_context.ask("player").data
    games = _studied(found.games[:A_PAGE])
    return Shown("player", found.name, found=found, games=games)


@page("rulings", "/rulings")
def rulings(page_context: PageContext) -> Shown:
    _only(page_context, "search", "engine", "clause", "start")
    search, engine, clause = (typed(page_context, name) for name in ("search", "engine", "clause"))
    start = page_context.number("start") or 0
    wanted = {"game": engine or None, "clause": clause[:40].upper() or None, "search": search}
    found = page_context.ask("ruling-list", **wanted).data.rulings
    some = found[start : start + A_PAGE]
    return Shown(
        "rulings",
        page_context.voice.say("archive.rulings"),
        rulings=some,
        pages=pages_of(len(found), start, len(some)),
        search=search,
        engine=engine,
        clause=clause,
        asked=_query(wanted),
        engines=page_context.ask("engine-list").data.engines,
    )


_STATISTICS_FIELDS = (
    "engine", "player", "tournament", "since", "until", "variant", "box", "reading",
)  # fmt: skip


@page("ruling", "/games/{game}/rulings/{ruling}")
def ruling(page_context: PageContext) -> Shown:
    found: RulingAnswer = page_context.ask("ruling-show").data
    say = page_context.voice.say
    title = f"{say('ruling_page.title')} {found.reference.partition('/')[2]}"
    return Shown("ruling", f"{title} · {game_name(page_context.voice, found.game)}", ruling=found)


@page("statistics", "/statistics", slow=True)
def counted(page_context: PageContext) -> Shown:
    """The first look reads every game: a page that says how far it is comes before the figures."""
    _only(page_context, *_STATISTICS_FIELDS, "players", "now")
    title = page_context.voice.say("archive.statistics")
    if "now" not in page_context.query and page_context.may("stats"):
        left = stats.uncounted(page_context.access_control.store_context)
        if left > COUNTED_AT_ONCE:
            return Shown("counting", title, then=urlencode({**page_context.query, "now": "yes"}))
    chosen = {name: typed(page_context, name) for name in _STATISTICS_FIELDS}
    chosen |= {name: chosen[name][:30] for name in ("since", "until")}
    players = page_context.number("players") or 0
    wanted: dict[str, Any] = {
        **{name: said or None for name, said in chosen.items()},
        "players": players if 1 <= players <= 8 else None,
        "names": True,
    }
    found: StatsAnswer = page_context.ask("stats", **wanted).data
    return Shown(
        "statistics",
        title,
        counted=found,
        tables=[table for table in stats.tables(page_context.voice, found) if table.rows],
        charts=stats.charts_by_table(page_context.voice, found),
        **chosen,
        players=players,
        asked=_query(wanted),
        engines=page_context.ask("engine-list").data.engines,
        tournaments=page_context.ask("tournament-list").data.tournaments,
    )


def _only(page_context: PageContext, *names: str) -> None:
    """A filter of another name is refused: without it the answer would be about other games."""
    for name in page_context.query:
        if name not in names:
            raise HttpRefusal("misused", "no_such_filter", name=name[:LONGEST])


def typed(page_context: PageContext, name: str) -> str:
    """What was typed into a field of a form."""
    return page_context.query.get(name, "").strip()[:LONGEST]


def _studied(rows: Sequence[GameRow]) -> list[PlacedRow]:
    """What is found in the archive is read again, not kept."""
    return [(row, f"/games/{row.game}/study") for row in rows]


def _searched(page_context: PageContext, operation: str, words: str) -> Any:
    """What was found; None for who may not search it, and where nothing is searched."""
    if not words or not page_context.may(operation):
        return None
    return page_context.ask(operation, words=words).data
