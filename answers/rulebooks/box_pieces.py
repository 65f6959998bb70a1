"""Cards and tiles of the club's own box: a photographed sheet cut along a grid, pieces named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Annotated, Any

from pydantic import Field

from answers.answer import Answered, Data
from answers.box_words import word
from answers.context import Caller
from answers.declaration import NAMED_BY_FUNCTION, operation
from answers.file_answers import File
from answers.i18n import Voice
from answers.limits import Corners, GridSide, PartName, PictureDigest, View
from answers.line_words import called
from answers.permissions import EVERYBODY, KEEPERS, TABLE
from answers.privileged import step_at
from answers.rulebooks.box_boards import SCALE
from answers.rulebooks.boxes import OWN, BoxName, box_photo, box_photos, has_told, own_box
from engines.kernel import Engine, Verbatim, seat_of
from engines.kernel.picture.svg import Picture, el
from engines.kernel.registry import load_engine
from engines.kernel.values.secret import Unknowable
from referee.errors import Misused, NotFound, Unfit
from referee.record.entries import Number
from referee.record.game import Game
from referee.record.line import JudgedItem
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


@operation(
    "kit-pieces",
    "GET /engines/{engine}/box/pieces",
    grant=TABLE,
    scope="token",
    etag="content",
)
def pieces(caller: Caller, game: str, *, kit: BoxName = OWN) -> Answered[KitPiecesAnswer]:
    """Every component that has a code, with the club's own picture of it."""
    return _shown(caller, load_engine(game), kit)


@operation(
    "kit-cut",
    "POST /engines/{engine}/box/pieces",
    grant=KEEPERS,
    answer="kit-pieces",
    slow=True,
)
def cut(
    caller: Caller,
    game: str,
    *,
    corners: Corners,
    rows: GridSide,
    columns: GridSide,
    names: Annotated[Sequence[PartName], Field(max_length=144)],
    kit: BoxName = OWN,
) -> Answered[KitPiecesAnswer]:
    """Cut the photograph of a sheet into rows and columns, and keep each piece that is named."""
    box = own_box(caller, game, kit)
    boxes = caller.store_context.boxes
    sheet = box_photo(caller, game, kit, SHEET)
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
            boxes.show(game, kit, PIECE + each, Attachment(piece.content, piece.small))
    return _shown(caller, box.engine, kit)


@operation(
    "kit-piece",
    "GET /engines/{engine}/box/piece",
    grant=EVERYBODY,
    scope="public",
    file=NAMED_BY_FUNCTION,
    etag="content",
)
def piece_picture(
    caller: Caller, game: str, code: PartName, digest: PictureDigest, *, kit: BoxName = OWN
) -> File:
    """A piece, by the digest that a page has shown."""
    return File(f"{game}-{code}.jpg", box_photo(caller, game, kit, code, digest, kind=PIECE).small)


class HeldPieceRow(Data):
    seat: str
    code: str
    label: str
    picture: str | None
    """The address of the club's own picture of it."""
    drawing: str
    """The referee's drawing where the club has no picture, for whoever asks for it."""
    count: int
    in_hand: bool
    """Only whoever may know that hand is told so."""


class TablePiecesAnswer(Data):
    game: str
    pictures: dict[str, str]
    """Where the club's own pictures are, by the words that people type."""
    held: list[HeldPieceRow]
    """What lies before each seat or is in its hand, as far as whoever asks may know."""


@operation("table-pieces", "GET /games/{game}/pieces", grant=TABLE)
def at_table(
    caller: Caller,
    game_id: str,
    *,
    at: Number | None = None,
    view: View = None,
    drawings: bool = False,
) -> Answered[TablePiecesAnswer]:
    """The club's own pictures of what a table is played with, and who holds which piece.

    ``drawings``: also of what only the referee draws.
    """
    game = caller.game(game_id, view)
    own = of_table(caller, game)
    engine, step, lang = game.engine, step_at(game, at), caller.voice.lang

    def drawing(code: str) -> str:
        return engine.thing(code, step.setting, lang) if drawings and code not in own else ""

    held = _held(engine, step) if own or drawings else {}
    rows = [
        HeldPieceRow(
            seat=seat,
            code=code,
            label=called(engine, code, lang),
            picture=own.get(code),
            drawing=drawn_here,
            count=count,
            in_hand=in_hand,
        )
        for (seat, code, in_hand), count in held.items()
        if (drawn_here := drawing(code)) or code in own
    ]
    return Answered(
        lambda: TablePiecesAnswer(game=game.id, pictures=own, held=rows),
        lambda voice: [voice.say("box.pieces", count=len(own), codes=len(own))],
    )


def _held(engine: Engine[Any, Any], step: JudgedItem) -> dict[tuple[str, str, bool], int]:
    """How many of each piece a seat has, before it or in its hand: ``card.EO7`` is the piece EO7.
    A bare number is no piece: it may be a place as well."""
    holdings, found = engine.holdings, Counter[tuple[str, str, bool]]()
    with suppress(Unknowable):  # of what this viewer does not see
        for holder, thing, amount in holdings.held(step.state, step.setting):
            code = thing.rpartition(".")[2]
            if (seat := seat_of(holder)) and amount and not code.isdecimal():
                found[seat, code, holder.endswith(".hand")] += amount
    if holdings.hand is None:
        return found
    for seat in step.setting.seats:
        with suppress(Unknowable):
            hand = holdings.hand(step.state, step.setting, seat)
            for code, count in Counter(hand.shown or sorted(hand.certain)).items():
                found[seat, code, True] = max(found[seat, code, True], count)
    return found


def addresses(caller: Caller, game: str, name: str) -> dict[str, str]:
    """Where the pictures of a box are, by code."""
    base = f"/api/v1/engines/{game}/box/piece?kit={name}"
    return {
        (code := page.removeprefix(PIECE)): f"{base}&code={code}&digest={digest}"
        for page, digest in box_photos(caller, game, name).items()
        if page.startswith(PIECE)
    }


def of_table(caller: Caller, game: Game) -> dict[str, str]:
    """The pictures of the box that a table is played with, by the words that people type.

    A club that has told nothing of its box, for nothing of it is assumed, plays with ours.
    """
    found = addresses(caller, game.engine.id, _box_of(caller, game))
    return {word: found[code] for code in found for word in words_of(code)}


def _box_of(caller: Caller, game: Game) -> str:
    engine, name = game.engine, str(game.sheet.content.get("kit", ""))
    return OWN if name in engine.kits and not has_told(caller, engine.id) else name


def pictures_of(caller: Caller, game: Game) -> dict[str, tuple[str, str]]:
    """The box and the digest of every picture of a piece that a table is played with, by code."""
    name = _box_of(caller, game)
    return {
        page.removeprefix(PIECE): (name, digest)
        for page, digest in box_photos(caller, game.engine.id, name).items()
        if page.startswith(PIECE)
    }


def words_of(code: str) -> list[str]:
    """The words that a code stands for: ``M1–M6`` for six of them."""
    first, several, last = code.partition("–")
    if not several:
        return [code]
    letters = first.rstrip("0123456789")
    numbers = range(int(first.removeprefix(letters)), int(last.removeprefix(letters)) + 1)
    return [f"{letters}{number}" for number in numbers]


def drawn(title: str, address: str, lang: str) -> str:
    """A picture of a piece as a small drawing."""
    image = el("image", href=address, width=THUMB, height=THUMB)
    return Picture(THUMB, THUMB, image).svg(title, "", lang=lang)


def _shown(caller: Caller, engine: Engine[Any, Any], name: str) -> Answered[KitPiecesAnswer]:
    photos = box_photos(caller, engine.id, name)
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
