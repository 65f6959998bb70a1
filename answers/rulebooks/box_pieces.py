"""Cards and tiles of the club's own box: a photographed sheet cut along a grid, pieces named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from answers.answer import Answered, Data
from answers.box_words import word
from answers.context import Caller
from answers.file_answers import File
from answers.i18n import Voice
from answers.rulebooks.box_boards import SCALE, Point
from answers.rulebooks.boxes import OWN, own_box
from engines.kernel import Engine, Verbatim
from engines.kernel.picture.svg import Picture, el
from engines.kernel.registry import load_engine
from referee.errors import Misused, NotFound, Unfit
from referee.record.game import Game
from referee.store.sidecars.attachments import Attachment
from referee.untrusted.photos import cut_up

SHEET, PIECE = "sheet", "piece:"
"""Where the photograph of a sheet is kept, and those of the pieces that were cut from one."""
THUMB = 76.0


class PieceRow(Data):
    code: str
    chapter: str
    """Among which components it is, in words."""
    label: str
    shows: str
    picture: str | None
    """The address of the club's own picture of it."""
    digest: str | None


class KitPiecesAnswer(Data):
    game: str
    kit: str
    sheet: str | None
    """The digest of the photograph that can be cut."""
    pieces: list[PieceRow]


def pieces(caller: Caller, game: str, *, name: str = OWN) -> Answered[KitPiecesAnswer]:
    """Every component that has a code, with the club's own picture of it."""
    engine = load_engine(game)
    return _shown(caller, engine, name)


def cut(
    caller: Caller,
    game: str,
    *,
    corners: Sequence[Point],
    rows: int,
    columns: int,
    names: Sequence[str],
    name: str = OWN,
) -> Answered[KitPiecesAnswer]:
    """Cut the photograph of a sheet into rows and columns, and keep each piece that is named."""
    box = own_box(caller, game, name)
    boxes = caller.store_context.boxes
    sheet = boxes.photo(game, name, SHEET)
    if sheet is None:
        raise NotFound("no_such_photo", photo=Verbatim(SHEET))
    if len(names) != rows * columns:
        raise Misused("cut_count", count=rows * columns)
    wanted = [each for each in names if each]
    known = {code.code for code in box.engine.guide.codes(box.tour.kit)}
    for each in wanted:
        if each not in known:
            raise NotFound("no_such_code", code=Verbatim(each))
        if wanted.count(each) > 1:
            raise Unfit("cut_twice", code=Verbatim(each))
    spots = [(x / SCALE, y / SCALE) for x, y in corners]
    for each, piece in zip(names, cut_up(sheet.content, spots, rows, columns), strict=True):
        if each:
            boxes.show(game, name, PIECE + each, Attachment(piece.content, piece.small))
    return _shown(caller, box.engine, name)


def piece_picture(caller: Caller, game: str, code: str, digest: str, *, name: str = OWN) -> File:
    """A piece, by the digest that a page has shown."""
    there = caller.store_context.has_boxes
    found = caller.store_context.boxes.photo(game, name, PIECE + code) if there else None
    if found is None or found.digest != digest:
        raise NotFound("no_such_photo", photo=Verbatim(code))
    return File(f"{game}-{code}.jpg", found.small)


def addresses(caller: Caller, game: str, name: str) -> dict[str, str]:
    """Where the pictures of a box are, by code."""
    context = caller.store_context
    photos = context.boxes.photos(game, name) if context.has_boxes else {}
    return {
        page.removeprefix(PIECE): _address(game, name, page.removeprefix(PIECE), digest)
        for page, digest in photos.items()
        if page.startswith(PIECE)
    }


def of_table(caller: Caller, game: Game) -> dict[str, str]:
    """The pictures of the box that a table is played with."""
    return addresses(caller, game.engine.id, str(game.sheet.content.get("kit", "")))


def drawn(title: str, address: str, lang: str) -> str:
    """A picture of a piece as a small drawing."""
    image = el("image", href=address, width=THUMB, height=THUMB)
    return Picture(THUMB, THUMB, image).svg(title, "", lang=lang)


def _address(game: str, kit: str, code: str, digest: str) -> str:
    return f"/api/v1/engines/{game}/box/piece?kit={kit}&code={code}&digest={digest}"


def _shown(caller: Caller, engine: Engine[Any, Any], name: str) -> Answered[KitPiecesAnswer]:
    context = caller.store_context
    photos = context.boxes.photos(engine.id, name) if context.has_boxes else {}
    if name in engine.kits:
        kit = engine.read_kit(engine.kit_sheet(name))
    else:
        kit = own_box(caller, engine.id, name).tour.kit
    codes = list(engine.guide.codes(kit))
    there = addresses(caller, engine.id, name)

    def data() -> KitPiecesAnswer:
        voice = caller.voice
        rows = [
            PieceRow(
                code=code.code,
                chapter=word(voice, engine, code.chapter),
                label=word(voice, engine, code.code),
                shows=" ".join(word(voice, engine, str(each)) for each in code.shows),
                picture=there.get(code.code),
                digest=photos.get(PIECE + code.code),
            )
            for code in codes
        ]
        return KitPiecesAnswer(game=engine.id, kit=name, sheet=photos.get(SHEET), pieces=rows)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("box.pieces", count=len(there), codes=len(codes))

    return Answered(data, render)
