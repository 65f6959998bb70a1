"""The archive: what was played, by whom, in which tournament; what was noted, ruled, counted."""

from __future__ import annotations

from typing import Any, get_args

from answers.admin.people import PersonRow
from answers.answer import Data
from answers.game_filter import Dispute, Outcome
from answers.judge.precedents import RulingAnswer
from answers.review import stats
from answers.review.import_export import game_formats
from answers.review.move_search import FoundMove
from answers.review.notes import FoundNote
from answers.review.players import MetCount, PlayerAnswer
from answers.review.stats import StatsAnswer
from answers.rulebooks.games import game_name, reading_told
from answers.rulebooks.rules import EngineRow, ReadingAnswer
from answers.tournament.lifecycle import TournamentRow
from service.pages.home import A_PAGE, Pages, TableRow, number_in, pages_of, table_row
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page

LONGEST = 80
"""What is typed into a filter; names and ids are shorter."""


class ArchivePage(Data):
    games: list[TableRow]
    pages: Pages
    engine: str
    player: str
    played: str
    """``open``, ``closed`` or all of them."""
    tournament: str
    since: str
    until: str
    words: str
    players: int
    """0 for any number."""
    box: str
    reading: str
    clause: str
    dispute: str
    result: str
    won_by: str
    asked: dict[str, str]
    """The filters that are set, as an address has them."""
    readings: dict[str, str]
    """Of the chosen game, in words by ``name=value``."""
    formats: list[str]
    """Of a download of all that is found; none for who may not."""
    may_clause: bool
    moves: list[FoundMove] | None
    notes: list[FoundNote] | None
    """None for who may not search them, and where nothing is searched."""
    rulings: list[RulingAnswer] | None
    engines: list[EngineRow]
    tournaments: list[TournamentRow]
    people: list[str]
    """Names to choose from, for who may list them."""


class TournamentsPage(Data):
    tournaments: list[TournamentRow]


class PlayersPage(Data):
    people: list[PersonRow]


class PlayedRow(Data):
    name: str
    games: int
    won: int


class PlayerPage(Data):
    name: str
    played: list[PlayedRow]
    met: list[MetCount]
    games: list[TableRow]
    """The latest."""
    total: int


class RulingsPage(Data):
    rulings: list[RulingAnswer]
    pages: Pages
    search: str
    engine: str
    clause: str
    engines: list[EngineRow]


class RulingPage(Data):
    """One ruling at an address of its own."""

    ruling: RulingAnswer
    status: str
    """Whether it holds, and on whose authority."""


class StatisticsTable(Data):
    title: str
    charts: list[str]
    head: list[str]
    rows: list[list[str]]


class StatisticsPage(Data):
    counted: StatsAnswer
    tables: list[StatisticsTable]
    engine: str
    player: str
    tournament: str
    since: str
    until: str
    players: int
    variant: str
    box: str
    reading: str
    engines: list[EngineRow]
    tournaments: list[TournamentRow]


_FIELDS = (
    "engine", "player", "played", "tournament", "words", "since", "until",
    "box", "reading", "clause", "dispute", "result", "won_by",
)  # fmt: skip


@page("archive", "/archive", slow=True)
def archive(page_context: PageContext) -> Shown:
    said = {name: typed(page_context, name) for name in _FIELDS}
    said |= {name: said[name][:30] for name in ("since", "until")}
    players = number_in(page_context.query.get("players", "0"))
    start = number_in(page_context.query.get("start", "0"))
    may_clause = page_context.may("export-chosen")  # whoever sees whole games
    asked = _asked(said, players if 1 <= players <= 8 else 0, may_clause=may_clause)
    found = page_context.ask("games", **asked, start=start, most=A_PAGE).data
    engines = _engines(page_context)
    shown = ArchivePage(
        games=[_studied(table_row(page_context, row)) for row in found.games],
        pages=pages_of(found.total, start, len(found.games)),
        **said,
        players=players,
        asked={
            name: str(value).lower() if value in (True, False) else str(value)
            for name, value in asked.items()
        },
        readings=_readings(page_context, said["engine"], engines),
        formats=game_formats(whole=True, closed=True) if may_clause else [],
        may_clause=may_clause,
        moves=_moves(page_context, said["words"]),
        notes=_notes(page_context, said["words"]),
        rulings=_rulings(page_context, said["words"]),
        engines=engines,
        tournaments=_tournaments(page_context),
        people=[row.name for row in _people(page_context)]
        if page_context.may("people-list")
        else [],
    )
    return Shown("archive", page_context.voice.say("archive.title"), shown)


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
    shown = TournamentsPage(tournaments=_tournaments(page_context))
    return Shown("tournaments", page_context.voice.say("archive.tournaments"), shown)


@page("archive-players", "/archive/players")
def players(page_context: PageContext) -> Shown:
    return Shown(
        "players",
        page_context.voice.say("archive.players"),
        PlayersPage(people=_people(page_context)),
    )


@page("archive-player", "/archive/players/{person}")
def player(page_context: PageContext) -> Shown:
    found: PlayerAnswer = page_context.ask("player").data
    shown = PlayerPage(
        name=found.name,
        played=[
            PlayedRow(name=game_name(page_context.voice, one.engine), games=one.games, won=one.won)
            for one in found.played
        ],
        met=found.met,
        games=[_studied(table_row(page_context, row)) for row in found.games[:A_PAGE]],
        total=len(found.games),
    )
    return Shown("player", found.name, shown)


@page("rulings", "/rulings")
def rulings(page_context: PageContext) -> Shown:
    search, engine, clause = (typed(page_context, name) for name in ("search", "engine", "clause"))
    start = number_in(page_context.query.get("start", "0"))
    wanted = {"game": engine or None, "clause": clause[:40].upper() or None, "search": search}
    found = page_context.ask("ruling-list", **wanted).data.rulings
    some = found[start : start + A_PAGE]
    shown = RulingsPage(
        rulings=some,
        pages=pages_of(len(found), start, len(some)),
        search=search,
        engine=engine,
        clause=clause,
        engines=_engines(page_context),
    )
    return Shown("rulings", page_context.voice.say("archive.rulings"), shown)


_STATISTICS_FIELDS = (
    "engine", "player", "tournament", "since", "until", "variant", "box", "reading",
)  # fmt: skip


@page("ruling", "/games/{game}/rulings/{ruling}")
def ruling(page_context: PageContext) -> Shown:
    found: RulingAnswer = page_context.ask("ruling-show").data
    say = page_context.voice.say
    by = found.authority or say("ruling_page.table")
    status = (
        say("ruling_page.overturned", by=found.overturned_by)
        if found.overturned_by
        else say("ruling_page.in_force", by=by)
    )
    title = f"{say('ruling_page.title')} {found.reference.partition('/')[2]}"
    shown = RulingPage(ruling=found, status=status)
    return Shown("ruling", f"{title} · {game_name(page_context.voice, found.game)}", shown)


@page("statistics", "/statistics", slow=True)
def counted(page_context: PageContext) -> Shown:
    chosen = {
        name: typed(page_context, name)
        for name in (
            "engine",
            "player",
            "tournament",
            "since",
            "until",
            "variant",
            "box",
            "reading",
        )
    }
    chosen |= {name: chosen[name][:30] for name in ("since", "until")}
    players = number_in(page_context.query.get("players", "0"))
    found: StatsAnswer = page_context.ask(
        "stats",
        **{name: said or None for name, said in chosen.items()},
        players=players if 1 <= players <= 8 else None,
        names=True,
    ).data
    charts = stats.charts_by_table(page_context.voice, found)
    shown = StatisticsPage(
        counted=found,
        tables=[
            StatisticsTable(
                title=table.title,
                charts=charts.get(table.title, []),
                head=[*table.head],
                rows=[[*row] for row in table.rows],
            )
            for table in stats.tables(page_context.voice, found)
            if table.rows
        ],
        **chosen,
        players=players,
        engines=_engines(page_context),
        tournaments=_tournaments(page_context),
    )
    return Shown("statistics", page_context.voice.say("archive.statistics"), shown)


def typed(page_context: PageContext, name: str) -> str:
    """What was typed into a field of a form."""
    return page_context.query.get(name, "").strip()[:LONGEST]


def _studied(row: TableRow) -> TableRow:
    """What is found in the archive is read again, not kept."""
    return row.model_copy(update={"place": f"/games/{row.game}/study"})


def _moves(page_context: PageContext, words: str) -> list[FoundMove] | None:
    if not words or not page_context.may("move-search"):
        return None
    found: list[FoundMove] = page_context.ask("move-search", words=words).data.moves
    return found


def _notes(page_context: PageContext, words: str) -> list[FoundNote] | None:
    if not words or not page_context.may("note-search"):
        return None
    found: list[FoundNote] = page_context.ask("note-search", words=words).data.notes
    return found


def _rulings(page_context: PageContext, words: str) -> list[RulingAnswer] | None:
    if not words or not page_context.may("ruling-list"):
        return None
    found: list[RulingAnswer] = page_context.ask("ruling-list", search=words).data.rulings
    return found


def _engines(page_context: PageContext) -> list[EngineRow]:
    found: list[EngineRow] = page_context.ask("engine-list").data.engines
    return found


def _tournaments(page_context: PageContext) -> list[TournamentRow]:
    found: list[TournamentRow] = page_context.ask("tournament-list").data.tournaments
    return found


def _people(page_context: PageContext) -> list[PersonRow]:
    found: list[PersonRow] = page_context.ask("people-list").data.people
    return found
