"""What may come next: candidates from the same predicates as the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Any

from engines.broom_service import actions as act
from engines.broom_service.actions import EVENTS, RESOURCES, ROLES, Role
from engines.broom_service.kit import Box
from engines.broom_service.rules.book import permitted, rules
from engines.broom_service.rules.clouds import possible_chases
from engines.broom_service.rules.roles import possible_deliveries, possible_moves
from engines.broom_service.rules.tiles import open_circles, usable_tile
from engines.broom_service.state import PAWNS, Tableau
from engines.kernel import RuleContext, Tray

# What is laid before play begins.


@rules.fills(act.PlaceCloud, "space")
def open_cloud_spaces(state: Tableau, table: RuleContext[Box]) -> Iterator[str]:
    spaces = state.side(table.kit).cloud_spaces
    return (space for space in spaces if space not in state.board.clouds)


@rules.fills(act.PlaceCloud, "cloud")
def clouds_left(state: Tableau, table: RuleContext[Box]) -> Iterator[str]:
    clouds = table.kit.clouds
    allowed = clouds.types if "storm" in state.options.variants else clouds.heavy
    return (cloud for cloud in allowed if state.stock.clouds[cloud] > 0)


@rules.fills(act.PlaceTile, "region")
def open_tile_spaces(state: Tableau, table: RuleContext[Box]) -> Iterator[str]:
    side = state.side(table.kit)
    for terrain in sorted(state.options.variants):
        for region in side.tile_spaces_of(terrain):
            if region not in state.board.tiles:
                yield region


@rules.fills(act.PlaceTile, "tile")
def tiles_left(state: Tableau, table: RuleContext[Box]) -> Iterator[str]:
    for tile, terrain in table.kit.tiles.terrain_of.items():
        if terrain in state.options.variants and state.stock.tiles[tile] > 0:
            yield tile


@rules.lays(act.PlaceCloud)
def clouds_ready(state: Tableau, table: RuleContext[Box]) -> Tray:
    left = {cloud: state.stock.clouds[cloud] for cloud in clouds_left(state, table)}
    return Tray(left, [*open_cloud_spaces(state, table)])


@rules.lays(act.PlaceTile)
def tiles_ready(state: Tableau, table: RuleContext[Box]) -> Tray:
    left, side = [*tiles_left(state, table)], state.side(table.kit)
    fitting = {
        region: [tile for tile in left if table.kit.tiles.terrain_of[tile] == terrain]
        for terrain in state.options.variants
        for region in side.tile_spaces_of(terrain)
    }
    things = {tile: state.stock.tiles[tile] for tile in left}
    return Tray(things, [*open_tile_spaces(state, table)], only=fitting)


# Play.


@rules.fills(act.Deliver, "tower")
def towers(state: Tableau, table: RuleContext[Box]) -> Iterable[str]:
    return (*state.side(table.kit).towers, "market")


@rules.fills(act.Chase, "space")
def cloud_spaces(state: Tableau, table: RuleContext[Box]) -> Iterable[str]:
    return state.side(table.kit).cloud_spaces


@rules.offers(act.RevealEvent)
def events(state: Tableau, seat: None, table: RuleContext[Box]) -> Iterator[act.RevealEvent]:
    return (act.RevealEvent(event=event) for event in EVENTS if event not in state.stock.seen)


@rules.offers(act.RevealCursed)
def cursed_roles(state: Tableau, seat: None, table: RuleContext[Box]) -> Iterator[act.RevealCursed]:
    number = state.options.cursed_roles
    fewest = number
    if table.reading("cursed_refill") == "all_ten" and len(state.stock.stack) < number:
        fewest = 1
    for count in range(fewest, number + 1):
        for roles in combinations(ROLES, count):
            yield act.RevealCursed(roles=roles)


@rules.offers(act.ChooseHand)
def hands(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.ChooseHand]:
    counts = range(4, 5)
    if state.round.event == "more_or_less":
        event = table.kit.events.more_or_less
        counts = range(event.hand_min, event.hand_max + 1)
    for count in counts:
        if table.reading("sealed_hands") == "no":
            yield act.ChooseHand(by=seat, count=count)
            continue
        for roles in combinations(ROLES, count):
            yield act.ChooseHand(by=seat, count=count, sealed=roles)


@rules.offers(act.PlayRole)
def roles(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.PlayRole]:
    for role in _to_lay(state, seat):
        yield act.PlayRole(by=seat, role=role, mode="brave")
        yield act.PlayRole(by=seat, role=role, mode="coward")


@rules.offers(act.LayDead)
def dead_roles(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.LayDead]:
    for role in _to_lay(state, seat):
        yield act.LayDead(by=seat, role=role)


def _to_lay(state: Tableau, seat: str) -> Iterator[Role]:
    """What is called or answered; whether it is dead, the rules say."""
    for role in ROLES if state.turn.led is None else (state.turn.led,):
        if state.players[seat].hand.may_hold(role):
            yield role


@rules.offers(act.Pass)
def passes(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Pass]:
    yield act.Pass(by=seat)


@rules.offers(act.Gather)
def gatherings(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Gather]:
    deed = state.turn.deed
    if deed is not None:
        for resources in sorted(table.kit.roles[deed.role].gains(deed.brave)):
            yield act.Gather(by=seat, resources=resources)


@rules.offers(act.Move)
def moves(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Move]:
    for permit in permitted(state, "move", seat)[:1]:
        for pawn, to in possible_moves(state, seat, permit, table):
            yield act.Move(by=seat, pawn=pawn, to=to)


@rules.offers(act.Deliver)
def potions(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Deliver]:
    permits = permitted(state, "deliver", seat)
    for permit in permits:
        for _, potion, tower, pawn, source in possible_deliveries(state, seat, permit, table):
            plain = act.Deliver(by=seat, potion=potion, tower=tower, pawn=pawn)
            yield plain
            if len(permits) > 1 and source != "role":
                yield plain.model_copy(update={"source": source})


@rules.offers(act.Chase)
def clouds(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Chase]:
    for permit in permitted(state, "chase", seat)[:1]:
        for space in possible_chases(state, seat, permit, table):
            yield act.Chase(by=seat, space=space)


@rules.offers(act.TakeBonus)
def bonuses(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.TakeBonus]:
    yield act.TakeBonus(by=seat)


@rules.offers(act.FlyOn)
def circles(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.FlyOn]:
    flight = state.agenda.owes("circle", seat)
    if flight is not None:
        hill = state.players[seat].pawns[flight.why if flight.why in PAWNS else "1"]
        letter: Any
        for letter in open_circles(state, hill, table):
            yield act.FlyOn(by=seat, circle=letter)


@rules.offers(act.TakeEvent)
def event_gains(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.TakeEvent]:
    if state.round.event == "secret_distillery":
        for resource in table.kit.events.secret_distillery.any_of:
            yield act.TakeEvent(by=seat, resource=resource)
    else:
        yield act.TakeEvent(by=seat)


@rules.offers(act.UseTile)
def forest_tiles(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.UseTile]:
    for tile in ("courage", "five"):
        if usable_tile(state, seat, tile, table) is not None:
            yield act.UseTile(by=seat, tile=tile)
    if usable_tile(state, seat, "plusone", table) is None:
        return
    if table.reading("sealed_hands") == "no":
        yield act.UseTile(by=seat, tile="plusone")
        return
    for role in ROLES:
        yield act.UseTile(by=seat, tile="plusone", sealed=role)


@rules.offers(act.End)
def ends(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.End]:
    yield act.End(by=seat)


@rules.offers(act.OpenFist)
def fists(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.OpenFist]:
    owned = state.players[seat].resources
    for counts in product(*(range(owned[kind] + 1) for kind in RESOURCES)):
        closed = [kind for kind, n in zip(RESOURCES, counts, strict=True) for _ in range(n)]
        yield act.OpenFist(by=seat, resources=tuple(closed))


@rules.offers(act.HandInSet)
def sets(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.HandInSet]:
    yield act.HandInSet(by=seat)
