"""The table as a picture: the forest, then players, fairy board and bags beneath it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from math import hypot
from typing import NamedTuple

from engines.kernel import Action, Audit, Bag, Setting, Speech
from engines.kernel.picture.ground import Ground
from engines.kernel.picture.layout import WIDTH, Disc, Frame, Part, Pen, Sheet, marks, stacked
from engines.kernel.picture.sprites import Sprites
from engines.kernel.picture.svg import (
    ACCENT,
    INK,
    WHITE,
    Picture,
    Spot,
    Svg,
    arrow_head,
    el,
    fitting,
    group,
    joined,
    name_in,
    text,
    worded,
)
from engines.roundforest.actions import (
    Block,
    Chip,
    Draw,
    FillRow,
    LayTile,
    Meet,
    Move,
    PlaceSpirit,
    Position,
    Put,
    RideUnicorn,
    Unblock,
)
from engines.roundforest.describe import headline, pawn_colour
from engines.roundforest.kit import CHIPS, OBJECTS, ROWS, Board, Box
from engines.roundforest.rules.blocking import blockers_at, gaps
from engines.roundforest.rules.moving import bordering, can_land, compasses_needed
from engines.roundforest.rules.objects import put_targets
from engines.roundforest.rules.spirit import is_qualified, spirit_targets
from engines.roundforest.state import Player, Tableau, Turn

MARGIN = 28.0
HEAD = 44.0
TILE = 108.0
"""The size of a cell in which tiles are drawn."""
DARK = "#31491f"
DEBT = "#a31515"
EMERALD = "#0a8f5b"
CHIP_COLOURS = {"blue": "#3f7fd1", "yellow": "#f2c531", "red": "#d2432f"}
PAWN_COLOURS = {"red": "#c62828", "blue": "#1c5fb0", "green": "#2e7d32", "yellow": "#f4c20d"}
UNKNOWN_COLOUR = "#8a8178"
PEN = Pen(width=3, dashes=None)
draw = Sprites("engines.roundforest", {"dark": DARK, "emerald": EMERALD})
_TOWARDS = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))


def picture(state: Tableau, setting: Setting[Box], speech: Speech, last: Action | None) -> Sheet:
    parts = [
        board(state, setting, speech, last),
        title(state, speech),
        *players(state, setting.kit, speech),
        beside(state, setting.kit, speech, last),
    ]
    return Sheet(parts, margin=16)


def spaces(state: Tableau, setting: Setting[Box]) -> Iterator[str]:
    """The names of all spaces of the picture."""
    board = state.board(setting.kit)
    yield from (*board.cells, *board.corners, *gaps(state, setting), *state.seats)


def boxed(symbol: str, x: float, y: float, size: float, /, **values: object) -> Svg:
    """Something drawn in a box of 24 by 24, around its place."""
    return draw(symbol, x - size / 2, y - size / 2, size / 24, **values)


def worn(player: Player) -> dict[str, str]:
    """A player's colour, and that of letters on it."""
    colour = PAWN_COLOURS.get(player.colour, UNKNOWN_COLOUR)
    return {"colour": colour, "letter_colour": INK if player.colour == "yellow" else WHITE}


def title(state: Tableau, speech: Speech) -> Part:
    """One line, written smaller if it is long."""
    said = headline(state, speech)
    size = min(19.0, (WIDTH - 2 * MARGIN) / (0.63 * len(said)))
    drawn = text(MARGIN, 28, said, size, anchor="start", font_weight="bold", fill=INK)
    return Part(HEAD, drawn, column=1)


# what happened last


def touched(state: Tableau, last: Action | None) -> Iterator[str]:
    """The names of the tiles and gaps that the last action was about."""
    match last:
        case None | FillRow() | Draw() | Meet() | Audit() | Position():
            return
        case LayTile() | Put() | PlaceSpirit():
            yield last.cell
        case Move() | RideUnicorn():
            yield last.to
        case Chip():
            yield last.cell or turn_shown(state).left or ""
        case Block() | Unblock():
            yield last.gap
        case _:
            player = state.players.get(last.by or "")
            yield (player.pos if player is not None else None) or ""


def turn_shown(state: Tableau) -> Turn:
    """The turn to which the last action belongs."""
    return state.turn if state.turn.done or state.last is None else state.last


# the forest


class Layout(NamedTuple):
    """Where the cells of a layout lie in the picture."""

    board: Board
    cell: float
    height: float
    ground: Svg
    put: Mapping[str, Spot] = {}
    """Where the cells lie on the club's own photograph."""

    @classmethod
    def of(cls, board: Board, ground: Ground | None = None) -> Layout:
        if ground is not None and ground.has((*board.cells, *board.corners)):
            height, image, put = ground.drawn(WIDTH)
            return cls(board, _room(board, put), height, image, put)
        cell = (WIDTH - 2 * MARGIN) / len(board.columns)
        height = cell * board.rows
        size = {"width": WIDTH - 2 * MARGIN, "height": height}
        return cls(board, cell, height, el("rect", x=MARGIN, y=0, **size, fill="#e9e3d0", rx=14))

    def at(self, cell: str) -> Spot:
        if cell in self.put:
            return self.put[cell]
        column, row = self.board.columns.index(cell[0]), int(cell[1:])
        x = MARGIN + (column + 0.5) * self.cell
        return x, (self.board.rows - row + 0.5) * self.cell

    def gap(self, name: str) -> Spot:
        (x1, y1), (x2, y2) = (self.at(cell) for cell in name.split("/"))
        return (x1 + x2) / 2, (y1 + y2) / 2

    def spaces(self, gaps: Iterable[str]) -> dict[str, Disc]:
        """Tiles, corners, and the gaps between tiles."""
        cells = (*self.board.cells, *self.board.corners)
        found = {cell: Disc(*self.at(cell), self.cell * 0.49) for cell in cells}
        return found | {gap: Disc(*self.gap(gap), self.cell * 0.17) for gap in gaps}


def _room(board: Board, put: Mapping[str, Spot]) -> float:
    """How large a tile can be drawn where cells were put: neighbours must not overlap."""
    beside = ((cell, board.away(cell, facing, 1)) for cell in put for facing in "ne")
    apart = (hypot(*_minus(put[one], put[other])) for one, other in beside if other in put)
    return max(24.0, min(apart, default=TILE))


def _minus(one: Spot, other: Spot) -> Spot:
    return one[0] - other[0], one[1] - other[1]


def board(state: Tableau, setting: Setting[Box], speech: Speech, last: Action | None) -> Part:
    """The tiles and what lies on them; pawns stand on the marks."""
    ground = setting.grounds.get(f"boards.{setting.kit.layout(len(state.seats))}")
    layout = Layout.of(state.board(setting.kit), ground)
    spaces = layout.spaces(gaps(state, setting))
    drawn = [
        frame(layout),
        *(corner(state, layout, name) for name in layout.board.corners),
        *(tile(state, setting, layout, cell, speech) for cell in layout.board.cells),
        *blockers(state, setting, layout),
        *way(state, layout, last),
        *marks(spaces, touched(state, last), PEN),
        *pawns(state, layout),
        *targets(state, setting, layout),
    ]
    return Part(layout.height + 36, group(*drawn), spaces)


def frame(layout: Layout) -> Svg:
    """The ground, with the names of columns and rows; of a photograph every cell has its own."""
    if layout.put:
        rim = {"fill": INK, "stroke": WHITE, "stroke_width": 3, "paint_order": "stroke"}
        size = layout.cell
        places = ((cell, layout.at(cell)) for cell in layout.board.cells)
        names = (
            text(x - 0.4 * size, y + 0.47 * size, cell, size * 0.17, **rim)
            for cell, (x, y) in places
        )
        return group(layout.ground, *names)
    letters = (
        text(layout.at(f"{column}1")[0], layout.height + 20, column, 18, fill=INK)
        for column in layout.board.columns
    )
    numbers = (
        text(MARGIN / 2, layout.at(f"a{row}")[1] + 6, row, 18, fill=INK)
        for row in range(1, layout.board.rows + 1)
    )
    return group(layout.ground, *letters, *numbers)


def corner(state: Tableau, layout: Layout, name: str) -> Svg | None:
    """A player's backpack; an unused corner stays empty."""
    for seat, player in state.players.items():
        if player.corner == name:
            size = layout.cell * 0.62
            return boxed("backpack", *layout.at(name), size, seat=seat, **worn(player))
    return None


def tile(state: Tableau, setting: Setting[Box], layout: Layout, cell: str, speech: Speech) -> Svg:
    x, y = layout.at(cell)
    unit = layout.cell / TILE
    lying = state.forest.tiles.get(cell)
    if lying is None:
        return worded(cell, draw("empty_cell", x, y, unit))
    locks = [
        boxed("padlock", *_between((x, y), layout.gap(gap), 0.62), 15 * unit)
        for gap in blockers_at(state, cell, setting)
    ]
    content = thing(state.forest.contents.get(cell), setting.kit, x, y, 19 * unit, speech)
    face = tile_face(lying.face, lying.turn, lying.well, x, y, unit)
    return worded(cell, face, content, *locks)


@lru_cache(maxsize=2048)
def tile_face(face: str, turn: str, well: bool, x: float, y: float, unit: float) -> Svg:
    """A tile as it lies; two small arrows tell which way it turns."""
    mirror = -1 if turn == "ccw" else 1
    water = draw("well") if well else None
    return draw("tile", x, y, unit, well=water, openings=_pairs(face), mirror=mirror)


def _pairs(face: str) -> Iterator[Svg]:
    """The eight symbols, an inner and an outer one on each side: white ones open the way."""
    for pair, (east, south) in zip(face.split("/"), _TOWARDS, strict=True):
        for symbol, away in zip(pair, (27.5, 39.5), strict=True):
            fill = WHITE if symbol == "1" else DARK
            yield draw("opening", east * away, south * away, fill=fill)


def thing(
    name: str | None, kit: Box, x: float, y: float, radius: float, speech: Speech
) -> Svg | None:
    """A chip, an object or a character."""
    if name is None:
        return None
    if name in CHIPS:
        letter_colour = INK if name == "yellow" else WHITE
        look = {"colour": CHIP_COLOURS[name], "letter_colour": letter_colour}
        return boxed("chip", x, y, radius * 1.7, letter=speech.term(name)[0].upper(), **look)
    if name in OBJECTS:
        return object_token(name, x, y, radius, heavy=name in kit.heavy)
    return character_token(name, kit, x, y, radius)


def object_token(name: str, x: float, y: float, radius: float, *, heavy: bool) -> Svg:
    """A round token; heavy objects have a second, orange ring."""
    return boxed("heavy_object" if heavy else "object", x, y, 2 * radius, icon=draw(name))


def character_token(name: str, kit: Box, x: float, y: float, radius: float) -> Svg:
    """Round for friendly, a diamond for hostile, a hexagon for altruistic characters."""
    frame = "spirit_token" if name == "spirit" else kit.characters[name].kind
    return boxed(frame, x, y, 2 * radius, icon=draw(name))


def component(word: str, setting: Setting[Box], speech: Speech) -> Picture | None:
    """A tile as it lies when it is not turned, or a token."""
    kit = setting.kit
    if word in kit.faces_by_id:
        turn, well = kit.turns.get(word, "cw"), word in kit.faces.well
        return Picture(108, 108, tile_face(kit.faces_by_id[word], turn, well, 54, 54, 1))
    if word in (*CHIPS, *OBJECTS, *kit.characters):
        return Picture(46, 46, joined([thing(word, kit, 23, 23, 20, speech)]))
    if word in ("apple", "compass", "silver"):
        return Picture(46, 46, boxed(word, 23, 23, 40))
    return Picture(46, 46, boxed("copper", 23, 23, 40)) if word == "coin" else None


def named(name: str, x: float, y: float, speech: Speech) -> Svg:
    """The name beneath a token; a long one is written smaller."""
    shown = speech.term(name)
    return text(x, y, shown, 15 if len(shown) < 12 else 14, fill=INK)


def blockers(state: Tableau, setting: Setting[Box], layout: Layout) -> Iterator[Svg]:
    """What lies in the gaps; a free one can be pointed at while somebody could block it."""
    heavy = setting.kit.heavy
    blocking = any(name in heavy for player in state.players.values() for name in player.pack)
    for gap in gaps(state, setting):
        (x, y), lying = layout.gap(gap), state.forest.gaps.get(gap)
        if lying is not None:
            size = 14 * layout.cell / TILE
            yield worded(gap, object_token(lying, x, y, size, heavy=True))
        elif blocking:
            yield worded(gap, el("circle", cx=x, cy=y, r=layout.cell * 0.15, fill_opacity=0))


def pawns(state: Tableau, layout: Layout) -> Iterator[Svg]:
    """Pawns stand beside what lies on their tile."""
    for seat, player in state.players.items():
        x, y = layout.at(player.pos or player.corner)
        off = layout.cell * 0.28
        size = layout.cell * 0.33
        yield worded(seat, boxed("pawn", x + off, y + off, size, seat=seat, **worn(player)))


def way(state: Tableau, layout: Layout, last: Action | None) -> Iterator[Svg]:
    """An arrow from the tile left: dashed over a jumped tile, with the compass spent."""
    turn = turn_shown(state)
    player = state.players[turn.seat]
    moved = turn.left is not None if isinstance(last, Chip) else False
    if isinstance(last, Move | RideUnicorn):
        moved = player.pos == last.to
    if not moved or player.pos is None:
        return
    start, end = layout.at(turn.left or player.corner), layout.at(player.pos)
    jumped = isinstance(last, RideUnicorn) or _jumped(state, layout, turn.left, player.pos)
    line = {"stroke": ACCENT, "stroke_width": 4.0, "fill": "none"}
    reach = 0.74 if player.pos in state.forest.contents else 0.86
    (x1, y1), (x2, y2) = _between(start, end, 0.2), _between(start, end, reach - 0.04)
    yield el("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke_dasharray="9 6" if jumped else None, **line)
    yield arrow_head(start, _between(start, end, reach), 14, ACCENT)
    if isinstance(last, Move) and last.compass:
        yield boxed("compass", *_between(start, end, 0.45), 26)


def _jumped(state: Tableau, layout: Layout, left: str | None, to: str) -> bool:
    landing = layout.board.landings[left].get(to) if left in layout.board.landings else None
    if landing is None or left is None:
        return False
    return landing.distance == 2 and state.forest.tiles[left].pair(landing.direction)[0] == "0"


def _between(start: Spot, end: Spot, share: float) -> Spot:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def targets(state: Tableau, setting: Setting[Box], layout: Layout) -> Iterator[Svg]:
    """What may be chosen now: a dot, or a ring if it takes a compass."""
    for cell, compasses in choosable(state, setting):
        x, y = layout.at(cell)
        place = {
            "cx": x - layout.cell * 0.15,
            "cy": y - layout.cell * 0.21,
            "r": layout.cell * 0.06,
        }
        fill = WHITE if compasses else ACCENT
        yield el("circle", **place, fill=fill, stroke=ACCENT, stroke_width=2.5)


def choosable(state: Tableau, setting: Setting[Box]) -> Iterator[tuple[str, int]]:
    """The tiles of which one is chosen now, and how many compasses each one takes."""
    duty = next(iter(state.agenda.duties), None)
    if duty is None or duty.seat is None:
        return
    if duty.kind == "turn":
        yield from landings(state, setting, duty.seat)
    elif duty.kind == "put":
        yield from ((cell, 0) for cell in put_targets(state, setting)[1])
    elif duty.kind == "spirit":
        yield from ((cell, 0) for cell in spirit_targets(state, setting)[1])


def landings(state: Tableau, setting: Setting[Box], seat: str) -> Iterator[tuple[str, int]]:
    """The tiles a pawn may land on, and how many compasses each one takes."""
    me = state.players[seat]
    if me.pos is None:
        cells = bordering(state, seat, setting)
        yield from ((cell, 0) for cell in cells if can_land(state, seat, cell, setting))
        return
    left = state.forest.tiles[me.pos]
    for landing in state.board(setting.kit).landings[me.pos].values():
        needed = compasses_needed(left, landing, setting)
        if needed <= me.compasses and can_land(state, seat, landing.to, setting):
            yield landing.to, needed


# the players


def players(state: Tableau, kit: Box, speech: Speech) -> Iterator[Part]:
    """Two beside each other."""
    for first in range(0, len(state.seats), 2):
        pair = state.seats[first : first + 2]
        lefts = {seat: MARGIN + 338 * column for column, seat in enumerate(pair)}
        drawn = (player_panel(state, seat, kit, x, speech) for seat, x in lefts.items())
        panels = {seat: Frame(x, 0, 326, 138) for seat, x in lefts.items()}
        yield Part(154, joined(drawn), panels, column=1)


def player_panel(state: Tableau, seat: str, kit: Box, x: float, speech: Speech) -> Svg:
    player = state.players[seat]
    active = seat in state.agenda.seats
    name, size = name_in(f"{seat} {speech.sitting(seat, pawn_colour(player, speech))}", 18, 104, 63)
    return draw(
        "player",
        x,
        seat=seat,
        stroke=ACCENT if active else INK,
        edge=3.5 if active else 1.2,
        name=name,
        name_size=size,
        pack=_pack(player, kit, speech),
        wealth=_wealth(player, kit),
        standing=_standing(state, seat, kit, speech),
        **worn(player),
    )


def _pack(player: Player, kit: Box, speech: Speech) -> Iterator[Svg]:
    """Three places for objects, with their names."""
    for place in range(max(kit.pack.objects, len(player.pack))):
        x = 58 + place * 105
        if place < len(player.pack):
            name = player.pack[place]
            token = object_token(name, x, 64, 20, heavy=name in kit.heavy)
            yield worded(name, token, named(name, x, 104, speech))
        else:
            yield draw("free_place", x, 64)


def counted(word: str, x: float, y: float, count: int, left: float, size: float) -> Svg:
    """A coin or an apple, and beside it how many of them there are."""
    drawn = boxed(word, 0, 0, 20)
    return draw("counted", x, y, word=word, drawn=drawn, count=count, left=left, size=size)


def _wealth(player: Player, kit: Box) -> Iterator[Svg]:
    """Coins with their number, places for three apples, compasses."""
    for place, metal in enumerate(("copper", "silver")):
        held = getattr(player, metal)
        yield counted(metal, 136 + place * 42, 21, held, 12, fitting(held, 17, 17))
    wanted = kit.services.spirit_wants
    if player.apples > wanted:
        yield boxed("apple", 220, 21, 18)
        yield draw("apples", 220, 21, count=player.apples)
    else:
        for place in range(wanted):
            kind = "apple" if place < player.apples else "no_apple"
            yield boxed(kind, 220 + place * 20, 21, 18)
    for place in range(kit.supply.compasses_per_player):
        kind = "spent_compass" if place >= player.compasses else "compass"
        yield worded("compass", boxed(kind, 289 + place * 20, 21, 17))


def _standing(state: Tableau, seat: str, kit: Box, speech: Speech) -> Svg | None:
    """The ring, the right to go for it, or the debts that stand in the way."""
    player = state.players[seat]
    look = {"ring": None, "left": 0, "size": 16, "colour": EMERALD}
    if state.winner == seat:
        won = {"ring": boxed("emerald_ring", 10, -8, 24), "left": 28}
        return draw("standing", 12, 130, **look | won, said=speech.say("picture.won"))
    if is_qualified(player, kit):
        return draw("standing", 12, 130, **look, said=speech.say("picture.qualified"))
    if player.debts:
        names = ", ".join(speech.term(name) for name in player.debts)
        said = speech.say("picture.debts", names=names)
        owed = {"colour": DEBT, "size": 16 if len(said) < 36 else 11}
        return draw("standing", 12, 130, **look | owed, said=said)
    return None


# beside the forest


def beside(state: Tableau, kit: Box, speech: Speech, last: Action | None) -> Part:
    drawn = [fairy_board(state, kit, speech, last), stores(state, kit, speech)]
    if state.winner is None:
        legend = speech.say("picture.targets")
        drawn.append(text(WIDTH - MARGIN, 268, legend, 14, anchor="end", fill=INK))
    return stacked([Part(278, joined(drawn)), lying(state, kit, speech)])._replace(column=1)


def lying(state: Tableau, kit: Box, speech: Speech) -> Part:
    """What lies on the tiles, by name: a drawing alone may be taken for another."""
    found = [(cell, name) for cell, name in state.forest.contents.items() if name not in CHIPS]
    drawn = []
    for index, (cell, name) in enumerate(sorted(found)):
        row, column = divmod(index, 4)
        x, y = MARGIN + 14 + 168 * column, 22.0 + 34 * row
        said = f"{cell} {speech.term(name)}"
        token, size = thing(name, kit, 0, 0, 13, speech), fitting(said, 15, 128)
        drawn.append(draw("lying", x, y, cell=cell, token=token, said=said, size=size))
    return Part(34.0 * -(-len(found) // 4) + 10, joined(drawn))


def fairy_board(state: Tableau, kit: Box, speech: Speech, last: Action | None) -> Svg:
    parts = [draw("heading", MARGIN, said=speech.say("picture.fairy"))]
    for place, row in enumerate(reversed(ROWS)):
        filled = isinstance(last, FillRow) and last.row == row
        coins = (boxed("copper", 16, 24 * copper - 8, 18) for copper in range(kit.fairy.cost[row]))
        objects = []
        for column, name in enumerate(state.fairy.get(row, ())):
            x = 75 + column * 101
            token = object_token(name, x, -6, 18, heavy=name in kit.heavy)
            objects.append(worded(name, token, named(name, x, 31, speech)))
        look = {"row": row, "stroke": ACCENT if filled else "none"}
        parts.append(draw("shelf", MARGIN, 58 + place * 72, coins=coins, objects=objects, **look))
    return group(*parts)


def stores(state: Tableau, kit: Box, speech: Speech) -> Svg:
    """Deck and face-up cards, bags, supply, and what waits for a decision."""
    x, y, bags, supply = MARGIN + 350, 158, state.bags, state.supply
    said = {
        "deck": str(len(state.cards.deck)),
        "black_bag": _colours(bags.black, speech),
        "aside": _colours(bags.aside, speech),
        "blue_bag": str(bags.blue.size),
    }
    lines = [speech.say(f"picture.{key}", count=count) for key, count in said.items()]
    parts = [draw("heading", x, said=speech.say("picture.bags"))]
    for place, line in enumerate(lines):
        parts.append(text(x, 46 + place * 24, line, 16, anchor="start", fill=INK))
    parts += [
        counted("copper", x + 10, y - 6, supply.copper, 16, 17),
        counted("silver", x + 76, y - 6, supply.silver, 16, 17),
        counted("apple", x + 142, y - 6, supply.apples, 16, 17),
    ]
    if state.winner is None:
        parts.append(boxed("emerald_ring", x + 210, y - 8, 26))
    parts += _face_up(state, kit, speech, x, y + 34)
    return group(*parts)


def _face_up(state: Tableau, kit: Box, speech: Speech, x: float, y: float) -> Iterator[Svg]:
    """Altruistic cards laid out, then what was drawn and waits for a decision."""
    for place, name in enumerate(state.cards.face_up):
        yield character_token(name, kit, x + 14 + place * 36, y, 13)
    waiting = [thing for held in state.drawn for thing in held.objects]
    waiting += state.cards.unanswered
    if not waiting:
        return
    key = "picture.met" if state.cards.met else "picture.drawn"
    yield text(x, y + 46, speech.say(key), 16, anchor="start", fill=ACCENT)
    for place, name in enumerate(waiting):
        at = x + 110 + place * 66
        token = thing(name, kit, at, y + 38, 18, speech)
        yield worded(name, token, named(name, at, y + 74, speech))


def _colours(bag: Bag[str], speech: Speech) -> str:
    """How many chips of each colour, by its first letter."""
    counts = (f"{bag[c]} {speech.term(c)[0].upper()}" for c in ("blue", "yellow", "red"))
    return f"{bag.size} ({', '.join(counts)})"
