"""Harbour: all sail one boat, and all reach the harbour or none. Co-operation, chance, two ends."""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from engines.kernel import (
    Action,
    Agenda,
    Bag,
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
    Setting,
    State,
    evolve,
    next_seat,
)
from engines.kernel.picture.layout import Frame, Part
from engines.kernel.picture.svg import GREY, INK, PAPER, el, joined, text, worded

WEATHER = ("wind", "storm")


class Box(Kit):
    wind: int
    storm: int
    planks: int
    goal: int
    """So much wind brings the boat into the harbour."""
    hull: int
    """So many leaks sink it."""


class Table(Opening):
    players: tuple[Seat, ...]
    forms: ClassVar = ("{players...}",)
    seats = property(lambda self: self.players)

    @classmethod
    def usual(cls, players: int) -> str:
        return f"table {' '.join('ABCD'[:players])}"


class Sail(Action):
    verb: Literal["sail"] = "sail"
    forms: ClassVar = ("",)
    french: ClassVar = ("navigue",)


class Mend(Action):
    verb: Literal["mend"] = "mend"
    forms: ClassVar = ("",)
    french: ClassVar = ("répare",)


class Draw(Action):
    """What the bag has brought: chance is nobody's."""

    verb: Literal["draw"] = "draw"
    weather: Literal["wind", "storm"]
    forms: ClassVar = ("{weather}",)
    french: ClassVar = ("pioche",)
    observes: ClassVar = True


class Tableau(State, frozen=True):
    seats: tuple[str, ...]
    turn: str
    bag: Bag[str]
    drawn: Bag[str]
    planks: int
    way: int = 0
    leaks: int = 0
    won: bool | None = None


rules = Rulebook({"turn": (Sail, Mend), "draw": (Draw,)})


@rules.checks_kit
def enough_weather(kit: Box, rule: Hearing[Box]) -> None:
    rule("HAR-BOX-1", kit.wind >= kit.goal, wind=kit.wind, goal=kit.goal)
    rule("HAR-BOX-2", kit.storm >= kit.hull, storm=kit.storm, hull=kit.hull)


@rules.opens
def open_table(opening: Table, rule: Hearing[Box]) -> Tableau:
    seats = opening.players
    rule("HAR-SETUP-1", len(set(seats)) == len(seats) and 1 <= len(seats) <= 4, seats=seats)
    bag = Bag({"wind": rule.kit.wind, "storm": rule.kit.storm})
    agenda = Agenda().push(Duty("turn", seats[0]))
    return Tableau(seats, seats[0], bag, Bag(), rule.kit.planks, agenda=agenda)


@rules.hears(Sail)
def sail(state: Tableau, action: Sail, rule: Hearing[Box]) -> Tableau:
    return evolve(state, turn=action.seat, agenda=Agenda().push(Duty("draw")))


@rules.hears(Mend)
def mend(state: Tableau, action: Mend, rule: Hearing[Box]) -> Tableau:
    rule("HAR-MEND-1", state.planks > 0, planks=state.planks)
    rule("HAR-MEND-2", state.leaks > 0)
    used = min(1, state.planks)
    state = evolve(state, planks=state.planks - used, leaks=max(0, state.leaks - used))
    return _next_turn(evolve(state, turn=action.seat))


@rules.hears(Draw)
def draw(state: Tableau, action: Draw, rule: Hearing[Box]) -> Tableau:
    rule("HAR-DRAW-1", state.bag[action.weather] > 0, weather=action.weather)
    if state.bag[action.weather]:
        bag, drawn = state.bag.take(action.weather), state.drawn.add(action.weather)
        state = evolve(state, bag=bag, drawn=drawn)
    if action.weather == "wind":
        state = evolve(state, way=state.way + 1)
    else:
        state = evolve(state, leaks=state.leaks + 1)
    if rule.effect("HAR-END-1", state.way >= rule.kit.goal):
        return evolve(state, won=True, agenda=Agenda())
    if rule.effect("HAR-END-2", state.leaks >= rule.kit.hull):
        return evolve(state, won=False, agenda=Agenda())
    return _next_turn(state)


def _next_turn(state: Tableau) -> Tableau:
    turn = next_seat(state.seats, state.turn)
    return evolve(state, turn=turn, agenda=Agenda().push(Duty("turn", turn)))


@rules.not_now
def not_now(state: Tableau, action: Action, rule: Hearing[Box]) -> None:
    rule("HAR-END-3", not state.over)
    rule("HAR-TURN-1", False, turn=state.turn)


@rules.offers(Sail)
def sails(state: Tableau, seat: str, setting: Setting[Box]) -> Iterator[Sail]:
    yield Sail(by=seat)


@rules.offers(Mend)
def mends(state: Tableau, seat: str, setting: Setting[Box]) -> Iterator[Mend]:
    yield Mend(by=seat)


@rules.offers(Draw)
def draws(state: Tableau, seat: str | None, setting: Setting[Box]) -> Iterator[Draw]:
    yield from (Draw(weather="wind"), Draw(weather="storm"))


def describe(state: Tableau, setting: Setting[Box], speech: Any) -> list[str]:
    return [
        speech.say("way", way=state.way, goal=setting.kit.goal),
        speech.say("leaks", leaks=state.leaks, hull=setting.kit.hull),
        speech.say("planks", count=state.planks),
    ]


def picture(state: Tableau, setting: Setting[Box], speech: Any, last: Action | None) -> Any:
    """The boat on its way, its leaks, and the two kinds of weather to be tapped."""
    goal, width = setting.kit.goal, 24.0 * setting.kit.goal + 60
    way = [
        el(
            "circle",
            cx=20.0 + 24 * i,
            cy=24.0,
            r=9.0,
            fill=INK if i < state.way else PAPER,
            stroke=INK,
        )
        for i in range(goal)
    ]
    leaks = [text(20.0 + 24 * i, 62, "≈") for i in range(state.leaks)]
    tiles = [
        worded(
            weather,
            el(
                "rect",
                x=10 + 96.0 * i,
                y=76.0,
                width=88.0,
                height=28.0,
                rx=6,
                fill=PAPER,
                stroke=GREY,
            )
            + text(54 + 96.0 * i, 95, speech.term(weather)),
        )
        for i, weather in enumerate(WEATHER)
    ]
    spaces = {"way": Frame(8, 12, 24 * goal, 24), "hull": Frame(8, 46, 24 * goal, 24)}
    part = Part(116, joined([*way, *leaks, *tiles]), spaces)
    touched = {Draw: "way", Mend: "hull"}.get(type(last)) if last is not None else None
    return part.picture([touched] if touched else [], width=max(width, 210.0))


def balance(state: Tableau, setting: Setting[Box]) -> dict[str, int]:
    there = {"wind": setting.kit.wind, "storm": setting.kit.storm}
    found = {name: state.bag[name] + state.drawn[name] - count for name, count in there.items()}
    return {name: difference for name, difference in found.items() if difference}


def held(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    for name in WEATHER:
        yield Holding("bag", name, state.bag[name])
        yield Holding("sea", name, state.drawn[name])
    yield Holding("boat", "plank", state.planks)


def result(state: Tableau) -> Result | None:
    if state.won is None:
        return None
    return Result((state.seats,), "HAR-END-1" if state.won else "HAR-END-2", won=state.won)


ENGINE = Engine(
    id="harbour",
    package="harbour",
    version="1.0",
    edition="first",
    seats=(1, 4),
    cooperative=True,
    kit=Box,
    opening=Table,
    actions=(Sail, Mend, Draw),
    rules=rules,
    result=result,
    balance=balance,
    holdings=Holdings(held),
    faces=Faces(describe, picture),
)
