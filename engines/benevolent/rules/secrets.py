"""Utiliser les tuiles Secrets: the ephemeral ones."""

from __future__ import annotations

from collections.abc import Callable

from engines.benevolent.actions import Use
from engines.benevolent.kit import Box
from engines.benevolent.rules.book import Rule, rules
from engines.benevolent.rules.dealings import (
    check_dream,
    check_exchange,
    check_purchase,
    exchange,
    follow,
    pay_price,
    price,
    reduced,
)
from engines.benevolent.rules.gifts import gain, give_back, giver_of, may_come
from engines.benevolent.rules.leaves import draw, pay_toll
from engines.benevolent.rules.repeats import mark, open_repeat, stir
from engines.benevolent.state import Tableau, without
from engines.kernel import ParseError, RuleContext, evolve, with_player


@rules.hears(Use)
def use(state: Tableau, action: Use, rule: Rule) -> Tableau:
    seat, face = action.seat, action.face
    held, used = face in state.players[seat].ephemeral, face in state.box
    rule("BEN-SEC-5", held or not used, face=face)
    rule("BEN-SEC-6", held or used, face=face)
    state = EPHEMERAL_EFFECTS[face](stir(state, rule), seat, action, rule)
    if not held:
        return state
    left = without(state.players[seat].ephemeral, face)
    return evolve(with_player(state, seat, ephemeral=left), box=(*state.box, face))


def use_gift_feather(state: Tableau, seat: str, action: Use, rule: Rule) -> Tableau:
    rule("BEN-SEC-7", may_come(state, seat, "feather", rule), gift="feather")
    giver = giver_of(state, seat, "feather", action.robbed, rule)
    nothing_to_waive(action, rule)
    if rule.effect("BEN-EPH-1", True):
        return gain(state, seat, "feather", giver, rule)
    return state


def use_gift_clover(state: Tableau, seat: str, action: Use, rule: Rule) -> Tableau:
    leaves = rule.kit.secrets.numbers.gift_clover_leaves
    some = state.stock > 0 or rule.reading("leaf_supply") == "unlimited"
    partly = some and rule.reading("gift_unobtainable") == "as_far_as_free"
    rule("BEN-SEC-7", may_come(state, seat, "clover", rule) or partly, gift="clover")
    giver = giver_of(state, seat, "clover", action.robbed, rule)
    nothing_to_waive(action, rule)
    state = gain(state, seat, "clover", giver, rule)
    if rule.effect("BEN-EPH-2", state.winner is None, leaves=leaves):
        return draw(state, seat, leaves, rule)
    return state


def use_cheap_crystal(state: Tableau, seat: str, action: Use, rule: Rule) -> Tableau:
    giver = check_purchase(state, seat, "crystal", action.robbed, rule)
    nothing_to_waive(action, rule)
    cost = rule.kit.secrets.numbers.cheap_crystal_price
    if rule.reading("cheap_crystal_stack") == "yes":
        cost = reduced(state, seat, cost, rule)
    state = pay_price(state, seat, cost, "BEN-EPH-3", rule)
    return gain(state, seat, "crystal", giver, rule)


def use_sale(state: Tableau, seat: str, action: Use, rule: Rule) -> Tableau:
    gift = action.gift
    assert gift is not None
    giver = check_purchase(state, seat, gift, action.robbed, rule)
    if is_altar_purchase(state, seat, rule):
        state = pay_toll(state, action, rule)
        state = evolve(state, agenda=state.agenda.drop("action"))
    else:
        state = pay_secret_toll(state, seat, action, rule)
    cost = price(state, seat, gift, rule, rule.kit.secrets.numbers.sale_reduction)
    state = pay_price(state, seat, cost, "BEN-ACT-4", rule)
    return gain(state, seat, gift, giver, rule)


def is_altar_purchase(state: Tableau, seat: str, table: RuleContext[Box]) -> bool:
    """Whether a sale is this turn's purchase at the altar instead of a further one."""
    here = state.here(seat)
    on_altar = here is not None and here.site == "altar"
    acts = seat == state.turn.active and state.phase == "action"
    return on_altar and acts and table.reading("sale_mode") == "reduction"


def use_convert(state: Tableau, seat: str, action: Use, rule: Rule) -> Tableau:
    conversion = rule.kit.secrets.conversions.get(action.face)
    if conversion is None:
        raise ParseError("unknown_datum", path=f"secrets.conversions.{action.face}")
    rule("BEN-EPH-4", state.players[seat].gifts.holds(conversion.give), give=conversion.give)
    rule("BEN-SEC-7", may_come(state, seat, conversion.get, rule), gift=conversion.get)
    giver = giver_of(state, seat, conversion.get, action.robbed, rule)
    nothing_to_waive(action, rule)
    state = rule.stage(mark(give_back(state, seat, conversion.give), "convert"))
    return gain(state, seat, conversion.get, giver, rule)


def use_free_sleep(state: Tableau, seat: str, action: Use, rule: Rule) -> Tableau:
    assert action.to is not None
    dream = check_dream(state, seat, action.to, action, rule)
    state = pay_secret_toll(state, seat, action, rule)
    return open_repeat(follow(state, seat, *dream, rule), seat, "free_sleep", rule)


def use_free_swap(state: Tableau, seat: str, action: Use, rule: Rule) -> Tableau:
    give = action.gift
    assert give is not None
    giver = check_exchange(state, seat, give, action.robbed, rule)
    state = pay_secret_toll(state, seat, action, rule)
    return open_repeat(exchange(state, seat, give, giver, rule), seat, "free_swap", rule)


def pay_secret_toll(state: Tableau, seat: str, action: Use, rule: Rule) -> Tableau:
    """A secret that acts like a site costs no toll, unless the table reads it so."""
    if rule.reading("secret_toll") == "arrival_hex":
        return pay_toll(state, action, rule)
    nothing_to_waive(action, rule)
    return state


def nothing_to_waive(action: Use, rule: Rule) -> None:
    """Where no toll is due, nobody can waive it."""
    rule("BEN-TOLL-7", not action.waived, waived=action.waived)


EPHEMERAL_EFFECTS: dict[str, Callable[[Tableau, str, Use, Rule], Tableau]] = {
    "gift_feather": use_gift_feather,
    "gift_clover": use_gift_clover,
    "cheap_crystal": use_cheap_crystal,
    "convert_1": use_convert,
    "convert_2": use_convert,
    "convert_3": use_convert,
    "free_sleep": use_free_sleep,
    "free_swap": use_free_swap,
    "sale": use_sale,
}
