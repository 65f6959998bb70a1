"""The broadcast of an event, the overlay of a stream, and a board for other sites' pages.

All of them show what a stranger may see, behind the delay of the event, whoever opens them: what
an organiser may see cannot get into a stream by accident.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType, SimpleNamespace

from answers.rulebooks.games import game_name
from answers.tournament.broadcast import BroadcastBoard
from answers.tournament.round_view import TableAnswer
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.study import noted
from service.pages.table_common import picture, sheet, title_of
from service.pages.tournament.common import bracket, hall, standings

SIZES = ("720p", "1080p", "1440p", "2160p")
"""Of an overlay: the heights that streaming programs use."""
LATEST_COMMENTS = 50
_NOTHING: Mapping[str, int] = MappingProxyType({})


@page("broadcast", "/tournaments/{tournament}/broadcast", public=True)
def broadcast(page_context: PageContext) -> Shown:
    shown, tables = _hall(page_context)
    section = page_context.query.get("section")
    on_air = shown.broadcast.boards
    return Shown(
        "broadcast",
        shown.info.name,
        **vars(shown),
        boards=[
            _board(page_context, each, tables[each.table], large=not at and len(on_air) > 1)
            for at, each in enumerate(on_air)
        ],
        standings=standings(page_context, section) if section else shown.ranked,
        bracket=bracket(page_context),
        latest_comments=LATEST_COMMENTS,
    )


def _hall(page_context: PageContext) -> tuple[SimpleNamespace, dict[int, TableAnswer]]:
    """The event with the round that the address names, what is broadcast of it, and the tables."""
    number = page_context.number("round")
    shown = hall(page_context, number)
    shown.broadcast = page_context.ask("tournament-broadcast", round=number).data
    shown.ranked = standings(page_context)
    shown.rows = {row.player: row for row in shown.ranked.rows}
    return shown, {table.table: table for table in shown.round.tables} if shown.round else {}


def _board(
    page_context: PageContext, board: BroadcastBoard, table: TableAnswer, *, large: bool = False
) -> SimpleNamespace:
    """A recorded table or board: its picture, its points so far, and what happened last. The one
    that is featured stands ``large``, across the screen."""
    moves = page_context.ask("moves", game=board.game).data.moves
    scored = _scored(page_context, board.game)
    if any(seated.board == board.board and seated.begins == "B" for seated in table.boards):
        # The team that is named second has the first seat.
        scored = {{"A": "B", "B": "A"}[seat]: points for seat, points in scored.items()}
    return SimpleNamespace(
        game=board.game,
        board=board.board,
        table=table,
        picture=picture(page_context, game=board.game, **({"shape": "wide"} if large else {})),
        large=large,
        scored=scored,
        last=moves[-1].told if moves else "",
        next=page_context.ask("info", game=board.game).data.to_act_text,
        leads=_leads(page_context, table, scored),
    )


def _leads(page_context: PageContext, table: TableAnswer, scored: Mapping[str, int]) -> str:
    """Who is ahead in a game of two, in words; nothing where no points are counted yet."""
    names = {seat: each.name for seat, each in table.by_seat.items()}
    if set(scored) != set(names) or len(scored) != 2:
        return ""
    (first, most), (_, least) = sorted(scored.items(), key=lambda each: -each[1])
    key = "broadcast.level" if most == least else "broadcast.leads"
    return page_context.voice.say(key, name=names[first], most=most, least=least)


def _scored(page_context: PageContext, game: str) -> Mapping[str, int]:
    """Nothing as long as nobody has won a point: some games are counted at their end alone."""
    rows = page_context.ask("scores", game=game).data.scores
    points: Mapping[str, int] = rows[-1].points if rows else _NOTHING
    return points if any(points.values()) else _NOTHING


@page("overlay", "/tournaments/{tournament}/overlay", public=True)
def overlay(page_context: PageContext) -> Shown:
    """Transparent, to lie over a camera: names, points, clock and last move of one table."""
    shown, tables = _hall(page_context)
    boards = {each.table: each for each in shown.broadcast.boards}
    wanted = page_context.number("table")
    at = wanted if wanted in tables else next(iter((*boards, *tables)), None)
    table = tables.get(at) if at is not None else None
    recorded = boards.get(at) if at is not None else None
    size = page_context.query.get("size", "")
    return Shown(
        "overlay",
        shown.info.name,
        **vars(shown),
        size=size if size in SIZES else "1080p",
        board=_board(page_context, recorded, table) if recorded and table else None,
        game=game_name(page_context.voice, shown.round.game) if shown.round else "",
        table=table,
        at=at,
    )


@page("embed", "/games/{game}/embed", public=True, framed=True)
def embed(page_context: PageContext) -> Shown:
    """One board, for a page of another site: as it is now or at a moment, to be stepped through."""
    high = page_context.query.get("shape") == "tall"  # frames are rather broad than high
    table = sheet(replace(page_context, wide=not high), noted=True)
    page = "watch" if table.at is None else f"study?at={table.at}"
    return Shown(
        "embed",
        title_of(page_context, table),
        **vars(table),
        **noted(page_context, table),
        place=f"{page_context.address}/games/{table.info.game}/{page}",
    )
