"""The state of a table, its conservation laws, its result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from msgspec import Struct, field

from engines.bloody_grove import worlds as hidden
from engines.bloody_grove.actions import StepName
from engines.bloody_grove.kit import PER_ANIMAL, PER_VENERABLE, R1_LIMIT, Animal, Box, Effect
from engines.bloody_grove.trail import Trail
from engines.bloody_grove.worlds import ANY, Worlds
from engines.kernel import Bag, Result, RuleContext, Setting, State

LETTERS = "tuwxyz"
"""Generations of tokens; after the last letter they are doubled."""


NOTHING: Bag[str] = Bag()


class Token(NamedTuple):
    label: str
    value: str | None = None
    """None while it lies face down."""


class Card(NamedTuple):
    face: str
    tokens: tuple[Token, ...] = ()


Column = tuple[Card, ...]


class Waiting(NamedTuple):
    """Something the set-up or the preparation still has to log."""

    kind: str
    whose: str | None = None
    """A seat, or the animal of an Elite deck."""


class Flow(Struct, frozen=True):
    step: StepName
    round: int = 1
    turn: int = 1
    first: str | None = None
    waiting: tuple[Waiting, ...] = ()
    actor: str | None = None
    """Who acted last."""


class Open(Struct, frozen=True):
    """What the running turn, or the running effect, still allows or demands of a seat."""

    seat: str | None = None
    ruse: int = 0
    arcane: int = 0
    recruits: tuple[Animal, ...] = ()
    recruited: tuple[Animal, ...] = ()
    beside: str | None = None
    """The card laid at the Druid, until its recruits are done."""
    turned: bool = False
    """Whether it lies upside down."""
    elites: tuple[Animal, ...] = ()
    """Elite decks whose next card is to be shown."""


class Contest(Struct, frozen=True):
    """The Grove being resolved."""

    grove: int = 0
    winner: str | None = None
    tied: bool = False
    taken: str | None = None
    effects: tuple[Effect, ...] = ()

    @property
    def place(self) -> int:
        """The Grove for a card that comes at a moment when none is resolved."""
        return self.grove or 1


Symbol = Literal["never", "open", "used", "given_up", "lapsed", "closed"]


class Last(NamedTuple):
    """A seat's last action and what became of its symbols: for the citation only."""

    kind: Literal["none", "invoke", "transform", "bottom"] = "none"
    ruse: Symbol = "never"
    arcane: Symbol = "never"
    recruited: tuple[Animal, ...] = ()
    void: tuple[Animal, ...] = ()
    """Symbols that were whole and found no Elite."""
    by_icon: bool = False
    """Whether a Venerable has recruited."""


NOTHING_YET = Last()


class Ahead(NamedTuple):
    """A card played before the turn came: it is the card of that turn."""

    face: str
    transforms: bool = False
    recruits: tuple[Animal, ...] = ()
    """The symbols that it made whole."""


class Seal(NamedTuple):
    """What a player noted privately: faces drawn or stowed, the value of a token."""

    number: int
    token: str | None
    shown: tuple[str, ...]


class Hidden(Struct, frozen=True):
    """Hand and deck: their sizes are public, their cards are what may be."""

    hand: int
    deck: int
    worlds: Worlds
    unseen: frozenset[str]
    """Base Spirits that nobody but their owner has seen."""
    trail: Trail = ()


class Player(Struct, frozen=True):
    druid: str
    columns: tuple[Column, ...]
    hidden: Hidden
    pile: tuple[str, ...] = ()
    turned: bool = False
    """Whether the Transformation lies upside down."""
    looked: frozenset[str] = frozenset()
    last: Last = NOTHING_YET
    seals: tuple[Seal, ...] = ()
    ahead: tuple[Ahead, ...] = ()

    @property
    def transformation(self) -> str | None:
        return self.pile[-1] if self.pile else None


class Grove(Struct, frozen=True):
    animal: Animal | None = None
    control: str | None = None


class Sighting(NamedTuple):
    """An entry that showed something of which the box has only so many."""

    number: int
    what: str


class EliteDeck(Struct, frozen=True):
    shown: str | None
    unseen: Bag[str]
    sightings: tuple[Sighting, ...] = ()


class Venerables(Struct, frozen=True):
    shown: tuple[str, ...]
    unseen: frozenset[str]


class Tokens(Struct, frozen=True):
    reserve: tuple[str, ...]
    discard: Bag[str] = NOTHING
    pools: Mapping[str, Bag[str]] = field(default_factory=dict)
    """By generation: the values its hidden tokens must have."""
    issued: Mapping[str, int] = field(default_factory=dict)
    """By generation: how many labels it has."""
    loose: tuple[str, ...] = ()
    """Taken off a card, to be turned up and discarded."""
    sightings: tuple[Sighting, ...] = ()


class Outcome(Struct, frozen=True):
    winners: tuple[str, ...]
    how: Literal["groves", "domination", "pile", "shared"]
    domination: Mapping[str, int] = field(default_factory=dict)


class Tableau(State, frozen=True):
    seats: tuple[str, ...]
    flow: Flow
    groves: tuple[Grove, ...]
    players: Mapping[str, Player]
    elites: Mapping[Animal, EliteDeck]
    venerables: Venerables
    tokens: Tokens
    open: Open = Open()
    contest: Contest = Contest()
    box: tuple[str, ...] = ()
    outcome: Outcome | None = None

    def other(self, seat: str) -> str:
        return self.seats[1] if seat == self.seats[0] else self.seats[0]


# strength and Domination


class Strength(NamedTuple):
    """The four parts of a total, as the rulebook adds them up."""

    tokens: int = 0
    cards: int = 0
    transformation: int = 0
    grove: int = 0

    @property
    def total(self) -> int:
        return sum(self)


def strength(state: Tableau, kit: Box, seat: str, grove: int) -> Strength:
    """A player's strength at a Grove (1 to 3); face-down tokens do not count."""
    player = state.players[seat]
    column = player.columns[grove - 1]
    bonus_of = kit.spirits[player.pile[-1]].animal if player.pile else None
    grove_animal = state.groves[grove - 1].animal
    tokens = cards = transformation = local = 0
    for card in column:
        spirit = kit.spirits[card.face]
        if spirit.strength == PER_VENERABLE:
            cards += count_venerables(column, kit)
        else:
            cards += spirit.strength
        tokens += sum(int(t.value) for t in card.tokens if t.value and t.value.isdecimal())
        if spirit.animal is not None:
            transformation += spirit.animal == bonus_of
            local += spirit.animal == grove_animal
    return Strength(tokens, cards, transformation, local)


def count_venerables(column: Column, kit: Box) -> int:
    return sum(kit.kind(card.face) == "venerable" for card in column)


def domination(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    """What a player's columns and Transformation are worth."""
    return sum(domination_parts(state, table, seat))


def domination_parts(state: Tableau, table: RuleContext[Box], seat: str) -> tuple[int, ...]:
    """What each column is worth, and last the Transformation."""
    player = state.players[seat]
    columns = (_column_domination(column, table) for column in player.columns)
    if player.transformation is None:
        return (*columns, 0)
    printed = table.kit.spirits[player.transformation].domination
    return (*columns, printed if isinstance(printed, int) else 0)


def _column_domination(column: Column, table: RuleContext[Box]) -> int:
    kit = table.kit
    points = 0
    for place, card in enumerate(column, start=1):
        spirit = kit.spirits[card.face]
        if spirit.domination == PER_VENERABLE:
            points += count_venerables(column, kit)
        elif spirit.domination == PER_ANIMAL:
            points += min(R1_LIMIT, len(_different(column, table)))
        elif (
            spirit.kind == "venerable"
            or place == len(column)
            or table.reading("column_domination") == "all"
        ):
            points += spirit.domination
    return points


def _different(column: Column, table: RuleContext[Box]) -> set[str]:
    """What the red Venerable counts among the base and Elite Spirits beside it."""
    spirits = [table.kit.spirits[card.face] for card in column]
    if table.reading("r1_counts") == "animals":
        return {spirit.animal for spirit in spirits if spirit.animal is not None}
    return {spirit.id for spirit in spirits if spirit.kind != "venerable"}


# tokens


def generation(label: str) -> str:
    return label.rstrip("0123456789")


def next_generation(issued: Mapping[str, int]) -> str:
    repeats, letter = divmod(len(issued), len(LETTERS))
    return LETTERS[letter] * (repeats + 1)


def number_of(label: str) -> int:
    return int(label[len(generation(label)) :])


def hidden_tokens(state: Tableau, grove: int) -> Iterator[str]:
    """The face-down tokens on the cards of both players at a Grove."""
    for player in state.players.values():
        for card in player.columns[grove - 1]:
            for token in card.tokens:
                if token.value is None:
                    yield token.label


def all_cards(state: Tableau) -> Iterator[Card]:
    for player in state.players.values():
        for column in player.columns:
            yield from column


# conservation


def balance(state: Tableau, setting: Setting[Box]) -> dict[str, int]:
    """Every component is in exactly one place: what there is too much of, or too little."""
    kit = setting.kit
    laws = dict(_token_laws(state, kit))
    laws.update(_card_laws(state, kit))
    laws.update(_hidden_laws(state))
    return {law: difference for law, difference in laws.items() if difference}


def _card_laws(state: Tableau, kit: Box) -> Iterator[tuple[str, int]]:
    seen: Counter[str] = Counter(state.box)
    for seat, player in state.players.items():
        for face in open_cards(state, seat):
            seen[f"{seat}:{face}" if face in kit.base_faces else face] += 1
        seen.update(f"{seat}:{face}" for face in player.hidden.unseen)
        seen.update(card for card in hidden.owned(player.hidden.worlds) if card != ANY)
    for deck in state.elites.values():
        seen.update(deck.unseen)
        if deck.shown is not None:
            seen[deck.shown] += 1
    if state.flow.step == "replace" and state.contest.taken is not None:
        seen[state.contest.taken] += 1
    seen.update(state.venerables.shown)
    seen.update(state.venerables.unseen)
    printed: Counter[str] = Counter(kit.all_elites)
    printed.update(spirit.id for spirit in kit.venerables)
    printed.update(f"{seat}:{face}" for seat in state.seats for face in kit.base_faces)
    for face in sorted({*seen, *printed}):
        yield face, seen[face] - printed[face]


def open_cards(state: Tableau, seat: str) -> Iterator[str]:
    player = state.players[seat]
    yield from (card.face for column in player.columns for card in column)
    yield from player.pile
    if state.open.beside is not None and seat == state.open.seat:
        yield state.open.beside


def _hidden_laws(state: Tableau) -> Iterator[tuple[str, int]]:
    for seat, player in state.players.items():
        held = player.hidden
        hand, deck = hidden.sizes(held.worlds)
        unseen = hidden.owned(held.worlds).count(ANY)
        yield f"{seat} hand", hand - held.hand
        yield f"{seat} deck", deck - held.deck
        yield f"{seat} unseen", unseen - len(held.unseen)


def _token_laws(state: Tableau, kit: Box) -> Iterator[tuple[str, int]]:
    tokens = state.tokens
    placed = [token for card in all_cards(state) for token in card.tokens]
    known = Counter(token.value for token in placed if token.value is not None)
    face_down = [*tokens.reserve, *tokens.loose, *(t.label for t in placed if t.value is None)]
    for pool in tokens.pools.values():
        known.update(pool)
    known.update(tokens.discard)
    for value in sorted({*known, *kit.token_values}):
        yield f"token {value}", known[value] - kit.token_values[value]
    labels = Counter(generation(label) for label in face_down)
    for letter in sorted({*labels, *tokens.pools}):
        yield f"tokens {letter}", labels[letter] - tokens.pools.get(letter, NOTHING).size


# the end


CLAUSE_OF = {
    "groves": "GRV-WIN-1",
    "domination": "GRV-CNT-7",
    "pile": "GRV-CNT-8",
    "shared": "GRV-CNT-9",
}


def result(state: Tableau) -> Result | None:
    outcome = state.outcome
    if outcome is None:
        return None
    losers = tuple(seat for seat in state.seats if seat not in outcome.winners)
    places = (outcome.winners, losers) if losers else (outcome.winners,)
    return Result(places, CLAUSE_OF[outcome.how], dict(outcome.domination), f"how.{outcome.how}")
