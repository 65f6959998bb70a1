from typing import ClassVar, Literal

from pydantic import Field

from engines.kernel import (
    Action,
    Agenda,
    Audit,
    Duty,
    Engine,
    Faces,
    Hearing,
    Holding,
    Holdings,
    Kit,
    Opening,
    Positions,
    Result,
    Rulebook,
    Seat,
    State,
    evolve,
)
from engines.kernel.picture.layout import Frame, Part, stacked
from engines.kernel.picture.svg import GREY, INK, el, joined, text


class Box(Kit):
    heap: int


class Table(Opening):
    players: tuple[Seat, ...]
    first: Seat
    forms: ClassVar = ("{players...} first {first}",)
    seats = property(lambda self: self.players)

    @classmethod
    def usual(cls, players: int) -> str:
        return "table A B first A"


class Take(Action):
    verb: Literal["take"] = "take"
    pebbles: int
    forms: ClassVar = ("{pebbles}",)
    french: ClassVar = ("prend",)


class Position(Action):
    verb: Literal["position"] = "position"
    heap: int = Field(ge=0)
    taken: dict[Seat, int] = {}
    next: Seat
    last: int = 0
    forms: ClassVar = ("{json}",)
    enumerable: ClassVar = False


class Tableau(State, frozen=True):
    seats: tuple[str, ...]
    heap: int
    taken: dict[str, int]
    last: int = 0
    winner: str | None = None


rules = Rulebook({"turn": (Take,), "": (Audit, Position)}, audit="PEB-AUDIT-1")


@rules.checks_kit
def enough_pebbles(kit: Box, rule: Hearing[Box]) -> None:
    rule("PEB-KIT-1", kit.heap >= 4, heap=kit.heap)


@rules.opens
def open_table(opening: Table, rule: Hearing[Box]) -> Tableau:
    rule("PEB-SETUP-1", opening.players == ("A", "B"), seats=opening.players)
    rule("PEB-SETUP-2", opening.first in opening.players, first=opening.first)
    agenda = Agenda().push(Duty("turn", opening.first))
    return Tableau(opening.players, rule.kit.heap, dict.fromkeys(opening.players, 0), agenda=agenda)


@rules.hears(Take)
def take(state: Tableau, action: Take, rule: Hearing[Box]) -> Tableau:
    rule("PEB-TAKE-1", 1 <= action.pebbles <= 3, pebbles=action.pebbles)
    rule("PEB-TAKE-2", action.pebbles != state.last, pebbles=action.pebbles)
    rule("PEB-TAKE-3", action.pebbles <= state.heap, pebbles=action.pebbles, heap=state.heap)
    got = max(0, min(action.pebbles, state.heap))
    mine = {**state.taken, action.by: state.taken[action.by] + got}
    state = evolve(state, heap=state.heap - got, taken=mine, last=action.pebbles)
    other = next(seat for seat in state.seats if seat != action.by)
    stuck = state.heap == 1 and state.last == 1
    if rule.effect("PEB-END-1", state.heap == 0 or stuck, by=action.by):
        wins = action.by if rule.reading("last_pebble") == "wins" else other
        return evolve(state, winner=wins, agenda=state.agenda.clear())
    return evolve(state, agenda=Agenda().push(Duty("turn", other)))


@rules.not_now
def not_now(state: Tableau, action: Action, rule: Hearing[Box]) -> None:
    rule("PEB-END-2", not state.over)
    rule("PEB-TURN-1", False, seat=action.by, turn=state.agenda.seats)


@rules.hears(Position)
def declare(state: Tableau, action: Position, rule: Hearing[Box]) -> Tableau:
    taken = {seat: action.taken.get(seat, 0) for seat in state.seats}
    rule("PEB-KIT-2", action.heap + sum(taken.values()) == rule.kit.heap, heap=action.heap)
    rule("PEB-SETUP-2", action.next in state.seats, first=action.next)
    agenda = Agenda().push(Duty("turn", action.next))
    return evolve(
        state, heap=action.heap, taken=taken, last=action.last, agenda=agenda, winner=None
    )


@rules.offers(Take)
def takes(state: Tableau, seat: str, table: object):
    return (Take(by=seat, pebbles=n) for n in (1, 2, 3))


@rules.counts("heap")
def pebbles_left(state: Tableau, table: object) -> int:
    return state.heap


@rules.counts("{seat}")
def pebbles_taken(state: Tableau, table: object, seat: str) -> int:
    return state.taken[seat]


def describe(state, setting, speech):
    return [speech.say("heap", count=state.heap)]


def picture(state, setting, speech, last):
    width = 24.0 * setting.kit.heap + 20
    dots = [el("circle", cx=20.0 + 24 * i, cy=30.0, r=10.0, fill=GREY) for i in range(state.heap)]
    heap = Part(50, joined(dots), {"heap": Frame(8, 18, width - 16, 24)})
    count = Part(30, text(40, 20, state.heap, fill=INK))
    touched = ["heap"] if isinstance(last, Take) else []
    return stacked([heap, count]).picture(touched, width=width)


def position_of(state, setting):
    return Position(
        heap=state.heap, taken=state.taken, next=(state.agenda.seats or ("A",))[0], last=state.last
    )


def balance(state, setting):
    difference = state.heap + sum(state.taken.values()) - setting.kit.heap
    return {"pebbles": difference} if difference else {}


def held(state, setting):
    yield Holding("heap", "pebble", state.heap)
    yield from (Holding(seat, "pebble", count) for seat, count in state.taken.items())


def result(state):
    if state.winner is None:
        return None
    return Result(
        ((state.winner,), tuple(s for s in state.seats if s != state.winner)), "PEB-END-1"
    )


ENGINE = Engine(
    id="pebbles",
    package="pebbles",
    version="1.0",
    edition="first",
    seats=(2, 2),
    kit=Box,
    opening=Table,
    actions=(Take, Position),
    rules=rules,
    result=result,
    balance=balance,
    holdings=Holdings(held),
    positions=Positions(Position, position_of),
    faces=Faces(describe, picture),
)
