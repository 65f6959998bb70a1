"""``referee note``: annotate actions, read and search notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from cli.session import Key, Reason, Session, session
from cli.speech import say
from cli.telling import short
from referee.archive.lists import search_notes
from referee.errors import Misused
from referee.record.entries import Noted
from referee.record.game import Game
from referee.table.notes import GLYPHS, Annotation, annotate, remove_note

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
    answer = annotate(here.bench, here.game_id(), where, annotation, author=here.author, key=key)
    made = answer.entries[0].data
    assert isinstance(made, Noted)
    lines = [say("note.added", id=made.id, where=made.on or f"#{made.number}")]
    return here.answer("note-add", note_data(here, answer.game, made), lines)


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
    answer = remove_note(
        here.bench, here.game_id(), note, reason=reason, author=here.author, key=key
    )
    data = {"game": answer.game.id, "note": note}
    return here.answer("note-remove", data, [say("note.removed", id=note)])


@app.command(name="list")
def list_notes(
    tag: Annotated[str | None, typer.Option("--tag")] = None,
    bookmarks: Annotated[bool, typer.Option("--bookmarks")] = False,
) -> int:
    here = session()
    game = here.seen()
    found = [
        note
        for note in sorted(game.notes.values(), key=lambda note: note.number)
        if (tag is None or tag in note.tags) and (note.bookmark or not bookmarks)
    ]
    lines: list[str] = []
    for note in found:
        lines += note_lines(here, game, note)
    data = {"game": game.id, "notes": [note_data(here, game, note) for note in found]}
    return here.answer("note-list", data, lines or [say("note.none")])


@app.command()
def search(words: Annotated[list[str], typer.Argument()]) -> int:
    here = session()
    rows = search_notes(here.bench.store, " ".join(words))
    lines = [f"{short(row['game'])} {row['note']} #{row['number']}  {row['text']}" for row in rows]
    return here.answer("note-search", {"notes": rows}, lines or [say("note.none")])


def note_lines(here: Session, game: Game, note: Noted) -> Iterator[str]:
    """A note as it is read: signs and words, then what it points at."""
    signs = " ".join(f"{GLYPHS[name].sign} {say(f'glyph.{name}')}" for name in note.glyphs)
    where = note.on or f"#{note.number}"
    author = author_of(here, game, note.id)
    parts = [here.paint("bold", f"{note.id} {where}"), signs, note.text]
    yield "  ".join(part for part in parts if part) + (f"  — {author}" if author else "")
    if note.tags or note.bookmark:
        marked = [say("note.bookmark")] if note.bookmark else []
        yield "    " + " ".join([*marked, *(f"[{tag}]" for tag in note.tags)])
    if note.marks or note.arrows:
        arrows = [f"{start}→{end}" for start, end in note.arrows]
        yield "    " + say("note.marks", spaces=" ".join([*note.marks, *arrows]))
    for clause in note.clauses:
        yield f"    {clause}"
    for index, said in enumerate(note.variation, start=1):
        line = game.engine.text(game.engine.load(said.action))
        yield f"    {note.id}.{index} {line}  {say('outcome.' + said.verdict.outcome)}"


def author_of(here: Session, game: Game, note: str) -> str:
    for entry in game.entries:
        if isinstance(entry.data, Noted) and entry.data.id == note:
            return "" if entry.by == "anonymous" else here.name(entry.by)
    return ""


def note_data(here: Session, game: Game, note: Noted) -> dict[str, Any]:
    data = note.model_dump(mode="json")
    data["variation"] = [game.engine.text(game.engine.load(said.action)) for said in note.variation]
    return {"game": game.id, "author": author_of(here, game, note.id), **data}
