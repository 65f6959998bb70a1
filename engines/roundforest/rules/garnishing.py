"""Garnir la tuile que tu viens de quitter: chips, the black bag, what lies on a tile."""

from __future__ import annotations

from engines.kernel import Bag, Duty, Group, Hearing, ParseError, Remark, evolve
from engines.roundforest.actions import Chip
from engines.roundforest.kit import CHIPS, Box
from engines.roundforest.rules.book import nobody_owes, phase, rules
from engines.roundforest.rules.setup import doubt_chip, in_set_up, lay_first_chip, tile_at
from engines.roundforest.state import Tableau, change_turn, clear_content, put_content, set_aside


def garnish(
    state: Tableau, left: str | None, rule: Hearing[Box], *, riding: bool = False
) -> tuple[Tableau, tuple[Group, ...]]:
    """The chip that is due on the tile left, or the clause by which none is."""
    clause = _no_chip(state, left, rule, riding)
    if riding:  # what was said of the tile left before holds no more
        before = state.turn.skipped
        state = change_turn(state, skipped=tuple(c for c in before if "-GARN-" not in c))
    if clause is not None or left is None:
        return change_turn(state, skipped=(*state.turn.skipped, clause)), ()
    under = state.forest.contents.get(left)
    if under is not None:
        state = rule.stage(set_aside(clear_content(state, left), under))
    if state.bags.black.size == 0:
        state = refill_black_bag(state, rule)
    if state.bags.black.size == 0:
        return state, ()
    return state, (phase(state, "garnish", rule),)


def _no_chip(state: Tableau, left: str | None, rule: Hearing[Box], riding: bool) -> str | None:
    if left is None:
        return "RND-GARN-3"
    thing = state.forest.contents.get(left)
    if thing is not None and thing not in CHIPS:
        return "RND-GARN-2"
    if state.forest.tiles[left].well and rule.reading("garnish_wells") == "no":
        return "RND-GARN-4"
    if thing in CHIPS and rule.reading("garnish_over_chip") == "none":
        return "RND-GARN-5"
    if riding and (state.pawn_on(left) or rule.reading("unicorn_garnish") == "no"):
        return "RND-GARN-6"
    return None


@rules.reconsiders("garnish")
def nothing_to_garnish_with(state: Tableau, duty: Duty, rule: Hearing[Box]) -> Tableau:
    if _no_chip(state, state.turn.left, rule, False):
        return nobody_owes(state)
    return state if state.bags.black.size else refill_black_bag(state, rule)


@rules.names_due("garnish")
def chip_due(state: Tableau) -> Remark:
    return Remark("garnish", {"left": state.turn.left})


@rules.hears(Chip)
def draw_chip(state: Tableau, action: Chip, rule: Hearing[Box]) -> Tableau:
    if in_set_up(state):
        return lay_first_chip(state, action, rule)
    left = state.turn.left
    if not rule.breaches:
        rule("RND-GARN-1", action.cell in (None, left), cell=action.cell, left=left)
    black, colour = state.bags.black, action.colour
    doubt = {} if black[colour] else doubt_chip(colour, rule.kit)
    rule("RND-GARN-7", black[colour] > 0, colour=colour, bag=dict(black), **doubt)
    cell = action.cell or left
    if cell is None:
        raise ParseError("say_cell")
    state = lay(state, cell, colour, rule)  # in the bag until the chip there has made room
    state = rule.stage(evolve(state, bags=evolve(state.bags, black=black.minus({colour: 1}))))
    due = state.bags.black.size == 0 and rule.reading("chip_refill") == "immediate"
    return refill_black_bag(state, rule) if due else state


def refill_black_bag(state: Tableau, rule: Hearing[Box]) -> Tableau:
    """All set-aside chips go back into the empty black bag: the tiles cannot carry them all."""
    aside = state.bags.aside
    if not rule.effect("RND-GARN-8", True, chips=dict(aside)):
        return state
    return rule.stage(evolve(state, bags=evolve(state.bags, black=aside, aside=Bag())))


def lay(state: Tableau, cell: str, thing: str, rule: Hearing[Box]) -> Tableau:
    """A tile carries one thing; a chip gives way and is set aside."""
    tile_at(state, cell)
    under = state.forest.contents.get(cell)
    rule("RND-CHIP-3", under is None or under in CHIPS, cell=cell, under=under)
    if under is not None:
        state = rule.stage(set_aside(clear_content(state, cell), under))
    return put_content(state, cell, thing)
