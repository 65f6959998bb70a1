"""The club's own box: what it shows, page by page, confirmed or told otherwise."""

from __future__ import annotations

import json
from typing import Any

from answers.answer import Data
from answers.rulebooks.box_boards import KitBoardAnswer
from answers.rulebooks.box_pieces import KitPiecesAnswer, PieceRow
from answers.rulebooks.box_tour import BoxPageAnswer
from answers.rulebooks.games import draws_key, game_name, has_boards
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page


class OwnBoxPage(Data):
    engine: str
    name: str
    asked: int
    told: int
    stop: BoxPageAnswer | None
    """Where one looks now; none where nothing of the box is assumed."""
    may_tell: bool
    boards: bool
    """A board of it can be put on a photograph."""


@page("box", "/box/{engine}")
def own_box(page_context: PageContext) -> Shown:
    engine = page_context.path["engine"]
    known = page_context.ask("kit-box").data
    wanted = page_context.query.get("page", "")
    asked = {"page": wanted if wanted in {row.page for row in known.pages} else ""}
    shown = OwnBoxPage(
        engine=engine,
        name=game_name(page_context.voice, engine),
        asked=known.asked,
        told=known.told,
        stop=page_context.ask("kit-page", **asked).data if known.pages else None,
        may_tell=page_context.may("kit-told"),
        boards=has_boards(engine),
    )
    title = page_context.voice.say("own_box.title", name=shown.name)
    return Shown("box", title, shown)


class PhotoBoardPage(Data):
    engine: str
    board: KitBoardAnswer | None
    """None where the game has no board that could be put on a photograph."""
    may_tell: bool


@page("box-board", "/box/{engine}/board")
def photo_board(page_context: PageContext) -> Shown:
    engine = page_context.path["engine"]
    wanted = {"board": page_context.query.get("board", "")[:80]}
    shown = PhotoBoardPage(
        engine=engine,
        board=page_context.ask("kit-board", **wanted).data if has_boards(engine) else None,
        may_tell=page_context.may("kit-place"),
    )
    name = game_name(page_context.voice, engine)
    return Shown("box_board", page_context.voice.say("board_page.title", name=name), shown)


class PiecesPage(Data):
    engine: str
    shown: KitPiecesAnswer
    may_tell: bool


@page("box-pieces", "/box/{engine}/pieces")
def pieces(page_context: PageContext) -> Shown:
    engine = page_context.path["engine"]
    shown = PiecesPage(
        engine=engine,
        shown=page_context.ask("kit-pieces").data,
        may_tell=page_context.may("kit-cut"),
    )
    name = game_name(page_context.voice, engine)
    return Shown("box_pieces", page_context.voice.say("pieces_page.title", name=name), shown)


class SharePage(Data):
    engine: str
    told: int
    boxes: list[str]
    pictured: bool
    """There are pictures of the club's own box: they can be given without any data."""
    may_tell: bool


@page("box-share", "/box/{engine}/share")
def share(page_context: PageContext) -> Shown:
    engine = page_context.path["engine"]
    known = page_context.ask("kit-box").data
    may_tell = page_context.may("kit-import")
    shown = SharePage(
        engine=engine,
        told=known.told,
        boxes=known.boxes,
        pictured=known.kit in known.boxes and not known.told,
        may_tell=may_tell,
    )
    name = game_name(page_context.voice, engine)
    return Shown("box_share", page_context.voice.say("share_page.title", name=name), shown)


class KeyPage(Data):
    engine: str
    name: str
    drawing: str
    """Every component with its code, as SVG, where the game draws all of them together."""
    chapters: list[dict[str, Any]]
    """The same one by one, where it does not."""
    pictures: dict[str, str]
    """Those of which the club has a picture, for whoever may see its box."""


@page("key", "/box/{engine}/key", slow=True)
def key(page_context: PageContext) -> Shown:
    engine = page_context.path["engine"]
    together = draws_key(engine)
    shown = KeyPage(
        engine=engine,
        name=game_name(page_context.voice, engine),
        drawing=page_context.file("kit-key").decode() if together else "",
        chapters=json.loads(page_context.file("kit-key", format="json"))["chapters"],
        pictures={row.code: row.picture for row in _pieces(page_context) if row.picture},
    )
    return Shown("key", page_context.voice.say("own_box.key_of", name=shown.name), shown)


def _pieces(page_context: PageContext) -> list[PieceRow]:
    if not page_context.may("kit-pieces"):
        return []
    found: list[PieceRow] = page_context.ask("kit-pieces").data.pieces
    return found
