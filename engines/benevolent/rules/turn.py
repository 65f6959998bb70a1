"""Jouer à Benevolent: whose turn it is, and what it still owes."""

from __future__ import annotations

from engines.benevolent.actions import (
    Again,
    End,
    LayForest,
    LayPyramid,
    OpenTable,
    Phase,
    PlaceStep,
    Position,
    Use,
)
from engines.benevolent.rules.book import TURN, Rule, rules
from engines.benevolent.rules.repeats import can_repeat
from engines.benevolent.state import Game, Player, Turn
from engines.kernel import Action, Agenda, Duty, Group, Step, evolve


@rules.derives("move")
def owe_move(state: Game, rule: Rule) -> Game:
    return evolve(state, agenda=state.agenda.push(owed("move", state.turn, state.active)))


@rules.derives("action")
def owe_action(state: Game, rule: Rule) -> Game:
    return evolve(state, agenda=state.agenda.push(owed("action", state.turn, state.active)))


def owed(phase: Phase, turn: Turn, active: Player) -> Group:
    """Beside what is owed, secrets may be used at any time of the own turn."""
    duty = Duty(phase, turn.active)
    if active.ephemeral or turn.repeats:
        return Group(duty, Duty("secret", turn.active, times=None, optional=True))
    return Group(duty)


@rules.derives("after")
def end_of_turn(state: Game, rule: Rule) -> Game:
    seat = state.turn.active
    more = state.active.ephemeral or can_repeat(state, seat, rule)
    if more or rule.reading("turn_end") == "explicit":
        return evolve(state, agenda=state.agenda.push(Duty("after", seat), Step("after")))
    return pass_turn(state, rule, ended=seat)


@rules.hears(End)
def end_turn(state: Game, action: End, rule: Rule) -> Game:
    if confirms(state, action):
        return evolve(state, turn=evolve(state.turn, ended=None))
    rule("BEN-TURN-4", state.phase is None, owed=state.phase)
    return pass_turn(state, rule)


def confirms(state: Game, action: Action) -> bool:
    """Whether an end only confirms that the turn before has ended by itself."""
    ended = state.turn.ended
    return isinstance(action, End) and ended is not None and action.by in (None, ended)


def pass_turn(state: Game, rule: Rule, ended: str | None = None) -> Game:
    seat = state.turn.active
    if rule.effect("BEN-TURN-7", True, next=state.after(seat)):
        seat = state.after(seat)
    turn = Turn(state.turn.number + 1, seat, ended=ended)
    move = owed("move", turn, state.players[seat])
    return evolve(state, turn=turn, agenda=Agenda().push(move, *TURN[1:]))


@rules.not_now
def not_now(state: Game, action: Action, rule: Rule) -> bool:
    rule("BEN-END-5", not state.over, winner=state.winner)
    set_up = isinstance(action, OpenTable | LayForest | LayPyramid | Position)
    rule("BEN-SETUP-24", not set_up and state.phase != "setup", missing=missing(state))
    active = state.turn.active
    seat = action.by or active
    if confirms(state, action):
        return True
    if seat != active:
        if state.phase == "after" and seat == state.after(active):
            return rule("BEN-TURN-6", False, active=active)
        clause = "BEN-SEC-6" if isinstance(action, Use) else "BEN-TURN-5"
        return rule(clause, False, seat=seat, active=active)
    if isinstance(action, Use | Again | End):
        return True
    if isinstance(action, PlaceStep):
        return rule("BEN-TURN-2", False, arrival=state.turn.arrival)
    return rule("BEN-TURN-1" if state.phase == "move" else "BEN-TURN-3", False)


def missing(state: Game) -> list[str]:
    """What the set-up still lacks."""
    return [duty.kind for duty in state.agenda.duties if duty.kind in ("forest", "pyramid")]
