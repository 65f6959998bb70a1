"""Immutable values: frozen ``msgspec.Struct`` classes, with fields that equality can ignore."""

from __future__ import annotations

from functools import cache
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

evolve = replace
"""A copy of a struct with some fields replaced."""


class PartlyCompared(Struct, frozen=True):
    """A struct with fields that are no part of its value: neither compared nor shown.

    A ``Struct`` compares every field; a game's state also carries what is no part of the table.
    """

    NOT_COMPARED: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(
            getattr(self, name) == getattr(other, name) for name in compared_fields(type(self))
        )

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in compared_fields(type(self))))

    def __repr__(self) -> str:
        shown = (f"{name}={getattr(self, name)!r}" for name in compared_fields(type(self)))
        return f"{type(self).__qualname__}({', '.join(shown)})"


@cache
def compared_fields(kind: type[Struct]) -> tuple[str, ...]:
    """The fields that make up the value of a struct, in their order."""
    aside = kind.NOT_COMPARED if issubclass(kind, PartlyCompared) else ()
    return tuple(name for name in kind.__struct_fields__ if name not in aside)
