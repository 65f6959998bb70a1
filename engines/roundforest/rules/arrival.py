"""Exécuter une action: what lies on the tile reached decides."""

from __future__ import annotations

from engines.kernel import Hearing, Step, evolve
from engines.roundforest.kit import CHARACTERS, CHIPS, OBJECTS, Box
from engines.roundforest.rules.book import phase, rules
from engines.roundforest.rules.characters import can_use
from engines.roundforest.state import Tableau, change_turn, clear_content, set_aside


@rules.derives("arrive")
def arrive(state: Tableau, rule: Hearing[Box]) -> Tableau:
    return _act_on_tile(state, rule, at_well=True)


@rules.derives("arrive_riding")
def arrive_riding(state: Tableau, rule: Hearing[Box]) -> Tableau:
    """The action that a saddle allows after a ride."""
    return _act_on_tile(state, rule, at_well=rule.reading("saddle_at_well") == "yes")


def _act_on_tile(state: Tableau, rule: Hearing[Box], *, at_well: bool) -> Tableau:
    cell = state.players[state.turn.seat].pos
    if cell is None:
        return state
    if state.forest.tiles[cell].well and at_well:
        state = evolve(state, agenda=state.agenda.push(Step("exchange")))
    thing = state.forest.contents.get(cell)
    if thing in CHIPS:
        return _act_on_chip(state, cell, thing, rule)
    if thing in OBJECTS:
        rule("RND-OBJ-4", True, seat=state.turn.seat)
        return evolve(state, agenda=state.agenda.push(phase(state, "object", rule)))
    if thing in CHARACTERS - {"spirit"} and can_use(state, state.turn.seat, thing, rule):
        rule("RND-CHAR-15", True, seat=state.turn.seat)
        return evolve(state, agenda=state.agenda.push(phase(state, "character", rule)))
    return state


def _act_on_chip(state: Tableau, cell: str, chip: str, rule: Hearing[Box]) -> Tableau:
    is_kept = chip != "red" and rule.since("1.4")
    state = change_turn(clear_content(state, cell), chip=chip if is_kept else None)
    rule.effect("RND-CHIP-2", True, cell=cell, chip=chip)
    state = set_aside(state, chip)
    if chip == "red":
        if not state.cards.deck:
            return _skip(state, "RND-RED-3", rule)
        return evolve(state, agenda=state.agenda.push(phase(state, "meet", rule)))
    if state.bags.blue.size == 0:
        return _skip(state, "RND-BLUE-7" if chip == "blue" else "RND-YEL-9", rule)
    draw = phase(state, "draw", rule)
    then = Step("decide" if chip == "blue" else "lay_down")
    return evolve(state, agenda=state.agenda.push(draw, then))


def _skip(state: Tableau, clause: str, rule: Hearing[Box]) -> Tableau:
    """Nothing is left to draw: the action falls away."""
    rule.effect(clause, True)
    return change_turn(state, skipped=(*state.turn.skipped, clause))


@rules.derives("exchange")
def exchange(state: Tableau, rule: Hearing[Box]) -> Tableau:
    return evolve(state, agenda=state.agenda.push(phase(state, "well", rule)))
