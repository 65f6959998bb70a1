"""What can happen at the table, and how it is written."""

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field, model_validator

from engines.bethel_woods.kit import (
    Character,
    Level,
    MachineNumber,
    Tile,
    Token,
    Tokens,
    Type,
    Workers,
)
from engines.bethel_woods.state import Count, Forcing, Outcome, Phase, Placement, Turn
from engines.kernel import Action, Flaw, Opening, Seat
from engines.kernel.values.models import STRICT

TokenPlace = MachineNumber | Literal["supply"]
Direction = Literal["cw", "ccw"]


class Table(Opening):
    players: Annotated[tuple[Seat, ...], Field(min_length=1, max_length=8)]
    first: Seat
    level: Level = "normal"
    spies: Annotated[int, Field(ge=0, le=5)] | None = None

    forms: ClassVar = ("{players...} first {first} [level {level}] [spies {spies}]",)

    @model_validator(mode="after")
    def _seats_in_order(self) -> "Table":
        if self.players != tuple("ABCDEFGH"[: len(self.players)]):
            raise Flaw("seats_in_order")
        if self.first not in self.players:
            raise Flaw("first_is_seated")
        return self

    @property
    def seats(self) -> tuple[str, ...]:
        return self.players

    @classmethod
    def usual(cls, players: int) -> str:
        return f"table {' '.join('ABCDEFGH'[:players])} first A"


class DealCharacter(Action):
    verb: Literal["char"] = "char"
    character: Character

    forms: ClassVar = ("{character}",)
    french: ClassVar = ("personnage",)
    observes: ClassVar[bool] = True


# declared positions


class _Part(BaseModel):
    model_config = STRICT


class MachinePosition(_Part):
    workers: Workers = ""
    tokens: Tokens = ()
    spy: bool | Annotated[tuple[MachineNumber, ...], Field(max_length=6)] = False
    """Whether its spy is there; spies of other machines are named."""
    tile: Tile | None = None
    up: bool | None = None
    """Said where the tile does not simply follow from what lies at the machine."""


class PlayerPosition(_Part):
    character: Character | None = None
    knowledge: Tokens = ()
    owes: Count = 0
    """Discards that are forced now."""


class Position(Action):
    """A whole table declared by hand. What it does not name is empty, unknown (tiles), unseen
    (spies) or in the supply (tokens)."""

    verb: Literal["position"] = "position"
    active: Seat | None = None
    phase: Phase = "turn"
    turn_number: Annotated[int, Field(ge=0, le=9999)] = 1
    machines: dict[MachineNumber, MachinePosition] = {}
    sections: dict[MachineNumber, Workers] = {}
    players: dict[Seat, PlayerPosition] = {}
    returned: Annotated[tuple[MachineNumber, ...], Field(max_length=6)] = ()
    """Spies back in the column, the first returned first."""
    on_top: Annotated[tuple[MachineNumber, ...], Field(max_length=6)] = ()
    """Spies that were put on top of the column, the topmost first."""
    discard_pile: Annotated[tuple[Token, ...], Field(max_length=500)] = ()
    supply: Annotated[int, Field(ge=0, le=500)] | None = None
    """Counted; needed only where the box does not tell."""
    miscounted: bool = False
    """A token was drawn of which the box has no more: what is left is not known."""
    turn: Turn = Turn()
    """What the active player has done since the turn began."""
    begun: dict[Seat, Turn] = {}
    """What others have done out of their turn, or not finished in it."""
    placement: Placement | None = None
    forced_by: Forcing = "BTW-KNOW-3"
    """The clause that forces the discards."""
    outcome: Outcome | None = None

    forms: ClassVar = ("{json}",)
    enumerable: ClassVar = False

    @model_validator(mode="after")
    def _over_with_an_outcome(self) -> "Position":
        if (self.phase == "over") != (self.outcome is not None):
            raise Flaw("outcome_when_over")
        return self


# spies and malfunctions that come to light


class RevealSpy(Action):
    """``at`` is where the table has put it: a check."""

    verb: Literal["spy"] = "spy"
    value: MachineNumber
    at: MachineNumber | None = None

    forms: ClassVar = ("{value}[@{at}]",)
    several: ClassVar[bool] = True
    french: ClassVar = ("espion",)
    observes: ClassVar[bool] = True


class DrawMalfunction(Action):
    """``at`` is where the table has put it: a check."""

    verb: Literal["draw"] = "draw"
    token: Token
    at: TokenPlace | None = None

    forms: ClassVar = ("{token}[@{at}]",)
    several: ClassVar[bool] = True
    french: ClassVar = ("pioche", "piocher")
    observes: ClassVar[bool] = True


# the turn


class TakeWorkers(Action):
    """``hand`` states which workers were taken: a check."""

    verb: Literal["take"] = "take"
    machine: MachineNumber
    direction: Direction
    hand: Workers = ""

    forms: ClassVar = ("{machine} {direction} [{hand}]",)
    french: ClassVar = ("prend", "prends", "prendre")


class DropWorker(Action):
    """``at`` is where the table has put it: a check."""

    verb: Literal["drop"] = "drop"
    worker: Type
    at: MachineNumber | None = None

    forms: ClassVar = ("{worker}[@{at}]",)
    several: ClassVar[bool] = True
    french: ClassVar = ("pose", "dépose", "poser", "déposer", "égrène", "égraine")


class FixMalfunctions(Action):
    verb: Literal["fix"] = "fix"
    tokens: Annotated[Tokens, Field(min_length=1)]

    forms: ClassVar = ("{tokens...}",)
    french: ClassVar = ("répare", "réparer")


class UncoverSpy(Action):
    """``machine`` is a check; ``swap`` is Fenn's ability, ``plus`` the supplement.

    ``on_top``: the spy was put on top of the column.
    """

    verb: Literal["uncover"] = "uncover"
    machine: MachineNumber | None = None
    pay: Tokens = ()
    swap: Tokens = ()
    plus: Token | None = None
    fee: Token | None = None
    on_top: bool = False

    forms: ClassVar = (
        "[pay {pay...}] [swap {swap...}] [plus {plus}] [fee {fee}] [{on_top?top}]",
        "{machine} [pay {pay...}] [swap {swap...}] [plus {plus}] [fee {fee}] [{on_top?top}]",
    )
    french: ClassVar = ("démasque", "démasquer")


class Build(Action):
    """``at``, the section, is a check; ``swap`` is Nova's ability."""

    verb: Literal["build"] = "build"
    worker: Type
    at: MachineNumber | None = None
    pay: Tokens = ()
    swap: Tokens = ()
    fee: Token | None = None

    forms: ClassVar = ("{worker}[@{at}] [pay {pay...}] [swap {swap...}] [fee {fee}]",)
    french: ClassVar = ("construit", "construire")


class Ability(Action):
    """A character's ability that has an action of its own, named after the character."""

    fee: Token | None = None


class Harris(Ability):
    verb: Literal["harris"] = "harris"
    worker: Type
    source: MachineNumber
    target: MachineNumber
    pay: Token

    forms: ClassVar = ("{worker} {source} to {target} pay {pay} [fee {fee}]",)


class Junas(Ability):
    verb: Literal["junas"] = "junas"
    pay: Token
    give: Tokens = ()
    to: Annotated[tuple[Seat, ...], Field(max_length=8)] = ()

    forms: ClassVar = ("pay {pay} [give {give...}] [to {to...}] [fee {fee}]",)


class Linny(Ability):
    """``at`` says which machine, if such tokens lie at several."""

    verb: Literal["linny"] = "linny"
    pay: Token
    remove: Token
    at: MachineNumber | None = None

    forms: ClassVar = ("pay {pay} remove {remove}[@{at}] [fee {fee}]",)


class Violet(Ability):
    verb: Literal["violet"] = "violet"
    pay: Annotated[Tokens, Field(min_length=1)]

    forms: ClassVar = ("pay {pay...} [fee {fee}]",)


class LowerTile(Action):
    """Turns the tile of a recovered machine face down, where that is a choice."""

    verb: Literal["down"] = "down"
    machine: MachineNumber

    forms: ClassVar = ("{machine}",)
    french: ClassVar = ("baisse", "retourne")


class EndTurn(Action):
    verb: Literal["end"] = "end"

    french: ClassVar = ("fin", "termine", "terminer")


class DiscardKnowledge(Action):
    verb: Literal["discard"] = "discard"
    tokens: Annotated[Tokens, Field(min_length=1)]

    forms: ClassVar = ("{tokens...}",)
    french: ClassVar = ("défausse", "défausser")


class RevealTile(Action):
    verb: Literal["crit"] = "crit"
    machine: MachineNumber
    tile: Tile

    forms: ClassVar = ("{machine} {tile}",)
    several: ClassVar[bool] = True
    french: ClassVar = ("critique",)
    observes: ClassVar[bool] = True
