"""Les puits magiques."""

from __future__ import annotations

from engines.kernel import Hearing, evolve, with_player
from engines.roundforest.actions import TradeAtWell
from engines.roundforest.kit import Box
from engines.roundforest.rules.book import reopened, rules
from engines.roundforest.rules.goods import coins_named, gain_apples, pay
from engines.roundforest.rules.spirit import call_spirit
from engines.roundforest.state import Tableau, did, into_bag, without


@rules.hears(TradeAtWell)
def trade(state: Tableau, action: TradeAtWell, rule: Hearing[Box]) -> Tableau:
    seat = action.seat
    state = did(reopened(state, seat), seat, "well")
    if action.objects:
        return _objects_for_copper(state, seat, action.objects, rule)
    if action.gets == "silver":
        return _copper_for_silver(state, action, rule)
    if action.gets == "apple":
        return _silver_for_apple(state, action, rule)
    return state


def _objects_for_copper(
    state: Tableau, seat: str, objects: tuple[str, ...], rule: Hearing[Box]
) -> Tableau:
    me, well = state.players[seat], rule.kit.well
    rule("RND-WELL-3", len(objects) == well.objects, objects=len(objects), wanted=well.objects)
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


def _copper_for_silver(state: Tableau, action: TradeAtWell, rule: Hearing[Box]) -> Tableau:
    seat, price = action.seat, rule.kit.well.copper_for_silver
    _check_coins(state, action, (price, 0), rule)
    rule("RND-SUP-1", state.supply.silver > 0, wanted="silver")
    state = pay(state, seat, *action.coins(price * action.amount, 0))
    got = min(action.amount, state.supply.silver)
    state = with_player(state, seat, silver=state.players[seat].silver + got)
    return evolve(state, supply=evolve(state.supply, silver=state.supply.silver - got))


def _silver_for_apple(state: Tableau, action: TradeAtWell, rule: Hearing[Box]) -> Tableau:
    seat, price = action.seat, rule.kit.well.silver_for_apple
    _check_coins(state, action, (0, price), rule)
    rule("RND-SUP-1", state.supply.apples > 0, wanted="apple")
    state = pay(state, seat, *action.coins(0, price * action.amount))
    return call_spirit(gain_apples(state, seat, action.amount), rule)


def _check_coins(
    state: Tableau, action: TradeAtWell, price: tuple[int, int], rule: Hearing[Box]
) -> None:
    """Exactly the price, for one; who has less of it has given less."""
    me = state.players[action.seat]
    copper, silver = action.coins(*(coins * action.amount for coins in price))
    gives = min(copper, me.copper), min(silver, me.silver)
    wanted = coins_named(*price)
    rule("RND-WELL-3", action.amount == 1, amount=action.amount)
    rule("RND-WELL-3", gives == price, gives=coins_named(*gives), wanted=wanted)
