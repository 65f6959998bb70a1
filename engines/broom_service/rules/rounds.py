"""The course of the game: rounds, the choice of roles, cursed roles, the end of a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from engines.broom_service import actions as act
from engines.broom_service.actions import ROLES, Event, LeadClause, Role
from engines.broom_service.rules.book import (
    Rule,
    forget,
    rules,
    with_hand,
)
from engines.broom_service.rules.events import compare_fists, end_of_round, score_hand_sizes
from engines.broom_service.rules.final import score_game
from engines.broom_service.rules.tiles import discard, usable_tile
from engines.broom_service.state import HAND, LAST_ROUND, Hand, Options, Round, Tableau, Turn
from engines.kernel import Agenda, Duty, Group, Step, evolve
from engines.kernel.rules.agenda import Item

ALL_ROLES = frozenset(ROLES)


def round_start(options: Options) -> tuple[Item | Duty, ...]:
    """Event, cursed roles, hands, first lead."""
    cursed = (Duty("cursed"),) if options.cursed_roles > 0 else ()
    hands = Group(*(Duty("hand", seat) for seat in options.seats))
    return (Duty("event"), *cursed, hands, Step("first_lead"))


@rules.hears(act.RevealEvent)
def reveal_event(state: Tableau, action: act.RevealEvent, rule: Rule) -> Tableau:
    state = evolve(state, closed=None)
    owed = Group()
    if (over := state.round.event) is not None:
        owed = _still_owed(state)
        rule("BRM-RND-1", state.round.number < LAST_ROUND, round=state.round.number)
        state = _passed_over(_with_fists_compared(state, rule), over, rule)
    stock = state.stock
    known = stock.entries([action.event])
    rule("BRM-SET-13", action.event not in stock.seen, event=action.event, entries=known)
    agenda = state.agenda
    for done in ("cloud", "tile", "event"):
        agenda = forget(agenda, done)
    agenda = _beside(agenda, owed)
    return evolve(
        state,
        round=evolve(state.round, event=action.event),
        stock=evolve(stock, told={**stock.told, action.event: rule.number}),
        agenda=agenda,
    )


def _still_owed(state: Tableau) -> Group:
    """What the event of a round that is over asks for: all fists, or the sets that are left."""
    if state.round.fists:
        return Group()
    groups = (item for item in state.agenda if isinstance(item, Group))
    return Group(*(duty for group in groups for duty in group if duty.kind in ("fist", "set")))


def _beside(agenda: Agenda, owed: Group) -> Agenda:
    """What is owed since the round before, beside what the new one begins with."""
    if not owed:
        return agenda
    compared = (Step("compare_fists"),) if "fist" in {duty.kind for duty in owed} else ()
    return agenda.pop().push(Group(*agenda.duties, *owed), *compared)


def _with_fists_compared(state: Tableau, rule: Rule) -> Tableau:
    """Whoever was not asked for a fist any more has an empty one."""
    if Step("compare_fists") not in state.agenda or not state.round.fists:
        return state
    if missing := tuple(duty.seat for duty in state.agenda.duties if duty.kind == "fist"):
        rule.warn("fists_empty", seats=missing)
    return compare_fists(state, rule)


def _passed_over(state: Tableau, event: Event, rule: Rule) -> Tableau:
    """The next round begins, although the event of this one was not resolved."""
    if _still_owed(state):
        rule.warn("event_owed", event=event)
    elif not state.round.fists and rule.kit.events.when(event) == "end":
        rule.warn("event_forgone", event=event)
    return _next_round(state)


# Les rôles maudits


@rules.hears(act.RevealCursed)
def reveal_cursed(state: Tableau, action: act.RevealCursed, rule: Rule) -> Tableau:
    shown, stack = frozenset(action.roles), state.stock.stack
    number, first_round = state.options.cursed_roles, state.round.number == 1
    refill = len(stack) < number
    counts = {number}
    if refill and rule.reading("cursed_refill") == "all_ten":
        counts = set(range(max(number - len(stack), len(stack)), number + 1))
    once = len(action.roles) in (len(shown), number)
    rule(
        "BRM-SET-15" if first_round else "BRM-CUR-5",
        len(shown) in counts and once,
        roles=action.roles,
        number=number,
    )
    fits, rest = _drawn(action.roles, stack, refill, number, rule)
    again = [role for role in action.roles if role not in stack and not refill]
    left = tuple(role for role in ROLES if refill and role in stack - shown)
    twice = tuple(role for role in repeated(action.roles) if refill and role not in stack)
    known = state.stock.entries(again)
    rule("BRM-CUR-6", fits, roles=tuple(again), entries=known, left=left, twice=twice)
    rule.heard_out()
    told: dict[str, int] = {**state.stock.told}
    told.update(dict.fromkeys(action.roles, rule.number))
    return evolve(
        state,
        round=evolve(state.round, cursed=tuple(r for r in ROLES if r in shown)),
        stock=evolve(state.stock, stack=rest, told=told),
        agenda=forget(state.agenda, "cursed"),
    )


def _drawn(
    roles: tuple[Role, ...], stack: frozenset[Role], refill: bool, number: int, rule: Rule
) -> tuple[bool, frozenset[Role]]:
    """Whether these roles can have come from the stack, and what is left of it."""
    shown = frozenset(roles)
    if not refill:
        return shown <= stack, stack - shown
    way = rule.reading("cursed_refill")
    if way == "all_ten":
        fits = stack <= shown and all(role in stack for role in roles if roles.count(role) > 1)
        return fits, ALL_ROLES - _drawn_again(roles, stack, number)
    return way == "refill_first" or stack <= shown, ALL_ROLES - shown


def _drawn_again(roles: tuple[Role, ...], stack: frozenset[Role], number: int) -> frozenset[Role]:
    """What is known to have come from the ten that were shuffled, after the rest of the stack.

    Of roles that came twice and were named once it is known only where all of them did.
    """
    shown = frozenset(roles)
    twice = frozenset(role for role in roles if roles.count(role) > 1)
    if len(shown) + len(twice) < number and number - len(shown) == len(stack):
        twice = stack
    return (shown - stack) | twice


# Choisir ses cartes rôle


@rules.hears(act.ChooseHand)
def choose_hand(state: Tableau, action: act.ChooseHand, rule: Rule) -> Tableau:
    seat = action.seat
    state, held = _kept(state, action, rule)
    sealed = _sealed(action, seat, rule)
    chosen = held + len(state.players[seat].hand.laid)
    state = with_hand(state, seat, chosen=chosen, held=held, sealed=sealed)
    return _offer_card_tile(evolve(state, agenda=forget(state.agenda, "hand", seat)), seat, rule)


def _kept(state: Tableau, action: act.ChooseHand, rule: Rule) -> tuple[Tableau, int]:
    """How many cards are in hand, with the one that a card tile allows.

    The tile may be named before; and who keeps five cards openly has used it.
    """
    seat, count = action.seat, action.count
    extra = state.players[seat].hand.extra
    if state.round.event == "more_or_less":
        event = rule.kit.events.more_or_less
        fits = event.hand_min <= count <= event.hand_max
        if extra and rule.reading("plusone_over_five") == "no":
            rule("BRM-EVT-2", fits and count < event.hand_max, count=count + 1)
        else:
            rule("BRM-EVT-2", fits, count=count)
        return state, count + extra
    if count == HAND + 1 and not extra and rule.reading("sealed_hands") == "no":
        held = usable_tile(state, seat, "plusone", rule)
        if held is not None and rule("BRM-FOR-7", True, seat=seat):
            return with_hand(discard(state, seat, "plusone", rule), seat, extra=True), count
    rule("BRM-RND-3", count == HAND or (extra and count == HAND + 1), count=count)
    return state, HAND + 1 if extra and count == HAND else count


def _sealed(action: act.ChooseHand, seat: str, rule: Rule) -> tuple[Role, ...] | None:
    """The chosen roles, if hands are deposited with the referee; otherwise nothing."""
    if rule.reading("sealed_hands") == "no":
        rule("BRM-RND-4", not action.sealed, seat=seat)
        return None
    rule("BRM-FOL-11", action.sealed, seat=seat)
    facts = {"seat": seat, "count": len(action.sealed), "cards": action.count}
    rule("BRM-RND-3", len(action.sealed) == action.count, **facts)
    twice = repeated(action.sealed)
    rule("BRM-SET-3", not twice, seat=seat, twice=twice)
    return action.sealed


def repeated(names: Collection[str]) -> tuple[str, ...]:
    """What is named more than once."""
    return tuple(name for name, count in Counter(names).items() if count > 1)


def _offer_card_tile(state: Tableau, seat: str, rule: Rule) -> Tableau:
    """Who has chosen may use a card tile while others still choose."""
    group = state.agenda.duties
    if not any(duty.kind == "hand" for duty in group):
        return state
    if state.players[seat].hand.extra or usable_tile(state, seat, "plusone", rule) is None:
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
    if starter != turn.leader:
        rule.effect("BRM-END-5", True, leader=starter)
    state = evolve(state, turn=Turn(turn.number + 1, starter, why))
    state = evolve(state, agenda=state.agenda.push(Step("next_round")))
    return end_of_round(state, rule)


@rules.derives("next_round")
def next_round(state: Tableau, rule: Rule) -> Tableau:
    if state.round.number >= LAST_ROUND:
        return score_game(state, rule)
    rule.effect("BRM-END-4", True)
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
