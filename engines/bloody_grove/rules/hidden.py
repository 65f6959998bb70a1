"""Hidden cards: what moves them, what may come out, what an impossible card proves."""

from __future__ import annotations

from collections.abc import Callable

from engines.bloody_grove import worlds as hidden
from engines.bloody_grove.kit import Box
from engines.bloody_grove.rules.book import Rule
from engines.bloody_grove.state import Hidden
from engines.bloody_grove.trail import Move, MoveKind, culprits, follow, moved_sizes, publicly
from engines.bloody_grove.worlds import ANY, BOTTOM, HAND
from engines.kernel import ParseError, evolve


def known_as(kit: Box) -> Callable[[str], str]:
    """How the referee knows a hidden card: a base Spirit is one of the unseen."""
    return lambda face: ANY if face in kit.base_faces else face


def moved(before: Hidden, move: Move, kit: Box) -> Hidden:
    """After a move that is possible."""
    worlds = follow(before.worlds, move, known_as(kit))
    hand, deck = moved_sizes(before.hand, before.deck, move)
    unseen = before.unseen - {move.face} if move.kind in ("play", "bottom") else before.unseen
    trail = (*before.trail, move)
    return evolve(before, hand=hand, deck=deck, worlds=worlds, unseen=unseen, trail=trail)


def brought_out(
    before: Hidden, seat: str, face: str, kind: MoveKind, clause: str, rule: Rule
) -> Hidden:
    """A card came out of the hand or from under the deck: it must have been possible there.

    If it was not, some entry since it was last certain must be wrong. If it stands all the
    same, nothing is known any more but what the table could follow, if that allows it, else
    which cards are hidden. The trail is marked: were nothing hidden any more, that would tell
    the table which hand had been declared.
    """
    move, known = Move(rule.number, kind, face), known_as(rule.kit)
    place = HAND if kind == "play" else BOTTOM
    is_hidden = face in before.unseen or face in hidden.owned(before.worlds)
    possible = is_hidden and known(face) in hidden.cards_in(before.worlds, place)
    if not possible:
        wrong = culprits(before.trail, move, known) if is_hidden else shown_by(before, face)
        if wrong:
            rule.proves("GRV-HID-6", *wrong, seat=seat, face=face)
    rule(clause, possible, seat=seat, face=face)
    if possible:
        return moved(before, move, rule.kit)
    if not is_hidden or known(face) not in hidden.owned(before.worlds):
        raise ParseError("not_there", what=f"{seat}:{face}")
    trail, worlds = publicly(before.trail, known)
    if known(face) in hidden.cards_in(worlds, place):
        start, *moves = trail
        trail = (start._replace(declared=True), *moves)
        return moved(evolve(before, trail=trail, worlds=worlds), move, rule.kit)
    return _surprised(before, move, known(face), place)


def _surprised(before: Hidden, move: Move, card: str, place: int) -> Hidden:
    """What is hidden after a card came out that could not be there: only the counts are known."""
    from_hand = before.hand > 0 and (place == HAND or before.deck == 0)
    hand, deck = before.hand - from_hand, before.deck - (not from_hand)
    left = list(hidden.owned(before.worlds))
    left.remove(card)
    worlds = hidden.unknown(left, hand, deck)
    start = Move(move.number, "start", worlds=worlds)
    return Hidden(hand, deck, worlds, before.unseen - {move.face}, (start,))


def shown_by(held: Hidden, face: str) -> list[int]:
    """The entries that brought this face out of hand or deck."""
    out = (move for move in held.trail if move.kind in ("play", "bottom") and move.face == face)
    return [move.number for move in out if move.number]


def sizes_hand(held: Hidden) -> list[int]:
    """The entries from which the size of a hand is derived: all since it was last put under."""
    numbers: list[int] = []
    for move in held.trail:
        if move.kind == "stow":
            numbers.clear()
        elif move.number:
            numbers.append(move.number)
    return numbers
