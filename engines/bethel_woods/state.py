"""The state of a game, its conservation laws, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, NamedTuple

from msgspec import Struct, field
from pydantic import Field

from engines.bethel_woods.kit import Box, Character, MachineNumber, Tile, Type, Workers
from engines.kernel import Bag, Result, Setting, State, evolve
from engines.kernel.values.models import Declared

Phase = Literal["setup_spies", "setup_draws", "turn", "turn_end", "placing", "spy_due", "over"]
Outcome = Literal["won", "lost_supply", "lost_critical", "lost_spies"]
Closed = Literal["not_dropped", "built", "harris", "other_action", "uncovered"]
"""Why nothing can be fixed now."""
Forcing = Literal["BTW-KNOW-3", "BTW-CAP-1", "BTW-CAP-2", "BTW-JUN-3"]
"""The clauses that make a player discard."""
Count = Annotated[int, Field(ge=0, le=99)]


class Machine(Struct, frozen=True):
    workers: str
    tokens: Bag[str] = field(default_factory=Bag)
    spies: tuple[int, ...] = ()
    tile: Tile | None = None
    """The kind of its critical tile, as far as it is known."""
    up: bool = False
    """Its tile lies face up: the machine is critical."""


class Player(Struct, frozen=True):
    character: Character | None = None
    knowledge: Bag[str] = field(default_factory=Bag)


class Supply(Struct, frozen=True):
    """Face-down tokens: how many, and which they must be, as far as the box is known."""

    count: int | None
    tokens: Bag[str] | None


class Column(Struct, frozen=True):
    """Spies out of play: the unseen ones on top in unknown order, then the returned queue.

    ``on_top`` are those that were put there against the rules, the topmost first.
    """

    unseen: tuple[int, ...]
    returned: tuple[int, ...] = ()
    on_top: tuple[int, ...] = ()

    @property
    def possible(self) -> tuple[int, ...]:
        """The spies one of which lies on top."""
        return self.on_top[:1] or self.unseen or self.returned[:1]

    @property
    def seen(self) -> tuple[int, ...]:
        return (*self.on_top, *self.returned)


class Window(Declared, frozen=True):
    """A drop activated workers of one type: how many tokens they may still fix."""

    machine: MachineNumber
    type: Type
    left: Count


class Turn(Declared, frozen=True):
    """What the active player has done so far."""

    origin: MachineNumber | None = None
    step: Literal[1, -1] = 1
    reached: MachineNumber | None = None
    hand: Workers = ""
    last_drop: MachineNumber | None = None
    """Where the last worker of the sowing was dropped on a machine."""
    built: bool = False
    window: Window | None = None
    closed: Closed = "not_dropped"
    ability_used: bool = False
    violet: bool = False
    uncovered: bool = False
    harris_to: MachineNumber | None = None
    lowered: tuple[Tile, ...] = ()
    """Critical tiles that went face down in this turn."""

    @property
    def sown(self) -> bool:
        return self.origin is not None and not self.hand


class Placement(Declared, frozen=True):
    """Tokens and spies laid in set-up, or between two turns."""

    due: Count
    setup: bool = False
    placed: Count = 0
    returned: Count = 0
    """Set-up tokens that went back into the supply."""
    extra: bool = False
    """One more token is due because of the tile ``extra``."""
    extra_by_spy: bool = False
    new_critical: bool = False
    spies_due: Count = 0
    spies: Count = 0
    spy_made_critical: bool = False
    claimed: Annotated[int, Field(ge=0)] | None = None
    """The entry that supposed that an uncounted supply is large enough."""

    @property
    def left(self) -> int:
        """How many tokens are still to be placed."""
        return max(0, self.due - self.placed)

    @property
    def spies_left(self) -> int:
        """How many spies are still to be placed, as far as that is known."""
        return max(0, self.spies_due - self.spies)


class Owed(Struct, frozen=True):
    """Discards that are forced now, and the clause that forces them."""

    counts: Mapping[str, int]
    why: Forcing


class Seating(Struct, frozen=True):
    seats: tuple[str, ...]
    first: str
    added_spies: int


class Touch(NamedTuple):
    """An entry and what it touched: quantities that can be counted, or things it showed."""

    entry: int
    subjects: tuple[str, ...]


class Tableau(State, frozen=True):
    seating: Seating
    active: str
    phase: Phase
    players: Mapping[str, Player]
    machines: Mapping[int, Machine]
    sections: Mapping[int, str]
    """The workers in each section of the orphanage: none or one, if all went by the rules."""
    supply: Supply
    column: Column
    placement: Placement
    """The placement under way, or the last one."""
    discard_pile: tuple[str, ...] = ()
    """Face up, the top one last."""
    turn: Turn = Turn()
    turn_number: int = 0
    owed: Owed | None = None
    outcome: Outcome | None = None
    begun: Mapping[str, Turn] = field(default_factory=dict)
    """What players have done out of their turn, or not finished in it: they go on with that."""
    trail: tuple[Touch, ...] = ()

    @property
    def in_setup(self) -> bool:
        return self.phase in ("setup_spies", "setup_draws")

    @property
    def built(self) -> int:
        return sum(map(len, self.sections.values()))

    @property
    def spies(self) -> tuple[int, ...]:
        """Spies on the board."""
        return tuple(spy for machine in self.machines.values() for spy in machine.spies)

    @property
    def critical(self) -> tuple[int, ...]:
        return tuple(number for number, machine in self.machines.items() if machine.up)

    @property
    def missed(self) -> tuple[int, int]:
        """Tokens and spies that the table passed over before this turn: they are still owed."""
        placement = self.placement
        if placement.setup:
            return 0, 0
        return placement.left, placement.spies_left if self.column.possible else 0

    def turn_of(self, seat: str) -> Turn:
        """What a player has done in a turn: the running one, or one begun out of turn."""
        return self.turn if seat == self.active else self.begun.get(seat, Turn())

    @property
    def unrevealed(self) -> int | None:
        """A critical machine whose tile has just been flipped but not yet been named."""
        for number, machine in self.machines.items():
            if machine.up and machine.tile is None:
                return number
        return None

    def tile_is_up(self, kind: str) -> bool:
        return any(machine.up and machine.tile == kind for machine in self.machines.values())

    def where_is(self, kind: str) -> int | None:
        """The machine with this critical tile, if it is known."""
        for number, machine in self.machines.items():
            if machine.tile == kind:
                return number
        return None


def with_machine(state: Tableau, number: int, **changes: object) -> Tableau:
    return evolve(state, machines=machines_with(state, number, **changes))


def machines_with(state: Tableau, number: int, **changes: object) -> Mapping[int, Machine]:
    """All machines, one of them changed."""
    return {**state.machines, number: evolve(state.machines[number], **changes)}


# what was touched by which entry


def touch(state: Tableau, entry: int, *subjects: str, **changes: object) -> Tableau:
    """The state with these changes, and a note of what the entry touched."""
    return evolve(state, trail=(*state.trail, Touch(entry, subjects)), **changes)


def entries_about(state: Tableau, *wanted: str) -> tuple[int, ...]:
    """The entries that touched one of these subjects, in their order."""
    found = (entry for entry, subjects in state.trail if not set(subjects).isdisjoint(wanted))
    return tuple(dict.fromkeys(found))


def tokens_at(machine: int) -> str:
    return f"machine {machine} tokens"


def workers_at(machine: int) -> str:
    return f"machine {machine} workers"


def tile_at(tile: str, machine: int) -> str:
    return f"tile {tile} at {machine}"


def ability_of(seat: str) -> str:
    return f"{seat} ability"


def knowledge_of(seat: str) -> str:
    return f"{seat} knowledge"


# conservation laws


def balance(state: Tableau, setting: Setting[Box]) -> dict[str, int]:
    """What is too many or missing on the table, compared with the box."""
    found = dict(_token_differences(state, setting.kit))
    found |= {f"workers {kind}": n for kind, n in _worker_differences(state, setting.kit)}
    spies = Bag([*state.spies, *state.column.unseen, *state.column.seen])
    found |= {f"spy {spy}": spies[spy] - 1 for spy in setting.kit.spies}
    return {name: difference for name, difference in found.items() if difference}


def seen_tokens(state: Tableau) -> Iterator[str]:
    """Every token that lies face up."""
    for machine in state.machines.values():
        yield from machine.tokens.elements()
    for player in state.players.values():
        yield from player.knowledge.elements()
    yield from state.discard_pile


def _token_differences(state: Tableau, kit: Box) -> Iterator[tuple[str, int]]:
    seen = Bag(seen_tokens(state))
    supply = state.supply
    if kit.tokens is not None and supply.tokens is not None:
        for token in dict.fromkeys([*kit.tokens, *seen, *supply.tokens]):
            yield token, supply.tokens[token] + seen[token] - kit.tokens[token]
    if kit.malfunctions.count is not None and supply.count is not None:
        yield "supply", supply.count + seen.size - kit.malfunctions.count


def _worker_differences(state: Tableau, kit: Box) -> Iterator[tuple[str, int]]:
    standing = "".join(machine.workers for machine in state.machines.values())
    held = state.turn.hand + "".join(turn.hand for turn in state.begun.values())
    everywhere = standing + held + "".join(state.sections.values())
    for kind, count in kit.workers.items():
        yield kind, everywhere.count(kind) - count


# the end

_ENDED_BY = {
    "won": "BTW-WIN-1",
    "lost_supply": "BTW-LOSE-1",
    "lost_critical": "BTW-LOSE-2",
    "lost_spies": "BTW-LOSE-4",
}


def result(state: Tableau) -> Result | None:
    """All win or lose together."""
    if state.outcome is None:
        return None
    return Result(
        places=(state.seating.seats,),
        clause=_ENDED_BY[state.outcome],
        how=f"outcome.{state.outcome}",
        won=state.outcome == "won",
    )
