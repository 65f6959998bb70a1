"""The result of one health check."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

Level = Literal["ok", "warn", "fail"]


class Check(Struct, frozen=True):
    """One health check. ``message`` and ``fix`` are keys of the catalogue."""

    name: str
    level: Level
    message: str
    fix: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)
