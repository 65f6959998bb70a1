"""Who has what: cards wherever their owner keeps them, tokens, and the Groves controlled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from engines.bloody_grove.kit import Box
from engines.bloody_grove.state import Hidden, Tableau
from engines.bloody_grove.worlds import (
    ANY,
    DECKED,
    HAND,
    HELD,
    Cards,
    cards_in,
    certain_in,
    known_ends,
    owned,
)
from engines.kernel import Hand, Holding, Holdings, Setting


def held(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    for seat, player in state.players.items():
        yield from (Holding(place, _card(face)) for place, face in _lying(state, seat))
        for place, card in _hidden(player.hidden, seat):
            if _face(card) not in setting.kit.base_faces:
                yield Holding(place, _card(card))
        for face in player.hidden.unseen:
            yield Holding(seat, _card(face))
        for number, column in enumerate(player.columns, start=1):
            tokens = sum(len(card.tokens) for card in column)
            yield Holding(f"grove{number}.{seat}", "token", tokens)
    yield from (Holding("box", _card(card)) for card in state.box)
    yield from (Holding("display", _card(card), count) for card, count in _displayed(state))
    if state.flow.step == "replace" and state.contest.taken and state.contest.winner:
        yield Holding(state.contest.winner, _card(state.contest.taken))
    yield Holding("reserve", "token", len(state.tokens.reserve))
    yield Holding("discard", "token", state.tokens.discard.size + len(state.tokens.loose))
    for number, grove in enumerate(state.groves, start=1):
        if grove.control is not None:
            yield Holding(grove.control, f"grove.{number}")


def lying(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    """Tokens by their labels instead of their number, and which way up things lie.

    A token that has left the Groves lies among the discarded ones, where no label tells it apart.
    """
    yield from (each for each in held(state, setting) if each.thing != "token")
    for seat, player in state.players.items():
        for number, column in enumerate(player.columns, start=1):
            for token in (token for card in column for token in card.tokens):
                yield Holding(f"grove{number}.{seat}", f"token.{token.label}")
                if token.value is not None:
                    yield Holding(f"up.{token.value}", f"turned_up.{token.label}")
        if player.turned:
            yield Holding(f"druid.{seat}", "upside_down")
    yield from (Holding("reserve", f"token.{label}") for label in state.tokens.reserve)
    for deck in state.elites.values():  # what leaves the display is turned by nobody
        yield from (Holding("display", f"face_down.{face}") for face in deck.unseen.elements())
    yield from (Holding("display", f"face_down.{face}") for face in sorted(state.venerables.unseen))
    for number, grove in enumerate(state.groves, start=1):
        if grove.animal is not None:
            yield Holding(f"row.{number}", f"grove_of.{grove.animal}")


def piles(state: Tableau, setting: Setting[Box]) -> Mapping[str, Sequence[str]]:
    """Columns from the Grove outwards, each card with its tokens, and what lies at the Druids."""
    found: dict[str, Sequence[str]] = {}
    for seat, player in state.players.items():
        for number, column in enumerate(player.columns, start=1):
            found[f"grove{number}.{seat}"] = [
                thing
                for card in column
                for thing in (_card(card.face), *(f"token.{token.label}" for token in card.tokens))
            ]
        found[f"druid.{seat}"] = [_card(face) for face in player.pile]
        for place, cards in _known_deck(player.hidden, seat).items():
            found[place] = [_card(card) for card in reversed(cards)]
    return found


def sizes(state: Tableau) -> Mapping[str, int]:
    hidden = {seat: player.hidden for seat, player in state.players.items()}
    return {f"hand.{seat}": own.hand for seat, own in hidden.items()} | {
        f"deck.{seat}": own.deck for seat, own in hidden.items()
    }


def hand(state: Tableau, setting: Setting[Box], seat: str) -> Hand:
    """The cards that may be in hand in one of the arrangements that are still possible."""
    hidden = state.players[seat].hidden
    if not hidden.hand:
        return Hand(frozenset(), frozenset())
    possible: set[str] = set()
    for card in cards_in(hidden.worlds, HAND):
        possible.update(hidden.unseen if card == ANY else (_face(card),))
    return Hand(frozenset(map(_face, certain_in(hidden.worlds, HELD))), frozenset(possible))


def _lying(state: Tableau, seat: str) -> Iterator[tuple[str, str]]:
    """The open cards of a player, and where they lie.

    A card that transforms lies beside the Druid only while there is somebody to recruit.
    """
    player, open_ = state.players[seat], state.open
    for number, column in enumerate(player.columns, start=1):
        yield from ((f"grove{number}.{seat}", card.face) for card in column)
    yield from ((f"druid.{seat}", face) for face in player.pile)
    if open_.beside is not None and seat == open_.seat:
        recruiting = open_.recruits or open_.recruited
        yield f"{'beside' if recruiting else 'druid'}.{seat}", open_.beside


def _hidden(hidden: Hidden, seat: str) -> Iterator[tuple[str, str]]:
    """The cards that everybody knows a player to have, and where, as far as it is known."""
    deck = _known_deck(hidden, seat)
    ends = Counter(card for cards in deck.values() for card in cards)
    within = Counter(certain_in(hidden.worlds, DECKED)) - ends
    in_hand = Counter(certain_in(hidden.worlds, HELD))
    somewhere = Counter(owned(hidden.worlds)) - ends - within - in_hand
    del somewhere[ANY]
    yield from ((f"{seat}.hand", card) for card in in_hand.elements())
    yield from ((place, card) for place, cards in deck.items() for card in cards)
    yield from ((f"{seat}.deck", card) for card in within.elements())
    yield from ((seat, card) for card in somewhere.elements())


def _known_deck(hidden: Hidden, seat: str) -> dict[str, Cards]:
    """The cards known to lie at the ends of a deck, from the top down: its whole order, or both
    ends."""
    top, under = known_ends(hidden.worlds)
    if len(top) == hidden.deck:
        return {f"{seat}.deck": top}
    return {f"{seat}.deck.top": top, f"{seat}.deck.under": under}


def points(state: Tableau) -> Mapping[str, int]:
    """Domination is counted once, at the end."""
    return state.outcome.domination if state.outcome is not None else dict.fromkeys(state.seats, 0)


def _displayed(state: Tableau) -> Iterator[tuple[str, int]]:
    """The Elites and Venerables that nobody has, turned up or not."""
    for deck in state.elites.values():
        yield from deck.unseen.items()
        if deck.shown is not None:
            yield deck.shown, 1
    yield from ((card, 1) for card in (*state.venerables.shown, *sorted(state.venerables.unseen)))


def _card(card: str) -> str:
    return f"card.{_face(card)}"


def _face(card: str) -> str:
    """The same, whether or not a card is written with its owner."""
    return card.rpartition(":")[2]


HOLDINGS = Holdings(
    held,
    points,
    lying,
    piles,
    sizes,
    lambda state: state.flow.round,
    hand=hand,
    in_hands=lambda setting: setting.kit.spirits,
)
