"""A turn: moving workers, fixing malfunctions, and its end."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from engines.bethel_woods.actions import (
    Ability,
    Build,
    DiscardKnowledge,
    DropWorker,
    EndTurn,
    FixMalfunctions,
    TakeWorkers,
)
from engines.bethel_woods.kit import TYPE_NAMES, WORKER_NAMES, line_up
from engines.bethel_woods.rules.between import begin_placement, close_turn, lost_unsaid, spy_comes
from engines.bethel_woods.rules.book import AnyTable, Rule, rules
from engines.bethel_woods.rules.critical import check_recovery
from engines.bethel_woods.rules.knowledge import learn, part, throw_away
from engines.bethel_woods.state import (
    Tableau,
    Turn,
    Window,
    ability_of,
    entries_about,
    machines_with,
    tokens_at,
    touch,
    with_machine,
    workers_at,
)
from engines.kernel import Action, Bag, evolve


def beside(machine: int, step: int) -> int:
    """The next machine of the ring, clockwise for step 1."""
    return (machine - 1 + step) % 6 + 1


def next_machine(turn: Turn, table: AnyTable) -> int | None:
    """Where the next worker is dropped; none before the pick-up."""
    if turn.reached is None:
        return None
    target = beside(turn.reached, turn.step)
    if target == turn.origin and table.reading("sow_origin") == "skip":
        return beside(target, turn.step)
    return target


def start_turn(state: Tableau, seat: str) -> Tableau:
    """Begin a turn: a turn begun too early goes on, and so do workers left in hand, no turn."""
    begun, last = {**state.begun}, state.turn
    if last.hand:
        begun[state.active] = Turn(reached=last.reached, step=last.step, hand=last.hand)
    return evolve(
        state,
        phase="turn",
        active=seat,
        turn=begun.pop(seat, Turn()),
        begun=begun,
        turn_number=state.turn_number + 1,
    )


Decision = TypeVar("Decision", bound=Action)
Reducer = Callable[[Tableau, Decision, Rule], Tableau]


def in_own_turn(reducer: Reducer[Decision]) -> Reducer[Decision]:
    """Apply an action out of turn to that player's own turn; the active player's stays as it is.

    Whoever has no workers in hand can only have put down those of the active player.
    """

    @wraps(reducer)
    def heard(state: Tableau, action: Decision, rule: Rule) -> Tableau:
        seat = action.seat
        between = state.phase != "turn" and not isinstance(action, Ability)
        if between or seat == state.active:
            return reducer(state, action, rule)
        if isinstance(action, TakeWorkers) and (lost := lost_unsaid(state, rule)) is not None:
            return lost
        begun = state.begun.get(seat, Turn())
        if isinstance(action, DropWorker | Build) and not begun.hand:
            return reducer(state, action, rule)
        after = reducer(evolve(state, phase="turn", active=seat, turn=begun), action, rule)
        own = after.turn
        if own.ability_used and own.origin is None and rule.reading("early_ability") == "extra":
            own = evolve(own, ability_used=begun.ability_used)
        return evolve(
            after,
            phase=state.phase,
            active=state.active,
            turn=state.turn,
            begun={**state.begun, seat: own},
        )

    return heard


def check_character(state: Tableau, seat: str, ability: str, rule: Rule) -> None:
    """The ability is that of the player's character, and was not used in this turn."""
    character = state.players[seat].character
    rule("BTW-ABIL-1", character == ability, character=character, ability=ability)
    facts: dict[str, object] = {"seat": seat, "character": character}
    if state.turn.ability_used and (entries := entries_about(state, ability_of(seat))):
        facts["entry"] = entries[-1]
    rule("BTW-TURN-5", not state.turn.ability_used, **facts)


def spy_within_reach(state: Tableau) -> int | None:
    """The machine of the last drop, if a spy there can be uncovered now."""
    turn = state.turn
    if turn.built or turn.uncovered or turn.last_drop is None:
        return None
    return turn.last_drop if state.machines[turn.last_drop].spies else None


def without(workers: str, gone: str) -> str:
    for worker in gone:
        workers = workers.replace(worker, "", 1)
    return workers


# moving workers


@rules.hears(TakeWorkers)
@in_own_turn
def take(state: Tableau, action: TakeWorkers, rule: Rule) -> Tableau:
    if state.phase != "turn":
        state = start_turn(_passed_over(state, rule), action.seat)
    turn, number = state.turn, action.machine
    here = state.machines[number].workers
    rule("BTW-TURN-2", turn.origin is None, origin=turn.origin)
    rule("BTW-MOVE-2", here, machine=number)
    rule("BTW-MOVE-1", action.hand in ("", here), machine=number, there=names(here))
    rule.heard_out()
    taken = "".join(part(Bag(here), action.hand)[0]) if action.hand else here
    turn = evolve(
        turn,
        origin=number,
        reached=number,
        step=1 if action.direction == "cw" else -1,
        hand=line_up(turn.hand + taken),
        last_drop=None,
        window=None,
    )
    machines = machines_with(state, number, workers=without(here, taken))
    touched = workers_at(number)
    return touch(state, rule.number, touched, machines=machines, turn=turn)


def _passed_over(state: Tableau, rule: Rule) -> Tableau:
    """Somebody goes on although something was to be placed: it stays owed, that of set-up not."""
    if state.in_setup:
        tokens = state.placement.left
        if tokens:
            rule.warn("set_up_short", count=tokens)
        return state
    if state.phase == "turn_end":
        state = begin_placement(state, rule)
    if state.phase == "placing":
        state = spy_comes(state, rule)
    tokens, spies = state.missed
    if tokens:
        rule.warn("tokens_owed", count=tokens)
    if spies:
        rule.warn("spy_owed", count=spies)
    return state


@rules.hears(DropWorker)
@in_own_turn
def drop(state: Tableau, action: DropWorker, rule: Rule) -> Tableau:
    turn, worker = state.turn, action.worker
    in_hand = worker in turn.hand
    rule("BTW-MOVE-6", in_hand, worker=WORKER_NAMES[worker], hand=names(turn.hand))
    target = next_machine(turn, rule)
    _check_target(turn, action.at, target, rule)
    if action.at is not None:
        target = action.at
    if target is None or not in_hand:
        return touch(state, rule.number)
    hand = without(turn.hand, worker)
    workers = line_up(state.machines[target].workers + worker)
    active = workers.count(worker)
    all_active = rule.effect(
        "BTW-FIX-2", True, machine=target, type=TYPE_NAMES[worker], workers=active
    )
    turn = evolve(
        turn,
        reached=target,
        hand=hand,
        last_drop=None if hand else target,
        window=Window(target, worker, active if all_active else 1),
    )
    machines = machines_with(state, target, workers=workers)
    touched = workers_at(target)
    return touch(state, rule.number, touched, machines=machines, turn=turn)


def _check_target(turn: Turn, at: int | None, target: int | None, rule: Rule) -> None:
    """Where the worker belongs, and where the table says that it has put it."""
    if turn.reached is None:
        return
    facts = {"at": at, "target": target}
    onward, right = beside(turn.reached, turn.step), at in (None, target)
    rule("BTW-MOVE-3", right or at != beside(turn.reached, -turn.step), **facts)
    if onward == turn.origin:
        rule("BTW-MOVE-9", right or at not in (onward, beside(onward, turn.step)), **facts)
    rule("BTW-MOVE-5", right, **facts)


def names(workers: str) -> tuple[str, ...]:
    return tuple(WORKER_NAMES[worker] for worker in workers)


# fixing malfunctions

_NOTHING_TO_FIX = {
    "not_dropped": "BTW-FIX-7",
    "other_action": "BTW-FIX-7",
    "built": "BTW-FIX-12",
    "harris": "BTW-HAR-4",
    "uncovered": "BTW-UNC-8",
}
"""The clause that a fix breaks when nobody is active any more."""


@rules.hears(FixMalfunctions)
@in_own_turn
def fix(state: Tableau, action: FixMalfunctions, rule: Rule) -> Tableau:
    turn, seat = state.turn, action.seat
    window = turn.window
    closed = "BTW-FIX-7" if window is not None else _NOTHING_TO_FIX[turn.closed]
    late = action.tokens if turn.closed != "not_dropped" else ()
    rule(closed, window is not None, tokens=action.tokens, late=late)
    if window is not None:
        _check_fixable(state, window, action.tokens, rule)
        left = max(0, window.left - len(action.tokens))
        state = evolve(state, turn=evolve(turn, window=evolve(window, left=left)))
    for token in action.tokens:
        state = _fix_one(state, token, window, seat, rule)
    return state


def _check_fixable(state: Tableau, window: Window, tokens: tuple[str, ...], rule: Rule) -> None:
    machine = state.machines[window.machine]
    facts = {"tokens": tokens, "machine": window.machine}
    here = machine.tokens.holds(tokens)
    rule("BTW-FIX-11", here or _on_board(state).holds(tokens), **facts)
    missing = tuple(Bag(tokens).minus(machine.tokens).elements())
    if not rule.broken("BTW-FIX-11", since="1.3"):
        rule("BTW-FIX-5", here, **{**facts, "tokens": missing})
    elsewhere = missing if rule.broken("BTW-FIX-5", "BTW-FIX-11", since="1.3") else ()
    for token in tokens:
        if token in elsewhere:
            continue
        fitting = token[0] == window.type
        idle = not fitting and token[0] in machine.workers
        clause = "BTW-FIX-4" if idle else "BTW-FIX-1"
        rule(clause, fitting, token=token, worker=WORKER_NAMES[window.type])
    rule("BTW-FIX-3", len(tokens) <= window.left, **facts, left=window.left)


def _on_board(state: Tableau) -> Bag[str]:
    return Bag(token for m in state.machines.values() for token in m.tokens.elements())


def _fix_one(state: Tableau, token: str, window: Window | None, seat: str, rule: Rule) -> Tableau:
    """The token becomes knowledge; the one at the machine of the drop, if it lies there."""
    where = [number for number, machine in state.machines.items() if token in machine.tokens]
    if not where:
        return state
    number = window.machine if window is not None and window.machine in where else where[0]
    tokens = state.machines[number].tokens.take(token)
    state = with_machine(state, number, tokens=tokens)
    if rule.effect("BTW-FIX-8", True, seat=seat, token=token):
        state = learn(state, seat, token, tokens_at(number), rule)
    else:
        state = throw_away(state, token, tokens_at(number), rule)
    return check_recovery(state, number, rule)


# the end of the turn


def _has_ended(state: Tableau, seat: str) -> bool:
    """Whether an end can only confirm what has happened: nobody owes a discard before it."""
    return state.owed is None and state.active != seat


rules.ends_unsaid(
    EndTurn,
    "BTW-TURN-9",
    reading="turn_end",
    value="silence",
    over=_has_ended,
    afterwards=(DiscardKnowledge,),
)


@rules.hears(EndTurn)
@in_own_turn
def end_turn(state: Tableau, action: EndTurn, rule: Rule) -> Tableau:
    rule("BTW-TURN-2", state.turn.origin is not None, origin=None)
    rule("BTW-MOVE-7", not state.turn.hand, hand=names(state.turn.hand))
    if state.phase != "turn":
        return touch(state, rule.number)
    if any(clause == "BTW-TURN-9" for clause, *_ in rule.asked):
        _give_up(state, rule)
    return close_turn(touch(state, rule.number), rule)


def _give_up(state: Tableau, rule: Rule) -> None:
    """Name what could still have been done in a turn that nobody has ended aloud."""
    turn = state.turn
    if turn.window is not None and turn.window.left:
        machine, kind = turn.window.machine, turn.window.type
        tokens = [token for token in state.machines[machine].tokens if token[0] == kind]
        rule.effect("BTW-FIX-7", tokens, machine=machine, tokens=tokens)
    number = spy_within_reach(state)
    if number is not None:
        spy = state.machines[number].spies[0]
        held = {token[0] for token in state.players[state.active].knowledge}
        rule.effect("BTW-UNC-7", {*rule.kit.icons[spy]} <= held, spy=spy, machine=number)
