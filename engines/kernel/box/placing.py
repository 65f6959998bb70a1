"""A board told by a photograph: what was put on it, and which data of the box follow from that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct, field

from engines.kernel.box.board import Board, New, Places, Space, in_percent, nearest
from engines.kernel.box.kit import PART
from engines.kernel.box.tour import Question, Stated, Tour, new_entry

_UNTOLD = object()


class Placing(Struct, frozen=True):
    """What a club has put on the photograph of a board so far."""

    places: Places = field(default_factory=dict)
    told: Mapping[str, Any] = field(default_factory=dict)
    """What was told of the spaces, by the paths of records. ``None``: it is not on this board."""
    tall: float = 1.0
    """How high the photograph is for its width."""


class PlaceConflict(Struct, frozen=True):
    """Something told that the rulebook itself states otherwise."""

    path: str
    told: Any
    stated: Any


class PlacedBoard(Struct, frozen=True, dict=True):
    """A board with what was put on it, beside what the club has told of its box before."""

    before: Tour
    name: str
    placing: Placing

    @cached_property
    def board(self) -> Board:
        """The board with every space that was added; those that are gone are still in it."""
        return board_named(self._with_new, self.name)

    @cached_property
    def _with_new(self) -> Tour:
        """The box with the entries that are new on this board."""
        tables = {new.table for new in board_named(self.before, self.name).new}
        told = self.placing.told
        new = {path: told[path] for path in told if path.rpartition(".")[0] in tables}
        new = {path: value for path, value in new.items() if self._is_new(path, value)}
        spaces = board_named(self._told(new), self.name).spaces
        entries = [path for space in spaces for path in space.entries]
        there = {path: told[path] for path in entries if self._is_new(path, told.get(path))}
        return self._told({**new, **there})

    def _is_new(self, path: str, value: Any) -> bool:
        return value is not None and self.before.sheet.at(path) is None

    def _told(self, said: Mapping[str, Any]) -> Tour:
        before = self.before
        told = {path: Stated(value, "") for path, value in said.items()}
        kept = {path: one for path, one in before.stated.items() if path not in told}
        return Tour(before.model, before.guide, before.base, {**kept, **told})

    def is_gone(self, space: Space) -> bool:
        return self.placing.told.get(space.path, _UNTOLD) is None

    @cached_property
    def said(self) -> dict[str, Any]:
        """What follows for the box: values by the paths of records, what the rulebook has not."""
        tour = self._with_new
        return {path: value for path, value in self._all.items() if tour.is_assumed(path)}

    @cached_property
    def tour(self) -> Tour:
        """The box as it would be."""
        return self._told(self.said)

    def question(self, path: str) -> Question:
        """The question about a datum, with what is told of it by now.

        What can be chosen is known even while what was told does not fit together.
        """
        return self._with_new.question(path)._replace(value=self.tour.question(path).value)

    @cached_property
    def conflicts(self) -> list[PlaceConflict]:
        """What was told that the rulebook states otherwise."""
        tour = self._with_new
        return [
            PlaceConflict(path, value, stated)
            for path, value in self._all.items()
            if not tour.is_assumed(path) and not _same(value, stated := tour.question(path).value)
        ]

    @cached_property
    def links(self) -> dict[str, Any]:
        """Of what is said, what names spaces: whoever has the same has the same map."""
        asked = (path for space in self.board.spaces for path in (*space.asks, *space.lists))
        return {
            path: self.said[path]
            for path in dict.fromkeys(asked)
            if path in self.said and self.linked(self._with_new.question(path))
        }

    def linked(self, question: Question) -> bool:
        """Whether it is answered by tapping other spaces."""
        return bool(question.choices) and self._names.issuperset(map(str, question.choices))

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(space.name for space in self.board.spaces)

    @cached_property
    def _all(self) -> dict[str, Any]:
        said: dict[str, Any] = {}
        told = self.placing.told
        for path, value in self._with_new.stated.items():
            if path in told and self._is_new(path, value.value):
                said[path] = value.value
        gone = [space for space in self.board.spaces if self.is_gone(space)]
        missing = frozenset(space.name for space in gone)
        for space in self.board.spaces:
            if space not in gone:
                said |= self._of(space, missing)
        for space in gone:
            said |= {path: [] for path in space.asks if PART in path}
            there = (path for path in space.entries if self._with_new.sheet.at(path) is not None)
            said |= dict.fromkeys(there)
            said[space.path] = None
        said |= dict(self._coordinates(missing))
        return {**self._together, **said}

    @property
    def _together(self) -> Mapping[str, Any]:
        """What follows from where all of them lie; what is told of one of them goes before."""
        places, tall = self.placing.places, self.placing.tall
        return self.board.follows({name: (x, y * tall) for name, (x, y) in places.items()})

    def _of(self, space: Space, missing: frozenset[str]) -> Iterator[tuple[str, Any]]:
        told = self.placing.told
        for path in space.entries:
            if path in told and told[path] is None and self._with_new.sheet.at(path) is not None:
                yield path, None
        for path in space.lists:
            if path in told:
                yield path, told[path]
        absent = tuple(f"{path}." for path in space.entries if told.get(path, "") is None)
        for path in space.asks:
            if absent and path.startswith(absent):
                continue
            question = self._with_new.question(path)
            value = told[path] if path in told else self._by_place(space, question)
            if self.linked(question):
                value = self._without(space, question, value, missing)
            if value is not _UNTOLD:
                yield path, value

    def _by_place(self, space: Space, question: Question) -> Any:
        """What follows from where it was put alone."""
        places = self.placing.places
        if space.name not in places:
            return _UNTOLD
        if PART in question.path:
            return []
        if question.path not in space.nearest or not self._with_new.is_assumed(question.path):
            return _UNTOLD
        found = nearest(places, places[space.name], question.choices)
        if found is None:
            return _UNTOLD
        return [found] if question.kind == "several" else found

    def _without(
        self, space: Space, question: Question, value: Any, missing: frozenset[str]
    ) -> Any:
        """A value that names no space that is not on this board."""
        known = question.value if value is _UNTOLD else value
        if not missing.intersection(_several(known)):
            return value
        if question.kind == "several":
            return [name for name in known if name not in missing]
        places = self.placing.places
        left = [name for name in question.choices if name not in missing]
        found = nearest(places, places[space.name], left) if space.name in places else None
        return found or next(iter(left), _UNTOLD)

    def _coordinates(self, missing: frozenset[str]) -> Iterator[tuple[str, Any]]:
        drawn = {
            space.name: space.place
            for space in self.board.spaces
            if space.place is not None and space.name not in missing
        }
        there = {name: at for name, at in self.placing.places.items() if name in drawn}
        for name, (x, y) in in_percent(there, self.board.across):
            paths = drawn[name]
            yield from zip(paths, (x, y), strict=True)

    def new_path(self, new: New) -> str:
        """A free name for one more space."""
        sheet = self.tour.sheet
        if not new.letters:
            return new_entry(sheet, new.table)
        told = {path for path in self.placing.told if path.startswith(f"{new.table}.{new.letters}")}
        taken = {*(f"{new.table}.{name}" for name in sheet.at(new.table) or ()), *told}
        paths = (f"{new.table}.{new.letters}{number}" for number in range(1, len(taken) + 2))
        return next(path for path in paths if path not in taken)


def board_named(tour: Tour, name: str) -> Board:
    return next(board for board in tour.guide.boards(tour.kit) if board.name == name)


def _several(value: Any) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list | tuple) else [str(value)]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return sorted(map(str, one)) == sorted(map(str, other))
    return bool(one == other)
