"""Buying, sleeping and exchanging, wherever they happen: on a hex, by a secret, by a repeat."""

from __future__ import annotations

from engines.benevolent.actions import Again, Sleep, Use
from engines.benevolent.kit import NEXT_GIFT, Arrow, Box, Gift
from engines.benevolent.rules.book import Rule
from engines.benevolent.rules.gifts import gain, give_back, giver_of, givers, may_come
from engines.benevolent.rules.leaves import RESERVE, draw, pay, purse
from engines.benevolent.state import Tableau
from engines.kernel import RuleContext, with_player

# Buying


def may_buy(state: Tableau, seat: str, gift: Gift, table: RuleContext[Box]) -> bool:
    on_pile = state.river[gift] or table.reading("buy_exhausted") == "yes"
    return bool(on_pile) and may_come(state, seat, gift, table)


def check_purchase(
    state: Tableau, seat: str, gift: Gift, robbed: str | None, rule: Rule
) -> str | None:
    rule("BEN-ALTAR-5", may_buy(state, seat, gift, rule), gift=gift)
    return giver_of(state, seat, gift, robbed, rule)


def price(state: Tableau, seat: str, gift: Gift, rule: Rule, reduction: int = 0) -> int:
    listed = rule.kit.prices[gift]
    cost = listed if rule.effect("BEN-ALTAR-2", True, gift=gift, price=listed) else 0
    return reduced(state, seat, cost - reduction, rule)


def reduced(state: Tableau, seat: str, cost: int, rule: Rule) -> int:
    owned = state.players[seat].owns("bargain")
    if owned and rule.effect("BEN-PERM-12", True, price=cost):
        cost -= rule.kit.secrets.numbers.bargain_reduction
    below = cost < 0 and rule.reading("price_floor") == "zero"
    return 0 if below and rule.effect("BEN-PERM-13", True, price=cost) else cost


def pay_price(state: Tableau, seat: str, cost: int, clause: str, rule: Rule) -> Tableau:
    leaves = purse(state.players[seat], rule)
    rule(clause, leaves >= cost, price=cost, leaves=leaves)
    if cost < 0:
        return draw(state, seat, -cost, rule)
    return rule.stage(pay(state, seat, cost, RESERVE, rule)) if cost else state


# Sleeping


def dreams(state: Tableau, seat: str, table: RuleContext[Box]) -> list[Arrow]:
    """The arrows that the player's dream step may follow."""
    leaving = table.kit.dream_path.leaving[state.players[seat].dream]
    return [
        arrow
        for arrow in leaving
        if arrow.gift is None
        or givers(state, seat, arrow.gift)
        or table.reading("gift_unobtainable") != "forbid_all"
    ]


def check_dream(
    state: Tableau, seat: str, to: int, action: Sleep | Use | Again, rule: Rule
) -> tuple[Arrow, str | None]:
    """The arrow followed, and who gives its gift."""
    space, robbed = state.players[seat].dream, action.robbed
    arrows = [
        arrow
        for arrow in rule.kit.dream_path.leaving[space]
        if arrow.target == to and action.gift in (None, arrow.gift)
    ]
    rule("BEN-POND-1", len(arrows) == 1, space=space, to=to)
    arrow = arrows[0] if arrows else Arrow(space=space, target=to)
    if arrow.gift is None:
        rule("BEN-POND-3", robbed is None and not action.declined, space=space, to=to)
        return arrow, None
    rule("BEN-POND-2", arrow in dreams(state, seat, rule), gift=arrow.gift)
    if not givers(state, seat, arrow.gift):
        rule("BEN-GIFT-8", robbed is None and not action.declined, gift=arrow.gift)
        return arrow, None
    if action.declined:
        optional = rule.reading("sleep_gift_optional") == "yes"
        rule("BEN-POND-2", optional and robbed is None, gift=arrow.gift)
        return arrow, None
    return arrow, giver_of(state, seat, arrow.gift, robbed, rule)


def follow(state: Tableau, seat: str, arrow: Arrow, giver: str | None, rule: Rule) -> Tableau:
    state = with_player(state, seat, dream=arrow.target)
    return gain(state, seat, arrow.gift, giver, rule) if arrow.gift else state


# Exchanging


def exchanges(state: Tableau, seat: str, table: RuleContext[Box]) -> list[Gift]:
    """The player's gifts that may be exchanged."""
    return [
        gift
        for gift in state.players[seat].gifts
        if gift in NEXT_GIFT and may_come(state, seat, NEXT_GIFT[gift], table)
    ]


def check_exchange(
    state: Tableau, seat: str, give: Gift, robbed: str | None, rule: Rule, got: Gift | None = None
) -> str | None:
    """Who gives the next gift; or the one that was taken instead."""
    following = NEXT_GIFT.get(give)
    if not rule("BEN-CIRCLE-3", following is not None) and got is None:
        return None
    wanted = got or following
    assert wanted is not None
    rule("BEN-CIRCLE-1", wanted == following or following is None, gift=give, got=wanted)
    rule("BEN-CIRCLE-2", give in state.players[seat].gifts, gift=give)
    rule("BEN-CIRCLE-6", may_come(state, seat, wanted, rule), gift=wanted)
    return giver_of(state, seat, wanted, robbed, rule)


def exchange(
    state: Tableau, seat: str, give: Gift, giver: str | None, rule: Rule, got: Gift | None = None
) -> Tableau:
    state = rule.stage(give_back(state, seat, (give,)))
    taken = got or NEXT_GIFT.get(give)
    return gain(state, seat, taken, giver, rule) if taken is not None else state
