"""How the guided tour shows a box: its places, and how each datum is typed in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from msgspec import Struct, field

from engines.kernel.box.board import Board
from engines.kernel.box.kit import Kit
from engines.kernel.picture.chart import Chart

K = TypeVar("K", bound=Kit)


class Code(NamedTuple):
    """A component with a printed code that people type: its code, its name, and what it shows."""

    chapter: str
    code: str
    shows: tuple[str | int, ...] = ()


class Spelling(NamedTuple):
    """The input format of a datum that is not a plain choice."""

    signs: tuple[str, ...] = ()
    """What stands in each place of it, of so many…"""
    places: int = 0
    joint: str = ""
    """…and with what its places are joined, two by two, where it is one word."""
    each: Literal["", "each", "once"] = ""
    """Of several choices: each one is a list of its own, or all are one list in a list."""


class Look(Struct, frozen=True):
    """One place of the box: where it is drawn, and the paths of the data to be seen there."""

    id: str
    paths: tuple[str, ...]
    chart: str = ""
    spot: str = ""
    along: tuple[str, ...] = ()
    """Data that are not asked about: they are confirmed with the rest of the place."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """Tables that may have more entries than the kit has, and what a new one is like."""


class Guide(Struct, Generic[K], frozen=True):
    """How a club is led through the box of a game.

    ``looks(kit)`` are the places of the box, in its order (none: part by part);
    ``names(kit, path)`` is what a datum can name, where that is something of the box itself;
    ``spelling(path)`` how a datum is told that is no plain choice; ``chart(kit, name)`` where
    the places of a chart lie (``None``: side by side); ``sets`` the data that are several of
    something in no order; ``codes(kit)`` every component that has a code; ``rests_on(kit, state,
    clause, facts)`` the data of the box that a broken clause rests on, where ``facts`` has the
    fields of the action too; ``boards(kit)`` what can be put on a photograph, and which data
    follow from that.
    """

    looks: Callable[[K], Iterable[Look]] = lambda kit: ()
    names: Callable[[K, str], tuple[str, ...]] = lambda kit, path: ()
    spelling: Callable[[str], Spelling] = lambda path: Spelling()
    chart: Callable[[K, str], Chart | None] = lambda kit, name: None
    sets: frozenset[str] = frozenset()
    codes: Callable[[K], Iterable[Code]] = lambda kit: ()
    rests_on: Callable[[K, Any, str, Mapping[str, Any]], Iterable[str]] = (
        lambda kit, state, clause, facts: ()
    )
    boards: Callable[[K], Iterable[Board]] = lambda kit: ()
