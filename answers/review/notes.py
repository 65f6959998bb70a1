"""Annotating actions; reading and searching notes."""

from __future__ import annotations

from collections.abc import Iterator

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.left_out import left_out
from answers.limits import Searched, Tag
from answers.line_words import glyph_text
from answers.permissions import EVERYBODY, KEEPERS, Writes
from answers.verdict_text import short
from referee.archive.read_models import search_notes
from referee.record.entries import Noted, Remark
from referee.record.game import Game
from referee.record.glyphs import GLYPHS
from referee.table.notes import Annotation, annotate, remove_note


class NoteAnswer(Data):
    game: str
    author: str
    id: str
    number: int
    on: str | None
    """A step of another note's variation, instead of the action itself."""
    text: str
    glyphs: list[str]
    tags: list[str]
    marks: list[str]
    arrows: list[tuple[str, str]]
    clauses: list[str]
    variation: list[str]
    bookmark: bool


class NoteRemoveAnswer(Data):
    game: str
    note: str


class NoteListAnswer(Data):
    game: str
    notes: list[NoteAnswer]


class FoundNote(Data):
    game: str
    note: str
    number: int
    text: str
    tags: str


class NoteSearchAnswer(Data):
    notes: list[FoundNote]


@operation(
    "note-add",
    "POST /games/{game}/notes",
    grant=Writes("noted"),
    params="answers.requests.review:NoteRequest",
    rename={"where": "on", "annotation": "*"},
)
def add(caller: Caller, game_id: str, where: str, annotation: Annotation) -> Answered[NoteAnswer]:
    """A note on an action (``12``) or on a step of a variation (``n2.1``)."""
    answer = annotate(caller.bench, game_id, where, annotation, by=caller.by)
    made = answer.entries[0].data
    assert isinstance(made, Noted)
    return Answered(
        lambda: _note(caller, answer.game, made),
        lambda voice: [voice.say("note.added", id=made.id, where=made.on or f"#{made.number}")],
    )


@operation("note-remove", "POST /games/{game}/notes/{note}/removal", grant=Writes("unnoted"))
def remove(
    caller: Caller, game_id: str, note_id: str, *, reason: Remark = ""
) -> Answered[NoteRemoveAnswer]:
    """Remove a note; the record keeps that it was there."""
    remove_note(caller.bench, game_id, note_id, reason=reason, by=caller.by)
    return Answered(
        lambda: NoteRemoveAnswer(game=game_id, note=note_id),
        lambda voice: [voice.say("note.removed", id=note_id)],
    )


@operation("note-list", "GET /games/{game}/notes", grant=EVERYBODY, etag="content")
def notes(
    caller: Caller, game_id: str, *, tag: Tag | None = None, bookmarks: bool = False
) -> Answered[NoteListAnswer]:
    """The notes of a game that whoever asks may read."""
    game = caller.game(game_id)
    found = [
        note
        for note in sorted(game.notes.values(), key=lambda note: note.number)
        if (tag is None or tag in note.tags) and (note.bookmark or not bookmarks)
    ]

    def render(voice: Voice) -> Iterator[str]:
        for note in found:
            yield from note_lines(voice, caller, game, note)
        if not found:
            yield voice.say("note.none")

    def data() -> NoteListAnswer:
        return NoteListAnswer(game=game.id, notes=[_note(caller, game, note) for note in found])

    return Answered(data, render)


@operation("note-search", "GET /notes", grant=KEEPERS, slow=True)
def search(caller: Caller, words: Searched) -> Answered[NoteSearchAnswer]:
    """Notes of all games that have these words."""
    rows = search_notes(caller.store_context.store, words)

    def render(voice: Voice) -> Iterator[str]:
        for row in rows:
            yield f"{short(row['game'])} {row['note']} #{row['number']}  {row['text']}"
        if not rows:
            yield voice.say("note.none")

    return Answered(
        lambda: NoteSearchAnswer(notes=[FoundNote(**row) for row in rows]),
        render,
        warnings=left_out(caller),
    )


def glyphs(voice: Voice) -> dict[str, str]:
    """What a note may be marked with: sign and meaning by name."""
    return {name: glyph_text(voice, name) for name in GLYPHS}


def note_lines(voice: Voice, caller: Caller, game: Game, note: Noted) -> Iterator[str]:
    """A note as it is read: signs and words, then what it points at."""
    signs = " ".join(glyph_text(voice, name) for name in note.glyphs)
    where = note.on or f"#{note.number}"
    author = _author(caller, game, note.id)
    parts = [voice.mark("bold", f"{note.id} {where}"), signs, note.text]
    yield "  ".join(part for part in parts if part) + (f"  — {author}" if author else "")
    if note.tags or note.bookmark:
        marked = [voice.say("note.bookmark")] if note.bookmark else []
        yield "    " + " ".join([*marked, *(f"[{tag}]" for tag in note.tags)])
    if note.marks or note.arrows:
        arrows = [f"{start}→{end}" for start, end in note.arrows]
        yield "    " + voice.say("note.marks", spaces=" ".join([*note.marks, *arrows]))
    for clause in note.clauses:
        yield f"    {clause}"
    for index, said in enumerate(note.variation, start=1):
        line = game.engine.text(game.engine.text.load(said.action), voice.lang)
        yield f"    {note.id}.{index} {line}  {voice.say('outcome.' + said.verdict.outcome)}"


def _author(caller: Caller, game: Game, note: str) -> str:
    for entry in game.entries:
        if isinstance(entry.data, Noted) and entry.data.id == note:
            return "" if entry.by == "anonymous" else caller.name(entry.by)
    return ""


def _note(caller: Caller, game: Game, note: Noted) -> NoteAnswer:
    text = game.engine.text
    variation = [text(text.load(said.action)) for said in note.variation]
    author = _author(caller, game, note.id)
    return NoteAnswer.made_of(note, game=game.id, author=author, variation=variation)
