"""Déroulement du jeu: the end of a turn and the next player."""

from __future__ import annotations

from engines.kernel import Agenda, Hearing, Step, evolve, next_seat
from engines.roundforest.actions import End
from engines.roundforest.kit import Box
from engines.roundforest.rules.blocking import can_block, can_unblock
from engines.roundforest.rules.book import TURN_END, may_use_blockers, phase, rules
from engines.roundforest.rules.chest import can_open
from engines.roundforest.rules.moving import nothing_pending, tell_forgone
from engines.roundforest.rules.objects import can_change_coin
from engines.roundforest.rules.spirit import call_spirit, spirit_is_due
from engines.roundforest.state import Tableau, Turn, without


@rules.derives("turn_end")
def turn_end(state: Tableau, rule: Hearing[Box]) -> Tableau:
    """The turn passes by itself unless something could still be done in it."""
    if spirit_is_due(state, rule):
        return call_spirit(evolve(state, agenda=TURN_END), rule, at_turn_end=True)
    if something_left(state, rule):
        return evolve(state, agenda=TURN_END.push(phase(state, "end", rule)))
    return next_turn(state, rule)


def something_left(state: Tableau, rule: Hearing[Box]) -> bool:
    seat = state.turn.seat
    if can_open(state, seat):
        return True
    if may_use_blockers(state, state.turn, "end", rule) and (
        can_block(state, seat, rule) or can_unblock(state, seat, rule)
    ):
        return True
    return can_change_coin(state, seat, rule)


def next_turn(state: Tableau, rule: Hearing[Box]) -> Tableau:
    """Clockwise to the next player who has not played already, out of turn."""
    seat, ahead = state.turn.resumes or next_seat(state.seats, state.turn.seat), state.ahead
    while seat in ahead:
        ahead, after = without(ahead, seat), next_seat(state.seats, seat)
        rule.effect("RND-SET-16", True, seat=seat, turn=after)
        seat = after
    turn = Turn(seat)
    agenda = TURN_END.push(phase(state, "turn", rule, turn))
    return evolve(state, turn=turn, last=state.turn, ahead=ahead, agenda=agenda)


rules.ends_unsaid(
    End,
    "RND-TURN-8",
    reading="turn_end",
    value="silence",
    over=lambda state, seat: state.turn.seat != seat,
)


@rules.hears(End)
def end_turn(state: Tableau, action: End, rule: Hearing[Box]) -> Tableau:
    if action.seat != state.turn.seat and rule.since("1.4"):
        return state  # nobody ends another's turn
    tell_forgone(state, rule)
    return evolve(nothing_pending(state), agenda=Agenda().push(Step("next_turn")))


rules.derives("next_turn")(next_turn)
