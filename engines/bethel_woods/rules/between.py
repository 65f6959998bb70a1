"""The end of a turn and the placement after it: how much is due, and what loses the game."""

from __future__ import annotations

from typing import NamedTuple

from engines.bethel_woods.rules.book import Rule
from engines.bethel_woods.rules.knowledge import force_discards, knowledge_limit
from engines.bethel_woods.rules.supply import datum, is_short
from engines.bethel_woods.state import Forcing, Placement, Tableau
from engines.kernel import Hearing, Point, evolve


def close_turn(state: Tableau, rule: Rule) -> Tableau:
    """The active player's turn is over; what is above the limit is owed first."""
    why: Forcing = "BTW-CAP-2" if state.tile_is_up("cap") else "BTW-KNOW-3"
    ended = evolve(state, phase="turn_end")
    return force_discards(ended, (state.active,), knowledge_limit(state, rule), why, rule)


def begin_placement(state: Tableau, rule: Rule) -> Tableau:
    """Lose with too many critical machines, or find out how many malfunctions come."""
    if loses_by_critical(state, "before_placement", rule):
        return evolve(state, outcome="lost_critical")
    due = rule.kit.numbers.malfunctions_per_turn
    extra = state.tile_is_up("extra")
    if extra and rule.effect("BTW-EXT-1", True, due=due + 1):
        due += 1
    late, late_spies = state.missed
    placement = Placement(due + late, extra=extra, spies_due=late_spies)
    state = evolve(state, phase="placing", placement=placement)
    if state.turn.violet:
        state = placing_fewer(state, rule)
    if state.supply.count is not None:
        return state
    rule.claim("BTW-LOSE-1", due=state.placement.due, supply=None)
    return evolve(state, placement=evolve(state.placement, claimed=rule.number))


def placing_fewer(state: Tableau, rule: Rule) -> Tableau:
    """Violet's two are taken off what is still to come, though she says so late."""
    placement = state.placement
    fewer = max(placement.placed, placement.due - 2)
    if not rule.effect("BTW-VIO-3", True, due=fewer):
        return state
    return evolve(state, placement=evolve(placement, due=fewer))


def spy_comes(state: Tableau, rule: Rule) -> Tableau:
    """A spy is due where a machine has become critical."""
    placement = state.placement
    due = int(placement.new_critical and rule.effect("BTW-SPY-1", True))
    return evolve(state, placement=evolve(placement, spies_due=placement.spies_due + due))


def loses_by_critical(state: Tableau, moment: str, rule: Rule) -> bool:
    """Whether the game is lost, if this is the moment at which critical machines count."""
    if rule.reading("four_critical_check") != moment:
        return False
    critical = state.critical
    too_many = len(critical) >= rule.kit.numbers.critical_machines_lose
    return too_many and rule.effect("BTW-LOSE-2", True, critical=critical)


def loses_by_supply(state: Tableau, rule: Rule) -> bool:
    """Whether fewer malfunctions are left than the placement under way still needs."""
    left = state.placement.left
    if not left or not is_short(state, 1 if rule.reading("supply_loss") == "cannot_draw" else left):
        return False
    facts = {"due": left, "supply": state.supply.count, "datum": datum(rule.kit)}
    return rule.effect("BTW-LOSE-1", True, **facts)


class Ended(NamedTuple):
    """The table after the end of a turn, and the clause by which that end loses the game."""

    state: Tableau
    lost_by: Point | None


def ended_unsaid(state: Tableau, rule: Rule) -> Ended | None:
    """The table once somebody goes on where nothing but the end of the turn is left to say."""
    waits = state.owed is not None or state.unrevealed is not None
    if state.phase != "turn" or not state.turn.sown or waits:
        return None
    if rule.reading("turn_end") != "silence":
        return None
    trial = Hearing(rule.kit, rule.readings, aside=rule.aside)
    ended = close_turn(state, trial)
    if ended.owed is None:
        ended = begin_placement(ended, trial)
        if ended.outcome is None and loses_by_supply(ended, trial):
            ended = evolve(ended, outcome="lost_supply")
    return Ended(ended, None if ended.outcome is None else trial.verdict().effects[-1])


def lost_unsaid(state: Tableau, rule: Rule) -> Tableau | None:
    """The lost table, where the game is lost by an end that nobody says."""
    ended = ended_unsaid(state, rule)
    return None if ended is None or ended.lost_by is None else ended.state
