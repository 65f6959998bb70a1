"""What may not happen now, and the clause that says so."""

from __future__ import annotations

from engines.benevolent import actions as act
from engines.benevolent.rules.book import Rule, rules
from engines.benevolent.state import Tableau
from engines.kernel import Action, next_seat


@rules.not_now
def not_now(state: Tableau, action: Action, rule: Rule) -> bool:
    rule("BEN-END-5", not state.over, winner=state.winner)
    set_up = isinstance(action, act.Table | act.LayForest | act.LayPyramid | act.Position)
    there = {"laid": action.verb} if set_up else {}
    rule("BEN-SETUP-24", not set_up and state.phase != "setup", missing=missing(state), **there)
    seat, active = action.by, state.turn.active
    if seat not in (None, active):
        if state.phase == "after" and seat == next_seat(tuple(state.players), active):
            return _before_its_time(action, active, rule)
        clause = "BEN-SEC-6" if isinstance(action, act.Use) else "BEN-TURN-5"
        return rule(clause, False, seat=seat, active=active)
    if isinstance(action, act.Use | act.Again | act.End):
        return True
    if isinstance(action, act.PlaceStep):
        return rule("BEN-TURN-2", False, arrival=state.turn.arrival)
    return rule("BEN-TURN-1" if state.phase == "move" else "BEN-TURN-3", False)


def _before_its_time(action: Action, active: str, rule: Rule) -> bool:
    """The next player, while nothing is owed: with a step the turn would have passed."""
    if rule.reading("turn_end") != "silence":
        return rule("BEN-TURN-6", False, active=active)
    if isinstance(action, act.Use):
        return True  # whoever held it would have begun the turn with it
    if isinstance(action, act.End):
        return rule("BEN-TURN-4", False, owed="move")
    if isinstance(action, act.Again):
        return rule("BEN-TURN-5", False, seat=action.by, active=active)
    return rule("BEN-TURN-1", False)


def missing(state: Tableau) -> list[str]:
    """What the set-up still lacks."""
    return [duty.kind for duty in state.agenda.duties if duty.kind in ("forest", "pyramid")]
