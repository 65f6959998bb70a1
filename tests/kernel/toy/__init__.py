"""A toy with a bit of everything: duties in any order, boasts nobody can check, derived steps.

Each seat bids and may boast of a colour as often as it likes; when all have bid, the round is
counted and a card is turned over, which settles the boasts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from engines.kernel import (
    Action,
    Agenda,
    Duty,
    Engine,
    Faces,
    Group,
    Hearing,
    Kit,
    Opening,
    Result,
    Rulebook,
    Seat,
    State,
    Step,
    evolve,
)
from engines.kernel.picture.svg import Picture, text

Colour = Literal["red", "blue"]


class Box(Kit):
    limit: int


class Table(Opening):
    players: tuple[Seat, ...]
    forms: ClassVar = ("{players...}",)
    seats = property(lambda self: self.players)


class Bid(Action):
    verb: Literal["bid"] = "bid"
    amount: int
    forms: ClassVar = ("{amount}",)
    french: ClassVar = ("mise",)


class Boast(Action):
    verb: Literal["boast"] = "boast"
    colour: Colour
    forms: ClassVar = ("{colour}",)


class Turn(Action):
    verb: Literal["turn"] = "turn"
    colour: Colour
    forms: ClassVar = ("{colour}",)
    enumerable: ClassVar = False


class Loop(Action):
    verb: Literal["loop"] = "loop"


class Round(State, frozen=True):
    bids: dict[str, int]
    boasts: dict[str, tuple[int, ...]]
    total: int = 0
    shown: str | None = None


rules = Rulebook({"bid": (Bid,), "boast": (Boast,), "turn": (Turn,), "": (Loop,)})


@rules.opens
def open_table(opening: Table, rule: Hearing[Box]) -> Round:
    rule("TOY-SEAT-1", len(opening.players) > 1, seats=opening.players)
    duties = [Duty("bid", seat) for seat in opening.players]
    duties += [Duty("boast", seat, times=None, optional=True) for seat in opening.players]
    return Round({}, {}, agenda=Agenda().push(Group(*duties), Step("count"), Duty("turn")))


@rules.hears(Bid)
def bid(state: Round, action: Bid, rule: Hearing[Box]) -> Round:
    rule("TOY-BID-1", action.amount > 0, amount=action.amount)
    rule("TOY-BID-2", action.amount <= rule.kit.limit, amount=action.amount)
    rule("TOY-BID-3", action.amount < 1000, amount=action.amount)
    return evolve(state, bids={**state.bids, str(action.by): action.amount})


@rules.hears(Boast)
def boast(state: Round, action: Boast, rule: Hearing[Box]) -> Round:
    rule.claim("TOY-BOAST-1", colour=action.colour)
    made = (*state.boasts.get(action.colour, ()), rule.number)
    return evolve(state, boasts={**state.boasts, action.colour: made})


@rules.derives("count")
def count_bids(state: Round, rule: Hearing[Box]) -> Round:
    rule.effect("TOY-COUNT-1", True)
    bonus = rule.effect("TOY-COUNT-2", len(set(state.bids.values())) == 1)
    return evolve(state, total=sum(state.bids.values()) * (2 if bonus else 1))


@rules.hears(Turn)
def turn(state: Round, action: Turn, rule: Hearing[Box]) -> Round:
    for colour, entries in state.boasts.items():
        if colour == action.colour:
            rule.clears("TOY-BOAST-1", *entries, shown=action.colour)
        else:
            rule.proves("TOY-BOAST-1", *entries, shown=action.colour)
    return evolve(state, shown=action.colour)


@rules.hears(Loop)
def loop(state: Round, action: Loop, rule: Hearing[Box]) -> Round:
    return evolve(state, agenda=state.agenda.push(Step("for ever")))


@rules.derives("for ever")
def for_ever(state: Round, rule: Hearing[Box]) -> Round:
    return evolve(state, agenda=state.agenda.push(Step("for ever")))


@rules.not_now
def not_now(state: Round, action: Action, rule: Hearing[Box]) -> None:
    rule("TOY-TURN-1", False, due=state.agenda.seats)


@rules.offers(Bid)
def bids(state: Round, seat: str, table: Any) -> Iterator[Bid]:
    return (Bid(by=seat, amount=n) for n in range(table.kit.limit + 2))


@rules.offers(Boast)
def boasts(state: Round, seat: str, table: Any) -> Iterator[Boast]:
    yield Boast(by=seat, colour="red")
    yield Boast(by=seat, colour="blue")


ENGINE: Engine[Round, Box] = Engine(
    id="toy",
    package="tests.kernel.toy",
    version="1",
    edition="only",
    seats=(2, 4),
    kit=Box,
    opening=Table,
    actions=(Bid, Boast, Turn, Loop),
    rules=rules,
    result=lambda state: Result((("A",),), "TOY-COUNT-1") if state.over else None,
    faces=Faces(
        lambda state, setting, lang: [str(state.total)],
        lambda state, setting, lang, last: Picture(10, 10, text(5, 5, state.total)),
    ),
)
