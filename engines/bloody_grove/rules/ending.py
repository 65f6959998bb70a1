"""Fin d'une manche: hands under the decks, the three Groves, the Venerables, the count."""

from __future__ import annotations

from engines.bloody_grove import actions as act
from engines.bloody_grove.kit import DESTROY, Box
from engines.bloody_grove.rules.book import (
    PASSED_OVER,
    Rule,
    again,
    all_due,
    discard,
    due,
    elites_to_show,
    find,
    goes_on_from,
    known_label,
    laid,
    lay,
    owes,
    passed_over,
    put_away,
    reshuffle,
    rules,
    side_of,
    spirit,
    turn_seat,
    with_cards,
    with_column,
)
from engines.bloody_grove.rules.hidden import brought_out, moved, sizes_hand
from engines.bloody_grove.rules.setup import awaited, done_icon, logged, seal
from engines.bloody_grove.rules.turns import lapse_symbols, open_symbols, symbols_due
from engines.bloody_grove.state import (
    NOTHING_YET,
    Card,
    Contest,
    Last,
    Open,
    Outcome,
    Sighting,
    Tableau,
    Token,
    Venerables,
    Waiting,
    domination,
    domination_parts,
    generation,
    hidden_tokens,
    strength,
)
from engines.bloody_grove.trail import Move, settle
from engines.kernel import Duty, ParseError, Remark, evolve, with_player

GROVES = (1, 2, 3)


# 1. Hands go under the decks


@goes_on_from("stow")
def put_hands_under(state: Tableau, rule: Rule) -> Tableau:
    if state.flow.waiting:
        return owes(state, awaited(state))
    return _next_grove(evolve(state, contest=Contest()), rule)


@rules.hears(act.Stow)
def stow(state: Tableau, action: act.Stow, rule: Rule) -> Tableau:
    seat = action.seat
    held = state.players[seat].hidden
    if action.count != held.hand:
        rule.proves("GRV-HID-6", *sizes_hand(held), seat=seat)
    rule("GRV-END-4", action.count == held.hand, seat=seat, count=action.count, hand=held.hand)
    state = seal(state, seat, action.sealed, action.count, rule)
    move = Move(rule.number, "stow", amount=min(action.count, held.hand))
    state = with_player(state, seat, hidden=moved(held, move, rule.kit))
    return logged(state, "stow", seat)


# 2. The Groves, one by one


def _next_grove(state: Tableau, rule: Rule) -> Tableau:
    grove = state.contest.grove + 1
    if grove > len(GROVES):
        return _end_of_phase(state, rule)
    contest = Contest(grove, tied=state.contest.tied)
    return again(state, "reveal", contest=contest, open=Open())


@goes_on_from("reveal")
def reveal_tokens(state: Tableau, rule: Rule) -> Tableau:
    face_down = sum(1 for _ in hidden_tokens(state, state.contest.grove))
    if face_down:
        return owes(state, due("reveal", times=face_down))
    return _compare(rule.stage(_destroy(state, rule)), rule)


@rules.names_due("reveal")
def tokens_due(state: Tableau) -> Remark:
    if state.tokens.loose:
        return Remark("loose", {"tokens": state.tokens.loose})
    grove = state.contest.grove
    return Remark("reveal", {"tokens": tuple(hidden_tokens(state, grove)), "grove": grove})


@passed_over("reveal")
def without_tokens(state: Tableau, rule: Rule) -> Tableau:
    """Tokens that nobody turned up stay where they are, and count for nothing."""
    grove = state.contest.grove
    rule.warn("not_revealed", grove=grove, tokens=[*hidden_tokens(state, grove)])
    return _compare(rule.stage(_destroy(state, rule)), rule)


@rules.hears(act.Reveal)
def reveal(state: Tableau, action: act.Reveal, rule: Rule) -> Tableau:
    label = action.token
    known_label(state, label)
    if any(label in hidden_tokens(state, grove) for grove in GROVES[state.contest.grove :]):
        state = gone_on(state, rule)
        if state.over:
            return state
    heap = state.tokens
    loose = label in heap.loose
    here = label in hidden_tokens(state, state.contest.place)
    if state.flow.step == "reveal":
        rule("GRV-RES-1", here or loose, token=label, grove=state.contest.grove)
    elif heap.loose:
        rule("GRV-ARC-10", loose, token=label)
    on_card = any(label in hidden_tokens(state, grove) for grove in GROVES)
    if not (on_card or loose):
        return state  # it was read before, or lies in the reserve: nothing is turned up
    letter = generation(label)
    possible = action.value in heap.pools[letter]
    misread = [s.number for s in heap.sightings if s.what == f"{letter}={action.value}"]
    if not possible and misread:
        rule.proves("GRV-HID-6", *misread, token=label, value=action.value)
    rule("GRV-RES-4", possible, token=label, value=action.value)
    _open_looks(state, label, action.value, rule)
    pools = {**heap.pools, letter: heap.pools[letter].take(action.value)}
    sightings = (*heap.sightings, Sighting(rule.number, f"{letter}={action.value}"))
    heap = evolve(heap, pools=pools, sightings=sightings)
    if loose:
        left = tuple(other for other in heap.loose if other != label)
        heap = evolve(heap, loose=left, discard=heap.discard.add(action.value))
        return evolve(state, tokens=heap)
    return _turn_up(evolve(state, tokens=heap), Token(label, action.value))


def _open_looks(state: Tableau, label: str, value: str, rule: Rule) -> None:
    """Settle the sealed looks at this token, now that its value is known."""
    for seat, player in state.players.items():
        for note in player.seals:
            if note.token == label:
                settled = rule.clears if note.shown == (value,) else rule.proves
                settled("GRV-HID-7", note.number, seat=seat, token=label)


def _turn_up(state: Tableau, shown: Token) -> Tableau:
    def turned(card: Card) -> Card:
        tokens = (shown if token.label == shown.label else token for token in card.tokens)
        return Card(card.face, tuple(tokens))

    return with_cards(state, turned)


def _destroy(state: Tableau, rule: Rule) -> Tableau:
    """Cards under a destroying token leave before the totals are compared."""
    grove = state.contest.grove
    for seat in state.seats:
        for place in reversed(range(len(state.players[seat].columns[grove - 1]))):
            card = state.players[seat].columns[grove - 1][place]
            hit = any(token.value == DESTROY for token in card.tokens)
            if hit and rule.effect("GRV-ARC-12", True, seat=seat, face=card.face):
                state, card = put_away(state, seat, grove, place, rule.kit)
    return state


def _compare(state: Tableau, rule: Rule) -> Tableau:
    grove = state.contest.grove
    parts = {seat: strength(state, rule.kit, seat, grove) for seat in state.seats}
    told = {seat: {**part._asdict(), "total": part.total} for seat, part in parts.items()}
    rule.effect("GRV-STR-1", True, grove=grove, strength=told)
    if len({part.total for part in parts.values()}) == 1:
        rule.effect("GRV-RES-7", True, grove=grove)
        contest = evolve(state.contest, tied=True)
        return _leave_grove(evolve(state, contest=contest), rule)
    winner = max(state.seats, key=lambda seat: parts[seat].total)
    rule.effect("GRV-RES-6", True, grove=grove, winner=winner)
    groves = list(state.groves)
    groves[grove - 1] = evolve(groves[grove - 1], control=winner)
    contest = evolve(state.contest, tied=False, winner=winner)
    state = again(state, "take", groves=tuple(groves), contest=contest)
    if rule.reading("early_win") == "at_comparison" and _wins_early(state, rule):
        return _over(state, Outcome((winner,), "groves"), rule)
    return state


def _wins_early(state: Tableau, rule: Rule) -> bool:
    holders = {grove.control for grove in state.groves}
    winner = holders.pop() if len(holders) == 1 else None
    return rule.effect("GRV-WIN-1", winner is not None, winner=winner)


def _leave_grove(state: Tableau, rule: Rule) -> Tableau:
    """All of a Grove is done."""
    if state.open.elites:
        return owes(state, elites_to_show(state))
    if rule.reading("token_discard") == "grove":
        state = _discard_revealed(state, state.contest.grove, rule)
    return _next_grove(state, rule)


def _discard_revealed(state: Tableau, grove: int, rule: Rule) -> Tableau:
    """Face-up tokens leave their cards; face-down ones wait for their resolution."""
    for seat in state.seats:
        column = state.players[seat].columns[grove - 1]
        shown = [token for card in column for token in card.tokens if token.value is not None]
        labels = [token.label for token in shown]
        if shown and rule.effect("GRV-RES-10", True, grove=grove, tokens=labels):
            kept = tuple(
                Card(card.face, tuple(t for t in card.tokens if t.value is None)) for card in column
            )
            state = discard(with_column(state, seat, grove, kept), shown)
    return rule.stage(state)


def _end_of_phase(state: Tableau, rule: Rule) -> Tableau:
    for grove in GROVES:
        state = _discard_revealed(state, grove, rule)
    left = state.venerables.shown
    if rule.effect("GRV-RES-11", left, faces=left):
        venerables = Venerables((), state.venerables.unseen)
        state = evolve(state, venerables=venerables, box=(*state.box, *left))
    state = evolve(state, contest=Contest(tied=state.contest.tied), open=Open())
    if rule.reading("arcane_reshuffle") == "immediate":
        state = reshuffle(state, rule)
    winner = state.groves[-1].control
    if winner is not None and _wins_early(state, rule):
        return _over(state, Outcome((winner,), "groves"), rule)
    if state.flow.round >= rule.kit.rounds:
        return _count(state, rule)
    flow = evolve(state.flow, step="prepare", waiting=_to_prepare(state))
    return evolve(state, flow=flow)


# 3. The winner takes a Venerable


@goes_on_from("take")
def winner_takes(state: Tableau, rule: Rule) -> Tableau:
    if not state.venerables.shown:
        return _leave_grove(state, rule)
    return owes(state, due("take", state.contest.winner))


@rules.names_due("take")
def venerable_due(state: Tableau) -> Remark:
    return Remark("take", {"grove": state.contest.grove})


@rules.hears(act.Take)
def take(state: Tableau, action: act.Take, rule: Rule) -> Tableau:
    contest, seat = state.contest, action.seat
    shown = state.venerables.shown
    spirit(action.face, rule.kit)
    rule("GRV-VEN-2", action.face in shown, face=action.face, shown=shown)
    state = evolve(state, venerables=_taken(state.venerables, action.face))
    if state.flow.step != "take" or seat != contest.winner:
        return lay(state, seat, contest.place, Card(action.face))
    return again(state, "replace", contest=evolve(contest, taken=action.face))


@passed_over("take")
def without_a_venerable(state: Tableau, rule: Rule) -> Tableau:
    rule.warn("no_venerable", seat=state.contest.winner, grove=state.contest.grove)
    return _leave_grove(evolve(state, open=Open()), rule)


def _taken(there: Venerables, face: str) -> Venerables:
    """From the display; or, if it was taken so, from the face-down deck."""
    if face in there.shown:
        place = there.shown.index(face)
        return Venerables(there.shown[:place] + there.shown[place + 1 :], there.unseen)
    if face not in there.unseen:
        raise ParseError("not_there", what=face)
    return Venerables(there.shown, there.unseen - {face})


@goes_on_from("replace")
def winner_replaces(state: Tableau, rule: Rule) -> Tableau:
    """Where there is nothing that could be replaced, the Venerable comes beside the others."""
    contest, kit = state.contest, rule.kit
    seat, taken = contest.winner, contest.taken
    assert seat is not None
    assert taken is not None
    column = state.players[seat].columns[contest.grove - 1]
    if any(kit.kind(card.face) != "venerable" for card in column):
        return owes(state, due("replace", seat))
    return _placed(lay(state, seat, contest.grove, Card(taken)), rule)


@passed_over("replace")
def without_a_replacement(state: Tableau, rule: Rule) -> Tableau:
    """The Venerable lies in the column beside what it should have replaced."""
    contest = state.contest
    rule.warn("no_replacement", seat=contest.winner, face=contest.taken, grove=contest.grove)
    seat, taken = contest.winner, contest.taken
    assert seat is not None
    assert taken is not None
    return lay(_placed(state, rule), seat, contest.grove, Card(taken))


@rules.names_due("replace")
def replacement_due(state: Tableau) -> Remark:
    return Remark("replace", {"grove": state.contest.grove, "taken": state.contest.taken})


@rules.hears(act.Replace)
def replace(state: Tableau, action: act.Replace, rule: Rule) -> Tableau:
    kit, contest = rule.kit, state.contest
    seat = action.seat
    side = side_of(state, action.side, seat)
    if action.at == "druid":
        raise ParseError("no_such_card", card=f"{side}:{action.face}@druid")
    due = state.flow.step == "replace" and seat == contest.winner
    grove = int(action.at) if action.at is not None else contest.place
    place = find(state.players[side], grove, action.face, action.nth)
    at_home = side == seat and grove == contest.place and place is not None
    replaceable = spirit(action.face, kit).kind != "venerable"
    rule("GRV-VEN-3", at_home and replaceable, winner=contest.winner, grove=contest.grove)
    if place is None:
        raise ParseError("no_such_card", card=f"{side}:{action.face}@{grove}")
    state, old = put_away(state, side, grove, place, kit)
    rule.effect("GRV-VEN-4", True, face=old.face, tokens=[token.label for token in old.tokens])
    if not due:
        return state
    rest = state.players[side].columns[grove - 1]
    new = (Card(contest.taken),) if contest.taken is not None else ()
    state = _placed(rule.stage(state), rule)
    return with_column(state, side, grove, (*rest[:place], *new, *rest[place:]))


# Les Esprits Vénérables: their effects


def _placed(state: Tableau, rule: Rule) -> Tableau:
    taken = state.contest.taken
    effects = rule.kit.spirits[taken].effects if taken is not None else ()
    return again(state, "effects", contest=evolve(state.contest, effects=effects))


@goes_on_from("effects")
def carry_out_effects(state: Tableau, rule: Rule) -> Tableau:
    state = lapse_symbols(state, rule)
    if state.open.ruse or state.open.arcane:
        return owes(state, symbols_due(state))
    state = _lapse_effects(state, rule)
    left = state.contest.effects
    if not left:
        return _leave_grove(state, rule)
    icons = left[:1] if rule.reading("venerable_effects") == "printed_order" else left
    winner = state.contest.winner
    kinds = dict.fromkeys(icons)
    return owes(state, all_due(*(Duty(icon, winner, icons.count(icon)) for icon in kinds)))


@passed_over("effects")
def without_effects(state: Tableau, rule: Rule) -> Tableau:
    contest = state.contest
    rule.warn("no_effects", seat=contest.winner, effects=contest.effects)
    return _leave_grove(evolve(state, open=Open()), rule)


def gone_on(state: Tableau, rule: Rule) -> Tableau:
    """The table has gone on to the next Grove, or the next round: what was due is left behind."""
    while state.flow.step in ("take", "replace", "effects"):
        state = PASSED_OVER[state.flow.step](state, rule)
    return state


def _lapse_effects(state: Tableau, rule: Rule) -> Tableau:
    """Icons that can do nothing."""
    contest = state.contest
    if "look" in contest.effects:
        state = reshuffle(state, rule)
    winner = contest.winner
    assert winner is not None
    deck = state.players[winner].hidden.deck
    if "bottom" in contest.effects and not deck:
        rule.effect("GRV-VEF-8", True, seat=winner)
    usable = {
        "look": bool(state.tokens.reserve),
        "recruit": any(elites.shown is not None for elites in state.elites.values()),
        "bottom": deck > 0,
    }
    effects = tuple([icon for icon in contest.effects if usable[icon]])
    if effects == contest.effects:
        return state
    return evolve(state, contest=evolve(contest, effects=effects))


@rules.hears(act.Bottom)
def bottom(state: Tableau, action: act.Bottom, rule: Rule) -> Tableau:
    """The card under the deck comes into the column where the Venerable lies."""
    seat = action.seat
    rule("GRV-TURN-10", spirit(action.face, rule.kit).kind != "venerable", face=action.face)
    player, grove = state.players[seat], state.contest.place
    held = brought_out(player.hidden, seat, action.face, "bottom", "GRV-VEF-9", rule)
    rule.effect("GRV-VEF-6", True, face=action.face, grove=grove)
    columns = laid(player.columns, grove, Card(action.face))
    due = state.flow.step == "effects" and seat == state.contest.winner
    state = done_icon(state, seat, "bottom")
    if due and rule.reading("bottom_card_symbols") == "active":
        card = rule.kit.spirits[action.face]
        return open_symbols(state, seat, "bottom", card, hidden=held, columns=columns)
    return with_player(state, seat, hidden=held, columns=columns, last=Last("bottom"))


# Préparation d'une nouvelle manche


def _to_prepare(state: Tableau) -> tuple[Waiting, ...]:
    waiting = [Waiting("venerables")] if state.venerables.unseen else []
    waiting += [Waiting("draw", seat) for seat in state.seats if state.players[seat].hidden.deck]
    return tuple(waiting)


@goes_on_from("prepare")
def prepare(state: Tableau, rule: Rule) -> Tableau:
    if state.flow.waiting:
        return owes(state, awaited(state))
    groves, first = state.groves, state.flow.first
    if rule.effect("GRV-PREP-5", True):
        groves = tuple(evolve(grove, control=None) for grove in state.groves)
    last = turn_seat(evolve(state, flow=evolve(state.flow, turn=len(rule.kit.turn_sides))), rule)
    if rule.effect("GRV-PREP-6", True, first=last):
        first = last
    rule.effect("GRV-PREP-7", True)
    players = {seat: evolve(player, last=NOTHING_YET) for seat, player in state.players.items()}
    flow = evolve(state.flow, step="action", round=state.flow.round + 1, turn=1, first=first)
    contest = Contest()
    return evolve(state, groves=groves, players=players, flow=flow, contest=contest)


# Décompte des points


def _count(state: Tableau, rule: Rule) -> Tableau:
    points = {seat: domination(state, rule, seat) for seat in state.seats}
    piles = {seat: len(state.players[seat].pile) for seat in state.seats}
    rule.effect("GRV-GOAL-2", True, domination=points)
    parts = {seat: _addends(state, rule, seat) for seat in state.seats}
    rule.effect("GRV-CNT-1", True, domination=points, parts=parts)
    a, b = state.seats
    if points[a] != points[b]:
        winner = max(state.seats, key=lambda seat: points[seat])
        rule.effect("GRV-CNT-7", True, winner=winner, domination=points)
        return _over(state, Outcome((winner,), "domination", points), rule)
    winner = max(state.seats, key=lambda seat: piles[seat])
    if rule.effect("GRV-CNT-8", piles[a] != piles[b], winner=winner, piles=piles):
        return _over(state, Outcome((winner,), "pile", points), rule)
    rule.effect("GRV-CNT-9", True, piles=piles)
    return _over(state, Outcome(state.seats, "shared", points), rule)


def _addends(state: Tableau, rule: Rule, seat: str) -> dict[str, int]:
    """What the Domination of a player is made of."""
    *columns, transformation = domination_parts(state, rule, seat)
    named = {f"grove_{number}": worth for number, worth in enumerate(columns, start=1)}
    return {**named, "transformation": transformation, "total": sum(columns) + transformation}


def _over(state: Tableau, outcome: Outcome, rule: Rule) -> Tableau:
    _open_seals(state, rule)
    flow = evolve(state.flow, step="over")
    return evolve(state, flow=flow, outcome=outcome, agenda=state.agenda.clear())


def _open_seals(state: Tableau, rule: Rule) -> None:
    """What players sealed of their draws and stows is compared with the whole log."""
    for seat, player in state.players.items():
        trail, kit = player.hidden.trail, rule.kit
        numbers = {move.number for move in trail}
        seals = {seal.number: seal.shown for seal in player.seals if seal.number in numbers}
        if not seals:
            continue
        false = settle(trail, seals, unseen_at_start(state, seat, kit))
        for number in seals:
            settled = rule.proves if number in false else rule.clears
            settled("GRV-HID-7", number, seat=seat)


def unseen_at_start(state: Tableau, seat: str, kit: Box) -> tuple[str, ...]:
    held = state.players[seat].hidden
    shown = {move.face for move in held.trail if move.kind in ("play", "bottom")}
    return tuple(held.unseen | (shown & kit.base_faces))
