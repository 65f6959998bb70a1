"""What may come next: candidates, which the rules then judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from engines.benevolent import actions as act
from engines.benevolent.kit import GIFTS, NEXT_GIFT, Box, Ephemeral, Gift
from engines.benevolent.rules.book import rules
from engines.benevolent.rules.gifts import givers
from engines.benevolent.rules.repeats import kind_of
from engines.benevolent.rules.sites import PICKED, hoard_choices
from engines.benevolent.state import Tableau
from engines.kernel import Action, RuleContext, Tray, evolve


@rules.fills(act.LayForest, "segments")
def printed_segments(state: Tableau, table: RuleContext[Box]) -> Iterator[str]:
    return (segment.id + side for segment in table.kit.segments for side in segment.sides)


@rules.lays(act.LayForest)
def segments_ready(state: Tableau, table: RuleContext[Box]) -> Tray:
    sides = {
        segment.id: [segment.id + side for side in segment.sides] for segment in table.kit.segments
    }
    apart = {
        word: [one for one in words if one != word] for words in sides.values() for word in words
    }
    return Tray(
        dict.fromkeys(apart, 1), size=len(table.kit.layouts[len(state.players)]), apart=apart
    )


@rules.lays(act.LayPyramid)
def secrets_ready(state: Tableau, table: RuleContext[Box]) -> Tray:
    """The two faces of a tile, where it is known which they are, do not lie together."""
    faces: list[str] = [
        face for tile in table.kit.secrets.tiles for face in (tile.ephemeral, tile.permanent)
    ]
    back = table.kit.secrets.back
    apart = {face: [back[face]] for face in faces if face in table.kit.known_backs}
    return Tray(dict.fromkeys(faces, 1), size=sum(table.kit.pyramid.rows), apart=apart)


@rules.calls(act.Learn)
def secrets_by_name(state: Tableau, table: RuleContext[Box]) -> dict[str, str]:
    return {face: slot for slot, face in state.pyramid.items()}


@rules.calls(act.Sleep)
def dreams_by_gift(state: Tableau, table: RuleContext[Box]) -> dict[str, str]:
    """The dream space to which the arrow with a gift leads, where there is only one."""
    leaving = table.kit.dream_path.leaving[state.players[state.turn.active].dream]
    gifts = Counter(arrow.gift for arrow in leaving)
    return {a.gift: str(a.target) for a in leaving if a.gift is not None and gifts[a.gift] == 1}


@rules.calls(act.Again)
def repeats_by_gift(state: Tableau, table: RuleContext[Box]) -> dict[str, str]:
    """What is repeated need not be said where only one of the two can be."""
    kinds = {kind_of(base) for base in state.turn.repeats}
    if kinds == {"swap"}:
        return {gift: f"swap {gift}" for gift in NEXT_GIFT}
    if kinds == {"sleep"}:
        return {gift: f"sleep {to}" for gift, to in dreams_by_gift(state, table).items()}
    return {}


@rules.offers(act.PlaceStep)
def steps(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Action]:
    assert state.forest is not None
    me = state.players[seat]
    origins: list[str | None] = [None] if me.card else []
    if not me.card or table.reading("free_path_source") == "any":
        origins += dict.fromkeys(me.forest)
    may_decline = me.owns("lone_step") and table.reading("lone_step_optional") == "yes"
    for origin in origins:
        for to in state.forest.hexes:
            yield act.PlaceStep(by=seat, origin=origin, to=to)
            if may_decline:
                yield act.PlaceStep(by=seat, origin=origin, to=to, declined=True)


@rules.offers(act.Gather)
def gathers(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Action]:
    if not state.players[seat].owns("hoard"):
        yield act.Gather(by=seat)
        return
    left = evolve(state, reserve=state.stock - table.kit.gather.leaves)
    choices = hoard_choices(left, seat, table)
    if not choices:  # nothing can be done with it, and nothing need be said
        yield act.Gather(by=seat)
        return
    for choice in (*choices, "none") if len(choices) > 1 else (None, "none"):
        yield act.Gather(by=seat, hoard=choice)


@rules.offers(act.Buy)
def purchases(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Action]:
    for gift in GIFTS:
        for taking in takings(state, seat, gift):
            yield from waiving(state, table, act.Buy, seat, gift=gift, **taking)
    yield from idle(state, table, act.Buy, seat, gift="none")


@rules.offers(act.Pick)
def picks(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Action]:
    here = state.here(seat)
    gift = PICKED.get(here.site) if here else None
    if gift is not None:
        for taking in takings(state, seat, gift):
            yield from waiving(state, table, act.Pick, seat, **taking)
        yield from idle(state, table, act.Pick, seat, nothing=True)


@rules.offers(act.Sleep)
def sleeps(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Action]:
    for dream in dreamt(state, seat, table):
        yield from waiving(state, table, act.Sleep, seat, **dream)
    yield from idle(state, table, act.Sleep, seat, to="none")


@rules.offers(act.Swap)
def swaps(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Action]:
    for give, taking in exchanged(state, seat):
        yield from waiving(state, table, act.Swap, seat, give=give, **taking)
    yield from idle(state, table, act.Swap, seat, give="none")


@rules.offers(act.Learn)
def lessons(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Action]:
    for slot in state.pyramid:
        yield from waiving(state, table, act.Learn, seat, slot=slot)
    yield from idle(state, table, act.Learn, seat, slot="none")


@rules.offers(act.Use)
def uses(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Action]:
    for face in state.players[seat].ephemeral:
        for asked in asked_by(state, seat, face, table):
            yield from waiving(state, table, act.Use, seat, face=face, **asked)


def asked_by(
    state: Tableau, seat: str, face: Ephemeral, table: RuleContext[Box]
) -> Iterator[dict[str, Any]]:
    """The ways to use an ephemeral secret."""
    match face:
        case "sale":
            for gift in GIFTS:
                yield from ({"gift": gift, **taking} for taking in takings(state, seat, gift))
        case "free_swap":
            yield from ({"gift": give, **taking} for give, taking in exchanged(state, seat))
        case "free_sleep":
            yield from dreamt(state, seat, table)
        case "gift_feather":
            yield from takings(state, seat, "feather")
        case "gift_clover":
            yield from takings(state, seat, "clover")
        case "cheap_crystal":
            yield from takings(state, seat, "crystal")
        case _ if (conversion := table.kit.secrets.conversions.get(face)) is not None:
            yield from takings(state, seat, conversion.get)


@rules.offers(act.Again)
def repeats(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Action]:
    for give, taking in exchanged(state, seat):
        yield act.Again(by=seat, kind="swap", give=give, **taking)
    for dream in dreamt(state, seat, table):
        yield act.Again(by=seat, kind="sleep", **dream)


@rules.offers(act.End)
def ends(state: Tableau, seat: str | None, table: RuleContext[Box]) -> Iterator[Action]:
    if seat is not None:
        yield act.End(by=seat)


def takings(state: Tableau, seat: str, gift: Gift) -> Iterator[dict[str, Any]]:
    """Whom to name when a gift is taken: somebody only where several own most."""
    found = givers(state, seat, gift)
    if len(found) < 2:
        yield {}
    else:
        yield from ({"robbed": other} for other in found)


def exchanged(state: Tableau, seat: str) -> Iterator[tuple[Any, dict[str, Any]]]:
    for give in GIFTS:
        if give in state.players[seat].gifts and give in NEXT_GIFT:
            for taking in takings(state, seat, NEXT_GIFT[give]):
                yield give, taking


def dreamt(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[dict[str, Any]]:
    arrows = table.kit.dream_path.leaving[state.players[seat].dream]
    for arrow in arrows:
        twins = [other for other in arrows if other.target == arrow.target]
        named: dict[str, Any] = {"to": arrow.target}
        if len(twins) > 1:
            named["gift"] = arrow.gift
        if arrow.gift is None:
            yield named
            continue
        for taking in takings(state, seat, arrow.gift):
            yield {**named, **taking}
        if table.reading("sleep_gift_optional") == "yes":
            yield {**named, "declined": True}


Make = Callable[..., Action]


def waiving(
    state: Tableau, table: RuleContext[Box], make: Make, seat: str, **said: Any
) -> Iterator[Action]:
    """The action, and where tolls may be waived also with each choice of owners who do."""
    yield make(by=seat, **said)
    if table.reading("toll_waiver") == "yes":
        arrival = state.arrival_of(seat)
        opponents = state.opponents(seat).items()
        owners = [other for other, player in opponents if arrival in player.forest]
        for number in range(1, len(owners) + 1):
            for waived in combinations(owners, number):
                yield make(by=seat, **said, waived=waived)


def idle(
    state: Tableau, table: RuleContext[Box], make: Make, seat: str, **said: Any
) -> Iterator[Action]:
    """Paying the toll for nothing, where the table allows it."""
    if table.reading("impossible_action") == "allow":
        yield from waiving(state, table, make, seat, **said)
