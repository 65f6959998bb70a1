"""Requests of replay and review: entries, steps, notes, import and export of records."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from answers.declaration import Params
from answers.game_filter import GameFilter
from answers.limits import (
    After,
    Date,
    EngineName,
    Id,
    Name,
    PageSize,
    PictureWidth,
    Players,
    Tag,
    Tags,
    TriedLines,
    View,
)
from answers.requests.play import GameFilterFields
from answers.review.import_export import ExportOptions
from answers.review.stats import Selection
from referee.record.entries import Number, Remark
from referee.table.notes import Annotation


class EntriesRequest(Params):
    after: After = -1
    most: PageSize = 500
    view: View = None


class NoteRequest(Params):
    on: Annotated[str, Field(max_length=20)]
    """The number of an action, or a step of a variation: ``n2.1``."""
    text: Remark = ""
    glyphs: Tags = []
    tags: Tags = []
    marks: Tags = []
    arrows: Annotated[list[tuple[Tag, Tag]], Field(max_length=64)] = []
    clauses: Tags = []
    instead: TriedLines = []
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


class StatsRequest(Params):
    engine: EngineName | None = None
    player: Name | None = None
    tournament: Id | None = None
    since: Date | None = None
    until: Date | None = None
    players: Players | None = None
    variant: Id | None = None
    box: Id | None = None
    reading: Id | None = None
    """``name=value``."""
    names: bool = False

    def to_args(self) -> dict[str, Any]:
        said = self.model_dump(exclude={"names"})
        return {"selection": Selection(**said), "names": self.names}


class ChosenExportRequest(GameFilterFields):
    names: bool = False

    def to_args(self) -> dict[str, Any]:
        said = self.model_dump(exclude={"names"})
        return {"selection": GameFilter(**said), "names": self.names}


class GameExportRequest(Params):
    at: Number | None = None
    shape: Literal["auto", "tall", "wide"] = "auto"
    width: PictureWidth | None = None
    view: View = None
    names: bool = False
    raw_csv: bool = False

    def to_args(self) -> dict[str, Any]:
        return {"wanted": ExportOptions(**super().to_args())}
