"""``referee note``: annotate actions, read and search notes."""

from typing import Annotated

import typer

from answers.review import notes
from cli.session import Key, Reason, session
from referee.errors import Misused
from referee.table.notes import Annotation

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command()
def add(
    where: Annotated[str, typer.Argument()],
    text: Annotated[list[str] | None, typer.Argument()] = None,
    glyph: Annotated[list[str] | None, typer.Option("--glyph")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag")] = None,
    mark: Annotated[list[str] | None, typer.Option("--mark")] = None,
    arrow: Annotated[list[str] | None, typer.Option("--arrow")] = None,
    clause: Annotated[list[str] | None, typer.Option("--clause")] = None,
    instead: Annotated[list[str] | None, typer.Option("--instead")] = None,
    bookmark: Annotated[bool, typer.Option("--bookmark")] = False,
    key: Key = None,
) -> int:
    here = session()
    annotation = Annotation(
        text=" ".join(text or []),
        glyphs=tuple(glyph or ()),
        tags=tuple(tag or ()),
        marks=tuple(mark or ()),
        arrows=tuple(_arrow(word) for word in arrow or ()),
        clauses=tuple(name.upper() for name in clause or ()),
        instead=tuple(instead or ()),
        bookmark=bookmark,
    )
    return here.run(notes.add, here.game_id(), where, annotation, key=key)


def _arrow(word: str) -> tuple[str, str]:
    start, sign, end = word.partition(":")
    if not sign or not start or not end:
        raise Misused("not_an_arrow", word=word)
    return start, end


@app.command()
def remove(
    note: Annotated[str, typer.Argument()],
    reason: Reason = "",
    key: Key = None,
) -> int:
    here = session()
    return here.run(notes.remove, here.game_id(), note, reason=reason, key=key)


@app.command(name="list")
def list_notes(
    tag: Annotated[str | None, typer.Option("--tag")] = None,
    bookmarks: Annotated[bool, typer.Option("--bookmarks")] = False,
) -> int:
    here = session()
    return here.run(notes.notes, here.game_id(), tag=tag, bookmarks=bookmarks)


@app.command()
def search(words: Annotated[list[str], typer.Argument()]) -> int:
    here = session()
    return here.run(notes.search, " ".join(words))
