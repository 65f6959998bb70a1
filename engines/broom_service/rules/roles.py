"""Les rôles: gatherers, witches and druids, and the delivery of potions."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Any, NamedTuple

from engines.broom_service.actions import Deliver, Gather, Move, Potion
from engines.broom_service.kit import Box, Tower
from engines.broom_service.rules.book import (
    Rule,
    check_name,
    gain,
    given_instead,
    grant,
    has_spent,
    in_own_action,
    pay,
    permission,
    permitted,
    refuse_more,
    rules,
    score,
    settle,
    spend,
    wands,
    with_deed,
)
from engines.broom_service.rules.ground import (
    bonus_clouds_near,
    moves_from,
    moves_without_clouds,
    own_pawn,
)
from engines.broom_service.rules.tiles import arrive, blocked_turbo
from engines.broom_service.state import PAWNS, Deed, Tableau, deed_of, is_clouded
from engines.kernel import Duty, ParseError, RuleContext, evolve

Check = tuple[str, bool, dict[str, Any]]
"""A clause, whether it holds, and the facts: for the rules and for the choices."""
is_held = itemgetter(1)


def hold(checks: Iterator[Check], rule: Rule) -> None:
    for clause, holds, facts in checks:
        rule(clause, holds, **facts)


# Cueilleurs


@rules.hears(Gather)
@in_own_action
def gather(state: Tableau, action: Gather, rule: Rule) -> Tableau:
    seat = action.seat
    permit = next(iter(permitted(state, "gather", seat)), None)
    deed = deed_of(state, seat)
    if permit is None:
        if deed is not None:
            refuse_more(given_instead(state, deed) or "BRM-ACT-7", seat, deed, "gather", rule)
    elif permit.why == "role":
        assert deed is not None
        rule("BRM-ACT-7", True, seat=seat, role=deed.role)
        card, clause = rule.kit.roles[deed.role], "BRM-GAT-1" if deed.brave else "BRM-GAT-2"
        slots = card.slots(deed.brave)
        whole = rule.reading("partial_gather") == "yes" or len(action.resources) == len(slots)
        fits = action.resources in card.gains(deed.brave) and whole
        rule(clause, fits, resources=action.resources, card=slots)
    return settle(spend(gain(state, seat, *action.resources), permit))


# Sorcières


@rules.hears(Move)
@in_own_action
def move(state: Tableau, action: Move, rule: Rule) -> Tableau:
    seat = action.seat
    check_name(action.to, "to", state.side(rule.kit).regions)
    permit = next(iter(permitted(state, "move", seat)), None)
    deed = deed_of(state, seat)
    if permit is None and deed is not None:
        refuse_more(_no_move_left(state, deed, rule.kit), seat, deed, "move", rule)
    pawn = own_pawn(state, seat, action.pawn)
    rule("BRM-ACT-6", pawn is not None, pawn=action.pawn, seat=seat)
    if pawn is None:
        rule.warn("nothing_moved", seat=seat)
        return state
    by_role = permit is not None and permit.why == "role"
    near = moves_from(state, state.players[seat].pawns[pawn], rule)
    hold(move_checks(state, seat, pawn, action.to, by_role, near, rule), rule)
    state = spend(state, permit)
    if by_role:
        assert deed is not None
        state = with_deed(state, pawn=pawn, place=action.to)
        if deed.brave:
            state = grant(state, permission("deliver", seat, "role"))
    return settle(arrive(state, seat, pawn, action.to, rule))


def move_checks(
    state: Tableau,
    seat: str,
    pawn: str,
    to: str,
    by_role: bool,
    near: tuple[str, ...],
    table: RuleContext[Box],
) -> Iterator[Check]:
    side, origin = state.side(table.kit), state.players[seat].pawns[pawn]
    terrain = side.terrain(to)
    yield "BRM-MOV-6", terrain != "water", {"to": to}
    if to not in near:
        water_prevents = to in moves_without_clouds(state, origin, table)
        yield "BRM-MOV-8" if water_prevents else "BRM-MOV-2", False, {"origin": origin, "to": to}
    else:
        yield "BRM-MOV-2", True, {"origin": origin, "to": to}
        yield "BRM-MOV-8", True, {"origin": origin, "to": to}
    if by_role:
        assert state.turn.deed is not None
        wanted = table.kit.roles[state.turn.deed.role].terrains
        yield "BRM-MOV-3", terrain in wanted, {"to": to, "terrain": terrain, "wanted": wanted}
    is_open = not is_clouded(state, side, to)
    yield "BRM-MOV-4" if by_role else "BRM-CLD-1", is_open, {"to": to}
    if blocked_turbo(state, to, table):
        may_stay = table.reading("turbo_blocked") == "stay"
        yield "BRM-HIL-3", may_stay, {"hill": to}


def possible_moves(
    state: Tableau, seat: str, permit: Duty, table: RuleContext[Box]
) -> Iterator[tuple[str, str]]:
    """Pawns and the regions they can be moved to with this permission."""
    for pawn in PAWNS:
        near = moves_from(state, state.players[seat].pawns[pawn], table)
        for to in near:
            checks = move_checks(state, seat, pawn, to, permit.why == "role", near, table)
            if all(map(is_held, checks)):
                yield pawn, to


def _no_move_left(state: Tableau, deed: Deed, kit: Box) -> str:
    if (instead := given_instead(state, deed)) is not None:
        return instead
    if has_spent(deed, "move", "tile"):
        return "BRM-MTN-12"
    if has_spent(deed, "move", "cloud"):
        return "BRM-STM-8"
    return {"witch": "BRM-MOV-1", "druid": "BRM-DRU-1"}.get(kit.roles[deed.role].kind, "BRM-ACT-7")


# Livrer des potions


class Delivery(NamedTuple):
    """One potion brought to one tower by one pawn, allowed by one source."""

    seat: str
    potion: Potion
    tower: str
    pawn: str
    source: str


@rules.hears(Deliver)
@in_own_action
def deliver(state: Tableau, action: Deliver, rule: Rule) -> Tableau:
    seat = action.seat
    if action.tower != "market":
        check_name(action.tower, "tower", state.side(rule.kit).towers)
    permits = [
        permit
        for permit in permitted(state, "deliver", seat)
        if action.source in (None, permit.why)
    ]
    deed = deed_of(state, seat)
    if not permits and (deed is not None or action.source in ("tile", "cloud")):
        clause = _no_delivery_left(state, action, deed, rule.kit)
        been = state.players[seat].hoard.amulets
        refuse_more(clause, seat, deed, "deliver", rule, amulets=been)
    pawns = _pawns_meant(state, action)
    rule("BRM-ACT-6", pawns, pawn=action.pawn, seat=seat)
    if not pawns:
        rule.warn("nothing_moved", seat=seat)
        return state
    permit, delivery = _understood(state, action, permits, pawns, rule)
    hold(delivery_checks(state, delivery, rule), rule)
    state = _delivered(state, delivery, rule)
    return settle(spend(state, permit))


def _pawns_meant(state: Tableau, action: Deliver) -> tuple[str, ...]:
    """In one region nobody can tell two pawns of a seat from each other."""
    if action.pawn is None:
        return PAWNS
    at, pawn = state.players[action.seat].pawns, own_pawn(state, action.seat, action.pawn)
    return () if pawn is None else tuple(other for other in PAWNS if at[other] == at[pawn])


def _understood(
    state: Tableau, action: Deliver, permits: list[Duty], pawns: tuple[str, ...], rule: Rule
) -> tuple[Duty | None, Delivery]:
    """Which permission and which pawn are meant: the first with which it is legal."""
    seat = action.seat
    for permit in permits:
        meant = [
            Delivery(seat, action.potion, action.tower, p, permit.why or "role") for p in pawns
        ]
        possible = [delivery for delivery in meant if can_deliver(state, delivery, rule)]
        at = [state.players[seat].pawns[delivery.pawn] for delivery in possible]
        if len({bonus_clouds_near(state, region, rule) for region in at}) > 1:
            raise ParseError("which_pawn", pawns=PAWNS)
        if possible:
            return permit, possible[0]
    first = permits[0] if permits else None
    source = action.source or (first.why if first is not None else None) or "role"
    return first, Delivery(
        seat, action.potion, action.tower, _likely_pawn(state, action, pawns, rule), source
    )


def _likely_pawn(state: Tableau, action: Deliver, pawns: tuple[str, ...], rule: Rule) -> str:
    """Whose failure is explained if no pawn can deliver: the one that moved, or stands there."""
    deed = state.turn.deed
    if deed is not None and deed.pawn in pawns:
        return deed.pawn
    touched = tower_named(state, action.tower, rule.kit).touches
    at, side = state.players[action.seat].pawns, state.side(rule.kit)
    served = rule.kit.roles[deed.role].terrains if deed is not None else ()
    near = [pawn for pawn in pawns if at[pawn] in touched]
    fitting = [pawn for pawn in pawns if side.terrain(at[pawn]) in served]
    both = [pawn for pawn in near if pawn in fitting]
    return next(iter((*both, *near, *fitting, *pawns)))


def tower_named(state: Tableau, name: str, kit: Box) -> Tower:
    if name == "market":
        return kit.market(r for r, tile in state.board.tiles.items() if tile == "market")
    return state.side(kit).towers[name]


def delivery_checks(state: Tableau, delivery: Delivery, table: RuleContext[Box]) -> Iterator[Check]:
    seat, potion, name, pawn, source = delivery
    side, player, deed = state.side(table.kit), state.players[seat], state.turn.deed
    tower, region = tower_named(state, name, table.kit), player.pawns[pawn]
    yield "BRM-DEL-5", player.resources[potion] > 0, {"seat": seat, "potion": potion}
    hill = None
    if source == "role" and deed is not None:
        card = table.kit.roles[deed.role]
        if card.kind == "witch":
            hill = deed.hill
            yield "BRM-DEL-3", pawn == deed.pawn, {"pawn": pawn, "moved": deed.pawn}
            yield "BRM-MTN-15", region == deed.place, {"region": region, "place": deed.place}
        elif card.kind == "druid":
            yield from _druid_checks(delivery, state, tower, table.kit)
    buyer = "market" if name == "market" else "colour"
    yield "BRM-DEL-6", tower.colour == potion, {"potion": potion, buyer: tower.colour}
    touch = "BRM-HIL-4" if hill in tower.touches else "BRM-DEL-7"
    where = {"without": region} if name == "market" else {"tower": name, "region": region}
    yield touch, region in tower.touches, where
    yield "BRM-DEL-17", side.covers.get(name) not in state.board.tiles, {"tower": name}
    yield "BRM-DEL-8", name not in state.board.occupied, {"tower": name}
    if tower.shape == "square" and deed is not None:
        per_card = table.reading("square_limit") == "per_card"
        used = bool(deed.squares) if per_card else source in deed.squares
        yield "BRM-DEL-14", not used, {"tower": name}


def _druid_checks(delivery: Delivery, state: Tableau, tower: Tower, kit: Box) -> Iterator[Check]:
    deed, side, pawns = state.turn.deed, state.side(kit), state.players[delivery.seat].pawns
    assert deed is not None
    wanted, region = kit.roles[deed.role].terrains, pawns[delivery.pawn]
    fits = side.terrain(region) in wanted
    clause = "BRM-DRU-3"
    if region in tower.touches:
        clause = "BRM-DRU-4"
    elif all(side.terrain(pawns[pawn]) not in wanted for pawn in PAWNS):
        clause = "BRM-DRU-2"
    yield clause, fits, {"region": region, "terrain": side.terrain(region), "wanted": wanted}


def can_deliver(state: Tableau, delivery: Delivery, table: RuleContext[Box]) -> bool:
    return all(map(is_held, delivery_checks(state, delivery, table)))


def possible_deliveries(
    state: Tableau, seat: str, permit: Duty, table: RuleContext[Box]
) -> Iterator[Delivery]:
    """What can be delivered with this permission."""
    side = state.side(table.kit)
    for pawn in PAWNS:
        region = state.players[seat].pawns[pawn]
        here: list[tuple[str, Potion]] = [
            (name, side.towers[name].colour) for name in side.towers_at[region]
        ]
        if state.board.tiles.get(region) == "market":
            here.append(("market", table.kit.tiles.market_potion))
        for name, colour in here:
            delivery = Delivery(seat, colour, name, pawn, permit.why or "role")
            if can_deliver(state, delivery, table):
                yield delivery


def _delivered(state: Tableau, delivery: Delivery, rule: Rule) -> Tableau:
    seat, potion, name, pawn, source = delivery
    tower, deed = tower_named(state, name, rule.kit), deed_of(state, seat)
    region = state.players[seat].pawns[pawn]
    state = pay(state, seat, potion)
    if tower.shape == "round":
        if rule.effect("BRM-DEL-9", True, tower=name):
            occupied = state.board.occupied | {name}
            state = evolve(state, board=evolve(state.board, occupied=occupied))
    elif rule.effect("BRM-DEL-12", True, tower=name) and deed is not None:
        state = with_deed(state, squares=(*deed.squares, source))
    worth = "BRM-HIL-8" if name == "market" else "BRM-DEL-10"
    points = tower.vp if rule.effect(worth, True, tower=name, vp=tower.vp) else 0
    if tower.wands and rule.effect("BRM-DEL-11", True, tower=name, wands=tower.wands):
        state = gain(state, seat, *wands(tower.wands))
    points += _brave_druid_bonus(state, seat, source, rule)
    near = bonus_clouds_near(state, region, rule)
    if near and rule.effect("BRM-STM-4", True, region=region, vp=near[0]):
        points += near[0]
    if near[1:] and rule.effect("BRM-STM-5", True, region=region, vp=sum(near[1:])):
        points += sum(near[1:])
    return score(state, seat, points)


def _brave_druid_bonus(state: Tableau, seat: str, source: str, rule: Rule) -> int:
    deed = deed_of(state, seat)
    if deed is None or source != "role" or not deed.brave:
        return 0
    card = rule.kit.roles[deed.role]
    if card.kind != "druid" or not rule.effect("BRM-DRU-6", True, seat=seat, vp=card.brave_vp):
        return 0
    return card.brave_vp


def _no_delivery_left(state: Tableau, action: Deliver, deed: Deed | None, kit: Box) -> str:
    if action.source == "tile" or deed is None:
        return "BRM-STM-8" if action.source == "cloud" else "BRM-MTN-6"
    if action.source == "cloud":
        return "BRM-STM-8"
    if (instead := given_instead(state, deed)) is not None:
        return instead
    if has_spent(deed, "deliver", "role"):
        return "BRM-DEL-5"
    if kit.roles[deed.role].kind == "witch" and deed.brave:
        return "BRM-DEL-2"
    if deed.hill is not None:
        return "BRM-HIL-5"
    if kit.roles[deed.role].kind == "witch":
        tiled = [region for region, tile in state.board.tiles.items() if tile[:2] == "m_"]
        return "BRM-MTN-8" if deed.place in tiled else "BRM-DEL-1"
    return "BRM-STM-9" if has_spent(deed, "move", "cloud") else "BRM-ACT-7"
