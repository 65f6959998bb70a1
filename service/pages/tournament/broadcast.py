"""The broadcast of an event, the overlay of a stream, and a board for other sites' pages.

All of them show what a stranger may see, behind the delay of the event, whoever opens them: what
an organiser may see cannot get into a stream by accident.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from answers.answer import Data
from answers.tournament.bracket import BracketRound
from answers.tournament.broadcast import (
    BroadcastBoard,
    CommentRow,
    ScheduleRow,
    TournamentBroadcastAnswer,
)
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.table_common import TableView, sheet
from service.pages.tournament.common import (
    Hall,
    HallStandings,
    HallTable,
    bracket,
    hall,
    number_of,
    standings,
)

SIZES = ("720p", "1080p", "1440p", "2160p")
"""Of an overlay: the heights that streaming programs use."""
LATEST_COMMENTS = 50
_NOTHING: Mapping[str, int] = MappingProxyType({})


class PlayerLine(Data):
    seat: str
    player: str
    name: str
    rank: int | None
    points: str
    """In the event so far, as its first column counts."""
    score: int | None = None
    """In this game so far, where points are won in play."""


class BoardView(Data):
    table: int
    game: str
    version: int
    picture: str
    players: list[PlayerLine]
    last: str
    """What happened last, in a sentence."""
    result: str


class ArchivedGame(Data):
    round: int
    table: int
    game: str


class BroadcastPage(Hall):
    state: str
    delay: str
    boards: list[BoardView]
    standings: HallStandings
    bracket: list[BracketRound]
    schedule: list[ScheduleRow]
    comments: list[CommentRow]
    archive: list[ArchivedGame]
    overlay: str
    """The address for a streaming program."""


class OverlayPage(Hall):
    state: str
    size: str
    board: BoardView | None
    """None where the table is not recorded: then only its names are shown."""
    players: list[PlayerLine]
    table: int | None
    result: str


class EmbedPage(TableView):
    latest: str
    place: str
    """The whole game, on this site."""


@page("broadcast", "/tournaments/{tournament}/broadcast", public=True)
def broadcast(page_context: PageContext) -> Shown:
    number = number_of(page_context.query.get("round", ""))
    shown, found = hall(page_context, number), _broadcast(page_context, number)
    ranked, section = standings(page_context), page_context.query.get("section")
    tables = {table.table: table for table in shown.round.tables} if shown.round else {}
    it = BroadcastPage(
        **dict(shown),
        state=found.state,
        delay=_delay(page_context, found),
        boards=[_board(page_context, each, tables[each.table], ranked) for each in found.boards],
        standings=standings(page_context, section) if section else ranked,
        bracket=bracket(page_context),
        schedule=found.schedule,
        comments=found.comments[:LATEST_COMMENTS],
        archive=[
            ArchivedGame(round=each.round, table=each.table, game=each.game)
            for each in found.archive
        ],
        overlay=f"{page_context.address}/tournaments/{found.tournament}/overlay",
    )
    return Shown("broadcast", shown.name, it)


def _broadcast(page_context: PageContext, number: int | None) -> TournamentBroadcastAnswer:
    asked = {"round": number}
    answer: TournamentBroadcastAnswer = page_context.ask("tournament-broadcast", **asked).data
    return answer


def _delay(page_context: PageContext, found: TournamentBroadcastAnswer) -> str:
    if not (found.delay_entries or found.delay_seconds):
        return ""
    return page_context.voice.say(
        "watch.delay", entries=found.delay_entries, seconds=found.delay_seconds
    )


def _players(
    table: HallTable, ranked: HallStandings, scored: Mapping[str, int] = _NOTHING
) -> list[PlayerLine]:
    rows = {row.player: row for row in ranked.rows}
    return [
        PlayerLine(
            seat=each.seat,
            player=each.player,
            name=each.name,
            rank=rows[each.player].rank if each.player in rows else None,
            points=rows[each.player].values[0] if each.player in rows and ranked.columns else "",
            score=scored.get(each.seat),
        )
        for each in table.seats
    ]


def _board(
    page_context: PageContext, board: BroadcastBoard, table: HallTable, ranked: HallStandings
) -> BoardView:
    asked = {"shape": page_context.shape, "names": True, "photo": True}
    return BoardView(
        table=board.table,
        game=board.game,
        version=board.version,
        picture=page_context.file("picture", **asked, game=board.game).decode(),
        players=_players(table, ranked, _scored(page_context, board.game)),
        last=_last_move(page_context, board.game),
        result=table.result,
    )


def _scored(page_context: PageContext, game: str) -> Mapping[str, int]:
    """Nothing as long as nobody has won a point: some games are counted at their end alone."""
    rows = page_context.ask("scores", game=game).data.scores
    points: Mapping[str, int] = rows[-1].points if rows else _NOTHING
    return points if any(points.values()) else _NOTHING


def _last_move(page_context: PageContext, game: str) -> str:
    moves = page_context.ask("moves", game=game).data.moves
    return moves[-1].told if moves else ""


@page("overlay", "/tournaments/{tournament}/overlay", public=True)
def overlay(page_context: PageContext) -> Shown:
    """Transparent, to lie over a camera: names, points, clock and last move of one table."""
    number = number_of(page_context.query.get("round", ""))
    shown, found = hall(page_context, number), _broadcast(page_context, number)
    wanted = number_of(page_context.query.get("table", ""))
    tables = {table.table: table for table in shown.round.tables} if shown.round else {}
    first = found.boards[0].table if found.boards else next(iter(tables), None)
    at = wanted if wanted in tables else first
    ranked = standings(page_context)
    recorded = next((each for each in found.boards if each.table == at), None)
    table = tables.get(at) if at is not None else None
    board = _board(page_context, recorded, table, ranked) if recorded and table else None
    size = page_context.query.get("size", "")
    it = OverlayPage(
        **dict(shown),
        state=found.state,
        size=size if size in SIZES else "1080p",
        board=board,
        players=board.players if board else _players(table, ranked) if table else [],
        table=at,
        result=table.result if table else "",
    )
    return Shown("overlay", shown.name, it)


@page("embed", "/games/{game}/embed", public=True, framed=True)
def embed(page_context: PageContext) -> Shown:
    """One board, for a page of another site: as it is now, or one moment of it."""
    shown = sheet(page_context)
    told = [move for move in shown.moves if move.status == "counts"]
    if shown.at is not None:
        told = [move for move in told if move.number == shown.at]
    page = "watch" if shown.at is None else f"study?at={shown.at}"
    it = EmbedPage(
        **dict(shown),
        latest=told[-1].told if told else "",
        place=f"{page_context.address}/games/{shown.game}/{page}",
    )
    return Shown("embed", f"{shown.name} {shown.title}".strip(), it)
