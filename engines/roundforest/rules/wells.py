"""Les puits magiques."""

from __future__ import annotations

from engines.kernel import Hearing, evolve, with_player
from engines.roundforest.actions import TradeAtWell
from engines.roundforest.kit import Box
from engines.roundforest.rules.book import rules
from engines.roundforest.rules.goods import gain_apple, pay
from engines.roundforest.rules.spirit import call_spirit
from engines.roundforest.state import Tableau, change_turn, into_bag, without


@rules.hears(TradeAtWell)
def trade(state: Tableau, action: TradeAtWell, rule: Hearing[Box]) -> Tableau:
    seat = action.seat
    state = change_turn(state, "well")
    if action.objects:
        return _objects_for_copper(state, seat, action.objects, rule)
    if action.gets == "silver":
        return _copper_for_silver(state, seat, action.amount, rule)
    if action.gets == "apple":
        return _silver_for_apple(state, seat, action.amount, rule)
    return state


def _objects_for_copper(
    state: Tableau, seat: str, objects: tuple[str, ...], rule: Hearing[Box]
) -> Tableau:
    me, well = state.players[seat], rule.kit.well
    rule("RND-WELL-3", len(objects) == well.objects, gives=len(objects), wanted=well.objects)
    owned = all(me.pack.count(thing) >= objects.count(thing) for thing in objects)
    rule("RND-WELL-4", owned, gives=objects, pack=me.pack)
    enough = state.supply.copper >= well.copper_for_objects
    rule("RND-SUP-1", enough, wanted="copper")
    left = without(me.pack, *objects)
    given = without(me.pack, *left)
    gets = well.copper_for_objects if len(given) == well.objects else len(given)
    gets = min(gets, state.supply.copper)
    state = with_player(state, seat, pack=left, copper=me.copper + gets)
    supply = evolve(state.supply, copper=state.supply.copper - gets)
    return evolve(into_bag(state, *given), supply=supply)


def _copper_for_silver(state: Tableau, seat: str, amount: int, rule: Hearing[Box]) -> Tableau:
    me, price = state.players[seat], rule.kit.well.copper_for_silver
    rule("RND-WELL-3", amount == 1, gives=amount, wanted=1)
    rule("RND-WELL-4", me.copper >= price, gives=price, pack=me.copper)
    rule("RND-SUP-1", state.supply.silver > 0, wanted="silver")
    got = min(amount, me.copper // price, state.supply.silver)
    state = pay(state, seat, price * got, 0)
    state = with_player(state, seat, silver=me.silver + got)
    return evolve(state, supply=evolve(state.supply, silver=state.supply.silver - got))


def _silver_for_apple(state: Tableau, seat: str, amount: int, rule: Hearing[Box]) -> Tableau:
    me, price = state.players[seat], rule.kit.well.silver_for_apple
    rule("RND-WELL-3", amount == 1, gives=amount, wanted=1)
    rule("RND-WELL-4", me.silver >= price, gives=price, pack=me.silver)
    rule("RND-SUP-1", state.supply.apples > 0, wanted="apple")
    for _ in range(min(amount, me.silver // price, state.supply.apples)):
        state = gain_apple(pay(state, seat, 0, price), seat)
    return call_spirit(state, rule)
