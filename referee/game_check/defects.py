"""What is wrong with a game: one sentence each, with file and line where they are known."""

from __future__ import annotations

import traceback
from typing import Any, Literal

from msgspec import Struct, field

from engines.kernel import Phrase, Verbatim

LONGEST = 300
"""So much is told of an error that is somebody else's."""


class Defect(Struct, frozen=True):
    """One thing that is wrong, and what to write instead; ``advice`` may be left as it is."""

    key: str
    facts: dict[str, Any] = field(default_factory=dict)
    file: str = ""
    line: int | None = None
    weight: Literal["wrong", "advice"] = "wrong"

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line is not None else self.file

    @property
    def phrase(self) -> Phrase:
        return Phrase(f"game_check.{self.key}", self.facts)

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value}" for name, value in self.facts.items())
        return f"{self.place or '-'}: {self.key}({told})"


def wrong(key: str, place: tuple[str, int | None] = ("", None), /, **facts: Any) -> Defect:
    return Defect(key, _verbatim(facts), *place)


def advice(key: str, place: tuple[str, int | None] = ("", None), /, **facts: Any) -> Defect:
    return Defect(key, _verbatim(facts), *place, weight="advice")


def crash(package: str, error: Exception, what: str) -> Defect:
    """An error out of the game's own code: where it was raised, and at which line of a game."""
    place: tuple[str, int | None] = ("", None)
    root = package.replace(".", "/")
    for frame in traceback.extract_tb(error.__traceback__):
        _, found, within = frame.filename.replace("\\", "/").rpartition(f"/{root}/")
        if found:
            place = (f"{root}/{within}", frame.lineno)
    told = f"{type(error).__name__}: {error}"
    return wrong("crash", place, line=what, error=" ".join(told.split())[:LONGEST])


def _verbatim(facts: dict[str, Any]) -> dict[str, Any]:
    """Words of an author are told as they are written, never translated."""
    return {name: _as_written(value) for name, value in facts.items()}


def _as_written(value: Any) -> Any:
    if type(value) is str:
        return Verbatim(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        return tuple(
            map(_as_written, sorted(value) if isinstance(value, (set, frozenset)) else value)
        )
    return value
