"""Le troc avec la fée des bois: barter, and the refill of the fairy board."""

from __future__ import annotations

from itertools import pairwise

from engines.kernel import Bag, Duty, Hearing, RuleContext, evolve
from engines.roundforest.actions import Barter, FillRow
from engines.roundforest.kit import ROWS, Box
from engines.roundforest.rules.book import nobody_owes, phase, reopened, rules
from engines.roundforest.rules.goods import coins_named, pack_clause, pay, room
from engines.roundforest.rules.objects import (
    check_left,
    decided,
    in_hand,
    object_in_question,
    receive,
)
from engines.roundforest.rules.setup import check_draw, doubt_object, fill_first_row, in_set_up
from engines.roundforest.state import (
    Player,
    Tableau,
    clear_content,
    did,
    into_bag,
    without,
)


@rules.hears(Barter)
def barter(state: Tableau, action: Barter, rule: Hearing[Box]) -> Tableau:
    seat, row, taken = action.seat, action.row, action.object
    state = reopened(state, seat)
    me = state.players[seat]
    tokens = state.fairy.get(row, ())
    check_left(state, seat, rule)
    rule("RND-FAIRY-3", taken in tokens, row=row, object=taken, tokens=tokens)
    _check_room(state, me, action, rule)
    cost = rule.kit.fairy.cost[row]
    price = (0, 1) if action.silver else (cost, 0)
    paid = action.coins(*price)
    if paid != price:
        rule("RND-FAIRY-4", False, row=row, cost=cost, paid=coins_named(*paid))
    elif action.silver:
        may_pay = accepts_silver(me, cost, rule)
        rule("RND-FAIRY-5", may_pay, cost=cost, copper=me.copper, silver=me.silver)
    else:
        rule("RND-FAIRY-4", me.copper >= cost, row=row, cost=cost, copper=me.copper)
    if taken not in tokens:
        return state
    state = pay(state, seat, *paid)
    state = rule.stage(_give(state, seat, rule))
    left = without(tokens, taken)
    state = evolve(state, fairy={**state.fairy, row: left})
    state = rule.stage(receive(state, seat, taken, action.coin, rule))
    return _shift_rows(did(state, seat, "barter"), row, left, rule)


def accepts_silver(player: Player, cost: int, table: RuleContext[Box]) -> bool:
    """Whether the fairy takes a silver coin instead of copper."""
    if cost == 0 or player.silver == 0:
        return False
    reading = table.reading("fairy_silver")
    if reading == "always":
        return True
    return player.copper < cost if reading == "insufficient" else player.copper == 0


def _check_room(state: Tableau, me: Player, action: Barter, rule: Hearing[Box]) -> None:
    kit, taken = rule.kit, action.object
    full = len(me.pack) >= kit.pack.objects
    when_full = "RND-BLUE-6" if in_hand(state, action.seat) is not None else "RND-OBJ-3"
    fits = room(me.pack, taken, kit)
    if action.coin and not fits and taken in kit.objects.coins:
        fits = rule.reading("coin_needs_slot") == "no"
    clause = when_full if full else "RND-FAIRY-6"
    rule(clause, fits, object=taken, pack=me.pack, general=pack_clause(me.pack, kit))


def _give(state: Tableau, seat: str, rule: Hearing[Box]) -> Tableau:
    """The object drawn or found goes into the blue bag."""
    given = object_in_question(state, seat)
    if given is None:
        return state
    if (held := in_hand(state, seat)) is not None:
        return into_bag(decided(state, held, rule, *held.objects), *held.objects)
    pos = state.players[seat].pos
    assert pos is not None
    return into_bag(clear_content(state, pos), given)


def _shift_rows(state: Tableau, used: str, rest: tuple[str, ...], rule: Hearing[Box]) -> Tableau:
    """What is left of the row is put beside; the rows above move down; the top is empty."""
    rule.effect("RND-FAIRY-7", True, row=used, tokens=rest)
    beside = evolve(state.bags, beside=(*state.bags.beside, *rest))
    state = rule.stage(evolve(state, fairy={**state.fairy, used: ()}, bags=beside))
    for row, above in pairwise(ROWS):
        if ROWS.index(row) >= ROWS.index(used):
            down = state.fairy.get(above, ())
            rule.effect("RND-FAIRY-8", True, row=row, tokens=down)
            state = rule.stage(evolve(state, fairy={**state.fairy, row: down, above: ()}))
    if refill_size(state, rule) == 0:
        return _return_beside(state)
    return evolve(state, agenda=state.agenda.push(phase(state, "refill", rule)))


def refill_size(state: Tableau, table: RuleContext[Box]) -> int:
    """How many tokens the top row gets."""
    there = state.bags.blue.size
    if there < table.kit.fairy.places and table.reading("fairy_short") == "use_aside":
        there += len(state.bags.beside)
    return min(table.kit.fairy.places, there)


@rules.reconsiders("refill")
def nothing_to_fill(state: Tableau, duty: Duty, rule: Hearing[Box]) -> Tableau:
    if refill_size(state, rule) and not state.fairy[ROWS[-1]]:
        return state
    return _return_beside(nobody_owes(state))


@rules.hears(FillRow)
def fill_row(state: Tableau, action: FillRow, rule: Hearing[Box]) -> Tableau:
    if in_set_up(state):
        return fill_first_row(state, action, rule)
    wanted, blue = refill_size(state, rule), state.bags.blue
    short = blue.size < rule.kit.fairy.places
    top = action.row == ROWS[-1] and not state.fairy[ROWS[-1]]
    filled = top and len(action.objects) == wanted
    clause = "RND-FAIRY-12" if short else "RND-FAIRY-9"
    amounts = {"tokens": len(action.objects), "wanted": wanted}
    if not rule.breaches:
        rule(clause, filled, **(amounts if top else {"row": action.row}))
    drawn = action.objects
    if wanted > blue.size:
        rest = Bag(drawn).minus(blue)
        drawn = tuple(Bag(drawn).minus(rest).elements())
        emptied = len(drawn) == blue.size
        rule("RND-FAIRY-12", emptied, drawn=len(drawn), in_bag=blue.size)
        check_draw(state, tuple(rest.elements()), Bag(state.bags.beside), rule)
    else:
        beside = [thing for thing in state.bags.beside if drawn.count(thing) > blue[thing]]
        doubt = doubt_object(beside[0], blue, rule.kit) if beside else {}
        rule("RND-FAIRY-10", not beside, beside=beside, **doubt)
        check_draw(state, drawn, blue, rule)
    if not top:
        return state
    beside_left = without(state.bags.beside, *without(action.objects, *drawn))
    bags = evolve(state.bags, blue=blue.take(*drawn), beside=beside_left)
    fairy = {**state.fairy, action.row: action.objects}
    return _return_beside(rule.stage(evolve(state, fairy=fairy, bags=bags)))


def _return_beside(state: Tableau) -> Tableau:
    """Only now the tokens put beside go into the blue bag."""
    beside = state.bags.beside
    return into_bag(evolve(state, bags=evolve(state.bags, beside=())), *beside)
