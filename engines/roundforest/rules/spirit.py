"""Rencontrer l'esprit de la forêt, fin du jeu."""

from __future__ import annotations

from engines.kernel import Duty, Hearing, RuleContext, evolve, next_seat, with_player
from engines.roundforest.actions import PlaceSpirit
from engines.roundforest.kit import CHIPS, OBJECTS, Box
from engines.roundforest.rules.book import nobody_owes, rules
from engines.roundforest.rules.garnishing import lay
from engines.roundforest.state import (
    Player,
    Tableau,
    clear_content,
    into_bag,
    out_of_deck,
)


def is_qualified(player: Player, kit: Box) -> bool:
    """Three apples and no debt: the spirit may be met."""
    return player.apples >= kit.services.spirit_wants and not player.debts


def qualified_seats(state: Tableau, kit: Box) -> tuple[str, ...]:
    return tuple(seat for seat in state.seats if is_qualified(state.players[seat], kit))


# the spirit appears


def spirit_is_due(state: Tableau, table: RuleContext[Box]) -> bool:
    """Whoever could win must be given a spirit to go to."""
    if not qualified_seats(state, table.kit) or state.forest.spirit_appeared:
        return False
    return "spirit" not in state.cards.unanswered and bool(spirit_targets(state, table)[1])


def call_spirit(state: Tableau, rule: Hearing[Box], *, at_turn_end: bool = False) -> Tableau:
    """The left neighbour places the spirit before anything else happens."""
    if not spirit_is_due(state, rule):
        return state
    if not at_turn_end and rule.reading("spirit_timing") == "end_of_turn":
        return state
    duty = Duty("spirit", placing_seat(state, rule.kit))
    return evolve(state, agenda=state.agenda.push(duty))


def placing_seat(state: Tableau, kit: Box) -> str:
    """The left neighbour of the qualified player; of the active one if there are several."""
    seats = qualified_seats(state, kit)
    return next_seat(state.seats, seats[0] if len(seats) == 1 else state.turn.seat)


def spirit_targets(state: Tableau, table: RuleContext[Box]) -> tuple[str, tuple[str, ...]]:
    """On what the spirit appears now, and the cells: red, blue, yellow chips, then objects."""
    under_pawns = table.reading("spirit_under_pawn") == "allow"
    open_cells = {
        cell: thing
        for cell, thing in state.forest.contents.items()
        if under_pawns or state.pawn_on(cell) is None
    }
    for colour in ("red", "blue", "yellow"):
        cells = tuple(cell for cell, thing in open_cells.items() if thing == colour)
        if cells:
            return colour, cells
    return "object", tuple(cell for cell, thing in open_cells.items() if thing in OBJECTS)


@rules.hears(PlaceSpirit)
def place_spirit(state: Tableau, action: PlaceSpirit, rule: Hearing[Box]) -> Tableau:
    sort, cells = spirit_targets(state, rule)
    clause = "RND-SPI-3" if sort == "red" else "RND-SPI-4"
    rule(clause, action.cell in cells, cell=action.cell, cells=cells, on=sort)
    if "spirit" in state.cards.unanswered:
        return state
    for cell, thing in state.forest.contents.items():
        if thing == "spirit":
            state = clear_content(state, cell)
    under = state.forest.contents.get(action.cell)
    if under in OBJECTS:
        state = into_bag(clear_content(state, action.cell), under)
    state = lay(state, action.cell, "spirit", rule)
    rule.effect("RND-SPI-5", under in CHIPS, cell=action.cell, chip=under)
    cards = state.cards
    if "spirit" in cards.deck and rule.reading("spirit_card") == "leaves":
        cards = out_of_deck(cards, "spirit")
        state = evolve(state, cards=evolve(cards, face_up=(*cards.face_up, "spirit")))
    return state


@rules.reconsiders("spirit")
def nowhere_to_appear(state: Tableau, duty: Duty, rule: Hearing[Box]) -> Tableau:
    return state if spirit_is_due(state, rule) else nobody_owes(state)


# the end


def reaches_spirit(state: Tableau, seat: str, rule: Hearing[Box]) -> bool:
    """A qualified pawn on the spirit's tile."""
    there = state.here(seat) == "spirit" and is_qualified(state.players[seat], rule.kit)
    return there and rule.effect("RND-END-1", True, seat=seat)


def win(state: Tableau, seat: str, rule: Hearing[Box]) -> Tableau:
    """Three apples for the ring; the game is over."""
    apples = min(rule.kit.services.spirit_wants, state.players[seat].apples)
    state = with_player(state, seat, apples=state.players[seat].apples - apples)
    supply = evolve(state.supply, apples=state.supply.apples + apples)
    return evolve(state, supply=supply, winner=seat, agenda=state.agenda.clear())
