"""The course of the game: rounds, the choice of roles, cursed roles, the end of a round."""

from __future__ import annotations

from engines.broom_service.actions import (
    ROLES,
    ChooseHand,
    LeadClause,
    RevealCursed,
    RevealEvent,
    Role,
)
from engines.broom_service.rules.book import (
    Rule,
    forget,
    rules,
    with_hand,
)
from engines.broom_service.rules.events import end_of_round, score_hand_sizes
from engines.broom_service.rules.final import score_game
from engines.broom_service.rules.tiles import usable_tile
from engines.broom_service.state import LAST_ROUND, Hand, Options, Round, Tableau, Turn
from engines.kernel import Duty, Group, Step, evolve
from engines.kernel.agenda import Item

ALL_ROLES = frozenset(ROLES)


def round_start(options: Options) -> tuple[Item | Duty, ...]:
    """Event, cursed roles, hands, first lead."""
    cursed = (Duty("cursed"),) if options.cursed_roles > 0 else ()
    hands = Group(*(Duty("hand", seat) for seat in options.seats))
    return (Duty("event"), *cursed, hands, Step("first_lead"))


@rules.hears(RevealEvent)
def reveal_event(state: Tableau, action: RevealEvent, rule: Rule) -> Tableau:
    if state.round.event is not None:
        rule("BRM-RND-1", state.round.number < LAST_ROUND, round=state.round.number)
        state = _next_round(state)
    rule("BRM-SET-13", action.event not in state.stock.seen, event=action.event)
    agenda = state.agenda
    for done in ("cloud", "tile", "event"):
        agenda = forget(agenda, done)
    return evolve(state, round=evolve(state.round, event=action.event), agenda=agenda)


# Les rôles maudits


@rules.hears(RevealCursed)
def reveal_cursed(state: Tableau, action: RevealCursed, rule: Rule) -> Tableau:
    shown, stack = frozenset(action.roles), state.stock.stack
    number, first_round = state.options.cursed_roles, state.round.number == 1
    refill = len(stack) < number
    counts = {number}
    if refill and rule.reading("cursed_refill") == "all_ten":
        counts = set(range(max(number - len(stack), len(stack), 1), number + 1))
    rule(
        "BRM-SET-15" if first_round else "BRM-CUR-5",
        len(shown) in counts and len(shown) == len(action.roles),
        roles=action.roles,
        number=number,
    )
    fits, stack = _drawn(shown, stack, refill, number, rule)
    rule("BRM-CUR-6", fits, roles=action.roles)
    return evolve(
        state,
        round=evolve(state.round, cursed=tuple(r for r in ROLES if r in shown)),
        stock=evolve(state.stock, stack=stack),
        agenda=forget(state.agenda, "cursed"),
    )


def _drawn(
    shown: frozenset[Role], stack: frozenset[Role], refill: bool, number: int, rule: Rule
) -> tuple[bool, frozenset[Role]]:
    """Whether these roles can have come from the stack, and what is left of it."""
    if not refill:
        return shown <= stack, stack - shown
    way = rule.reading("cursed_refill")
    if way == "refill_first":
        return True, ALL_ROLES - shown
    left = ALL_ROLES - shown
    if way == "all_ten" and len(shown) == number:
        left |= stack
    return stack <= shown, left


# Choisir ses cartes rôle


@rules.hears(ChooseHand)
def choose_hand(state: Tableau, action: ChooseHand, rule: Rule) -> Tableau:
    seat = action.seat
    if state.round.event == "more_or_less":
        event = rule.kit.events.more_or_less
        fits = event.hand_min <= action.count <= event.hand_max
        rule("BRM-EVT-2", fits, count=action.count)
    else:
        rule("BRM-RND-3", action.count == 4, count=action.count)
    sealed = _sealed(action, seat, rule)
    chosen = action.count + len(state.players[seat].hand.laid)
    state = with_hand(state, seat, chosen=chosen, held=action.count, sealed=sealed)
    return _offer_card_tile(evolve(state, agenda=forget(state.agenda, "hand", seat)), seat, rule)


def _sealed(action: ChooseHand, seat: str, rule: Rule) -> tuple[Role, ...] | None:
    """The roles, if hands are deposited with the referee; else nobody tells him."""
    if rule.reading("sealed_hands") == "no":
        rule("BRM-RND-4", not action.sealed, seat=seat)
        return None
    rule("BRM-FOL-11", action.sealed, seat=seat)
    rule("BRM-RND-3", len(action.sealed) == action.count, count=len(action.sealed))
    rule("BRM-SET-3", len(set(action.sealed)) == len(action.sealed), seat=seat, role=action.sealed)
    return action.sealed


def _offer_card_tile(state: Tableau, seat: str, rule: Rule) -> Tableau:
    """Who has chosen may use a card tile while others still choose."""
    group = state.agenda.duties
    if not any(duty.kind == "hand" for duty in group):
        return state
    if usable_tile(state, seat, "plusone", rule) is None:
        return state
    tile = Duty("plusone", seat, None, None, True)
    return evolve(state, agenda=state.agenda.pop().push(Group(*group, tile)))


@rules.derives("first_lead")
def first_lead(state: Tableau, rule: Rule) -> Tableau:
    state = score_hand_sizes(state, rule)
    tiles = [
        Duty("plusone", seat, None, None, True)
        for seat in state.options.seats
        if usable_tile(state, seat, "plusone", rule) and not state.players[seat].hand.extra
    ]
    if rule.reading("plusone_timing") == "with_choice":
        tiles = []
    return evolve(state, agenda=state.agenda.push(Group(Duty("lead", state.turn.leader), *tiles)))


# Fin d'une manche


@rules.derives("close_round")
def close_round(state: Tableau, rule: Rule) -> Tableau:
    """The event of the round; who begins the next one is already settled."""
    turn = state.turn
    starter = turn.leader
    why: LeadClause = "BRM-END-6"
    if turn.claimant is not None:
        starter, why = turn.claimant, "BRM-END-5"
    elif rule.reading("round_starter") == "last_brave" and state.round.last_brave is not None:
        starter, why = state.round.last_brave, "BRM-END-5"
    rule.effect(why, starter != turn.leader, leader=starter)
    state = evolve(state, turn=Turn(turn.number + 1, starter, why))
    state = evolve(state, agenda=state.agenda.push(Step("next_round")))
    return end_of_round(state, rule)


@rules.derives("next_round")
def next_round(state: Tableau, rule: Rule) -> Tableau:
    if state.round.number >= LAST_ROUND:
        return score_game(state, rule)
    return _next_round(state)


def _next_round(state: Tableau) -> Tableau:
    """Everybody gets all ten roles back, and the round starts anew."""
    seen = state.stock.seen
    if state.round.event is not None:
        seen = (*seen, state.round.event)
    fresh = Hand()
    return evolve(
        state,
        players={seat: evolve(player, hand=fresh) for seat, player in state.players.items()},
        stock=evolve(state.stock, seen=seen),
        round=Round(state.round.number + 1),
        turn=Turn(1, state.turn.leader, state.turn.why),
        agenda=state.agenda.clear().push(*round_start(state.options)),
    )
