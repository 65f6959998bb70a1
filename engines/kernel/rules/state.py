"""Immutable records: how a state changes and how it is shown as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, TypeVar

from engines.kernel.rules.agenda import Agenda
from engines.kernel.values.bags import Bag

R = TypeVar("R")

_new_object, _set_attribute = object.__new__, object.__setattr__


def evolve(record: R, /, **changes: Any) -> R:
    """A copy of a frozen dataclass with some fields replaced.

    A shallow copy of the instance dictionary: several times faster than
    ``dataclasses.replace``, which calls the constructor.
    """
    copy = _new_object(type(record))
    _set_attribute(copy, "__dict__", {**record.__dict__, **changes})
    return copy


@dataclass(frozen=True)
class State:
    """What every game's state has. ``agenda`` empty means: the game is over."""

    agenda: Agenda = field(default_factory=Agenda, kw_only=True)
    offsets: Mapping[str, int] = field(default_factory=dict, kw_only=True)
    """Differences from the conservation laws that adjustments have let in."""
    last_seat: str | None = field(default=None, kw_only=True, compare=False)
    """Who acted last, and is meant by a line without a seat that nobody owes. No part of the
    table: it is neither compared nor shown."""

    @property
    def over(self) -> bool:
        return not self.agenda


def to_plain(value: Any) -> Any:
    """JSON-ready data of a state: dataclasses and bags to dicts, sets sorted."""
    if isinstance(value, str | int | None):
        return value
    if isinstance(value, Bag):
        return {_key(kind): count for kind, count in value.items()}
    if isinstance(value, Agenda):
        return value.to_plain()
    if is_dataclass(value) and not isinstance(value, type):
        return {
            part.name: to_plain(getattr(value, part.name)) for part in fields(value) if part.compare
        }
    if isinstance(value, Mapping):
        return {_key(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((to_plain(item) for item in value), key=repr)
    if hasattr(value, "_asdict"):
        return {name: to_plain(item) for name, item in value._asdict().items()}
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    raise TypeError(f"a state may not hold {type(value).__name__}")


def _key(key: Any) -> str:
    return "/".join(str(part) for part in key) if isinstance(key, tuple) else str(key)
