"""What is out of order: an action that nobody owes now, and the clause it breaks."""

from __future__ import annotations

from engines.broom_service import actions as act
from engines.broom_service.actions import Event
from engines.broom_service.rules.book import Rule, closed_of, kinds_due, lacking, rules
from engines.broom_service.rules.setup import TILE_CLAUSES
from engines.broom_service.rules.turns import ends_aloud
from engines.broom_service.state import Tableau, card_of_turn, deed_of
from engines.kernel import Action, ParseError


@rules.not_now
def not_now(state: Tableau, action: Action, rule: Rule) -> bool:
    if isinstance(action, act.RevealEvent):
        return _event_out_of_order(state, rule)
    if isinstance(action, act.HandInSet) and action.by is not None and _is_over(state, "full_set"):
        return _closing_out_of_order(state, action, rule)
    rule("BRM-FIN-1", not state.over, round=state.round.number)
    if isinstance(action, act.PlaceCloud | act.PlaceTile | act.RevealCursed):
        return _piece_out_of_order(state, action, rule)
    if action.by is None:
        raise ParseError("which_seat", seats=state.options.seats)
    if isinstance(action, act.PlayRole | act.LayDead | act.Pass):
        if not isinstance(action, act.Pass) or state.players[action.seat].hand.held:
            _check_flight(state, rule)
        return True
    if isinstance(action, act.ChooseHand):
        return _hand_out_of_order(state, action, rule)
    if isinstance(action, act.OpenFist | act.HandInSet):
        return _closing_out_of_order(state, action, rule)
    if isinstance(action, act.UseTile) and action.tile == "plusone":
        return True
    if closed_of(state, action.seat) is not None:
        return True
    if isinstance(action, act.End) and "set" in kinds_due(state.agenda):
        missing = lacking(state, action.by, rule.kit)
        return rule("BRM-EVT-11", False, seat=action.by, resources=missing)
    return _deed_out_of_order(state, action, rule)


def _check_flight(state: Tableau, rule: Rule) -> None:
    """Nobody goes on while a pawn is still to be flown."""
    flight = state.agenda.owes("circle")
    if flight is not None and flight.seat is not None:
        hill = state.players[flight.seat].pawns.get(flight.why or "")
        rule("BRM-HIL-2", False, circle=None, hill=hill, seat=flight.seat)


def _event_out_of_order(state: Tableau, rule: Rule) -> bool:
    """The one clause against a reveal that comes too early."""
    rule("BRM-RND-1", not state.over, round=state.round.number)
    due, before = kinds_due(state.agenda), len(rule.breaches)
    rule("BRM-SET-11", "cloud" not in due, space=None, side=state.options.side)
    for terrain, clause in TILE_CLAUSES.items():
        spaces = state.side(rule.kit).tile_spaces_of(terrain)
        missing = terrain in state.options.variants and spaces.keys() - state.board.tiles.keys()
        rule(clause, not ("tile" in due and missing), tile=None, region=None)
    rule("BRM-END-2", due.isdisjoint(("fist", "set")), event=state.round.event)
    held = sum(player.hand.held for player in state.players.values())
    rule("BRM-END-1", held == 0 or "hand" in due, cards=held)
    return len(rule.breaches) > before or rule("BRM-EVT-1", False, event=state.round.event)


def _piece_out_of_order(
    state: Tableau, action: act.PlaceCloud | act.PlaceTile | act.RevealCursed, rule: Rule
) -> bool:
    if isinstance(action, act.PlaceCloud):
        rule("BRM-CLD-10", action.space in state.board.clouds, space=action.space)
        return True
    if isinstance(action, act.PlaceTile):
        terrain = rule.kit.tiles.terrain_of.get(action.tile)
        if terrain not in state.options.variants:
            return True
        facts = {"tile": action.tile, "region": action.region}
        if action.region in state.side(rule.kit).tile_spaces_of(terrain):
            facts = {"laid": action.region}
        return rule(TILE_CLAUSES[terrain], False, **facts)
    rule("BRM-SET-16", state.options.cursed_roles > 0, roles=action.roles)
    rule("BRM-RND-2", "event" not in kinds_due(state.agenda), seat=None)
    return rule("BRM-CUR-5", False, roles=action.roles, number=state.options.cursed_roles)


def _hand_out_of_order(state: Tableau, action: act.ChooseHand, rule: Rule) -> bool:
    event_known = state.round.event is not None
    rule("BRM-SET-14", event_known or state.round.number > 1, seat=action.by)
    rule("BRM-RND-2", event_known and "cursed" not in kinds_due(state.agenda), seat=action.by)
    return rule("BRM-RND-4", False, seat=action.by)


def _closing_out_of_order(state: Tableau, action: act.OpenFist | act.HandInSet, rule: Rule) -> bool:
    event: Event = "advantage" if isinstance(action, act.OpenFist) else "full_set"
    due, over = kinds_due(state.agenda), _is_over(state, event)
    seat, closing = action.seat, not due.isdisjoint(("fist", "set")) or _closes(state, rule)
    if not over:
        rule("BRM-EVT-1", state.round.event == event, event=state.round.event)
        rule("BRM-END-2", closing, event=state.round.event)
    if isinstance(action, act.HandInSet):
        missing = lacking(state, seat, rule.kit)
        return rule("BRM-EVT-11", False, seat=seat, resources=missing)
    if closing and seat not in state.round.fists:
        return True  # of who has nothing to close in it: what is in it is asked there
    return rule("BRM-EVT-9", False, seat=seat, resources=())


def _closes(state: Tableau, rule: Rule) -> bool:
    """Whether the round is over as soon as nobody goes on with what is still open."""
    cards = any(player.hand.held for player in state.players.values())
    open = state.turn.deed is not None and state.agenda.owes("circle") is None
    return open and not cards and not ends_aloud(rule)


def _is_over(state: Tableau, event: Event) -> bool:
    """Whether an event has just been resolved, and no other is known yet."""
    if state.over:
        return state.round.event == event
    return state.round.event is None and state.stock.seen[-1:] == (event,)


def _deed_out_of_order(state: Tableau, action: Action, rule: Rule) -> bool:
    """Who has nothing to perform in this turn; what may be performed the reducers say."""
    seat, turn = action.seat, state.turn
    if deed_of(state, seat) is None and not _says_itself_why(state, action):
        deed = turn.deed
        acting = deed.seat if deed is not None else None
        return rule(_untimely(state, seat), False, seat=seat, role=turn.led, acting=acting)
    return rule("BRM-HIL-2", state.agenda.owes("circle") is None, circle=None, hill=None)


def _untimely(state: Tableau, seat: str) -> str:
    """The one clause against whoever acts and has nothing to perform now."""
    turn, card = state.turn, card_of_turn(state, seat)
    if seat in turn.passed:
        return "BRM-TRN-6"
    if seat in turn.deposed:
        return "BRM-TRN-10"
    if card is not None and card.mode == "dead":
        return "BRM-FOL-6"
    if seat == turn.claimant:
        return "BRM-TRN-3"
    return "BRM-TRN-4" if card is not None and card.mode == "coward" else "BRM-TRN-14"


def _says_itself_why(state: Tableau, action: Action) -> bool:
    """Whether the action's own clauses say when it is too late or too early for it."""
    seat, turn = action.seat, state.turn
    card = card_of_turn(state, seat)
    if isinstance(action, act.TakeEvent | act.UseTile):
        return card is not None and card.mode != "dead" and seat not in turn.deposed
    by_tile = isinstance(action, act.Deliver) and action.source == "tile"
    if not (isinstance(action, act.TakeBonus) or by_tile) or turn.untimely_of(seat) is not None:
        return False
    acts_no_more = _untimely(state, seat) in ("BRM-TRN-4", "BRM-TRN-14")
    return acts_no_more and bool(state.players[seat].hoard.amulets)
