"""How a laid card is performed: its permissions, its alternatives, its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from engines.broom_service.actions import End, Role
from engines.broom_service.kit import Box
from engines.broom_service.rules.book import (
    Rule,
    close_action,
    has_spent,
    permission,
    permitted,
    rules,
)
from engines.broom_service.rules.clouds import possible_chases
from engines.broom_service.rules.roles import possible_deliveries, possible_moves
from engines.broom_service.rules.tiles import usable
from engines.broom_service.state import Closed, Deed, Tableau, Turn, deed_of
from engines.kernel import Agenda, Duty, Group, RuleContext, Step, evolve

ALTERNATIVES = ("black_market", "secret_distillery")
"""Events that offer something instead of a cowardly action."""


def perform(
    state: Tableau, turn: Turn, seat: str, role: Role, brave: bool, then: str, rule: Rule
) -> Tableau:
    """Opens the action of a card; the step named follows when it has ended."""
    event = not brave and state.round.event in ALTERNATIVES
    held = state.players[seat].hoard.tiles
    tiles = not brave and any(own.tile != "plusone" and usable(state, own, rule) for own in held)
    performing = evolve(
        state,
        turn=evolve(turn, deed=Deed(seat, role, brave)),
        agenda=_performance(rule.kit.roles[role].kind, seat, event, tiles, then),
    )
    settled = settle_action(performing, rule)
    rule.effect("BRM-ACT-1", settled.turn.deed is None, seat=seat, role=role)
    return settled


@cache
def _performance(kind: str, seat: str, event: bool, tiles: bool, then: str) -> Agenda:
    alternatives = {"take": event, "use": tiles}
    duties = (
        permission(_ALLOWED[kind], seat, "role"),
        *(Duty(name, seat, None, None, True) for name, offered in alternatives.items() if offered),
        Duty("end", seat, None),
    )
    return Agenda((Step(then), Group(*duties)))


_ALLOWED: dict[str, str] = {
    "gatherer": "gather",
    "witch": "move",
    "druid": "deliver",
    "fairy": "chase",
}
"""What a card allows at first; a brave witch delivers only after her move."""


@rules.derives("settle")
def settle_action(state: Tableau, rule: Rule) -> Tableau:
    """An action ends by itself when nothing of it can be done any more."""
    deed = state.turn.deed
    if deed is None or not state.agenda.owes("end", deed.seat):
        return state
    duties = state.agenda.duties
    if any(can_exercise(state, duty, rule) for duty in duties):
        return state
    return evolve(close_action(state), closed=Closed(deed, state.turn, duties))


def can_exercise(state: Tableau, duty: Duty, table: RuleContext[Box]) -> bool:
    if duty.kind in _POSSIBLE:
        return next(_POSSIBLE[duty.kind](state, duty, table), None) is not None
    if duty.kind == "take" and duty.seat is not None:
        return may_take_event(state, duty.seat, table)
    return duty.kind != "end"


_POSSIBLE: dict[str, Callable[[Tableau, Duty, RuleContext[Box]], Iterator[object]]] = {
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
    return any(can_exercise(state, permit, table) for permit in permits)


rules.ends_unsaid(End, "BRM-TRN-21", reading="action_end", value="silence")


@rules.hears(End)
def end(state: Tableau, action: End, rule: Rule) -> Tableau:
    """Gives up what is left of an action; at the end of a round, keeps a full set."""
    deed = deed_of(state, action.seat)
    if deed is None:
        return state
    if has_spent(deed, "move", "tile"):
        steps = [permit for permit in permitted(state, "move", deed.seat) if permit.why == "tile"]
        left = any(can_exercise(state, step, rule) for step in steps)
        part = rule.reading("partial_mountain") == "yes"
        rule("BRM-MTN-5", part or not left, seat=deed.seat)
    return close_action(state)
