"""Les nuages: the weather fairy, heavy clouds and storm clouds."""

from __future__ import annotations

from collections.abc import Iterator

from engines.broom_service.actions import Chase
from engines.broom_service.kit import BroomKit, CloudType
from engines.broom_service.rules.book import (
    Rule,
    grant,
    has_spent,
    known,
    pay,
    permission,
    permitted,
    rules,
    score,
    seat_of,
    settle,
    spend,
    wands,
    with_hoard,
)
from engines.broom_service.rules.ground import reach_of
from engines.broom_service.rules.roles import Check, hold
from engines.broom_service.state import Broom
from engines.kernel import BadForm, Table, evolve


@rules.hears(Chase)
def chase(state: Broom, action: Chase, rule: Rule) -> Broom:
    seat = seat_of(action)
    known(action.space, "space", state.side(rule.kit).cloud_spaces)
    if action.space not in state.board.clouds:
        raise BadForm("no_cloud", space=action.space)
    permit = next(iter(permitted(state, "chase", seat)), None)
    if permit is None:
        rule(_no_chase_left(state, seat, rule.kit), False, seat=seat)
    source = permit.why if permit is not None and permit.why is not None else "role"
    hold(chase_checks(state, seat, action.space, source, rule), rule)
    name = state.board.clouds[action.space]
    cloud = rule.kit.clouds[name]
    state = pay(state, seat, *wands(cloud.stars))
    state = _keep_cloud(state, seat, action.space, rule)
    state = spend(state, permit)
    deed = state.turn.deed
    if deed is not None and deed.seat == seat:
        brave = deed.brave and source == "role"
        if rule.effect("BRM-CLD-6", brave, seat=seat, vp=rule.kit.roles["wf"].brave_vp):
            state = score(state, seat, rule.kit.roles["wf"].brave_vp)
    return settle(_storm(state, seat, cloud, rule))


def chase_checks(
    state: Broom, seat: str, space: str, source: str, table: Table[BroomKit]
) -> Iterator[Check]:
    region = state.side(table.kit).cloud_spaces[space]
    player = state.players[seat]
    near = any(region in reach_of(state, at, table) for at in player.pawns.values())
    yield "BRM-CLD-3", near, {"region": region, "seat": seat}
    stars, wands = table.kit.clouds[state.board.clouds[space]].stars, player.resources["w"]
    clause = "BRM-MTN-13" if source == "tile" else "BRM-CLD-4"
    yield clause, wands >= stars, {"stars": stars, "wands": wands, "seat": seat}


def can_chase(state: Broom, seat: str, space: str, source: str, table: Table[BroomKit]) -> bool:
    return all(holds for _, holds, _ in chase_checks(state, seat, space, source, table))


def _no_chase_left(state: Broom, seat: str, kit: BroomKit) -> str:
    deed = state.turn.deed
    fairy = deed is not None and deed.seat == seat and kit.roles[deed.role].kind == "fairy"
    if fairy:
        return "BRM-CLD-7"
    if deed is not None and has_spent(deed, "chase", "tile"):
        return "BRM-MTN-6"
    return "BRM-CLD-2"


def _keep_cloud(state: Broom, seat: str, space: str, rule: Rule) -> Broom:
    cloud = state.board.clouds[space]
    left = {place: other for place, other in state.board.clouds.items() if place != space}
    state = evolve(state, board=evolve(state.board, clouds=left))
    if not rule.effect("BRM-CLD-5", True, seat=seat, bolts=rule.kit.clouds[cloud].bolts):
        return evolve(state, stock=evolve(state.stock, clouds=state.stock.clouds.add(cloud)))
    hoard = state.players[seat].hoard
    return with_hoard(
        state,
        seat,
        clouds=(*hoard.clouds, cloud),
        bolts=hoard.bolts + rule.kit.clouds[cloud].bolts,
    )


# Les nuages d'orage


def _storm(state: Broom, seat: str, cloud: CloudType, rule: Rule) -> Broom:
    """What a storm cloud does once, for the seat that chases it."""
    if cloud.effect == "move" and rule.effect("BRM-STM-9", True, seat=seat):
        return grant(state, permission("move", seat, "cloud"))
    if cloud.effect == "deliver" and rule.effect("BRM-STM-10", True, seat=seat):
        return grant(state, permission("deliver", seat, "cloud"))
    if cloud.effect == "potions" and cloud.potion is not None:
        owned = state.players[seat].resources[cloud.potion]
        facts = {"seat": seat, "potion": cloud.potion, "owned": owned, "need": cloud.need}
        if rule.effect("BRM-STM-11", owned >= cloud.need, **facts):
            return score(state, seat, cloud.vp)
        rule.effect("BRM-STM-13", owned < cloud.need, **facts)
    return state
