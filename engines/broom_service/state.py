"""The state of a table, what must always add up in it, and how it is declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct, field

from engines.broom_service.actions import (
    ROLES,
    Event,
    ForestTile,
    LeadClause,
    Resource,
    Role,
)
from engines.broom_service.kit import BoardSide, Box
from engines.kernel import Bag, Group, Result, Setting, State

CardMode = Literal["brave", "coward", "dead"]
PassStatus = Literal["open", "cleared", "broken"]
LAST_ROUND = 7
HAND = 4
"""How many roles are taken in hand in an ordinary round."""
PAWNS: tuple[Literal["1", "2"], ...] = ("1", "2")


class Options(Struct, frozen=True):
    """What the table chose when it opened."""

    seats: tuple[str, ...]
    colours: Mapping[str, str]
    first: str
    side: Literal["front", "back"]
    variants: frozenset[str]
    removed: int

    @property
    def cursed_roles(self) -> int:
        """How many roles are cursed in a round: players and cursed roles make five."""
        return 5 - len(self.seats)


class Board(Struct, frozen=True):
    clouds: Mapping[str, str]
    """Cloud space to cloud; chased clouds are gone."""
    occupied: frozenset[str]
    tiles: Mapping[str, str]
    """Region to landscape tile."""
    discarded: tuple[str, ...] = ()
    """Forest tiles that were used."""


class Stock(Struct, frozen=True):
    """What was not seen yet, or went back to the box."""

    clouds: Bag[str]
    tiles: Bag[str]
    seen: tuple[Event, ...] = ()
    """Events of earlier rounds."""
    stack: frozenset[Role] = frozenset(ROLES)
    """Roles still in the stack of cursed roles."""
    told: Mapping[str, int] = field(default_factory=dict)
    """Events, roles, and spaces and regions with their pieces, to the entries that told of them."""

    def entries(self, names: Iterable[str]) -> tuple[str, ...]:
        """The entries in which these were told, as they are written."""
        numbers = sorted({self.told[name] for name in names if name in self.told})
        return tuple(f"#{number}" for number in numbers)


class Card(Struct, frozen=True):
    """A role laid before its owner."""

    role: Role
    mode: CardMode
    tile: ForestTile | None = None
    """The forest tile used with it."""


class Pass(Struct, frozen=True):
    """A claim not to hold a role."""

    role: Role
    turn: int
    entry: int
    status: PassStatus = "open"


class Hand(Struct, frozen=True):
    """The cards of one seat in this round."""

    chosen: int | None = None
    """How many cards were taken in hand; nothing before the choice."""
    held: int = 0
    laid: tuple[Card, ...] = ()
    passes: tuple[Pass, ...] = ()
    sealed: tuple[Role, ...] | None = None
    """The cards still held, if they were deposited with the referee."""
    extra: bool = False
    """Whether a card tile was used."""

    def has_laid(self, role: Role) -> bool:
        return role in [card.role for card in self.laid]

    def may_hold(self, role: Role) -> bool:
        return self.sealed is None or role in self.sealed


class HeldTile(Struct, frozen=True):
    tile: ForestTile
    round: int
    turn: int
    """When it was taken."""


class Hoard(Struct, frozen=True):
    """What a seat has won and keeps openly."""

    clouds: tuple[str, ...] = ()
    bolts: int = 0
    earlier_bolts: int = 0
    """Bolts of clouds chased before a declared position, whose types are not known."""
    amulets: tuple[str, ...] = ()
    tiles: tuple[HeldTile, ...] = ()


class Player(Struct, frozen=True):
    vp: int
    resources: Mapping[Resource, int]
    pawns: Mapping[str, str]
    hand: Hand = Hand()
    hoard: Hoard = Hoard()

    @property
    def wealth(self) -> int:
        return sum(self.resources.values())


class Deed(Struct, frozen=True):
    """A card in the middle of being performed."""

    seat: str
    role: Role
    brave: bool
    """Whether the brave action is performed (also by a courageous coward)."""
    begun: bool = False
    pawn: str | None = None
    """The pawn a witch has moved, and where it arrived."""
    place: str | None = None
    hill: str | None = None
    """The hill from which a pawn was flown on."""
    spent: tuple[str, ...] = ()
    """What was done, as ``kind.source``."""
    squares: tuple[str, ...] = ()
    """The sources of the deliveries to square towers."""


class Closed(Struct, frozen=True):
    """An action that has just ended by itself: whoever tries to go on with it is judged in it."""

    deed: Deed
    turn: Turn
    duties: Group


class Untimely(Struct, frozen=True):
    """What a seat has done of the led role when it was not its time, and what is left of it.

    It counts as the seat's action once that is due.
    """

    deed: Deed
    duties: Group


class Turn(Struct, frozen=True):
    number: int
    leader: str
    why: LeadClause
    """The clause that made this seat the leader."""
    led: Role | None = None
    dead: bool = False
    claimant: str | None = None
    deposed: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    deed: Deed | None = None
    untimely: tuple[Untimely, ...] = ()

    def untimely_of(self, seat: str) -> Untimely | None:
        return next((done for done in self.untimely if done.deed.seat == seat), None)

    def without_untimely(self, seat: str) -> tuple[Untimely, ...]:
        return tuple(done for done in self.untimely if done.deed.seat != seat)


class Round(Struct, frozen=True):
    number: int
    event: Event | None = None
    cursed: tuple[Role, ...] = ()
    called: frozenset[Role] = frozenset()
    """Roles called in earlier turns."""
    last_brave: str | None = None
    fists: Mapping[str, tuple[Resource, ...]] = field(default_factory=dict)


class Tableau(State, frozen=True):
    options: Options
    board: Board
    stock: Stock
    round: Round
    turn: Turn
    players: Mapping[str, Player]
    tie_break: bool = True
    """Whether more resources break a tie at the end."""
    closed: Closed | None = None
    """Until somebody goes on."""

    def side(self, kit: Box) -> BoardSide:
        return kit.side(self.options.side)


def deed_of(state: Tableau, seat: str) -> Deed | None:
    """The card this seat is performing now."""
    deed = state.turn.deed
    return deed if deed is not None and deed.seat == seat else None


def card_of_turn(state: Tableau, seat: str) -> Card | None:
    """The card this seat has laid in this turn."""
    laid = state.players[seat].hand.laid
    return laid[-1] if laid and laid[-1].role == state.turn.led else None


def is_clouded(state: Tableau, side: BoardSide, region: str) -> bool:
    """Whether at least one cloud lies over the region."""
    return not state.board.clouds.keys().isdisjoint(side.spaces_of[region])


def open_waters(state: Tableau, side: BoardSide) -> frozenset[str]:
    return frozenset([water for water in side.waters if not is_clouded(state, side, water)])


def candidates(state: Tableau, seat: str) -> tuple[Role, ...]:
    """What an honest hand of this seat can still contain, as everybody can tell."""
    gone: set[Role | None] = {*state.round.called}
    if seat in state.turn.answered:
        gone.add(state.turn.led)
    return tuple(role for role in ROLES if role not in gone)


# What must add up


def balance(state: Tableau, setting: Setting[Box]) -> dict[str, int]:
    kit = setting.kit
    laws: dict[str, int] = {}
    clouds = state.stock.clouds.plus(Bag(state.board.clouds.values()))
    tiles = state.stock.tiles.plus(Bag((*state.board.tiles.values(), *state.board.discarded)))
    for seat, player in state.players.items():
        hand, hoard = player.hand, player.hoard
        clouds = clouds.plus(Bag(hoard.clouds))
        tiles = tiles.plus(Bag(held.tile for held in hoard.tiles))
        laws[f"cards.{seat}"] = (hand.chosen or 0) - hand.held - len(hand.laid)
        known = sum(kit.clouds[cloud].bolts for cloud in hoard.clouds)
        laws[f"bolts.{seat}"] = hoard.bolts - hoard.earlier_bolts - known
    for law, there, boxed in (
        ("cloud", clouds, all_clouds(state.options.variants, kit)),
        ("tile", tiles, all_tiles(state.options.variants, kit)),
    ):
        for piece in sorted({*there, *boxed}):
            laws[f"{law}.{piece}"] = there[piece] - boxed[piece]
    return {law: difference for law, difference in laws.items() if difference}


def all_clouds(variants: Iterable[str], kit: Box) -> Bag[str]:
    """Every cloud that may be placed, heavy ones taken out beforehand included."""
    types = {**kit.clouds.heavy, **(kit.clouds.storm if "storm" in variants else {})}
    return Bag({name: cloud.count for name, cloud in types.items()})


def all_tiles(variants: Iterable[str], kit: Box) -> Bag[str]:
    return Bag(
        {
            tile: count
            for terrain in ("mountain", "forest", "hill")
            if terrain in variants
            for tile, count in getattr(kit.tiles, terrain).items()
        }
    )


# The result


def result(state: Tableau) -> Result | None:
    if not state.over:
        return None
    ranks: dict[tuple[int, int], list[str]] = {}
    for seat, player in state.players.items():
        wealth = player.wealth if state.tie_break else 0
        ranks.setdefault((player.vp, wealth), []).append(seat)
    ordered = sorted(ranks, reverse=True)
    places = tuple(tuple(ranks[rank]) for rank in ordered)
    clause, how = "BRM-FIN-7", "result.most_points"
    if len(places[0]) > 1:
        clause, how = "BRM-FIN-9", "result.several"
    elif sum(vp == ordered[0][0] for vp, _ in ordered) > 1:
        clause, how = "BRM-FIN-8", "result.more_resources"
    scores = {seat: player.vp for seat, player in state.players.items()}
    return Result(places, clause, scores, how)
