"""The state of a table, its conservation laws, and what an audit can count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from engines.benevolent.actions import Base, Deed, Holding, Phase, Position
from engines.benevolent.kit import GIFTS, Box, Ephemeral, Face, Forest, Gift, Hex, Permanent, Slot
from engines.kernel import BadForm, Bag, Setting, State, Table, evolve
from engines.kernel.engine import Result

Unknown = Literal["unknown"]
T = TypeVar("T")

PHASES: tuple[Phase, ...] = ("move", "action", "after")
"""Of a turn."""
UNKNOWN: Unknown = "unknown"
"""A tile in the box whose face nobody has logged."""


@dataclass(frozen=True)
class Player:
    colour: str
    leaves: int
    """``None`` in a view that conceals it."""
    gifts: Bag[Gift]
    card: int
    forest: tuple[str, ...]
    """The hexes with an own step, twice where two stand."""
    dream: int
    ephemeral: tuple[Ephemeral, ...] = ()
    permanent: tuple[Permanent, ...] = ()
    hoard: int = 0
    """Leaves on the secret of that name."""

    @property
    def secrets(self) -> tuple[Face, ...]:
        return (*self.ephemeral, *self.permanent)

    def owns(self, face: Permanent) -> bool:
        return face in self.permanent


@dataclass(frozen=True)
class Turn:
    number: int
    active: str
    arrival: str | None = None
    """The hex just stepped on."""
    repeats: tuple[Base, ...] = ()
    """Exchanges and sleeps that may still be repeated."""
    done: frozenset[Deed] = frozenset()
    ended: str | None = None
    """Whose turn has just ended by itself, until something happens in this one."""


@dataclass(frozen=True)
class Game(State):
    """The whole table. Before play begins ``forest`` or ``pyramid`` are missing."""

    players: dict[str, Player]
    river: Bag[Gift]
    reserve: int
    turn: Turn
    forest: Forest | None = None
    pyramid: dict[Slot, Face] = field(default_factory=dict)
    box: tuple[Ephemeral | Unknown, ...] = ()
    laid: int | None = None
    """The number of the action that laid the pyramid."""
    winner: str | None = None
    concealed: bool = False

    @property
    def active(self) -> Player:
        return self.players[self.turn.active]

    @property
    def phase(self) -> Phase | None:
        """What is being done; none when the game is over."""
        if self.forest is None or self.laid is None:
            return "setup"
        return next((phase for phase in PHASES if self.agenda.owes(phase)), None)

    @property
    def here(self) -> Hex | None:
        """The hex just stepped on."""
        arrival = self.turn.arrival
        return self.forest.hexes.get(arrival) if self.forest and arrival else None

    def after(self, seat: str) -> str:
        """Who plays after this seat, clockwise."""
        seats = tuple(self.players)
        return seats[(seats.index(seat) + 1) % len(seats)]

    def opponents(self, seat: str) -> dict[str, Player]:
        return {other: player for other, player in self.players.items() if other != seat}

    def with_player(self, seat: str, /, **changes: object) -> Game:
        player = evolve(self.players[seat], **changes)
        return evolve(self, players={**self.players, seat: player})


def without(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    """The same without one of these items."""
    place = items.index(item)
    return items[:place] + items[place + 1 :]


def balance(state: Game, table: Table[Box]) -> Mapping[str, int]:
    """Leaves, gifts, steps and secrets neither appear nor disappear."""
    kit, players = table.kit, state.players.values()
    off = {"leaves": state.reserve + sum(p.leaves + p.hoard for p in players) - kit.leaves.count}
    for gift, laid_out in kit.river(len(state.players)).items():
        off[gift] = state.river[gift] + sum(p.gifts[gift] for p in players) - laid_out
    for seat, player in state.players.items():
        off[f"steps_{seat}"] = player.card + len(player.forest) + 1 - kit.steps_per_colour.count
    if state.laid is not None:
        tiles = len(state.pyramid) + sum(len(p.secrets) for p in players) + len(state.box)
        off["secrets"] = tiles - len(kit.secrets.tiles)
    return {law: difference for law, difference in off.items() if difference}


def count(state: Game, subject: tuple[str, ...]) -> int:
    """What is counted by ``audit A leaves``, ``audit river amber``, ``audit reserve``."""
    match subject:
        case ("reserve",):
            return state.reserve
        case ("river", gift) if gift in GIFTS:
            return state.river[gift]
        case (seat, what) if seat.upper() in state.players:
            player = state.players[seat.upper()]
            if what in GIFTS:
                return player.gifts[what]
            if what in ("leaves", "card", "hoard", "dream"):
                found: int = getattr(player, what)
                return found
    raise BadForm("unknown_subject", subject=" ".join(subject))


def position_of(state: Game, setting: Setting[Box]) -> Position:
    turn = state.turn
    return Position(
        forest=state.forest.laid if state.forest else (),
        active=turn.active,
        phase=state.phase or ("after" if turn.arrival else "move"),
        arrival=turn.arrival,
        open_repeats=turn.repeats,
        players={seat: _holding(player) for seat, player in state.players.items()},
        pyramid=state.pyramid,
        used=tuple(face for face in state.box if face != UNKNOWN),
        turn=turn.number,
        done=tuple(sorted(turn.done)),
    )


def _holding(player: Player) -> Holding:
    return Holding(
        leaves=player.leaves,
        gifts={gift: player.gifts[gift] for gift in GIFTS if gift in player.gifts},
        card=player.card,
        forest=player.forest,
        dream=player.dream,
        ephemeral=player.ephemeral,
        permanent=player.permanent,
        hoard=player.hoard,
    )


def result(state: Game) -> Result | None:
    if state.winner is None:
        return None
    return Result(((state.winner,), tuple(state.opponents(state.winner))), "BEN-END-1")


def hide(state: Game, viewer: str, setting: Setting[Box]) -> Game:
    """Where leaves are concealed, a viewer counts only their own; the reserve tells too much."""
    if not state.concealed:
        return state
    players = {
        seat: player if seat == viewer else evolve(player, leaves=None)
        for seat, player in state.players.items()
    }
    return evolve(state, players=players, reserve=None)
