"""Notes and photographs of a game, and collections of games."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from answers.limits import EntryNumber
from cli.session import session
from referee.errors import Misused, NotFound


def add_note(
    where: str,
    text: Sequence[str] = (),
    *,
    glyph: Sequence[str] = (),
    tag: Sequence[str] = (),
    mark: Sequence[str] = (),
    arrow: Sequence[str] = (),
    clause: Sequence[str] = (),
    instead: Sequence[str] = (),
    bookmark: bool = False,
) -> int:
    from answers.review import notes
    from referee.table.notes import Annotation

    here = session()
    annotation = Annotation(
        text=" ".join(text),
        glyphs=tuple(glyph),
        tags=tuple(tag),
        marks=tuple(mark),
        arrows=tuple(map(_arrow, arrow)),
        clauses=tuple(name.upper() for name in clause),
        instead=tuple(instead),
        bookmark=bookmark,
    )
    return here.run(notes.add, here.game_id(), where, annotation)


def _arrow(word: str) -> tuple[str, str]:
    start, sign, end = word.partition(":")
    if not sign or not start or not end:
        raise Misused("not_an_arrow", word=word)
    return start, end


def add_photo(
    file: Path,
    caption: Sequence[str] = (),
    *,
    at: EntryNumber | None = None,
    dispute: str | None = None,
    only: str | None = None,
    shows: str = "",
) -> int:
    from answers.review import photos
    from referee.untrusted.photos import MOST_BYTES
    from referee.untrusted.safe_toml import read_limited

    if not file.is_file():
        raise NotFound("no_such_file", file=str(file))
    here = session()
    content = read_limited(file, MOST_BYTES)
    return here.run(
        photos.add,
        here.game_id(),
        content,
        at=at,
        dispute=dispute,
        only=only.upper() if only else None,
        about=shows,
        caption=" ".join(caption),
    )


def save_photo(photo: str, *, output: Path | None = None, force: bool = False) -> int:
    from answers.review import photos
    from cli.output import put, refuse_existing

    here = session()
    game = here.game_id()
    stored = here.caller.ask(photos.photo, game, photo)
    file = output or Path(f"{game.removeprefix('game-')}-{stored.name}")
    refuse_existing(file, force)
    return put(here, stored.content, file, game)


def put_in_collection(
    collection: str,
    *,
    chapter: str | None = None,
    title: str | None = None,
    at: int | Literal["end"] | None = None,
    place: Annotated[int | None, Field(ge=1)] = None,
) -> int:
    """The current game, unless a chapter is named."""
    from answers.review import collections

    here = session()
    game = None if chapter is not None else here.game_id()
    return here.run(
        collections.put, collection, game=game, chapter=chapter, title=title, at=at, place=place
    )


def read_opening_moment(text: str) -> int | Literal["end"]:
    """A move by its number, or ``end``."""
    from answers.review.collections import OpensAt

    try:
        return TypeAdapter[int | Literal["end"]](OpensAt).validate_python(text)
    except ValidationError:
        raise Misused("bad_opening_moment", text=text) from None


def export_collection(collection: str, *, output: Path, names: bool = False) -> int:
    """The format is the ending of the file."""
    from answers.review.collection_files import collection_file
    from cli.output import put

    here = session()
    format = output.suffix.removeprefix(".")
    made = here.caller.ask(collection_file, collection, format, names=names)
    return put(here, made.content, output)
