"""Dunes: all pour water in secret, and march by it. Equal amounts cancel, and some drop out."""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from msgspec import Struct

from engines.kernel import (
    GO_ON,
    SECRET,
    Action,
    Agenda,
    Bag,
    Duty,
    Engine,
    Faces,
    Group,
    Hearing,
    Holding,
    Holdings,
    Kit,
    Opening,
    Result,
    Rulebook,
    Seat,
    Secrecy,
    Setting,
    State,
    evolve,
    with_player,
)
from engines.kernel.picture.layout import Frame, Part
from engines.kernel.picture.svg import GREY, INK, PAPER, el, joined, text, worded


class Box(Kit):
    water: int
    """So many drops has each trader at first."""
    rest: int
    """So many drops an empty hand draws from the well."""
    days: int
    wares: dict[str, int]
    """How often each ware is in the box."""
    worth: dict[str, int]


class Table(Opening):
    players: tuple[Seat, ...]
    forms: ClassVar = ("{players...}",)
    seats = property(lambda self: self.players)

    @classmethod
    def usual(cls, players: int) -> str:
        return f"table {' '.join('ABCDEF'[:players])}"


class Close(Action):
    """A hand is closed; its seat may tell the referee in confidence on how many drops."""

    verb: Literal["close"] = "close"
    drops: int | None = None
    forms: ClassVar = ("[{drops}]",)
    french: ClassVar = ("ferme",)
    private: ClassVar = ("drops",)
    amounts: ClassVar = ("drops",)


class Open(Action):
    verb: Literal["open"] = "open"
    drops: int
    forms: ClassVar = ("{drops}",)
    french: ClassVar = ("ouvre",)
    amounts: ClassVar = ("drops",)
    observes: ClassVar = True


class Take(Action):
    verb: Literal["take"] = "take"
    ware: str
    forms: ClassVar = ("{ware}",)
    french: ClassVar = ("prend",)


class Trader(Struct, frozen=True):
    water: int
    closed: int | None = None
    """The entry in which the hand was closed; none between two days."""
    told: int | None = None
    """What is in it, where the referee was told; ``SECRET`` to the others."""
    shown: int | None = None
    """What was in the hand when it was opened last."""
    wares: Bag[str] = Bag()
    points: int = 0


class Tableau(State, frozen=True):
    players: dict[str, Trader]
    order: tuple[str, ...]
    """Who still marches, the head of the caravan first."""
    market: Bag[str]
    well: int = 0
    day: int = 1
    takers: tuple[str, ...] | None = None
    """Who may still take a ware today; none before the hands are open."""


rules = Rulebook({"close": (Close,), "open": (Open,), "take": (Take,)})


@rules.checks_kit
def every_ware_has_a_worth(kit: Box, rule: Hearing[Box]) -> None:
    rule("DUN-BOX-1", kit.wares.keys() == kit.worth.keys(), wares=tuple(kit.wares))


@rules.opens
def open_table(opening: Table, rule: Hearing[Box]) -> Tableau:
    seats = opening.players
    rule("DUN-SETUP-1", len(set(seats)) == len(seats) and 3 <= len(seats) <= 6, seats=seats)
    traders = dict.fromkeys(seats, Trader(rule.kit.water))
    return Tableau(traders, seats, Bag(rule.kit.wares), agenda=GO_ON)


@rules.flows
def go_on(state: Tableau, rule: Hearing[Box]) -> Tableau:
    """All close a hand, then all open it, then those who poured alone take wares in order."""
    if state.takers is None:
        if late := [seat for seat in state.order if state.players[seat].closed is None]:
            return evolve(state, agenda=_owe("close", *late))
        if late := [seat for seat in state.order if state.players[seat].shown is None]:
            return evolve(state, agenda=_owe("open", *late))
        return _marched(state, rule)
    if state.takers and state.market.size:
        return evolve(state, agenda=_owe("take", state.takers[0]))
    return _evening(state, rule)


def _owe(kind: str, *seats: str) -> Agenda:
    return Agenda((Group(*(Duty(kind, seat) for seat in seats)),))


def _marched(state: Tableau, rule: Hearing[Box]) -> Tableau:
    """All hands are open: who walks where, who has cancelled whom, and who drinks."""
    poured = {seat: state.players[seat].shown or 0 for seat in state.order}
    often = Bag(poured.values())
    equal = tuple(seat for seat, drops in poured.items() if drops and often[drops] > 1)
    resting = tuple(seat for seat, drops in poured.items() if not drops)
    alone = [seat for seat in state.order if seat not in equal + resting]
    alone.sort(key=lambda seat: -poured[seat])
    order = (*alone, *equal, *resting)
    for seat in (*alone, *equal):
        state = _drawn(state, seat, -poured[seat])
    rule.stage(state)
    for seat in resting:
        state = _drawn(state, seat, min(rule.kit.rest, state.well))
    players = {seat: evolve(one, closed=None) for seat, one in state.players.items()}
    rule.effect("DUN-MARCH-2", bool(equal), seats=equal)
    rule.effect("DUN-REST-1", bool(resting), seats=resting)
    rule.effect("DUN-MARCH-1", order != state.order, order=order)
    return evolve(state, players=players, order=order, takers=tuple(alone), agenda=GO_ON)


def _drawn(state: Tableau, seat: str, drops: int) -> Tableau:
    """So many drops from the well; below nothing, into it, as far as the trader has them."""
    water = max(0, state.players[seat].water + drops)
    well = state.well + state.players[seat].water - water
    return with_player(evolve(state, well=well), seat, water=water)


def _evening(state: Tableau, rule: Hearing[Box]) -> Tableau:
    dry = tuple(seat for seat in state.order if not state.players[seat].water)
    rule.effect("DUN-OUT-1", bool(dry), seats=dry)
    order = tuple(seat for seat in state.order if seat not in dry)
    state = evolve(state, order=order, day=state.day + 1, takers=None, agenda=GO_ON)
    over = state.day > rule.kit.days or len(order) < 2 or not state.market.size
    most = max(one.points for one in state.players.values())
    return evolve(state, agenda=Agenda()) if rule.effect("DUN-END-1", over, most=most) else state


@rules.hears(Close)
def close(state: Tableau, action: Close, rule: Hearing[Box]) -> Tableau:
    water = state.players[action.seat].water
    if action.drops is not None:
        rule("DUN-CLOSE-1", 0 <= action.drops <= water, water=water)
    return with_player(state, action.seat, closed=rule.number, told=action.drops, shown=None)


@rules.hears(Open)
def open_hand(state: Tableau, action: Open, rule: Hearing[Box]) -> Tableau:
    me = state.players[action.seat]
    rule("DUN-CLOSE-1", 0 <= action.drops <= me.water, water=me.water)
    if me.closed is not None and me.told is not None:
        settle = rule.clears if me.told == action.drops else rule.proves
        settle("DUN-OPEN-1", me.closed, drops=action.drops)
    drops = max(0, min(action.drops, me.water))
    return with_player(state, action.seat, shown=drops, told=None)


@rules.hears(Take)
def take(state: Tableau, action: Take, rule: Hearing[Box]) -> Tableau:
    rule("DUN-TAKE-1", state.market[action.ware] > 0, ware=action.ware)
    takers = tuple(seat for seat in state.takers or () if seat != action.seat)
    state = evolve(state, takers=None if state.takers is None else takers)
    if not state.market[action.ware]:
        return state
    me = state.players[action.seat]
    more = rule.effect("DUN-TAKE-2", me.wares[action.ware] > 0, ware=action.ware)
    points = me.points + (1 if more else rule.kit.worth.get(action.ware, 0))
    state = evolve(state, market=state.market.take(action.ware))
    return with_player(state, action.seat, wares=me.wares.add(action.ware), points=points)


@rules.not_now
def not_now(state: Tableau, action: Action, rule: Hearing[Box]) -> None:
    rule("DUN-END-2", not state.over)
    rule("DUN-OUT-2", action.by is None or action.by in state.order, seat=action.by)
    rule("DUN-TURN-1", False, turn=state.agenda.seats)


@rules.offers(Close)
def closes(state: Tableau, seat: str, setting: Setting[Box]) -> Iterator[Close]:
    yield Close(by=seat)
    yield from (Close(by=seat, drops=n) for n in range(state.players[seat].water + 1))


@rules.offers(Open)
def opens(state: Tableau, seat: str, setting: Setting[Box]) -> Iterator[Open]:
    yield from (Open(by=seat, drops=n) for n in range(state.players[seat].water + 1))


@rules.offers(Take)
def takes(state: Tableau, seat: str, setting: Setting[Box]) -> Iterator[Take]:
    yield from (Take(by=seat, ware=ware) for ware in setting.kit.wares)


def hide(state: Tableau, viewer: str, setting: Setting[Box]) -> Tableau:
    hidden = {
        seat: evolve(one, told=SECRET)
        for seat, one in state.players.items()
        if seat != viewer and one.closed is not None and one.shown is None
    }
    return evolve(state, players={**state.players, **hidden}) if hidden else state


def _seen(state: Tableau, seat: str, speech: Any) -> Iterator[str]:
    """The water of a trader and the hand: closed on what is known of it, or what it has poured."""
    one = state.players[seat]
    yield speech.say("water" if seat in state.order else "behind", count=one.water)
    drops = one.told if one.shown is None else one.shown
    if one.closed is not None:
        yield speech.say("hand", drops="?" if drops is None or drops is SECRET else drops)
    elif drops is not None:
        yield speech.say("poured", drops=drops)


def _rows(state: Tableau) -> tuple[str, ...]:
    """The caravan, and behind it those who have dropped out."""
    return state.order + tuple(seat for seat in state.players if seat not in state.order)


def describe(state: Tableau, setting: Setting[Box], speech: Any) -> list[str]:
    day = min(state.day, setting.kit.days)
    today = speech.say("day", day=day, days=setting.kit.days)
    lines = [f"{today}, {speech.say('well', count=state.well)}"]
    lines.append(speech.say("market", wares=dict(state.market)))
    for seat in _rows(state):
        one = state.players[seat]
        told = [speech.say("points", seat=seat, count=one.points), *_seen(state, seat, speech)]
        if one.wares:
            told.append(speech.say("wares", wares=dict(one.wares)))
        lines.append(", ".join(told))
    return lines


def picture(state: Tableau, setting: Setting[Box], speech: Any, last: Action | None) -> Any:
    """The market, to be tapped; a row for each trader, the head of the caravan first; the well."""
    kinds, high = sorted(setting.kit.wares, key=setting.kit.worth.get), 52.0
    drawn, spaces = [], {}
    width = 190 + 74.0 * len(kinds)
    for column, ware in enumerate(kinds):
        x = 182 + 74.0 * column
        tile = el("rect", x=x, y=8.0, width=70.0, height=42.0, rx=6, fill=PAPER, stroke=INK)
        label = text(x + 35, 26, speech.term(ware), 13)
        left = text(x + 35, 44, f"{state.market[ware]} × {setting.kit.worth[ware]}", 13)
        drawn.append(worded(ware, tile + label + left))
        spaces[ware] = Frame(x, 8, 70, 42)
    for row, seat in enumerate(_rows(state)):
        one, y = state.players[seat], 60 + high * row
        marches = seat in state.order
        ink = INK if marches else GREY
        name = speech.say("points", seat=seat, count=one.points)
        place = f"{row + 1}. {name}" if marches else name
        panel = el("rect", x=8.0, y=y, width=width - 16, height=46.0, rx=6, fill=PAPER, stroke=ink)
        drop = el("circle", cx=28.0, cy=y + 32, r=9.0, fill="#3b8ec2" if marches else GREY)
        drawn += [panel, text(18, y + 17, place, 13, anchor="start", fill=ink)]
        seen = ", ".join(_seen(state, seat, speech))
        drawn += [drop, text(46, y + 37, seen, 13, anchor="start", fill=ink)]
        for column, ware in enumerate(kinds):
            if count := one.wares[ware]:
                drawn.append(text(217 + 74.0 * column, y + 37, count, 16, fill=ink))
        spaces[seat] = Frame(8, y, width - 16, 46)
    y = 58 + high * len(state.players)
    well = el("circle", cx=28.0, cy=y + 21, r=14.0, fill="none", stroke="#3b8ec2", stroke_width=3)
    drawn += [well, text(50, y + 26, speech.say("well", count=state.well), 13, anchor="start")]
    part = Part(y + 46, joined(drawn), spaces)
    touched = [last.by] if last is not None and last.by else []
    return part.picture(touched + ([last.ware] if isinstance(last, Take) else []), width=width)


def balance(state: Tableau, setting: Setting[Box]) -> dict[str, int]:
    players, kit = state.players.values(), setting.kit
    found = {"drop": state.well + sum(one.water - kit.water for one in players)}
    for ware, count in kit.wares.items():
        found[ware] = state.market[ware] + sum(one.wares[ware] for one in players) - count
    return {thing: difference for thing, difference in found.items() if difference}


def held(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    yield Holding("well", "drop", state.well)
    yield from (Holding("market", ware, count) for ware, count in state.market.items())
    for seat, one in state.players.items():
        yield Holding(seat, "drop", one.water)
        yield from (Holding(seat, ware, count) for ware, count in one.wares.items())


def result(state: Tableau) -> Result | None:
    """Most points, then most water; whoever has the same of both shares a place."""
    if not state.over:
        return None
    scores = {seat: one.points for seat, one in state.players.items()}
    worth = {seat: (one.points, one.water) for seat, one in state.players.items()}
    ranks = sorted({*worth.values()}, reverse=True)
    places = tuple(tuple(seat for seat in worth if worth[seat] == rank) for rank in ranks)
    return Result(places, "DUN-END-1", scores=scores)


ENGINE = Engine(
    id="dunes",
    package="dunes",
    version="1.0",
    edition="first",
    seats=(3, 6),
    kit=Box,
    opening=Table,
    actions=(Close, Open, Take),
    rules=rules,
    result=result,
    balance=balance,
    holdings=Holdings(
        held, points=lambda state: {seat: one.points for seat, one in state.players.items()}
    ),
    faces=Faces(describe, picture),
    secrecy=Secrecy(hide),
)
