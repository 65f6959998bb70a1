"""What is wrong with a game: one sentence each, with file and line where they are known."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct, field

from engines.kernel import Action, Engine, Phrase, Verbatim

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
    frames = ((each.filename, each.lineno) for each in traceback.extract_tb(error.__traceback__))
    said = " ".join(f"{error}".split())[:LONGEST]
    error_told = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return wrong("crash", place_in(package, frames), line=what, error=error_told)


def place_in(package: str, frames: Iterable[tuple[str, int | None]]) -> tuple[str, int | None]:
    """The last of these lines that is in a file of the package, as a defect names it."""
    place: tuple[str, int | None] = ("", None)
    root = package.replace(".", "/")
    for file, line in frames:
        _, found, within = file.replace("\\", "/").rpartition(f"/{root}/")
        if found:
            place = (f"{root}/{within}", line)
    return place


def rule_of(engine: Engine[Any, Any], action: Action) -> tuple[str, int | None]:
    """Where the rule is written that hears an action."""
    code = getattr(engine.rules.reducers.get(type(action)), "__code__", None)
    return place_in(engine.package, [(code.co_filename, code.co_firstlineno)] if code else ())


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
