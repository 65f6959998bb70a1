"""Mouvements."""

from __future__ import annotations

from engines.benevolent.actions import PlaceStep
from engines.benevolent.kit import Box, Forest
from engines.benevolent.rules.book import Rule, rules
from engines.benevolent.rules.leaves import draw
from engines.benevolent.rules.repeats import begun_turn, stirred
from engines.benevolent.state import Player, Tableau, without
from engines.kernel import RuleContext, evolve


@rules.hears(PlaceStep)
def place_step(state: Tableau, action: PlaceStep, rule: Rule) -> Tableau:
    seat, origin, to, forest = action.seat, action.origin, action.to, state.forest
    assert forest is not None
    me = state.players[seat]
    rule("BEN-MOVE-16", to in forest.hexes, hex=to)
    if origin is None:
        rule("BEN-MOVE-8", me.card, card=me.card)
        others = me.forest
    else:
        any_source = me.owns("free_path") and rule.reading("free_path_source") == "any"
        rule("BEN-MOVE-7", not me.card or any_source, card=me.card)
        rule("BEN-MOVE-15", origin in me.forest, hex=origin)
        rule("BEN-MOVE-13", origin != to or rule.reading("null_move") == "allow", hex=to)
        others = without(me.forest, origin)
    check_shared(me, others, to, rule)
    if bound_to_group(me, others, to, rule):
        touches = touches_group(forest, others, to, rule)
        rule("BEN-MOVE-10" if origin else "BEN-MOVE-3", touches, hex=to, steps=others)
        if not rule.broken("BEN-MOVE-3", "BEN-MOVE-10", since="1.3"):
            joined = forest.groups((*others, to)) <= groups_allowed(me, forest)
            rule("BEN-MOVE-11", joined, steps=(*others, to))
    turn = stirred(state.turn, rule)
    if action.declined:
        check_declined(state, seat, to, rule)
    rule.heard_out()
    me = evolve(me, card=me.card - (origin is None), forest=(*others, to))
    if seat == turn.active:
        turn = evolve(turn, arrival=to)
        begun = state.begun
    else:
        early = evolve(begun_turn(state, seat), arrival=to)
        begun = {**state.begun, seat: early}
    state = evolve(state, players={**state.players, seat: me}, turn=turn, begun=begun)
    if me.owns("lone_step") and not action.declined:
        return lone_step(state, seat, to, rule)
    return state


def groups_allowed(me: Player, forest: Forest) -> int:
    """One; or as many groups as the steps form already, by something illegal that stands.

    Nobody can be asked for one group again who has been left with several.
    """
    return 1 if me.owns("free_path") else forest.groups(me.forest)


def check_shared(me: Player, others: tuple[str, ...], to: str, rule: Rule) -> None:
    own = others.count(to)
    if not me.owns("double_step"):
        rule("BEN-MOVE-2", not own, hex=to)
    elif own:
        third = own >= 2 and rule.reading("double_step_cap") == "2"
        elsewhere = any(others.count(name) > 1 for name in others if name != to)
        second = elsewhere and rule.reading("double_step_hexes") == "one"
        rule("BEN-PERM-6", not third and not second, hex=to, steps=own)


def bound_to_group(me: Player, others: tuple[str, ...], to: str, table: RuleContext[Box]) -> bool:
    """Whether adjacency and connection are asked for: not in the first turn, nor for free_path."""
    if not others:
        return False
    if not me.owns("free_path"):
        return True
    return to in others and table.reading("free_path_with_double") == "separate"


def touches_group(
    forest: Forest, others: tuple[str, ...], to: str, table: RuleContext[Box]
) -> bool:
    if to in others and table.reading("double_step_adjacency") == "shared_counts":
        return True
    return not forest.neighbours[to].isdisjoint(others)


def is_alone(state: Tableau, seat: str, to: str) -> bool:
    """Whether no opponent has a step there."""
    return all(to not in player.forest for player in state.opponents(seat).values())


def check_declined(state: Tableau, seat: str, to: str, rule: Rule) -> None:
    without = None if state.players[seat].owns("lone_step") else seat
    shared = None if is_alone(state, seat, to) else to
    may = rule.reading("lone_step_optional") == "yes" and not without and not shared
    rule("BEN-PERM-8", may, hex=to, without=without, shared=shared)


def lone_step(state: Tableau, seat: str, to: str, rule: Rule) -> Tableau:
    if rule.effect("BEN-PERM-8", is_alone(state, seat, to), hex=to):
        return draw(state, seat, rule.kit.secrets.numbers.lone_step_leaves, rule)
    return state
