"""What is known about mutants: which were looked at and cannot matter. All others are noticed."""

from __future__ import annotations

import tomllib
from pathlib import Path

HERE = Path(__file__).parent


def reviewed(name: str) -> dict[str, str]:
    """Mutants of a game, or of an area of the program, that change nothing; and why."""
    found: dict[str, dict[str, str]] = tomllib.loads((HERE / "reviewed.toml").read_text("utf-8"))
    return found.get(name, {})


def named() -> set[str]:
    """The games and areas of which the list speaks."""
    return set(tomllib.loads((HERE / "reviewed.toml").read_text("utf-8")))
