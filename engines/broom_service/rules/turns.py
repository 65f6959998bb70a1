"""Que la compétition magique commence: leading, answering, and the duty to serve."""

from __future__ import annotations

from engines.broom_service.actions import LayDead, LeadClause, Pass, PlayRole, Role
from engines.broom_service.kit import BroomKit
from engines.broom_service.rules.book import (
    Rule,
    is_due,
    rules,
    score,
    seat_of,
    with_hand,
    with_turn,
)
from engines.broom_service.rules.performing import perform
from engines.broom_service.state import (
    Broom,
    Card,
    CardMode,
    Round,
    Turn,
    clockwise,
)
from engines.broom_service.state import Pass as Claim
from engines.kernel import Agenda, Duty, Step, Table, evolve


@rules.hears(PlayRole, LayDead)
def lay_card(state: Broom, action: PlayRole | LayDead, rule: Rule) -> Broom:
    mode: CardMode | None = "dead" if isinstance(action, LayDead) else action.mode
    asked = waiting(state, rule)
    if asked is None:
        return _lead(state, seat_of(action), action.role, mode, rule)
    return _answer(state, seat_of(action), action.role, mode, asked, rule)


def waiting(state: Broom, table: Table[BroomKit]) -> str | None:
    """Who has to answer next; nobody before a lead and after the last answer."""
    turn = state.turn
    if turn.led is None or (turn.dead and table.reading("dead_lead") == "skip"):
        return None
    for seat in clockwise(state, turn.leader)[1:]:
        hand = state.players[seat].hand
        if seat not in turn.answered and hand.held and not hand.has_laid(turn.led):
            return seat
    return None


# Leading


def _lead(state: Broom, seat: str, role: Role, mode: CardMode | None, rule: Rule) -> Broom:
    _check_round_has_begun(state, seat, rule)
    deed, turn = state.turn.deed, state.turn
    if deed is not None:
        rule("BRM-TRN-3", deed.seat != turn.claimant, seat=deed.seat)
        rule("BRM-TRN-4", deed.seat == turn.claimant, seat=deed.seat)
    if turn.led is not None:
        state = evolve(state, turn=next_lead(state), round=_called(state))
    turn, hand = state.turn, state.players[seat].hand
    rule(turn.why, seat == turn.leader, leader=turn.leader, seat=seat)
    rule("BRM-RND-5", hand.held > 0 and hand.may_hold(role), seat=seat, role=role)
    rule("BRM-SET-3", not hand.has_laid(role), seat=seat, role=role)
    _prove_false_passes(state, seat, role, rule)
    called = role in state.round.called
    rule("BRM-FOL-4", mode == "dead" or not called, role=role)
    rule("BRM-TRN-1", mode is not None and (mode != "dead" or called), role=role)
    _check_courage(state, seat, mode, rule)
    mode = mode or "dead"
    state = with_turn(
        _laid(state, seat, role, mode, rule),
        leader=seat,
        led=role,
        dead=mode == "dead",
        answered=(seat,),
    )
    if mode == "brave":
        state = _claim(state, seat)
    if mode == "coward":
        return perform(state, seat, role, False, "follow", rule)
    return evolve(state, agenda=Agenda().push(Step("follow")))


def _check_round_has_begun(state: Broom, seat: str, rule: Rule) -> None:
    rule("BRM-SET-11", not is_due(state.agenda, "cloud"), seat=seat)
    rule("BRM-RND-2", not any(is_due(state.agenda, due) for due in ("event", "cursed")), seat=seat)
    rule("BRM-RND-4", not is_due(state.agenda, "hand"), seat=seat)


def _check_courage(state: Broom, seat: str, mode: CardMode | None, rule: Rule) -> None:
    """Take heart: whoever calls a role is brave, and no tile helps him out of it."""
    brave = mode != "coward" or state.round.event != "take_heart"
    rule("BRM-EVT-6", brave, seat=seat)
    if "BRM-EVT-6" not in rule.aside:
        tiles = state.players[seat].hoard.tiles
        rule("BRM-FOR-11", brave or all(own.tile != "courage" for own in tiles), seat=seat)


def _claim(state: Broom, seat: str) -> Broom:
    state = evolve(state, round=evolve(state.round, last_brave=seat))
    return with_turn(state, claimant=seat)


# Answering


def _answer(
    state: Broom, seat: str, role: Role, mode: CardMode | None, asked: str, rule: Rule
) -> Broom:
    hand, turn = state.players[seat].hand, state.turn
    rule("BRM-RND-5", hand.held > 0, seat=seat, role=role)
    _check_order(state, seat, asked, rule)
    rule("BRM-TRN-8", role == turn.led, role=role, led=turn.led)
    rule("BRM-RND-5", hand.may_hold(role), seat=seat, role=role)
    rule("BRM-SET-3", not hand.has_laid(role), seat=seat, role=role)
    _prove_false_passes(state, seat, role, rule)
    rule("BRM-FOL-4", mode == "dead" or not turn.dead, role=role)
    rule("BRM-TRN-7", mode is not None and (mode != "dead" or turn.dead), role=role, seat=seat)
    mode = mode or "dead"
    state = _answered(_laid(state, seat, role, mode, rule), seat)
    if mode == "brave":
        state = _take_over(state, seat, rule)
    if mode == "coward":
        return perform(state, seat, role, False, "follow", rule)
    return evolve(state, agenda=Agenda().push(Step("follow")))


def _check_order(state: Broom, seat: str, asked: str | None, rule: Rule) -> None:
    turn, deed = state.turn, state.turn.deed
    rule("BRM-TRN-4", deed is None or deed.seat == turn.claimant, seat=seat)
    rule("BRM-TRN-5", seat == asked, seat=seat, asked=asked)
    early = asked is not None and seat != asked and seat not in turn.answered
    rule("BRM-TRN-20", not early, seat=seat, asked=asked)


def _answered(state: Broom, seat: str) -> Broom:
    """An answer also ends whatever cowardly action was left open before it."""
    return with_turn(state, answered=(*state.turn.answered, seat), deed=None)


def _take_over(state: Broom, seat: str, rule: Rule) -> Broom:
    before = state.turn.claimant
    rule.effect("BRM-TRN-11", before is None, seat=seat)
    if rule.effect("BRM-TRN-9", before is not None, seat=seat, deposed=before):
        state = with_turn(state, deposed=(*state.turn.deposed, before))
    return _claim(state, seat)


@rules.hears(Pass)
def say_next(state: Broom, action: Pass, rule: Rule) -> Broom:
    seat, turn = seat_of(action), state.turn
    hand, asked = state.players[seat].hand, waiting(state, rule)
    if turn.led is None:
        _check_round_has_begun(state, seat, rule)
        rule("BRM-RND-9", hand.held > 0 or hand.chosen is None, seat=seat)
        rule("BRM-TRN-1" if seat == turn.leader else "BRM-TRN-5", False, seat=seat, asked=None)
        return state
    rule("BRM-RND-9", hand.held > 0, seat=seat)
    _check_order(state, seat, asked, rule)
    sealed = hand.sealed is not None
    rule("BRM-FOL-11", not sealed or not hand.may_hold(turn.led), seat=seat, role=turn.led)
    if asked is None:
        return state
    if hand.held and not hand.has_laid(turn.led):
        state = _claim_to_lack(state, seat, turn.led, sealed, rule)
    state = with_turn(_answered(state, seat), passed=(*turn.passed, seat))
    return evolve(state, agenda=Agenda().push(Step("follow")))


# Le devoir de servir


def _claim_to_lack(state: Broom, seat: str, role: Role, sealed: bool, rule: Rule) -> Broom:
    """A pass says that the role is not in hand; only later cards can tell."""
    hand = state.players[seat].hand
    passes = (*hand.passes, Claim(role, state.turn.number, rule.number))
    if sealed:
        return with_hand(state, seat, passes=passes)
    rule.claim("BRM-FOL-2", seat=seat, role=role)
    uncalled = len(rule.kit.roles) - len(state.round.called | {role})
    if hand.held > uncalled and not state.turn.dead:
        entries = tuple(claim.entry for claim in passes)
        rule.proves("BRM-FOL-9", *entries, seat=seat, cards=hand.held, roles=uncalled)
    return with_hand(state, seat, passes=passes)


def _prove_false_passes(state: Broom, seat: str, role: Role, rule: Rule) -> None:
    """A card laid after a pass on its role shows that the pass was false."""
    false = [claim.entry for claim in state.players[seat].hand.passes if claim.role == role]
    if false:
        rule.proves("BRM-FOL-5", *false, seat=seat, role=role)


def _laid(state: Broom, seat: str, role: Role, mode: CardMode, rule: Rule) -> Broom:
    """A card leaves the hand: what it costs, and what it says about earlier passes."""
    hand = state.players[seat].hand
    held = max(0, hand.held - 1)
    laid = (*hand.laid, Card(role, mode))
    passes = tuple(
        evolve(claim, status="broken") if claim.role == role else claim for claim in hand.passes
    )
    true = [claim.entry for claim in passes if claim.status == "open"]
    if held == 0 and true and hand.sealed is None:
        rule.clears("BRM-FOL-10", *true, seat=seat)
        passes = tuple(
            evolve(claim, status="cleared") if claim.status == "open" else claim for claim in passes
        )
    state = with_hand(
        state,
        seat,
        held=held,
        chosen=max(hand.chosen or 0, held + len(laid)),
        laid=laid,
        passes=passes,
        sealed=None if hand.sealed is None else tuple(r for r in hand.sealed if r != role),
    )
    costs = mode != "dead" or rule.reading("dead_card_cursed") == "yes"
    cursed = role in state.round.cursed and costs
    if rule.effect("BRM-CUR-1", cursed, seat=seat, role=role, vp=rule.kit.scoring.cursed_vp):
        state = score(state, seat, rule.kit.scoring.cursed_vp)
    return state


# The course of a turn


@rules.derives("follow")
def follow(state: Broom, rule: Rule) -> Broom:
    turn, asked = state.turn, waiting(state, rule)
    rule.effect("BRM-FOL-7", turn.dead and asked is not None, role=turn.led, seat=asked)
    if asked is not None:
        return evolve(state, agenda=state.agenda.push(Duty("answer", asked), Step("follow")))
    alone = all(
        not player.hand.held for seat, player in state.players.items() if seat != turn.leader
    )
    rule.effect("BRM-TRN-19", turn.answered == (turn.leader,) and alone, seat=turn.leader)
    if turn.claimant is not None and turn.led is not None:
        return perform(state, turn.claimant, turn.led, True, "next_turn", rule)
    return evolve(state, agenda=state.agenda.push(Step("next_turn")))


@rules.derives("next_turn")
def next_turn(state: Broom, rule: Rule) -> Broom:
    turn = next_lead(state)
    over = all(player.hand.held == 0 for player in state.players.values())
    if over:
        return evolve(state, agenda=Agenda().push(Step("close_round")))
    return evolve(
        state, turn=turn, round=_called(state), agenda=Agenda().push(Duty("lead", turn.leader))
    )


def next_lead(state: Broom) -> Turn:
    """The last brave player leads, else the same one; whoever has no card is skipped."""
    turn = state.turn
    leader = turn.leader
    why: LeadClause = "BRM-TRN-16"
    if turn.claimant is not None:
        leader, why = turn.claimant, "BRM-TRN-15"
    holders = [seat for seat in clockwise(state, leader) if state.players[seat].hand.held]
    if holders and holders[0] != leader:
        leader, why = holders[0], "BRM-TRN-17"
    return Turn(turn.number + 1, leader, why)


def _called(state: Broom) -> Round:
    led = state.turn.led
    called = state.round.called | {led} if led is not None else state.round.called
    return evolve(state.round, called=called)
