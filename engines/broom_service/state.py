"""The state of a table, what must always add up in it, and how it is declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from engines.broom_service.actions import (
    ROLES,
    Event,
    ForestTile,
    LeadClause,
    Moment,
    OpenAction,
    OwedDuty,
    Position,
    Resource,
    Role,
    SeatPosition,
)
from engines.broom_service.kit import BoardSide, BroomKit
from engines.kernel import BadForm, Bag, Duty, Group, Setting, State, Step, evolve
from engines.kernel.engine import Result

CardMode = Literal["brave", "coward", "dead"]
PassStatus = Literal["open", "cleared", "broken"]
LAST_ROUND = 7
PAWNS: tuple[Literal["1", "2"], ...] = ("1", "2")


@dataclass(frozen=True)
class Options:
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


@dataclass(frozen=True)
class Board:
    clouds: Mapping[str, str]
    """Cloud space to cloud; chased clouds are gone."""
    occupied: frozenset[str]
    tiles: Mapping[str, str]
    """Region to landscape tile."""
    discarded: tuple[str, ...] = ()
    """Forest tiles that were used."""


@dataclass(frozen=True)
class Stock:
    """What was not seen yet, or went back to the box."""

    clouds: Bag[str]
    tiles: Bag[str]
    seen: tuple[Event, ...] = ()
    """Events of earlier rounds."""
    stack: frozenset[Role] = frozenset(ROLES)
    """Roles still in the stack of cursed roles."""


@dataclass(frozen=True)
class Card:
    """A role laid before its owner."""

    role: Role
    mode: CardMode
    tile: ForestTile | None = None
    """The forest tile used with it."""


@dataclass(frozen=True)
class Pass:
    """A claim not to hold a role."""

    role: Role
    turn: int
    entry: int
    status: PassStatus = "open"


@dataclass(frozen=True)
class Hand:
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


@dataclass(frozen=True)
class HeldTile:
    tile: ForestTile
    round: int
    turn: int
    """When it was taken."""


@dataclass(frozen=True)
class Hoard:
    """What a seat has won and keeps openly."""

    clouds: tuple[str, ...] = ()
    bolts: int = 0
    earlier_bolts: int = 0
    """Bolts of clouds chased before a declared position, whose types are not known."""
    amulets: tuple[str, ...] = ()
    tiles: tuple[HeldTile, ...] = ()


@dataclass(frozen=True)
class Player:
    vp: int
    resources: Mapping[Resource, int]
    pawns: Mapping[str, str]
    hand: Hand = Hand()
    hoard: Hoard = Hoard()

    @property
    def wealth(self) -> int:
        return sum(self.resources.values())


@dataclass(frozen=True)
class Deed:
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


@dataclass(frozen=True)
class Turn:
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


@dataclass(frozen=True)
class Round:
    number: int
    event: Event | None = None
    cursed: tuple[Role, ...] = ()
    called: frozenset[Role] = frozenset()
    """Roles called in earlier turns."""
    last_brave: str | None = None
    fists: Mapping[str, tuple[Resource, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Broom(State):
    options: Options
    board: Board
    stock: Stock
    round: Round
    turn: Turn
    players: Mapping[str, Player]
    tie_break: bool = True
    """Whether more resources break a tie at the end."""

    def side(self, kit: BroomKit) -> BoardSide:
        return kit.side(self.options.side)


def clockwise(state: Broom, seat: str) -> tuple[str, ...]:
    """All seats, beginning with this one."""
    return _beginning_with(seat, state.options.seats)


@cache
def _beginning_with(seat: str, seats: tuple[str, ...]) -> tuple[str, ...]:
    start = seats.index(seat)
    return seats[start:] + seats[:start]


def deed_of(state: Broom, seat: str) -> Deed | None:
    """The card this seat is performing now."""
    deed = state.turn.deed
    return deed if deed is not None and deed.seat == seat else None


def card_of_turn(state: Broom, seat: str) -> Card | None:
    """The card this seat has laid in this turn."""
    laid = state.players[seat].hand.laid
    return laid[-1] if laid and laid[-1].role == state.turn.led else None


def is_clouded(state: Broom, side: BoardSide, region: str) -> bool:
    """Whether at least one cloud lies over the region."""
    return not state.board.clouds.keys().isdisjoint(side.spaces_of[region])


def open_waters(state: Broom, side: BoardSide) -> frozenset[str]:
    return frozenset([water for water in side.waters if not is_clouded(state, side, water)])


def candidates(state: Broom, seat: str) -> tuple[Role, ...]:
    """What an honest hand of this seat can still contain, as everybody can tell."""
    gone = set(state.round.called)
    if state.turn.led is not None and seat in state.turn.answered:
        gone.add(state.turn.led)
    return tuple(role for role in ROLES if role not in gone)


def hide(state: Broom, viewer: str, setting: Setting[BroomKit]) -> Broom:
    """Without the sealed hands of the others."""
    others = (player for seat, player in state.players.items() if seat != viewer)
    if all(player.hand.sealed is None for player in others):
        return state
    seen = {
        seat: player if seat == viewer else evolve(player, hand=evolve(player.hand, sealed=None))
        for seat, player in state.players.items()
    }
    return evolve(state, players=seen)


# What must add up


def balance(state: Broom, setting: Setting[BroomKit]) -> dict[str, int]:
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


def all_clouds(variants: Iterable[str], kit: BroomKit) -> Bag[str]:
    """Every cloud that may be placed, heavy ones taken out beforehand included."""
    types = {**kit.clouds.heavy, **(kit.clouds.storm if "storm" in variants else {})}
    return Bag({name: cloud.count for name, cloud in types.items()})


def all_tiles(variants: Iterable[str], kit: BroomKit) -> Bag[str]:
    return Bag(
        {
            tile: count
            for terrain in ("mountain", "forest", "hill")
            if terrain in variants
            for tile, count in getattr(kit.tiles, terrain).items()
        }
    )


# Counts for audits


def count(state: Broom, subject: tuple[str, ...]) -> int:
    if len(subject) == 2 and subject[0].upper() in state.players:
        player = state.players[subject[0].upper()]
        counts: dict[str, int] = {
            "vp": player.vp,
            **{str(kind): number for kind, number in player.resources.items()},
            "resources": player.wealth,
            "bolts": player.hoard.bolts,
            "cards": player.hand.held,
            "amulets": len(player.hoard.amulets),
        }
        if subject[1].lower() in counts:
            return counts[subject[1].lower()]
    raise BadForm("unknown_subject", subject=" ".join(subject))


# The result


def result(state: Broom) -> Result | None:
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
    elif len(ordered) > 1 and ordered[0][0] == ordered[1][0]:
        clause, how = "BRM-FIN-8", "result.more_resources"
    scores = {seat: player.vp for seat, player in state.players.items()}
    return Result(places, clause, scores, how)


# Positions


def position_of(state: Broom, setting: Setting[BroomKit]) -> Position:
    return Position(
        round=state.round.number,
        first=state.turn.leader,
        seen=state.stock.seen,
        shown=tuple(r for r in ROLES if r not in state.stock.stack and r not in state.round.cursed),
        clouds=dict(state.board.clouds),
        occupied=tuple(sorted(state.board.occupied)),
        tiles=dict(state.board.tiles),
        turn=state.turn.number,
        event=state.round.event,
        cursed=state.round.cursed,
        players={seat: _seat_position(state, player) for seat, player in state.players.items()},
        now=_moment_of(state),
    )


def _seat_position(state: Broom, player: Player) -> SeatPosition:
    hand, hoard = player.hand, player.hoard
    return SeatPosition(
        vp=player.vp,
        g=player.resources["g"],
        o=player.resources["o"],
        p=player.resources["p"],
        w=player.resources["w"],
        bolts=hoard.bolts,
        at=(player.pawns["1"], player.pawns["2"]),
        amulets=hoard.amulets,
        holds=tuple(_written(held, state.round.number) for held in hoard.tiles),
        cards=None if hand.chosen is None else hand.held,
        laid=tuple("/".join(filter(None, (c.role, c.mode, c.tile))) for c in hand.laid),
        passed=tuple(claim.role for claim in hand.passes),
        extra=hand.extra,
        sealed=hand.sealed,
    )


def _written(held: HeldTile, this_round: int) -> str:
    """When a tile was taken matters only in the round in which it was."""
    return f"{held.tile}@{held.round}.{held.turn}" if held.round == this_round else held.tile


def _moment_of(state: Broom) -> Moment:
    turn, deed = state.turn, state.turn.deed
    due: list[Any] = [
        item.name
        if isinstance(item, Step)
        else tuple(OwedDuty.model_validate(duty._asdict()) for duty in item)
        for item in state.agenda
    ]
    return Moment(
        due=tuple(due),
        why=turn.why,
        led=turn.led,
        dead=turn.dead,
        claimant=turn.claimant,
        deposed=turn.deposed,
        answered=turn.answered,
        passed=turn.passed,
        action=None if deed is None else OpenAction.model_validate(vars(deed)),
        called=tuple(state.round.called),
        stack=tuple(state.stock.stack),
        last_brave=state.round.last_brave,
        fists=dict(state.round.fists),
    )


def agenda_items(due: Iterable[Any]) -> tuple[Group | Step, ...]:
    """The agenda of a declared moment, bottom first."""
    return tuple(
        Step(item)
        if isinstance(item, str)
        else Group(*(Duty(d.kind, d.seat, d.times, d.why, d.optional) for d in item))
        for item in due
    )
