"""Collections of games: chapters with notes and variations, private, by link or public."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field

from answers.admin.people import find_person
from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice, columns
from answers.known_games import known_games
from answers.limits import ChapterId, ChapterPlace, CollectionName, Id, Line, Title
from answers.permissions import AUTHORS, EVERYBODY
from answers.play.analysis import trial
from answers.play.info import GameRow, game_row
from answers.rulebooks.games import game_name
from answers.verdict_text import short
from referee.archive import collections as archive
from referee.archive.collections import Chapter, Collection, Visibility, Write
from referee.errors import Misused, NotAllowed, NotFound
from referee.record.entries import SPECTATOR, Number, Remark
from referee.table.author import Author

KEEPERS = ("organiser", "judge", "scribe")
OpensAt = Number | Literal["end"]
"""Where a chapter opens: at a move, or where its game ends."""


class ChapterNoteRow(Data):
    id: str
    author: str
    number: int
    text: str
    instead: list[str]
    after: int
    """Where the variation begins: the action before the one that is noted."""


class ChapterRow(Data):
    id: str
    title: str
    at: int | None
    game: GameRow | None
    """None where the caller may not know of it."""
    notes: list[ChapterNoteRow]


class CollectionRow(Data):
    collection: str
    name: str
    about: str
    visibility: Visibility
    authors: list[str]
    made: str
    chapters: int
    may_write: bool


class CollectionAnswer(CollectionRow):
    content: list[ChapterRow]


class CollectionListAnswer(Data):
    collections: list[CollectionRow]


@operation("collection-list", "GET /collections", grant=EVERYBODY, scope="list", etag="content")
def collections(caller: Caller) -> Answered[CollectionListAnswer]:
    """Those that are public, and the caller's own."""
    found = [
        one
        for one in archive.read_collections(caller.store_context.store)
        if one.visibility == "public" or _owns(caller, one)
    ]
    rows = [CollectionRow.made_of(one, **_fields(caller, one)) for one in found]

    def told(voice: Voice) -> list[str]:
        return columns(
            (
                row.collection.removeprefix(archive.COLLECTION),
                row.name,
                voice.say("collection.chapters", count=row.chapters),
                voice.say(f"collection.{row.visibility}"),
                ", ".join(row.authors),
            )
            for row in rows
        ) or [voice.say("collection.none")]

    return Answered(lambda: CollectionListAnswer(collections=rows), told)


@operation(
    "collection-show",
    "GET /collections/{collection}",
    grant=EVERYBODY,
    scope="list",
    etag="content",
)
def collection(caller: Caller, collection: str) -> Answered[CollectionAnswer]:
    """A collection: what it is, and its games in their order."""
    return _answered(caller, readable_collection(caller, collection))


@operation(
    "collection-new", "POST /collections", grant=AUTHORS, scope="token", answer="collection-show"
)
def new(
    caller: Caller, name: CollectionName, *, about: Remark = "", visibility: Visibility = "private"
) -> Answered[CollectionAnswer]:
    """A new collection, whose first author is the caller."""
    if caller.token and caller.author.person == "anonymous":
        raise NotAllowed("collection_needs_person")
    made = archive.make_collection(
        caller.store_context.store,
        name=_said(name),
        about=about,
        visibility=visibility,
        by=caller.by,
    )
    return _answered(caller, made)


@operation(
    "collection-edit",
    "POST /collections/{collection}",
    grant=AUTHORS,
    scope="token",
    described=True,
    answer="collection-show",
)
def edit(
    caller: Caller,
    collection: str,
    *,
    name: CollectionName | None = None,
    about: Remark | None = None,
    visibility: Visibility | None = None,
    author: CollectionName | None = None,
    without: CollectionName | None = None,
) -> Answered[CollectionAnswer]:
    """One thing at a time: name, text and visibility; or an author, or one without."""

    def saying(now: Collection) -> Write:
        if author is not None:
            return "author_added", {"person": find_person(caller, author)}
        if without is not None:
            return "author_removed", {"person": find_person(caller, without)}
        said = {"name": name and _said(name), "about": about, "visibility": visibility}
        changed = {field: value for field, value in said.items() if value is not None}
        if not changed:
            raise Misused("nothing_to_change")
        return "collection_changed", changed

    return _written(caller, collection, saying)


@operation(
    "collection-put",
    "POST /collections/{collection}/chapters",
    grant=AUTHORS,
    scope="token",
    described=True,
    answer="collection-show",
)
def put(
    caller: Caller,
    collection: str,
    *,
    game: Id | None = None,
    chapter: ChapterId | None = None,
    title: Title | None = None,
    at: OpensAt | None = None,
    place: ChapterPlace | None = None,
) -> Answered[CollectionAnswer]:
    """A game that is added, or changes of the chapter that is named.

    Those are its title, the moment at which it opens, its place.
    """
    opens = None if at == "end" else at

    def saying(now: Collection) -> Write:
        if chapter is None:
            known = _known(caller, game or "")
            said = {"id": now.next_id, "game": known.game, "title": title or "", "at": opens}
            return "chapter_added", said if place is None else {**said, "place": place}
        changed: dict[str, Any] = {"title": title, "at": at, "place": place}
        told = {field: value for field, value in changed.items() if value is not None}
        if not told:
            raise Misused("nothing_to_change")
        if at is not None:
            told["at"] = opens
        return "chapter_changed", {"id": now.chapter(chapter).id, **told}

    return _written(caller, collection, saying)


@operation(
    "collection-remove",
    "POST /collections/{collection}/chapters/{chapter}/removal",
    grant=AUTHORS,
    scope="token",
    answer="collection-show",
)
def remove(caller: Caller, collection: str, chapter: str) -> Answered[CollectionAnswer]:
    """Take a chapter out; its game stays where it is."""
    return _written(
        caller, collection, lambda now: ("chapter_removed", {"id": now.chapter(chapter).id})
    )


@operation(
    "collection-note",
    "POST /collections/{collection}/chapters/{chapter}/notes",
    grant=AUTHORS,
    scope="token",
    answer="collection-show",
)
def note(
    caller: Caller,
    collection: str,
    chapter: str,
    number: Number,
    text: Remark = "",
    *,
    instead: Annotated[Sequence[Line], Field(max_length=30)] = (),
) -> Answered[CollectionAnswer]:
    """A note on an action of a chapter, perhaps with a variation in its place, which is judged."""
    if not text.strip() and not instead:
        raise Misused("nothing_to_note")

    def saying(now: Collection) -> Write:
        about = now.chapter(chapter)
        row = _known(caller, about.game)
        seen = as_they_see(caller, row)
        if number and number not in seen.game(row.game).numbers():
            raise NotFound("no_such_action", number=number)
        if instead:
            tried = trial(seen, row.game, instead, at=_before(seen, row.game, number)).data
            if not tried.accepted:
                raise Misused("variation_illegal", line=" · ".join(instead))
        said = {"chapter": about.id, "id": now.next_id.replace("c", "n"), "number": number}
        return "chapter_noted", {**said, "text": text.strip(), "instead": instead or []}

    return _written(caller, collection, saying)


@operation(
    "collection-unnote",
    "POST /collections/{collection}/chapters/{chapter}/notes/{note}/removal",
    grant=AUTHORS,
    scope="token",
    answer="collection-show",
)
def unnote(caller: Caller, collection: str, chapter: str, note: str) -> Answered[CollectionAnswer]:
    """Remove a note of a chapter."""

    def saying(now: Collection) -> Write:
        if note not in now.chapter(chapter).notes:
            raise NotFound("no_such_note", note=note)
        return "chapter_unnoted", {"chapter": chapter, "id": note}

    return _written(caller, collection, saying)


def _written(
    caller: Caller, id: str, saying: Callable[[Collection], Write]
) -> Answered[CollectionAnswer]:
    found = readable_collection(caller, id)
    if not _owns(caller, found):
        raise NotAllowed("collection_of_others")
    made = archive.write_collection(caller.store_context.store, found.id, saying, by=caller.by)
    return _answered(caller, made)


def readable_collection(caller: Caller, id: str) -> Collection:
    """Whoever knows the address of one that is not private may read it."""
    found = archive.read_collection(caller.store_context.store, id)
    if found.visibility == "private" and not _owns(caller, found):
        raise NotFound("no_such_collection", collection=id[:60])
    return found


def _owns(caller: Caller, one: Collection) -> bool:
    """Its authors, the organiser of the store, and whoever sits at the store itself."""
    role = caller.author.role
    if not caller.token:
        return role in KEEPERS
    if role == "organiser" and not caller.scope:
        return True
    return caller.author.person in one.authors and role != SPECTATOR


def _known(caller: Caller, game: str) -> GameRow:
    found = [row for row in known_games(caller) if row["game"] == game]
    if not found:
        raise NotFound("no_such_game", game=game[:60])
    return game_row(caller, found[0])


def as_they_see(caller: Caller, row: GameRow) -> Caller:
    """The caller as they see this game: whose token is for another one only looks on."""
    if caller.speaks_for(row.game, row.tournament):
        return caller
    return replace(caller, author=Author(caller.author.person, SPECTATOR))


def _before(caller: Caller, game: str, number: int) -> int:
    return max((one for one in caller.game(game).numbers() if one < number), default=0)


def _said(name: str) -> str:
    if not name.strip():
        raise Misused("collection_needs_name")
    return name.strip()


def _fields(caller: Caller, one: Collection) -> dict[str, Any]:
    return {
        "collection": one.id,
        "authors": [caller.name(person) for person in one.authors],
        "chapters": len(one.chapters),
        "may_write": _owns(caller, one),
    }


def _answered(caller: Caller, one: Collection) -> Answered[CollectionAnswer]:
    known = {row["game"]: game_row(caller, row) for row in known_games(caller)}
    content = [_chapter(caller, chapter, known) for chapter in one.chapters.values()]
    made = CollectionAnswer.made_of(one, **_fields(caller, one), content=content)

    def told(voice: Voice) -> Iterator[str]:
        yield voice.mark("bold", made.name)
        yield f"{made.collection}  {voice.say(f'collection.{made.visibility}')}"
        for chapter in made.content:
            yield "  ".join(part for part in (chapter.id, *_called(voice, chapter)) if part)
            for note in chapter.notes:
                said = " · ".join([*([note.text] if note.text else []), *note.instead])
                yield f"    {note.id} #{note.number} {said}  — {note.author}"

    return Answered(lambda: made, told)


def _called(voice: Voice, chapter: ChapterRow) -> Iterator[str]:
    yield chapter.title
    if chapter.game is None:
        yield voice.say("collection.hidden")
        return
    yield short(chapter.game.game)
    yield game_name(voice, chapter.game.engine)
    yield "" if chapter.at is None else f"#{chapter.at}"


def _chapter(caller: Caller, chapter: Chapter, known: dict[str, GameRow]) -> ChapterRow:
    row = known.get(chapter.game)
    if row is None:
        return ChapterRow.made_of(chapter, game=None, notes=[])
    notes = [
        ChapterNoteRow.made_of(
            note,
            author=caller.name(note.by),
            after=_before(as_they_see(caller, row), row.game, note.number),
        )
        for note in chapter.notes.values()
    ]
    return ChapterRow.made_of(chapter, game=row, notes=notes)
