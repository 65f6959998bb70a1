"""The club's own boxes: data entered in the guided tour, kept in a sidecar file."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import Field, TypeAdapter, ValidationError

from answers.answer import Answered, Data
from answers.box_words import (
    as_chosen,
    chart_of,
    datum_label,
    question_at,
    question_label,
    title,
    value_words,
    word,
)
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.limits import ChosenData, DataPath, Search
from answers.permissions import EVERYBODY, KEEPERS, TABLE
from answers.rulebooks.kits import KitDeclareAnswer, declare, stated
from engines.kernel import Engine, KitSheet, ParseError, Spoken, Verbatim
from engines.kernel.box.kit import PART
from engines.kernel.box.tour import Page, Question, Stated, Tour, apart, spelled
from engines.kernel.dialogue.clause_text import clause_text
from engines.kernel.picture.chart import drawn
from engines.kernel.registry import load_engine
from engines.kernel.rules.actions import PlainText, by_one_name
from referee.errors import Misused, NotFound, Unfit
from referee.record.entries import Remark
from referee.store.sidecars.attachments import Attachment
from referee.store.sidecars.boxes import Seen
from referee.untrusted.safe_toml import read_kit

if TYPE_CHECKING:
    from engines.kernel.picture.svg import Picture

OWN = "own"
"""The name of a club's box, where it has one of each game."""
MOST_ENTRIES = 99
"""So many more things a box may have than the kit has of them."""

BoxName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
BoxRemark = Annotated[PlainText, Field(max_length=200)]
_NAME: TypeAdapter[str] = TypeAdapter(BoxName)
_REMARK: TypeAdapter[str] = TypeAdapter(BoxRemark)


class QuestionRow(Data):
    path: str
    name: str
    """What is asked, in words."""
    value: Any
    kind: Literal["one", "several", "number", "signs", "words"]
    choices: list[Any]
    told: bool


class BoxChoiceRow(Data):
    value: Any
    word: str


class AskedRow(Data):
    """A datum that a table is asked about, in words."""

    path: str
    name: str
    """Which thing, and what is asked of it."""
    value: Any
    shown: str
    """What the box of this table shows there, as far as anybody knows."""
    kind: Literal["one", "several", "number", "signs", "words"]
    choices: list[BoxChoiceRow]
    chosen: list[Any]
    """Of the choices, those that the value has now."""


class KitAskedAnswer(Data):
    game: str
    questions: list[AskedRow]


class PageRow(Data):
    page: str
    title: str
    chart: str
    spot: str
    questions: list[QuestionRow]


class BoxAnswer(Data):
    game: str
    kit: str
    asked: int
    """How many data the shipped kit only assumes, as they are asked."""
    told: int
    next: str | None
    """The first page with something that nobody has told yet."""
    problems: list[str]
    """Clauses of the rulebook that the box, as told so far, does not fit."""
    flaw: str | None
    """Why the box cannot be played with yet."""
    pages: list[PageRow]
    boxes: list[str]
    """All boxes of this game that the club has told something of, or has pictures of, by name."""


class BoxToldAnswer(Data):
    game: str
    kit: str
    paths: list[str]
    left: int
    next: str | None
    problems: list[str]
    flaw: str | None


class OwnBox(NamedTuple):
    """One box of the club: its game, its name, and the data entered so far."""

    engine: Engine[Any, Any]
    name: str
    tour: Tour

    @property
    def sheet(self) -> KitSheet:
        return KitSheet({**self.tour.sheet.content, "kit": self.name})

    @property
    def open_pages(self) -> tuple[Page, ...]:
        return tuple(page for page in self.tour.pages if page.open)

    @property
    def questions(self) -> list[Question]:
        return [question for page in self.tour.pages for question in page.questions]

    def telling(self, stated: Mapping[str, Stated]) -> OwnBox:
        """The same box, if this is what was told of it."""
        tour = self.tour
        return self._replace(tour=Tour(tour.model, tour.guide, tour.base, stated))

    def page(self, id: str) -> Page:
        found = next((page for page in self.tour.pages if page.look.id == id), None)
        if found is None:
            raise NotFound("no_such_page", page=Verbatim(id))
        return found

    def fields(self, voice: Voice) -> dict[str, Any]:
        """What every answer about a box says: which it is, and what is still wrong with it."""
        return {
            "game": self.engine.id,
            "kit": self.name,
            "next": self.open_pages[0].look.id if self.open_pages else None,
            "problems": self.problems(),
            "flaw": flaw_words(voice, self.flaw()),
        }

    def flaw(self) -> ParseError | None:
        """Why it cannot be played with, if what is told does not fit together."""
        try:
            self.engine.read_whole_kit(self.sheet)
        except ParseError as error:
            return error
        return None

    def problems(self) -> list[str]:
        """The clauses about the box that it does not fit."""
        if self.flaw() is not None:
            return []
        return list(dict.fromkeys(point.clause for point in self.engine.check_kit(self.sheet)))


# finding a box


def own_box(caller: Caller, game: str, name: str = OWN) -> OwnBox:
    """A club's box of a game, whether it has told anything of it or not."""
    engine = load_engine(game)
    if name in engine.kits or not _fits(_NAME, name):
        raise Misused("box_name", kit=Verbatim(name))
    seen = caller.store_context.boxes.seen(game, name) if caller.store_context.has_boxes else []
    stated = {datum.path: Stated(datum.value, datum.source) for datum in seen}
    tour = Tour(engine.kit_model, engine.guide, engine.kit_sheet(None), stated)
    return OwnBox(engine, name, tour)


def club_kit(caller: Caller, engine: Engine[Any, Any], name: str | None) -> KitSheet | None:
    """A kit that the club has told, by its name; without one, that of its own box."""
    wanted = OWN if name is None else name
    if wanted not in names_of_boxes(caller, engine.id):
        return None
    if name is None and not has_told(caller, engine.id):
        return None  # it has photographs of it, and nothing to say that the shipped kit does not
    return usable(own_box(caller, engine.id, wanted))


def names_of_boxes(caller: Caller, game: str) -> list[str]:
    """The boxes of a game that the club has told something of, or has pictures of."""
    return caller.store_context.boxes.names(game) if caller.store_context.has_boxes else []


def has_told(caller: Caller, game: str) -> bool:
    """Whether the club has told anything of its own box of a game."""
    context = caller.store_context
    return context.has_boxes and bool(context.boxes.seen(game, OWN))


def box_photos(caller: Caller, game: str, name: str) -> dict[str, str]:
    """The digests of the photographs of a box, by the page they are on."""
    context = caller.store_context
    return context.boxes.photos(game, name) if context.has_boxes else {}


def box_photo(
    caller: Caller, game: str, name: str, page: str, digest: str | None = None, *, kind: str = ""
) -> Attachment:
    """The photograph of a page, or of a ``kind`` of thing; with a ``digest``, only if it is it."""
    context = caller.store_context
    photo = context.boxes.photo(game, name, kind + page) if context.has_boxes else None
    if photo is None or digest not in (None, photo.digest):
        raise NotFound("no_such_photo", photo=Verbatim(page))
    return photo


def kit_named(caller: Caller, engine: Engine[Any, Any], name: str) -> KitSheet:
    """A kit by its name: the club's, a shipped one, or a file of it."""
    return club_kit(caller, engine, name) or read_kit(engine, name)


def usable(box: OwnBox) -> KitSheet:
    """The kit of a box, if what was told of it fits together."""
    flaw = box.flaw()
    if flaw is not None:
        raise flaw
    return box.sheet


def _fits(adapter: TypeAdapter[str], text: str) -> bool:
    try:
        adapter.validate_python(text)
    except ValidationError:
        return False
    return True


# asking


@operation("kit-box", "GET /engines/{engine}/box", grant=TABLE, scope="token")
def box(caller: Caller, game: str, kit: BoxName = OWN) -> Answered[BoxAnswer]:
    """What is asked about a box, what was told of it, and where to go on."""
    found = own_box(caller, game, kit)
    questions, open_pages = found.questions, found.open_pages
    left = sum(question.open for question in questions)

    def render(voice: Voice) -> Iterator[str]:
        name = voice.mark("bold", found.engine.words.say("game", voice.lang))
        if not questions:
            yield voice.say("box.nothing", name=Verbatim(name))
            return
        facts = {"told": len(questions) - left, "count": len(questions)}
        yield voice.say("box.progress", name=Verbatim(name), kit=Verbatim(found.name), **facts)
        yield from _doubts(voice, found)
        if open_pages:
            yield "  " + voice.say(
                "box.next", page=Verbatim(title(voice, found.engine, open_pages[0]))
            )
            yield from page_lines(voice, found.engine, open_pages[0])
        elif found.flaw() is None:
            yield "  " + voice.say("box.whole", kit=Verbatim(found.name))

    def data() -> BoxAnswer:
        voice = caller.voice
        return BoxAnswer(
            **found.fields(voice),
            asked=len(questions),
            told=len(questions) - left,
            pages=[_page_row(voice, found, page) for page in found.tour.pages],
            boxes=names_of_boxes(caller, game),
        )

    return Answered(data, render)


@operation("kit-asked", "GET /games/{game}/kit/questions", grant=EVERYBODY)
def asked(
    caller: Caller, game_id: str, data: Annotated[Sequence[DataPath], Field(max_length=20)] = ()
) -> Answered[KitAskedAnswer]:
    """What to ask a table about these data of its box: is it so there?"""
    game = caller.game(game_id)
    engine, sheet = game.engine, game.sheet
    questions = [question_at(engine, sheet, path) for path in dict.fromkeys(data)]
    for question in questions:
        if question.value is None:
            raise NotFound("not_asked", path=Verbatim(question.path))
    rows = [asked_row(caller.voice, engine, sheet, question) for question in questions]
    return Answered(
        lambda: KitAskedAnswer(game=game.id, questions=rows),
        lambda voice: [voice.labelled(row.name, row.shown) for row in rows],
    )


def asked_row(
    voice: Voice, engine: Engine[Any, Any], sheet: KitSheet, question: Question
) -> AskedRow:
    """A question in words."""
    listed = question.kind in ("several", "signs")
    return AskedRow(
        path=shown_path(sheet, question.path),
        name=datum_label(voice, engine, question),
        value=question.value,
        shown=value_words(voice, engine, question),
        kind=question.kind,
        choices=[
            BoxChoiceRow(value=choice, word=word(voice, engine, str(choice).rpartition(".")[2]))
            for choice in question.choices
        ],
        chosen=apart(question) if listed else [question.value],
    )


def page_lines(voice: Voice, engine: Engine[Any, Any], page: Page) -> Iterator[str]:
    for question in page.questions:
        label = question_label(voice, engine, question)
        yield "    " + voice.labelled(label, value_words(voice, engine, question))


def _page_row(voice: Voice, box: OwnBox, page: Page) -> PageRow:
    engine, sheet = box.engine, box.tour.sheet
    return PageRow(
        page=page.look.id,
        title=title(voice, engine, page),
        chart=page.look.chart,
        spot=page.look.spot,
        questions=[
            QuestionRow(
                path=shown_path(sheet, question.path),
                name=question_label(voice, engine, question),
                value=question.value,
                kind=question.kind,
                choices=list(question.choices),
                told=not question.open,
            )
            for question in page.questions
        ],
    )


def page_picture(voice: Voice, box: OwnBox, page: Page) -> Picture:
    """Where a page looks, with the spot marked."""
    return drawn(chart_of(voice, box.engine, box.tour, page), (page.look.spot,))


# telling


@operation("kit-told", "POST /engines/{engine}/box", grant=KEEPERS)
def tell(
    caller: Caller,
    game: str,
    data: Annotated[Mapping[str, Any], Field(max_length=1000)] = {},
    *,
    chosen: Annotated[Mapping[DataPath, ChosenData], Field(max_length=200)] = {},
    as_shown: Annotated[Sequence[DataPath], Field(max_length=200)] = (),
    kit: BoxName = OWN,
    source: Search = "",
) -> Answered[BoxToldAnswer]:
    """Enter data of a box: values by path, and pages whose other data are as shown.

    Instead of a value it may be told what was ``chosen`` of the choices of a question.
    """
    box = own_box(caller, game, kit)
    sheet = box.tour.sheet
    said = (*data.items(), *chosen.items())
    meant = by_one_name(said, partial(meant_path, sheet))
    asked = {question.path: question for question in box.questions}
    for path, picked in chosen.items():
        datum = meant_path(sheet, path)
        if datum not in asked:
            raise NotFound("not_asked", path=Verbatim(path))
        meant[datum] = spelled(asked[datum], picked)
    return keep(caller, game, meant, as_shown=as_shown, kit=kit, source=source)


def keep(
    caller: Caller,
    game: str,
    said: Mapping[str, Any],
    *,
    as_shown: Sequence[str] = (),
    kit: str = OWN,
    source: str = "",
) -> Answered[BoxToldAnswer]:
    """The same with the paths that records use."""
    before = own_box(caller, game, kit)
    remark = _remark(source) or caller.voice.say("box.seen")
    stated = dict(_checked(before, said))
    for page in map(before.page, as_shown):
        for question in page.questions:
            if question.open and not _told_of(question.path, stated):
                stated[question.path] = question.value
    tried = {**before.tour.stated, **{path: Stated(v, remark) for path, v in stated.items()}}
    after = before.telling(tried)
    _refuse_misread(after, stated)
    caller.store_context.boxes.tell(
        game, kit, [Seen(path, v, remark) for path, v in stated.items()]
    )
    return _recorded(after, list(stated))


def declare_and_keep(
    caller: Caller,
    game_id: str,
    path: DataPath,
    value: Any = None,
    source: Remark = "",
    *,
    chosen: Annotated[Sequence[Any] | None, Field(max_length=100)] = None,
    keep: bool = False,
    dry_run: bool = False,
) -> Answered[KitDeclareAnswer]:
    """State a fact about a table's own box; ``keep`` it for the club as well.

    Instead of the ``value`` it may be told what was ``chosen`` of the choices of the question.
    """
    if chosen is not None:
        game = caller.game(game_id)
        value = spelled(question_at(game.engine, game.sheet, path), chosen)
    if not keep or dry_run:
        return declare(caller, game_id, path, value, source, dry_run=dry_run)
    path, value = stated(caller.game(game_id), path, value)
    return vouch(caller, game_id, path, value, source=source)


def vouch(
    caller: Caller, game_id: str, path: str, value: Any, *, source: str = ""
) -> Answered[KitDeclareAnswer]:
    """Confirm a datum that came up in a game: declared in its record and kept for the club.

    The path is that of a record.
    """
    game = caller.game(game_id)
    said = _remark(source) or caller.voice.say("box.seen")
    answered = declare(caller, game_id, game.sheet.shown(path), value, said)
    asked = {question.path for question in own_box(caller, game.engine.id).questions}
    if path in asked:
        keep(caller, game.engine.id, {path: value}, source=said)
    return answered


def meant_path(sheet: KitSheet, path: str) -> str:
    """A path as people type it, as records have it."""
    datum, part, name = path.partition(PART)
    return sheet.meant(datum) + part + name


def shown_path(sheet: KitSheet, path: str) -> str:
    """A path as records have it, as people type it."""
    datum, part, name = path.partition(PART)
    return sheet.shown(datum) + part + name


def asked_path(sheet: KitSheet, asked: Container[str], path: str) -> str:
    """The path of a record for what people type, if it is among those that are asked about."""
    try:
        meant = meant_path(sheet, path)
    except ParseError:
        meant = ""
    if meant not in asked:
        raise NotFound("not_asked", path=Verbatim(path))
    return meant


def refuse_unfit(box: OwnBox, said: Mapping[str, Any]) -> None:
    """Refuses a whole box from elsewhere that says what is not asked, or cannot be so."""
    step = box
    for path, value in said.items():
        checked = dict(_checked(step, {path: value}))
        stated = {**step.tour.stated, **{one: Stated(v, "") for one, v in checked.items()}}
        is_new = path not in {question.path for question in step.questions}
        step = step.telling(stated) if is_new else step
    whole = box.telling({path: Stated(value, "") for path, value in said.items()})
    _refuse_misread(whole, said)
    usable(whole)


def _told_of(path: str, stated: Mapping[str, Any]) -> bool:
    """Whether a datum, or the thing it belongs to, is among what was told."""
    return any(path == one or path.startswith(f"{one}.") for one in stated)


def _remark(source: str) -> str:
    if not _fits(_REMARK, source):
        raise Misused("box_remark")
    return source


def _recorded(after: OwnBox, paths: list[str]) -> Answered[BoxToldAnswer]:
    left = sum(question.open for question in after.questions)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("box.told", count=len(paths), left=left)
        yield from _doubts(voice, after)

    def data() -> BoxToldAnswer:
        shown = [shown_path(after.tour.sheet, path) for path in paths]
        return BoxToldAnswer(**after.fields(Voice()), paths=shown, left=left)

    return Answered(data, render)


def _checked(box: OwnBox, said: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What was said, as far as it is about something that is asked."""
    tables = _open_tables(box)
    new = {
        path: value
        for path, value in said.items()
        if value is not None and _is_entry(box, tables, path, value)
    }
    stated = {**box.tour.stated, **{path: Stated(value, "") for path, value in new.items()}}
    grown = box.telling(stated) if new else box
    known = {question.path: question for question in grown.questions}
    along = (path for page in grown.tour.pages for path in page.look.along)
    known |= {path: grown.tour.question(path) for path in along}
    tables |= _open_tables(grown)
    for path, value in said.items():
        if path in new:
            yield path, value
        elif path in known and value is not None:
            yield path, checked_value(grown, known[path], value)
        elif _is_entry(grown, tables, path, value):
            yield path, value
        else:
            raise NotFound("not_asked", path=Verbatim(shown_path(grown.tour.sheet, path)))


def _open_tables(box: OwnBox) -> set[str]:
    """The tables that may have more entries or fewer than the kit has."""
    tables = {table for page in box.tour.pages for table in page.look.more}
    for board in box.engine.guide.boards(box.tour.kit):
        tables |= {new.table for new in board.new}
        tables |= {path.rpartition(".")[0] for space in board.spaces for path in space.entries}
        tables |= {space.path.rpartition(".")[0] for space in board.spaces if space.optional}
    return tables


def _is_entry(box: OwnBox, tables: set[str], path: str, value: Any) -> bool:
    """Whether it is something that the box has or has not, beside what the kit has."""
    table, _, entry = path.rpartition(".")
    if table not in tables:
        return False
    there = box.tour.sheet.at(table) or {}
    if value is None:
        return entry in there
    return entry not in there and len(there) < MOST_ENTRIES and entry.isalnum() and len(entry) < 9


def checked_value(box: OwnBox, question: Question, value: Any) -> Any:
    """A value that fits the question; what is no choice is left to the kit itself."""
    value = as_chosen(box.engine, question, value)
    chosen = value if isinstance(value, list) else [value]
    flat = [one for many in chosen for one in (many if isinstance(many, list) else [many])]
    choosing = question.kind == "one" or (question.kind == "several" and question.choices)
    if choosing and any(one not in question.choices for one in flat):
        choices = [box.engine.called(str(choice)) for choice in question.choices]
        path = Verbatim(shown_path(box.tour.sheet, question.path))
        raise Unfit("not_a_choice", path=path, choices=choices)
    return value


def _refuse_misread(box: OwnBox, stated: Iterable[str]) -> None:
    """A value that no box can have is refused; what only does not fit together yet is kept."""
    try:
        box.engine.kit_model.read(box.tour.sheet, new=True)
    except ValidationError as error:
        where = ".".join(str(key) for key in error.errors()[0]["loc"])
        for path in stated:
            datum = path.partition(PART)[0]
            if where == datum or where.startswith(f"{datum}."):
                wrong = box.engine.mistake_in_kit(box.tour.sheet, error)
                shown = Verbatim(box.tour.sheet.shown(path))
                raise Unfit("bad_value_of", path=shown, problem=wrong.problem) from None


def _doubts(voice: Voice, box: OwnBox) -> Iterator[str]:
    if (flaw := box.flaw()) is not None:
        yield "  " + voice.mark("unsure", voice.say("box.flaw", problem=flaw_words(voice, flaw)))
    for line in clause_lines(voice, box, box.problems()):
        yield "  " + voice.mark("unsure", line)


def clause_lines(voice: Voice, box: OwnBox, clauses: Sequence[str]) -> list[str]:
    """The clauses that a box does not fit, in sentences."""
    lang = voice.lang
    return [
        voice.say(
            "box.problem", clause=clause, text=Verbatim(clause_text(box.engine, clause, lang))
        )
        for clause in clauses
    ]


def flaw_words(voice: Voice, flaw: ParseError | None) -> str | None:
    if flaw is None:
        return None
    problem = flaw.facts.get("problem", "")
    return voice.spoken(problem) if isinstance(problem, Spoken) else str(problem)
