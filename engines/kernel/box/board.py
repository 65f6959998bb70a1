"""Boards on a photograph: which things are put on it, and which data of the kit follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import dist
from typing import Any

from msgspec import Struct, field

from engines.kernel.picture.svg import Spot


class Space(Struct, frozen=True):
    """Something with a place of its own on a board: a region, a tower, a machine."""

    name: str
    kind: str
    """What such a thing is called in the game's words."""
    path: str
    """The thing itself in the kit."""
    asks: tuple[str, ...] = ()
    """The data that are asked of it. Where the choices of a question are spaces of this board, it
    is answered by tapping this space and then the others."""
    nearest: tuple[str, ...] = ()
    """Of these, what names the nearest of the others until somebody says otherwise."""
    lists: tuple[str, ...] = ()
    """Lists of the kit that may have this space in them."""
    entries: Mapping[str, Any] = field(default_factory=dict)
    """Entries of the kit that a box may have for this space, and what a new one is like."""
    place: tuple[str, str] | None = None
    """The data that say where it lies, to the right and down in percent."""
    start: Spot | None = None
    """Where it would lie if the box were as the kit assumes, in parts of the board."""
    optional: bool = False
    """Whether a box may lack it."""
    colour: str = ""
    """Of its ground as it is drawn, ``#rrggbb``: which one it is on a photograph."""


class New(Struct, frozen=True):
    """A kind of space that a board may have more of than the kit has."""

    kind: str
    table: str
    value: Any
    letters: str = ""
    """How the names of such spaces begin; empty: like those that are there."""
    place: tuple[str, str] | None = None
    """The fields of its value that say where it lies."""


Places = Mapping[str, Spot]
"""Where the spaces of a board lie, in parts of its width and height."""


class Board(Struct, frozen=True):
    """One side of a board, or one large tile."""

    name: str
    spaces: tuple[Space, ...]
    new: tuple[New, ...] = ()
    across: int = 0
    """The drawing without a photograph has rows of so many spaces; 0: they lie as they are put."""
    follows: Callable[[Places], Mapping[str, Any]] = lambda places: {}
    """Data that follow from where the spaces lie together, by their paths. The places are told as
    parts of the width alone, so that angles are those of the photograph."""


def nearest(places: Places, at: Spot, among: Iterable[str]) -> str | None:
    """The one of some spaces that lies nearest."""
    there = [name for name in among if name in places]
    return min(there, key=lambda name: dist(places[name], at), default=None)


def in_percent(places: Places, across: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """Where spaces lie in percent: in rows of so many, or as they were put."""
    if not across:
        for name, (x, y) in places.items():
            yield name, (round(100 * x), round(100 * y))
        return
    down = sorted(places, key=lambda name: (places[name][1], places[name][0]))
    rows = [down[start : start + across] for start in range(0, len(down), across)]
    for number, row in enumerate(rows):
        y = 12 + 75 * number / max(1, len(rows) - 1)
        for index, name in enumerate(sorted(row, key=lambda name: places[name][0])):
            yield name, (round(10 + 80 * index / max(1, len(row) - 1)), round(y))
