"""The box: tiles and their symbols, tokens, chips, cards, and the layouts they are laid on."""

from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, get_args

from pydantic import BaseModel, Field

from engines.kernel import Kit
from engines.kernel.box.kit import Few, Within, has_all
from engines.kernel.values.models import STRICT

if TYPE_CHECKING:
    # The state keeps plain words: pydantic holds them to these vocabularies.
    Colour = str
    Object = str
    Character = str
    Row = str
else:
    Colour = Literal["blue", "yellow", "red"]
    HeavyObject = Literal["anvil", "barrel", "saddle", "chest", "stone"]
    LightObject = Literal[
        "helmet",
        "horseshoe",
        "hat",
        "cheese",
        "kettle",
        "cross",
        "jug",
        "spoon",
        "mortar",
        "mushroom",
        "bottle",
        "key",
        "sword",
        "boots",
        "potion",
        "copper_token",
        "silver_token",
    ]
    Object = Literal[HeavyObject, LightObject]
    Character = Literal[
        "smith",
        "innkeeper",
        "sculptor",
        "witch",
        "bandit",
        "demon",
        "prince",
        "unicorn",
        "merchant",
        "goblin",
        "beggar",
        "spirit",
    ]
    Row = Literal["bottom", "middle", "top"]

CHIPS: frozenset[str] = frozenset(get_args(Colour))
OBJECTS: frozenset[str] = frozenset(get_args(Object))
CHARACTERS: frozenset[str] = frozenset(get_args(Character))
ROWS: tuple[str, ...] = get_args(Row)
FACINGS = "nesw"

Face = Annotated[str, Field(pattern=r"^[01]{2}(/[01]{2}){3}$")]
Count = Annotated[int, Field(ge=0, le=99)]
ObjectNames = Annotated[tuple[Object, ...], Within(0, 60)]

_STEP = {"n": (0, 1), "e": (1, 0), "s": (0, -1), "w": (-1, 0)}


class Landing(NamedTuple):
    """A cell one or two steps away in a straight line."""

    to: str
    direction: int
    distance: int
    over: str | None
    """The cell in between."""


class Board(BaseModel):
    """A layout: a rectangle of cells without its four corners."""

    model_config = STRICT

    columns: str = Field(pattern=r"^[a-h]{3,8}$")
    rows: int = Field(ge=3, le=8)
    corners: Annotated[tuple[str, ...], Within(0, 64)]
    wells: Annotated[tuple[str, ...], Within(0, 64)]

    @cached_property
    def cells(self) -> dict[str, None]:
        """The cells that carry a tile, from the south-west, row by row."""
        named = (f"{column}{row}" for row in range(1, self.rows + 1) for column in self.columns)
        return {cell: None for cell in named if cell not in self.corners}

    @cached_property
    def landings(self) -> dict[str, dict[str, Landing]]:
        """From each cell, what lies in a straight line within two steps, by target."""
        return {
            cell: {
                landing.to: landing
                for direction, facing in enumerate(FACINGS)
                for landing in self._line(cell, direction, facing)
            }
            for cell in self.cells
        }

    def _line(self, cell: str, direction: int, facing: str) -> list[Landing]:
        near, far = self.away(cell, facing, 1), self.away(cell, facing, 2)
        found = [Landing(near, direction, 1, None), Landing(far, direction, 2, near)]
        return [landing for landing in found if landing.to in self.cells]

    @cached_property
    def bordering(self) -> dict[str, tuple[str, ...]]:
        """The two tiles beside each corner."""
        return {
            corner: tuple(
                cell for facing in FACINGS if (cell := self.away(corner, facing, 1)) in self.cells
            )
            for corner in self.corners
        }

    @cached_property
    def gaps(self) -> dict[str, tuple[str, ...]]:
        """The enclosed spaces between four cells, and the tiles each one touches."""
        found = {}
        for cell in (f"{c}{r}" for r in range(1, self.rows) for c in self.columns[:-1]):
            east, north = self.away(cell, "e", 1), self.away(cell, "n", 1)
            opposite = self.away(north, "e", 1)
            around = (cell, east, north, opposite)
            found[f"{cell}/{opposite}"] = tuple(c for c in around if c in self.cells)
        return found

    @cached_property
    def notches(self) -> dict[str, tuple[str, ...]]:
        """The open spaces between two neighbouring tiles on the edge of the forest."""
        found: dict[str, tuple[str, ...]] = {}
        for cell in self.cells:
            for facing, sides in (("e", "ns"), ("n", "ew")):
                other = self.away(cell, facing, 1)
                on_edge = any(self._outside(self.away(cell, side, 1)) for side in sides)
                if other in self.cells and on_edge:
                    found[f"{cell}/{other}"] = (cell, other)
        return found

    def away(self, cell: str, facing: str, steps: int) -> str:
        """The name of the cell so many steps away, whether it exists or not."""
        east, north = _STEP[facing]
        return f"{chr(ord(cell[0]) + east * steps)}{int(cell[1:]) + north * steps}"

    def _outside(self, cell: str) -> bool:
        return cell not in self.cells and cell not in self.corners


class Faces(BaseModel):
    model_config = STRICT

    plain: dict[str, Face]
    well: dict[str, Face]


class Objects(BaseModel):
    model_config = STRICT

    count: dict[Object, Annotated[int, Field(ge=1, le=39)]]
    heavy: ObjectNames
    marked: ObjectNames
    coins: dict[Object, Literal["copper", "silver"]]


class Mission(BaseModel):
    """What a character asks for, and what it gives in return."""

    model_config = STRICT

    give: ObjectNames = ()
    have: ObjectNames = ()
    """To be in the pack besides what is given."""
    copper: Few = 0
    silver: Few = 0
    reward: Object | Literal["apple"] | None = None
    unstated: bool = False
    """The character's own text does not say that what is given goes into the bag."""


class Person(BaseModel):
    model_config = STRICT

    kind: Literal["friendly", "hostile", "altruistic"]
    upper: Mission | None = None
    lower: Mission | None = None


class Services(BaseModel):
    """The numbers in the abilities of the altruistic characters."""

    model_config = STRICT

    prince_draws: Few
    merchant_buys: Few
    merchant_pays: Few
    merchant_apple: Few
    beggar_costs: Few
    spirit_wants: Few


class Exchanges(BaseModel):
    """What a well gives for what."""

    model_config = STRICT

    objects: Few
    copper_for_objects: Few
    copper_for_silver: Few
    silver_for_apple: Few


class Supply(BaseModel):
    model_config = STRICT

    copper: Count
    silver: Count
    apples: Count
    compasses_per_player: Count
    rings: Count


class Pack(BaseModel):
    model_config = STRICT

    objects: Count
    heavy: Count


class Fairy(BaseModel):
    model_config = STRICT

    cost: dict[Row, Count]
    places: Count


class Edition(BaseModel):
    model_config = STRICT

    rules: str
    publisher: str
    year: Annotated[int, Within(0, 9999)]


class Box(Kit):
    edition: Edition
    boards: Annotated[dict[Literal["2", "3-4"], Board], has_all("2", "3-4")]
    faces: Faces
    turns: dict[str, Literal["cw", "ccw"]]
    """The turning direction of the arrows on each tile."""
    objects: Objects
    chips: dict[Colour, Count]
    fairy: Fairy
    characters: dict[Character, Person]
    services: Services
    well: Exchanges
    supply: Supply
    pack: Pack
    colours: Annotated[tuple[str, ...], Within(2, 20)]

    def layout(self, players: int) -> Literal["2", "3-4"]:
        """The name of the layout for so many players."""
        return "2" if players == 2 else "3-4"

    def board(self, players: int) -> Board:
        return self.boards[self.layout(players)]

    @cached_property
    def heavy(self) -> frozenset[str]:
        return frozenset(self.objects.heavy)

    @cached_property
    def coin_tokens(self) -> frozenset[str]:
        return frozenset(self.objects.coins)

    @cached_property
    def faces_by_id(self) -> dict[str, str]:
        return {**self.faces.plain, **self.faces.well}

    def tokens(self, hard: bool) -> dict[str, int]:
        """The object tokens of a game; the harder one goes without silver tokens."""
        coins = self.objects.coins
        return {
            kind: count
            for kind, count in self.objects.count.items()
            if not (hard and coins.get(kind) == "silver")
        }
