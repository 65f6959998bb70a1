"""Action: the six sites of the forest, and gathering leaves."""

from __future__ import annotations

from engines.benevolent.actions import Buy, Gather, Learn, Pick, SiteAction, Sleep, Swap
from engines.benevolent.kit import EPHEMERAL, GIFTS, Box, Gift
from engines.benevolent.rules.book import Rule, rules
from engines.benevolent.rules.dealings import (
    check_dream,
    check_exchange,
    check_purchase,
    dreams,
    exchange,
    exchanges,
    follow,
    may_buy,
    pay_price,
    price,
)
from engines.benevolent.rules.gifts import gain, giver_of, may_come
from engines.benevolent.rules.leaves import draw, pay_toll
from engines.benevolent.rules.repeats import open_repeat, played_early, stir
from engines.benevolent.state import Tableau
from engines.kernel import Action, RuleContext, evolve, with_player


def act_on(state: Tableau, action: SiteAction, sites: tuple[str, ...], rule: Rule) -> str:
    """The site of the arrival hex, which must be one of these."""
    here = state.here(action.seat)
    site = here.site if here else "none"
    rule("BEN-ACT-2", site in sites, hex=state.arrival_of(action.seat), site=site)
    return site


def begin(state: Tableau, action: Action, rule: Rule) -> Tableau:
    """The action of a turn begins."""
    return played_early(stir(state, rule), action.seat)


def do_nothing(state: Tableau, action: SiteAction, site: str, rule: Rule) -> Tableau:
    """Paying the toll for a site that can give nothing."""
    allowed = rule.reading("impossible_action") == "allow"
    rule("BEN-ACT-5", allowed and not possible(state, action.seat, site, rule), site=site)
    return pay_toll(begin(state, action, rule), action, rule)


def possible(state: Tableau, seat: str, site: str, table: RuleContext[Box]) -> bool:
    """Whether the action of a site could do anything, whatever it costs."""
    match site:
        case "altar":
            return any(may_buy(state, seat, gift, table) for gift in GIFTS)
        case "meadow" | "nest":
            return may_come(state, seat, PICKED[site], table)
        case "pond":
            return bool(dreams(state, seat, table))
        case "circle":
            return bool(exchanges(state, seat, table))
    return bool(state.pyramid)


# L'Autel sacré


@rules.hears(Buy)
def buy(state: Tableau, action: Buy, rule: Rule) -> Tableau:
    seat = action.seat
    site = act_on(state, action, ("altar",), rule)
    if action.gift == "none":
        return do_nothing(state, action, site, rule)
    giver = check_purchase(state, seat, action.gift, action.robbed, rule)
    state = pay_toll(begin(state, action, rule), action, rule)
    state = pay_price(state, seat, price(state, seat, action.gift, rule), "BEN-ACT-4", rule)
    return gain(state, seat, action.gift, giver, rule)


# Le Pré, Le Nid

PICKED: dict[str, Gift] = {"meadow": "clover", "nest": "feather"}


@rules.hears(Pick)
def pick(state: Tableau, action: Pick, rule: Rule) -> Tableau:
    seat = action.seat
    site = act_on(state, action, tuple(PICKED), rule)
    if action.nothing:
        return do_nothing(state, action, site, rule)
    gift = PICKED.get(site)
    clause = "BEN-NEST-1" if gift == "feather" else "BEN-MEADOW-1"
    if gift is None:  # nobody knows what was picked
        return pay_toll(begin(state, action, rule), action, rule)
    rule(clause, action.got in (None, gift), gift=gift, got=action.got)
    gift = action.got or gift
    rule("BEN-GIFT-8", may_come(state, seat, gift, rule), gift=gift)
    giver = giver_of(state, seat, gift, action.robbed, rule)
    state = pay_toll(begin(state, action, rule), action, rule)
    rule.heard_out()
    return gain(state, seat, gift, giver, rule) if rule.effect(clause, True) else state


# L'Étang


@rules.hears(Sleep)
def sleep(state: Tableau, action: Sleep, rule: Rule) -> Tableau:
    seat = action.seat
    site = act_on(state, action, ("pond",), rule)
    if action.to == "none":
        return do_nothing(state, action, site, rule)
    dream = check_dream(state, seat, action.to, action, rule)
    state = pay_toll(begin(state, action, rule), action, rule)
    rule.heard_out()
    return open_repeat(follow(state, seat, *dream, rule), seat, "sleep", rule)


# Le Cercle de pierre


@rules.hears(Swap)
def swap(state: Tableau, action: Swap, rule: Rule) -> Tableau:
    seat = action.seat
    site = act_on(state, action, ("circle",), rule)
    if action.give == "none":
        return do_nothing(state, action, site, rule)
    giver = check_exchange(state, seat, action.give, action.robbed, rule, action.got)
    state = pay_toll(begin(state, action, rule), action, rule)
    rule.heard_out()
    return open_repeat(
        exchange(state, seat, action.give, giver, rule, action.got), seat, "swap", rule
    )


# La Table en bois

SLOTS_ABOVE = ("2a", "2b", "2c", "3a", "3b")


@rules.hears(Learn)
def learn(state: Tableau, action: Learn, rule: Rule) -> Tableau:
    seat = action.seat
    site = act_on(state, action, ("wooden_table",), rule)
    if action.slot == "none":
        return do_nothing(state, action, site, rule)
    rule("BEN-TABLE-5", state.pyramid)
    rule("BEN-TABLE-1", action.slot in state.pyramid, slot=action.slot)
    under = sorted(beneath(action.slot) & state.pyramid.keys())
    rule("BEN-TABLE-2", not under, slot=action.slot, under=under)
    state = pay_toll(begin(state, action, rule), action, rule)
    rule.heard_out()
    pyramid = dict(state.pyramid)
    face = pyramid.pop(action.slot, None)
    if face is None:
        return state
    me = state.players[seat]
    if face in EPHEMERAL:
        me = evolve(me, ephemeral=(*me.ephemeral, face))
    else:
        me = evolve(me, permanent=(*me.permanent, face))
    return evolve(state, pyramid=pyramid, players={**state.players, seat: me})


def beneath(slot: str) -> set[str]:
    """The two slots a slot rests on; below the bottom row nothing ever lies."""
    row, letter = int(slot[0]), slot[1]
    return {f"{row - 1}{letter}", f"{row - 1}{chr(ord(letter) + 1)}"}


# Ramasser des feuilles


@rules.hears(Gather)
def gather(state: Tableau, action: Gather, rule: Rule) -> Tableau:
    seat = action.seat
    owns_hoard = state.players[seat].owns("hoard")
    rule("BEN-GATHER-1", action.hoard is None or owns_hoard, choice=action.hoard)
    usual = rule.kit.gather.leaves
    taken = usual if action.leaves is None else action.leaves
    rule("BEN-GATHER-1", taken in (usual, min(usual, state.stock)), leaves=taken)
    state = draw(begin(state, action, rule), seat, taken, rule)
    return hoard(state, seat, action.hoard, rule) if owns_hoard else state


def hoard_choices(state: Tableau, seat: str, table: RuleContext[Box]) -> list[str]:
    """What may be done with the hoard, once the gathered leaves are taken."""
    choices = []
    if state.stock > 0 or table.reading("leaf_supply") == "unlimited":
        choices.append("put")
    if state.players[seat].hoard:
        choices.append("take")
    return choices


def hoard(state: Tableau, seat: str, choice: str | None, rule: Rule) -> Tableau:
    choices = hoard_choices(state, seat, rule)
    if choice == "none":
        may = not choices or rule.reading("hoard_optional") == "yes"
        rule("BEN-PERM-5", may, choices=choices)
        return state
    said = choice in choices if choice else len(choices) < 2
    rule("BEN-PERM-5", said, choice=choice, choices=choices)
    choice = choice if choice in choices else next(iter(choices), None)
    player, one = state.players[seat], rule.kit.secrets.numbers.hoard_leaves
    if choice == "put":
        state = evolve(state, reserve=state.stock - one)
        return with_player(state, seat, hoard=player.hoard + one)
    if choice == "take":
        taken = player.hoard if rule.reading("hoard_take") == "all" else min(one, player.hoard)
        return with_player(
            state, seat, hoard=player.hoard - taken, leaves=player.own_leaves + taken
        )
    return state
