"""The box of Broom Service: roles, events, clouds, tiles and both sides of the board."""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from itertools import combinations, product
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, model_validator

from engines.broom_service.actions import (
    Event,
    ForestTile,
    Letter,
    Potion,
    RegionId,
    Resource,
    Role,
)
from engines.kernel import Flaw, Kit, Place
from engines.kernel.box.kit import Within
from engines.kernel.values.models import STRICT

Terrain = Literal["forest", "prairie", "hill", "mountain", "water"]
GROUNDS: dict[Terrain, str] = {
    "forest": "#bfdcae",
    "prairie": "#f6e7a6",
    "hill": "#e0c3a0",
    "mountain": "#d3d4d8",
    "water": "#b7daf0",
}
"""The colour of each ground, as it is drawn."""
When = Literal["before", "during", "end"]
Points = Annotated[int, Field(ge=-999, le=999)]
Small = Annotated[int, Field(ge=0, le=99)]
Resources = Annotated[tuple[Resource, ...], Within(0, 9)]


class KitModel(BaseModel):
    """Base of what a kit file describes."""

    model_config = STRICT


class RoleCard(KitModel):
    kind: Literal["witch", "druid", "fairy", "gatherer"]
    terrains: Annotated[tuple[Terrain, ...], Within(0, 20)] = ()
    brave_vp: Points = 0
    brave: tuple[Resources, ...] = Field(default=(), max_length=6)
    """What a gatherer takes: for each piece, the resources to choose from."""
    coward: tuple[Resources, ...] = Field(default=(), max_length=6)

    def slots(self, brave: bool) -> tuple[tuple[Resource, ...], ...]:
        return self.brave if brave else self.coward

    @cached_property
    def _gains(self) -> dict[bool, frozenset[tuple[Resource, ...]]]:
        return {brave: frozenset(_fillings(self.slots(brave))) for brave in (True, False)}

    def gains(self, brave: bool) -> frozenset[tuple[Resource, ...]]:
        """Everything that may be gathered, in part or whole, each in the order of notation."""
        return self._gains[brave]


def _fillings(slots: tuple[tuple[Resource, ...], ...]) -> Iterable[tuple[Resource, ...]]:
    for count in range(1, len(slots) + 1):
        for chosen in combinations(slots, count):
            for filling in product(*chosen):
                yield tuple(sorted(filling, key="gopw".index))


class BeforeRound(KitModel):
    when: When
    hand_min: Small
    hand_max: Small
    vp_by_count: dict[int, Points]


class BlackMarket(KitModel):
    when: When
    vp: Points


class SecretDistillery(KitModel):
    when: When
    any_of: Resources


class TakeHeart(KitModel):
    when: When


class Places(KitModel):
    when: When
    count: Literal["per_pawn", "per_terrain"]
    vp: dict[Terrain, Points]


class Ranking(KitModel):
    when: When
    vp_by_rank: Annotated[tuple[Points, ...], Within(1, 20)]
    min_count: Small = 0
    paid_by: Literal["all", "winners", "nobody"] = "nobody"


class FullSet(KitModel):
    when: When
    set: dict[Resource, Small]
    vp: Points


class Gathering(KitModel):
    when: When
    vp: Points


class Events(KitModel):
    more_or_less: BeforeRound
    black_market: BlackMarket
    secret_distillery: SecretDistillery
    take_heart: TakeHeart
    dangerous_places: Places
    protected_places: Places
    advantage: Ranking
    empty_hands: Ranking
    full_set: FullSet
    gathering: Gathering

    def when(self, event: Event) -> When:
        when: When = getattr(self, event).when
        return when


class CloudType(KitModel):
    stars: Small
    bolts: Small
    count: Small
    effect: Literal["bonus", "move", "deliver", "potions"] | None = None
    potion: Potion | None = None
    need: Small = 0
    vp: Points = 0


class Clouds(KitModel):
    heavy: dict[Place, CloudType]
    storm: dict[Place, CloudType]

    @cached_property
    def types(self) -> dict[str, CloudType]:
        return {**self.storm, **self.heavy}

    @cached_property
    def heavy_ones(self) -> int:
        """How many heavy clouds the box has."""
        return sum(cloud.count for cloud in self.heavy.values())

    def __getitem__(self, cloud: str) -> CloudType:
        return self.types[cloud]

    def __contains__(self, cloud: str) -> bool:
        return cloud in self.types


class Scoring(KitModel):
    start_vp: Points
    cursed_vp: Points
    set_of_four: Points
    set_of_three: Points
    amulets: tuple[Points, ...] = Field(min_length=4, max_length=4)
    lightning: tuple[Points, ...] = Field(min_length=1, max_length=99)
    lightning_step: Points

    def for_bolts(self, bolts: int) -> int:
        if bolts < len(self.lightning):
            return self.lightning[bolts]
        return self.lightning[-1] + self.lightning_step * (bolts + 1 - len(self.lightning))

    def for_amulets(self, count: int) -> int:
        return self.amulets[min(count, len(self.amulets) - 1)]

    def for_sets(self, resources: Mapping[Resource, int]) -> int:
        """The best division into sets of four and of three different resources."""
        return max(
            self.set_of_four * fours + self.set_of_three * _sets_of_three(resources, fours)
            for fours in range(min(resources.values()) + 1)
        )


def _sets_of_three(resources: Mapping[Resource, int], fours: int) -> int:
    """How many sets of three different resources there are beside so many sets of four."""
    left = [count - fours for count in resources.values()]
    threes = sum(left) // 3
    while sum(min(count, threes) for count in left) < 3 * threes:
        threes -= 1
    return threes


class TileSupply(KitModel):
    mountain: dict[Literal["m_potions", "m_wands", "m_deliver", "m_moves", "m_chase"], Small]
    forest: dict[ForestTile, Small]
    hill: dict[Annotated[str, Field(pattern=r"^(t_[a-d]{2}|market)$")], Small]
    five_vp: Points
    market_vp: Points
    market_potion: Potion

    @cached_property
    def terrain_of(self) -> dict[str, str]:
        return {
            tile: terrain
            for terrain in ("mountain", "forest", "hill")
            for tile in getattr(self, terrain)
        }


class Region(KitModel):
    terrain: Terrain
    x: Annotated[int, Field(ge=0, le=100)]
    y: Annotated[int, Field(ge=0, le=100)]


class Tower(KitModel):
    colour: Potion
    shape: Literal["round", "square"]
    vp: Points
    wands: Annotated[int, Field(ge=0, le=2)] = 0
    touches: Annotated[tuple[RegionId, ...], Within(0, 20)]


class TileSpace(KitModel):
    covers: Annotated[tuple[Place, ...], Within(0, 20)] = ()


class Castles(KitModel):
    west: RegionId
    east: RegionId


class BoardSide(KitModel):
    banners: str = Field(max_length=20)
    castles: Castles
    regions: dict[RegionId, Region]
    borders: Annotated[tuple[str, ...], Within(0, 500)]
    cloud_spaces: dict[Place, RegionId]
    towers: dict[Place, Tower]
    tile_spaces: dict[Literal["mountain", "forest", "hill"], dict[RegionId, TileSpace]]
    circles: dict[Letter, RegionId] = {}

    @model_validator(mode="after")
    def _names_exist(self) -> "BoardSide":
        pairs = [tuple(border.split("-")) for border in self.borders]
        if any(len(set(pair)) != 2 for pair in pairs):
            raise Flaw("border_of_two")
        if len({frozenset(pair) for pair in pairs}) != len(pairs):
            raise Flaw("border_twice")
        named = {
            *(region for pair in pairs for region in pair),
            *self.cloud_spaces.values(),
            *self.circles.values(),
            *(region for tower in self.towers.values() for region in tower.touches),
            *(region for spaces in self.tile_spaces.values() for region in spaces),
            self.castles.west,
            self.castles.east,
        }
        if unknown := named - set(self.regions):
            raise Flaw("no_such_region", regions=sorted(unknown))
        covered = {
            tower
            for spaces in self.tile_spaces.values()
            for space in spaces.values()
            for tower in space.covers
        }
        if unknown := covered - set(self.towers):
            raise Flaw("no_such_tower", towers=sorted(unknown))
        for name, tower in self.towers.items():
            if any(self.is_water(region) for region in tower.touches):
                raise Flaw("tower_in_water", tower=name)
        return self

    def terrain(self, region: str) -> Terrain:
        return self.regions[region].terrain

    def tile_spaces_of(self, terrain: str) -> Mapping[RegionId, TileSpace]:
        spaces: Mapping[Any, Mapping[RegionId, TileSpace]] = self.tile_spaces
        return spaces.get(terrain, {})

    def is_water(self, region: str) -> bool:
        return self.regions[region].terrain == "water"

    @cached_property
    def borders_of(self) -> dict[str, frozenset[str]]:
        near: dict[str, set[str]] = {region: set() for region in self.regions}
        for border in self.borders:
            one, other = border.split("-")
            near[one].add(other)
            near[other].add(one)
        return {region: frozenset(others) for region, others in near.items()}

    @cached_property
    def waters(self) -> frozenset[str]:
        return frozenset(region for region in self.regions if self.is_water(region))

    @cached_property
    def spaces_of(self) -> dict[str, tuple[str, ...]]:
        """The cloud spaces of each region."""
        return {
            region: tuple(space for space, at in self.cloud_spaces.items() if at == region)
            for region in self.regions
        }

    @cached_property
    def towers_at(self) -> dict[str, tuple[str, ...]]:
        return {
            region: tuple(name for name, tower in self.towers.items() if region in tower.touches)
            for region in self.regions
        }

    @cached_property
    def covers(self) -> dict[str, str]:
        """Towers under a mountain space, and the region of that space."""
        return {
            tower: region
            for region, space in self.tile_spaces.get("mountain", {}).items()
            for tower in space.covers
        }

    @cached_property
    def _reached(self) -> dict[tuple[str, frozenset[str], str], tuple[str, ...]]:
        return {}

    def neighbours(
        self, region: str, open_waters: frozenset[str], crossing: str
    ) -> tuple[str, ...]:
        """Adjacent regions: over a border, or by land over open water (``crossing``)."""
        key = (region, open_waters, crossing)
        found = self._reached.get(key)
        if found is None:
            found = tuple(sorted(self.borders_of[region] | self._over_water(*key)))
            self._reached[key] = found
        return found

    def _over_water(self, region: str, open_waters: frozenset[str], crossing: str) -> set[str]:
        if crossing == "none" or self.is_water(region):
            return set()
        crossed = set(self.borders_of[region] & open_waters)
        while crossing == "chain":
            further = {
                water for near in crossed for water in self.borders_of[near] & open_waters
            } - crossed
            if not further:
                break
            crossed |= further
        shores = {shore for water in crossed for shore in self.borders_of[water]}
        return shores - self.waters - {region}


class Box(Kit):
    roles: dict[Role, RoleCard]
    events: Events
    clouds: Clouds
    scoring: Scoring
    tiles: TileSupply
    front: BoardSide
    back: BoardSide

    @model_validator(mode="after")
    def _roles_are_ten(self) -> "Box":
        if len(self.roles) != 10:
            raise Flaw("ten_roles")
        return self

    def side(self, name: str) -> BoardSide:
        return self.back if name == "back" else self.front

    def market(self, regions: Iterable[str]) -> Tower:
        """The market tile seen as a square tower of the hills it lies in."""
        return Tower(
            colour=self.tiles.market_potion,
            shape="square",
            vp=self.tiles.market_vp,
            touches=tuple(regions),
        )


def in_full(name: str, there: Collection[str]) -> str:
    """The name of a space or tower that may be written shorter: ``t2`` is ``t02``."""
    padded = f"{name[:-1]}0{name[-1:]}"
    return padded if name not in there and padded in there else name


def circles_of(tile: str | None) -> tuple[Any, ...]:
    """The stone circles a turbo tile shows; none for any other tile."""
    if tile is None or not tile.startswith("t_"):
        return ()
    return tuple(tile.removeprefix("t_").upper())
