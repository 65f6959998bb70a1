"""Manche de jeu: invoking with Ruse and Arcane symbols, transforming with recruits."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import Any, Literal

from engines.bloody_grove import actions as act
from engines.bloody_grove.kit import Animal, Box, Halves, Spirit
from engines.bloody_grove.rules.book import (
    PASSED_OVER,
    Rule,
    active_grove,
    all_due,
    discard,
    due,
    elites_to_show,
    goes_on_from,
    laid,
    lay,
    owes,
    pick_from_pile,
    pick_up,
    refer,
    refilled,
    reserve_token,
    reshuffle,
    rules,
    side_of,
    spirit,
    turn_seat,
    with_cards,
    with_column,
)
from engines.bloody_grove.rules.hidden import brought_out, moved, shown_by
from engines.bloody_grove.rules.setup import done_icon, logged
from engines.bloody_grove.state import (
    NOTHING_YET,
    Ahead,
    Card,
    Hidden,
    Last,
    Open,
    Player,
    Symbol,
    Tableau,
    Token,
    Waiting,
    all_cards,
)
from engines.bloody_grove.trail import Move
from engines.bloody_grove.worlds import owned
from engines.kernel import GO_ON, Agenda, Duty, RuleContext, evolve, with_player

DRUID = "druid"


@goes_on_from("action")
def take_turn(state: Tableau, rule: Rule) -> Tableau:
    seat = turn_seat(state, rule)
    if state.players[seat].ahead:
        return _played_ahead(state, seat, rule)
    rule.effect("GRV-TURN-8", True, turn=state.flow.turn, grove=active_grove(state, rule.kit))
    return owes(state, due("action" if state.players[seat].hidden.hand else "pass", seat))


def _played_ahead(state: Tableau, seat: str, rule: Rule) -> Tableau:
    """The card of this turn was played before it: what it opens is open now."""
    first, *others = state.players[seat].ahead
    state = with_player(state, seat, ahead=tuple(others))
    if not first.transforms:
        return open_symbols(state, seat, "invoke", rule.kit.spirits[first.face])
    state = with_player(state, seat, last=Last("transform"))
    opened = Open(seat, recruits=first.recruits, elites=state.open.elites)
    flow = evolve(state.flow, step="recruit", actor=seat)
    return evolve(state, open=opened, flow=flow)


def is_turn_of(state: Tableau, seat: str, table: RuleContext[Box]) -> bool:
    return state.flow.step == "action" and seat == turn_seat(state, table)


@rules.hears(act.Pass)
def pass_turn(state: Tableau, action: act.Pass, rule: Rule) -> Tableau:
    seat = action.seat
    if not is_turn_of(state, seat, rule):
        return leave_behind(state, seat, rule)
    state = evolve(state, flow=evolve(state.flow, actor=seat))
    return close_turn(with_player(state, seat, last=NOTHING_YET), rule)


def close_turn(state: Tableau, rule: Rule) -> Tableau:
    """The turn cube goes on."""
    turn = state.flow.turn
    rule.effect("GRV-TURN-7", True, turn=turn)
    if turn < len(rule.kit.turn_sides):
        flow = evolve(state.flow, step="action", turn=turn + 1)
    else:
        holders = [seat for seat in state.seats if state.players[seat].hidden.hand]
        waiting = tuple(Waiting("stow", seat) for seat in holders)
        flow = evolve(state.flow, step="stow", waiting=waiting)
    return evolve(state, flow=flow, open=Open(elites=state.open.elites))


# Invoquer un Esprit


@rules.hears(act.Invoke)
def invoke(state: Tableau, action: act.Invoke, rule: Rule) -> Tableau:
    seat = action.seat
    own_turn = is_turn_of(state, seat, rule)
    card = spirit(action.face, rule.kit)
    state = _drawn_unsaid(state, seat, rule)
    active = _grove_of_the_turn(state, rule)
    rule("GRV-TURN-10", card.kind != "venerable", face=action.face)
    rule("GRV-INV-1", action.side in (None, seat), seat=seat, side=action.side)
    rule("GRV-INV-2", action.at in (None, active), grove=action.at, active=active)
    state, held = play(state, seat, action.face, rule)
    columns = laid(state.players[seat].columns, action.at or active, Card(action.face))
    if not own_turn:
        ahead = (*state.players[seat].ahead, Ahead(action.face))
        return with_player(state, seat, hidden=held, columns=columns, ahead=ahead)
    return open_symbols(state, seat, "invoke", card, hidden=held, columns=columns)


def _drawn_unsaid(state: Tableau, seat: str, rule: Rule) -> Tableau:
    """Who plays a card has drawn: a draw that is still to be logged is taken as done.

    It explains the card, so that nothing is held against what the seat has logged before.
    """
    held = state.players[seat].hidden
    if Waiting("draw", seat) not in state.flow.waiting or not rule.since("1.4"):
        return state
    count = min(rule.kit.hand_draw, held.deck)
    rule.warn("taken_as_drawn", seat=seat, count=count)
    held = moved(held, Move(rule.number, "draw", amount=count), rule.kit)
    return logged(with_player(state, seat, hidden=held), "draw", seat)


def _grove_of_the_turn(state: Tableau, rule: Rule) -> int:
    """The active Grove; before a round begins, that of its first turn."""
    if state.flow.step == "prepare" and rule.since("1.4"):
        return rule.kit.active_grove[0]
    return active_grove(state, rule.kit)


def play(state: Tableau, seat: str, face: str, rule: Rule) -> tuple[Tableau, Hidden]:
    """A card leaves the hand for good; it must be possible that it was there."""
    held = state.players[seat].hidden
    if (laid := _from_the_display(state, seat, face, rule)) is not None:
        return laid, held
    facts: dict[str, Any] = {"seat": seat, "face": face}
    if face in rule.kit.base_faces:
        clause, fresh = "GRV-HID-4", face in held.unseen
    else:
        clause, fresh = "GRV-HID-5", not _all_played(state, seat, face)
        facts["laid"] = face if _lies_open(state, seat, face) else None
    if not fresh and (shown := shown_by(held, face)):
        rule.proves("GRV-HID-6", *shown, seat=seat, face=face)
    rule(clause, fresh, **facts)
    return state, brought_out(held, seat, face, "play", "GRV-HID-3", rule)


def _from_the_display(state: Tableau, seat: str, face: str, rule: Rule) -> Tableau | None:
    """An Elite that nobody had recruited was played: as it happened, it leaves the display."""
    animal = rule.kit.spirits[face].animal
    if animal is None or face in owned(state.players[seat].hidden.worlds):
        return None
    deck = state.elites[animal]
    if deck.shown != face:
        return None
    rule("GRV-HID-3", False, seat=seat, face=face)
    opened = evolve(state.open, elites=refilled(state, animal, rule))
    return evolve(state, elites={**state.elites, animal: evolve(deck, shown=None)}, open=opened)


def _all_played(state: Tableau, seat: str, face: str) -> bool:
    """Whether every copy of an Elite that the seat recruited has left hand and deck."""
    player = state.players[seat]
    if face in owned(player.hidden.worlds):
        return False
    return _lies_open(state, seat, face) or bool(shown_by(player.hidden, face))


def _lies_open(state: Tableau, seat: str, face: str) -> bool:
    player = state.players[seat]
    on_table = any(card.face == face for column in player.columns for card in column)
    return on_table or face in player.pile


def open_symbols(
    state: Tableau,
    seat: str,
    kind: Literal["invoke", "transform", "bottom"],
    card: Spirit,
    **changes: Any,
) -> Tableau:
    """The Ruse and Arcane symbols of the card just played, and of no other."""
    before = state.players[seat].last if kind == "transform" else NOTHING_YET
    last = before._replace(
        kind=kind,
        ruse="open" if card.ruse else "never",
        arcane="open" if card.arcane else "never",
    )
    player = evolve(state.players[seat], last=last, **changes)
    return evolve(
        state,
        players={**state.players, seat: player},
        open=evolve(state.open, seat=seat, ruse=card.ruse, arcane=card.arcane),
        flow=evolve(state.flow, step="effects" if kind == "bottom" else "symbols", actor=seat),
    )


@goes_on_from("symbols")
def use_symbols(state: Tableau, rule: Rule) -> Tableau:
    if state.open.ruse or state.open.arcane:
        state = lapse_symbols(state, rule)
    if state.open.ruse or state.open.arcane:
        return owes(state, symbols_due(state))
    if state.open.elites:
        return owes(state, elites_to_show(state))
    return close_turn(state, rule)


def symbols_due(state: Tableau) -> Agenda:
    return _symbols_due(state.open.seat, state.open.ruse, state.open.arcane)


@cache
def _symbols_due(seat: str | None, ruse: int, arcane: int) -> Agenda:
    symbols = {"ruse": ruse, "arcane": arcane}
    open_ones = [Duty(kind, seat, n, optional=True) for kind, n in symbols.items() if n]
    return all_due(*open_ones, Duty("end", seat))


def lapse_symbols(state: Tableau, rule: Rule) -> Tableau:
    """Symbols for which there is no card to move or no token to place are lost."""
    seat = state.open.seat
    if state.open.arcane:
        state = reshuffle(state, rule)
        if not state.tokens.reserve:
            rule.effect("GRV-ARC-16", True, seat=seat)
            state = _closed(state, "arcane", "lapsed")
    if state.open.ruse and seat is not None:
        cards = chain.from_iterable(state.players[seat].columns)
        if not any(can_be_moved(card.face, rule) for card in cards):
            state = _closed(state, "ruse", "lapsed")
    return state


def _closed(state: Tableau, symbol: Literal["ruse", "arcane"], how: Symbol) -> Tableau:
    """No more symbols of that sort in this turn; remember why, for later questions."""
    seat = state.open.seat
    if seat is None or not getattr(state.open, symbol):
        return state
    last = state.players[seat].last
    last = last._replace(ruse=how) if symbol == "ruse" else last._replace(arcane=how)
    player = evolve(state.players[seat], last=last)
    return evolve(
        state,
        players={**state.players, seat: player},
        open=evolve(state.open, **{symbol: 0}),
    )


def _used(state: Tableau, seat: str, symbol: Literal["ruse", "arcane"], rule: Rule) -> Tableau:
    """One symbol is applied; an order of symbols may close the other sort."""
    left = getattr(state.open, symbol) - 1
    if left < 0 or seat != state.open.seat:
        return state
    if left == 0:
        state = _closed(state, symbol, "used")
    else:
        state = evolve(state, open=evolve(state.open, **{symbol: left}))
    order = rule.reading("symbol_order")
    if symbol == "ruse" and order == "arcane_first":
        state = _closed(state, "arcane", "closed")
    if symbol == "arcane" and order == "ruse_first":
        state = _closed(state, "ruse", "closed")
    return state


rules.ends_unsaid(
    act.End,
    "GRV-TURN-11",
    reading="turn_end",
    value="silence",
    fresh=lambda state: state.flow.step == "action",
)


def leave_behind(state: Tableau, seat: str, rule: Rule) -> Tableau:
    """The table has passed over what this seat owes, and goes on without it.

    Nobody leaves behind what another owes.
    """
    step = state.flow.step
    if Waiting("stow", seat) in state.flow.waiting:
        rule.warn("not_stowed", seat=seat, count=state.players[seat].hidden.hand)
        return logged(state, "stow", seat)
    if step == "reveal" or (step in PASSED_OVER and seat == state.contest.winner):
        return PASSED_OVER[step](state, rule)
    return evolve(state, agenda=GO_ON)


@rules.hears(act.End)
def end(state: Tableau, action: act.End, rule: Rule) -> Tableau:
    """Gives up what is left of the symbols, and of recruits where they may be declined."""
    seat = action.seat
    if seat != state.open.seat:
        return leave_behind(state, seat, rule)
    state = _closed(_closed(state, "ruse", "given_up"), "arcane", "given_up")
    return evolve(state, open=evolve(state.open, recruits=()))


def declines(table: RuleContext[Box]) -> bool:
    return table.reading("recruit_duty") == "no"


# Ruse


def can_be_moved(face: str, table: RuleContext[Box]) -> bool:
    return table.reading("ruse_venerables") == "yes" or table.kit.kind(face) != "venerable"


@rules.hears(act.Ruse)
def ruse(state: Tableau, action: act.Ruse, rule: Rule) -> Tableau:
    seat = action.seat
    side = side_of(state, action.side, seat)
    rule("GRV-RUSE-10", action.at != DRUID, face=action.face)
    rule("GRV-RUSE-2", side == seat, side=side)
    if action.at == DRUID:
        state = pick_from_pile(state, side, action.face)
        return _used(lay(state, side, action.to, Card(action.face)), seat, "ruse", rule)
    source = int(action.at)
    place = refer(state, side, action.face, source, action.nth)
    rule("GRV-RUSE-3", can_be_moved(action.face, rule), face=action.face)
    rule("GRV-RUSE-4", abs(source - action.to) == 1, source=source, to=action.to)
    state, card = pick_up(state, side, source, place)
    travels = rule.reading("ruse_tokens") == "travel"
    if card.tokens and not (travels and rule.effect("GRV-RUSE-8", True, tokens=_labels(card))):
        state, card = discard(state, card.tokens), Card(card.face)
    return _used(lay(state, side, action.to, card), seat, "ruse", rule)


def _labels(card: Card) -> list[str]:
    return [token.label for token in card.tokens]


# Arcanes


def can_carry(face: str, seat: str, side: str, kit: Box) -> bool:
    """Whether a seat may put a token on a card of that side: not on a foreign Venerable."""
    return side == seat or kit.kind(face) != "venerable"


@rules.hears(act.Arcane)
def arcane(state: Tableau, action: act.Arcane, rule: Rule) -> Tableau:
    seat = action.seat
    side = side_of(state, action.side, seat)
    token = reserve_token(state, action.token, rule)
    rule("GRV-ARC-14", token in state.tokens.reserve, token=token)
    rule("GRV-ARC-7", action.at != DRUID, face=action.face)
    if action.at == DRUID:
        return _used(state, seat, "arcane", rule)
    grove = int(action.at)
    place = refer(state, side, action.face, grove, action.nth)
    rule("GRV-ARC-5", can_carry(action.face, seat, side, rule.kit), face=action.face)
    rule.heard_out()
    state, held = _lift_token(state, token)
    if held is not None:
        column = state.players[side].columns[grove - 1]
        laden = Card(action.face, (*column[place].tokens, held))
        state = with_column(state, side, grove, (*column[:place], laden, *column[place + 1 :]))
    state = _used(state, seat, "arcane", rule)
    return reshuffle(state, rule) if rule.reading("arcane_reshuffle") == "immediate" else state


def _lift_token(state: Tableau, label: str) -> tuple[Tableau, Token | None]:
    """A token from the reserve; or, if it was taken so, from the card it lay on."""
    heap = state.tokens
    if label in heap.reserve:
        reserve = tuple(token for token in heap.reserve if token != label)
        return evolve(state, tokens=evolve(heap, reserve=reserve)), Token(label)
    lying = [token for card in all_cards(state) for token in card.tokens if token.label == label]

    def less(card: Card) -> Card:
        return Card(card.face, tuple(token for token in card.tokens if token not in lying))

    return with_cards(state, less), lying[0] if lying else None


# Transformer votre Druide


def touching(
    state: Tableau, table: RuleContext[Box], seat: str, action: act.Transform
) -> list[Animal]:
    """The recruit symbols that become whole: halves on both of the touching edges."""
    player, kit = state.players[seat], table.kit
    left, right = kit.spirits[action.face].edges(turned=action.turned)
    under_left, under_right = _edges_under(player, kit)
    ours, theirs = (right, under_left) if action.side == "left" else (left, under_right)
    return [animal for animal in kit.animals if animal in ours and animal in theirs]


def _edges_under(player: Player, kit: Box) -> tuple[Halves, Halves]:
    """Of the card a new one is connected to: the Transformation, or the Druid itself."""
    if player.transformation is not None:
        return kit.spirits[player.transformation].edges(turned=player.turned)
    druid = kit.druid_by_name[player.druid]
    return druid.left, druid.right


@rules.hears(act.Transform)
def transform(state: Tableau, action: act.Transform, rule: Rule) -> Tableau:
    seat = action.seat
    own_turn = is_turn_of(state, seat, rule)
    card = spirit(action.face, rule.kit)
    rule("GRV-TURN-10", card.kind != "venerable", face=action.face)
    may_turn = rule.reading("card_rotation") == "yes" if action.turned else True
    rule("GRV-TRF-6", may_turn, face=action.face)
    completed = touching(state, rule, seat, action)
    state, held = play(_drawn_unsaid(state, seat, rule), seat, action.face, rule)
    player = state.players[seat]
    if not own_turn:
        pile = (*player.pile, action.face)
        ahead = (*player.ahead, Ahead(action.face, True, tuple(completed)))
        return with_player(state, seat, hidden=held, pile=pile, turned=action.turned, ahead=ahead)
    rule.effect("GRV-TRF-3", True, completed=completed)
    player = evolve(player, hidden=held, last=Last("transform"))
    return evolve(
        state,
        players={**state.players, seat: player},
        open=Open(
            seat,
            recruits=tuple(completed),
            beside=action.face,
            turned=action.turned,
            elites=state.open.elites,
        ),
        flow=evolve(state.flow, step="recruit", actor=seat),
    )


@goes_on_from("recruit")
def go_on_recruiting(state: Tableau, rule: Rule) -> Tableau:
    seat, completed = state.open.seat, state.open.recruits
    there = tuple([animal for animal in completed if state.elites[animal].shown is not None])
    void = tuple([animal for animal in completed if animal not in there])
    for animal in void:
        rule.effect("GRV-REC-9", True, animal=animal)
    assert seat is not None
    last = state.players[seat].last
    state = with_player(state, seat, last=last._replace(void=(*last.void, *void)))
    if not there:
        return _become(state, rule)
    if there != completed:
        state = evolve(state, open=evolve(state.open, recruits=there))
    if declines(rule):
        may = Duty("recruit", seat, len(there), optional=True)
        return owes(state, all_due(may, Duty("end", seat)))
    return owes(state, due("recruit", seat, len(there)))


def _become(state: Tableau, rule: Rule) -> Tableau:
    """The card goes on the pile and is the Transformation from then on."""
    seat, face = state.open.seat, state.open.beside
    if seat is None or face is None:
        return close_turn(state, rule)
    rule.effect("GRV-TRF-8", True, face=face)
    pile = (*state.players[seat].pile, face)
    player = evolve(state.players[seat], pile=pile, turned=state.open.turned)
    state = evolve(
        state,
        players={**state.players, seat: player},
        open=evolve(state.open, recruits=(), beside=None),
        flow=evolve(state.flow, step="symbols"),
    )
    if rule.reading("transform_symbols") == "yes":
        return open_symbols(state, seat, "transform", rule.kit.spirits[face])
    return state


@rules.hears(act.Recruit)
def recruit(state: Tableau, action: act.Recruit, rule: Rule) -> Tableau:
    """By a completed symbol, or by the effect of a Venerable."""
    seat = action.seat
    by_icon = state.flow.step == "effects"
    animal = action.animal
    if state.open.recruits:
        rule("GRV-REC-8", animal not in state.open.recruited, animal=animal)
        lapsed = animal in state.players[seat].last.void
        clause = "GRV-REC-9" if lapsed else "GRV-REC-1"
        rule(clause, animal in state.open.recruits, animal=animal)
    elif by_icon:
        rule("GRV-REC-1", state.elites[animal].shown is not None, animal=animal)
    rule("GRV-VEF-3", not (by_icon and action.to == "hand"), to=action.to)
    top_allowed = by_icon or rule.reading("recruit_to_top") == "yes"
    rule("GRV-REC-4", action.to != "top" or top_allowed, to=action.to)
    if by_icon:
        state = done_icon(state, seat, "recruit")
    deck, open_ = state.elites[animal], state.open
    own = seat == open_.seat
    left = tuple([other for other in open_.recruits if other != animal or not own])
    if deck.shown is None:
        return evolve(state, open=evolve(open_, recruits=left))
    move = Move(rule.number, action.to, deck.shown)
    player = state.players[seat]
    last = player.last._replace(recruited=(*player.last.recruited, animal), by_icon=by_icon)
    player = evolve(player, hidden=moved(player.hidden, move, rule.kit), last=last)
    return evolve(
        state,
        players={**state.players, seat: player},
        elites={**state.elites, animal: evolve(deck, shown=None)},
        open=evolve(
            open_,
            recruits=left,
            recruited=(*open_.recruited, animal) if own and not by_icon else open_.recruited,
            elites=refilled(state, animal, rule),
        ),
    )
