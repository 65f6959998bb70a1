"""What may come next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations

from engines.bloody_grove import actions as act
from engines.bloody_grove import worlds as hidden
from engines.bloody_grove.kit import ANIMALS, Box
from engines.bloody_grove.rules.book import rules, turn_seat
from engines.bloody_grove.rules.turns import can_be_moved, can_carry
from engines.bloody_grove.state import Tableau, generation, hidden_tokens
from engines.bloody_grove.worlds import ANY, BOTTOM, HAND
from engines.kernel import RuleContext

PLACES: tuple[act.Destination, ...] = ("hand", "top", "under")
SIDES: tuple[act.Side, ...] = ("left", "right")
GROVES = (1, 2, 3)


@rules.calls(act.Ruse)
@rules.calls(act.Arcane)
def cards_by_face(state: Tableau, table: RuleContext[Box]) -> dict[str, str]:
    """A card that lies once on the side of whoever acts, else of the other, needs no Grove.

    ``B:b1`` says on which side.
    """
    seat = state.open.seat or turn_seat(state, table)
    found: dict[str, str] = {}
    for side, prefix in ((state.other(seat), f"{state.other(seat)}:"), (seat, "")):
        lying = [
            (card.face, at)
            for at, column in enumerate(state.players[side].columns, start=1)
            for card in column
        ]
        often = Counter(face for face, _ in lying)
        once = {face: f"{prefix}{face}@{at}" for face, at in lying if often[face] == 1}
        found |= once | {f"{side}:{face}": place for face, place in once.items()}
    return found


@rules.offers(act.LayGroves)
def orders_of_groves(
    state: Tableau, seat: None, table: RuleContext[Box]
) -> Iterator[act.LayGroves]:
    return (act.LayGroves(order=order) for order in permutations(ANIMALS))


@rules.offers(act.ShowElite)
def elites_to_come(state: Tableau, seat: None, table: RuleContext[Box]) -> Iterator[act.ShowElite]:
    for deck in state.elites.values():
        yield from (act.ShowElite(face=face) for face in deck.unseen)


@rules.offers(act.ShowVenerables)
def venerables_to_come(
    state: Tableau, seat: None, table: RuleContext[Box]
) -> Iterator[act.ShowVenerables]:
    unseen = state.venerables.unseen
    plain = unseen - table.kit.red_backs
    count = table.kit.shown_venerables
    on_top = sorted(plain if len(plain) >= count else unseen)
    return (
        act.ShowVenerables(faces=faces) for faces in combinations(on_top, min(count, len(on_top)))
    )


@rules.offers(act.ChooseFirst)
def who_begins(state: Tableau, seat: None, table: RuleContext[Box]) -> Iterator[act.ChooseFirst]:
    return (act.ChooseFirst(player=player) for player in state.seats)


@rules.offers(act.Draw)
def draws(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Draw]:
    yield act.Draw(by=seat, count=min(table.kit.hand_draw, state.players[seat].hidden.deck))


@rules.offers(act.Look)
def looks(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Look]:
    return (act.Look(by=seat, token=token) for token in _reserve(state, table))


def _reserve(state: Tableau, table: RuleContext[Box]) -> tuple[str, ...]:
    if table.reading("token_tracking") == "heap":
        return (ANY,) if state.tokens.reserve else ()
    return state.tokens.reserve


def _possible(state: Tableau, seat: str, column: int) -> list[str]:
    """The faces that may be in a hand, or at the bottom of a deck."""
    player = state.players[seat].hidden
    cards = hidden.cards_in(player.worlds, column)
    elites = sorted(card for card in cards if card != ANY)
    return [*sorted(player.unseen), *elites] if ANY in cards else elites


@rules.offers(act.Invoke)
def invocations(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Invoke]:
    return (act.Invoke(by=seat, face=face) for face in _possible(state, seat, HAND))


@rules.offers(act.Transform)
def transformations(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Transform]:
    turns = (False, True) if table.reading("card_rotation") == "yes" else (False,)
    for face in _possible(state, seat, HAND):
        for side in SIDES:
            for turned in turns:
                yield act.Transform(by=seat, face=face, side=side, turned=turned)


@rules.offers(act.Recruit)
def recruits(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Recruit]:
    animals = table.kit.animals if state.contest.effects else state.open.recruits
    for animal in animals:
        yield from (act.Recruit(by=seat, animal=animal, to=to) for to in PLACES)


@rules.offers(act.Pass)
def passes(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Pass]:
    yield act.Pass(by=seat)


@rules.offers(act.End)
def ends(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.End]:
    yield act.End(by=seat)


Reference = tuple[str, act.Spot, int]
SPOTS: tuple[act.Spot, ...] = ("1", "2", "3")


def _references(state: Tableau, seat: str) -> Iterator[Reference]:
    """Face, Grove and number of every card on a player's side."""
    for spot, column in zip(SPOTS, state.players[seat].columns, strict=True):
        counted: dict[str, int] = {}
        for card in column:
            counted[card.face] = counted.get(card.face, 0) + 1
            if counted[card.face] <= act.MOST_ALIKE:
                yield card.face, spot, counted[card.face]


@rules.offers(act.Ruse)
def ruses(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Ruse]:
    for face, spot, nth in _references(state, seat):
        for to in GROVES:
            if abs(to - int(spot)) == 1 and can_be_moved(face, table):
                yield act.Ruse(by=seat, face=face, at=spot, nth=nth, to=to)


@rules.offers(act.Arcane)
def placements(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Arcane]:
    tokens = _reserve(state, table)
    for side in state.seats:
        named = None if side == seat else side
        for face, spot, nth in _references(state, side):
            if can_carry(face, seat, side, table.kit):
                for token in tokens:
                    yield act.Arcane(by=seat, token=token, face=face, at=spot, nth=nth, side=named)


@rules.offers(act.Stow)
def stows(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Stow]:
    yield act.Stow(by=seat, count=state.players[seat].hidden.hand)


@rules.offers(act.Reveal)
def reveals(state: Tableau, seat: None, table: RuleContext[Box]) -> Iterator[act.Reveal]:
    heap = state.tokens
    for label in heap.loose or tuple(hidden_tokens(state, state.contest.place)):
        for value in heap.pools[generation(label)]:
            yield act.Reveal(token=label, value=value)


@rules.offers(act.Take)
def venerables_to_take(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Take]:
    return (act.Take(by=seat, face=face) for face in state.venerables.shown)


@rules.offers(act.Replace)
def replacements(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Replace]:
    counted: dict[str, int] = {}
    for card in state.players[seat].columns[state.contest.place - 1]:
        counted[card.face] = counted.get(card.face, 0) + 1
        yield act.Replace(by=seat, face=card.face, nth=counted[card.face])


@rules.offers(act.Bottom)
def bottoms(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Bottom]:
    return (act.Bottom(by=seat, face=face) for face in _possible(state, seat, BOTTOM))
