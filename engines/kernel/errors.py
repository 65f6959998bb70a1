"""What is wrong with input before any clause of a rulebook is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

if TYPE_CHECKING:
    from engines.kernel.words import Words

_SHOWN = 200
"""So much of somebody's input is repeated to them."""


class BadForm(ValueError):
    """The words cannot be understood: no clause is broken, nothing is judged.

    ``key`` names a message of the catalogues (``form.<key>``), ``facts`` fill it in; ``words``
    is the catalogue of the game that raised it.
    """

    words: Words | None = None

    def __init__(self, key: str, /, **facts: Any) -> None:
        super().__init__(key, facts)
        self.key = key
        self.facts = facts

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in self.facts.items())
        return f"{self.key}({told})"


class Mistake(NamedTuple):
    """The first thing a model finds wrong with data, fit to be shown."""

    place: str
    problem: str
    said: str


def first_mistake(error: ValidationError) -> Mistake:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return Mistake(_shown(place), first["msg"], _shown(str(first.get("input"))))


def _shown(text: str) -> str:
    return "".join(char if char.isprintable() else "\ufffd" for char in text[:_SHOWN])
