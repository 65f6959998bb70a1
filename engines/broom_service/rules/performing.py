"""How a laid card is performed: its permissions, its alternatives, its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from engines.broom_service.actions import End, Role
from engines.broom_service.kit import Box
from engines.broom_service.rules.book import (
    Rule,
    card_duties,
    close_action,
    closed_of,
    has_spent,
    owns_set,
    permitted,
    rules,
)
from engines.broom_service.rules.clouds import possible_chases
from engines.broom_service.rules.roles import possible_deliveries, possible_moves
from engines.broom_service.rules.tiles import usable
from engines.broom_service.state import Closed, Deed, Tableau, Turn, Untimely, deed_of
from engines.kernel import Agenda, Duty, Group, RuleContext, Step, evolve

ALTERNATIVES = ("black_market", "secret_distillery")
"""Events that offer something instead of a cowardly action."""


def perform(
    state: Tableau, turn: Turn, seat: str, role: Role, brave: bool, then: str, rule: Rule
) -> Tableau:
    """Opens the action of a card; the step named follows when it has ended."""
    done = turn.untimely_of(seat)
    if done is not None and rule.effect("BRM-ACT-7", True, seat=seat, role=role):
        return settle_action(_gone_on_with(state, turn, done, role, brave, then), rule)
    event = not brave and state.round.event in ALTERNATIVES
    held = state.players[seat].hoard.tiles
    tiles = not brave and any(own.tile != "plusone" and usable(state, own, rule) for own in held)
    instead = ("take",) * event + ("use",) * tiles
    performing = evolve(
        state,
        turn=evolve(turn, deed=Deed(seat, role, brave)),
        agenda=_performance(rule.kit.roles[role].kind, seat, instead, then),
    )
    settled = settle_action(performing, rule)
    rule.effect("BRM-ACT-1", settled.turn.deed is None, seat=seat, role=role)
    return settled


@cache
def _performance(kind: str, seat: str, instead: tuple[str, ...], then: str) -> Agenda:
    return Agenda((Step(then), card_duties(kind, seat, instead)))


def _gone_on_with(
    state: Tableau, turn: Turn, done: Untimely, role: Role, brave: bool, then: str
) -> Tableau:
    """A card that was begun before it was due: only what is left of it may be done."""
    seat = done.deed.seat
    witch = has_spent(done.deed, "move", "role")
    left = [
        duty
        for duty in done.duties
        if duty.kind != "end"
        and not (witch and not brave and (duty.kind, duty.why) == ("deliver", "role"))
    ]
    deed = evolve(done.deed, role=role, brave=brave)
    return evolve(
        state,
        turn=evolve(turn, deed=deed, untimely=turn.without_untimely(seat)),
        agenda=Agenda((Step(then), Group(*left, Duty("end", seat, None)))),
    )


@rules.derives("settle")
def settle_action(state: Tableau, rule: Rule) -> Tableau:
    """An action ends by itself when nothing of it can be done any more."""
    deed = state.turn.deed
    if deed is None:
        return state
    duties = state.agenda.duties
    if any(can_exercise(state, deed.seat, duty, rule) for duty in duties):
        return state
    return evolve(close_action(state), closed=Closed(deed, state.turn, duties))


def can_exercise(state: Tableau, seat: str, duty: Duty, table: RuleContext[Box]) -> bool:
    if duty.kind in _POSSIBLE:
        return next(_POSSIBLE[duty.kind](state, seat, duty, table), None) is not None
    if duty.kind == "take":
        return may_take_event(state, seat, table)
    return duty.kind != "end"


_POSSIBLE: dict[str, Callable[[Tableau, str, Duty, RuleContext[Box]], Iterator[object]]] = {
    "move": possible_moves,
    "deliver": possible_deliveries,
    "chase": possible_chases,
}


def may_take_event(state: Tableau, seat: str, table: RuleContext[Box]) -> bool:
    """Whether the event may replace the action, even an impossible one."""
    if table.reading("event_if_impossible") == "yes":
        return True
    own = ("gather", "move", "deliver", "chase")
    permits = [permit for kind in own for permit in permitted(state, kind, seat)]
    return any(can_exercise(state, seat, permit, table) for permit in permits)


rules.ends_unsaid(
    End,
    "BRM-TRN-21",
    reading="action_end",
    value="silence",
    in_silence=lambda state: evolve(state, closed=None),
)


@rules.hears(End)
def end(state: Tableau, action: End, rule: Rule) -> Tableau:
    """Gives up what is left of an action; at the end of a round, keeps a full set."""
    seat = action.seat
    deed = deed_of(state, seat)
    if deed is None:
        return _keep_set(state, seat, rule)
    due = state.agenda.duties
    possible = {duty.kind for duty in due if can_exercise(state, seat, duty, rule)}
    given_up = tuple(kind for kind in _GIVEN_UP if kind in possible)
    rule.effect("BRM-ACT-3", given_up, seat=seat, left=given_up)
    if has_spent(deed, "move", "tile"):
        steps = [permit for permit in permitted(state, "move", deed.seat) if permit.why == "tile"]
        left = any(can_exercise(state, seat, step, rule) for step in steps)
        part = rule.reading("partial_mountain") == "yes"
        rule("BRM-MTN-5", part or not left, seat=deed.seat)
    return close_action(state)


_GIVEN_UP = ("gather", "move", "deliver", "chase", "bonus")
"""What is named when it is left undone; events and forest tiles can still be used later."""


def _keep_set(state: Tableau, seat: str, rule: Rule) -> Tableau:
    """At the end of a round no set is handed in, unless this only repeats the end of an action.

    An action that has ended by itself may be ended aloud all the same: that costs nothing.
    """
    closing = state.round.event == "full_set" and Step("next_round") in state.agenda
    if not (closing and owns_set(state, seat, rule.kit)):
        return state
    if closed_of(state, seat) is None or rule.reading("repeated_end") == "declines":
        rule.effect("BRM-EVT-11", True, seat=seat, vp=rule.kit.events.full_set.vp)
        return state
    rule.effect("BRM-EVT-11", True, seat=seat)
    due = state.agenda.duties
    agenda = state.agenda.pop() if due else state.agenda
    return evolve(state, closed=None, agenda=agenda.push(Group(*due, Duty("set", seat))))
