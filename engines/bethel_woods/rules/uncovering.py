"""Uncovering a spy."""

from __future__ import annotations

from engines.bethel_woods.actions import UncoverSpy
from engines.bethel_woods.kit import TYPE_NAMES
from engines.bethel_woods.rules.book import AnyTable, Rule, rules
from engines.bethel_woods.rules.critical import check_recovery
from engines.bethel_woods.rules.knowledge import check_fee, spend, with_fee
from engines.bethel_woods.rules.turn import check_character, in_own_turn, names
from engines.bethel_woods.state import Tableau, Turn, ability_of, touch, with_machine
from engines.kernel import evolve


@rules.hears(UncoverSpy)
@in_own_turn
def uncover(state: Tableau, action: UncoverSpy, rule: Rule) -> Tableau:
    seat = action.seat
    number = _check_reach(state, action, rule)
    if number is None:
        return touch(state, rule.number)
    _check_payment(state, action, rule.kit.icons[state.machines[number].spies[0]], rule)
    cost = (*action.pay, *action.swap, *(() if action.plus is None else (action.plus,)))
    check_fee(state, seat, action.fee, cost, rule, ability=bool(action.swap))
    state = spend(state, seat, with_fee(cost, action.fee), rule)
    if action.swap:
        state = touch(state, rule.number, ability_of(seat))
    turn = evolve(
        _window_after(state.turn, rule),
        uncovered=True,
        ability_used=state.turn.ability_used or bool(action.swap),
    )
    return _send_back(evolve(state, turn=turn), number, action.on_top, rule)


def _check_reach(state: Tableau, action: UncoverSpy, rule: Rule) -> int | None:
    """The machine whose spy is uncovered; as it happened, perhaps another one."""
    turn = state.turn
    rule("BTW-UNC-9", not turn.built, seat=action.seat)
    rule("BTW-UNC-1", turn.sown, hand=names(turn.hand))
    rule("BTW-UNC-10", not turn.uncovered)
    number = action.machine or turn.last_drop
    facts = {"machine": number, "last_drop": turn.last_drop}
    elsewhere = number != turn.last_drop
    rule("BTW-UNC-11", not (elsewhere and number == turn.harris_to), **facts)
    there = number is not None and bool(state.machines[number].spies)
    rule("BTW-UNC-2", there and not elsewhere, **(facts if elsewhere else {"machine": number}))
    return number if there else None


def _check_payment(state: Tableau, action: UncoverSpy, cost: tuple[str, str], rule: Rule) -> None:
    swap, paid = action.swap, [token[0] for token in action.pay]
    facts = {"cost": [TYPE_NAMES[kind] for kind in cost], "paid": (*action.pay, *swap)}
    if swap:
        check_character(state, action.seat, "fenn", rule)
        rule("BTW-FEN-1", len(swap) == 1, swap=swap)
        rule("BTW-UNC-3", len(paid) == 1 and paid[0] in cost, **facts)
        replaced = cost[1] if paid[:1] == [cost[0]] else cost[0]
        rule("BTW-FEN-2", swap[0][0] != replaced, swap=swap, replaced=TYPE_NAMES[replaced])
    else:
        rule("BTW-UNC-3", sorted(paid) == sorted(cost), **facts)
    supplement = state.tile_is_up("spyplus")
    clause = "BTW-SPP-2" if "spyplus" in state.turn.lowered and not supplement else "BTW-SPP-1"
    rule(clause, (action.plus is not None) == supplement, plus=action.plus, due=supplement)


def _window_after(turn: Turn, table: AnyTable) -> Turn:
    """Fixing may go on after uncovering, unless it is read otherwise."""
    if turn.window is None:
        return turn
    if table.reading("fix_uncover_order") == "fix_first":
        return evolve(turn, window=None, closed="uncovered")
    if table.reading("fix_window") == "strict":
        return evolve(turn, window=None, closed="other_action")
    return turn


def _send_back(state: Tableau, number: int, on_top: bool, rule: Rule) -> Tableau:
    """The spy goes face down to the bottom of the column; or, wrongly, on top of it."""
    spy, *others = state.machines[number].spies
    column = state.column
    if on_top:
        rule("BTW-UNC-6", False, spy=spy)
        column = evolve(column, on_top=(spy, *column.on_top))
    elif rule.effect("BTW-UNC-6", True, spy=spy):
        column = evolve(column, returned=(*column.returned, spy))
    else:
        column = evolve(column, unseen=tuple(sorted((*column.unseen, spy))))
    state = with_machine(state, number, spies=tuple(others))
    state = touch(state, rule.number, f"machine {number}", f"spy {spy}", column=column)
    return check_recovery(state, number, rule)
