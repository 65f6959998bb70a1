"""Between two turns: placing malfunctions, then perhaps a spy."""

from __future__ import annotations

from itertools import chain

from engines.bethel_woods.actions import DrawMalfunction, RevealSpy
from engines.bethel_woods.kit import RING
from engines.bethel_woods.rules.between import begin_placement, lost_unsaid, spy_comes
from engines.bethel_woods.rules.book import AnyTable, Rule, rules
from engines.bethel_woods.rules.critical import check_failure, lay_token
from engines.bethel_woods.rules.setup import draw_in_setup
from engines.bethel_woods.rules.supply import take_from_supply
from engines.bethel_woods.rules.turn import beside
from engines.bethel_woods.state import (
    Tableau,
    entries_about,
    touch,
    with_machine,
)
from engines.kernel import evolve

# placing malfunctions


@rules.hears(DrawMalfunction)
def draw(state: Tableau, action: DrawMalfunction, rule: Rule) -> Tableau:
    if state.in_setup:
        return draw_in_setup(state, action, rule)
    return _draw_in_play(state, action, rule)


def _draw_in_play(state: Tableau, action: DrawMalfunction, rule: Rule) -> Tableau:
    if (lost := lost_unsaid(state, rule)) is not None:
        return lost
    token, at = action.token, action.at
    place, clause = _place_of(state, token, rule)
    facts = {"token": token, "place": place, "at": at}
    rule("BTW-PLACE-6", at != "supply", **facts)
    rule(clause, at in (None, place), **facts)
    if at == "supply":
        return touch(state, rule.number)
    if at is not None:
        place = at
    supply = take_from_supply(state, token, rule)
    rule.heard_out()
    if state.phase == "turn_end":
        state = begin_placement(state, rule)
        if state.outcome is not None:
            return state
    placed = evolve(state.placement, placed=state.placement.placed + 1)
    state = evolve(state, placement=placed)
    was_critical = state.machines[place].up
    state = lay_token(state, place, token, supply, rule)
    if not _brings_spy(state, place, was_critical, rule):
        return state
    first = not state.placement.new_critical
    state = evolve(state, placement=evolve(state.placement, new_critical=True))
    return spy_comes(state, rule) if first and state.phase == "turn" else state


def _brings_spy(state: Tableau, place: int, was_critical: bool, table: AnyTable) -> bool:
    if was_critical:
        return table.reading("spy_trigger") == "any_token_on_critical"
    return state.machines[place].up


def _place_of(state: Tableau, token: str, rule: Rule) -> tuple[int, str]:
    """The machine at which a drawn token is laid, and the clause that says so."""
    own = int(token[1])
    tile = state.where_is("divert")
    if tile is None or not state.machines[tile].up:
        return own, "BTW-PLACE-3"
    scope = rule.reading("divert_scope")
    if scope == "own_first" and not state.machines[own].up:
        return own, "BTW-DIV-2"
    place = _first_sound(state, tile if scope == "from_tile" else own, rule)
    if place is None:
        rule.effect("BTW-DIV-6", True, token=token, machine=own)
        return own, "BTW-PLACE-3"
    diverted = rule.effect("BTW-DIV-1", True, token=token, place=place, at=None)
    return (place, "BTW-DIV-1") if diverted else (own, "BTW-PLACE-3")


def _first_sound(state: Tableau, start: int, table: AnyTable) -> int | None:
    """The first machine after this one that is not critical, going round."""
    step = 1 if table.reading("divert_direction") == "clockwise" else -1
    round_trip = [beside(start, step * away) for away in RING]
    return next((machine for machine in round_trip if not state.machines[machine].up), None)


# placing a spy


@rules.hears(RevealSpy)
def reveal_spy(state: Tableau, action: RevealSpy, rule: Rule) -> Tableau:
    if (lost := lost_unsaid(state, rule)) is not None:
        return lost
    spy, column = action.value, state.column
    facts = {"spy": spy, "possible": column.possible}
    if spy not in column.possible and (seen := _contradicted_by(state, spy)):
        rule.proves("BTW-SPY-8", *seen, rule.number, **facts)
    rule("BTW-SPY-8", spy in column.possible, **facts)
    rule("BTW-SPY-4", action.at in (None, spy), spy=spy, at=action.at)
    placement = evolve(state.placement, spies=state.placement.spies + 1)
    state = evolve(state, placement=placement)
    if spy not in column.unseen and spy not in column.seen:
        return touch(state, rule.number, f"spy {spy}")
    column = evolve(
        column,
        unseen=tuple(other for other in column.unseen if other != spy),
        returned=tuple(other for other in column.returned if other != spy),
        on_top=tuple(other for other in column.on_top if other != spy),
    )
    number = action.at or spy
    state = with_machine(state, number, spies=(*state.machines[number].spies, spy))
    state = touch(state, rule.number, f"spy {spy}", column=column)
    all_spies = len(state.spies) >= rule.kit.numbers.spies_lose
    if all_spies and rule.effect("BTW-LOSE-4", True, spies=len(state.spies)):
        return evolve(state, outcome="lost_spies")
    return _spy_weakens(state, number, rule)


def _contradicted_by(state: Tableau, spy: int) -> tuple[int, ...]:
    """The entries that cannot be true if this spy lies on top of the column now."""
    seen = entries_about(state, f"spy {spy}")
    if spy in state.spies:
        return seen[-1:]
    column = state.column
    older = column.on_top[:1] or (() if column.unseen else column.returned[:1])
    of_the_oldest = (entries_about(state, f"spy {other}")[-1:] for other in older)
    return tuple(sorted({*seen[-2:], *chain.from_iterable(of_the_oldest)}))


def _spy_weakens(state: Tableau, number: int, rule: Rule) -> Tableau:
    was_critical = state.machines[number].up
    state = check_failure(state, number, rule)
    if was_critical or not state.machines[number].up:
        return state
    placement = evolve(state.placement, spy_made_critical=True)
    if rule.reading("spy_chain") == "yes":
        placement = evolve(placement, spies_due=placement.spies_due + 1)
    return evolve(state, placement=placement)
