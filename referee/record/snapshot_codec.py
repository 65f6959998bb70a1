"""Values of a game as JSON: whatever states, actions and verdicts are made of, and nothing else.

A table of values, each of which names the parts it is made of by their place further up, so that
what is shared is written once. Whoever reads it names the packages whose records may be in it:
nothing else is imported, and no constructor of theirs is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import fields, is_dataclass
from datetime import timedelta
from importlib import import_module
from typing import Any

from pydantic import BaseModel

from engines.kernel import Bag, evolve
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
"""The parts of values that are no records."""
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
"""What may come of reading what nobody has written."""
_NAMES: dict[type, Sequence[str]] = {}
_PUBLIC = re.compile(r"[a-z]\w*(\.[a-z]\w*)*")
"""The name of a module that is there to be imported."""


class NotPortable(Exception):
    """A value that is not written, or a text that is not one of ours."""


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
        """By identity; whatever is seen is held, so that no other takes its place."""

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
    """The fields of a kind of record; others are not written."""
    if (known := _NAMES.get(kind)) is None:
        if is_dataclass(kind) and "__slots__" not in vars(kind):
            known = [field.name for field in fields(kind)]
        elif issubclass(kind, BaseModel):
            known = list(kind.model_fields)
        else:
            raise NotPortable(kind.__qualname__)
        _NAMES[kind] = known
    return known


def decode(data: Any, packages: Collection[str]) -> Any:
    """The value that was written, of records that these packages have."""
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
    blank = object.__new__(kind)
    return lambda parts: evolve(blank, **dict(zip(names, parts, strict=True)))


def _found(name: str, packages: Collection[str]) -> type:
    """A kind of record that one of the packages has defined."""
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
