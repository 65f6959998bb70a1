"""Que la compétition magique commence: leading, answering, and the duty to serve."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from engines.broom_service.actions import LayDead, LeadClause, Pass, PlayRole, Role
from engines.broom_service.kit import Box
from engines.broom_service.rules.book import (
    Rule,
    kinds_due,
    rules,
    score,
    with_hand,
)
from engines.broom_service.rules.performing import perform
from engines.broom_service.state import (
    HAND,
    Card,
    CardMode,
    Hand,
    Round,
    Tableau,
    Turn,
)
from engines.broom_service.state import Pass as Claim
from engines.kernel import Agenda, Duty, RuleContext, Step, clockwise, evolve

_FOLLOW = Agenda((Step("follow"),))
_CLOSE_ROUND = Agenda((Step("close_round"),))


@rules.hears(PlayRole, LayDead)
def lay_card(state: Tableau, action: PlayRole | LayDead, rule: Rule) -> Tableau:
    mode: CardMode | None = "dead" if isinstance(action, LayDead) else action.mode
    state, asked = evolve(state, closed=None), waiting(state, rule)
    if asked is None:
        return _lead(state, action.seat, action.role, mode, rule)
    return _answer(state, action.seat, action.role, mode, asked, rule)


def waiting(state: Tableau, table: RuleContext[Box]) -> str | None:
    """Who has to answer next; nobody before a lead and after the last answer."""
    skipped = state.turn.dead and table.reading("dead_lead") == "skip"
    return None if skipped else _next_to_answer(state)


def _next_to_answer(state: Tableau) -> str | None:
    turn = state.turn
    for seat in clockwise(state.options.seats, turn.leader)[1:]:
        hand = state.players[seat].hand
        if turn.led and seat not in turn.answered and hand.held and not hand.has_laid(turn.led):
            return seat
    return None


# Leading


def _lead(state: Tableau, seat: str, role: Role, mode: CardMode | None, rule: Rule) -> Tableau:
    if state.agenda:
        _check_round_has_begun(state, seat, rule)
        state = _with_hands_told(state, rule)
    deed, turn = state.turn.deed, state.turn
    if deed is not None and ends_aloud(rule):
        rule("BRM-TRN-3", deed.seat != turn.claimant, seat=deed.seat)
        rule("BRM-TRN-4", deed.seat == turn.claimant, acting=deed.seat)
    if turn.led is not None:
        state = evolve(state, turn=next_lead(state), round=_called(state))
    turn, hand = state.turn, state.players[seat].hand
    rule(turn.why, seat == turn.leader, leader=turn.leader, seat=seat)
    rule("BRM-RND-5", hand.held > 0 and hand.may_hold(role), seat=seat, role=role)
    rule("BRM-SET-3", not hand.has_laid(role), seat=seat, role=role)
    _prove_false_passes(hand, seat, role, rule)
    called = role in state.round.called
    rule("BRM-FOL-4", mode == "dead" or not called, role=role)
    rule("BRM-TRN-1", mode is not None and (mode != "dead" or called), role=role)
    if state.round.event == "take_heart":
        _check_courage(state, seat, role, mode, rule)
    rule.heard_out()
    mode = mode or "dead"
    state = _laid(state, seat, role, mode, rule)
    turn = evolve(turn, leader=seat, led=role, dead=mode == "dead", answered=(seat,))
    return _go_on(state, turn, seat, role, mode, rule)


def _go_on(
    state: Tableau, turn: Turn, seat: str, role: Role, mode: CardMode, rule: Rule
) -> Tableau:
    """After a card: a coward acts at once, a brave player claims and waits."""
    if mode == "coward":
        return perform(state, turn, seat, role, False, "follow", rule)
    if mode == "dead":
        return follow(evolve(state, turn=turn), rule)
    round = evolve(state.round, last_brave=seat)
    return follow(evolve(state, turn=_claimed(turn, seat, rule), round=round), rule)


def ends_aloud(table: RuleContext[Box]) -> bool:
    """Whether others wait until it is said that an action is over."""
    return table.reading("action_end") == "spoken"


def _check_round_has_begun(state: Tableau, seat: str, rule: Rule) -> None:
    due = kinds_due(state.agenda)
    rule("BRM-SET-11", "cloud" not in due, seat=seat)
    rule("BRM-RND-2", due.isdisjoint(("event", "cursed")), seat=seat)
    rule("BRM-RND-4", "hand" not in due, seat=seat)


def _with_hands_told(state: Tableau, rule: Rule) -> Tableau:
    """Nobody waited for a hand: where all have four cards, it has four."""
    if "hand" not in kinds_due(state.agenda) or state.round.event == "more_or_less":
        return state
    for seat, player in state.players.items():
        if player.hand.chosen is None and rule.effect("BRM-RND-3", True, seat=seat):
            cards = HAND + player.hand.extra
            state = with_hand(state, seat, chosen=cards, held=cards)
    return state


def _check_courage(
    state: Tableau, seat: str, role: Role, mode: CardMode | None, rule: Rule
) -> None:
    """Take heart: whoever calls a role must be brave, and no tile changes that."""
    brave = mode != "coward"
    rule("BRM-EVT-6", brave, seat=seat, role=role)
    if "BRM-EVT-6" not in rule.aside:
        tiles = state.players[seat].hoard.tiles
        rule("BRM-FOR-11", brave or all(own.tile != "courage" for own in tiles), seat=seat)


# Answering


def _answer(
    state: Tableau, seat: str, role: Role, mode: CardMode | None, asked: str, rule: Rule
) -> Tableau:
    hand, turn = state.players[seat].hand, state.turn
    rule("BRM-RND-5", hand.held > 0, seat=seat, role=role)
    _check_order(state, seat, asked, rule)
    rule("BRM-TRN-8", role == turn.led, role=role, led=turn.led)
    rule("BRM-RND-5", hand.may_hold(role), seat=seat, role=role)
    rule("BRM-SET-3", not hand.has_laid(role), seat=seat, role=role)
    _prove_false_passes(hand, seat, role, rule)
    rule("BRM-FOL-4", mode == "dead" or not turn.dead, role=role)
    rule("BRM-TRN-7", mode is not None and (mode != "dead" or turn.dead), role=role, seat=seat)
    rule.heard_out()
    mode = mode or "dead"
    state = _laid(state, seat, role, mode, rule)
    turn = evolve(turn, answered=(*turn.answered, seat), deed=None)
    return _go_on(state, turn, seat, role, mode, rule)


def _check_order(state: Tableau, seat: str, asked: str | None, rule: Rule) -> None:
    turn, deed = state.turn, state.turn.deed
    busy = deed is not None and deed.seat != turn.claimant and ends_aloud(rule)
    rule("BRM-TRN-4", not busy, acting=deed.seat if deed is not None else None)
    rule("BRM-TRN-5", seat == asked, seat=seat, asked=asked)
    early = asked is not None and seat != asked and seat not in turn.answered
    rule("BRM-TRN-20", not early, seat=seat, asked=asked)


def _claimed(turn: Turn, seat: str, rule: Rule) -> Turn:
    """A brave player claims the action, and takes it over from the brave player before them."""
    before = turn.claimant
    if before is None:
        return evolve(turn, claimant=seat)
    if rule.effect("BRM-TRN-9", True, seat=seat, deposed=before):
        return evolve(turn, claimant=seat, deposed=(*turn.deposed, before))
    return turn


@rules.hears(Pass)
def say_next(state: Tableau, action: Pass, rule: Rule) -> Tableau:
    seat, turn = action.seat, state.turn
    hand, asked = state.players[seat].hand, waiting(state, rule)
    if hand.chosen is not None and not hand.held and seat not in turn.answered:
        return state
    state = evolve(state, closed=None)
    if turn.led is None:
        _check_round_has_begun(state, seat, rule)
        rule("BRM-TRN-1" if seat == turn.leader else "BRM-TRN-5", False, seat=seat, asked=None)
        return state
    rule("BRM-RND-9", hand.held > 0, seat=seat)
    _check_order(state, seat, asked, rule)
    lacks = hand.sealed is None or turn.led not in hand.sealed
    rule("BRM-FOL-11", lacks, seat=seat, role=turn.led)
    if asked is None:
        return state
    if hand.held and not hand.has_laid(turn.led):
        state = _claim_to_lack(state, seat, turn.led, rule)
    answered, passed = (*turn.answered, seat), (*turn.passed, seat)
    turn = evolve(turn, answered=answered, passed=passed, deed=None)
    return follow(evolve(state, turn=turn), rule)


# Le devoir de servir


def _claim_to_lack(state: Tableau, seat: str, role: Role, rule: Rule) -> Tableau:
    """A pass says that the role is not in hand; only later cards can tell."""
    hand = state.players[seat].hand
    passes = (*hand.passes, Claim(role, state.turn.number, rule.number))
    if hand.sealed is not None:
        return with_hand(state, seat, passes=passes)
    rule.claim("BRM-FOL-2", seat=seat, role=role)
    uncalled = len(rule.kit.roles) - len(state.round.called | {role})
    if hand.held > uncalled and not state.turn.dead:
        rule.proves("BRM-FOL-9", *_entries(passes), seat=seat, cards=hand.held, roles=uncalled)
    return with_hand(state, seat, passes=passes)


def _prove_false_passes(hand: Hand, seat: str, role: Role, rule: Rule) -> None:
    """A card laid after a pass on its role shows that the pass was false."""
    false = [claim for claim in hand.passes if claim.role == role]
    if false:
        rule.proves("BRM-FOL-5", *_entries(false), seat=seat, role=role)


def _entries(claims: Iterable[Claim]) -> tuple[int, ...]:
    """The entries in which claims were made, each once (a declared position makes several)."""
    return tuple(dict.fromkeys([claim.entry for claim in claims]))


def _laid(state: Tableau, seat: str, role: Role, mode: CardMode, rule: Rule) -> Tableau:
    """A card leaves the hand: what it costs, and what it says about earlier passes."""
    hand = state.players[seat].hand
    held = max(0, hand.held - 1)
    laid = (*hand.laid, Card(role, mode))
    state = with_hand(
        state,
        seat,
        held=held,
        chosen=held + len(laid),
        laid=laid,
        passes=_settled(hand, role, seat, rule) if hand.passes else (),
        sealed=None if hand.sealed is None else tuple(r for r in hand.sealed if r != role),
    )
    if role not in state.round.cursed:
        return state
    vp = rule.kit.scoring.cursed_vp
    costs = mode != "dead" or rule.reading("dead_card_cursed") == "yes"
    return score(state, seat, vp) if rule.effect("BRM-CUR-1", costs, seat=seat, vp=vp) else state


def _settled(hand: Hand, role: Role, seat: str, rule: Rule) -> tuple[Claim, ...]:
    """The passes after a card of that role: the last card of a hand settles them all."""
    passes = hand.passes
    if role in [claim.role for claim in passes]:
        passes = tuple(
            evolve(claim, status="broken") if claim.role == role else claim for claim in passes
        )
    if hand.held > 1 or hand.sealed is not None:
        return passes
    true = _entries([claim for claim in passes if claim.status == "open"])
    if not true:
        return passes
    rule.clears("BRM-FOL-10", *true, seat=seat)
    return tuple(
        evolve(claim, status="cleared") if claim.status == "open" else claim for claim in passes
    )


# The course of a turn


@rules.derives("follow")
def follow(state: Tableau, rule: Rule) -> Tableau:
    turn, asked = state.turn, waiting(state, rule)
    if asked is not None:
        return evolve(state, agenda=_answer_of(asked))
    if turn.claimant is not None and turn.led is not None:
        return perform(state, turn, turn.claimant, turn.led, True, "next_turn", rule)
    return next_turn(state, rule)


@rules.reconsiders("answer")
def asked_before(state: Tableau, duty: Duty, rule: Rule) -> Tableau:
    """Who tells of a hand when a role is called already may have to answer before others."""
    if _next_to_answer(state) == duty.seat:
        return state
    return evolve(state, agenda=state.agenda.pop())


@rules.derives("next_turn")
def next_turn(state: Tableau, rule: Rule) -> Tableau:
    if not any(player.hand.held for player in state.players.values()):
        return evolve(state, agenda=_CLOSE_ROUND)
    turn = next_lead(state)
    if turn.leader != state.turn.leader:
        rule.effect(turn.why, True, leader=turn.leader)
    return evolve(state, turn=turn, round=_called(state), agenda=_lead_of(turn.leader))


@cache
def _answer_of(seat: str) -> Agenda:
    return _FOLLOW.push(Duty("answer", seat))


@cache
def _lead_of(seat: str) -> Agenda:
    return Agenda().push(Duty("lead", seat))


def next_lead(state: Tableau) -> Turn:
    """The last brave player leads, else the same one; whoever has no card is skipped."""
    turn = state.turn
    leader = turn.leader
    why: LeadClause = "BRM-TRN-16"
    if turn.claimant is not None:
        leader, why = turn.claimant, "BRM-TRN-15"
    holders = [
        seat for seat in clockwise(state.options.seats, leader) if state.players[seat].hand.held
    ]
    if holders and holders[0] != leader:
        leader, why = holders[0], "BRM-TRN-17"
    return Turn(turn.number + 1, leader, why)


def _called(state: Tableau) -> Round:
    led = state.turn.led
    called = state.round.called | {led} if led is not None else state.round.called
    return evolve(state.round, called=called)
