"""Smugglers: everybody packs a chest in secret and declares it, truly or not. Bluff and scoring."""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from msgspec import Struct

from engines.kernel import (
    GO_ON,
    SECRET,
    Action,
    Agenda,
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
    next_seat,
    with_player,
)
from engines.kernel.picture.layout import Frame, Part
from engines.kernel.picture.svg import GREY, INK, PAPER, el, joined, text, worded


class Box(Kit):
    goods: dict[str, int]
    """How often each kind is in the box."""
    worth: dict[str, int]
    fine: int


class Table(Opening):
    players: tuple[Seat, ...]
    forms: ClassVar = ("{players...}",)
    seats = property(lambda self: self.players)

    @classmethod
    def usual(cls, players: int) -> str:
        return f"table {' '.join('ABCD'[:players])}"


class Pack(Action):
    """A chest is closed; its seat may tell the referee in confidence what is in it."""

    verb: Literal["pack"] = "pack"
    goods: str | None = None
    forms: ClassVar = ("[{goods}]",)
    french: ClassVar = ("emballe",)
    private: ClassVar = ("goods",)


class Declare(Action):
    verb: Literal["declare"] = "declare"
    goods: str
    forms: ClassVar = ("{goods}",)
    french: ClassVar = ("déclare",)


class Inspect(Action):
    verb: Literal["inspect"] = "inspect"
    forms: ClassVar = ("",)
    french: ClassVar = ("inspecte",)


class Wave(Action):
    verb: Literal["wave"] = "wave"
    forms: ClassVar = ("",)
    french: ClassVar = ("laisse",)


class Unpack(Action):
    verb: Literal["unpack"] = "unpack"
    goods: str
    forms: ClassVar = ("{goods}",)
    french: ClassVar = ("déballe",)
    observes: ClassVar = True


class Player(Struct, frozen=True):
    packed: int | None = None
    """The entry in which the chest was closed."""
    goods: str | None = None
    """What is in it, where the referee was told; ``SECRET`` to the others."""
    declared: str | None = None
    inspected: bool | None = None
    shown: str | None = None
    points: int = 0


class Tableau(State, frozen=True):
    players: dict[str, Player]
    fine: int


rules = Rulebook(
    {
        "pack": (Pack,),
        "declare": (Declare,),
        "inspect": (Inspect, Wave),
        "unpack": (Unpack,),
    }
)


@rules.checks_kit
def every_kind_has_a_worth(kit: Box, rule: Hearing[Box]) -> None:
    rule("SMU-BOX-2", kit.goods.keys() == kit.worth.keys(), goods=tuple(kit.goods))


@rules.opens
def open_table(opening: Table, rule: Hearing[Box]) -> Tableau:
    seats = opening.players
    rule("SMU-SETUP-1", len(set(seats)) == len(seats) and 2 <= len(seats) <= 4, seats=seats)
    return Tableau(dict.fromkeys(seats, Player()), rule.kit.fine, agenda=GO_ON)


@rules.flows
def go_on(state: Tableau, rule: Hearing[Box]) -> Tableau:
    """All pack at once; then each declares, and the left neighbour lets it pass or inspects."""
    players = state.players
    if open_chests := [seat for seat, one in players.items() if one.packed is None]:
        return evolve(state, agenda=_owe("pack", *open_chests))
    for seat, one in players.items():
        if one.declared is None:
            return evolve(state, agenda=_owe("declare", seat))
        if one.inspected is None:
            return evolve(state, agenda=_owe("inspect", next_seat(tuple(players), seat)))
        if one.inspected and one.shown is None:
            return evolve(state, agenda=_owe("unpack", seat))
    if hidden := [seat for seat, one in players.items() if one.shown is None]:
        return evolve(state, agenda=_owe("unpack", *hidden))
    rule.effect("SMU-END-1", True, most=max(one.points for one in players.values()))
    return evolve(state, agenda=Agenda())


def _owe(kind: str, *seats: str) -> Agenda:
    return Agenda((Group(*(Duty(kind, seat) for seat in seats)),))


@rules.hears(Pack)
def pack(state: Tableau, action: Pack, rule: Hearing[Box]) -> Tableau:
    if action.goods is not None:
        others = (one for seat, one in state.players.items() if seat != action.seat)
        packed = sum(one.goods == action.goods for one in others)
        rule("SMU-BOX-1", packed < rule.kit.goods.get(action.goods, 0), goods=action.goods)
    return with_player(state, action.seat, packed=rule.number, goods=action.goods)


@rules.hears(Declare)
def declare(state: Tableau, action: Declare, rule: Hearing[Box]) -> Tableau:
    rule("SMU-DECLARE-1", action.goods in rule.kit.goods, goods=action.goods)
    return with_player(state, action.seat, declared=action.goods)


@rules.hears(Inspect)
def inspect(state: Tableau, action: Inspect, rule: Hearing[Box]) -> Tableau:
    return _looked(state, action.seat, inspected=True)


@rules.hears(Wave)
def wave(state: Tableau, action: Wave, rule: Hearing[Box]) -> Tableau:
    return _looked(state, action.seat, inspected=False)


def _looked(state: Tableau, inspector: str, *, inspected: bool) -> Tableau:
    """The chest to the right of the inspector; what was decided stays decided."""
    seats = tuple(state.players)
    owner = next(seat for seat in seats if next_seat(seats, seat) == inspector)
    if state.players[owner].inspected is not None:
        return state
    return with_player(state, owner, inspected=inspected)


@rules.hears(Unpack)
def unpack(state: Tableau, action: Unpack, rule: Hearing[Box]) -> Tableau:
    me = state.players[action.seat]
    others = [one for seat, one in state.players.items() if seat != action.seat]
    there = sum((one.shown or one.goods) == action.goods for one in others)
    rule("SMU-BOX-1", there < rule.kit.goods.get(action.goods, 0), goods=action.goods)
    if me.packed is not None and me.goods is not None:
        if me.goods == action.goods:
            rule.clears("SMU-UNPACK-1", me.packed, goods=action.goods)
        else:
            rule.proves("SMU-UNPACK-1", me.packed, goods=action.goods)
    worth, fine = rule.kit.worth.get(action.goods, 0), rule.kit.fine
    lied = me.declared != action.goods
    inspector = next_seat(tuple(state.players), action.seat)
    if rule.effect("SMU-SCORE-1", bool(me.inspected) and lied, by=inspector, fine=fine):
        state = _scored(state, inspector, fine)
        worth = 0
    elif rule.effect("SMU-SCORE-2", bool(me.inspected) and not lied, by=inspector, fine=fine):
        state = _scored(state, inspector, -fine)
    state = _scored(state, action.seat, worth)
    return with_player(state, action.seat, shown=action.goods, goods=action.goods)


def _scored(state: Tableau, seat: str, points: int) -> Tableau:
    return with_player(state, seat, points=state.players[seat].points + points)


@rules.not_now
def not_now(state: Tableau, action: Action, rule: Hearing[Box]) -> None:
    rule("SMU-END-2", not state.over)
    rule("SMU-TURN-1", False, turn=state.agenda.seats)


@rules.offers(Pack)
def packs(state: Tableau, seat: str, setting: Setting[Box]) -> Iterator[Pack]:
    yield Pack(by=seat)
    yield from (Pack(by=seat, goods=goods) for goods in setting.kit.goods)


@rules.offers(Declare)
def declares(state: Tableau, seat: str, setting: Setting[Box]) -> Iterator[Declare]:
    yield from (Declare(by=seat, goods=goods) for goods in setting.kit.goods)


@rules.offers(Inspect)
def inspects(state: Tableau, seat: str, setting: Setting[Box]) -> Iterator[Inspect]:
    yield Inspect(by=seat)


@rules.offers(Wave)
def waves(state: Tableau, seat: str, setting: Setting[Box]) -> Iterator[Wave]:
    yield Wave(by=seat)


@rules.offers(Unpack)
def unpacks(state: Tableau, seat: str, setting: Setting[Box]) -> Iterator[Unpack]:
    yield from (Unpack(by=seat, goods=goods) for goods in setting.kit.goods)


def hide(state: Tableau, viewer: str, setting: Setting[Box]) -> Tableau:
    hidden = {
        seat: evolve(one, goods=SECRET)
        for seat, one in state.players.items()
        if seat != viewer and one.packed is not None and one.shown is None
    }
    return evolve(state, players={**state.players, **hidden}) if hidden else state


def _known(one: Player) -> str | None:
    if one.shown is not None:
        return one.shown
    return None if one.goods is SECRET else one.goods


def describe(state: Tableau, setting: Setting[Box], speech: Any) -> list[str]:
    lines = []
    for seat, one in state.players.items():
        told = [speech.say("points", seat=seat, count=one.points)]
        if one.declared:
            told.append(speech.say("declared", goods=speech.term(one.declared)))
        if goods := _known(one):
            told.append(speech.say("inside", goods=speech.term(goods)))
        lines.append(", ".join(told))
    return lines


def picture(state: Tableau, setting: Setting[Box], speech: Any, last: Action | None) -> Any:
    kinds = list(setting.kit.goods)
    width = 96.0 * max(len(state.players), len(kinds)) + 20
    drawn, spaces = [], {}
    for place, (seat, one) in enumerate(state.players.items()):
        x = 10 + 96.0 * place
        goods = _known(one)
        inside = speech.term(goods) if goods else "?" if one.packed is not None else ""
        chest = el("rect", x=x + 6, y=28.0, width=76.0, height=52.0, rx=6, fill=PAPER, stroke=INK)
        declared = speech.term(one.declared) if one.declared else "–"
        drawn += [text(x + 44, 20, f"{seat} {one.points}"), chest]
        drawn += [text(x + 44, 60, inside), text(x + 44, 98, declared, 12)]
        spaces[seat] = Frame(x + 6, 28, 76, 52)
    for place, goods in enumerate(kinds):
        x = 10 + 96.0 * place
        tile = el("rect", x=x, y=110.0, width=88.0, height=28.0, rx=6, fill=PAPER, stroke=GREY)
        drawn.append(worded(goods, tile + text(x + 44, 129, speech.term(goods))))
    part = Part(150, joined(drawn), spaces)
    return part.picture([last.by] if last is not None and last.by else [], width=width)


def held(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    for seat, one in state.players.items():
        yield Holding(seat, "chest", int(one.packed is not None))


def result(state: Tableau) -> Result | None:
    if not state.over:
        return None
    scores = {seat: one.points for seat, one in state.players.items()}
    ranks = sorted({*scores.values()}, reverse=True)
    places = tuple(tuple(seat for seat in scores if scores[seat] == rank) for rank in ranks)
    return Result(places, "SMU-END-1", scores=scores)


ENGINE = Engine(
    id="smugglers",
    package="smugglers",
    version="1.0",
    edition="first",
    seats=(2, 4),
    kit=Box,
    opening=Table,
    actions=(Pack, Declare, Inspect, Wave, Unpack),
    rules=rules,
    result=result,
    holdings=Holdings(
        held, points=lambda state: {seat: one.points for seat, one in state.players.items()}
    ),
    faces=Faces(describe, picture),
    secrecy=Secrecy(hide),
)
