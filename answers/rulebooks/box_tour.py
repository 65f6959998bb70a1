"""The guided tour of a box, page by page, as a front end with a screen shows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from answers.answer import Answered, Data
from answers.box_words import item_label, items, name_of, title, word
from answers.context import Caller
from answers.declaration import NAMED_BY_FUNCTION, Local, operation
from answers.file_answers import File
from answers.i18n import Voice
from answers.limits import PartName, PictureDigest
from answers.permissions import KEEPERS, TABLE
from answers.rulebooks import boxes
from answers.rulebooks.box_boards import RAW
from answers.rulebooks.box_pieces import SHEET
from answers.rulebooks.boxes import OWN, AskedRow, BoxName, OwnBox, own_box
from engines.kernel import ParseError, Setting, Verbatim
from engines.kernel.box.kit import PART
from engines.kernel.box.tour import Page, Question, new_entry
from referee.errors import NotFound
from referee.store.sidecars.attachments import Attachment
from referee.untrusted.photos import read_photo


class TourRow(AskedRow):
    told: bool
    """Somebody has seen it."""


class BoxThingRow(Data):
    """A thing on a page, and what is asked of it."""

    label: str
    absent: str | None
    """The path to tell that there is no such thing in this box; none where there must be one."""
    questions: list[TourRow]


class MoreRow(Data):
    """Something that a box may have more of than the kit has."""

    label: str
    path: str
    value: Any


class StopRow(Data):
    page: str
    title: str
    told: bool


class BoxPageAnswer(Data):
    game: str
    kit: str
    asked: int
    told: int
    page: str
    title: str
    number: int
    before: str | None
    after: str | None
    """The page behind this one; it goes round while anything is open."""
    drawing: str
    """Where to look, as SVG: the place is marked."""
    component: list[str]
    """What the referee draws of the component itself, as SVG: its sides, if it has several."""
    photo: str | None
    """The digest of the club's photograph of this place."""
    board: str | None
    """The board that it is on, or is: it can be put on a photograph as a whole."""
    things: list[BoxThingRow]
    more: list[MoreRow]
    stops: list[StopRow]
    problems: list[str]
    """Clauses of the rulebook that the box, as told so far, does not fit, in sentences."""
    flaw: str | None
    """Why the box cannot be played with yet."""


@operation("kit-page", "GET /engines/{engine}/box/page", grant=TABLE, scope="token")
def box_page(
    caller: Caller, game: str, page_id: PartName = "", *, kit: BoxName = OWN
) -> Answered[BoxPageAnswer]:
    """One page of the tour of a box; without a name, the first with something open."""
    box = own_box(caller, game, kit)
    page = box.page(page_id) if page_id else next(iter((*box.open_pages, *box.tour.pages)), None)
    if page is None:
        raise NotFound("no_such_page", page=Verbatim(game))  # nothing is asked about this box
    pages = list(box.tour.pages)
    place = [each.look.id for each in pages].index(page.look.id)

    def data() -> BoxPageAnswer:
        voice, engine, questions = caller.voice, box.engine, box.questions
        named = title(voice, engine, page)
        boards = {board.name for board in engine.guide.boards(box.tour.kit)}
        drawn = boxes.page_picture(voice, box, page)
        return BoxPageAnswer(
            game=game,
            kit=box.name,
            asked=len(questions),
            told=sum(not question.open for question in questions),
            page=page.look.id,
            title=named,
            number=place + 1,
            before=pages[place - 1].look.id if place else None,
            after=pages[place + 1].look.id if place + 1 < len(pages) else None,
            drawing=drawn.svg(named, named, lang=voice.lang),
            component=_component(voice, box, page),
            board=next((name for name in (page.look.id, page.look.chart) if name in boards), None),
            photo=boxes.box_photos(caller, game, kit).get(page.look.id),
            things=[_thing(voice, box, page, group) for group in items(page)],
            more=[
                MoreRow(
                    label=word(voice, engine, table.rpartition(".")[2]),
                    path=new_entry(box.tour.sheet, table),
                    value=new,
                )
                for table, new in page.look.more.items()
            ],
            stops=[
                StopRow(page=each.look.id, title=title(voice, engine, each), told=not each.open)
                for each in pages
            ],
            problems=boxes.clause_lines(voice, box, box.problems()),
            flaw=boxes.flaw_words(voice, box.flaw()),
        )

    def render(voice: Voice) -> Iterator[str]:
        yield voice.mark("bold", title(voice, box.engine, page))
        yield from boxes.page_lines(voice, box.engine, page)

    return Answered(data, render)


# photographs


class BoxPhotoAnswer(Data):
    game: str
    kit: str
    page: str
    digest: str | None
    """None: there is no photograph any more."""


@operation(
    "kit-photo-add",
    "POST /engines/{engine}/box/photo",
    grant=KEEPERS,
    upload="answers.requests.uploads:photograph",
    slow=True,
)
def add_photo(
    caller: Caller, game: str, content: Local[bytes], page_id: PartName = "", *, kit: BoxName = OWN
) -> Answered[BoxPhotoAnswer]:
    """Put a photograph on a page of a box, in place of the one that is there."""
    box = own_box(caller, game, kit)
    page = _photographed(box, page_id)
    photo = read_photo(content)
    attachment = Attachment(photo.content, photo.small)
    _show(caller, box, page, attachment)
    return Answered(
        lambda: BoxPhotoAnswer(game=game, kit=box.name, page=page, digest=attachment.digest),
        lambda voice: [voice.say("box.photo_added")],
    )


def _photographed(box: OwnBox, page_id: str) -> str:
    """What has a place for a photograph: a page of the tour, a whole board (``board:front``), the
    sheet with cards or tiles that is cut next (``sheet``), or what the rulebook itself says in a
    clause (``BRM-TRN-1``)."""
    boards = box.engine.guide.boards(box.tour.kit)
    others = {SHEET, *(RAW + board.name for board in boards), *box.engine.clauses}
    return page_id if page_id in others else box.page(page_id).look.id


def _show(caller: Caller, box: OwnBox, page: str, photo: Attachment | None) -> None:
    """Put it there, or take away what is there."""
    kept, game = caller.store_context.boxes, box.engine.id
    if page in box.engine.clauses:
        kept.show_wording(game, box.name, page, photo)
    elif photo is None:
        kept.hide(game, box.name, page)
    else:
        kept.show(game, box.name, page, photo)


def _shown(caller: Caller, box: OwnBox, page: str, digest: str | None = None) -> Attachment:
    context = caller.store_context
    if page not in box.engine.clauses or not context.has_boxes:
        return boxes.box_photo(caller, box.engine.id, box.name, page, digest)
    photo = context.boxes.wording_photo(box.engine.id, box.name, page)
    if photo is None or digest not in (None, photo.digest):
        raise NotFound("no_such_photo", photo=Verbatim(page))
    return photo


@operation(
    "kit-photo",
    "GET /engines/{engine}/box/photo",
    grant=TABLE,
    scope="token",
    file=NAMED_BY_FUNCTION,
    etag="content",
)
def box_photo(
    caller: Caller,
    game: str,
    page_id: PartName = "",
    *,
    kit: BoxName = OWN,
    small: bool = False,
    digest: PictureDigest = "",
) -> File:
    """The photograph on a page of a box; with a ``digest``, only if it is that one."""
    photo = _shown(caller, own_box(caller, game, kit), page_id, digest or None)
    return File(f"{game}-{page_id}.jpg", photo.small if small else photo.content)


@operation(
    "kit-photo-erase",
    "DELETE /engines/{engine}/box/photo",
    grant=KEEPERS,
    answer="kit-photo-add",
)
def erase_photo(
    caller: Caller, game: str, page_id: PartName = "", *, kit: BoxName = OWN
) -> Answered[BoxPhotoAnswer]:
    """Erase the photograph on a page of a box for good."""
    box = own_box(caller, game, kit)
    _shown(caller, box, page_id)
    _show(caller, box, page_id, None)
    return Answered(
        lambda: BoxPhotoAnswer(game=game, kit=box.name, page=page_id, digest=None),
        lambda voice: [voice.say("box.photo_gone")],
    )


# words


def _thing(voice: Voice, box: OwnBox, page: Page, questions: list[Question]) -> BoxThingRow:
    first = questions[0]
    of_place = PART in first.path or not first.item
    return BoxThingRow(
        label="" if of_place else item_label(voice, box.engine, first),
        absent=_absent(box, page, first),
        questions=[
            TourRow.made_of(
                boxes.asked_row(voice, box.engine, box.tour.sheet, question),
                name=name_of(voice, box.engine, question),
                told=not question.open,
            )
            for question in questions
        ],
    )


def _component(voice: Voice, box: OwnBox, page: Page) -> list[str]:
    """The thing that a page asks about, or what is said to be on its sides."""
    engine, sheet = box.engine, box.tour.sheet
    try:
        setting = Setting(engine.read_kit(sheet), engine.default_readings, sheet=sheet)
    except ParseError:  # what was told does not fit together yet
        return []
    for name in (page.look.id, page.look.spot):
        if name and (drawn := engine.thing(name, setting, voice.lang)):
            return [drawn]
    told = dict.fromkeys(q.value for q in page.questions if q.kind == "one" and q.choices)
    sides = (engine.thing(str(value), setting, voice.lang) for value in told)
    return [side for side in sides if side]


def _absent(box: OwnBox, page: Page, question: Question) -> str | None:
    """The entry of a table that a box may lack: the thing, or the datum itself."""
    for path in (question.item, question.path):
        if path.rpartition(".")[0] in page.look.more:
            return boxes.shown_path(box.tour.sheet, path)
    return None
