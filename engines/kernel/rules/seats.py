"""Seats: their order, and updating the state of one player."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Protocol, TypeVar

from engines.kernel.values.structs import evolve


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
