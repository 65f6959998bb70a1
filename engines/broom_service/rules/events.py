"""Les événements: before, during and at the end of a round."""

from __future__ import annotations

from collections.abc import Mapping

from engines.broom_service import actions as act
from engines.broom_service.actions import RESOURCES, Resource
from engines.broom_service.kit import Box, Places, Ranking
from engines.broom_service.rules.book import (
    Rule,
    forget,
    gain,
    has_spent,
    in_own_action,
    kinds_due,
    owns_set,
    pay,
    rules,
    score,
    taken_instead,
    with_deed,
)
from engines.broom_service.rules.performing import ALTERNATIVES, may_take_event
from engines.broom_service.state import Tableau, card_of_turn, deed_of
from engines.kernel import Action, Duty, Group, ParseError, Step, evolve

# Plus ou moins ?


def score_hand_sizes(state: Tableau, rule: Rule) -> Tableau:
    if state.round.event != "more_or_less" or not rule.effect("BRM-EVT-2", True):
        return state
    worth = rule.kit.events.more_or_less.vp_by_count
    for seat in state.options.seats:
        hand = state.players[seat].hand
        revealed = hand.held - hand.extra
        state = score(state, seat, worth.get(revealed, 0))
    return state


# Marché noir, Distillerie clandestine


@rules.hears(act.TakeEvent)
@in_own_action
def take_event(state: Tableau, action: act.TakeEvent, rule: Rule) -> Tableau:
    """The gain of the event instead of a cowardly action."""
    seat, event = action.seat, state.round.event
    card, deed = card_of_turn(state, seat), deed_of(state, seat)
    clause = "BRM-EVT-4" if event == "secret_distillery" else "BRM-EVT-3"
    rule("BRM-EVT-1", event in ALTERNATIVES, event=event)
    coward = rule(clause, card is not None and card.mode == "coward", seat=seat)
    five = not rule("BRM-FOR-13", card is None or card.tile != "five", seat=seat)
    courage = card is not None and card.tile == "courage"
    both = courage and rule.reading("courage_excludes_event") == "no"
    fresh = deed is not None and not deed.begun and not has_spent(deed, "take", "event")
    tile = "courage" if courage and not both else None
    unable = fresh and not may_take_event(state, seat, rule)
    if coward and not five:
        facts = {"role": state.turn.led, "tile": tile, "unable": seat if unable else None}
        rule("BRM-EVT-5", fresh and not tile and not unable, seat=seat, **facts)
    state = _gain_of_event(state, seat, action, rule)
    if deed is None:
        return state
    if not both:
        return taken_instead(state, seat, "take.event")
    state = with_deed(state, spent=(*deed.spent, "take.event"))
    return evolve(state, agenda=forget(state.agenda, "take", seat))


def _gain_of_event(state: Tableau, seat: str, action: act.TakeEvent, rule: Rule) -> Tableau:
    if state.round.event != "secret_distillery":
        rule("BRM-EVT-3", action.resource is None, seat=seat, resource=action.resource)
        return score(state, seat, rule.kit.events.black_market.vp)
    offered = rule.kit.events.secret_distillery.any_of
    rule("BRM-EVT-4", action.resource in offered, seat=seat, resources=offered)
    return state if action.resource is None else gain(state, seat, action.resource)


# The end of a round


def end_of_round(state: Tableau, rule: Rule) -> Tableau:
    """Resolves the event of the round if it acts at its end."""
    event, kit = state.round.event, rule.kit
    if event is None or not rule.effect("BRM-END-2", kit.events.when(event) == "end", event=event):
        return state
    if event == "dangerous_places":
        return _score_places(state, "BRM-EVT-7", kit.events.dangerous_places, rule)
    if event == "protected_places":
        return _score_places(state, "BRM-EVT-8", kit.events.protected_places, rule)
    if event == "gathering":
        return _score_gathering(state, rule)
    if event == "empty_hands":
        return _score_empty_hands(state, rule)
    if event == "advantage":
        owners = [seat for seat in state.options.seats if state.players[seat].wealth]
        counts = {seat: state.players[seat].wealth for seat in state.options.seats}
        rule.effect("BRM-EVT-9", True, resources=counts)
        state = evolve(state, agenda=state.agenda.push(Step("compare_fists")))
        return _ask(state, "fist", owners)
    if event == "full_set":
        return _ask(state, "set", [s for s in state.options.seats if owns_set(state, s, kit)])
    return state


def _ask(state: Tableau, kind: str, seats: list[str]) -> Tableau:
    if not seats:
        return state
    asked = Group(*(Duty(kind, seat) for seat in seats))
    return evolve(state, agenda=state.agenda.push(asked))


# Lieux dangereux, Lieux protégés, Rassemblement


def _score_places(state: Tableau, clause: str, places: Places, rule: Rule) -> Tableau:
    side = state.side(rule.kit)
    terrains: dict[str, dict[str, int]] = {}
    for seat, player in state.players.items():
        found = [side.terrain(region) for region in player.pawns.values()]
        counted = {
            kind: 1 if places.count == "per_terrain" else found.count(kind) for kind in found
        }
        terrains[seat] = {kind: n * places.vp.get(kind, 0) for kind, n in counted.items()}
    if rule.effect(clause, True, terrains=terrains):
        for seat, points in terrains.items():
            state = score(state, seat, sum(points.values()))
    return state


def _score_gathering(state: Tableau, rule: Rule) -> Tableau:
    side, vp = state.side(rule.kit), rule.kit.events.gathering.vp
    for seat, player in state.players.items():
        terrains = {side.terrain(region) for region in player.pawns.values()}
        if rule.effect("BRM-EVT-12", len(terrains) == 1, seat=seat, vp=vp):
            state = score(state, seat, vp)
    return state


# L'avantage, Les mains vides


@rules.hears(act.Announce)
def announce(state: Tableau, action: act.Announce, rule: Rule) -> Tableau:
    """Everybody knows the numbers anyway; who says a wrong one can be told so."""
    seat, event = action.seat, state.round.event
    owned, is_due = state.players[seat].wealth, "fist" in kinds_due(state.agenda)
    if rule("BRM-EVT-1", event == "advantage", event=event) and rule(
        "BRM-END-2", is_due, event=event
    ):
        rule("BRM-EVT-9", action.count == owned, seat=seat, count=action.count, owned=owned)
    return state


@rules.spells(act.OpenFist)
def spell_fist(state: Tableau, action: act.OpenFist, kit: Box) -> Action:
    """Of so many resources those that they must be, where they can only be these."""
    if action.count is None or action.by is None:
        return action
    everything, kinds = _everything(state, action.by)
    if action.count > len(everything) or _is_open(action.count, everything, kinds):
        return action
    inside = everything[: action.count]
    return action.model_copy(update={"resources": inside, "count": None})


@rules.hears(act.OpenFist)
def open_fist(state: Tableau, action: act.OpenFist, rule: Rule) -> Tableau:
    seat = action.seat
    owned = state.players[seat].resources
    inside = action.resources if action.count is None else _counted(state, seat, action.count, rule)
    fits = all(inside.count(kind) <= owned[kind] for kind in RESOURCES)
    rule("BRM-EVT-9", fits, seat=seat, resources=inside)
    rule.heard_out()
    fists = {**state.round.fists, seat: inside}
    return evolve(state, round=evolve(state.round, fists=fists))


def _counted(state: Tableau, seat: str, count: int, rule: Rule) -> tuple[Resource, ...]:
    """So many resources of which nobody can tell which they are, or more than there are."""
    everything, kinds = _everything(state, seat)
    rule("BRM-EVT-9", count <= len(everything), seat=seat, count=count, owned=len(everything))
    if _is_open(count, everything, kinds):
        raise ParseError("which_resources", seat=seat, resources=kinds)
    return everything[:count]


def _everything(state: Tableau, seat: str) -> tuple[tuple[Resource, ...], dict[Resource, int]]:
    """All resources of a seat, one by one and by kind."""
    kinds = {kind: n for kind, n in state.players[seat].resources.items() if n}
    return tuple(kind for kind, n in kinds.items() for _ in range(n)), kinds


def _is_open(count: int, everything: tuple[Resource, ...], kinds: dict[Resource, int]) -> bool:
    return 0 < count < len(everything) and len(kinds) > 1


@rules.derives("compare_fists")
def compare_fists(state: Tableau, rule: Rule) -> Tableau:
    event = rule.kit.events.advantage
    counts = {seat: len(state.round.fists.get(seat, ())) for seat in state.options.seats}
    prizes = _prizes(counts, event, most=True, rule=rule)
    if not rule.effect("BRM-EVT-9", True, fists=counts, prizes=prizes):
        return state
    for seat in state.options.seats:
        if event.paid_by == "all" or (event.paid_by == "winners" and seat in prizes):
            state = pay(state, seat, *state.round.fists.get(seat, ()))
        state = score(state, seat, prizes.get(seat, 0))
    return state


def _score_empty_hands(state: Tableau, rule: Rule) -> Tableau:
    counts = {seat: player.wealth for seat, player in state.players.items()}
    prizes = _prizes(counts, rule.kit.events.empty_hands, most=False, rule=rule)
    if rule.effect("BRM-EVT-10", True, resources=counts, prizes=prizes):
        for seat, vp in prizes.items():
            state = score(state, seat, vp)
    return state


def _prizes(counts: Mapping[str, int], event: Ranking, most: bool, rule: Rule) -> dict[str, int]:
    """The points of each seat by rank; tied seats share a rank, and those below are skipped."""
    prizes: dict[str, int] = {}
    rank, dense = 0, rule.reading("rank_ties") == "dense"
    for value in sorted(set(counts.values()), reverse=most):
        tied = [seat for seat, count in counts.items() if count == value]
        if value >= event.min_count and rank < len(event.vp_by_rank):
            prizes |= dict.fromkeys(tied, event.vp_by_rank[rank])
        rank += 1 if dense else len(tied)
    return prizes


# La totale !


@rules.hears(act.HandInSet)
def hand_in_set(state: Tableau, action: act.HandInSet, rule: Rule) -> Tableau:
    seat, event = action.seat, rule.kit.events.full_set
    state = evolve(state, closed=None)
    for kind, count in event.set.items():
        state = pay(state, seat, *((kind,) * count))
    return score(state, seat, event.vp)
