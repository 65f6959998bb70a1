"""What can happen at a table of Roundforest, and how it is written."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, model_validator

from engines.kernel import Action, Flaw, Opening, Seat
from engines.kernel.messages.catalogue import normalize
from engines.kernel.values.models import STRICT
from engines.roundforest.kit import Character, Colour, Object, Row
from engines.roundforest.words import COLOURS

Cell = Annotated[str, Field(pattern=r"^[a-h][1-8]$")]


def _known_gap(gap: Any) -> Any:
    """A gap may be named from either corner and in any order; it is kept in one way.

    That is by its south-west and its north-east cell, or by its two cells at the edge.
    """
    found = _GAP.fullmatch(gap.lower()) if isinstance(gap, str) else None
    if found is None:
        return gap
    one, other = found.groups()
    (west, east), (south, north) = sorted((one[0], other[0])), sorted((one[1], other[1]))
    return f"{west}{south}/{east}{north}"


_GAP = re.compile(r"(?:between |entre )?([a-h][1-8])(?:[\s/+-]*| and | et )([a-h][1-8])")
Gap = Annotated[str, BeforeValidator(_known_gap), Field(pattern=r"^[a-h][1-8]/[a-h][1-8]$")]


def _known_colour(place: Any) -> Any:
    """Colours may be named in any language; they are kept in one."""
    if not isinstance(place, str):
        return place
    colour, at, corner = place.partition("@")
    return COLOURS.get(normalize(colour), colour) + at + corner


SeatPlace = Annotated[
    str, BeforeValidator(_known_colour), Field(pattern=r"^[a-z]{2,16}@[a-h][1-8]$")
]


def _in_order(objects: tuple[Object, ...]) -> tuple[Object, ...]:
    """Several objects are named in any order; they are kept in one."""
    return tuple(sorted(objects))


SomeObjects = Annotated[tuple[Object, ...], AfterValidator(_in_order)]


class Payment(Action):
    """Something that costs coins. What was paid is said only where it was not the price."""

    paid: int | None = Field(default=None, ge=0, le=36)
    metal: Literal["copper", "silver"] | None = None

    @model_validator(mode="after")
    def _number_and_metal(self) -> Self:
        """No line says the one without the other."""
        if (self.paid is None) != (self.metal is None):
            raise Flaw("number_and_metal")
        return self

    def coins(self, copper: int, silver: int) -> tuple[int, int]:
        """How much copper and silver was paid, where so much was asked."""
        if self.paid is None:
            return copper, silver
        return (0, self.paid) if self.metal == "silver" else (self.paid, 0)


# set-up


class Table(Opening):
    """Seats in clockwise order with the colour and the corner of each backpack."""

    places: dict[Seat, SeatPlace]
    first: Seat
    hard: bool = False
    blocking: bool = False
    forms: ClassVar = ("{places...} first {first} [{hard?}] [{blocking?}]",)

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(self.places)

    @property
    def colours(self) -> Mapping[str, str]:
        return {seat: place.partition("@")[0] for seat, place in self.places.items()}

    @classmethod
    def usual(cls, players: int) -> str:
        corners = ("a1", "e5", "a5", "e1") if players < 3 else ("a1", "a6", "f6", "f1")
        colours = ("red", "blue", "green", "yellow")[:players]
        sitting = (
            f"{seat}={colour}@{corner}"
            for seat, colour, corner in zip("ABCD", colours, corners, strict=False)
        )
        return f"table {' '.join(sitting)} first A"


class LayTile(Action):
    """A tile of the kit with its facing, or a tile's face as it lies."""

    verb: Literal["tile"] = "tile"
    cell: Cell
    tile: str = Field(pattern=r"^[A-Z][0-9]{1,2}$|^[01]{2}(/[01]{2}){3}$")
    facing: Literal["n", "e", "s", "w", "ne", "se", "sw", "nw"] | None = None
    well: bool = False
    ccw: bool = False
    forms: ClassVar = ("{cell} {tile} {facing}", "{cell} {tile} [{well?}] [{ccw?}]")
    several: ClassVar[bool] = True
    in_order: ClassVar[str] = "cell"
    french: ClassVar = ("tuile",)
    enumerable: ClassVar = False
    observes: ClassVar[bool] = True

    @model_validator(mode="after")
    def _is_by_id_or_by_face(self) -> Self:
        by_face = "/" in self.tile
        if by_face == (self.facing is not None) or (not by_face and (self.well or self.ccw)):
            raise Flaw("id_or_face")
        return self


class Chip(Action):
    """A chip drawn from the black bag; in play the tile is the one just left."""

    verb: Literal["chip"] = "chip"
    cell: Cell | None = None
    colour: Colour
    forms: ClassVar = ("{cell} {colour}", "{colour}")
    several: ClassVar[bool] = True
    in_order: ClassVar[str] = "cell"
    french: ClassVar = ("puce",)
    also: ClassVar = (
        "draw {colour}",
        "pioche {colour}",
        "tire {colour}",
        "{colour}",
    )
    observes: ClassVar[bool] = True


class FillRow(Action):
    """Tokens drawn from the blue bag onto a row of the fairy board."""

    verb: Literal["fairy"] = "fairy"
    row: Row
    objects: tuple[Object, ...] = Field(min_length=1, max_length=9)
    forms: ClassVar = ("{row} {objects...}",)
    in_order: ClassVar[str] = "row"
    french: ClassVar = ("fée",)
    enumerable: ClassVar = False
    observes: ClassVar[bool] = True


# the turn


class Move(Action):
    verb: Literal["move"] = "move"
    to: Cell
    compass: bool = False
    forms: ClassVar = ("{to} [{compass?}]",)
    french: ClassVar = ("déplace", "va")
    also: ClassVar = ("move {compass?} {to}", "déplace {compass?} {to}", "va {compass?} {to}")


class Pause(Action):
    verb: Literal["pause"] = "pause"
    french: ClassVar = ("pause", "reste")
    also: ClassVar = ("stay", "fait pause")


class End(Action):
    verb: Literal["end"] = "end"
    french: ClassVar = ("fin", "finit", "termine")
    also: ClassVar = ("end turn", "fin tour", "finit son tour", "termine son tour")


# objects


class Draw(Action):
    """Objects drawn from the blue bag: one, or the prince's three."""

    verb: Literal["draw"] = "draw"
    objects: SomeObjects = Field(min_length=1, max_length=9)
    forms: ClassVar = ("{objects...}",)
    french: ClassVar = ("pioche", "tire")
    observes: ClassVar[bool] = True


class Keep(Action):
    """The object goes into the pack; of the prince's objects the one named."""

    verb: Literal["keep"] = "keep"
    object: Object | None = None
    coin: bool = False
    dropped: Object | None = None
    forms: ClassVar = ("[{object}] [{coin?}] [for {dropped}]",)
    several: ClassVar[bool] = True
    french: ClassVar = ("garde",)
    also: ClassVar = (
        "take [{object}] [{coin?}] [for {dropped}]",
        "prend [{object}] [{coin?}] [for {dropped}]",
        "prends [{object}] [{coin?}] [for {dropped}]",
    )


class Leave(Action):
    """Of several objects drawn the one named."""

    verb: Literal["leave"] = "leave"
    object: Object | None = None
    forms: ClassVar = ("[{object}]",)
    french: ClassVar = ("laisse",)


class Barter(Payment):
    verb: Literal["barter"] = "barter"
    row: Row
    object: Object
    silver: bool = False
    coin: bool = False
    forms: ClassVar = ("{row} {object} [{silver?}] [{coin?}] [for {paid} {metal}]",)
    french: ClassVar = ("troque", "troc")


class Put(Action):
    verb: Literal["put"] = "put"
    cell: Cell
    object: Object | None = None
    forms: ClassVar = ("{cell} [{object}]",)
    french: ClassVar = ("pose",)


class Coin(Action):
    """A coin token of the pack is replaced by its coin."""

    verb: Literal["coin"] = "coin"
    object: Object
    forms: ClassVar = ("{object}",)
    french: ClassVar = ("monnaie",)


# characters


class Meet(Action):
    verb: Literal["meet"] = "meet"
    character: Character
    forms: ClassVar = ("{character}",)
    french: ClassVar = ("rencontre",)
    also: ClassVar = ("draw {character}", "pioche {character}", "tire {character}")
    observes: ClassVar[bool] = True


class Upper(Payment):
    """The upper mission; ``none``: no reward is found or wanted."""

    verb: Literal["upper"] = "upper"
    none: bool = False
    forms: ClassVar = ("[{none?}] [for {paid} {metal}]",)
    french: ClassVar = ("haut",)


class Lower(Payment):
    verb: Literal["lower"] = "lower"
    forms: ClassVar = ("[for {paid} {metal}]",)
    french: ClassVar = ("bas",)


class Apple(Action):
    """A golden apple is sacrificed for a debt."""

    verb: Literal["apple"] = "apple"
    french: ClassVar = ("pomme",)


class Decline(Action):
    """Of several cards drawn the one named."""

    verb: Literal["decline"] = "decline"
    character: Character | None = None
    forms: ClassVar = ("[{character}]",)
    french: ClassVar = ("refuse", "décline")


class CallPrince(Action):
    verb: Literal["prince"] = "prince"


class RideUnicorn(Action):
    verb: Literal["unicorn"] = "unicorn"
    to: Cell
    saddle: bool = False
    forms: ClassVar = ("{to} [{saddle?}]",)
    french: ClassVar = ("licorne",)


class Sell(Action):
    verb: Literal["sell"] = "sell"
    objects: SomeObjects = Field(min_length=1, max_length=9)
    forms: ClassVar = ("{objects...}",)
    french: ClassVar = ("vend",)


class Buy(Payment):
    verb: Literal["buy"] = "buy"
    amount: int = Field(default=1, ge=1, le=12)
    amounts: ClassVar[tuple[str, ...]] = ("amount",)
    forms: ClassVar = ("apple [{amount}] [for {paid} {metal}]",)
    french: ClassVar = ("achète",)
    also: ClassVar = ("buy", "achète")


class AskGoblin(Action):
    verb: Literal["goblin"] = "goblin"
    object: Object
    given: Object
    forms: ClassVar = ("{object} for {given}",)
    french: ClassVar = ("lutin",)


class AskBeggar(Payment):
    verb: Literal["beggar"] = "beggar"
    character: Character
    forms: ClassVar = ("{character} [for {paid} {metal}]",)
    french: ClassVar = ("mendiant",)


class Ring(Action):
    verb: Literal["ring"] = "ring"
    french: ClassVar = ("anneau",)


# wells, chest, blocking, spirit


class TradeAtWell(Payment):
    """Objects for copper, copper for silver, silver for an apple; or nothing."""

    verb: Literal["well"] = "well"
    objects: SomeObjects = Field(default=(), max_length=9)
    gets: Literal["silver", "apple"] | None = None
    amount: int = Field(default=1, ge=1, le=12)
    amounts: ClassVar[tuple[str, ...]] = ("amount",)
    forms: ClassVar = (
        "objects {objects...}",
        "{gets} [{amount}] [for {paid} {metal}]",
        "{amount} {gets} [for {paid} {metal}]",
        "nothing",
    )
    french: ClassVar = ("puits",)
    also: ClassVar = ("pass", "passe")

    @model_validator(mode="after")
    def _is_one_exchange(self) -> Self:
        bought = self.amount != 1 or self.paid is not None
        if (self.objects and self.gets is not None) or (bought and self.gets is None):
            raise Flaw("one_exchange")
        return self


class OpenChest(Action):
    verb: Literal["open"] = "open"
    french: ClassVar = ("ouvre",)
    also: ClassVar = ("open chest", "ouvre coffre")


class Block(Action):
    verb: Literal["block"] = "block"
    object: Object
    gap: Gap
    forms: ClassVar = ("{object} {gap}",)
    french: ClassVar = ("bloque",)
    also: ClassVar = ("block {object} {gap...}", "bloque {object} {gap...}")


class Unblock(Action):
    verb: Literal["unblock"] = "unblock"
    gap: Gap
    forms: ClassVar = ("{gap}",)
    french: ClassVar = ("débloque",)
    also: ClassVar = ("unblock {gap...}", "débloque {gap...}")


class PlaceSpirit(Action):
    verb: Literal["spirit"] = "spirit"
    cell: Cell
    forms: ClassVar = ("{cell}",)
    french: ClassVar = ("esprit",)


# declared positions


Phase = Literal[
    "SETUP",
    "START",
    "GARNISH",
    "DRAW",
    "OBJ",
    "REFILL",
    "PUT",
    "MEET",
    "CHAR",
    "DRAW3",
    "PRINCE",
    "WELL",
    "SPIRIT",
    "END",
    "OVER",
]
Content = Colour | Object | Character
Deed = Literal["move", "pause", "ride", "object", "barter", "character", "merchant", "well"]
Pending = Literal["arrive", "arrive_riding", "decide", "lay_down", "choose", "unsaddle", "exchange"]
Count = Annotated[int, Field(ge=0, le=999)]
TileText = Annotated[
    str, Field(pattern=r"^[A-Z][0-9]{1,2} [nesw]$|^[01]{2}(/[01]{2}){3}( well)?( ccw)?$")
]


class DrawnPosition(BaseModel):
    """Objects that a player has drawn and not decided about, and what they were drawn for."""

    model_config = STRICT

    seat: Seat
    objects: tuple[Object, ...] = Field(min_length=1, max_length=99)
    source: Literal["blue", "yellow", "prince"] = "blue"


class MetPosition(BaseModel):
    """A card that lies before a player and is not answered."""

    model_config = STRICT

    seat: Seat
    character: Character


class PlayerPosition(BaseModel):
    model_config = STRICT

    pos: Cell | Literal["pack"] = "pack"
    pack: tuple[Object, ...] = Field(default=(), max_length=9)
    copper: Count = 0
    silver: Count = 0
    apples: Count = 0
    compasses: Count = 2
    debts: tuple[Character, ...] = ()


class Position(Action):
    """Everything that lies on the table; bags, deck, face-up cards and supply follow from it."""

    verb: Literal["position"] = "position"
    active: Seat
    phase: Phase = "START"
    then: tuple[Phase | Pending, ...] = Field(default=(), max_length=99)
    """What still waits beneath the phase before the turn ends, the next one first."""
    deciding: tuple[Seat, ...] = Field(default=(), max_length=100)
    """Who is to decide in the phase, and in what waits beneath it, where that is not always the
    active player."""
    held: tuple[Object, ...] = ()
    card: Character | None = None
    drawn: tuple[DrawnPosition, ...] = Field(default=(), max_length=99)
    """All that was drawn, the last draw first, where not all of it is held in the phase."""
    met: tuple[MetPosition, ...] = Field(default=(), max_length=99)
    """All cards that wait for an answer, the last one first, where there are several."""
    chip: Literal["blue", "yellow"] | None = None
    """The chip that was reached in this turn, for which something more may be drawn."""
    left: Cell | None = None
    done: tuple[Deed, ...] = ()
    block_used: bool = False
    ahead: tuple[Seat, ...] = ()
    """Whose next turn was played already, out of turn."""
    resumes: Seat | None = None
    """Who is to play after a turn that was played out of turn."""
    tiles: dict[Cell, TileText] = {}
    content: dict[Cell, Content] = {}
    left_by: dict[Cell, Seat] = {}
    """Who left an object, where only others may take it."""
    gaps: dict[Gap, Object] = {}
    fairy: dict[Row, tuple[Object, ...]] = {}
    fairy_aside: tuple[Object, ...] = ()
    aside_chips: dict[Colour, Count] = {}
    players: dict[Seat, PlayerPosition] = {}
    spirit_in_deck: bool = False
    """The spirit's token is on the forest while its card is still in the deck."""
    winner: Seat | None = None
    forms: ClassVar = ("{json}",)
    enumerable: ClassVar = False
