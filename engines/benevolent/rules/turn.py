"""Jouer à Benevolent: whose turn it is, and what it still owes."""

from __future__ import annotations

from functools import cache

from engines.benevolent.actions import End
from engines.benevolent.rules.book import TURN, Rule, rules
from engines.benevolent.rules.repeats import can_repeat, kind_of
from engines.benevolent.state import Player, Tableau, Turn
from engines.kernel import Agenda, Duty, Group, Step, evolve, next_seat


@rules.derives("move")
def owe_move(state: Tableau, rule: Rule) -> Tableau:
    return evolve(state, agenda=state.agenda.push(owed("move", state.turn, state.active)))


@rules.derives("action")
def owe_action(state: Tableau, rule: Rule) -> Tableau:
    if "acted" in state.turn.done:
        return state
    return evolve(state, agenda=state.agenda.push(owed("action", state.turn, state.active)))


@rules.reconsiders("move", "action")
def reconsider(state: Tableau, duty: Duty, rule: Rule) -> Tableau:
    """A secret that came before its time may be used as soon as it is there."""
    due = owed(duty.kind, state.turn, state.active)
    if due == state.agenda.duties or not rule.since("1.4"):
        return state
    return evolve(state, agenda=state.agenda.pop().push(due))


def owed(phase: str, turn: Turn, active: Player) -> Group:
    """Beside what is owed, secrets may be used at any time of the player's own turn."""
    return _owed(phase, turn.active, bool(active.ephemeral or turn.repeats))


@cache
def _owed(phase: str, seat: str, secrets: bool) -> Group:
    beside = (Duty("secret", seat, times=None, optional=True),) if secrets else ()
    return Group(Duty(phase, seat), *beside)


@rules.derives("after")
def end_of_turn(state: Tableau, rule: Rule) -> Tableau:
    if may_go_on(state, rule):
        after = Duty("after", state.turn.active)
        return evolve(state, agenda=state.agenda.push(after, Step("after")))
    return pass_turn(state, rule)


@rules.reconsiders("after")
def nothing_left(state: Tableau, duty: Duty, rule: Rule) -> Tableau:
    """What could be done once more may have lapsed by a deed that stands."""
    if may_go_on(state, rule) or not rule.since("1.4"):
        return state
    return evolve(state, agenda=state.agenda.pop())


def may_go_on(state: Tableau, rule: Rule) -> bool:
    """Whether the turn waits for somebody to say that it is over."""
    more = state.active.ephemeral or can_repeat(state, state.turn.active, rule)
    return bool(more) or rule.reading("turn_end") == "explicit"


rules.ends_unsaid(
    End,
    "BEN-TURN-9",
    reading="turn_end",
    value="silence",
    gives_up=lambda state: tuple(dict.fromkeys(map(kind_of, state.turn.repeats))),
)


@rules.hears(End)
def end_turn(state: Tableau, action: End, rule: Rule) -> Tableau:
    if action.seat != state.turn.active:
        return state
    rule("BEN-TURN-4", state.phase is None, owed=state.phase)
    return pass_turn(state, rule)


def pass_turn(state: Tableau, rule: Rule) -> Tableau:
    seat = state.turn.active
    following = next_seat(tuple(state.players), seat)
    if rule.effect("BEN-TURN-7", True, next=following):
        seat = following
    begun = {**state.begun}
    early = begun.pop(seat, NOTHING_YET)
    turn = Turn(state.turn.number + 1, seat, early.arrival, done=early.done)
    move = () if early.arrival else (owed("move", turn, state.players[seat]),)
    return evolve(state, turn=turn, begun=begun, agenda=Agenda().push(*move, *TURN[1:]))


NOTHING_YET = Turn(0, "")
"""Of a turn that nobody has begun before its time."""
