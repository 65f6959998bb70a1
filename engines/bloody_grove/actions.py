"""What can happen at the table, in the scribe's notation."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, Field, field_validator, model_validator

from engines.bloody_grove.kit import FACE, Animal, DruidName, Effect, Face, GroveNumber
from engines.kernel import Action, Flaw, Opening, Seat
from engines.kernel.values.models import STRICT

GENERATION = r"[tuwxyz]{1,4}"
LABEL = rf"{GENERATION}[1-9][0-9]?"

Label = Annotated[str, Field(pattern=rf"^{LABEL}$", description="the label of a token")]
Generation = Annotated[str, Field(pattern=rf"^{GENERATION}$")]
LabelOrAny = Annotated[str, Field(pattern=rf"^(?:{LABEL}|any)$")]
Value = Annotated[str, Field(pattern=r"^(?:[0-9]|destroy)$", description="what a token shows")]
Spot = Literal["1", "2", "3", "druid"]
Side = Literal["left", "right"]
Destination = Literal["hand", "top", "under"]
Count = Annotated[int, Field(ge=0, le=60)]
MOST_ALIKE = 60
"""So many cards alike can be told apart in one place, more than any box holds."""
Nth = Annotated[int, Field(ge=1, le=MOST_ALIKE)]

REF = "{face}@{at}[#{nth}]"


class Table(Opening):
    players: dict[Seat, DruidName] = Field(min_length=1)
    first: Seat | None = None

    forms: ClassVar[tuple[str, ...]] = ("{players...} [first {first}]",)

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(sorted(self.players))

    @property
    def colours(self) -> Mapping[str, str]:
        return {**self.players}

    @classmethod
    def usual(cls, players: int) -> str:
        return "table A=black B=green first A"


class Observation(Action):
    """Seen by everybody: it is nobody's action, whoever states it."""

    observes: ClassVar[bool] = True

    @field_validator("by")
    @classmethod
    def _nobody(cls, by: str | None) -> None:
        return None


# Mise en place


class LayGroves(Observation):
    """The row of Groves, the one nearest to the Round card first."""

    verb: Literal["groves"] = "groves"
    order: tuple[Animal, ...] = Field(min_length=3, max_length=3)

    forms: ClassVar[tuple[str, ...]] = ("{order...}",)
    french: ClassVar[tuple[str, ...]] = ("bosquets",)


class ShowElite(Observation):
    verb: Literal["elite"] = "elite"
    face: Face

    forms: ClassVar[tuple[str, ...]] = ("{face}",)
    several: ClassVar[bool] = True
    french: ClassVar[tuple[str, ...]] = ("élite",)


class ShowVenerables(Observation):
    verb: Literal["venerables"] = "venerables"
    faces: tuple[Face, ...] = Field(min_length=1, max_length=3)

    forms: ClassVar[tuple[str, ...]] = ("{faces...}",)
    french: ClassVar[tuple[str, ...]] = ("vénérables",)

    @field_validator("faces")
    @classmethod
    def _in_no_order(cls, faces: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(faces))


class ChooseFirst(Observation):
    verb: Literal["first"] = "first"
    player: Seat

    forms: ClassVar[tuple[str, ...]] = ("{player}",)
    french: ClassVar[tuple[str, ...]] = ("premier",)


class Counted(Action):
    """So many cards, and privately their faces: all of them, or none."""

    count: Count
    sealed: tuple[Face, ...] = ()

    forms: ClassVar[tuple[str, ...]] = ("{count} [sealed {sealed...}]",)
    private: ClassVar[tuple[str, ...]] = ("sealed",)
    amounts: ClassVar[tuple[str, ...]] = ("count",)

    @model_validator(mode="after")
    def _all_or_none(self) -> Self:
        if self.sealed and len(self.sealed) != self.count:
            raise Flaw("faces_and_cards", faces=len(self.sealed), cards=self.count)
        return self


class Draw(Counted):
    verb: Literal["draw"] = "draw"

    french: ClassVar[tuple[str, ...]] = ("pioche",)
    observes: ClassVar[bool] = True


class Look(Action):
    verb: Literal["look"] = "look"
    token: LabelOrAny
    sealed: Value | None = None
    """Private: the value seen."""

    forms: ClassVar[tuple[str, ...]] = ("{token} [sealed {sealed}]",)
    french: ClassVar[tuple[str, ...]] = ("regarde",)
    observes: ClassVar[bool] = True
    private: ClassVar[tuple[str, ...]] = ("sealed",)


# Tour de jeu


class Invoke(Action):
    verb: Literal["invoke"] = "invoke"
    face: Face
    side: Seat | None = None
    at: GroveNumber | None = None

    forms: ClassVar[tuple[str, ...]] = ("{face}[@{at}]", "{side}:{face}[@{at}]")
    french: ClassVar[tuple[str, ...]] = ("invoque",)


class Transform(Action):
    verb: Literal["transform"] = "transform"
    face: Face
    side: Side
    turned: bool = False

    forms: ClassVar[tuple[str, ...]] = ("{face} {side} [{turned?}]",)
    french: ClassVar[tuple[str, ...]] = ("transforme",)


class Recruit(Action):
    verb: Literal["recruit"] = "recruit"
    animal: Animal
    to: Destination

    forms: ClassVar[tuple[str, ...]] = ("{animal} {to}",)
    french: ClassVar[tuple[str, ...]] = ("recrute",)


# Ruse, Arcanes


class Ruse(Action):
    verb: Literal["ruse"] = "ruse"
    face: Face
    at: Spot
    nth: Nth = 1
    side: Seat | None = None
    to: GroveNumber

    forms: ClassVar[tuple[str, ...]] = (f"{REF} to {{to}}", f"{{side}}:{REF} to {{to}}")


class Arcane(Action):
    verb: Literal["arcane"] = "arcane"
    token: LabelOrAny
    face: Face
    at: Spot
    nth: Nth = 1
    side: Seat | None = None

    forms: ClassVar[tuple[str, ...]] = (f"{{token}} to {REF}", f"{{token}} to {{side}}:{REF}")


# La fin du tour


class End(Action):
    """Gives up the symbols that are left."""

    verb: Literal["end"] = "end"

    french: ClassVar[tuple[str, ...]] = ("fin",)


class Pass(Action):
    verb: Literal["pass"] = "pass"

    french: ClassVar[tuple[str, ...]] = ("passe",)


# Fin d'une manche


class Stow(Counted):
    """Sealed faces are in order, the new bottom card last."""

    verb: Literal["stow"] = "stow"

    french: ClassVar[tuple[str, ...]] = ("range",)


class Reveal(Observation):
    verb: Literal["reveal"] = "reveal"
    token: Label
    value: Value

    forms: ClassVar[tuple[str, ...]] = ("{token} {value}",)
    several: ClassVar[bool] = True
    french: ClassVar[tuple[str, ...]] = ("révèle",)


class Take(Action):
    verb: Literal["take"] = "take"
    face: Face

    forms: ClassVar[tuple[str, ...]] = ("{face}",)
    french: ClassVar[tuple[str, ...]] = ("prend",)


class Replace(Action):
    verb: Literal["replace"] = "replace"
    face: Face
    at: Spot | None = None
    nth: Nth = 1
    side: Seat | None = None

    forms: ClassVar[tuple[str, ...]] = ("{face}[@{at}][#{nth}]", "{side}:{face}[@{at}][#{nth}]")
    french: ClassVar[tuple[str, ...]] = ("remplace",)


class Bottom(Action):
    verb: Literal["bottom"] = "bottom"
    face: Face

    forms: ClassVar[tuple[str, ...]] = ("{face}",)
    french: ClassVar[tuple[str, ...]] = ("dessous",)


# A declared position


Hidden = Annotated[str, Field(pattern=rf"^(?:{FACE}|any)$")]
ColumnCard = Annotated[str, Field(pattern=rf"^{FACE}(?:\+{LABEL}(?:=(?:[0-9]|destroy))?)*$")]
BoxCard = Annotated[str, Field(pattern=rf"^(?:[A-H]:)?{FACE}$")]
StepName = Literal[
    "setup",
    "action",
    "recruit",
    "symbols",
    "stow",
    "reveal",
    "take",
    "replace",
    "effects",
    "prepare",
    "over",
]


class PositionModel(BaseModel):
    """Base of what a declared position holds."""

    model_config = STRICT


class HiddenRow(PositionModel):
    """Cards of which so many lie in the hand and in each block of the deck, top first."""

    cards: tuple[Hidden, ...]
    hand: Count = 0
    deck: tuple[Count, ...] = ()


ColumnPosition = Annotated[tuple[ColumnCard, ...], Field(max_length=60)]
"""No box has more cards."""


class AheadPosition(PositionModel):
    """A card played before the turn came, and the symbols that it made whole."""

    face: Face
    transforms: bool = False
    recruits: tuple[Animal, ...] = ()


class PlayerPosition(PositionModel):
    """``hand`` and ``deck`` list the cards (``any``: an unseen base Spirit), or count them
    and ``hidden`` names the recruited Elites among them; or ``worlds`` says all that may be."""

    columns: tuple[ColumnPosition, ...] = Field(default=((), (), ()), min_length=3, max_length=3)
    pile: tuple[Face, ...] = ()
    turned: bool = False
    """Whether the top card of the pile lies upside down."""
    hand: Count | tuple[Hidden, ...] = ()
    deck: Count | tuple[Hidden, ...] = ()
    hidden: tuple[Face, ...] = ()
    worlds: tuple[tuple[HiddenRow, ...], ...] = ()
    looked: tuple[Label, ...] = ()
    ahead: tuple[AheadPosition, ...] = ()

    @property
    def held(self) -> tuple[int | tuple[str, ...], int | tuple[str, ...]]:
        return self.hand, self.deck

    @property
    def hidden_part(self) -> tuple[object, ...]:
        """All that it says of hand and deck."""
        return (*self.held, self.hidden, self.worlds)

    @property
    def counted(self) -> bool:
        return any(isinstance(part, int) for part in self.held)

    @model_validator(mode="after")
    def _one_way_to_say_it(self) -> Self:
        if self.counted and any(isinstance(part, tuple) and part for part in self.held):
            raise Flaw("counted_or_listed")
        cards = {
            (sum(row.hand for row in world), *sorted(card for row in world for card in row.cards))
            for world in self.worlds
        }
        if len(cards) > 1 or any(len({len(r.deck) for r in world}) > 1 for world in self.worlds):
            raise Flaw("other_cards")
        if any(len(r.cards) != r.hand + sum(r.deck) for world in self.worlds for r in world):
            raise Flaw("cards_without_place")
        return self


class OpenPosition(PositionModel):
    """What is open in the middle of a turn or of a Grove's resolution."""

    seat: Seat | None = None
    ruse: Count = 0
    arcane: Count = 0
    recruits: tuple[Animal, ...] = ()
    recruited: tuple[Animal, ...] = ()
    beside: Face | None = None
    """The card laid at the Druid, until its recruits are done."""
    turned: bool = False
    elites: tuple[Animal, ...] = ()
    """Elite decks whose next card is to be shown."""
    loose: tuple[Label, ...] = ()
    """Tokens taken off a card, to be turned up."""
    grove: int = Field(default=0, ge=0, le=3)
    winner: Seat | None = None
    tied: bool = False
    taken: Face | None = None
    effects: tuple[Effect, ...] = ()
    waiting: tuple[str, ...] = ()
    """What is still to be logged in the set-up, at the end of the turns or in the preparation.
    Where nothing is named and no Elite is to be shown, hands are put under by whoever has cards,
    and all is prepared."""


class ResultPosition(PositionModel):
    winners: tuple[Seat, ...]
    how: Literal["groves", "domination", "pile", "shared"]
    domination: dict[Seat, int] = Field(default_factory=dict)


class Position(Action):
    verb: Literal["position"] = "position"
    round: int = Field(default=1, ge=1, le=9)
    turn: int = Field(default=1, ge=1, le=6)
    first: Seat | None = None
    groves: tuple[Animal, ...] = Field(default=(), max_length=3)
    control: tuple[Seat | Literal["none"], ...] = ("none", "none", "none")
    elites: dict[Animal, Face] = Field(default_factory=dict)
    venerables: tuple[Face, ...] = ()
    reserve: tuple[Label, ...] = ()
    discard: tuple[Value, ...] = ()
    pools: dict[Generation, tuple[Value, ...]] = Field(default_factory=dict)
    """Values of the hidden tokens by generation, once there are several."""
    box: tuple[BoxCard, ...] = ()
    players: dict[Seat, PlayerPosition]
    step: StepName = "action"
    open: OpenPosition = OpenPosition()
    result: ResultPosition | None = None

    forms: ClassVar[tuple[str, ...]] = ("{json}",)
    enumerable: ClassVar[bool] = False
