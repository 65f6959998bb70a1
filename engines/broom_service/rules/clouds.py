"""Les nuages: the weather fairy, heavy clouds and storm clouds."""

from __future__ import annotations

from collections.abc import Iterator, Set

from engines.broom_service.actions import Chase
from engines.broom_service.kit import Box, CloudType
from engines.broom_service.rules.book import (
    Rule,
    check_name,
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
    with_hoard,
)
from engines.broom_service.rules.ground import reach_of
from engines.broom_service.rules.roles import Check, hold, is_held
from engines.broom_service.state import Deed, Tableau, deed_of
from engines.kernel import Duty, RuleContext, evolve


@rules.hears(Chase)
@in_own_action
def chase(state: Tableau, action: Chase, rule: Rule) -> Tableau:
    seat = action.seat
    space = check_name(action.space, "space", state.side(rule.kit).cloud_spaces)
    if space not in state.board.clouds:
        rule("BRM-CLD-3", False, gone=space)
        return state
    permit = next(iter(permitted(state, "chase", seat)), None)
    deed = deed_of(state, seat)
    if permit is None and deed is not None:
        been = state.players[seat].hoard.amulets
        clause = _no_chase_left(state, deed, rule.kit)
        refuse_more(clause, seat, deed, "chase", rule, amulets=been)
    source = permit.why if permit is not None and permit.why is not None else "role"
    near = near_regions(state, seat, rule)
    hold(chase_checks(state, seat, space, source, near, rule), rule)
    name = state.board.clouds[space]
    cloud = rule.kit.clouds[name]
    state = pay(state, seat, *wands(cloud.stars))
    state = _keep_cloud(state, seat, space, rule)
    state = spend(state, permit)
    deed, vp = deed_of(state, seat), rule.kit.roles["wf"].brave_vp
    brave = deed is not None and deed.brave and source == "role"
    if brave and rule.effect("BRM-CLD-6", True, seat=seat, vp=vp):
        state = score(state, seat, vp)
    return settle(_storm(state, seat, cloud, rule))


def near_regions(state: Tableau, seat: str, table: RuleContext[Box]) -> set[str]:
    """The regions whose clouds the seat's pawns can chase."""
    pawns = state.players[seat].pawns
    return {*reach_of(state, pawns["1"], table), *reach_of(state, pawns["2"], table)}


def chase_checks(
    state: Tableau,
    seat: str,
    space: str,
    source: str | None,
    near: Set[str],
    table: RuleContext[Box],
) -> Iterator[Check]:
    region = state.side(table.kit).cloud_spaces.get(space)
    yield "BRM-CLD-3", region in near, {"region": region, "seat": seat}
    stars = table.kit.clouds[state.board.clouds[space]].stars
    wands = state.players[seat].resources["w"]
    clause = "BRM-MTN-13" if source == "tile" else "BRM-CLD-4"
    yield clause, wands >= stars, {"stars": stars, "wands": wands, "seat": seat}


def possible_chases(
    state: Tableau, seat: str, permit: Duty, table: RuleContext[Box]
) -> Iterator[str]:
    """The spaces whose clouds can be chased with this permission."""
    near = near_regions(state, seat, table)
    for space in state.board.clouds:
        if all(map(is_held, chase_checks(state, seat, space, permit.why, near, table))):
            yield space


def _no_chase_left(state: Tableau, deed: Deed, kit: Box) -> str:
    if (instead := given_instead(state, deed)) is not None:
        return instead
    if kit.roles[deed.role].kind == "fairy":
        return "BRM-CLD-7"
    return "BRM-MTN-6" if has_spent(deed, "chase", "tile") else "BRM-CLD-2"


def _keep_cloud(state: Tableau, seat: str, space: str, rule: Rule) -> Tableau:
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


def _storm(state: Tableau, seat: str, cloud: CloudType, rule: Rule) -> Tableau:
    """What a storm cloud does once, for the seat that chases it."""
    if cloud.effect == "move" and rule.effect("BRM-STM-9", True, seat=seat):
        return grant(state, permission("move", seat, "cloud"))
    if cloud.effect == "deliver" and rule.effect("BRM-STM-10", True, seat=seat):
        return grant(state, permission("deliver", seat, "cloud"))
    if cloud.potion is not None:
        owned = state.players[seat].resources[cloud.potion]
        facts = {"seat": seat, "potion": cloud.potion, "owned": owned, "need": cloud.need}
        if rule.effect("BRM-STM-11", owned >= cloud.need, **facts):
            return score(state, seat, cloud.vp)
    return state
