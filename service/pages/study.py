"""Studying a game: every moment again, notes and variations, two moments beside each other."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from answers.judge.what_if import DifferenceRow
from answers.play.analysis import TrialAnswer
from answers.play.info import GameRow, InfoAnswer
from answers.play.moves import MoveRow
from answers.play.views import differing_sentences
from answers.review.collections import CollectionRow
from answers.review.import_export import OF_A_MOMENT, game_formats
from answers.review.notes import glyphs
from engines.kernel.messages.errors import MessageError, ParseError
from referee.errors import NotAllowed
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.table_common import picture, sheet, title_of
from service.problems import HttpRefusal, told

MOST_TRIED = 30
MOST_GAMES = 30
LONGEST_LINE = 300
READING = "reading."
"""What the fields of other readings begin with."""


@dataclass(frozen=True)
class Compared:
    """Another moment, of this game or of another."""

    number: int
    picture: str
    told: list[str]
    game: str = ""
    title: str = ""
    parted: int | None = None
    """The last action that both games have in common."""


@page("study", "/games/{game}/study")
def study(page_context: PageContext) -> Shown:
    table = sheet(page_context, noted=True)
    info = table.info
    shown = noted(page_context, table)
    now = shown["now"]
    later = (move for move in table.moves if move.status == "counts" and move.number > now)
    following = next(later, None)
    lines = _lines(page_context) if following is not None else []
    tried, unreadable = _tried(page_context, now, lines) if following is not None else (None, "")
    if tried is not None and lines and tried.picture:
        table.picture = tried.picture
    other = _other(page_context)
    compared, not_compared = _beside(page_context, table, now)
    may = {
        name: page_context.may(name)
        for name in ("note-add", "note-remove", "what-if", "branch", "access-rules")
    }
    return Shown(
        "study",
        page_context.voice.say("study.of", game=title_of(page_context, table)),
        **vars(table),
        **shown,
        instead=following,
        lines=lines,
        tried=tried,
        unreadable=unreadable,
        compared=compared,
        not_compared=not_compared,
        games=_other_games(page_context, info),
        reached=page_context.ask("reached", at=now).data
        if "reached" in page_context.query
        else None,
        formats=game_formats(whole=may["what-if"], closed=info.closed),
        of_a_moment=OF_A_MOMENT,
        readings=page_context.ask("readings", engine=info.engine).data.readings
        if may["what-if"]
        else [],
        other=other,
        differences=_differences(page_context, other) if may["what-if"] and other else None,
        may=may,
        could_hold=_could_hold(page_context, now),
        asked={name: page_context.query.get(name, "")[:80] for name in ("seat", "thing")},
        open_to=page_context.ask("game-rules").data.open_to,
        collections=_own_collections(page_context),
        file="",
    )


def noted(page_context: PageContext, table: SimpleNamespace) -> dict[str, Any]:
    """What a page needs on which one steps through a game and its notes."""
    counted = [move for move in table.moves if move.status == "counts" and move.number]
    order = [0, *(move.number for move in counted)]
    now = order[-1] if table.at is None else table.at
    return {
        "order": order,
        "now": now,
        "shown_move": next((move for move in table.moves if 0 < move.number == now), None),
        "notes": page_context.ask("note-list").data.notes,
        "glyphs": glyphs(page_context.voice),
        "scores": page_context.ask("scores").data.scores,
    }


def _own_collections(page_context: PageContext) -> list[CollectionRow]:
    if not page_context.may("collection-put"):
        return []
    found: list[CollectionRow] = page_context.ask("collection-list").data.collections
    return [one for one in found if one.may_write]


def split_lines(text: str) -> list[str]:
    """Lines as an address has them."""
    said = (line.strip()[:LONGEST_LINE] for line in text.split(";"))
    return [line for line in said if line][:MOST_TRIED]


def _lines(page_context: PageContext) -> list[str]:
    """What was tried before, and the line that a form adds to it."""
    return split_lines(f"{page_context.query.get('try', '')};{page_context.query.get('line', '')}")


def _tried(page_context: PageContext, at: int, lines: list[str]) -> tuple[TrialAnswer | None, str]:
    if not page_context.may("trial"):
        return None, ""
    try:
        found: TrialAnswer = page_context.ask(
            "trial", lines=lines, at=at, shape=page_context.shape, photo=True
        ).data
    except ParseError as error:
        problem = told(error, page_context.voice)[1]
        return page_context.ask(
            "trial", at=at, shape=page_context.shape, photo=True
        ).data, problem.message
    except NotAllowed:
        return None, ""
    return found, ""


def _could_hold(page_context: PageContext, now: int) -> list[str]:
    seat, thing = (page_context.query.get(name, "").strip() for name in ("seat", "thing"))
    if not (seat and thing):
        return []
    try:
        answer = page_context.ask("could-hold", seat=seat[:1], thing=thing[:80], at=now)
        return answer.lines(page_context.voice)
    except MessageError as error:
        return [told(error, page_context.voice)[1].message]


def _beside(
    page_context: PageContext, shown: SimpleNamespace, now: int
) -> tuple[Compared | None, str]:
    """What this moment is compared with, or why it is not."""
    asked = page_context.query.get("other", "").strip()[:60]
    if not asked:
        return _compared(page_context, now), ""
    try:
        return _other_game(page_context, shown, now, asked), ""
    except MessageError as error:
        return None, told(error, page_context.voice)[1].message


def _other_game(
    page_context: PageContext, shown: SimpleNamespace, now: int, other: str
) -> Compared:
    """The same moment of another game, or the one that is named."""
    about: InfoAnswer = page_context.ask("info", game=other).data
    if about.engine != shown.info.engine:
        raise HttpRefusal("misused", "other_rules")
    moves = page_context.ask("moves", game=other).data.moves
    named = page_context.number("with")
    last = max((move.number for move in moves), default=0)
    number = min(now if named is None else named, last)
    described = page_context.ask("state", at=number, game=other).data.words
    differing = [*differing_sentences(page_context.voice, described, shown.state.words)]
    return Compared(
        number=number,
        picture=picture(page_context, at=number, game=other),
        told=differing or [page_context.voice.say("diff.same")],
        game=other,
        title=about.title or other.removeprefix("game-"),
        parted=_parted([move for move in shown.moves if move.status == "counts"], moves),
    )


def _parted(one: list[MoveRow], other: list[MoveRow]) -> int:
    """The number of the last action of a game that the other has as well, in the same order."""
    same = 0
    for move, beside in zip(one, other, strict=False):
        if move.text != beside.text:
            break
        same = move.number
    return same


def _other_games(page_context: PageContext, info: InfoAnswer) -> list[GameRow] | None:
    """Others of the same kind, the latest; none as long as nobody wants to choose one."""
    if not {"choose", "other"} & {*page_context.query}:
        return None
    found = page_context.ask("games", engine=info.engine, most=MOST_GAMES).data.games
    return [row for row in found if row.game != info.game]


def _compared(page_context: PageContext, now: int) -> Compared | None:
    if (number := page_context.number("with")) is None:
        return None
    differ = page_context.ask("diff", start=number, end=now)
    return Compared(
        number=number,
        picture=picture(page_context, at=number),
        told=differ.lines(page_context.voice),
    )


def _other(page_context: PageContext) -> dict[str, str]:
    return {
        name.removeprefix(READING)[:60]: value[:60]
        for name, value in page_context.query.items()
        if name.startswith(READING) and value
    }


def _differences(page_context: PageContext, other: dict[str, str]) -> list[DifferenceRow]:
    found = page_context.ask("what-if", readings=other).data.games
    return [row for game in found for row in game.differences]
