"""The archive: what was played, by whom, in which tournament; what was noted, ruled, counted."""

from __future__ import annotations

from answers.admin.people import PersonRow
from answers.answer import Data
from answers.judge.precedents import RulingAnswer
from answers.requests.judge import RulingsRequest
from answers.requests.play import GamesRequest
from answers.requests.review import SearchRequest, StatsRequest
from answers.review import stats
from answers.review.move_search import FoundMove
from answers.review.notes import FoundNote
from answers.review.players import MetCount, PlayerAnswer
from answers.review.stats import StatsAnswer
from answers.rulebooks.games import game_name
from answers.rulebooks.rules import EngineRow
from answers.tournament.lifecycle import TournamentRow
from service.pages.home import A_PAGE, TableRow, number_in, table_row
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page

LONGEST = 80
"""What is typed into a filter; names and ids are shorter."""


class Pages(Data):
    """A part of a list, and where its neighbours begin."""

    total: int
    start: int
    previous_start: int | None
    next_start: int | None


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


class StatisticsTable(Data):
    title: str
    head: list[str]
    rows: list[list[str]]


class StatisticsPage(Data):
    counted: StatsAnswer
    picture: str
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


@page("archive", "/archive", slow=True)
def archive(page_context: PageContext) -> Shown:
    engine, player, played, tournament, words = (
        typed(page_context, name) for name in ("engine", "player", "played", "tournament", "words")
    )
    since, until = (typed(page_context, name)[:30] for name in ("since", "until"))
    start = number_in(page_context.query.get("start", "0"))
    wanted = GamesRequest(
        closed={"open": False, "closed": True}.get(played),
        engine=engine or None,
        player=player or None,
        tournament=tournament or None,
        since=since or None,
        until=until or None,
        search=words,
        start=start,
        most=A_PAGE,
    )
    found = page_context.ask("games", wanted).data
    shown = ArchivePage(
        games=[_studied(table_row(page_context, row)) for row in found.games],
        pages=_pages(found.total, start, len(found.games)),
        engine=engine,
        player=player,
        played=played,
        tournament=tournament,
        since=since,
        until=until,
        words=words,
        moves=_moves(page_context, words),
        notes=_notes(page_context, words),
        rulings=_rulings(page_context, words),
        engines=_engines(page_context),
        tournaments=_tournaments(page_context),
        people=[row.name for row in _people(page_context)]
        if page_context.may("people-list")
        else [],
    )
    return Shown("archive", page_context.voice.say("archive.title"), shown)


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
    wanted = RulingsRequest(game=engine or None, clause=clause[:40].upper() or None, search=search)
    found = page_context.ask("ruling-list", wanted).data.rulings
    some = found[start : start + A_PAGE]
    shown = RulingsPage(
        rulings=some,
        pages=_pages(len(found), start, len(some)),
        search=search,
        engine=engine,
        clause=clause,
        engines=_engines(page_context),
    )
    return Shown("rulings", page_context.voice.say("archive.rulings"), shown)


_STATISTICS_FIELDS = (
    "engine", "player", "tournament", "since", "until", "variant", "box", "reading",
)  # fmt: skip


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
    wanted = StatsRequest(
        **{name: said or None for name, said in chosen.items()},
        players=players if 1 <= players <= 8 else None,
        names=True,
    )
    found: StatsAnswer = page_context.ask("stats", wanted).data
    shown = StatisticsPage(
        counted=found,
        picture=page_context.file("stats-picture", wanted).decode(),
        tables=[
            StatisticsTable(
                title=table.title, head=[*table.head], rows=[[*row] for row in table.rows]
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


def _pages(total: int, start: int, shown: int) -> Pages:
    reached = start + shown
    return Pages(
        total=total,
        start=start,
        previous_start=max(0, start - A_PAGE) if start else None,
        next_start=reached if shown and reached < total else None,
    )


def _moves(page_context: PageContext, words: str) -> list[FoundMove] | None:
    if not words or not page_context.may("move-search"):
        return None
    found: list[FoundMove] = page_context.ask("move-search", SearchRequest(words=words)).data.moves
    return found


def _notes(page_context: PageContext, words: str) -> list[FoundNote] | None:
    if not words or not page_context.may("note-search"):
        return None
    found: list[FoundNote] = page_context.ask("note-search", SearchRequest(words=words)).data.notes
    return found


def _rulings(page_context: PageContext, words: str) -> list[RulingAnswer] | None:
    if not words or not page_context.may("ruling-list"):
        return None
    found: list[RulingAnswer] = page_context.ask(
        "ruling-list", RulingsRequest(search=words)
    ).data.rulings
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
