"""A board of the club's own box, told by a photograph: straightened, spaces put on it, linked."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from answers.answer import Answered, Data
from answers.box_words import datum_label, name_of, value_words, word
from answers.context import Caller
from answers.declaration import NAMED_BY_FUNCTION, operation
from answers.file_answers import File
from answers.i18n import Voice
from answers.limits import ChosenData, Corners, DataPath, PartName, PhotoPoint, PictureDigest
from answers.permissions import EVERYBODY, KEEPERS, TABLE
from answers.rulebooks import boxes
from answers.rulebooks.boxes import OWN, AskedRow, BoxName, OwnBox, own_box
from engines.kernel import Verbatim
from engines.kernel.box.board import Board, Space
from engines.kernel.box.kit import PART, KitSheet, neighbours
from engines.kernel.box.placing import PlaceConflict, PlacedBoard, Placing
from engines.kernel.box.tour import Question, spelled
from engines.kernel.picture.ground import Ground
from engines.kernel.picture.svg import Spot
from referee.errors import Conflicting, NotFound, Unfit
from referee.record.game import Game
from referee.store.sidecars.attachments import Attachment
from referee.untrusted.photos import LONGEST_SIDE, reduced, straightened

RAW, FLAT = "board:", "flat:"
"""Where the photograph of a board is kept, as it was taken and straightened."""
SCALE = 10_000
"""Places are told and kept in ten-thousandths of the width and height of a picture."""
Point = tuple[int, int]
IN_A_FILE = 1280
"""The longest side of a board in an exported page, in pixels."""
WHOLE: tuple[Point, ...] = ((0, 0), (SCALE, 0), (SCALE, SCALE), (0, SCALE))


class SpaceQuestionRow(AskedRow):
    linked: bool
    """It is answered by tapping other spaces."""
    told: bool


class ThereRow(Data):
    """Something that is there at a space or not: in a list of the kit, or with an entry."""

    path: str
    label: str
    there: bool


class SpaceRow(Data):
    name: str
    label: str
    kind: str
    """Of which kind it is, in words."""
    x: int | None
    """Where it was put, in ten-thousandths of the width and height of the board."""
    y: int | None
    gone: bool
    optional: bool
    colour: str
    """Of its ground as it is drawn, ``#rrggbb``; empty where that says nothing."""
    start: Point | None
    """Where the referee assumes it."""
    usual: bool
    """The referee has an idea where it lies."""
    questions: list[SpaceQuestionRow]
    there: list[ThereRow]


class NewRow(Data):
    kind: str
    label: str


class BoxBoardRow(Data):
    board: str
    title: str


class KitBoardAnswer(Data):
    game: str
    kit: str
    board: str
    title: str
    boards: list[BoxBoardRow]
    """All that this game has."""
    photo: str | None
    """The digest of the photograph as it was taken."""
    flat: str | None
    """That of the straightened one."""
    width: int
    height: int
    """Of the straightened one, in pixels."""
    corners: list[Point]
    spaces: list[SpaceRow]
    new: list[NewRow]
    left: int
    """So many spaces were neither put on it nor told to be missing."""
    declared: bool
    """What is shown is what the box says."""
    conflicts: list[str]
    """What was told that the rulebook states otherwise, in sentences."""
    problems: list[str]
    flaw: str | None


class _Kept(BaseModel):
    """What is kept of a board."""

    corners: Annotated[list[Point], Field(min_length=4, max_length=4)] = [*WHOLE]
    size: tuple[int, int] = (0, 0)
    places: Annotated[dict[str, Point], Field(max_length=300)] = {}
    told: dict[str, Any] = {}
    links: dict[str, Any] | None = None
    """As it was declared last: what names other spaces."""

    def spots(self) -> dict[str, Spot]:
        return {name: (x / SCALE, y / SCALE) for name, (x, y) in self.places.items()}


_KEPT: TypeAdapter[_Kept] = TypeAdapter(_Kept)


# looking


@operation(
    "kit-board",
    "GET /engines/{engine}/box/board",
    grant=TABLE,
    scope="token",
    etag="content",
)
def board(
    caller: Caller, game: str, board: PartName = "", *, kit: BoxName = OWN
) -> Answered[KitBoardAnswer]:
    """A board of a box with what was put on it so far; without a name, the first."""
    box = own_box(caller, game, kit)
    found = _board(box, board)
    return _shown(caller, box, found.name, _kept(caller, box, found.name))


@operation(
    "kit-board-picture",
    "GET /engines/{engine}/box/board/picture",
    grant=EVERYBODY,
    scope="public",
    file=NAMED_BY_FUNCTION,
    etag="content",
)
def board_picture(
    caller: Caller, game: str, board: PartName, digest: PictureDigest, *, kit: BoxName = OWN
) -> File:
    """The straightened photograph of a board: whoever was shown a table on it knows its digest."""
    photo = boxes.box_photo(caller, game, kit, board, digest, kind=FLAT)
    return File(f"{game}-{board}.jpg", photo.content)


def grounds(caller: Caller, game: Game) -> dict[str, Ground]:
    """The boards that a table is drawn on: those of its own box, if its map is theirs."""
    name = str(game.sheet.content.get("kit", ""))
    declared = _declared_boards(caller, game.engine.id, name)
    return {
        board: ground
        for board, (ground, kept) in declared.items()
        if _fits(game.sheet, kept.links or {})
    }


def grounds_of_box(caller: Caller, engine: str, sheet: KitSheet) -> dict[str, Ground]:
    """The boards of the club's own box, for a kit that says all that the club has told of them."""
    declared = _declared_boards(caller, engine, OWN)
    box = own_box(caller, engine) if declared else None
    return {
        board: ground
        for board, (ground, kept) in declared.items()
        if box is not None and _fits(sheet, _placed(box, board, kept).said)
    }


def in_a_file(caller: Caller, game: Game) -> dict[str, Ground]:
    """The same for a page that works without the service: with the photographs in it."""
    embedded = {}
    for board, ground in grounds(caller, game).items():
        kit = str(game.sheet.content["kit"])
        photo = boxes.box_photo(caller, game.engine.id, kit, board, kind=FLAT)
        content = b64encode(reduced(photo.content, IN_A_FILE)).decode()
        embedded[board] = ground._replace(href=f"data:image/jpeg;base64,{content}")
    return embedded


def _declared_boards(caller: Caller, engine: str, name: str) -> dict[str, tuple[Ground, _Kept]]:
    """The boards that a box was declared by, each with its photograph."""
    context = caller.store_context
    if not context.has_boxes:
        return {}
    found = {}
    for board in context.boxes.boards(engine, name):
        kept = _KEPT.validate_python(context.boxes.placing(engine, name, board))
        digest = context.boxes.photos(engine, name).get(FLAT + board)
        if digest is not None and kept.links is not None:
            query = f"board={board}&kit={name}&digest={digest}"
            href = f"/api/v1/engines/{engine}/box/board/picture?{query}"
            found[board] = Ground(href, *kept.size, kept.spots()), kept
    return found


def _fits(sheet: KitSheet, links: Mapping[str, Any]) -> bool:
    """Whether a kit has the map that was put on a photograph."""
    for path, value in links.items():
        datum, part, name = path.partition(PART)
        there = sheet.at(datum)
        there = list(neighbours(there or (), name)) if part else there
        several = isinstance(value, list) and isinstance(there, list)
        if there != value and not (several and sorted(there) == sorted(value)):
            return False
    return True


# telling


@operation(
    "kit-place",
    "POST /engines/{engine}/box/board",
    grant=KEEPERS,
    answer="kit-board",
    slow=True,
)
def place(
    caller: Caller,
    game: str,
    board: PartName,
    *,
    corners: Corners | None = None,
    places: Annotated[Mapping[PartName, PhotoPoint | None], Field(max_length=300)] = {},
    data: Annotated[Mapping[DataPath, Any], Field(max_length=300)] = {},
    chosen: Annotated[Mapping[DataPath, ChosenData], Field(max_length=300)] = {},
    there: Annotated[Mapping[DataPath, bool], Field(max_length=300)] = {},
    gone: Annotated[Mapping[PartName, bool], Field(max_length=300)] = {},
    new: PartName = "",
    usual: bool = False,
    declare: bool = False,
    kit: BoxName = OWN,
) -> Answered[KitBoardAnswer]:
    """Go on with a board: straighten its photograph, put spaces on it, tell what is asked of them.

    Spaces that are ``gone`` are not on this board; ``new`` is one more of a kind; ``usual`` puts
    all others where the referee assumes them. Nothing of it is the box's until ``declare`` says
    that it is so.
    """
    box = own_box(caller, game, kit)
    found = _board(box, board)
    kept = _kept(caller, box, found.name)
    if corners is not None:
        kept = _straighten(caller, box, found.name, kept, corners)
    drawn = _placed(box, found.name, kept)
    spaces = {space.name: space for space in drawn.board.spaces}
    put: dict[str, Point | None] = {**kept.places}
    if usual:
        starts = {s.name: _point(s.start) for s in spaces.values() if s.start is not None}
        put = {**starts, **put}
    for space in places:
        _named(spaces, space)
    put |= places
    put = {space: at for space, at in put.items() if space in spaces and at is not None}
    if put != kept.places:  # what is linked now is linked on what lies there now
        kept = kept.model_copy(update={"places": put})
        drawn = _placed(box, found.name, kept)
    told = dict(kept.told)
    for space, is_gone in gone.items():
        told = _gone(box, _named(spaces, space), told, is_gone)
    if new:
        made = next((more for more in drawn.board.new if more.kind == new), None)
        if made is None:
            raise NotFound("not_asked", path=Verbatim(new))
        told[drawn.new_path(made)] = (
            dict(made.value) if isinstance(made.value, Mapping) else made.value
        )
    asked = {path for space in spaces.values() for path in space.asks}
    for path, value in data.items():
        datum = boxes.asked_path(drawn.tour.sheet, asked, path)
        told[datum] = boxes.checked_value(box, drawn.question(datum), value)
    for path, picked in chosen.items():
        question = drawn.question(boxes.asked_path(drawn.tour.sheet, asked, path))
        value = boxes.checked_value(box, question, spelled(question, picked))
        told |= _linked(drawn, told, question, value)
    for path, is_there in there.items():
        told |= _there(drawn, path, is_there)
    kept = kept.model_copy(update={"told": told})
    if declare:
        kept = _declared(caller, box, found.name, kept)
        box = own_box(caller, game, kit)
    caller.store_context.boxes.place(game, kit, found.name, kept.model_dump(mode="json"))
    return _shown(caller, box, found.name, kept)


def _point(spot: Spot) -> Point:
    return round(spot[0] * SCALE), round(spot[1] * SCALE)


def _straighten(
    caller: Caller, box: OwnBox, board: str, kept: _Kept, corners: Sequence[Point]
) -> _Kept:
    raw = boxes.box_photo(caller, box.engine.id, box.name, board, kind=RAW)
    flat = straightened(raw.content, [(x / SCALE, y / SCALE) for x, y in corners])
    attachment = Attachment(flat.content, flat.small)
    caller.store_context.boxes.show(box.engine.id, box.name, FLAT + board, attachment)
    size = (flat.width, flat.height)
    return kept.model_copy(update={"corners": list(corners), "size": size})


def _gone(box: OwnBox, space: Space, told: dict[str, Any], is_gone: bool) -> dict[str, Any]:
    """A space is not on this board, or it is again; one that was only added here is forgotten."""
    if not space.optional:
        raise Conflicting("space_needed", space=Verbatim(space.name))
    inside = f"{space.path}."
    kept = {
        path: [one for one in value if one != space.name] if isinstance(value, list) else value
        for path, value in told.items()
        if path != space.path and not path.startswith(inside) and path not in space.asks
        if value != space.name
    }
    if not is_gone or box.tour.sheet.at(space.path) is None:
        return kept
    return {**kept, space.path: None}


def _linked(
    drawn: PlacedBoard, told: Mapping[str, Any], question: Question, value: Any
) -> dict[str, Any]:
    """What is told; of a pair both spaces are told."""
    both = {question.path: value}
    datum, part, name = question.path.partition(PART)
    for other in question.choices if part else ():
        path = f"{datum}{PART}{other}"
        near = told[path] if path in told else drawn.question(path).value
        if (name in near) != (other in value):
            both[path] = [*near, name] if other in value else [one for one in near if one != name]
    return both


def _there(drawn: PlacedBoard, shown: str, is_there: bool) -> dict[str, Any]:
    """A space is in a list or not, or has an entry or has none: ``path@space``, or ``path``."""
    shown, _, named = shown.partition("@")
    lists = {path for space in drawn.board.spaces for path in space.lists}
    path = boxes.asked_path(drawn.tour.sheet, lists, shown) if named else shown
    for space in drawn.board.spaces:
        if named == space.name and path in space.lists:
            value = [one for one in drawn.tour.sheet.at(path) or () if one != named]
            return {path: [*value, named] if is_there else value}
        if not named and path in space.entries:
            return {path: space.entries[path] if is_there else None}
    raise NotFound("not_asked", path=Verbatim(shown))


def _declared(caller: Caller, box: OwnBox, board: str, kept: _Kept) -> _Kept:
    """The box says what the board shows."""
    drawn = _placed(box, board, kept)
    if not drawn.said:
        raise Conflicting("board_empty")
    source = caller.voice.say("box.on_photo")
    boxes.keep(caller, box.engine.id, drawn.said, kit=box.name, source=source)
    return kept.model_copy(update={"links": drawn.links})


def _named(spaces: Mapping[str, Space], name: str) -> Space:
    if name not in spaces:
        raise NotFound("not_asked", path=Verbatim(name))
    return spaces[name]


# what there is


def _board(box: OwnBox, name: str) -> Board:
    boards = list(box.engine.guide.boards(box.tour.kit))
    found = next((one for one in boards if name in ("", one.name)), None)
    if found is None:
        raise NotFound("no_such_board", board=Verbatim(name or box.engine.id))
    return found


def _kept(caller: Caller, box: OwnBox, board: str) -> _Kept:
    if not caller.store_context.has_boxes:
        return _Kept()
    found = caller.store_context.boxes.placing(box.engine.id, box.name, board)
    try:
        return _KEPT.validate_python(found or {})
    except ValidationError:
        return _Kept()


def placing_from_elsewhere(found: Any) -> dict[str, Any]:
    """Where the spaces of a board lie, from the file of another club: what it told of them is
    among its data already."""
    try:
        kept = _KEPT.validate_python(found)
    except ValidationError:
        raise Unfit("bad_placing") from None
    size = tuple(min(max(side, 1), LONGEST_SIDE) for side in kept.size)
    places = {name: _within(at) for name, at in kept.places.items() if len(name) < 80}
    corners = [_within(at) for at in kept.corners]
    update = {"told": {}, "size": size, "places": places, "corners": corners}
    return kept.model_copy(update=update).model_dump(mode="json")


def _within(at: Point) -> Point:
    return min(max(at[0], 0), SCALE), min(max(at[1], 0), SCALE)


def _placed(box: OwnBox, board: str, kept: _Kept) -> PlacedBoard:
    width, height = kept.size
    tall = height / width if width and height else 1.0
    return PlacedBoard(box.tour, board, Placing(kept.spots(), kept.told, tall))


def _shown(caller: Caller, box: OwnBox, name: str, kept: _Kept) -> Answered[KitBoardAnswer]:
    drawn = _placed(box, name, kept)
    photos = boxes.box_photos(caller, box.engine.id, box.name)
    spaces = drawn.board.spaces
    left = sum(s.name not in kept.places and not drawn.is_gone(s) for s in spaces)
    would_be = box._replace(tour=drawn.tour)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.labelled(_title(voice, box, name), voice.say("box.board_left", count=left))
        yield from ("  " + line for line in _conflicts(voice, box, drawn))

    def data() -> KitBoardAnswer:
        voice, told = caller.voice, box.tour.stated
        return KitBoardAnswer(
            game=box.engine.id,
            kit=box.name,
            board=name,
            title=_title(voice, box, name),
            boards=[
                BoxBoardRow(board=one.name, title=_title(voice, box, one.name))
                for one in box.engine.guide.boards(box.tour.kit)
            ],
            photo=photos.get(RAW + name),
            flat=photos.get(FLAT + name),
            width=kept.size[0],
            height=kept.size[1],
            corners=kept.corners,
            spaces=[_row(voice, box, drawn, space) for space in spaces],
            new=[
                NewRow(kind=one.kind, label=word(voice, box.engine, one.kind))
                for one in drawn.board.new
            ],
            left=left,
            declared=kept.links is not None
            and all(path in told and told[path].value == v for path, v in drawn.said.items()),
            conflicts=_conflicts(voice, box, drawn),
            problems=boxes.clause_lines(voice, would_be, would_be.problems()),
            flaw=boxes.flaw_words(voice, would_be.flaw()),
        )

    return Answered(data, render)


def _title(voice: Voice, box: OwnBox, board: str) -> str:
    return " · ".join(word(voice, box.engine, part) for part in board.split("."))


def _conflicts(voice: Voice, box: OwnBox, drawn: PlacedBoard) -> list[str]:
    return [_conflict(voice, box, drawn, one) for one in drawn.conflicts]


def _conflict(voice: Voice, box: OwnBox, drawn: PlacedBoard, conflict: PlaceConflict) -> str:
    question = drawn.question(conflict.path)
    facts = {
        side: Verbatim(value_words(voice, box.engine, question._replace(value=value)))
        if value is not None
        else voice.say("box.none")
        for side, value in (("told", conflict.told), ("book", conflict.stated))
    }
    label = Verbatim(datum_label(voice, box.engine, question))
    return voice.say("box.conflict", name=label, **facts)


def _row(voice: Voice, box: OwnBox, drawn: PlacedBoard, space: Space) -> SpaceRow:
    at = drawn.placing.places.get(space.name)
    x, y = (None, None) if at is None else _point(at)
    engine, sheet = box.engine, drawn.tour.sheet
    gone = drawn.is_gone(space)
    absent = tuple(f"{path}." for path in space.entries if sheet.at(path) is None)
    asks = [] if gone else [path for path in space.asks if not path.startswith(absent or "?")]
    lists = [
        ThereRow(
            path=f"{boxes.shown_path(drawn.tour.base, path)}@{space.name}",
            label=word(voice, engine, path.rpartition(".")[2]),
            there=space.name in (sheet.at(path) or ()),
        )
        for path in space.lists
    ]
    entries = [
        ThereRow(path=path, label=_entry_label(voice, box, path), there=sheet.at(path) is not None)
        for path in space.entries
    ]
    return SpaceRow(
        name=space.name,
        label=word(voice, engine, space.name),
        kind=word(voice, engine, space.kind),
        x=x,
        y=y,
        gone=gone,
        optional=space.optional,
        colour=space.colour,
        start=None if space.start is None else _point(space.start),
        usual=space.start is not None,
        questions=[_question(voice, box, drawn, path) for path in asks],
        there=[] if gone else [*lists, *entries],
    )


def _entry_label(voice: Voice, box: OwnBox, path: str) -> str:
    """``front.tile_spaces.mountain.M1`` is a tile space for mountains."""
    _, table, kind, _ = path.rsplit(".", 3)
    return f"{word(voice, box.engine, table)} ({word(voice, box.engine, kind)})"


def _question(voice: Voice, box: OwnBox, drawn: PlacedBoard, path: str) -> SpaceQuestionRow:
    question = drawn.question(path)
    return SpaceQuestionRow.made_of(
        boxes.asked_row(voice, box.engine, drawn.tour.sheet, question),
        name=name_of(voice, box.engine, question),
        linked=drawn.linked(question),
        told=path in drawn.said or not drawn.before.is_assumed(path),
    )
