"""Counters: two players take one or two counters in turn; whoever takes the last one wins."""

from typing import ClassVar, Literal

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
    State,
    evolve,
)
from engines.kernel.picture.layout import Frame, Part
from engines.kernel.picture.svg import GREY, INK, el, joined, text, worded


class Box(Kit):
    counters: int


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
    count: int
    forms: ClassVar = ("{count}",)
    french: ClassVar = ("prend",)


class Tableau(State, frozen=True):
    seats: tuple[str, ...]
    left: int
    taken: dict[str, int]
    winner: str | None = None


rules = Rulebook({"turn": (Take,)})


@rules.checks_kit
def enough_counters(kit: Box, rule: Hearing[Box]) -> None:
    rule("COU-KIT-1", kit.counters >= 3, counters=kit.counters)


@rules.opens
def open_table(opening: Table, rule: Hearing[Box]) -> Tableau:
    rule("COU-SETUP-1", opening.players == ("A", "B"), seats=opening.players)
    rule("COU-SETUP-2", opening.first in opening.players, first=opening.first)
    agenda = Agenda().push(Duty("turn", opening.first))
    none = dict.fromkeys(opening.players, 0)
    return Tableau(opening.players, rule.kit.counters, none, agenda=agenda)


@rules.hears(Take)
def take(state: Tableau, action: Take, rule: Hearing[Box]) -> Tableau:
    rule("COU-TAKE-1", action.count in (1, 2), count=action.count)
    rule("COU-TAKE-2", action.count <= state.left, left=state.left)
    # What was really done at a table may stand though it is illegal: no rule may crash.
    got = max(0, min(action.count, state.left))
    taken = {**state.taken, action.seat: state.taken[action.seat] + got}
    state = evolve(state, left=state.left - got, taken=taken)
    if rule.effect("COU-END-1", state.left == 0, by=action.seat):
        return evolve(state, winner=action.seat, agenda=state.agenda.clear())
    other = next(seat for seat in state.seats if seat != action.seat)
    return evolve(state, agenda=Agenda().push(Duty("turn", other)))


@rules.not_now
def not_now(state: Tableau, action: Action, rule: Hearing[Box]) -> None:
    rule("COU-END-2", not state.over)
    rule("COU-TURN-1", False, turn=state.agenda.seats)


@rules.offers(Take)
def takes(state: Tableau, seat: str, table: object):
    return (Take(by=seat, count=count) for count in (1, 2))


def describe(state, setting, speech):
    return [speech.say("left", count=state.left)]


def picture(state, setting, speech, last):
    """Tapping the first or the second counter takes so many."""
    width = 24.0 * setting.kit.counters + 20
    dots = [el("circle", cx=20.0 + 24 * i, cy=30.0, r=10.0, fill=GREY) for i in range(state.left)]
    drawn = [worded(str(i + 1), dot) if i < 2 else dot for i, dot in enumerate(dots)]
    body = joined([*drawn, text(width / 2, 66, state.left, fill=INK)])
    heap = Part(80, body, {"heap": Frame(8, 18, width - 16, 24)})
    return heap.picture(["heap"] if last is not None else [], width=width)


def balance(state, setting):
    difference = state.left + sum(state.taken.values()) - setting.kit.counters
    return {"counters": difference} if difference else {}


def held(state, setting):
    yield Holding("heap", "counter", state.left)
    yield from (Holding(seat, "counter", count) for seat, count in state.taken.items())


def result(state):
    if state.winner is None:
        return None
    others = tuple(seat for seat in state.seats if seat != state.winner)
    return Result(((state.winner,), others), "COU-END-1")


ENGINE = Engine(
    id="counters",
    package="counters",
    version="1.0",
    edition="first",
    seats=(2, 2),
    kit=Box,
    opening=Table,
    actions=(Take,),
    rules=rules,
    result=result,
    balance=balance,
    holdings=Holdings(held),
    faces=Faces(describe, picture),
)
