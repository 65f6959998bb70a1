"""The table as a picture: forest, pyramid, dream board and players, one below the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from math import hypot, sqrt
from typing import NamedTuple

from engines.benevolent.actions import (
    Again,
    Buy,
    Gather,
    Learn,
    Pick,
    PlaceStep,
    Sleep,
    Swap,
    Use,
)
from engines.benevolent.describe import headline
from engines.benevolent.kit import (
    EPHEMERAL,
    GIFTS,
    NEXT_GIFT,
    SLOTS,
    Arrow,
    Box,
    Cell,
    Forest,
    Gift,
    Hex,
    Place,
    Slot,
)
from engines.benevolent.rules.sites import PICKED, beneath
from engines.benevolent.state import Player, Tableau
from engines.kernel import Action, Setting, Speech
from engines.kernel.picture.layout import WIDTH, Disc, Frame, Part, Sheet
from engines.kernel.picture.sprites import Sprites
from engines.kernel.picture.svg import (
    ACCENT,
    GREY,
    INK,
    WHITE,
    Picture,
    Spot,
    Svg,
    arrow_head,
    at,
    el,
    group,
    joined,
    name_in,
    polygon,
    ring,
    spread,
    text,
    worded,
    wrapped,
)

MARGIN = 20.0
HEX_SIZE = 96.0
RESERVE = "reserve"
DIM = "#6b675c"
COLOURS = {
    "blue": "#0072b2",
    "red": "#c43e1c",
    "yellow": "#e8b800",
    "green": "#00805e",
    "white": "#f4f1e6",
    "black": "#2b2b2b",
    "violet": "#7d4e9e",
    "orange": "#e07b00",
    "pink": "#cc79a7",
    "brown": "#7a4f2b",
}
OTHER = "#8a8a8a"
"""Of a colour that is not among these."""
PALE = ("yellow", "white", "pink", "orange")
draw = Sprites("engines.benevolent")


def picture(state: Tableau, setting: Setting[Box], speech: Speech, last: Action | None) -> Sheet:
    parts = [
        board(state, setting, speech, last),
        pyramid(state, speech),
        title(state, speech),
        dream_board(state, setting, speech),
        *players(state, speech),
    ]
    return Sheet(parts, touched(state, last), margin=MARGIN / 2)


def spaces(state: Tableau, setting: Setting[Box]) -> Iterator[str]:
    """The names of all spaces of the picture."""
    yield from (*GIFTS, RESERVE, *SLOTS, *state.players)
    yield from (f"dream_{space}" for space in setting.kit.dream_path.leaving)
    if state.forest is not None:
        yield from state.forest.hexes


def title(state: Tableau, speech: Speech) -> Part:
    lines = wrapped(headline(state, speech), 52)
    drawn = [
        text(MARGIN, 26 + 28 * index, line, 23, anchor="start", fill=INK)
        for index, line in enumerate(lines)
    ]
    return Part(14 + 28 * len(lines), joined(drawn), column=1)


# what happened last


def touched(state: Tableau, last: Action | None) -> Iterator[str]:
    """The names of the spaces, piles and players that the last action was about."""
    if isinstance(last, Gather | Learn | Buy | Pick | Swap | Sleep):
        yield from hex_of_last_step(state, last)
    match last:
        case Gather():
            yield RESERVE
        case Learn(slot=slot):
            yield slot
        case Buy(gift=gift):
            yield gift
        case Pick():
            yield PICKED.get(site_of_last_step(state, last), "")
        case Swap(give=give) | Again(kind="swap", give=give) if give in NEXT_GIFT:
            yield NEXT_GIFT[give]
        case Sleep(to=to) | Again(to=to):
            yield f"dream_{to}"
        case Use(face="free_sleep", to=to):
            yield f"dream_{to}"
        case Use(gift=gift) if gift is not None:
            yield NEXT_GIFT.get(gift, gift) if last.face == "free_swap" else gift


def hex_of_last_step(state: Tableau, last: Action) -> Iterator[str]:
    """Where the acting player stands: their last step was this turn's."""
    steps = state.players[last.by].forest if last.by in state.players else ()
    known = state.forest.hexes if state.forest else {}
    return (name for name in steps[-1:] if name in known)


def site_of_last_step(state: Tableau, last: Action) -> str:
    hexes = state.forest.hexes if state.forest else {}
    return next((hexes[name].site for name in hex_of_last_step(state, last)), "")


# dream board


PILES = 136.0
"""How much room the piles of gifts take above the path."""
LANE = 32.0
"""Between the lanes in which arrows lead back."""


def dream_board(state: Tableau, setting: Setting[Box], speech: Speech) -> Part:
    kit, ground = setting.kit, setting.grounds.get("dream_path")
    on_photo = ground is not None and ground.has(map(str, kit.dream_path.leaving))
    lanes = dream_lanes(kit.dream_path.arrows)
    row = 184.0 + LANE * (1 + max(lanes.values(), default=0))
    spaces = {space: (96.0 + 176 * (space - 1), row) for space in kit.dream_path.leaving}
    if ground is not None and on_photo:
        height, image, put = ground.drawn(WIDTH - MARGIN)
        row = PILES + height - 70
        left = {space: MARGIN / 2 + put[str(space)][0] for space in spaces}
        spaces = {space: (left[space], PILES + put[str(space)][1]) for space in spaces}
    piles = {gift: (50.0 + 119 * index, 52.0) for index, gift in enumerate(GIFTS)}
    heap = (662.0, 44.0)
    named = {f"dream_{space}": Disc(*place, 41) for space, place in spaces.items()}
    named |= {gift: Disc(*place, 34) for gift, place in piles.items()} | {RESERVE: Disc(*heap, 41)}
    drawn = [draw("panel", MARGIN / 2, width=WIDTH - MARGIN, height=row + 78, edge=1.5)]
    drawn += [pile(gift, place, state, kit) for gift, place in piles.items()]
    drawn.append(reserve(state, heap, speech))
    if on_photo:  # which shows the arrows
        drawn.append(group(image, transform=f"translate({MARGIN / 2:.0f} {PILES:.0f})"))
    else:
        drawn += [onward(arrow, spaces) for arrow in kit.dream_path.arrows if arrow not in lanes]
        drawn += ways_back(lanes, spaces)
    drawn += [dream_space(space, place, state) for space, place in spaces.items()]
    return Part(row + 98, joined(drawn), named, column=1)


def gift_token(x: float, y: float, size: float, gift: Gift, *, owned: bool = True) -> Svg:
    """A gift; a missing one is an empty ring with the gift in outline."""
    return draw(f"own_{gift}" if owned else "no_gift", x, y, size, kind=draw(gift))


def pile(gift: Gift, place: Spot, state: Tableau, kit: Box) -> Svg:
    count = state.river[gift]
    token = gift_token(0, 0, 30, gift, owned=count > 0)
    return draw("pile", *place, word=gift, gift=token, count=count, price=kit.prices[gift])


def reserve(state: Tableau, place: Spot, speech: Speech) -> Svg:
    left = "?" if state.reserve is None else max(0, state.reserve)
    return draw("reserve", *place, left=left, said=speech.say("picture.reserve"))


def worn(player: Player, seat: str) -> dict[str, str]:
    """A player's step, told by its colour and by its letter."""
    letter_colour = INK if player.colour in PALE else WHITE
    colour = COLOURS.get(player.colour, OTHER)
    return {"seat": seat, "colour": colour, "letter_colour": letter_colour}


def dream_space(space: int, place: Spot, state: Tableau) -> Svg:
    asleep = [one for one in state.players.items() if one[1].dream == space]
    steps = (
        draw("step", spread(index, len(asleep), 17), 10, 0.75, **worn(player, seat))
        for index, (seat, player) in enumerate(asleep)
    )
    return draw("dream_space", *place, space=space, steps=steps)


def onward(arrow: Arrow, spaces: dict[int, Spot]) -> Svg:
    """Arrows to a later space bend below them."""
    (x1, y), (x2, _) = spaces[arrow.space], spaces[arrow.target]
    reach = arrow.target - arrow.space
    dx, dy = 30 - 7 * reach, 24 + 4 * reach
    start, end = (x1 + dx, y + dy), (x2 - dx, y + dy)
    bend = ((x1 + x2) / 2, y + 40 + 44 * reach)
    path = f"M{start[0]},{start[1]}Q{bend[0]},{bend[1]} {end[0]},{end[1]}"
    drawn = [el("path", d=path, fill="none", stroke=INK, stroke_width=2.5)]
    drawn.append(arrow_head(bend, end, 13, INK))
    if arrow.gift is not None:
        middle = (start[0] + 2 * bend[0] + end[0]) / 4, (start[1] + 2 * bend[1] + end[1]) / 4
        drawn.append(gift_token(*middle, 15, arrow.gift))
    return group(*drawn)


def dream_lanes(arrows: Iterable[Arrow]) -> dict[Arrow, int]:
    """Each arrow that leads back has a lane to itself wherever it passes; short ones lie low."""
    lanes: dict[Arrow, int] = {}
    back = (arrow for arrow in arrows if arrow.target < arrow.space)
    for arrow in sorted(back, key=lambda one: (one.space - one.target, one.space)):
        taken = {
            lane
            for other, lane in lanes.items()
            if other.target < arrow.space and arrow.target < other.space
        }
        lanes[arrow] = next(lane for lane in count() if lane not in taken)
    return lanes


def ways_back(lanes: dict[Arrow, int], spaces: dict[int, Spot]) -> Iterator[Svg]:
    """Up, along the lane and down again, the gift where no other arrow passes."""
    risers = {arrow: _risers(arrow, lanes, spaces) for arrow in lanes}
    for arrow, lane in lanes.items():
        (end, start), top = risers[arrow], spaces[arrow.space][1] - 58 - LANE * lane
        foot = spaces[arrow.space][1] - 36
        path = f"M{start},{foot}V{top + 8}q0,-8 -8,-8H{end + 8}q-8,0 -8,8V{foot - 4}"
        yield el("path", d=path, fill="none", stroke=INK, stroke_width=2.5)
        yield arrow_head((end, top), (end, foot), 13, INK)
        crossing = [x for other in lanes if lanes[other] > lane for x in risers[other]]
        shares = (0.5, 0.38, 0.62, 0.26, 0.74)
        free = [end + share * (start - end) for share in shares]
        clear = [x for x in free if all(abs(x - other) > 24 for other in crossing)]
        if arrow.gift is not None:
            yield gift_token((clear or free)[0], top, 15, arrow.gift)


def _risers(arrow: Arrow, lanes: dict[Arrow, int], spaces: dict[int, Spot]) -> tuple[float, float]:
    """Where an arrow comes down and where it goes up: at each space side by side."""

    def at(space: int) -> float:
        leaving = sorted((one for one in lanes if one.space == space), key=lanes.__getitem__)
        coming = sorted((one for one in lanes if one.target == space), key=lanes.__getitem__)
        ends = [*leaving, *reversed(coming)]
        return spaces[space][0] + spread(ends.index(arrow), len(ends), 20)

    return at(arrow.target), at(arrow.space)


# forest


class Layout(NamedTuple):
    """How the hexes of a forest fit into the picture."""

    size: float
    left: float
    top: float
    height: float

    @classmethod
    def of(cls, forest: Forest) -> Layout:
        across = [one.q + one.r / 2 for one in forest.hexes.values()]
        rows = [one.r for one in forest.hexes.values()]
        columns = max(across) - min(across) + 1
        size = min(HEX_SIZE, (WIDTH - 2 * MARGIN) / (sqrt(3) * columns))
        left = WIDTH / 2 - sqrt(3) * size * (max(across) + min(across)) / 2
        height = size * (1.5 * (max(rows) - min(rows)) + 2)
        return cls(size, left, size * (1 - 1.5 * min(rows)) + 8, height + 30)

    def centre(self, one: Hex) -> Spot:
        return (
            self.left + sqrt(3) * self.size * (one.q + one.r / 2),
            self.top + 1.5 * self.size * one.r,
        )


def board(state: Tableau, setting: Setting[Box], speech: Speech, last: Action | None) -> Part:
    forest = state.forest
    if forest is None or not forest.hexes:
        return Part(70, text(WIDTH / 2, 40, speech.say("picture.no_forest"), 22, fill=GREY))
    layout = Layout.of(forest)
    places = {name: layout.centre(one) for name, one in forest.hexes.items()}
    size = layout.size
    drawn = [
        polygon(corners(x + 7, y + 9, size), fill="#b9b39c")
        for name, (x, y) in places.items()
        if forest.hexes[name].raised
    ]
    shown = photographs(state, setting, layout) if setting.grounds else {}
    drawn += [  # what a photograph that was cut too narrow does not cover
        draw(f"{one.site}_ground", *places[name], size / 100)
        for name, one in forest.hexes.items()
        if one.word in shown
    ]
    drawn += shown.values()
    for name, one in forest.hexes.items():
        drawn.append(drawn_hex(name, one, places[name], size, speech, photo=one.word in shown))
    drawn += [border(forest, name, places, size) for name in places]
    for place, (seat, player) in enumerate(state.players.items()):
        drawn += steps_in_forest(seat, player, place, places, size)
    drawn += last_step(last, places, size)
    named = {name: Disc(*place, size * 0.86) for name, place in places.items()}
    return Part(layout.height, joined(drawn), named)


def photographs(state: Tableau, setting: Setting[Box], layout: Layout) -> dict[str, Svg]:
    """The club's own segments, as far as they can be seen, each turned as it lies."""
    forest, found = state.forest, {}
    if forest is None or any("=" in word for word in forest.laid):
        return {}
    lying = list(setting.kit.lying(len(state.players), forest.laid))
    for word in forest.laid:
        # Covered hexes too tell how a segment lies: what is left of it may be a single row.
        onto = {str(one.position): layout.centre(one) for one in lying if one.word == word}
        seen = [one for one in forest.hexes.values() if one.word == word]
        shapes = [corners(*layout.centre(one), layout.size) for one in seen]
        ground = setting.grounds.get(word)
        if ground is not None and (image := ground.fitted(onto, shapes)) is not None:
            found[word] = image
    return found


def corners(x: float, y: float, size: float) -> list[Spot]:
    return ring(x, y, size, 6, 30)


def drawn_hex(
    name: str, one: Hex, centre: Spot, size: float, speech: Speech, *, photo: bool = False
) -> Svg:
    """A hex; of one on a photograph, which shows its site, the names and where it is tapped."""
    unit, said = size / 100, speech.say(f"picture.{one.site}")
    look = {"name": name, "said": said, "edge": 1 / unit}
    if photo:
        return draw("hex_on_photo", *centre, unit, **look, rim=5 / unit)
    greys = [draw("grey_steps", spread(n, one.grey, 34), -42, 13) for n in range(one.grey)]
    site, ground = draw(one.site), draw(f"{one.site}_ground")
    return draw("hex", *centre, unit, **look, site=site, ground=ground, steps=greys)


def component(word: str, setting: Setting[Box], speech: Speech) -> Picture | None:
    """A gift, a leaf, a segment with one side up, a face of a secret, or how segments lie."""
    kit = setting.kit
    if word in GIFTS:
        return Picture(50, 50, gift_token(25, 25, 23, word))
    if word == "gather":
        return Picture(50, 50, draw("leaf", 25, 25, 22))
    if word == "segment_shape":
        return _laid_drawn(kit, [Place(origin=(0, 0), turn=0, level=0)])
    table, _, players = word.partition(".")
    if table == "layouts" and players.isdecimal() and int(players) in kit.layouts:
        return _laid_drawn(kit, kit.layouts[int(players)])
    known = {segment.id + side: segment for segment in kit.segments for side in segment.sides}
    if word in known:
        faces = known[word].sides[word[-1]]
        hexes = [
            Hex(q, r, face.action, face.grey)
            for (q, r), face in zip(kit.segment_shape.cells, faces, strict=False)
        ]
        return _segment_drawn(hexes, speech)
    if word in kit.secrets.back:
        return _face_drawn(word, speech)
    return None


SEGMENTS = ("#e7dcbc", "#cfe0c3", "#d3d9ea")
IN_BOX = 40.0
"""The size of a hex in a picture of components."""


def _laid_drawn(kit: Box, laid: Sequence[Place]) -> Picture:
    """Segments beside and upon each other; each hex has the number that the box gives it."""
    upwards = sorted(range(len(laid)), key=lambda slot: laid[slot].level)
    cells, drawn = [], []
    for slot in upwards:
        for number, cell in enumerate(kit.segment_shape.cells, start=1):
            name = f"{slot + 1}.{number}" if len(laid) > 1 else str(number)
            drawn.append(draw("hex_in_box", fill=SEGMENTS[slot % 3], name=name))
            cells.append(laid[slot].cell(cell))
    return _side_by_side(cells, drawn)


def _segment_drawn(hexes: list[Hex], speech: Speech) -> Picture:
    drawn = (drawn_hex("", one, (0, 0), IN_BOX, speech) for one in hexes)
    return _side_by_side([(one.q, one.r) for one in hexes], drawn)


def _side_by_side(cells: Sequence[Cell], drawn: Iterable[Svg]) -> Picture:
    """Hexes, each drawn around the origin, where they lie together."""
    spots = [(sqrt(3) * IN_BOX * (q + r / 2), 1.5 * IN_BOX * r) for q, r in cells]
    left, top = (min(spot[axis] for spot in spots) - IN_BOX - 2 for axis in (0, 1))
    wide, high = (max(spot[axis] for spot in spots) + IN_BOX + 2 for axis in (0, 1))
    body = (at(x - left, y - top, 1, one) for one, (x, y) in zip(drawn, spots, strict=True))
    return Picture(wide - left, high - top, joined(body))


def _face_drawn(face: str, speech: Speech) -> Picture:
    edge = draw("component", dashes="9 5" if face in EPHEMERAL else None)
    return Picture(*TILE, edge + named_face(TILE[0] / 2, TILE[1] / 2 + 6, face, INK, speech))


def named_face(x: float, y: float, face: str, ink: str, speech: Speech) -> Svg:
    lines = wrapped(speech.term(face), 14)
    return joined(
        text(x, y + spread(index, len(lines), 20), line, 19, fill=ink)
        for index, line in enumerate(lines)
    )


def border(forest: Forest, name: str, places: dict[str, Spot], size: float) -> Svg:
    """Thick edges wherever the next hex belongs to another segment."""
    one, (x, y) = forest.hexes[name], places[name]
    there = {(other.q, other.r): other.segment or "" for other in forest.hexes.values()}
    around = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    points = corners(x, y, size)
    edges = []
    for index, (dq, dr) in enumerate(around):
        if there.get((one.q + dq, one.r + dr)) != (one.segment or ""):
            (x1, y1), (x2, y2) = points[index - 1], points[index]
            edges.append(f"M{x1:.1f},{y1:.1f}L{x2:.1f},{y2:.1f}")
    return el("path", d="".join(edges), stroke=INK, stroke_width=4, stroke_linecap="round")


def steps_in_forest(
    seat: str, player: Player, place: int, places: dict[str, Spot], size: float
) -> Iterator[Svg]:
    """One corner of the hex for each player; a second step stands beside the first."""
    side, row = (-1, 1)[place % 2], (-0.18, 0.36)[place // 2 % 2]
    for index, name in enumerate(player.forest):
        if name not in places:
            continue
        x, y = places[name]
        inward = 0.2 * player.forest[:index].count(name)
        x, y = x + side * size * (0.64 - inward), y + size * row
        figure = draw("step", x, y, size * 0.011, **worn(player, seat))
        yield worded(seat, worded(name, figure))


def last_step(last: Action | None, places: dict[str, Spot], size: float) -> Iterator[Svg]:
    if not isinstance(last, PlaceStep) or last.to not in places:
        return
    x, y = places[last.to]
    mark = {"fill": "none", "stroke": ACCENT, "stroke_width": 6, "stroke_dasharray": "16 8"}
    yield polygon(corners(x, y, size * 0.93), **mark)
    if last.origin in places and last.origin != last.to:
        x0, y0 = places[last.origin]
        length = hypot(x - x0, y - y0)
        near = (x - (x - x0) / length * size * 0.7, y - (y - y0) / length * size * 0.7)
        line = f"M{x0:.2f},{y0:.2f}L{near[0]:.2f},{near[1]:.2f}"
        yield el("path", d=line, stroke=ACCENT, stroke_width=5, opacity=0.75)
        yield arrow_head((x0, y0), near, 26, ACCENT)


# pyramid

TILE = (162.0, 66.0)


def pyramid(state: Tableau, speech: Speech) -> Part:
    named: dict[str, Disc] = {}
    drawn = []
    for slot in SLOTS:
        row, column = int(slot[0]), "abcd".index(slot[1])
        x = WIDTH / 2 + (TILE[0] + 8) * (column - (3 - (row - 1)) / 2)
        y = TILE[1] / 2 + (TILE[1] + 8) * (3 - row) + 8
        named[slot] = Disc(x, y, 41)
        drawn.append(tile(slot, state, (x, y), speech))
    return Part(3 * (TILE[1] + 8) + 20, joined(drawn), named)


def tile(slot: Slot, state: Tableau, centre: Spot, speech: Speech) -> Svg:
    """Dashed edges for ephemeral secrets; a tile that cannot be taken yet is dim."""
    (x, y), face = centre, state.pyramid.get(slot)
    if face is None:
        look = {"fill": "none", "stroke": "#c9c3ae", "edge": 1.5, "label_colour": GREY}
        return worded(slot, draw("secret", x, y, slot=slot, dashes=None, **look))
    covered = any(under in state.pyramid for under in beneath(slot))
    fill, ink = ("#ddd8c8", DIM) if covered else (WHITE, INK)
    dashes = "9 5" if face in EPHEMERAL else None
    look = {"fill": fill, "stroke": INK, "edge": 3, "label_colour": ink, "dashes": dashes}
    edge = draw("secret", x, y, slot=slot, **look)
    return worded(slot, edge, named_face(x, y + 12, face, ink, speech))


# players

PANEL = (WIDTH - MARGIN) / 2 - 5


def players(state: Tableau, speech: Speech) -> Iterator[Part]:
    seats = list(state.players)
    for first in range(0, len(seats), 2):
        pair = seats[first : first + 2]
        height = max(panel_height(state.players[seat]) for seat in pair)
        drawn, named = [], {}
        for column, seat in enumerate(pair):
            left = MARGIN / 2 + column * (PANEL + 10)
            drawn.append(player_panel(state, seat, left, height, speech))
            named[seat] = Frame(left, 0, PANEL, height)
        yield Part(height + 16, joined(drawn), named, column=1)


def panel_height(player: Player) -> float:
    return 176.0 + 25 * len(player.secrets)


def player_panel(state: Tableau, seat: str, left: float, height: float, speech: Speech) -> Svg:
    player = state.players[seat]
    name, size = name_in(speech.sitting(seat, speech.term(player.colour)), 22, 150, 62)
    step = worn(player, seat)
    steps = [draw("step", 84 + 24 * index, 82, 0.75, **step) for index in range(player.card)]
    return draw(
        "player",
        left,
        width=PANEL,
        height=height,
        edge=5 if seat == (state.winner or state.turn.active) else 1.5,
        name=name,
        name_size=size,
        leaves="?" if player.leaves is None else player.leaves,
        card=speech.say("picture.card"),
        dream=speech.say("picture.dream", space=player.dream),
        steps=steps or draw("no_steps"),
        gifts=gift_row(player, winner=seat == state.winner),
        secrets=secret_lines(player, speech),
        **step,
    )


def gift_row(player: Player, *, winner: bool) -> Iterator[Svg]:
    for index, kind in enumerate(GIFTS):
        count, x = player.gifts[kind], 36 + 66 * index
        token = gift_token(x, 132, 29 if winner else 24, kind, owned=count > 0)
        several = draw("number_of_gifts", x, 132, count=count) if count > 1 else None
        yield worded(kind, token, several)


def secret_lines(player: Player, speech: Speech) -> Iterator[Svg]:
    for index, face in enumerate(player.secrets):
        said = speech.term(face) + (f" ({player.hoard})" if face == "hoard" else "")
        dashes = "4 3" if face in EPHEMERAL else None
        yield draw("secret_of_player", 0, 184 + 25 * index, face=face, said=said, dashes=dashes)
