"""The box: vocabulary, the kit model, and how segments become a forest."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_args

from msgspec import Struct
from pydantic import AfterValidator, BaseModel, Field, model_validator

from engines.kernel import Flaw, Kit, KitSheet, ParseError, Phrase, Verbatim
from engines.kernel.box.kit import Amount, Coordinate, Few, Within, has_all
from engines.kernel.values.models import STRICT

Gift = Literal["clover", "feather", "crystal", "amber", "statuette"]
Site = Literal["altar", "meadow", "nest", "pond", "circle", "wooden_table"]
Colour = Literal[
    "blue", "red", "yellow", "green", "white", "black", "violet", "orange", "pink", "brown"
]
Ephemeral = Literal[
    "gift_feather",
    "gift_clover",
    "cheap_crystal",
    "convert_1",
    "convert_2",
    "convert_3",
    "free_sleep",
    "free_swap",
    "sale",
]
Permanent = Literal[
    "swap_again",
    "sleep_again",
    "hoard",
    "double_step",
    "lone_step",
    "free_path",
    "grey_pass",
    "reserve_toll",
    "bargain",
]
Face = Literal[Ephemeral, Permanent]
Slot = Literal["1a", "1b", "1c", "1d", "2a", "2b", "2c", "3a", "3b"]

GIFTS: tuple[Gift, ...] = get_args(Gift)
SITES: tuple[Site, ...] = get_args(Site)
COLOURS: tuple[Colour, ...] = get_args(Colour)
EPHEMERAL: tuple[Ephemeral, ...] = get_args(Ephemeral)
PERMANENT: tuple[Permanent, ...] = get_args(Permanent)
SLOTS: tuple[Slot, ...] = get_args(Slot)
NEXT_GIFT: dict[Gift, Gift] = dict(pairwise(GIFTS))
"""In the order of value: what an exchange turns a gift into."""

T = TypeVar("T")
ByPlayers = Annotated[dict[int, T], has_all(2, 3, 4)]
"""What differs with the number of players."""

Cell = tuple[Coordinate, Coordinate]
_AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


class Hex(Struct, frozen=True):
    """One hex of the assembled forest, in axial coordinates (pointy tops)."""

    q: int
    r: int
    site: str
    grey: int
    segment: str | None = None
    side: str | None = None
    position: int | None = None
    raised: bool = False
    """Whether its segment lies on another one."""

    @property
    def word(self) -> str:
        """What lies there, as it is typed: ``S1A``; empty where a table declared the hex."""
        return f"{self.segment}{self.side}" if self.segment else ""


class Forest(Struct, frozen=True):
    """The hexes one can step on, which of them touch, and the words that laid them."""

    laid: tuple[str, ...]
    hexes: dict[str, Hex]
    neighbours: dict[str, frozenset[str]]

    @classmethod
    def of(cls, laid: tuple[str, ...], hexes: dict[str, Hex]) -> "Forest":
        names = {(one.q, one.r): name for name, one in hexes.items()}
        touching = {
            name: frozenset(
                names[one.q + q, one.r + r] for q, r in _AROUND if (one.q + q, one.r + r) in names
            )
            for name, one in hexes.items()
        }
        return cls(laid, hexes, touching)

    def connected(self, hexes: Iterable[str]) -> bool:
        """Whether these hexes form one group."""
        left = set(hexes)
        reached = [left.pop()] if left else []
        while left and reached:
            near = left & self.neighbours[reached.pop()]
            left -= near
            reached += near
        return not left

    def groups(self, hexes: Iterable[str]) -> int:
        """How many groups these hexes form."""
        return len(self._groups(hexes))

    def _groups(self, hexes: Iterable[str]) -> list[set[str]]:
        left, groups = set(hexes), []
        while left:
            group = reached = {min(left)}
            while reached:
                reached = {near for one in reached for near in self.neighbours[one]} & left - group
                group = group | reached
            groups.append(group)
            left -= group
        return groups

    def apart(self, hexes: Iterable[str]) -> tuple[str, ...]:
        """The hexes that do not touch the greatest group of these."""
        off = sorted(self._groups(hexes), key=len)[:-1]
        return tuple(sorted(name for group in off for name in group))


class _Part(BaseModel):
    model_config = STRICT


class Colours(_Part):
    names: Annotated[tuple[Colour, ...], Within(2, 20)]


class Steps(_Part):
    count: Few


class Count(_Part):
    count: Amount


class StartLeaves(_Part):
    by_turn_order: Annotated[tuple[Amount, ...], Within(4, 20)]


class GatherLeaves(_Part):
    leaves: Amount


class Toll(_Part):
    per_grey: Amount
    per_opponent_step: Amount


class GiftKind(_Part):
    id: Gift
    tokens: Amount
    price: Amount
    token_colour: Colour
    river: ByPlayers[Amount]


def _of_all_kinds(gifts: tuple[GiftKind, ...]) -> tuple[GiftKind, ...]:
    """Rules and pictures ask for the price of every kind."""
    kinds = {gift.id for gift in gifts}
    for gift in GIFTS:
        if gift not in kinds:
            raise Flaw("at", place=gift, problem=Phrase("flaw.missing"))
    return gifts


class Arrow(_Part):
    space: Amount
    target: Amount
    gift: Gift | None = None


class DreamPath(_Part):
    spaces: int = Field(ge=1, le=20)
    start: Amount
    arrows: Annotated[tuple[Arrow, ...], Within(0, 60)]

    @model_validator(mode="after")
    def _spaces_exist(self) -> "DreamPath":
        for space in (self.start, *(end for a in self.arrows for end in (a.space, a.target))):
            if not 1 <= space <= self.spaces:
                raise Flaw("at", place=str(space), problem=Phrase("flaw.not_known"))
        return self

    @cached_property
    def leaving(self) -> dict[int, tuple[Arrow, ...]]:
        return {
            space: tuple(arrow for arrow in self.arrows if arrow.space == space)
            for space in range(1, self.spaces + 1)
        }


class SegmentShape(_Part):
    cells: Annotated[tuple[Cell, ...], Within(1, 40)]


class HexFace(_Part):
    action: Site
    grey: Annotated[Few, Field(ge=0)]


class Segment(_Part):
    id: str
    sides: Annotated[dict[str, Annotated[tuple[HexFace, ...], Within(1, 40)]], Within(1, 4)]


class Place(_Part):
    """Where a layout puts one segment: rotated around its first cell, then moved."""

    origin: Cell
    turn: Annotated[int, Field(multiple_of=60), Within(-360, 360)]
    level: Coordinate

    def cell(self, cell: Cell) -> Cell:
        q, r = cell
        for _ in range(self.turn // 60 % 6):
            q, r = -r, q + r
        return q + self.origin[0], r + self.origin[1]


class Tile(_Part):
    id: str
    ephemeral: Ephemeral
    permanent: Permanent


class Conversion(_Part):
    give: Annotated[tuple[Gift, ...], Within(0, 20)]
    get: Gift


class Numbers(_Part):
    """Costs and amounts printed on the secrets."""

    gift_clover_leaves: Amount
    cheap_crystal_price: Amount
    sale_reduction: Amount
    bargain_reduction: Amount
    swap_again_cost: Amount
    sleep_again_cost: Amount
    hoard_leaves: Amount
    lone_step_leaves: Amount


class Secrets(_Part):
    tiles: Annotated[tuple[Tile, ...], Within(1, 40)]
    conversions: dict[Ephemeral, Conversion]
    numbers: Numbers

    @cached_property
    def back(self) -> dict[str, str]:
        """The face on the other side of a face."""
        return {
            face: other
            for tile in self.tiles
            for face, other in (
                (tile.ephemeral, tile.permanent),
                (tile.permanent, tile.ephemeral),
            )
        }


class Pyramid(_Part):
    rows: Annotated[tuple[Few, ...], Within(1, 20)]


_FACE_OF_A_TILE = re.compile(r"secrets\.tiles\.(\d+)\.(ephemeral|permanent)")


def _how_known(provenance: Callable[[str], str], tile: int) -> str:
    """Which faces share a tile: a table that states one face of it has seen both."""
    told = (provenance(f"secrets.tiles.{tile}.{side}") for side in ("ephemeral", "permanent"))
    return next((how for how in told if how != "assumed"), "assumed")


class Box(Kit):
    """Everything the rules ask of the physical box."""

    colours: Colours
    steps_per_colour: Steps
    leaves: Count
    start_leaves: StartLeaves
    gather: GatherLeaves
    toll: Toll
    gifts: Annotated[tuple[GiftKind, ...], AfterValidator(_of_all_kinds), Within(5, 20)]
    start_gifts: dict[Gift, Amount]
    dream_path: DreamPath
    segment_shape: SegmentShape
    segments: Annotated[tuple[Segment, ...], Within(1, 60)]
    layouts: ByPlayers[Annotated[tuple[Place, ...], Within(1, 60)]]
    visible_hexes: ByPlayers[Amount]
    secrets: Secrets
    pyramid: Pyramid

    @classmethod
    def stated(cls, sheet: KitSheet, path: str, value: Any) -> tuple[str, Any]:
        """One back that was seen takes its face from the tile that was assumed to have it.

        That tile gets the face which this one has lost: all 18 faces stay on some tile, and
        nothing else is known of it.
        """
        path, value = super().stated(sheet, path, value)
        seen = _FACE_OF_A_TILE.fullmatch(path)
        if seen is None:
            return path, value
        index, side = int(seen[1]), seen[2]
        tiles = sheet.at("secrets.tiles")
        known = [_how_known(sheet.provenance, number) for number in range(len(tiles))]
        other = next((n for n, tile in enumerate(tiles) if tile[side] == value), index)
        if other == index or known[other] != "assumed":
            return path, value
        tiles[other][side], tiles[index][side] = tiles[index][side], value
        marks = [{} if n == index else {"provenance": how} for n, how in enumerate(known)]
        return "secrets.tiles", [tile | mark for tile, mark in zip(tiles, marks, strict=True)]

    def check_whole(self) -> None:
        faces = [face for tile in self.secrets.tiles for face in (tile.ephemeral, tile.permanent)]
        if missing := sorted({*get_args(Ephemeral), *get_args(Permanent)}.difference(faces)):
            raise Flaw("faces_missing", faces=missing)
        for name in ("convert_1", "convert_2", "convert_3"):
            conversion = self.secrets.conversions.get(name)
            if conversion is None:
                raise Flaw("at", place=name, problem=Phrase("flaw.missing"))
            if not conversion.give or conversion.get in conversion.give:
                raise Flaw("no_conversion", face=name)

    @cached_property
    def known_backs(self) -> frozenset[str]:
        """The faces of which it is known, and not only assumed, what is on the back."""
        return frozenset(
            face
            for index, tile in enumerate(self.secrets.tiles)
            for face in (tile.ephemeral, tile.permanent)
            if _how_known(self.provenance, index) != "assumed"
        )

    @cached_property
    def prices(self) -> dict[str, int]:
        return {gift.id: gift.price for gift in self.gifts}

    def river(self, players: int) -> dict[Gift, int]:
        """The gifts laid out for so many players."""
        return {gift.id: gift.river[players] for gift in self.gifts}

    def assemble(self, players: int, laid: tuple[str, ...]) -> Forest:
        """The forest of these words: segments in the order of the layout, or single hexes."""
        if any("=" in word for word in laid):
            return Forest.of(laid, self._own_hexes(players, laid))
        return Forest.of(laid, _named(self._cells(players, laid)))

    def _cells(self, players: int, laid: tuple[str, ...]) -> dict[Cell, Hex]:
        """Where each segment puts its hexes; a higher one covers a lower one."""
        return {(one.q, one.r): one for one in self.lying(players, laid)}

    def lying(self, players: int, laid: tuple[str, ...]) -> Iterator[Hex]:
        """Every hex of the segments as they lie, the covered ones too, from below."""
        places = self.layouts[players]
        if len(laid) != len(places):
            places = max(self.layouts.values(), key=len)
        pairs = sorted(zip(places, laid, strict=False), key=lambda pair: pair[0].level)
        for place, word in pairs:
            yield from self._segment(place, word)

    def _segment(self, place: Place, word: str) -> Iterator[Hex]:
        name, side = word[:-1], word[-1]
        known = {segment.id: segment.sides for segment in self.segments}
        if side not in known.get(name, {}):
            words = tuple(name + side for name, sides in known.items() for side in sides)
            raise ParseError("bad_word", field="segments", word=word, expected=words)
        printed = zip(self.segment_shape.cells, known[name][side], strict=False)
        for number, (cell, face) in enumerate(printed, start=1):
            q, r = place.cell(cell)
            yield Hex(q, r, face.action, face.grey, name, side, number, place.level > 0)

    def _own_hexes(self, players: int, laid: tuple[str, ...]) -> dict[str, Hex]:
        printed = tuple(s.id + "A" for s in self.segments[: len(self.layouts[players])])
        layout = _named(self._cells(players, printed))
        hexes: dict[str, Hex] = {}
        for word in laid:
            name, at, site, grey = read_hex(word)
            if at is None and name in layout:
                at = layout[name].q, layout[name].r
            if name in hexes:
                problem = Phrase("flaw.hex_twice", {"name": name})
                raise ParseError("bad_value", field="forest", value=Verbatim(word), problem=problem)
            if at is None or at in {(one.q, one.r) for one in hexes.values()}:
                raise ParseError("bad_word", field="hexes", word=word, expected=tuple(layout))
            hexes[name] = Hex(*at, site, grey)
        return hexes


class HexWord(NamedTuple):
    name: str
    at: Cell | None
    site: str
    grey: int


def read_hex(word: str) -> HexWord:
    """A hex as the table declares it: ``a1=nest+1``, or ``a1@0,-1=nest`` at its own place."""
    where, _, what = word.partition("=")
    name, _, at = where.partition("@")
    site, _, grey = what.partition("+")
    q, _, r = at.partition(",")
    return HexWord(name, (int(q), int(r)) if at else None, site, int(grey or 0))


def _named(cells: dict[Cell, Hex]) -> dict[str, Hex]:
    """Rows are a, b, c… from the top, hexes in a row 1, 2, 3… from the left."""
    rows = sorted({r for _, r in cells})
    return {
        f"{chr(ord('a') + rows.index(row))}{number}": cells[q, row]
        for row in rows
        for number, q in enumerate(sorted(q for q, r in cells if r == row), start=1)
    }
