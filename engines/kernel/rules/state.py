"""The base of every game's state, its conversion to plain data, and the order of its seats."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, Protocol, TypeVar

from msgspec import Struct, field

from engines.kernel.rules.agenda import Agenda
from engines.kernel.values.bags import Bag
from engines.kernel.values.secret import SECRET
from engines.kernel.values.structs import PartlyCompared, compared_fields, evolve


class State(PartlyCompared, frozen=True, kw_only=True, gc=False):
    """What every game's state has. ``agenda`` empty means: the game is over."""

    NOT_COMPARED: ClassVar[tuple[str, ...]] = ("last_seat",)

    agenda: Agenda = field(default_factory=Agenda)
    offsets: Mapping[str, int] = field(default_factory=dict)
    """Differences from the conservation laws that adjustments have let in."""
    last_seat: str | None = None
    """Who acted last, and is meant by a line without a seat that nobody owes. No part of the
    table: it is neither compared nor shown."""

    @property
    def over(self) -> bool:
        return not self.agenda


def to_plain(value: Any) -> Any:
    """JSON-ready data of a state: structs and bags to dicts, sets sorted."""
    if isinstance(value, str | int | None):
        return value
    if value is SECRET:
        return None
    if isinstance(value, Bag):
        return {_key(kind): count for kind, count in value.items()}
    if isinstance(value, Agenda):
        return value.to_plain()
    if isinstance(value, Struct):
        return {name: to_plain(getattr(value, name)) for name in compared_fields(type(value))}
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


# seats


class Seated(Protocol):
    """A state with something of its own for every seat."""

    @property
    def players(self) -> Mapping[str, Any]: ...


T = TypeVar("T", bound=Seated)


def with_player(state: T, seat: str, /, **changes: Any) -> T:
    """The state with these fields of one player replaced."""
    player = evolve(state.players[seat], **changes)
    struct: Any = state  # a protocol cannot say that it is one
    changed: T = evolve(struct, players={**state.players, seat: player})
    return changed


@cache
def clockwise(seats: tuple[str, ...], first: str) -> tuple[str, ...]:
    """All seats in the order of play, beginning with this one."""
    start = seats.index(first)
    return seats[start:] + seats[:start]


def next_seat(seats: tuple[str, ...], seat: str) -> str:
    """The left neighbour; of a lone seat, the seat itself."""
    return clockwise(seats, seat)[1 % len(seats)]
