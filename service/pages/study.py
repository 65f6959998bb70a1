"""Studying a game: every moment again, notes and variations, two moments beside each other."""

from __future__ import annotations

from answers.answer import Data
from answers.judge.what_if import DifferenceRow
from answers.line_words import glyph_text
from answers.play.analysis import TrialAnswer
from answers.play.info import GameRow, InfoAnswer
from answers.play.moves import MoveRow
from answers.play.views import differing_sentences
from answers.review.collections import CollectionRow
from answers.review.import_export import game_formats
from answers.review.notes import NoteAnswer, glyphs
from answers.review.reached import ReachedAnswer
from answers.review.scores import ScoreRow
from answers.rulebooks.rules import ReadingAnswer
from engines.kernel.messages.errors import MessageError, ParseError
from referee.errors import NotAllowed
from service.pages.home import number_in
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.table_common import TableView, sheet
from service.problems import HttpRefusal, told

MOST_TRIED = 30
MOST_GAMES = 30
LONGEST_LINE = 300
READING = "reading."
"""What the fields of other readings begin with."""


class VariationStep(Data):
    line: str
    lines: str
    """The variation up to here, as it is tried."""


class NoteShown(Data):
    it: NoteAnswer
    signs: list[str]
    after: int
    """The action before the one that is noted: where its variation begins."""
    steps: list[VariationStep]


class Compared(Data):
    """Another moment, of this game or of another."""

    number: int
    picture: str
    told: list[str]
    game: str = ""
    title: str = ""
    parted: int | None = None
    """The last action that both games have in common."""


class OtherGame(Data):
    game: str
    title: str


class StudyPage(TableView):
    notes: list[NoteShown]
    glyphs: dict[str, str]
    instead: int | None
    """The action that a variation from here takes the place of; none at the end."""
    instead_line: str
    lines: list[str]
    """What is tried."""
    tried: TrialAnswer | None
    """None for who may not know all that it would tell."""
    unreadable: str
    compared: Compared | None
    not_compared: str
    """Why another game is not shown beside this one."""
    games: list[OtherGame] | None
    """Others of the same kind, the latest; none as long as nobody wants to choose one."""
    reached: ReachedAnswer | None
    """Other games with this position; none as long as nobody asks for them."""
    formats: list[str]
    readings: list[ReadingAnswer]
    other: dict[str, str]
    """The readings that are asked about."""
    differences: list[DifferenceRow] | None
    may: dict[str, bool]
    now: int
    """The number of the action after which the table is shown."""
    shown_move: MoveRow | None
    """That action; none at the opening."""
    scores: list[ScoreRow]
    """How the points went, where the game counts them."""
    address: str
    """Of this moment, for others."""
    could_hold: list[str]
    """The answer to whether somebody could have held something, in sentences; empty if unasked."""
    asked: dict[str, str]
    """Who, and what."""
    embedded: str
    """The same as a page that another site may frame."""
    open_to: str
    """Who may look on: members, whoever has the link, or everybody."""
    qr: str
    collections: list[CollectionRow]
    """Those that this visitor may add the game to."""
    file: str = ""
    """The file that this game came in, if it is stored nowhere."""


@page("study", "/games/{game}/study")
def study(page_context: PageContext) -> Shown:
    shown = sheet(page_context, noted=True)
    counted = [move for move in shown.moves if move.status == "counts" and move.number]
    order = [0, *(move.number for move in counted)]
    now = order[-1] if shown.at is None else shown.at
    following = next((move for move in counted if move.number > now), None)
    lines = _lines(page_context) if following is not None else []
    tried, unreadable = _tried(page_context, now, lines) if following is not None else (None, "")
    drawn = tried.picture if tried is not None and lines and tried.picture else shown.picture
    other = _other(page_context)
    compared, not_compared = _beside(page_context, shown, now)
    may_otherwise = page_context.may("what-if")
    it = StudyPage(
        **{**dict(shown), "picture": drawn},
        notes=[
            _note(page_context, note, order) for note in page_context.ask("note-list").data.notes
        ],
        glyphs=glyphs(page_context.voice),
        instead=following.number if following is not None else None,
        instead_line=following.text if following is not None else "",
        lines=lines,
        tried=tried,
        unreadable=unreadable,
        compared=compared,
        not_compared=not_compared,
        games=_other_games(page_context, shown),
        reached=page_context.ask("reached", at=now).data
        if "reached" in page_context.query
        else None,
        formats=game_formats(whole=may_otherwise, closed=shown.closed),
        readings=page_context.ask("readings", engine=shown.engine).data.readings
        if may_otherwise
        else [],
        other=other,
        differences=_differences(page_context, other) if may_otherwise and other else None,
        may={
            name: page_context.may(name)
            for name in ("note-add", "note-remove", "what-if", "branch", "access-rules")
        },
        now=now,
        shown_move=next((move for move in counted if move.number == now), None),
        scores=page_context.ask("scores").data.scores,
        address=f"{page_context.address}/games/{shown.game}/study?at={now}",
        could_hold=_could_hold(page_context, now),
        asked={name: page_context.query.get(name, "")[:80] for name in ("seat", "thing")},
        embedded=f"{page_context.address}/games/{shown.game}/embed?at={now}",
        open_to=page_context.ask("game-rules").data.open_to,
        qr=f"/games/{shown.game}/qr.svg?at={now}",
        collections=_own_collections(page_context),
    )
    return Shown(
        "study", page_context.voice.say("study.of", game=f"{it.name} {it.title}".strip()), it
    )


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


def _note(page_context: PageContext, note: NoteAnswer, order: list[int]) -> NoteShown:
    said = note.variation
    return NoteShown(
        it=note,
        signs=[glyph_text(page_context.voice, name) for name in note.glyphs],
        after=max((number for number in order if number < note.number), default=0),
        steps=[
            VariationStep(line=line, lines=";".join(said[:count]))
            for count, line in enumerate(said, start=1)
        ],
    )


def _could_hold(page_context: PageContext, now: int) -> list[str]:
    seat, thing = (page_context.query.get(name, "").strip() for name in ("seat", "thing"))
    if not (seat and thing):
        return []
    try:
        asked = {"seat": seat[:1], "thing": thing[:80], "at": now}
        return page_context.ask("could-hold", **asked).lines(page_context.voice)
    except MessageError as error:
        return [told(error, page_context.voice)[1].message]


def _beside(page_context: PageContext, shown: TableView, now: int) -> tuple[Compared | None, str]:
    """What this moment is compared with, or why it is not."""
    asked = page_context.query.get("other", "").strip()[:60]
    if not asked:
        return _compared(page_context, now), ""
    try:
        return _other_game(page_context, shown, now, asked), ""
    except MessageError as error:
        return None, told(error, page_context.voice)[1].message


def _other_game(page_context: PageContext, shown: TableView, now: int, other: str) -> Compared:
    """The same moment of another game, or the one that is named."""
    about: InfoAnswer = page_context.ask("info", game=other).data
    if about.engine != shown.engine:
        raise HttpRefusal("misused", "other_rules")
    moves = page_context.ask("moves", game=other).data.moves
    named = page_context.query.get("with", "")
    number = min(
        number_in(named) if named else now, max((move.number for move in moves), default=0)
    )
    described = page_context.ask("state", at=number, game=other).data.words
    drawn = {"at": number, "shape": page_context.shape, "names": True, "photo": True}
    differing = [*differing_sentences(page_context.voice, described, shown.described)]
    return Compared(
        number=number,
        picture=page_context.file("picture", **drawn, game=other).decode(),
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


def _other_games(page_context: PageContext, shown: TableView) -> list[OtherGame] | None:
    if not {"choose", "other"} & {*page_context.query}:
        return None
    found = page_context.ask("games", engine=shown.engine, most=MOST_GAMES).data.games
    return [
        OtherGame(game=row.game, title=_called(page_context, row))
        for row in found
        if row.game != shown.game
    ]


def _called(page_context: PageContext, row: GameRow) -> str:
    players = ", ".join(row.players.values())
    return " · ".join(
        part for part in (row.title, players, page_context.voice.day(row.opened)) if part
    )


def _compared(page_context: PageContext, now: int) -> Compared | None:
    if not page_context.query.get("with", "").isdecimal():
        return None
    number = number_in(page_context.query["with"])
    differ = page_context.ask("diff", start=number, end=now)
    return Compared(
        number=number,
        picture=page_context.file(
            "picture", at=number, shape=page_context.shape, names=True, photo=True
        ).decode(),
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
