"""The trail of one player's hidden cards: which entry moved what.

From it the referee names the entries that an impossible card proves wrong, and settles what
a player has sealed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from engines.bloody_grove import worlds as hidden
from engines.bloody_grove.worlds import ANY, BOTTOM, HAND, Worlds

MoveKind = Literal["start", "draw", "hand", "top", "under", "stow", "play", "bottom"]


class Move(NamedTuple):
    """What one entry did to the hidden cards."""

    number: int
    kind: MoveKind
    face: str = ""
    amount: int = 0
    worlds: Worlds = ()
    """Of a start: what was known then."""
    declared: bool = False
    """Of a start: that more was declared than the table could follow, and has been refuted."""


Trail = tuple[Move, ...]
Known = Callable[[str], str]
"""How a face is known to the referee: an Elite as itself, a base Spirit as ``ANY``."""


def follow(worlds: Worlds, move: Move, known: Known) -> Worlds:
    """What is possible after a move."""
    match move.kind:
        case "start":
            return move.worlds
        case "draw":
            return hidden.draw(worlds, move.amount)
        case "hand":
            return hidden.add_to_hand(worlds, known(move.face))
        case "top":
            return hidden.add_on_top(worlds, known(move.face))
        case "under":
            return hidden.add_under(worlds, known(move.face))
        case "stow":
            return hidden.stow(worlds, move.amount)
        case "play":
            return hidden.take(worlds, HAND, known(move.face))
        case "bottom":
            return hidden.take(worlds, BOTTOM, known(move.face))


def publicly(trail: Trail, known: Known) -> tuple[Trail, Worlds]:
    """The trail as the table can follow it, and what it leaves possible.

    Every move is seen by all. Where a trail starts, all that everybody knows is which cards
    are hidden and how many of them are in the hand; the very same trail, if nothing more
    was ever said.
    """
    start, *moves = trail
    cards = hidden.owned(start.worlds)
    if all(card == cards[0] for card in cards):
        return trail, ()
    worlds = hidden.unknown(cards, *hidden.sizes(start.worlds))
    if worlds == start.worlds and not start.declared:
        return trail, ()
    public = (start._replace(worlds=worlds, declared=False), *moves)
    for move in moves:
        worlds = follow(worlds, move, known)
    return public, worlds


def moved_sizes(hand: int, deck: int, move: Move) -> tuple[int, int]:
    """How many cards hand and deck have after a move."""
    match move.kind:
        case "draw":
            return hand + move.amount, deck - move.amount
        case "stow":
            return hand - move.amount, deck + move.amount
        case "hand":
            return hand + 1, deck
        case "top" | "under":
            return hand, deck + 1
        case "play":
            return hand - 1, deck
        case "bottom":
            return hand, deck - 1
        case "start":
            return hidden.sizes(move.worlds)


def culprits(trail: Trail, wrong: Move, known: Known) -> tuple[int, ...]:
    """The entries of which at least one must be wrong if ``wrong`` really happened.

    The shortest end of the trail that still excludes it, whatever was true before: what
    does not contradict it without knowledge of the past is no proof against the past.
    """
    before = _knowing_nothing(trail, known)
    first, last = 0, len(trail)
    while last - first > 1:
        middle = (first + last) // 2
        worlds = before[middle]
        for move in trail[middle:]:
            worlds = follow(worlds, move, known)
        if follow(worlds, wrong, known):
            last = middle
        else:
            first = middle
    return tuple(dict.fromkeys(move.number for move in trail[first:] if move.number))


def _knowing_nothing(trail: Trail, known: Known) -> list[Worlds]:
    """Before each move: only which cards are hidden, and how many in the hand."""
    worlds: Worlds = ()
    before: list[Worlds] = []
    for move in trail:
        hand, deck = hidden.sizes(worlds)
        before.append(hidden.unknown(hidden.owned(worlds), hand, deck) if worlds else ())
        worlds = follow(worlds, move, known)
    return before


def settle(trail: Trail, seals: Mapping[int, tuple[str, ...]], base: tuple[str, ...]) -> set[int]:
    """The sealed entries that cannot be true, each judged with the true ones before it.

    ``base`` are the base Spirits that were unseen when the trail began.
    """
    false: set[int] = set()
    for number in sorted(seals):
        believed = {n: cards for n, cards in seals.items() if n <= number and n not in false}
        if not _possible(trail, believed, base):
            false.add(number)
    return false


def _possible(trail: Trail, seals: Mapping[int, tuple[str, ...]], base: tuple[str, ...]) -> bool:
    worlds: Worlds = ()
    for move in trail:
        sealed = seals.get(move.number)
        if move.kind == "start":
            worlds = _named(move.worlds, base)
        elif sealed is None:
            worlds = follow(worlds, move, lambda face: face)
        elif move.kind == "draw":
            worlds = hidden.draw_these(worlds, sealed)
        else:
            worlds = hidden.stow_these(worlds, sealed)
        if not worlds:
            return False
    return True


def hand_told(trail: Trail, seals: Mapping[int, tuple[str, ...]]) -> tuple[str, ...]:
    """The hand as its owner has told it; nothing, once a card went in or out without a word."""
    hand: list[str] = []
    for move in trail:
        told = seals.get(move.number)
        gone: tuple[str, ...] = ()
        if hidden.sizes(move.worlds)[0] or (move.amount and told is None):
            return ()
        if move.kind == "draw":
            hand += told or ()
        elif move.kind == "hand":
            hand.append(move.face)
        elif move.kind == "stow":
            gone = told or ()
        elif move.kind == "play":
            gone = (move.face,)
        for face in gone:
            if face not in hand:
                return ()
            hand.remove(face)
    return tuple(hand)


def contradiction(
    trail: Trail, so_far: int, hand: tuple[str, ...], base: tuple[str, ...]
) -> int | None:
    """Whether exactly these cards can have been the hand after so many moves.

    None if they can, with all moves since; else the first entry that they contradict, 0 if
    they were never possible at all.
    """
    worlds: Worlds = ()
    for place, move in enumerate(trail):
        if place == so_far:
            worlds = _with_hand(worlds, hand)
            if not worlds:
                return 0
        if move.kind == "start":
            worlds = _named(move.worlds, base)
        else:
            worlds = follow(worlds, move, lambda face: face)
        if not worlds:
            return move.number
    return None if so_far < len(trail) or _with_hand(worlds, hand) else 0


def _with_hand(worlds: Worlds, hand: tuple[str, ...]) -> Worlds:
    """Only the worlds whose hand is exactly this one."""
    if hidden.sizes(worlds)[0] != len(hand):
        return ()
    for card in hand:
        worlds = hidden.take(worlds, HAND, card)
    for card in hand:
        worlds = hidden.add_to_hand(worlds, card)
    return worlds


def _named(worlds: Worlds, base: tuple[str, ...]) -> Worlds:
    """The worlds with unknown cards (``ANY``) replaced by the names of all base Spirits.

    An upper bound: it may allow more than is possible, and never less."""
    named = []
    for world in worlds:
        all_rows = list(hidden.rows_of(world))
        vague = [row for row in all_rows if ANY in row.cards]
        rows = [(row.cards, row.spread) for row in all_rows if ANY not in row.cards]
        if vague:
            elites = (card for row in vague for card in row.cards if card != ANY)
            spread = tuple(map(sum, zip(*(row.spread for row in vague), strict=True)))
            rows.append(((*elites, *base), spread))
        named.append(rows)
    return hidden.made(named)
