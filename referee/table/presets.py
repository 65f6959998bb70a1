"""Presets: readings and house rules that a club plays by, in one file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from engines.kernel.messages.errors import first_mistake
from engines.kernel.registry import load_engine
from engines.kernel.rules.actions import PlainText
from engines.kernel.values.models import STRICT
from referee.errors import Unfit
from referee.record.entries import Barrier, ClauseId
from referee.untrusted.safe_toml import read_toml_file


class Preset(BaseModel):
    """How a table plays one game."""

    model_config = STRICT

    game: str = Field(max_length=40)
    name: PlainText = Field(min_length=1, max_length=120)
    readings: dict[str, Annotated[str, Field(max_length=80)]] = {}
    house_rules: tuple[Annotated[ClauseId, Field(max_length=40)], ...] = Field(
        default=(), max_length=200
    )
    take_backs_need_judge: tuple[Barrier, ...] = Field(default=(), max_length=8)


def read_preset(path: str) -> Preset:
    return check_preset(read_toml_file(path), path)


def check_preset(data: Mapping[str, Any], where: str) -> Preset:
    """Validate that every reading and clause of a preset exists."""
    try:
        preset = Preset.model_validate(data)
    except ValidationError as error:
        raise Unfit("bad_file", file=where, problem=first_mistake(error).phrase) from None
    engine = load_engine(preset.game)
    for name, value in preset.readings.items():
        engine.check_reading(name, value)
    return preset
