"""A stranger's game: boats go from isle to isle, and put crates down or take them aboard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal

from engines.kernel import (
    Action,
    Agenda,
    Duty,
    Engine,
    Faces,
    Hearing,
    Holding,
    Holdings,
    Kit,
    Opening,
    Result,
    Rulebook,
    Seat,
    Sight,
    State,
    evolve,
)
from engines.kernel.box.board import Board, Space
from engines.kernel.box.guide import Guide
from engines.kernel.picture.svg import Picture, Svg
from engines.kernel.rules.sight import Spaces

ISLES = {f"{column}{row}": (x, y) for y, row in enumerate("123") for x, column in enumerate("abcd")}


class Box(Kit):
    crates: int


class Table(Opening):
    players: tuple[Seat, ...]
    forms: ClassVar = ("{players...}",)
    seats = property(lambda self: self.players)

    @classmethod
    def usual(cls, players: int) -> str:
        return "table A B"


class Sail(Action):
    verb: Literal["sail"] = "sail"
    to: str
    forms: ClassVar = ("{to}",)


class Load(Action):
    verb: Literal["load"] = "load"


class Unload(Action):
    verb: Literal["unload"] = "unload"


class Tableau(State, frozen=True):
    seats: tuple[str, ...]
    boats: Mapping[str, str]
    crates: Mapping[str, int]
    aboard: Mapping[str, int]


rules = Rulebook({"turn": (Sail, Load, Unload)})


@rules.opens
def open_table(opening: Table, rule: Hearing[Box]) -> Tableau:
    crates = {isle: 1 if index % 2 else 0 for index, isle in enumerate(ISLES)}
    agenda = Agenda().push(Duty("turn", "A"))
    return Tableau(opening.players, {"A": "a1", "B": "d3"}, crates, {"A": 0, "B": 0}, agenda=agenda)


def _next(state: Tableau, by: str) -> Tableau:
    return evolve(state, agenda=Agenda().push(Duty("turn", "B" if by == "A" else "A")))


def near(isle: str) -> list[str]:
    x, y = ISLES[isle]
    return [other for other, (u, v) in ISLES.items() if abs(u - x) + abs(v - y) == 1]


@rules.hears(Sail)
def sail(state: Tableau, action: Sail, rule: Hearing[Box]) -> Tableau:
    rule("STR-SEA-1", action.to in near(state.boats[action.seat]))
    return _next(evolve(state, boats={**state.boats, action.seat: action.to}), action.seat)


def _moved(state: Tableau, seat: str, count: int) -> Tableau:
    isle = state.boats[seat]
    crates = {**state.crates, isle: state.crates[isle] - count}
    aboard = {**state.aboard, seat: state.aboard[seat] + count}
    return _next(evolve(state, crates=crates, aboard=aboard), seat)


@rules.hears(Load)
def load(state: Tableau, action: Load, rule: Hearing[Box]) -> Tableau:
    rule("STR-SEA-2", state.crates[state.boats[action.seat]] > 0)
    return _moved(state, action.seat, 1)


@rules.hears(Unload)
def unload(state: Tableau, action: Unload, rule: Hearing[Box]) -> Tableau:
    rule("STR-SEA-3", state.aboard[action.seat] > 0)
    return _moved(state, action.seat, -1)


@rules.offers(Sail)
def sails(state: Tableau, seat: str, table: object) -> Iterator[Action]:
    return (Sail(by=seat, to=isle) for isle in near(state.boats[seat]))


@rules.offers(Load)
def loads(state: Tableau, seat: str, table: object) -> Iterator[Action]:
    yield Load(by=seat)


@rules.offers(Unload)
def unloads(state: Tableau, seat: str, table: object) -> Iterator[Action]:
    yield Unload(by=seat)


def held(state: Tableau, setting: Any) -> Iterator[Holding]:
    yield from (Holding(f"isle.{isle}", "crate", n) for isle, n in state.crates.items())
    yield from (Holding(seat, "crate", n) for seat, n in state.aboard.items())


def more(state: Tableau, setting: Any) -> Iterator[Holding]:
    colours = {"A": "red", "B": "blue"}
    yield from (Holding(f"isle.{at}", f"boat.{colours[s]}") for s, at in state.boats.items())


def spots(state: Tableau, setting: Any, board: str, spaces: Spaces) -> Spaces:
    return {f"isle.{isle}": spot for isle, spot in spaces.items()}


def boards(kit: Box) -> Iterator[Board]:
    yield Board(
        "sea",
        tuple(
            Space(isle, "isle", "crates", start=(0.14 + 0.24 * x, 0.18 + 0.32 * y))
            for isle, (x, y) in ISLES.items()
        ),
    )


def no_result(state: Tableau) -> Result | None:
    return None


ENGINE: Engine[Any, Any] = Engine(
    id="stranger",
    package="tools.measure.sight.stranger",
    version="1.0",
    edition="first",
    seats=(2, 2),
    kit=Box,
    opening=Table,
    actions=(Sail, Load, Unload),
    rules=rules,
    result=no_result,
    holdings=Holdings(held),
    sight=Sight(("isle",), more, spots),
    faces=Faces(lambda state, setting, speech: [], lambda *given: Picture(10, 10, Svg())),
    guide=lambda: Guide(boards=boards),
)
