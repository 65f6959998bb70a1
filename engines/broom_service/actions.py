"""What can happen at a table of Broom Service, and how it is written."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, model_validator

from engines.kernel import Action, Flaw, Opening, ParseError, Place, Seat
from engines.kernel.messages.catalogue import Verbatim
from engines.kernel.values.models import STRICT

Role = Literal["fw", "pw", "hw", "mw", "vd", "pd", "wf", "hg", "fg", "rg"]
Mode = Literal["brave", "coward"]
Potion = Literal["g", "o", "p"]
Resource = Literal["g", "o", "p", "w"]
Event = Literal[
    "more_or_less",
    "black_market",
    "secret_distillery",
    "take_heart",
    "dangerous_places",
    "protected_places",
    "advantage",
    "empty_hands",
    "full_set",
    "gathering",
]
ForestTile = Literal["courage", "plusone", "five"]
Source = Literal["role", "tile", "cloud"]
"""What allows a move, a delivery or a chase: the card, a mountain tile, a chased cloud."""
Letter = Literal["A", "B", "C", "D"]
Side = Literal["front", "back"]
Variant = Literal["basic", "storm", "mountain", "forest", "hill"]

ROLES: tuple[Role, ...] = get_args(Role)
RESOURCES: tuple[Resource, ...] = get_args(Resource)
POTIONS: tuple[Potion, ...] = get_args(Potion)
EVENTS: tuple[Event, ...] = get_args(Event)

Colour = Annotated[str, Field(pattern=r"^\w+$", max_length=20)]
RegionId = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{0,7}$")]
Pawn = Annotated[str, Field(pattern=r"^([12]|[A-Z][A-Z0-9_]{0,7})$")]
"""A pawn: its number, or the region it stands in."""


def _sorted_resources(resources: tuple[Resource, ...]) -> tuple[Resource, ...]:
    return tuple(sorted(resources, key=RESOURCES.index))


def _sorted_roles(roles: tuple[Role, ...]) -> tuple[Role, ...]:
    return tuple(sorted(roles, key=ROLES.index))


Resources = Annotated[tuple[Resource, ...], AfterValidator(_sorted_resources)]
Roles = Annotated[tuple[Role, ...], AfterValidator(_sorted_roles)]


class Table(Opening):
    players: dict[Seat, Colour]
    first: Seat
    side: Side
    variants: tuple[Variant, ...] = ()
    removed: int = Field(default=0, ge=0)
    """Heavy clouds taken out beforehand, with storm clouds only."""

    forms: ClassVar[tuple[str, ...]] = (
        "{players...} first {first} side {side} [variants {variants...}] [removed {removed}]",
    )

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(self.players)

    @property
    def colours(self) -> Mapping[str, str]:
        return self.players

    @classmethod
    def usual(cls, players: int) -> str:
        colours = ("red", "blue", "green", "yellow", "white")[:players]
        sitting = (f"{seat}={colour}" for seat, colour in zip("ABCDE", colours, strict=False))
        return f"table {' '.join(sitting)} first A side front"


# Set-up


class PlaceCloud(Action):
    verb: Literal["cloud"] = "cloud"
    space: Place
    cloud: Place

    forms: ClassVar[tuple[str, ...]] = ("{space} {cloud}",)
    in_order: ClassVar[str] = "space"
    several: ClassVar[bool] = True
    french: ClassVar[tuple[str, ...]] = ("nuage",)
    enumerable: ClassVar[bool] = False
    observes: ClassVar[bool] = True


class PlaceTile(Action):
    verb: Literal["tile"] = "tile"
    region: RegionId
    tile: Place

    forms: ClassVar[tuple[str, ...]] = ("{region} {tile}",)
    in_order: ClassVar[str] = "region"
    several: ClassVar[bool] = True
    french: ClassVar[tuple[str, ...]] = ("tuile",)
    enumerable: ClassVar[bool] = False
    observes: ClassVar[bool] = True


# Start of a round


class RevealEvent(Action):
    verb: Literal["event"] = "event"
    event: Event

    forms: ClassVar[tuple[str, ...]] = ("{event}",)
    french: ClassVar[tuple[str, ...]] = ("événement",)
    observes: ClassVar[bool] = True


class RevealCursed(Action):
    verb: Literal["cursed"] = "cursed"
    roles: Roles = Field(min_length=1, max_length=10)

    forms: ClassVar[tuple[str, ...]] = ("{roles...}",)
    french: ClassVar[tuple[str, ...]] = ("maudits", "maudit")
    observes: ClassVar[bool] = True


class ChooseHand(Action):
    verb: Literal["hand"] = "hand"
    count: int = Field(ge=0, le=20)
    sealed: Roles = ()
    """The chosen roles, where hands are deposited with the referee."""

    forms: ClassVar[tuple[str, ...]] = ("{count} [{sealed...}]",)
    amounts: ClassVar[tuple[str, ...]] = ("count",)
    french: ClassVar[tuple[str, ...]] = ("main",)
    private: ClassVar[tuple[str, ...]] = ("sealed",)


# Turns


class PlayRole(Action):
    """Lays a role brave or cowardly."""

    verb: Literal["role"] = "role"
    role: Role
    mode: Mode | None = None

    forms: ClassVar[tuple[str, ...]] = ("{role} [{mode}]", "{mode} {role}")
    bare: ClassVar[bool] = True


class LayDead(Action):
    """Lays a role that was called earlier in the round."""

    verb: Literal["lay"] = "lay"
    role: Role

    forms: ClassVar[tuple[str, ...]] = ("{role}",)
    french: ClassVar[tuple[str, ...]] = ("pose",)
    also: ClassVar[tuple[str, ...]] = ("lays {role}", "poser {role}")


class Pass(Action):
    """Claims not to hold the led role."""

    verb: Literal["next"] = "next"

    french: ClassVar[tuple[str, ...]] = ("suivant", "passe")
    also: ClassVar[tuple[str, ...]] = ("pass", "passes")


# Actions of roles, tiles and clouds


class Gather(Action):
    verb: Literal["gather"] = "gather"
    resources: Resources = Field(min_length=1, max_length=20)

    forms: ClassVar[tuple[str, ...]] = ("{resources...}",)
    french: ClassVar[tuple[str, ...]] = ("cueille",)
    also: ClassVar[tuple[str, ...]] = ("gathers {resources...}", "cueillir {resources...}")


class Move(Action):
    verb: Literal["move"] = "move"
    pawn: Pawn
    to: RegionId

    forms: ClassVar[tuple[str, ...]] = ("{pawn} {to}",)
    french: ClassVar[tuple[str, ...]] = ("déplace",)
    also: ClassVar[tuple[str, ...]] = ("moves {pawn} {to}", "déplacer {pawn} {to}")


def _names_a_tower(word: str) -> str:
    """Small words are none, so that they can be left out: ``deliver a potion to t02``."""
    if word in ("a", "an", "at", "by", "on", "potion", "the", "to", "tour", "tower", "with"):
        raise ParseError("odd_word", field="tower", word=Verbatim(word))
    return word


TowerId = Annotated[Place, AfterValidator(_names_a_tower)]


class Deliver(Action):
    verb: Literal["deliver"] = "deliver"
    potion: Potion
    tower: TowerId
    pawn: Pawn | None = None
    source: Source | None = None

    forms: ClassVar[tuple[str, ...]] = ("{potion} {tower} [{pawn}] [by {source}]",)
    french: ClassVar[tuple[str, ...]] = ("livre",)
    also: ClassVar[tuple[str, ...]] = (
        "delivers {potion} {tower} [{pawn}] [by {source}]",
        "livrer {potion} {tower} [{pawn}] [by {source}]",
    )


class Chase(Action):
    verb: Literal["chase"] = "chase"
    space: Place

    forms: ClassVar[tuple[str, ...]] = ("{space}",)
    french: ClassVar[tuple[str, ...]] = ("chasse",)
    also: ClassVar[tuple[str, ...]] = ("chases {space}", "chasser {space}")


class TakeEvent(Action):
    """Takes the gain of the event instead of the cowardly action."""

    verb: Literal["take"] = "take"
    resource: Resource | None = None

    forms: ClassVar[tuple[str, ...]] = ("[{resource}]",)
    french: ClassVar[tuple[str, ...]] = ("profite",)
    also: ClassVar[tuple[str, ...]] = ("takes [{resource}]", "profiter [{resource}]")


class UseTile(Action):
    """Uses a forest tile."""

    verb: Literal["use"] = "use"
    tile: ForestTile
    sealed: Role | None = None
    """The role added by a card tile, where hands are deposited with the referee."""

    forms: ClassVar[tuple[str, ...]] = ("{tile} [{sealed}]",)
    french: ClassVar[tuple[str, ...]] = ("utilise",)
    private: ClassVar[tuple[str, ...]] = ("sealed",)
    also: ClassVar[tuple[str, ...]] = ("uses {tile} [{sealed}]", "utiliser {tile} [{sealed}]")


class TakeBonus(Action):
    """Takes the potions or wands of the mountain tile just reached."""

    verb: Literal["bonus"] = "bonus"

    french: ClassVar[tuple[str, ...]] = ("prime",)


class FlyOn(Action):
    verb: Literal["circle"] = "circle"
    circle: Letter

    forms: ClassVar[tuple[str, ...]] = ("{circle}",)
    french: ClassVar[tuple[str, ...]] = ("cercle",)


class End(Action):
    """Gives up whatever is left of an action or of an event."""

    verb: Literal["end"] = "end"

    french: ClassVar[tuple[str, ...]] = ("fin",)
    also: ClassVar[tuple[str, ...]] = ("ends", "end action", "finir", "fin action")


# Events at the end of a round


class OpenFist(Action):
    verb: Literal["fist"] = "fist"
    resources: Resources = Field(default=(), max_length=200)
    count: int | None = Field(default=None, ge=0, le=200)
    """How many they are, where nobody says which."""

    @model_validator(mode="after")
    def _kinds_or_count(self) -> Self:
        """No line says both."""
        if self.resources and self.count is not None:
            raise Flaw("kinds_or_count")
        return self

    forms: ClassVar[tuple[str, ...]] = ("none", "{resources...}", "{count}")
    amounts: ClassVar[tuple[str, ...]] = ("count",)
    french: ClassVar[tuple[str, ...]] = ("poing",)
    observes: ClassVar[bool] = True


class Announce(Action):
    """The advantage: how many resources a player says they have, before the fists."""

    verb: Literal["announce"] = "announce"
    count: int = Field(ge=0, le=200)

    forms: ClassVar[tuple[str, ...]] = ("{count}",)
    amounts: ClassVar[tuple[str, ...]] = ("count",)
    french: ClassVar[tuple[str, ...]] = ("annonce",)
    also: ClassVar[tuple[str, ...]] = (
        "announces {count}",
        "annoncer {count}",
        "announce {count} resources",
        "annonce {count} ressources",
    )


class HandInSet(Action):
    verb: Literal["set"] = "set"

    french: ClassVar[tuple[str, ...]] = ("lot",)
    also: ClassVar[tuple[str, ...]] = ("hands in set", "hand in set", "rend lot", "rendre lot")


# Declared positions


class _Part(BaseModel):
    model_config = STRICT


LaidCard = Annotated[str, Field(pattern=r"^[a-z]{2}(/(brave|coward|dead)(/(courage|five))?)?$")]
"""A laid role; its mode and the forest tile used with it may follow: ``pw/coward/five``."""
HeldForestTile = Annotated[str, Field(pattern=r"^(courage|plusone|five)(@[1-7]\.[0-9]{1,2})?$")]
"""A forest tile; the round and turn in which it was taken may follow: ``five@3.2``."""
Count = Annotated[int, Field(ge=0, le=999)]


class SeatPosition(_Part):
    vp: int | None = Field(default=None, ge=-9999, le=9999)
    g: Count = 1
    o: Count = 1
    p: Count = 1
    w: Count | None = None
    bolts: Count = 0
    at: tuple[RegionId, RegionId] | None = None
    """Regions of pawn 1 and pawn 2."""
    amulets: tuple[RegionId, ...] = ()
    holds: tuple[HeldForestTile, ...] = ()
    cards: int | None = Field(default=None, ge=0, le=20)
    laid: tuple[LaidCard, ...] = ()
    passed: tuple[Role, ...] = ()
    extra: bool = False
    """Whether a card tile was used in this round."""
    sealed: Roles | None = None


StepName = Literal[
    "first_lead", "settle", "follow", "next_turn", "close_round", "compare_fists", "next_round"
]
DutyKind = Literal[
    "cloud",
    "tile",
    "event",
    "cursed",
    "hand",
    "plusone",
    "lead",
    "answer",
    "gather",
    "move",
    "deliver",
    "chase",
    "bonus",
    "take",
    "use",
    "circle",
    "end",
    "fist",
    "set",
]
LeadClause = Literal[
    "BRM-SET-7", "BRM-TRN-15", "BRM-TRN-16", "BRM-TRN-17", "BRM-END-5", "BRM-END-6"
]


Times = Annotated[
    Annotated[int, Field(ge=1, le=50)] | Literal["any"],
    BeforeValidator(lambda said: "any" if said is None else said),
]
"""How often; ``any``, which older records write as null, until what permits it is over."""


class OwedDuty(_Part):
    kind: DutyKind
    seat: Seat | None = None
    times: Times = 1
    why: Source | Literal["m_potions", "m_wands", "1", "2"] | None = None
    """What permits it; of a gift the tile, of a flight the pawn."""
    optional: bool = False


class OpenAction(_Part):
    """A card in the middle of being performed."""

    seat: Seat
    role: Role
    brave: bool
    begun: bool = False
    pawn: Literal["1", "2"] | None = None
    place: RegionId | None = None
    hill: RegionId | None = None
    spent: tuple[str, ...] = Field(default=(), max_length=50)
    squares: tuple[Source, ...] = Field(default=(), max_length=50)


class BegunAction(OpenAction):
    """A card of which something was done when it was not the seat's time, and what is left."""

    left: tuple[OwedDuty, ...] = Field(default=(), max_length=20)


class Moment(_Part):
    """Where in a round or turn the game stands, if not at its start."""

    due: tuple[StepName | tuple[OwedDuty, ...], ...] = Field(default=(), max_length=20)
    """The agenda, what is due first named last; derived steps by name; empty: the end."""
    why: LeadClause = "BRM-SET-7"
    """The clause that made the leader lead."""
    led: Role | None = None
    dead: bool = False
    claimant: Seat | None = None
    deposed: tuple[Seat, ...] = ()
    answered: tuple[Seat, ...] = ()
    passed: tuple[Seat, ...] = ()
    action: OpenAction | None = None
    begun: tuple[BegunAction, ...] | None = Field(default=None, max_length=5)
    """Cards of this turn that were begun out of time."""
    called: Roles = ()
    stack: Roles = ()
    last_brave: Seat | None = None
    fists: dict[Seat, Resources] = {}


class Position(Action):
    """A whole position: at the start of a round, at the lead of a turn, or at any moment."""

    verb: Literal["position"] = "position"
    round: int = Field(default=1, ge=1, le=7)
    first: Seat
    seen: tuple[Event, ...] = ()
    shown: Roles = ()
    clouds: dict[Place, Place] = {}
    occupied: tuple[Place, ...] = ()
    tiles: dict[RegionId, Place] = {}
    turn: int | None = Field(default=None, ge=1, le=99)
    event: Event | None = None
    cursed: Roles = ()
    players: dict[Seat, SeatPosition] = {}
    now: Moment | None = None

    forms: ClassVar[tuple[str, ...]] = ("{json}",)
    enumerable: ClassVar[bool] = False
