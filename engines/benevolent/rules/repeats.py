"""Secrets permanents: exchanging or sleeping once more."""

from __future__ import annotations

from typing import Literal, NamedTuple

from engines.benevolent.actions import Again, Base, Deed
from engines.benevolent.kit import Box, Permanent
from engines.benevolent.rules.book import Rule, rules
from engines.benevolent.rules.dealings import (
    check_dream,
    check_exchange,
    dreams,
    exchange,
    exchanges,
    follow,
)
from engines.benevolent.rules.leaves import RESERVE, grey_leaves, pay, purse
from engines.benevolent.state import Tableau, Turn, without
from engines.kernel import RuleContext, evolve


class Repeat(NamedTuple):
    tile: Permanent
    clause: str
    bases: tuple[Base, Base]
    """What it repeats; that of a secret first, which never costs a toll."""


REPEATS: dict[str, Repeat] = {
    "swap": Repeat("swap_again", "BEN-PERM-1", ("free_swap", "swap")),
    "sleep": Repeat("sleep_again", "BEN-PERM-2", ("free_sleep", "sleep")),
}


def kind_of(base: Base) -> Literal["swap", "sleep"]:
    return "swap" if base in REPEATS["swap"].bases else "sleep"


def open_repeat(state: Tableau, seat: str, base: Base, rule: Rule) -> Tableau:
    kind, turn = kind_of(base), state.turn
    owned = state.players[seat].owns(REPEATS[kind].tile)
    opens = owned and seat == turn.active and state.winner is None
    if opens and rule.effect("BEN-PERM-4", True, base=base):
        turn = evolve(turn, repeats=(*turn.repeats, base))
    return evolve(state, turn=evolve(turn, done=turn.done | {kind}))


def mark(state: Tableau, deed: Deed) -> Tableau:
    return evolve(state, turn=evolve(state.turn, done=state.turn.done | {deed}))


@rules.hears(Again)
def again(state: Tableau, action: Again, rule: Rule) -> Tableau:
    seat, kind = action.seat, action.kind
    me, (tile, clause, bases) = state.players[seat], REPEATS[kind]
    base = next((base for base in bases if base in state.turn.repeats), None)
    if rule(clause, me.owns(tile), tile=tile):
        rule(why_closed(state, kind), base is not None, kind=kind)
    cost, leaves = repeat_cost(state, seat, base or bases[0], rule), purse(me, rule)
    rule(clause, leaves >= cost, cost=cost, leaves=leaves)
    if action.give is not None:
        giver = check_exchange(state, seat, action.give, action.robbed, rule)
        state = exchange(pay(state, seat, cost, RESERVE, rule), seat, action.give, giver, rule)
    else:
        assert action.to is not None
        dream = check_dream(state, seat, action.to, action, rule)
        state = follow(pay(state, seat, cost, RESERVE, rule), seat, *dream, rule)
    state = mark(state, "swap_repeated" if kind == "swap" else "sleep_repeated")
    return spend_repeat(state, seat, base, rule) if base else state


def why_closed(state: Tableau, kind: str) -> str:
    """The clause that a repeat breaks when none is open."""
    done = state.turn.done
    if f"{kind}_repeated" in done:
        return "BEN-PERM-3"
    if "lapsed" in done:
        return "BEN-PERM-4"
    if kind in done:
        return "BEN-SEC-9"
    if kind == "swap" and "convert" in done:
        return "BEN-EPH-5"
    return REPEATS[kind].clause


def spend_repeat(state: Tableau, seat: str, base: Base, rule: Rule) -> Tableau:
    left = without(state.turn.repeats, base)
    state = evolve(state, turn=evolve(state.turn, repeats=left))
    if rule.reading("repeat_chain") == "chain":
        return open_repeat(state, seat, base, rule)
    return state


def repeat_cost(state: Tableau, seat: str, base: Base, table: RuleContext[Box]) -> int:
    numbers = table.kit.secrets.numbers
    cost = numbers.swap_again_cost if kind_of(base) == "swap" else numbers.sleep_again_cost
    at_hex = base in ("swap", "sleep") and not state.players[seat].owns("grey_pass")
    if at_hex and table.reading("repeat_grey") == "pay":
        cost += grey_leaves(state, seat, table)
    return cost


def can_repeat(state: Tableau, seat: str, table: RuleContext[Box]) -> bool:
    """Whether a repeat is open, affordable, and can do anything."""
    leaves = purse(state.players[seat], table)
    return any(
        leaves >= repeat_cost(state, seat, base, table)
        and bool((exchanges if kind_of(base) == "swap" else dreams)(state, seat, table))
        for base in state.turn.repeats
    )


def stir(state: Tableau, rule: Rule) -> Tableau:
    """Something else happens in this turn: a repeat that had to follow at once lapses."""
    turn = stirred(state.turn, rule)
    return state if turn is state.turn else evolve(state, turn=turn)


def stirred(turn: Turn, table: RuleContext[Box]) -> Turn:
    if turn.repeats and table.reading("repeat_window") == "immediate":
        turn = evolve(turn, repeats=(), done=turn.done | {"lapsed"})
    return turn


# What is played before its time


def begun_turn(state: Tableau, seat: str) -> Turn:
    """What a seat has played of a turn that has not come yet."""
    return state.begun.get(seat, Turn(0, seat))


def played_early(state: Tableau, seat: str) -> Tableau:
    """An action before the move, or before the turn, is the action of that turn.

    Whoever acts once more when the turn has just passed has done so in the turn that is over.
    """
    if seat == state.turn.active:
        return mark(state, "acted") if state.phase == "move" else state
    if seat == state.last_seat and seat not in state.begun:
        return state
    early = begun_turn(state, seat)
    begun = {**state.begun, seat: evolve(early, done=early.done | {"acted"})}
    return evolve(state, begun=begun)
