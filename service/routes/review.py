"""Reading a game again: entries, steps, notes; records that come and go."""

from __future__ import annotations

from io import BytesIO
from typing import Annotated, Literal

from pydantic import Field

from answers.answer import Answered
from answers.review import entries as entries_answers
from answers.review import import_export, move_search, notes
from answers.review import replay as replay_answers
from answers.review import stats as stats_answers
from answers.review.entries import EntriesAnswer
from answers.review.import_export import ExportOptions, ImportAnswer
from answers.review.move_search import MoveSearchAnswer
from answers.review.notes import NoteAnswer, NoteListAnswer, NoteRemoveAnswer, NoteSearchAnswer
from answers.review.replay import ReplayAnswer
from answers.review.stats import Selection, StatsAnswer
from referee.archive.record_files import read_record
from referee.errors import NotAllowed
from referee.table.notes import Annotation
from replays.formats import ARCHIVES
from service.routes.play import Line, Most, Number, Reason, View, Words
from service.routing import Ask, File, Params, route

MEDIA = {
    "bgsplay.json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "db": "application/vnd.sqlite3",
    "gif": "image/gif",
    "html": "text/html; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "md": "text/markdown; charset=utf-8",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "webp": "image/webp",
}
Tags = Annotated[list[Annotated[str, Field(max_length=60)]], Field(max_length=64)]


class Entries(Params):
    after: Annotated[int, Field(ge=-1)] = -1
    most: Most = 500
    view: View = None


class Steps(Params):
    at: Number = 0
    view: View = None


class Note(Params):
    on: Annotated[str, Field(max_length=20)]
    """The number of an action, or a step of a variation: ``n2.1``."""
    text: Words = ""
    glyphs: Tags = []
    tags: Tags = []
    marks: Tags = []
    arrows: Annotated[list[tuple[str, str]], Field(max_length=64)] = []
    clauses: Tags = []
    instead: Annotated[list[Line], Field(max_length=100)] = []
    bookmark: bool = False


class Notes(Params):
    tag: Annotated[str | None, Field(max_length=60)] = None
    bookmarks: bool = False


class Search(Params):
    words: Annotated[str, Field(min_length=1, max_length=200)]


class Stats(Params):
    engine: str | None = None
    player: str | None = None
    tournament: str | None = None
    since: Annotated[str | None, Field(max_length=30)] = None
    """A date, or the beginning of one."""
    until: Annotated[str | None, Field(max_length=30)] = None
    names: bool = False

    @property
    def selection(self) -> Selection:
        return Selection(self.engine, self.player, self.tournament, self.since, self.until)


class Import(Params):
    continues: bool = False
    """A record that goes on here may be continued by it."""


class Export(Params):
    at: Number | None = None
    shape: Literal["auto", "tall", "wide"] = "auto"
    width: Annotated[int | None, Field(ge=100, le=4000)] = None
    view: View = None
    names: bool = False
    raw_csv: bool = False


@route("entries")
def entries(ask: Ask, wanted: Entries) -> Answered[EntriesAnswer]:
    return entries_answers.entries(
        ask.caller, ask.game, after=wanted.after, most=wanted.most, view=wanted.view
    )


@route("replay")
def replay(ask: Ask, wanted: Steps) -> Answered[ReplayAnswer]:
    return replay_answers.replay(ask.caller, ask.game, at=wanted.at, view=wanted.view)


@route("note-list")
def list_notes(ask: Ask, wanted: Notes) -> Answered[NoteListAnswer]:
    return notes.notes(ask.caller, ask.game, tag=wanted.tag, bookmarks=wanted.bookmarks)


@route("note-add")
def add_note(ask: Ask, said: Note) -> Answered[NoteAnswer]:
    annotation = Annotation(
        text=said.text,
        glyphs=tuple(said.glyphs),
        tags=tuple(said.tags),
        marks=tuple(said.marks),
        arrows=tuple(said.arrows),
        clauses=tuple(name.upper() for name in said.clauses),
        instead=tuple(said.instead),
        bookmark=said.bookmark,
    )
    return notes.add(ask.caller, ask.game, said.on, annotation, key=ask.key)


@route("note-remove")
def remove_note(ask: Ask, said: Reason) -> Answered[NoteRemoveAnswer]:
    return notes.remove(ask.caller, ask.game, ask.path["note"], reason=said.reason, key=ask.key)


@route("note-search")
def search_notes(ask: Ask, wanted: Search) -> Answered[NoteSearchAnswer]:
    return notes.search(ask.caller, wanted.words)


@route("move-search")
def search_moves(ask: Ask, wanted: Search) -> Answered[MoveSearchAnswer]:
    return move_search.search(ask.caller, wanted.words)


@route("stats")
def stats(ask: Ask, wanted: Stats) -> Answered[StatsAnswer]:
    return stats_answers.statistics(ask.caller, wanted.selection, names=wanted.names)


@route("stats-picture")
def stats_picture(ask: Ask, wanted: Stats) -> File:
    drawn = stats_answers.chart(ask.caller, wanted.selection, names=wanted.names)
    return File("statistics.svg", drawn.encode(), "image/svg+xml")


@route("export")
def export(ask: Ask, wanted: Export) -> File:
    caller = ask.caller
    if ask.path["format"] in ARCHIVES and (caller.scope or not caller.author.judges):
        raise NotAllowed("judge_only", role=caller.author.role)
    made = import_export.export(
        caller,
        ask.game,
        ask.path["format"],
        ExportOptions(
            at=wanted.at,
            shape=wanted.shape,
            width=wanted.width,
            view=wanted.view,
            names=wanted.names,
            raw_csv=wanted.raw_csv,
        ),
    )
    suffix = made.name.partition(".")[2]
    return File(made.name, made.content, MEDIA.get(suffix, "application/octet-stream"))


@route("import", takes_file=True)
def import_record(ask: Ask, wanted: Import) -> Answered[ImportAnswer]:
    record = read_record(BytesIO(ask.content))
    return import_export.take_records(ask.caller, [record], continues=wanted.continues)
