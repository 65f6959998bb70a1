"""Character abilities. Nova's and Fenn's are part of building and uncovering."""

from __future__ import annotations

from engines.bethel_woods.actions import Ability, Harris, Junas, Linny, Violet
from engines.bethel_woods.kit import WORKER_NAMES, line_up
from engines.bethel_woods.rules.between import placing_fewer
from engines.bethel_woods.rules.book import AnyTable, Rule, rules
from engines.bethel_woods.rules.critical import check_recovery
from engines.bethel_woods.rules.knowledge import (
    check_fee,
    force_discards,
    knowledge_limit,
    learn,
    part,
    spend,
    throw_away,
    with_fee,
)
from engines.bethel_woods.rules.turn import beside, check_character, in_own_turn, names, without
from engines.bethel_woods.state import (
    Tableau,
    Turn,
    ability_of,
    knowledge_of,
    tokens_at,
    touch,
    with_machine,
    workers_at,
)
from engines.kernel import ParseError, evolve, with_player

WITH_OWN_ACTION = ("harris", "junas", "linny", "violet")


def is_time_for_abilities(turn: Turn, table: AnyTable) -> bool:
    return not turn.hand or table.reading("ability_timing") == "any"


def check_ability(state: Tableau, action: Ability, rule: Rule) -> str:
    """What holds for every ability; gives the seat that uses it."""
    seat = action.seat
    check_character(state, seat, action.verb, rule)
    rule("BTW-ABIL-4", is_time_for_abilities(state.turn, rule), hand=names(state.turn.hand))
    return seat


def pay_ability(
    state: Tableau,
    action: Ability,
    seat: str,
    cost: tuple[str, ...],
    rule: Rule,
    *,
    gift: tuple[str, ...] = (),
) -> Tableau:
    check_fee(state, seat, action.fee, (*cost, *gift), rule)
    state = spend(state, seat, with_fee(cost, action.fee), rule)
    state = touch(state, rule.number, ability_of(seat))
    turn = evolve(state.turn, ability_used=True)
    if turn.window is not None and rule.reading("fix_window") == "strict":
        turn = evolve(turn, window=None, closed="other_action")
    return evolve(state, turn=turn)


def can_reach(source: int, target: int, table: AnyTable) -> bool:
    """Where Harris may move a worker."""
    if table.reading("harris_reach") == "adjacent":
        return target in (beside(source, 1), beside(source, -1))
    return source != target


@rules.hears(Harris)
@in_own_turn
def harris(state: Tableau, action: Harris, rule: Rule) -> Tableau:
    seat = check_ability(state, action, rule)
    worker, source, target = action.worker, action.source, action.target
    here = state.machines[source].workers
    rule("BTW-HAR-1", action.pay[0] == worker, pay=action.pay, worker=WORKER_NAMES[worker])
    rule("BTW-HAR-2", can_reach(source, target, rule), source=source, target=target)
    rule("BTW-HAR-3", worker in here, worker=WORKER_NAMES[worker], source=source)
    state = pay_ability(state, action, seat, (action.pay,), rule)
    rule.heard_out()
    turn = evolve(state.turn, harris_to=target, window=None)
    if not turn.built:
        turn = evolve(turn, closed="harris")
    if turn.sown and rule.reading("harris_counts_as_last") == "yes":
        turn = evolve(turn, last_drop=target)
    state = evolve(state, turn=turn)
    if worker not in here or source == target:
        return state
    there = line_up(state.machines[target].workers + worker)
    state = with_machine(state, source, workers=without(here, worker))
    state = with_machine(state, target, workers=there)
    return touch(state, rule.number, workers_at(source), workers_at(target))


@rules.hears(Junas)
@in_own_turn
def junas(state: Tableau, action: Junas, rule: Rule) -> Tableau:
    seat = check_ability(state, action, rule)
    gift = action.give
    rule("BTW-JUN-4", gift, pay=action.pay)
    rule("BTW-JUN-1", len(gift) <= 2 and len(action.to) <= 1, pay=action.pay, gift=gift)
    kinds = {token[0] for token in gift}
    if rule.reading("junas_type") == "as_discarded":
        kinds.add(action.pay[0])
    rule("BTW-JUN-1", len(kinds) <= 1, pay=action.pay, gift=gift)
    friends = [to for to in action.to if to != seat and to in state.players]
    rule("BTW-JUN-2", friends, seat=seat, to=action.to)
    held = state.players[seat].knowledge
    paid, _ = part(held, (action.pay,))
    missing = part(held.take(*paid), gift)[1]
    rule("BTW-KNOW-2", not missing, seat=seat, missing=missing)
    state = pay_ability(state, action, seat, (action.pay,), rule, gift=gift)
    if not friends:
        return state
    return _give(state, seat, friends[0], gift, rule)


def _give(state: Tableau, seat: str, friend: str, gift: tuple[str, ...], rule: Rule) -> Tableau:
    given, _ = part(state.players[seat].knowledge, gift)
    kept = state.players[seat].knowledge.take(*given)
    state = with_player(state, seat, knowledge=kept)
    richer = state.players[friend].knowledge.add(*given)
    state = with_player(state, friend, knowledge=richer)
    state = touch(state, rule.number, knowledge_of(seat), knowledge_of(friend))
    return force_discards(state, (friend,), knowledge_limit(state, rule), "BTW-JUN-3", rule)


def compared_value(token: str, machine: int, table: AnyTable) -> int:
    """The value of a token at a machine, as Linny's knowledge must show it."""
    return machine if table.reading("linny_value") == "machine" else int(token[1])


@rules.hears(Linny)
@in_own_turn
def linny(state: Tableau, action: Linny, rule: Rule) -> Tableau:
    seat = check_ability(state, action, rule)
    where = _machine_of(state, action)
    facts = {"pay": action.pay, "remove": action.remove}
    if where is None:
        rule("BTW-LIN-1", False, **facts, absent=action.remove, at=action.at)
        return pay_ability(state, action, seat, (action.pay,), rule)
    is_worth = int(action.pay[1]) == compared_value(action.remove, where, rule)
    rule("BTW-LIN-1", is_worth, **facts)
    state = pay_ability(state, action, seat, (action.pay,), rule)
    tokens = state.machines[where].tokens.take(action.remove)
    state = with_machine(state, where, tokens=tokens)
    if rule.effect("BTW-LIN-3", True, token=action.remove):
        state = throw_away(state, action.remove, tokens_at(where), rule)
    else:
        state = learn(state, seat, action.remove, tokens_at(where), rule)
    return check_recovery(state, where, rule)


def _machine_of(state: Tableau, action: Linny) -> int | None:
    """Where the token lies that Linny removes."""
    where = [n for n, machine in state.machines.items() if action.remove in machine.tokens]
    if action.at is not None:
        return action.at if action.at in where else None
    if len(where) > 1:
        raise ParseError("which_machine", token=action.remove, machines=where)
    return where[0] if where else None


@rules.hears(Violet)
@in_own_turn
def violet(state: Tableau, action: Violet, rule: Rule) -> Tableau:
    seat = check_ability(state, action, rule)
    pair = len(action.pay) == 2 and len({token[0] for token in action.pay}) == 1
    rule("BTW-VIO-1", pair, pay=action.pay)
    state = pay_ability(state, action, seat, action.pay, rule)
    known, state = state.turn.violet, evolve(state, turn=evolve(state.turn, violet=True))
    return state if known or state.phase != "placing" else placing_fewer(state, rule)
