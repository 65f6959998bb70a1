"""Leaves change hands: the reserve, and the toll for steps on a hex."""

from __future__ import annotations

from engines.benevolent.actions import SiteAction, Use
from engines.benevolent.kit import Box
from engines.benevolent.rules.book import Rule
from engines.benevolent.state import Player, Tableau
from engines.kernel import RuleContext, evolve

RESERVE = "reserve"


def purse(player: Player, table: RuleContext[Box]) -> int:
    """The leaves that a player may spend."""
    if player.hoard and table.reading("hoard_spendable") == "yes":
        return player.own_leaves + player.hoard
    return player.own_leaves


def pay(state: Tableau, seat: str, leaves: int, to: str, table: RuleContext[Box]) -> Tableau:
    """Pay with the player's leaves, then with the hoard; never more than there are."""
    player = state.players[seat]
    leaves = min(leaves, purse(player, table))
    own = min(leaves, player.own_leaves)
    player = evolve(player, leaves=player.own_leaves - own, hoard=player.hoard - (leaves - own))
    players = {**state.players, seat: player}
    if to == RESERVE:
        return evolve(state, players=players, reserve=state.stock + leaves)
    players[to] = evolve(players[to], leaves=players[to].own_leaves + leaves)
    return evolve(state, players=players)


def draw(state: Tableau, seat: str, leaves: int, rule: Rule) -> Tableau:
    """Leaves from the reserve, as far as they go."""
    short = state.stock < leaves and rule.reading("leaf_supply") == "limited"
    if short and rule.effect("BEN-GATHER-3", True, reserve=state.stock):
        leaves = max(0, state.stock)
    player = state.players[seat]
    player = evolve(player, leaves=player.own_leaves + leaves)
    players = {**state.players, seat: player}
    return evolve(state, players=players, reserve=state.stock - leaves)


def grey_leaves(state: Tableau, seat: str, table: RuleContext[Box]) -> int:
    """The leaves that the grey steps of the arrival hex cost."""
    here = state.here(seat)
    grey = here.grey if here else 0
    if grey > 1 and table.reading("grey_count") == "flat":
        grey = 1
    return grey * table.kit.toll.per_grey


def toll(state: Tableau, seat: str, rule: Rule) -> dict[str, int]:
    """What is owed for the steps on the arrival hex, and to whom."""
    me, arrival, due = state.players[seat], state.arrival_of(seat), {}
    if grey := grey_leaves(state, seat, rule):
        passes = rule.effect("BEN-PERM-10", me.owns("grey_pass"), hex=arrival)
        if not passes and rule.effect("BEN-TOLL-2", True, hex=arrival, leaves=grey):
            due[RESERVE] = grey
    for other, player in state.players.items():
        steps = player.forest.count(arrival) if other != seat else 0
        if steps and rule.effect("BEN-TOLL-3", True, owner=other, steps=steps):
            to_reserve = rule.effect("BEN-PERM-11", me.owns("reserve_toll"), owner=other)
            to = RESERVE if to_reserve else other
            due[to] = due.get(to, 0) + steps * rule.kit.toll.per_opponent_step
    return due


def pay_toll(state: Tableau, action: SiteAction | Use, rule: Rule) -> Tableau:
    seat, waived = action.seat, action.waived
    due = toll(state, seat, rule)
    if isinstance(action, SiteAction) and action.unpaid:
        rule("BEN-TOLL-7", not due, toll=due)
        return state
    if isinstance(action, SiteAction) and action.paid is not None:
        to = action.paid
        rule("BEN-TOLL-7", due.keys() == {to}, toll=due, paid=to)
        due = {to: sum(due.values())} if to != seat else {}
    if waived:
        owners = rule.reading("toll_waiver") == "yes" and due.keys() - {RESERVE}
        rule("BEN-TOLL-7", owners and {*waived} <= owners, waived=waived)
        due = {to: leaves for to, leaves in due.items() if to not in waived}
    leaves = purse(state.players[seat], rule)
    rule("BEN-ACT-3", leaves >= sum(due.values()), toll=due, leaves=leaves)
    for to, amount in due.items():
        state = rule.stage(pay(state, seat, amount, to, rule))
    return state
