"""Les tuiles: mountain tiles with amulets, forest tiles, hill tiles with turbo brooms."""

from __future__ import annotations

from typing import Any

from engines.broom_service.actions import FlyOn, Resource, Role, TakeBonus, UseTile
from engines.broom_service.kit import Box, circles_of
from engines.broom_service.rules.book import (
    Rule,
    forget,
    gain,
    grant,
    in_own_action,
    permission,
    permitted,
    rules,
    score,
    settle,
    spend,
    taken_instead,
    with_deed,
    with_hand,
    with_hoard,
)
from engines.broom_service.state import (
    PAWNS,
    Card,
    Hand,
    HeldTile,
    Tableau,
    card_of_turn,
    deed_of,
    is_clouded,
)
from engines.kernel import Agenda, Duty, Group, RuleContext, evolve, with_player

_FUNCTIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "m_potions": (("bonus", "m_potions"),),
    "m_wands": (("bonus", "m_wands"),),
    "m_deliver": (("deliver", "tile"),),
    "m_moves": (("move", "tile"), ("move", "tile")),
    "m_chase": (("chase", "tile"),),
}
"""The permissions a mountain tile gives, with their source."""
_GIFTS: dict[str, tuple[str, tuple[Resource, ...]]] = {
    "m_potions": ("BRM-MTN-9", ("g", "o", "p")),
    "m_wands": ("BRM-MTN-10", ("w", "w")),
}


def arrive(
    state: Tableau, seat: str, pawn: str, region: str, rule: Rule, *, flown: bool = False
) -> Tableau:
    """A pawn enters a region, by whatever means, and whatever lies there takes effect."""
    pawns = {**state.players[seat].pawns, pawn: region}
    state = with_player(state, seat, pawns=pawns)
    from_the_last_hill = Group(Duty("circle", seat, None, pawn))
    state = evolve(
        state, agenda=Agenda(item for item in state.agenda if item != from_the_last_hill)
    )
    tile = state.board.tiles.get(region)
    if tile is None or (flown and rule.reading("turbo_triggers") == "no"):
        return state
    terrain = rule.kit.tiles.terrain_of.get(tile)
    if terrain == "mountain":
        return _enter_mountain(state, seat, region, tile, rule)
    if terrain == "forest":
        return _enter_forest(state, seat, region, rule)
    return state if flown else _enter_hill(state, seat, pawn, region, rule)


# Les tuiles montagne et les amulettes


def _enter_mountain(state: Tableau, seat: str, region: str, tile: str, rule: Rule) -> Tableau:
    amulets = state.players[seat].hoard.amulets
    if not rule.effect("BRM-MTN-4", region not in amulets, seat=seat, region=region):
        return state
    state = with_hoard(state, seat, amulets=(*amulets, region))
    return grant(state, *(permission(kind, seat, source) for kind, source in _FUNCTIONS[tile]))


@rules.hears(TakeBonus)
@in_own_action
def take_bonus(state: Tableau, action: TakeBonus, rule: Rule) -> Tableau:
    seat = action.seat
    permit = next(iter(permitted(state, "bonus", seat)), None)
    been = state.players[seat].hoard.amulets
    rule("BRM-MTN-6", permit is not None, seat=seat, amulets=been)
    tile = permit.why if permit is not None else _gift_meant(state, seat)
    if tile is None:
        rule.warn("nothing_moved", seat=seat)
        return state
    clause, gift = _GIFTS[tile]
    if rule.effect(clause, True, seat=seat):
        state = gain(state, seat, *gift)
    return settle(spend(state, permit))


def _gift_meant(state: Tableau, seat: str) -> str | None:
    """The tile whose gift somebody takes who may not: the one under a pawn before the others."""
    player, tiles = state.players[seat], state.board.tiles
    near = [*player.pawns.values(), *player.hoard.amulets]
    return next((tiles[place] for place in near if tiles.get(place) in _GIFTS), None)


# Les tuiles forêt


def _enter_forest(state: Tableau, seat: str, region: str, rule: Rule) -> Tableau:
    tile: Any = state.board.tiles[region]
    if not rule.effect("BRM-FOR-3", True, seat=seat, region=region, tile=tile):
        return state
    left = {place: other for place, other in state.board.tiles.items() if place != region}
    state = evolve(state, board=evolve(state.board, tiles=left))
    taken = HeldTile(tile, state.round.number, state.turn.number)
    return with_hoard(state, seat, tiles=(*state.players[seat].hoard.tiles, taken))


def usable(state: Tableau, held: HeldTile, table: RuleContext[Box]) -> bool:
    """A tile is used only in a later turn than the one in which it was taken."""
    if held.round != state.round.number:
        return True
    if table.reading("forest_tile_from") == "next_round":
        return False
    return held.turn != state.turn.number


def usable_tile(state: Tableau, seat: str, tile: str, table: RuleContext[Box]) -> HeldTile | None:
    held = [own for own in state.players[seat].hoard.tiles if own.tile == tile]
    return next((own for own in held if usable(state, own, table)), None)


@rules.hears(UseTile)
@in_own_action
def use_tile(state: Tableau, action: UseTile, rule: Rule) -> Tableau:
    seat = action.seat
    if action.tile == "plusone":
        return _keep_one_more(state, seat, action, rule)
    card = card_of_turn(state, seat)
    coward = rule("BRM-FOR-14", card is not None and card.mode == "coward", tile=action.tile)
    ready = _check_held(state, seat, action.tile, rule)
    used = None if card is None else card.tile
    fresh = rule("BRM-FOR-6", used is None, seat=seat, tile=used)
    if coward and ready and fresh:
        _check_nothing_done(state, seat, action.tile, rule)
    state = discard(state, seat, action.tile, rule)
    if card is not None:
        state = _mark_card(state, seat, evolve(card, tile=action.tile))
    if action.tile == "five":
        return taken_instead(score(state, seat, rule.kit.tiles.five_vp), seat, "use.five")
    if deed_of(state, seat) is None:
        return state
    gone = ("use", "take") if rule.reading("courage_excludes_event") == "yes" else ("use",)
    state = with_deed(state, brave=True)
    left = Group(*(duty for duty in state.agenda.duties if duty.kind not in gone))
    return settle(evolve(state, agenda=Agenda((*state.agenda[:-1], left))))


def _check_nothing_done(state: Tableau, seat: str, tile: str, rule: Rule) -> None:
    """The tile takes the place of an action of which nothing is done yet."""
    deed = deed_of(state, seat)
    clause = "BRM-FOR-12" if tile == "five" else "BRM-FOR-9"
    rule(clause, deed is not None and not deed.begun, seat=seat, role=state.turn.led)


def _check_held(state: Tableau, seat: str, tile: str, rule: Rule) -> bool:
    held = [own for own in state.players[seat].hoard.tiles if own.tile == tile]
    if not rule("BRM-FOR-5", held, seat=seat, tile=tile):
        return False
    ready = any(usable(state, own, rule) for own in held)
    recent = tile if rule.reading("forest_tile_from") == "next_round" else None
    return rule("BRM-FOR-4", ready, seat=seat, recent=recent, tile=tile)


def discard(state: Tableau, seat: str, tile: str, rule: Rule) -> Tableau:
    """A used tile goes out of the game."""
    held = list(state.players[seat].hoard.tiles)
    used = usable_tile(state, seat, tile, rule)
    used = used or next((own for own in held if own.tile == tile), None)
    if used is None:
        return state
    held.remove(used)
    board = evolve(state.board, discarded=(*state.board.discarded, used.tile))
    return with_hoard(evolve(state, board=board), seat, tiles=tuple(held))


def _mark_card(state: Tableau, seat: str, card: Card) -> Tableau:
    laid = state.players[seat].hand.laid
    return with_hand(state, seat, laid=(*laid[:-1], card))


def _keep_one_more(state: Tableau, seat: str, action: UseTile, rule: Rule) -> Tableau:
    hand = state.players[seat].hand
    chosen = hand.chosen or 0
    early = _may_name_tile(state, seat, rule)
    chosen_or_early = hand.chosen is not None or early
    rule("BRM-RND-2", state.round.event is not None and chosen_or_early, seat=seat)
    rule("BRM-FOR-7", _round_starts(state, rule), seat=seat)
    _check_held(state, seat, action.tile, rule)
    rule("BRM-FOR-6", not hand.extra, seat=seat)
    if state.round.event == "more_or_less" and rule.reading("plusone_over_five") == "no":
        rule("BRM-EVT-2", chosen < rule.kit.events.more_or_less.hand_max, count=chosen + 1)
    sealed = _sealed_with(hand, seat, action, rule)
    state = discard(state, seat, action.tile, rule)
    if early:
        return with_hand(state, seat, extra=True)
    state = evolve(state, agenda=forget(state.agenda, "plusone", seat))
    return with_hand(state, seat, chosen=chosen + 1, held=hand.held + 1, sealed=sealed, extra=True)


def _may_name_tile(state: Tableau, seat: str, table: RuleContext[Box]) -> bool:
    """Whether this seat is about to choose its hand, and may name the tile before."""
    chooses = state.agenda.owes("hand", seat) is not None
    return chooses and table.reading("sealed_hands") == "no"


def _round_starts(state: Tableau, table: RuleContext[Box]) -> bool:
    """Whether it is early enough in the round for one card more."""
    if state.round.called or state.turn.led is not None:
        return False
    if table.reading("plusone_timing") == "until_first_lead":
        return True
    return any(player.hand.chosen is None for player in state.players.values())


def _sealed_with(hand: Hand, seat: str, action: UseTile, rule: Rule) -> tuple[Role, ...] | None:
    """The sealed hand with the added role, where hands are deposited with the referee."""
    if rule.reading("sealed_hands") == "no":
        rule("BRM-RND-4", action.sealed is None, seat=seat)
        return None
    rule("BRM-FOL-11", action.sealed is not None, seat=seat, tile=action.tile)
    held = hand.sealed or ()
    rule("BRM-SET-3", action.sealed not in held, holds=action.sealed, seat=seat)
    return held if action.sealed is None else (*held, action.sealed)


# Les tuiles colline


def open_circles(state: Tableau, region: str, table: RuleContext[Box]) -> tuple[str, ...]:
    """The circles a pawn entering this hill could be flown to."""
    side = state.side(table.kit)
    return tuple(
        letter
        for letter in circles_of(state.board.tiles.get(region))
        if letter in side.circles and not is_clouded(state, side, side.circles[letter])
    )


def blocked_turbo(state: Tableau, region: str, table: RuleContext[Box]) -> bool:
    shown = circles_of(state.board.tiles.get(region))
    return bool(shown) and not open_circles(state, region, table)


def _enter_hill(state: Tableau, seat: str, pawn: str, region: str, rule: Rule) -> Tableau:
    if not open_circles(state, region, rule):
        return state
    flight = Duty("circle", seat, None, pawn)
    return evolve(state, agenda=state.agenda.push(flight))


def _flown(state: Tableau, seat: str, circle: str) -> str | None:
    """The pawn that somebody flies who may not: one on a hill that shows the circle."""
    at = state.players[seat].pawns
    return next((p for p in PAWNS if circle in circles_of(state.board.tiles.get(at[p]))), None)


@rules.hears(FlyOn)
@in_own_action
def fly_on(state: Tableau, action: FlyOn, rule: Rule) -> Tableau:
    seat, side = action.seat, state.side(rule.kit)
    flight = state.agenda.owes("circle", seat)
    pawn = _flown(state, seat, action.circle) if flight is None else flight.why
    if pawn not in PAWNS:
        rule("BRM-HIL-2", False, circle=action.circle, hill=None)
        rule.warn("nothing_moved", seat=seat)
        return state
    hill = state.players[seat].pawns[pawn]
    shown = circles_of(state.board.tiles.get(hill))
    due = flight is not None
    from_hill = hill if due else None
    rule("BRM-HIL-2", due and action.circle in shown, circle=action.circle, hill=from_hill)
    region = side.circles.get(action.circle)
    if region is None:
        return state
    rule("BRM-HIL-3", not is_clouded(state, side, region), circle=action.circle, region=region)
    if (deed := deed_of(state, seat)) is not None:
        by_role = (deed.pawn, deed.place) == (pawn, hill)
        state = with_deed(state, hill=hill, place=region if by_role else deed.place)
    return settle(arrive(state, seat, pawn, region, rule, flown=True))
