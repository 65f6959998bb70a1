"""Everything that lies on the table, and the laws by which nothing is lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from engines.kernel import Bag, Result, Setting, State, evolve
from engines.roundforest.kit import FACINGS, Board, Box

_QUARTERS = {facing: turns for turns, facing in enumerate(FACINGS)}


class Tile(Struct, frozen=True):
    id: str | None
    """None for a tile that was declared by its face."""
    symbols: tuple[str, ...]
    """The pairs N, E, S, W of the tile's face, inner then outer."""
    facing: str
    """Where the side called N now points."""
    turn: str
    well: bool
    turned: int = 0
    """The number of the action that turned it last."""

    def pair(self, direction: int) -> str:
        """The symbols that now point in a direction (0 = north, 1 = east…)."""
        return self.symbols[(direction - _QUARTERS[self.facing]) % 4]

    @property
    def face(self) -> str:
        """All pairs as they lie, from the north clockwise."""
        return "/".join(self.pair(direction) for direction in range(4))

    def rotated(self, quarters: int) -> str:
        """The facing after some quarter turns in the tile's own direction."""
        sign = 1 if self.turn == "cw" else -1
        return FACINGS[(_QUARTERS[self.facing] + sign * quarters) % 4]


class Forest(Struct, frozen=True):
    tiles: Mapping[str, Tile]
    contents: Mapping[str, str]
    """What lies on a tile: the colour of a chip, an object or a character."""
    gaps: Mapping[str, str]
    """Heavy objects lying between tiles."""
    left_by: Mapping[str, str]
    """Who left the object on a tile, where only others may take it."""

    @property
    def spirit_appeared(self) -> bool:
        return "spirit" in self.contents.values()


class Player(Struct, frozen=True):
    colour: str
    corner: str
    pos: str | None
    """The tile the pawn stands on; None while it waits on its backpack."""
    pack: tuple[str, ...]
    copper: int
    silver: int
    apples: int
    compasses: int
    debts: tuple[str, ...]


class Bags(Struct, frozen=True):
    black: Bag[str]
    aside: Bag[str]
    """Chips beside the forest."""
    blue: Bag[str]
    beside: tuple[str, ...]
    """Tokens of a bartered row that wait for the refill."""


class Cards(Struct, frozen=True):
    deck: tuple[str, ...]
    """What is in it, by name; its order is unknown."""
    face_up: tuple[str, ...]
    """Altruistic cards beside the fairy board."""
    met: str | None
    """The card drawn or fetched and not yet decided; of several the last."""
    by: str | None = None
    """Before whom it lies."""
    beneath: tuple[tuple[str, str], ...] = ()
    """Cards met before it and not answered either, with before whom they lie, the last one last."""

    @property
    def waiting(self) -> tuple[tuple[str, str], ...]:
        """Every card that waits for an answer and its seat, the last one first."""
        if self.met is None or self.by is None:
            return ()
        return ((self.met, self.by), *reversed(self.beneath))

    @property
    def unanswered(self) -> tuple[str, ...]:
        return tuple(card for card, _ in self.waiting)

    def lying(self, character: str, seat: str) -> Cards:
        """With a card taken out of the deck and laid before a player."""
        deck = without(self.deck, character)
        waiting = (*reversed(self.waiting), (character, seat))
        return evolve(self, deck=deck, **_waiting(waiting))

    def answered(self, character: str) -> Cards:
        """Without that card among those that wait; where it goes is the caller's to say."""
        waiting = [item for item in reversed(self.waiting) if item[0] != character]
        return evolve(self, **_waiting(tuple(waiting)))


def _waiting(cards: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    met, by = cards[-1] if cards else (None, None)
    return {"met": met, "by": by, "beneath": cards[:-1]}


class Supply(Struct, frozen=True):
    copper: int
    silver: int
    apples: int


class Held(Struct, frozen=True):
    """Objects drawn and not yet decided: one, or those of which the prince gives one."""

    objects: tuple[str, ...]
    source: str
    """The chip that led to the draw, ``blue`` or ``yellow``, or ``prince``."""
    seat: str
    """Who holds them."""
    beneath: Held | None = None
    """What was drawn before and is not decided either, where something was drawn once more."""


class Turn(Struct, frozen=True):
    seat: str
    done: frozenset[str] = frozenset()
    """Deeds of this turn: move, pause, object, barter, character, well, block."""
    left: str | None = None
    """The tile that the pawn has left."""
    skipped: tuple[str, ...] = ()
    """Clauses by which a step that usually comes was left out."""
    met: str | None = None
    """The character answered last."""
    resumes: str | None = None
    """Who is to play after it, where it was played out of turn."""
    chip: str | None = None
    """The chip, blue or yellow, that was reached: it says what a draw is for."""


class Tableau(State, frozen=True):
    seats: tuple[str, ...]
    hard: bool
    blocking: bool
    players: Mapping[str, Player]
    forest: Forest
    fairy: Mapping[str, tuple[str, ...]]
    bags: Bags
    cards: Cards
    supply: Supply
    turn: Turn
    last: Turn | None = None
    ahead: tuple[str, ...] = ()
    """Whose next turn was played already, out of turn."""
    held: Held | None = None
    winner: str | None = None

    @property
    def drawn(self) -> tuple[Held, ...]:
        """All that was drawn and is not decided, the last draw first."""
        found, held = [], self.held
        while held is not None:
            found.append(held)
            held = held.beneath
        return tuple(found)

    def held_by(self, seat: str) -> tuple[Held, ...]:
        return tuple(held for held in self.drawn if held.seat == seat)

    def met_by(self, seat: str) -> tuple[str, ...]:
        """The cards that lie before a player and wait for an answer, the last one first."""
        return tuple(card for card, by in self.cards.waiting if by == seat)

    def board(self, kit: Box) -> Board:
        return kit.board(len(self.seats))

    def here(self, seat: str) -> str | None:
        """What lies under a pawn."""
        pos = self.players[seat].pos
        return self.forest.contents.get(pos) if pos is not None else None

    def pawn_on(self, cell: str) -> str | None:
        for seat, player in self.players.items():
            if player.pos == cell:
                return seat
        return None

    def turn_meant(self, seat: str | None) -> Turn:
        """Who speaks right after a turn that has passed by itself still means that turn."""
        last = self.last
        if last is not None and not self.turn.done and seat in (None, last.seat):
            return last
        return self.turn

    def debtor(self, character: str) -> str | None:
        for seat, player in self.players.items():
            if character in player.debts:
                return seat
        return None


# small changes


def change_turn(state: Tableau, *deeds: str, **changes: Any) -> Tableau:
    turn = state.turn
    return evolve(state, turn=evolve(turn, done=turn.done.union(deeds), **changes))


def did(state: Tableau, seat: str, deed: str) -> Tableau:
    """The state with a deed noted, if it is one of the running turn."""
    return change_turn(state, deed) if seat == state.turn.seat else state


def into_bag(state: Tableau, *objects: str) -> Tableau:
    """Objects into the blue bag."""
    if not objects:
        return state
    return evolve(state, bags=evolve(state.bags, blue=state.bags.blue.add(*objects)))


def draws(objects: tuple[str, ...], source: str, seat: str) -> tuple[Held, ...]:
    """Objects drawn: each is decided by itself, save those of the prince."""
    if source == "prince":
        return (Held(objects, source, seat),) if objects else ()
    return tuple(Held((thing,), source, seat) for thing in objects)


def held_in_all(drawn: Iterable[Held]) -> Held | None:
    """Draws as they are kept in a state, given the last one first."""
    held: Held | None = None
    for draw in reversed(tuple(drawn)):
        held = evolve(draw, beneath=held)
    return held


def let_go(state: Tableau, held: Held, *objects: str) -> Tableau:
    """The state in which a player holds some objects of a draw no longer."""
    left = evolve(held, objects=without(held.objects, *objects))
    drawn = (left if draw is held else draw for draw in state.drawn)
    return evolve(state, held=held_in_all(draw for draw in drawn if draw.objects))


def set_aside(state: Tableau, chip: str) -> Tableau:
    return evolve(state, bags=evolve(state.bags, aside=state.bags.aside.plus({chip: 1})))


def put_content(state: Tableau, cell: str, thing: str) -> Tableau:
    forest = state.forest
    return evolve(state, forest=evolve(forest, contents={**forest.contents, cell: thing}))


def clear_content(state: Tableau, cell: str) -> Tableau:
    forest = state.forest
    contents = {key: thing for key, thing in forest.contents.items() if key != cell}
    if cell in forest.left_by:
        left_by = {key: seat for key, seat in forest.left_by.items() if key != cell}
        forest = evolve(forest, left_by=left_by)
    return evolve(state, forest=evolve(forest, contents=contents))


def without(objects: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    """The objects without one of each of those that are gone; what is missing is not missed."""
    left = list(objects)
    for thing in gone:
        if thing in left:
            left.remove(thing)
    return tuple(left)


def into_deck(cards: Cards, character: str) -> Cards:
    return evolve(cards, deck=tuple(sorted({*cards.deck, character})))


def out_of_deck(cards: Cards, character: str) -> Cards:
    return evolve(cards, deck=without(cards.deck, character))


# laws


def balance(state: Tableau, setting: Setting[Box]) -> Mapping[str, int]:
    """What is on the table beyond what was in the box (less, if negative)."""
    kit, bags, supply = setting.kit, state.bags, state.supply
    lying = Bag(state.forest.contents.values())
    chips = bags.black.plus(bags.aside).plus(lying)
    found = {f"chip.{colour}": chips[colour] - count for colour, count in kit.chips.items()}
    tokens = kit.tokens(state.hard)
    objects = _objects(state)
    found |= {kind: objects[kind] - tokens.get(kind, 0) for kind in kit.objects.count}
    cards = Bag((*state.cards.deck, *state.cards.face_up, *state.cards.unanswered))
    for player in state.players.values():
        cards = cards.add(*player.debts)
    found |= {name: cards[name] - 1 for name in kit.characters}
    players = state.players.values()
    found["copper"] = supply.copper + sum(p.copper for p in players) - kit.supply.copper
    found["silver"] = supply.silver + sum(p.silver for p in players) - kit.supply.silver
    found["apples"] = supply.apples + sum(p.apples for p in players) - kit.supply.apples
    return {name: difference for name, difference in found.items() if difference}


def _objects(state: Tableau) -> Bag[str]:
    objects = state.bags.blue.add(*state.bags.beside)
    objects = objects.plus(Bag(state.forest.contents.values()))
    objects = objects.add(*state.forest.gaps.values())
    for row in state.fairy.values():
        objects = objects.add(*row)
    for player in state.players.values():
        objects = objects.add(*player.pack)
    for held in state.drawn:
        objects = objects.add(*held.objects)
    return objects


def result(state: Tableau) -> Result | None:
    if state.winner is None:
        return None
    others = tuple(seat for seat in state.seats if seat != state.winner)
    return Result(((state.winner,), others), "RND-END-1", how="won", ranked=False)
