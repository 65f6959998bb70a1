"""The state of a table, its conservation laws, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeVar

from msgspec import Struct, field

from engines.benevolent.actions import Base, Deed, Phase
from engines.benevolent.kit import Box, Ephemeral, Face, Forest, Gift, Hex, Permanent, Slot
from engines.kernel import Bag, Result, RuleContext, State
from engines.kernel.values.secret import Unknowable

Unknown = Literal["unknown"]
T = TypeVar("T")

PHASES: tuple[Phase, ...] = ("move", "action", "after")
"""Of a turn."""
UNKNOWN: Unknown = "unknown"
"""A tile in the box whose face nobody has logged."""


class Player(Struct, frozen=True):
    colour: str
    leaves: int | None
    """``None`` in a view that conceals it."""
    gifts: Bag[Gift]
    card: int
    forest: tuple[str, ...]
    """Hexes with one of the player's steps; a hex with two is listed twice."""
    dream: int
    ephemeral: tuple[Ephemeral, ...] = ()
    permanent: tuple[Permanent, ...] = ()
    hoard: int = 0
    """Leaves on the secret of that name."""

    @property
    def secrets(self) -> tuple[Face, ...]:
        return (*self.ephemeral, *self.permanent)

    @property
    def own_leaves(self) -> int:
        """The leaves, counted: what depends on them cannot be known where they are concealed."""
        if self.leaves is None:
            raise Unknowable
        return self.leaves

    def owns(self, face: Permanent) -> bool:
        return face in self.permanent


class Turn(Struct, frozen=True):
    number: int
    active: str
    arrival: str | None = None
    """The hex just stepped on."""
    repeats: tuple[Base, ...] = ()
    """Exchanges and sleeps that may still be repeated."""
    done: frozenset[Deed] = frozenset()


class Tableau(State, frozen=True):
    """The whole table. Before play begins ``forest`` or ``pyramid`` are missing."""

    players: dict[str, Player]
    river: Bag[Gift]
    reserve: int | None
    """``None`` in a view that conceals it."""
    turn: Turn
    forest: Forest | None = None
    pyramid: dict[Slot, Face] = field(default_factory=dict)
    box: tuple[Ephemeral | Unknown, ...] = ()
    laid: int | None = None
    """The number of the action that laid the pyramid."""
    winner: str | None = None
    begun: Mapping[str, Turn] = field(default_factory=dict)
    """What others have played out of turn: it counts when their turn comes."""
    concealed: bool = False

    @property
    def stock(self) -> int:
        """The leaves of the reserve, counted: they tell of those that are concealed."""
        if self.reserve is None:
            raise Unknowable
        return self.reserve

    @property
    def active(self) -> Player:
        return self.players[self.turn.active]

    @property
    def phase(self) -> Phase | None:
        """What is being done; none when the game is over."""
        if self.forest is None or self.laid is None:
            return "setup"
        for duty in self.agenda.duties:
            if duty.kind in PHASES:
                return duty.kind
        return None

    def arrival_of(self, seat: str) -> str | None:
        """The hex that a seat has just stepped on; out of its turn, the last one it chose."""
        if seat == self.turn.active:
            return self.turn.arrival
        return next(iter(self.players[seat].forest[-1:]), None)

    def here(self, seat: str) -> Hex | None:
        """The hex whose action a seat may do, and whose toll it pays."""
        arrival = self.arrival_of(seat)
        return self.forest.hexes.get(arrival) if self.forest and arrival else None

    def opponents(self, seat: str) -> dict[str, Player]:
        return {other: player for other, player in self.players.items() if other != seat}


def without(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    """The same without one of these items."""
    place = items.index(item)
    return items[:place] + items[place + 1 :]


def balance(state: Tableau, table: RuleContext[Box]) -> Mapping[str, int]:
    """Leaves, gifts, steps and secrets neither appear nor disappear."""
    kit, players = table.kit, state.players.values()
    off = {"leaves": state.stock + sum(p.own_leaves + p.hoard for p in players) - kit.leaves.count}
    for gift, laid_out in kit.river(len(state.players)).items():
        off[gift] = state.river[gift] + sum(p.gifts[gift] for p in players) - laid_out
    for seat, player in state.players.items():
        off[f"steps_{seat}"] = player.card + len(player.forest) + 1 - kit.steps_per_colour.count
    if state.laid is not None:
        tiles = len(state.pyramid) + sum(len(p.secrets) for p in players) + len(state.box)
        off["secrets"] = tiles - len(kit.secrets.tiles)
    return {law: difference for law, difference in off.items() if difference}


def result(state: Tableau) -> Result | None:
    if state.winner is None:
        return None
    others = tuple(state.opponents(state.winner))
    return Result(((state.winner,), others), "BEN-END-1", ranked=False)
