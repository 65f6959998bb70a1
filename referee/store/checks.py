"""The result of one health check."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Level = Literal["ok", "warn", "fail"]


@dataclass(frozen=True)
class Check:
    """One health check. ``message`` and ``fix`` are keys of the catalogue."""

    name: str
    level: Level
    message: str
    fix: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)
