"""Requests of a table: open, log, look, undo, close, confirm."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from answers.declaration import Params
from answers.game_filter import Dispute, Outcome
from answers.limits import (
    Clause,
    Clauses,
    Date,
    EngineName,
    Id,
    Name,
    PageSize,
    PersonName,
    Players,
    Readings,
    Search,
    SeatLetter,
    Title,
)
from referee.record.entries import Number, Remark
from referee.table.presets import Preset, check_preset


class GameFilterFields(Params):
    """What may be asked of games: ``answers.game_filter``."""

    closed: bool | None = None
    engine: EngineName | None = None
    player: Name | None = None
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
    game: EngineName
    """The engine: ``benevolent``…"""
    table: Remark = ""
    """The opening line, with or without its first word."""
    players: dict[SeatLetter, PersonName] = {}
    kit: Annotated[str, Field(max_length=60)] | dict[str, Any] | None = None
    """The name of a kit of the game, or a kit file as data."""
    readings: Readings = {}
    house_rules: Clauses = []
    preset: Preset | None = None
    title: Title = ""
    stands: bool = False

    def to_args(self) -> dict[str, Any]:
        preset = self.preset and check_preset(self.preset.model_dump(), self.preset.name)
        return {**super().to_args(), "preset": preset}
