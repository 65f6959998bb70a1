"""Requests of replay and review: entries, steps, notes, import and export of records."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from answers.game_filter import GameFilter
from answers.requests.base import Params
from answers.requests.play import GameFilterFields, Line, Most, Number, View, Words
from answers.review.import_export import ExportOptions
from answers.review.stats import Selection
from engines.kernel import Seat
from referee.archive.collections import Visibility
from referee.table.notes import Annotation

Name = Annotated[str, Field(min_length=1, max_length=120)]
Tags = Annotated[list[Annotated[str, Field(max_length=60)]], Field(max_length=64)]


class EntriesRequest(Params):
    after: Annotated[int, Field(ge=-1)] = -1
    most: Most = 500
    view: View = None


class StepsRequest(Params):
    at: Number = 0
    view: View = None


class NoteRequest(Params):
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

    def to_args(self) -> dict[str, Any]:
        annotation = Annotation(
            text=self.text,
            glyphs=tuple(self.glyphs),
            tags=tuple(self.tags),
            marks=tuple(self.marks),
            arrows=tuple(self.arrows),
            clauses=tuple(name.upper() for name in self.clauses),
            instead=tuple(self.instead),
            bookmark=self.bookmark,
        )
        return {"on": self.on, "annotation": annotation}


class NotesRequest(Params):
    tag: Annotated[str | None, Field(max_length=60)] = None
    bookmarks: bool = False


class PhotoRequest(Params):
    small: bool = False


class PhotoAddRequest(Params):
    at: Number | None = None
    """The action it is about; without one, the dispute's or the last."""
    dispute: Annotated[str | None, Field(max_length=10)] = None
    only: Seat | None = None
    """Whose hand it shows: nobody else sees it while hands are hidden."""
    about: Annotated[str, Field(max_length=40)] = ""
    """The place or the component that it shows, by its word in the game."""
    caption: Annotated[str, Field(max_length=200)] = ""


class SearchRequest(Params):
    words: Annotated[str, Field(min_length=1, max_length=200)]


class StatsRequest(Params):
    engine: str | None = None
    player: str | None = None
    tournament: str | None = None
    since: Annotated[str | None, Field(max_length=30)] = None
    """A date, or the beginning of one."""
    until: Annotated[str | None, Field(max_length=30)] = None
    players: Annotated[int | None, Field(ge=1, le=8)] = None
    variant: Annotated[str | None, Field(max_length=80)] = None
    box: Annotated[str | None, Field(max_length=80)] = None
    reading: Annotated[str | None, Field(max_length=80)] = None
    """``name=value``."""
    names: bool = False

    def to_args(self) -> dict[str, Any]:
        said = self.model_dump(exclude={"names"})
        return {"selection": Selection(**said), "names": self.names}


class CollectionRequest(Params):
    name: Name
    about: Annotated[str, Field(max_length=2000)] = ""
    visibility: Visibility = "private"


class CollectionEditRequest(Params):
    """One thing at a time: name, text and visibility; or an author, or one without."""

    name: Name | None = None
    about: Annotated[str | None, Field(max_length=2000)] = None
    visibility: Visibility | None = None
    author: Name | None = None
    without: Name | None = None


class ChapterRequest(Params):
    """A game that is added, or changes of the chapter that is named."""

    game: Annotated[str | None, Field(max_length=80)] = None
    chapter: Annotated[str | None, Field(max_length=20)] = None
    title: Annotated[str | None, Field(max_length=120)] = None
    at: Number | None = None
    place: Annotated[int | None, Field(ge=1, le=200)] = None


class ChapterNoteRequest(Params):
    number: Number
    text: Annotated[str, Field(max_length=2000)] = ""
    instead: Annotated[list[Line], Field(max_length=30)] = []


class ImportRequest(Params):
    continues: bool = False
    """A record that goes on here may be continued by it."""


class ChosenExportRequest(GameFilterFields):
    names: bool = False

    def to_args(self) -> dict[str, Any]:
        said = self.model_dump(exclude={"names"})
        return {"selection": GameFilter(**said), "names": self.names}


class GameExportRequest(Params):
    at: Number | None = None
    shape: Literal["auto", "tall", "wide"] = "auto"
    width: Annotated[int | None, Field(ge=100, le=4000)] = None
    view: View = None
    names: bool = False
    raw_csv: bool = False

    def to_args(self) -> dict[str, Any]:
        return {"wanted": ExportOptions(**super().to_args())}
