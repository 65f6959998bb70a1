"""Snapshot codec: states, actions and verdicts as JSON, and back.

A flat table of values. Each names its parts by their index further up, so that what several
states share is written once, and shared again when it is read. The reader names the packages
whose classes may appear: a snapshot is a file that anybody may have edited, so nothing else is
imported. (``msgspec`` alone would write what is shared again and again, and facts have no type.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from datetime import timedelta
from importlib import import_module
from typing import Any

from msgspec import Struct
from pydantic import BaseModel

from engines.kernel import Bag
from engines.kernel.messages.catalogue import Verbatim

_SCALARS = frozenset((type(None), bool, int, str))
_PLAIN: dict[type, Callable[[Any], Sequence[Any]]] = {
    tuple: lambda value: value,
    list: lambda value: value,
    frozenset: tuple,
    set: tuple,
    dict: lambda value: [part for pair in value.items() for part in pair],
    Bag: lambda value: [part for pair in value.items() for part in pair],
    Verbatim: lambda value: (str(value),),
    timedelta: lambda value: (value.days, value.seconds, value.microseconds),
}
"""How values that are neither structs nor models are taken apart."""
_MADE: dict[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple,
    "list": list,
    "frozenset": frozenset,
    "set": set,
    "dict": lambda parts: dict(zip(parts[::2], parts[1::2], strict=True)),
    "Bag": lambda parts: Bag(dict(zip(parts[::2], parts[1::2], strict=True))),
    "Verbatim": lambda parts: Verbatim(*parts),
    "timedelta": lambda parts: timedelta(*parts),
}


_WRONG = (LookupError, TypeError, ValueError, AttributeError, ImportError, OverflowError)
"""What reading a damaged or foreign snapshot may raise."""
_PUBLIC = re.compile(r"[a-z]\w*(\.[a-z]\w*)*")
"""A module name without private parts."""


class NotPortable(Exception):
    """A value that cannot be encoded, or data that is no snapshot of ours."""


def encode(value: Any) -> dict[str, Any]:
    """A value as data for JSON."""
    table = _Table()
    table.place_of(value)
    return {"kinds": list(table.kinds), "values": table.values}


class _Table:
    def __init__(self) -> None:
        self.values: list[Any] = []
        self.kinds: dict[str, int] = {}
        self._places: dict[Any, int] = {}
        self._seen: dict[int, tuple[int, Any]] = {}
        """By identity; the value is kept alive, so that no other is given its ``id``."""

    def place_of(self, value: Any) -> int:
        kind = type(value)
        if kind in _SCALARS:
            return self._place((kind, value), value)
        seen = self._seen.get(id(value))
        if seen is None:
            name, parts = _parted(value, kind)
            node = [self._kind(name), *map(self.place_of, parts)]
            seen = self._seen[id(value)] = (self._place(tuple(node), node), value)
        return seen[0]

    def _kind(self, name: str) -> int:
        return self.kinds.setdefault(name, len(self.kinds))

    def _place(self, key: Any, node: Any) -> int:
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self.values)
            self.values.append(node)
        return place


def _parted(value: Any, kind: type) -> tuple[str, Sequence[Any]]:
    if kind in _PLAIN:
        return kind.__name__, _PLAIN[kind](value)
    name = f"{kind.__module__}:{kind.__qualname__}"
    if issubclass(kind, tuple):
        return name, value
    return name, [getattr(value, field) for field in _names(kind)]


def _names(kind: type) -> Sequence[str]:
    """The field names of a struct or model; other classes are not encoded."""
    if issubclass(kind, Struct):
        return kind.__struct_fields__
    if issubclass(kind, BaseModel):
        return list(kind.model_fields)
    raise NotPortable(kind.__qualname__)


def decode(data: Any, packages: Collection[str]) -> Any:
    """Decode a value; only classes from these packages are allowed."""
    try:
        makers = [_maker(name, packages) for name in data["kinds"]]
        values: list[Any] = []
        for node in data["values"]:
            if type(node) is list:
                if min(node) < 0:
                    raise NotPortable(node)
                node = makers[node[0]]([values[place] for place in node[1:]])
            elif type(node) not in _SCALARS:
                raise NotPortable(node)
            values.append(node)
        return values[-1]
    except _WRONG as error:
        raise NotPortable(str(error)) from error


def _maker(name: str, packages: Collection[str]) -> Callable[[list[Any]], Any]:
    if name in _MADE:
        return _MADE[name]
    kind = _found(name, packages)
    if issubclass(kind, tuple):
        return lambda parts: tuple.__new__(kind, parts)
    names = _names(kind)
    if issubclass(kind, BaseModel):
        return lambda parts: kind.model_construct(**dict(zip(names, parts, strict=True)))
    return lambda parts: kind(**dict(zip(names, parts, strict=True)))


def _found(name: str, packages: Collection[str]) -> type:
    """Look up a class that one of the packages defines."""
    module, _, path = name.partition(":")
    ours = any(module == package or module.startswith(f"{package}.") for package in packages)
    if not ours or _PUBLIC.fullmatch(module) is None:
        raise NotPortable(name)
    found: Any = import_module(module)
    for part in path.split("."):
        found = getattr(found, part, None)
    if not isinstance(found, type) or found.__module__ != module:
        raise NotPortable(name)
    return found
