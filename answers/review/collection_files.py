"""A whole collection as one document: every chapter with its notes, as a page or on paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from answers.answer import Answered
from answers.context import Caller
from answers.declaration import NAMED_BY_FUNCTION, operation
from answers.file_answers import File
from answers.permissions import EVERYBODY
from answers.review.collections import CollectionAnswer, as_they_see, collection
from answers.review.import_export import ExportOptions, asked_for
from answers.rulebooks.games import game_name
from referee.errors import Misused, NotFound
from replays.exports.html import PageChapter
from replays.formats import COLLECTED, Told, collected

MOST_CHAPTERS = 40


@operation(
    "collection-file",
    "GET /collections/{collection}/file/{format}",
    grant=EVERYBODY,
    scope="list",
    file=NAMED_BY_FUNCTION,
    slow=True,
    etag="content",
)
def collection_file(
    caller: Caller,
    collection: str,
    format: str = "html",
    *,
    names: bool = False,
    on_step: Callable[[int, int], None] = lambda done, total: None,
) -> File:
    """All chapters that the caller may know, in one file: ``html`` or ``pdf``."""
    if format not in COLLECTED:
        raise NotFound("no_such_format", format=format, formats=list(COLLECTED))
    found = _found(caller, collection)
    if len(found.content) > MOST_CHAPTERS:
        raise Misused("too_many_chosen", most=MOST_CHAPTERS)
    chapters = []
    for done, one in enumerate(_chapters(caller, found, format, names), start=1):
        chapters.append(one)
        on_step(done, len(found.content))
    if not chapters:
        raise NotFound("no_games_chosen")
    content = collected(found.name, format, chapters)
    return File(f"{found.collection}.{format}", content)


def _found(caller: Caller, id: str) -> CollectionAnswer:
    answered: Answered[CollectionAnswer] = collection(caller, id)
    return answered.data


def _chapters(
    caller: Caller, found: CollectionAnswer, format: str, names: bool
) -> Iterator[tuple[PageChapter, Sequence[Told]]]:
    for one in found.content:
        if one.game is None:
            continue
        seen = as_they_see(caller, one.game)
        _, game, _, options = asked_for(seen, one.game.game, format, ExportOptions(names=names))
        title = one.title or one.game.title or game_name(caller.voice, one.game.engine)
        notes = [(note.number, note.text, note.instead) for note in one.notes]
        yield PageChapter(title, one.at, game, options), notes
