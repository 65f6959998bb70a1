"""Collections: games as chapters of one study, with notes, variations and co-authors.

Each is a stream of its own, folded here. Games are named, not copied: who may not see a game does
not see it in a collection either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct, field
from pydantic_core import from_json

from engines.kernel.values.structs import evolve
from referee.errors import Misused, NotFound
from referee.ids import letters_of, new_id
from referee.record.entries import UnreadableEntry
from referee.store.envelopes import Conflict, Draft, KeyReused, Stored
from referee.store.event_store import Store
from referee.table.author import By
from referee.table.bench import IdempotencyKeyReused, new_key, utc_now

COLLECTION = "collection-"
"""Streams of collections begin so; the rest of the name cannot be guessed."""
Visibility = Literal["private", "link", "public"]
MOST_CHAPTERS, MOST_NOTES, MOST_AUTHORS = 200, 500, 20
Write = tuple[str, dict[str, Any]]


class ChapterNote(Struct, frozen=True):
    id: str
    by: str
    number: int
    """The action that it is about."""
    text: str
    instead: tuple[str, ...] = ()
    """A variation: lines in place of that action."""


class Chapter(Struct, frozen=True):
    id: str
    game: str
    title: str = ""
    at: int | None = None
    """The moment at which it opens; None: the end."""
    notes: Mapping[str, ChapterNote] = field(default_factory=dict)


class Collection(Struct, frozen=True):
    id: str
    made: str
    authors: tuple[str, ...]
    """Who may write in it; the first has made it."""
    name: str = ""
    about: str = ""
    visibility: Visibility = "private"
    chapters: Mapping[str, Chapter] = field(default_factory=dict)
    """In their order."""
    version: int = -1
    numbered: int = 0
    """How many chapters and notes there ever were."""

    def chapter(self, id: str) -> Chapter:
        if id not in self.chapters:
            raise NotFound("no_such_chapter", chapter=id[:20])
        return self.chapters[id]

    @property
    def next_id(self) -> str:
        return f"c{self.numbered + 1}"


def folded(stream: str, rows: Iterable[Stored]) -> Collection:
    """A collection from its entries."""
    now: Collection | None = None
    for row in rows:
        body = from_json(row.body)
        if now is None:
            now = Collection(stream, body["at"], (body["by"],))
        now = _apply(now, body["kind"], body["data"], body["by"])
        now = evolve(now, version=row.seq)
    if now is None:
        raise NotFound("no_such_collection", collection=stream[:60])
    return now


def follow(now: Collection | None, body: Mapping[str, Any]) -> Collection:
    """The collection after one more stored entry, as verification replays it."""
    kind, by = body["kind"], body["by"]
    before = now or Collection(body["stream"], body["at"], (by,))
    try:
        if (now is None) != (kind == "collection_made"):
            raise ValueError
        after = _apply(before, kind, body["data"], by)
    except (KeyError, TypeError, ValueError):
        raise UnreadableEntry("out_of_place", kind=kind[:40]) from None
    _check(after)
    return after


def _apply(now: Collection, kind: str, data: dict[str, Any], by: str) -> Collection:
    chapters = dict(now.chapters)
    match kind:
        case "collection_made" | "collection_changed":
            return evolve(now, **data)
        case "author_added":
            return evolve(now, authors=tuple(dict.fromkeys((*now.authors, data["person"]))))
        case "author_removed":
            rest = tuple(one for one in now.authors[1:] if one != data["person"])
            return evolve(now, authors=(now.authors[0], *rest))
        case "chapter_added":
            told = {name: value for name, value in data.items() if name != "place"}
            chapters[data["id"]] = Chapter(**told)
            chapters = _moved(chapters, data["id"], data.get("place"))
            return evolve(now, chapters=chapters, numbered=now.numbered + 1)
        case "chapter_changed":
            told = {name: value for name, value in data.items() if name not in ("id", "place")}
            chapters[data["id"]] = evolve(chapters[data["id"]], **told)
            return evolve(now, chapters=_moved(chapters, data["id"], data.get("place")))
        case "chapter_removed":
            del chapters[data["id"]]
            return evolve(now, chapters=chapters)
        case "chapter_noted" | "chapter_unnoted":
            chapter = chapters[data["chapter"]]
            notes = dict(chapter.notes)
            if kind == "chapter_unnoted":
                del notes[data["id"]]
            else:
                said = (data["number"], data["text"], tuple(data["instead"]))
                notes[data["id"]] = ChapterNote(data["id"], by, *said)
            chapters[chapter.id] = evolve(chapter, notes=notes)
            more = 1 if kind == "chapter_noted" else 0
            return evolve(now, chapters=chapters, numbered=now.numbered + more)
    return now  # a later version wrote it


def _moved(chapters: dict[str, Chapter], id: str, place: int | None) -> dict[str, Chapter]:
    if place is None:
        return chapters
    order = [each for each in chapters if each != id]
    order.insert(place - 1, id)
    return {each: chapters[each] for each in order}


def read_collection(store: Store, id: str) -> Collection:
    known = id if id.startswith(COLLECTION) else f"{COLLECTION}{id}"
    return folded(known, store.read(known))


def read_collections(store: Store) -> list[Collection]:
    """All of them, the latest first."""
    found = [folded(stream, store.read(stream)) for stream in store.streams(COLLECTION)]
    return sorted(found, key=lambda one: one.made, reverse=True)


def make_collection(
    store: Store, *, name: str, about: str, visibility: Visibility, by: By
) -> Collection:
    id = COLLECTION + (letters_of(by.key) if by.key else new_id(letters=16))
    said = {"name": name, "about": about, "visibility": visibility}
    _append(store, id, -1, ("collection_made", said), by)
    return read_collection(store, id)


def write_collection(
    store: Store, id: str, saying: Callable[[Collection], Write], *, by: By
) -> Collection:
    """Write what is to be said of a collection as it stands; once more if others were faster.

    With a key that is known it is said of the collection as it stood: the store has the same.
    """
    while True:
        rows = store.read(id)
        said = (row.seq for row in rows if by.key and from_json(row.body)["key"] == by.key)
        now = folded(id, rows[: next(said, None)])
        write = saying(now)
        _check(_apply(now, *write, by.author.person))
        try:
            _append(store, now.id, now.version, write, by)
        except Conflict:
            continue
        return read_collection(store, id)


def _append(store: Store, id: str, version: int, write: Write, by: By) -> None:
    kind, data = write
    draft = Draft(kind, 1, data, by.key or new_key())
    role, person = by.author.recorded, by.author.person
    try:
        store.append(id, [draft], expected=version, at=utc_now(), by=person, role=role)
    except KeyReused as other:
        raise IdempotencyKeyReused("key_reused", key=other.key, entry=other.stored.seq) from None


def _check(made: Collection) -> None:
    notes = sum(len(chapter.notes) for chapter in made.chapters.values())
    counts = (
        ("chapters", len(made.chapters), MOST_CHAPTERS),
        ("notes", notes, MOST_NOTES),
        ("authors", len(made.authors), MOST_AUTHORS),
    )
    for what, count, most in counts:
        if count > most:
            raise Misused("collection_full", what=what, most=most)
