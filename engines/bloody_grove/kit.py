"""The box: Druids, Groves, three kinds of Spirits, tokens."""

from functools import cached_property
from typing import Annotated, Literal, Self, get_args

from pydantic import BaseModel, Field, model_validator

from engines.kernel import Bag, Flaw, Kit
from engines.kernel.box.kit import Amount, Few, Within
from engines.kernel.values.models import STRICT

Animal = Literal["bear", "owl", "fox"]
ANIMALS: tuple[Animal, ...] = get_args(Animal)
DruidName = Literal["black", "green"]
SpiritKind = Literal["base", "elite", "venerable"]
Effect = Literal["look", "recruit", "bottom"]
Halves = Annotated[tuple[Animal, ...], Within(0, 9)]
FACE = r"(?:[bfo]|E[BFO]|[VR])[1-9][0-9]?"
Face = Annotated[str, Field(pattern=rf"^{FACE}$", description="the code of a Spirit card")]

PER_VENERABLE: Literal["per_venerable_in_column"] = "per_venerable_in_column"
PER_ANIMAL: Literal["per_animal_in_column"] = "per_animal_in_column"
DESTROY = "destroy"
R1_LIMIT = 3
TURNS = 6
MOST_TOKENS = 10_000
"""Each has a label of its own at the table: a record that says more is not read."""
GroveNumber = Annotated[int, Field(ge=1, le=3)]


class KitModel(BaseModel):
    """Base of what a kit file describes."""

    model_config = STRICT


class Druid(KitModel):
    id: DruidName
    left: Halves
    right: Halves


class GroveCard(KitModel):
    animal: Animal


class Spirit(KitModel):
    """A card that can lie under a Grove; what a kind of Spirit does not print is zero."""

    id: Face
    kind: SpiritKind
    animal: Animal | None = None
    strength: Few | Literal["per_venerable_in_column"]
    left: Halves = ()
    right: Halves = ()
    ruse: Few = Field(default=0, ge=0)
    arcane: Few = Field(default=0, ge=0)
    domination: Few | Literal["per_venerable_in_column", "per_animal_in_column"] = 0
    effects: Annotated[tuple[Effect, ...], Within(0, 20)] = ()

    def edges(self, *, turned: bool) -> tuple[Halves, Halves]:
        """Left and right edge, swapped if the card lies upside down."""
        return (self.right, self.left) if turned else (self.left, self.right)


class BaseSpirit(Spirit):
    kind: SpiritKind = "base"
    animal: Animal


class EliteSpirit(Spirit):
    kind: SpiritKind = "elite"
    animal: Animal
    copies: Few = Field(ge=1)


class VenerableSpirit(Spirit):
    kind: SpiritKind = "venerable"
    back: Literal["plain", "red"]


class TokenKind(KitModel):
    value: str = Field(pattern=r"^(?:[0-9]|destroy)$")
    count: Annotated[int, Within(0, 99)] = Field(ge=0)


class Box(Kit):
    title: str
    sources: dict[str, str] = {}
    """Kits in earlier records explain their remarks about sources here."""
    animals: Annotated[tuple[Animal, ...], Within(3, 3)]
    rounds: Few = Field(ge=1)
    hand_draw: Few = Field(ge=1)
    shown_venerables: Few = Field(ge=1)
    turn_sides: tuple[Literal["F", "S"], ...] = Field(min_length=TURNS, max_length=TURNS)
    active_grove: tuple[GroveNumber, ...] = Field(min_length=TURNS, max_length=TURNS)
    cubes: Amount
    druids: Annotated[tuple[Druid, ...], Within(2, 2)]
    groves: Annotated[tuple[GroveCard, ...], Within(0, 20)]
    base: Annotated[tuple[BaseSpirit, ...], Within(1, 60)]
    elites: Annotated[tuple[EliteSpirit, ...], Within(1, 60)]
    venerables: Annotated[tuple[VenerableSpirit, ...], Within(1, 60)]
    tokens: Annotated[tuple[TokenKind, ...], Within(1, 20)]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        """What the rules cannot do without; the rest a table may declare otherwise."""
        if sorted(self.animals) != sorted(ANIMALS):
            raise Flaw("three_animals")
        if {druid.id for druid in self.druids} != set(get_args(DruidName)):
            raise Flaw("two_druids")
        if sorted(self.turn_sides) != ["F"] * (TURNS // 2) + ["S"] * (TURNS // 2):
            raise Flaw("three_turns")
        if sum(kind.count for kind in self.tokens) > MOST_TOKENS:
            raise Flaw("box_too_large")
        return self

    @cached_property
    def spirits(self) -> dict[str, Spirit]:
        """Every face by its code."""
        return {spirit.id: spirit for spirit in (*self.base, *self.elites, *self.venerables)}

    @cached_property
    def base_faces(self) -> frozenset[str]:
        return frozenset(spirit.id for spirit in self.base)

    @cached_property
    def elite_copies(self) -> dict[Animal, Bag[str]]:
        """The whole Elite deck of every animal."""
        return {
            animal: Bag({e.id: e.copies for e in self.elites if e.animal == animal})
            for animal in self.animals
        }

    @cached_property
    def all_elites(self) -> Bag[str]:
        return Bag({elite.id: elite.copies for elite in self.elites})

    @cached_property
    def red_backs(self) -> frozenset[str]:
        return frozenset(spirit.id for spirit in self.venerables if spirit.back == "red")

    @cached_property
    def token_values(self) -> Bag[str]:
        return Bag({kind.value: kind.count for kind in self.tokens})

    @cached_property
    def edges(self) -> tuple[Halves, ...]:
        """What is printed on the left and right edges of all cards."""
        cards: list[Druid | Spirit] = [*self.druids, *self.spirits.values()]
        return tuple(edge for card in cards for edge in (card.left, card.right))

    @cached_property
    def druid_by_name(self) -> dict[str, Druid]:
        return {druid.id: druid for druid in self.druids}

    def kind(self, face: str) -> SpiritKind:
        return self.spirits[face].kind
