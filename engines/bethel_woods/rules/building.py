"""Building the Daydreamer, and winning."""

from __future__ import annotations

from engines.bethel_woods.actions import Build
from engines.bethel_woods.kit import TYPE_NAMES, WORKER_NAMES, line_up
from engines.bethel_woods.rules.book import AnyTable, Rule, rules
from engines.bethel_woods.rules.knowledge import check_fee, spend, with_fee
from engines.bethel_woods.rules.turn import (
    check_character,
    in_own_turn,
    names,
    next_machine,
    without,
)
from engines.bethel_woods.state import Tableau, Turn, ability_of, touch
from engines.kernel import evolve


def section_reached(turn: Turn, table: AnyTable) -> int | None:
    """The section that the last worker may enter; none before the pick-up."""
    if turn.reached is None:
        return None
    machine: int | None = turn.reached
    if table.reading("orphanage_access") == "instead_of_next":
        machine = next_machine(turn, table)
    return None if machine is None else table.kit.section_at.get(machine, machine)


def base_cost(state: Tableau, table: AnyTable) -> int:
    """The number on the top Daydreamer tile."""
    costs = table.kit.daydreamer.costs
    return costs[min(state.built, len(costs) - 1)]


def build_cost(state: Tableau, table: AnyTable) -> int:
    return base_cost(state, table) + state.tile_is_up("buildplus")


@rules.hears(Build)
@in_own_turn
def build(state: Tableau, action: Build, rule: Rule) -> Tableau:
    turn, seat, worker = state.turn, action.seat, action.worker
    section = _check_section(state, action, rule)
    _check_payment(state, action, section, rule)
    cost = (*action.pay, *action.swap)
    check_fee(state, seat, action.fee, cost, rule, ability=bool(action.swap))
    state = spend(state, seat, with_fee(cost, action.fee), rule)
    used = turn.ability_used or bool(action.swap)
    if action.swap:
        state = touch(state, rule.number, ability_of(seat))
    if section is None or worker not in turn.hand:
        return evolve(state, turn=evolve(turn, ability_used=used))
    inside = line_up(state.sections[section] + worker)
    turn = evolve(
        turn,
        hand=without(turn.hand, worker),
        built=True,
        window=None,
        closed="built",
        ability_used=used,
    )
    state = touch(
        state,
        rule.number,
        "built",
        f"section {section}",
        sections={**state.sections, section: inside},
        turn=turn,
    )
    finished = state.built >= len(rule.kit.daydreamer.costs)
    if finished and rule.effect("BTW-WIN-1", True, built=state.built):
        return evolve(state, outcome="won")
    return state


def _check_section(state: Tableau, action: Build, rule: Rule) -> int | None:
    turn = state.turn
    rule("BTW-BUILD-2", len(turn.hand) == 1, hand=names(turn.hand))
    worker = WORKER_NAMES[action.worker]
    if turn.hand or not rule.broken("BTW-BUILD-2", since="1.3"):
        rule("BTW-MOVE-6", action.worker in turn.hand, worker=worker, hand=names(turn.hand))
    reached = section_reached(turn, rule)
    rule("BTW-BUILD-3", action.at in (None, reached), at=action.at, section=reached)
    section = action.at or reached
    if section is None:
        return None
    rule("BTW-BUILD-4", not state.sections[section], section=section)
    accepts = rule.kit.accepts[section]
    is_nova = state.players[action.seat].character == "nova"
    clause = "BTW-NOVA-3" if action.swap and is_nova else "BTW-BUILD-5"
    types = [TYPE_NAMES[kind] for kind in accepts]
    rule(clause, action.worker in accepts, section=section, worker=worker, accepts=types)
    return section


def _check_payment(state: Tableau, action: Build, section: int | None, rule: Rule) -> None:
    worker, swap = action.worker, action.swap
    if swap:
        check_character(state, action.seat, "nova", rule)
        rule("BTW-NOVA-1", len(swap) == 1, swap=swap)
        allowed = set(TYPE_NAMES)
        if section is not None and rule.reading("nova_swap") == "section_types":
            allowed = set(rule.kit.accepts[section])
        kind = swap[0][0]
        rule("BTW-NOVA-2", kind in allowed and kind != worker, swap=swap, type=TYPE_NAMES[worker])
    base, due = base_cost(state, rule), build_cost(state, rule)
    paid = len(action.pay) + len(swap)
    facts = {"type": TYPE_NAMES[worker], "paid": paid, "due": due}
    wrong = [token for token in action.pay if token[0] != worker]
    rule("BTW-BUILD-6", not wrong and paid >= base, **facts, wrong=wrong)
    if not rule.broken("BTW-BUILD-6", since="1.3"):
        rule("BTW-BLD-1", paid >= due, **facts)
    saved = due == base and paid == base + 1 and "buildplus" in state.turn.lowered
    rule("BTW-BLD-2", not saved, **facts)
    rule("BTW-BUILD-7", paid <= due, **facts)
