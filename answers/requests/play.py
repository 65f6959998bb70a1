"""Requests of a table: open, log, look, undo, close, confirm."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from answers.declaration import Params
from answers.game_filter import Dispute, Outcome
from answers.limits import Clause, Date, Id, Line, PageSize, PersonName, Players, Search, Title
from referee.record.entries import Number, Remark
from referee.table.presets import Preset, check_preset


class GameFilterFields(Params):
    """What may be asked of games: ``answers.game_filter``."""

    closed: bool | None = None
    engine: str | None = None
    player: str | None = None
    tournament: Id | None = None
    since: Date | None = None
    until: Date | None = None
    search: Search = ""
    players: Players | None = None
    box: Id | None = None
    reading: Id | None = None
    """``name=value``."""
    clause: Clause | None = None
    """It was broken, disputed or ruled on; or one of that section (``BEN-MOVE``)."""
    dispute: Dispute | None = None
    result: Outcome | None = None
    won_by: Id | None = None


class GamesRequest(GameFilterFields):
    current: Id | None = None
    """The game that is marked in what is told."""
    start: Number = 0
    most: PageSize = 50


class NewTableRequest(Params):
    game: str
    """The engine: ``benevolent``…"""
    table: Remark = ""
    """The opening line, with or without its first word."""
    players: dict[str, PersonName] = {}
    kit: Annotated[str, Field(max_length=60)] | dict[str, Any] | None = None
    """The name of a kit of the game, or a kit file as data."""
    readings: dict[str, str] = {}
    house_rules: list[str] = []
    preset: Preset | None = None
    title: Title = ""
    stands: bool = False

    def to_args(self) -> dict[str, Any]:
        preset = self.preset and check_preset(self.preset.model_dump(), self.preset.name)
        return {**super().to_args(), "preset": preset}


class WhyRequest(Params):
    line: Line
    """A line, or the number of an action that was logged."""
    at: Number | None = None

    def to_args(self) -> dict[str, Any]:
        return {"line": self.line.split(), "at": self.at}

    @classmethod
    def from_args(cls, args: dict[str, Any]) -> dict[str, Any]:
        return {**args, "line": " ".join(args["line"])}
