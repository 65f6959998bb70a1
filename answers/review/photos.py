"""Photographs of the real table: added, looked at, erased."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from answers.answer import Answered, Data
from answers.box_words import word
from answers.context import Caller
from answers.declaration import NAMED_BY_FUNCTION, Local, operation
from answers.file_answers import File
from answers.i18n import Voice
from answers.limits import DisputeRef, PartWord, Search
from answers.permissions import EVERYBODY, Writes
from answers.rulebooks.box_pieces import words_of
from engines.kernel import Seat, Verbatim
from referee.errors import NotAllowed, NotFound
from referee.record.entries import UNSEEN, Entry, Number, Photographed, Remark
from referee.record.game import Game
from referee.store.sidecars.attachments import State
from referee.table.photos import erase_photo, photograph
from referee.untrusted.photos import read_photo

PhotoState = Literal["there", "hidden", "erased", "missing", "altered"]


class PhotoAnswer(Data):
    game: str
    id: str
    number: int
    """The action it is about; 0 is the opening."""
    dispute: str | None
    only: str | None
    """Whose hand it shows."""
    about: str
    """The place or the component that it shows, as it is typed."""
    shows: str
    """The same in words."""
    caption: str
    author: str
    at: str
    digest: str
    size: int
    width: int
    height: int
    state: PhotoState
    """``hidden``: not for this viewer yet. ``missing``, ``altered``: the store has it no more."""


class PhotoListAnswer(Data):
    game: str
    photos: list[PhotoAnswer]


class PhotoErasedAnswer(Data):
    game: str
    photo: str
    digest: str


@operation(
    "photo-add",
    "POST /games/{game}/photos",
    grant=Writes("photographed"),
    upload="answers.requests.uploads:photograph",
    slow=True,
)
def add(
    caller: Caller,
    game_id: str,
    content: Local[bytes],
    *,
    at: Number | None = None,
    dispute: DisputeRef | None = None,
    only: Seat | None = None,
    about: PartWord = "",
    caption: Search = "",
) -> Answered[PhotoAnswer]:
    """Add a photograph to a moment or a dispute; it is encoded anew, without its metadata.

    ``only``: the seat whose hand it shows, and that alone sees it before the game is over, beside
    those who see all hands; ``about``: the place or the component on it.
    """
    answer = photograph(
        caller.bench,
        game_id,
        caller.store_context.attachments,
        read_photo(content),
        at=at,
        dispute=dispute,
        only=only,
        about=_meant(caller.game(game_id), about),
        caption=caption,
        by=caller.by,
    )
    entry = answer.entries[0]
    made = entry.data
    assert isinstance(made, Photographed)
    return Answered(
        lambda: _row(caller, answer.game, entry, made, {made.digest: "there"}),
        lambda voice: _told_added(voice.at(answer.game.seats), answer.game, made),
    )


@operation("photo-list", "GET /games/{game}/photos", grant=EVERYBODY, etag="content")
def photos(caller: Caller, game_id: str) -> Answered[PhotoListAnswer]:
    """The photographs of a game, in the order in which they were added."""
    game = caller.game(game_id)
    there = caller.store_context.has_attachments and game.photos
    states = caller.store_context.attachments.states(game.id) if there else {}
    rows = [
        _row(caller, game, entry, entry.data, states)
        for entry in (game.entries if game.photos else ())
        if isinstance(entry.data, Photographed)
    ]

    def render(voice: Voice) -> Iterator[str]:
        for row in rows:
            where = f"#{row.number}" + (f" {row.dispute}" if row.dispute else "")
            about = row.caption if row.state == "there" else voice.say(f"photo.{row.state}")
            parts = [voice.mark("bold", f"{row.id} {where}"), row.shows, about]
            by = f"  — {row.author}" if row.author else ""
            yield "  ".join(part for part in parts if part) + by
        if not rows:
            yield voice.say("photo.none")

    return Answered(lambda: PhotoListAnswer(game=game.id, photos=rows), render)


@operation(
    "photo",
    "GET /games/{game}/photos/{photo}",
    grant=EVERYBODY,
    file=NAMED_BY_FUNCTION,
    etag="content",
)
def photo(caller: Caller, game_id: str, photo_id: str, *, small: bool = False) -> File:
    """One photograph as a file."""
    found = caller.game(game_id).photo_named(photo_id)
    if found.digest == UNSEEN:
        raise NotAllowed("photo_hidden", photo=photo_id, seat=found.only or "")
    there = caller.store_context.has_attachments
    attachments = caller.store_context.attachments if there else None
    attachment = attachments.find(game_id, found.digest) if attachments is not None else None
    if attachments is None or attachment is None:
        altered = attachments and attachments.state(game_id, found.digest) == "altered"
        raise NotFound("photo_altered" if altered else "photo_missing", photo=photo_id)
    return File(f"{photo_id}.jpg", attachment.small if small else attachment.content)


@operation("photo-erase", "POST /games/{game}/photos/{photo}/erasure", grant=Writes("photo_erased"))
def erase(
    caller: Caller, game_id: str, photo_id: str, *, reason: Remark = ""
) -> Answered[PhotoErasedAnswer]:
    """Erase a photograph for good; its digest stays in the record."""
    answer = erase_photo(caller.bench, game_id, photo_id, reason=reason, by=caller.by)
    digest = answer.game.photos[photo_id].digest
    if not answer.game.shows(digest):
        caller.store_context.attachments.erase(game_id, digest)
    return Answered(
        lambda: PhotoErasedAnswer(game=game_id, photo=photo_id, digest=digest),
        lambda voice: [voice.say("photo.gone", id=photo_id, digest=Verbatim(digest[:16]))],
    )


def _told_added(voice: Voice, game: Game, made: Photographed) -> Iterator[str]:
    yield voice.say("photo.added", id=made.id, number=made.number)
    if made.only is not None:
        key = "photo.for_all_now" if game.state.over else "photo.for_one"
        yield voice.say(key, seat=made.only)


def _row(
    caller: Caller, game: Game, entry: Entry, made: Photographed, states: Mapping[str, State]
) -> PhotoAnswer:
    called = word(caller.voice, game.engine, made.about) if made.about else ""
    state: PhotoState = states.get(made.digest, "missing")
    if state == "erased":  # without an entry that says so
        state = "missing"
    if made.digest == UNSEEN:
        state = "hidden"
    return PhotoAnswer.made_of(
        made,
        game=game.id,
        author="" if entry.by == "anonymous" else caller.name(entry.by),
        at=entry.at,
        shows=f"{made.about} ({called})" if called != made.about else made.about,
        state="erased" if made.id in game.photos_erased else state,
    )


def _meant(game: Game, about: str) -> str:
    """A place of a board or a component with a code, as the game calls it."""
    if not about:
        return ""
    guide, kit = game.engine.guide, game.setting.kit
    known = {word for code in guide.codes(kit) for word in words_of(code.code)}
    known |= {space.name for board in guide.boards(kit) for space in board.spaces}
    known |= game.engine.spaces(game.state, game.setting, None)
    found = next((word for word in known if word.casefold() == about.strip().casefold()), None)
    if found is None:
        raise NotFound("no_such_code", code=Verbatim(about))
    return found
