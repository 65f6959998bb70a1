"""The table as a picture: the map, the round, the score, the players, one below the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import hypot
from typing import NamedTuple, get_args

from engines.broom_service.actions import (
    RESOURCES,
    Chase,
    Deliver,
    FlyOn,
    LayDead,
    Move,
    Pass,
    PlaceCloud,
    PlaceTile,
    PlayRole,
    RevealCursed,
    RevealEvent,
    Role,
)
from engines.broom_service.describe import answer_of, event_line, pawn_colour, signed
from engines.broom_service.kit import (
    GROUNDS,
    BoardSide,
    Box,
    CloudType,
    RoleCard,
    Tower,
    in_full,
)
from engines.broom_service.rules.final import final_score
from engines.broom_service.state import LAST_ROUND, Card, Player, Tableau, is_clouded
from engines.broom_service.state import Pass as Claim
from engines.kernel import Action, Setting, Speech
from engines.kernel.messages.catalogue import Catalogue, Language
from engines.kernel.picture.ground import Ground
from engines.kernel.picture.layout import WIDTH, Disc, Frame, Part, Pen, Sheet
from engines.kernel.picture.sprites import Sprites
from engines.kernel.picture.svg import (
    ACCENT,
    GREY,
    INK,
    PAPER,
    SEAT_COLOURS,
    WHITE,
    Picture,
    Spot,
    Svg,
    at,
    el,
    fitting,
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
from engines.kernel.values.memo import memoize

STRIP = 122.0
MAP = 846.0
CELL = (134.0, 194.0)
LANE = 22.0
PANEL = 104.0
TOWER_ROOM = 58.0
BRIDGE = "#a58a5b"
PEN = Pen(width=4, dashes="7 4")
POTIONS = {"g": "#2c7a45", "o": "#c8620e", "p": "#6a3690", "w": "#3b4a5a"}
PIECES = {
    "red": "#c8322b",
    "blue": "#1f6fb5",
    "green": "#2e8b57",
    "yellow": "#f0c419",
    "white": "#f7f5ee",
}
"""Colours of the players' pieces in the box."""
grounds = {f"{terrain}_colour": colour for terrain, colour in GROUNDS.items()}
draw = Sprites("engines.broom_service", {**POTIONS, "bridge": BRIDGE, **grounds})


def spaces(state: Tableau, setting: Setting[Box]) -> Iterator[str]:
    """The names of all spaces of the picture."""
    side = state.side(setting.kit)
    yield from (*side.regions, *side.cloud_spaces, *side.towers, *state.players)


def picture(state: Tableau, setting: Setting[Box], speech: Speech, last: Action | None) -> Sheet:
    parts = [
        board(state, setting, last),
        title(state, setting.kit, speech, last),
        score(state, speech),
        *players(state, setting.kit, speech, last),
        key(speech),
    ]
    return Sheet(parts, touched(state, setting.kit, last), PEN, margin=10)


def title(state: Tableau, kit: Box, speech: Speech, last: Action | None) -> Part:
    """The round, its event and its cursed roles."""
    lit = isinstance(last, RevealEvent | RevealCursed)
    number = speech.say("picture.round", round=state.round.number, rounds=LAST_ROUND)
    turn = speech.say("picture.turn", turn=state.turn.number)
    now = speech.say("picture.over") if state.over else turn
    event, more, *_ = *wrapped(event_line(state, kit, speech) or "", 70), ""
    drawn = draw(
        "strip",
        stroke=ACCENT if lit else INK,
        edge=3 if lit else 1.5,
        led=speech.term(state.turn.led) if state.turn.led is not None else None,
        now=f"{number} – {now}",
        event=event,
        more=more,
        cursed=_cursed(state, kit, speech) if state.round.cursed else None,
    )
    return Part(STRIP, drawn, column=1)


def _cursed(state: Tableau, kit: Box, speech: Speech) -> Iterator[Svg]:
    said = speech.say("picture.cursed", vp=signed(kit.scoring.cursed_vp))
    left = WIDTH - 28 - 52 * len(state.round.cursed)
    yield text(left - 8, 38, said, 17, anchor="end", fill=INK)
    for index, role in enumerate(state.round.cursed):
        yield _card(left + 52 * index, 15, role, "dead", cursed=True)


# drawings that are found in several places


def _potion(x: float, y: float, kind: str, size: float = 1.0, *, pale: bool = False) -> Svg:
    """A bottle with the letter of its colour; pale on a ground of that colour."""
    glass, letter_colour = (WHITE, POTIONS[kind]) if pale else (POTIONS[kind], WHITE)
    return draw("potion", x, y, size, kind=kind, glass=glass, letter_colour=letter_colour)


def _amulet(x: float, y: float, letter: str, fill: str, radius: float = 9.0) -> Svg:
    size = {"radius": radius, "line": radius * 0.5, "letter_size": radius * 1.4}
    return draw("amulet", x, y, letter=letter, fill=fill, letter_colour=_ink_on(fill), **size)


@cache
def _ink_on(fill: str) -> str:
    """Dark letters on light grounds, white ones on dark grounds."""
    red, green, blue = (int(fill[i : i + 2], 16) for i in (1, 3, 5))
    return INK if 299 * red + 587 * green + 114 * blue > 140_000 else WHITE


# what happened last


def touched(state: Tableau, kit: Box, last: Action | None) -> Iterator[str]:
    """The names of the spaces of the map where the last action took place."""
    match last:
        case Move(to=name) | PlaceTile(region=name):
            yield name
        case Chase(space=name) | PlaceCloud(space=name):
            yield in_full(name, state.side(kit).cloud_spaces)
        case FlyOn(circle=circle):
            yield state.side(kit).circles.get(circle, "")
        case Deliver(tower="market"):
            yield from (at for at, tile in state.board.tiles.items() if tile == "market")
        case Deliver(tower=tower):
            yield in_full(tower, state.side(kit).towers)


# the map


class Lying(NamedTuple):
    """Where the spaces of the map lie, and what is drawn below all of them."""

    height: float
    places: Mapping[str, Spot]
    spaces: Mapping[str, Disc]
    below: Svg
    on_photo: bool


def board(state: Tableau, setting: Setting[Box], last: Action | None) -> Part:
    kit, ground = setting.kit, setting.grounds.get(state.options.side)
    side = state.side(kit)
    on_photo = ground is not None and ground.has(side.regions)
    lying = _photographed(side, ground) if ground and on_photo else _drawn(side)
    drawn = joined([draw("hatching"), lying.below, *_map(state, kit, lying, last)])
    return Part(lying.height, drawn, lying.spaces)


def _spaces(
    side: BoardSide, places: Mapping[str, Spot], region: float, tower: float, cloud: float
) -> dict[str, Disc]:
    """The spaces with their sizes, so that they can be marked."""
    size = dict.fromkeys(side.regions, region) | dict.fromkeys(side.towers, tower)
    return {name: Disc(*place, size.get(name, cloud)) for name, place in places.items()}


@memoize
def _drawn(side: BoardSide) -> Lying:
    places = _places(side)
    borders = ([places[region] for region in border.split("-")] for border in side.borders)
    below = joined(
        el("path", d=_way(start, end), stroke=BRIDGE, stroke_width=11) for start, end in borders
    )
    return Lying(MAP, places, _spaces(side, places, 62, 27, 34), below, on_photo=False)


def _photographed(side: BoardSide, ground: Ground) -> Lying:
    """The club's own board: its photograph shows the map, only what can change is drawn on it."""
    height, image, put = ground.drawn(WIDTH)
    places = _lying(side, put)
    return Lying(height + 30, places, _spaces(side, places, 30, 20, 30), image, on_photo=True)


def _lying(side: BoardSide, put: Mapping[str, Spot]) -> dict[str, Spot]:
    """Where everything lies on a photograph; what nobody has put there is beside its regions."""
    places = {region: put[region] for region in side.regions}
    for space, region in side.cloud_spaces.items():
        x, y = places[region]
        places[space] = put.get(space, (x, y - 36))
    for name, tower in side.towers.items():
        around = [places[region] for region in tower.touches] or [(WIDTH / 2, MAP / 2)]
        x, y = (sum(at) / len(around) for at in zip(*around, strict=True))
        places[name] = put.get(name, (x, y + 30))
    return places


def _way(start: Spot, end: Spot) -> str:
    return f"M{start[0]:.2f},{start[1]:.2f}L{end[0]:.2f},{end[1]:.2f}"


def _centre(side: BoardSide, region: str) -> Spot:
    place = side.regions[region]
    left, top = CELL[0] / 2 + 8, CELL[1] / 2 + 6
    width, height = WIDTH - CELL[0] - 16, MAP - CELL[1] - 18
    columns, rows = (place.x - 10) / 80, (place.y - 12) / 75
    x = left + width * min(max(columns, 0.0), 1.0)
    return x, top + height * min(max(rows, 0.0), 1.0)


@memoize
def _places(side: BoardSide) -> dict[str, Spot]:
    """Where every named space of the board lies."""
    places = {region: _centre(side, region) for region in side.regions}
    for region in side.regions:
        spaces = [space for space, at in side.cloud_spaces.items() if at == region]
        x, y = places[region]
        for index, space in enumerate(spaces):
            places[space] = (x + spread(index, len(spaces), 60), y - 43)
    return places | _tower_places(side, places)


def _tower_places(side: BoardSide, regions: dict[str, Spot]) -> dict[str, Spot]:
    """A tower stands at the common point of the regions it touches."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, tower in side.towers.items():
        groups.setdefault(tuple(sorted(tower.touches)), []).append(name)
    places: dict[str, Spot] = {}
    bridgeheads = dict(_bridgeheads(side, regions))
    for touched, names in sorted(groups.items(), key=lambda item: len(item[0])):
        count = max(1, len(touched))
        x = sum(regions[region][0] for region in touched) / count
        y = sum(regions[region][1] for region in touched) / count
        below = 18 if _is_level(touched, regions) else 0
        for index, name in enumerate(names):
            spot = (x + spread(index, len(names), 42), y + below)
            if (head := bridgeheads.get(spot)) is not None:
                places[name] = head
            else:
                taken = [*bridgeheads, *places.values()]
                places[name] = spot if len(touched) == 1 else _aside(spot, taken)
    return places


def _crossings(side: BoardSide, places: Mapping[str, Spot]) -> list[tuple[Spot, Spot]]:
    """Borders over a corner, as a short way across it."""
    found = []
    for border in side.borders:
        (x1, y1), (x2, y2) = (places[region] for region in border.split("-"))
        if x1 != x2 and y1 != y2:
            corner = (x1 + x2) / 2, (y1 + y2) / 2
            dx, dy = (24.0 if x1 < x2 else -24.0), (24.0 if y1 < y2 else -24.0)
            found.append(((corner[0] - dx, corner[1] - dy), (corner[0] + dx, corner[1] + dy)))
    return found


def _bridgeheads(side: BoardSide, places: Mapping[str, Spot]) -> Iterator[tuple[Spot, Spot]]:
    """The middle of each bridge, and where a tower stands that would hide it: at its upper end."""
    for one, other in _crossings(side, places):
        (x1, y1), (x2, y2) = sorted((one, other), key=lambda end: end[1])
        middle = (x1 + x2) / 2, (y1 + y2) / 2
        yield middle, (middle[0] + 1.8 * (x1 - middle[0]), middle[1] + 1.8 * (y1 - middle[1]))


def _served(tower: Spot, regions: Iterable[Spot]) -> Iterator[Svg]:
    """From a tower into each region that it can be served from."""
    for x, y in regions:
        half_width, half_height = CELL[0] / 2 - 11, CELL[1] / 2 - 11
        end = (
            min(max(tower[0], x - half_width), x + half_width),
            min(max(tower[1], y - half_height), y + half_height),
        )
        yield draw("served", way=_way(tower, end), x=end[0], y=end[1])


def _is_level(touched: Iterable[str], regions: Mapping[str, Spot]) -> bool:
    """Whether the regions lie in one row of the map."""
    return len({regions[region][1] for region in touched}) == 1


def _aside(spot: Spot, taken: list[Spot]) -> Spot:
    """The spot, moved away from a tower that stands too near."""
    for x, y in taken:
        apart = hypot(spot[0] - x, spot[1] - y)
        if 0 < apart < TOWER_ROOM and abs(spot[1] - y) > 1:
            push = TOWER_ROOM / apart
            spot = (x + (spot[0] - x) * push, y + (spot[1] - y) * push)
    return spot


def _map(state: Tableau, kit: Box, lying: Lying, last: Action | None) -> Iterator[Svg]:
    side, board, places = state.side(kit), state.board, lying.places
    for region in side.regions:
        tile, clouded = board.tiles.get(region), is_clouded(state, side, region)
        if lying.on_photo:
            yield from _label(region, places[region], clouded, tile)
        else:
            waiting = _waiting(state, region) if tile and tile.startswith("m_") else ()
            yield _cell(side, region, clouded, tile, waiting)
    towers = []
    for name, tower in side.towers.items():
        covered, occupied = side.covers.get(name) in board.tiles, name in board.occupied
        paint = _served_tower if lying.on_photo else _tower
        towers.append(paint(name, tower, places[name], occupied, covered))
    clouds = []
    order = side.cloud_spaces if lying.on_photo else {**board.clouds, **side.cloud_spaces}
    for space in filter(places.__contains__, order):  # in older records some lie beside the board
        if (cloud := board.clouds.get(space)) is not None:
            clouds.append(_cloud(space, kit.clouds[cloud], places[space]))
        elif state.agenda.owes("cloud") is not None:
            clouds.append(_unknown_cloud(space, places[space]))
    if lying.on_photo:
        yield from (*towers, *clouds)
    else:
        yield from (_corners(side), *clouds, *towers, _tower_names(side))
    for region, pawns in _pawns_by_region(state).items():
        x, y = places[region]
        yield from _pawns(state, pawns, (x, y - 32 if lying.on_photo else y), last)


def _label(region: str, place: Spot, clouded: bool, tile: str | None) -> Iterator[Svg]:
    """A region on a photograph: its name, and around it where it can be tapped."""
    x, y = place
    # The pattern is that of the whole map.
    veil = draw("clouded_on_photo", -x, -y, x=x, y=y) if clouded else draw("clear_on_photo")
    yield draw("region_on_photo", x, y, region=region, veil=veil)
    if tile is not None:
        yield worded(tile, _tile(x + 34, y - 8, tile, 18))


def _served_tower(name: str, tower: Tower, place: Spot, occupied: bool, covered: bool) -> Svg:
    """A tower on a photograph: a ring in its colour, and what lies in it or on it."""
    wall = draw(f"{tower.shape}_on_photo", colour=POTIONS[tower.colour])
    inside = _potion(0, 0, tower.colour, 0.85) if occupied else None
    cover = draw("cross", radius=13) if covered else None
    return draw("tower_on_photo", *place, name=name, wall=wall, inside=inside, cover=cover)


def _pawns_by_region(state: Tableau) -> dict[str, list[tuple[str, str]]]:
    """The pawns in each region, seat and pawn."""
    standing: dict[str, list[tuple[str, str]]] = {}
    for seat, player in state.players.items():
        for pawn, region in player.pawns.items():
            standing.setdefault(region, []).append((seat, pawn))
    return standing


@memoize
def _corners(side: BoardSide) -> Svg:
    """Bridges over corners, and whence each tower is served."""
    places = _places(side)
    drawn = [draw("bridge", way=_way(*crossing)) for crossing in _crossings(side, places)]
    for name, tower in side.towers.items():
        if len(tower.touches) > 1:
            drawn += _served(places[name], [places[region] for region in tower.touches])
    return joined(drawn)


@memoize
def _tower_names(side: BoardSide) -> Svg:
    places = _places(side)
    return joined(
        _tower_name(name, places[name], _is_level(tower.touches, places))
        for name, tower in side.towers.items()
    )


@memoize
def _cell(
    side: BoardSide,
    region: str,
    clouded: bool,
    tile: str | None,
    waiting: tuple[tuple[str, str], ...],
) -> Svg:
    """A region; ``waiting`` are the amulets beside its tile, letter and colour."""
    (x, y), terrain = _places(side)[region], side.terrain(region)
    lying = []
    if region in (side.castles.west, side.castles.east):
        banner = "#c0392b" if side.banners == "red" else "#7d3cab"
        lying.append(draw("castle", 14, -73, banner=banner))
    lying += [
        draw("stone_circle", 47, -74, letter=letter)
        for letter, at in side.circles.items()
        if at == region
    ]
    if tile is not None:
        lying.append(worded(tile, _tile(44, -72, tile, 20)))
    lying += [_amulet(-57, 17 * index - 9, *amulet, 7.5) for index, amulet in enumerate(waiting)]
    # The pattern is that of the whole map.
    hatched = draw("clouded", -x, -y, left=x - CELL[0] / 2, top=y - CELL[1] / 2)
    return draw(
        "region",
        x,
        y,
        region=region,
        ground=draw(f"{terrain}_ground"),
        clouded=hatched if clouded else None,
        terrain=draw(terrain, -50, -77),
        lying=lying,
    )


def _waiting(state: Tableau, region: str) -> tuple[tuple[str, str], ...]:
    """The amulets still waiting beside a mountain tile."""
    return tuple(
        (seat, _colour(state, seat))
        for seat, player in state.players.items()
        if region not in player.hoard.amulets
    )


def _tile(x: float, y: float, tile: str, radius: float) -> Svg:
    shape = polygon(ring(x, y, radius, 6), fill=PAPER, stroke=INK, stroke_width=1.6)
    if tile.startswith("m_"):
        return group(shape, draw(tile, x, y))
    words = {"courage": "!", "plusone": "+1", "five": "5", "market": "o 7"}
    said = words.get(tile) or tile.removeprefix("t_").upper()
    return group(shape, draw("worded_tile", x, y, said=said))


def component(word: str, setting: Setting[Box], speech: Speech) -> Picture | None:
    """A cloud, a tile of a variant, a role with what it is for, or what is gathered."""
    kit = setting.kit
    if word in kit.roles:
        return Picture(50, 62, draw("role", 2, 2, role=word, signs=_for_what(kit.roles[word])))
    if word in RESOURCES:
        return Picture(40, 40, _resource(word, 20, 20))
    if word in kit.clouds.types:
        return Picture(76, 60, at(38, 28, 1, *_cloud_face(kit.clouds.types[word])))
    if word in kit.tiles.terrain_of:
        return Picture(60, 60, _tile(30, 30, word, 26))
    return None


def _for_what(role: RoleCard) -> Iterator[Svg]:
    """The grounds of witches and druids, what others take or chase."""
    if role.kind == "fairy":
        yield draw("puff", 23, 26, 0.85, fill="#dfeaff", dashes=None)
    for place, terrain in enumerate(role.terrains):
        size = 1.3 if len(role.terrains) == 1 else 0.9
        yield draw(terrain, 23 + spread(place, len(role.terrains), 22), 24, size)
    taken = sorted({kind for piece in role.brave for kind in piece}, key=RESOURCES.index)
    for place, kind in enumerate(taken):
        yield at(23 + spread(place, len(taken), 21), 24, 1, _resource(kind, 0, 0))


def _resource(kind: str, x: float, y: float) -> Svg:
    return draw("wand", x, y) if kind == "w" else _potion(x, y, kind)


@memoize
def _cloud(space: str, cloud: CloudType, place: Spot) -> Svg:
    return draw("cloud", *place, space=space, face=_cloud_face(cloud))


def _cloud_face(cloud: CloudType) -> Iterator[Svg]:
    storm = cloud.effect is not None
    yield draw("puff", -2, 0, 1.08, fill="#dfeaff" if storm else WHITE, dashes=None)
    star = {"fill": "#3f78d8" if storm else WHITE, "edge": 1.4 / 0.65}
    for i in range(cloud.stars):
        yield draw("star", spread(i, cloud.stars, 13) - 1, -4, 0.65, **star)
    for i in range(cloud.bolts):
        yield draw("bolt", spread(i, cloud.bolts, 12) - (12 if storm else 1), 10, 0.62)
    if cloud.effect in ("bonus", "potions"):
        yield draw("storm_points", said=signed(cloud.vp) + (cloud.potion or ""))
    elif cloud.effect == "move":
        yield draw("arrow", 12, 9, 0.7)
    elif cloud.effect == "deliver":
        yield _potion(11, 8, "p", 0.5)


def _unknown_cloud(space: str, place: Spot) -> Svg:
    """A space whose cloud was not laid yet."""
    puff = draw("puff", -2, 0, 1.08, fill="none", dashes="4 4")
    return draw("unknown_cloud", *place, space=space, puff=puff)


@memoize
def _tower(name: str, tower: Tower, place: Spot, occupied: bool, covered: bool) -> Svg:
    colour = POTIONS[tower.colour]
    wands = (draw("wand", 17, 2 - 14 * i, 0.62) for i in range(tower.wands))
    free = draw("free_tower", vp=tower.vp, wands=wands)
    return draw(
        "tower",
        *place,
        name=name,
        colour=colour,
        letter=tower.colour,
        wall=draw(tower.shape, fill=colour if occupied else WHITE, colour=colour),
        inside=_potion(0, 1, tower.colour, 0.85, pale=True) if occupied else free,
        turn=-45 if tower.shape == "round" else 135,
        cover=draw("cross", radius=16) if covered else None,
    )


def _tower_name(name: str, place: Spot, level: bool) -> Svg:
    """Drawn over everything near it, with a rim that keeps it readable."""
    x, y = place
    rim = {"fill": INK, "stroke": PAPER, "stroke_width": 3, "paint_order": "stroke"}
    if level:
        return text(x + 3, y + 28, name, 14, **rim)
    return text(x + 18, y + 16, name, 14, anchor="start", **rim)


def _pawns(
    state: Tableau, standing: Sequence[tuple[str, str]], place: Spot, last: Action | None
) -> Iterator[Svg]:
    moved = last.by if isinstance(last, Move | FlyOn) else None
    rows = [standing[:5], standing[5:]]
    for row, pawns in enumerate(rows):
        for index, (seat, pawn) in enumerate(pawns):
            x = place[0] + spread(index, len(pawns), 26)
            y = place[1] + CELL[1] / 2 - (28 if len(standing) <= 5 else 45) + 29 * row
            stroke, edge = (ACCENT, 3) if seat == moved else (INK, 1.2)
            fill = _colour(state, seat)
            look = {"fill": fill, "letter_colour": _ink_on(fill), "stroke": stroke, "edge": edge}
            figure = draw("pawn", x, y, seat=seat, pawn=pawn, **look)
            yield worded(seat, worded(pawn, figure))


# the score


def score(state: Tableau, speech: Speech) -> Part:
    return Part(LANE * len(state.players) + 56, joined(_track(state, speech)), column=1)


def _track(state: Tableau, speech: Speech) -> Iterator[Svg]:
    """One lane per player; below zero is left of the thick line."""
    players = state.players
    scores = [player.vp for player in players.values()]
    low, high = min(-10, *scores), max(100, *scores)

    yield text(14, 6, speech.say("picture.score"), 15, anchor="start", fill=INK)
    yield _scale(low, high, 14 + LANE * len(players))
    for index, (seat, player) in enumerate(players.items()):
        y = 12 + LANE * (index + 0.5)
        here = _on_scale(player.vp, low, high)
        lane = {"x1": _on_scale(0, low, high), "y1": y, "x2": here, "y2": y}
        yield el("line", **lane, stroke=INK, stroke_width=7)
        yield el("line", **lane, stroke=_colour(state, seat), stroke_width=4.6)
        yield _amulet(here, y, seat, _colour(state, seat), 10.5)


def _on_scale(vp: int, low: int, high: int) -> float:
    return 44 + (WIDTH - 84) * (vp - low) / (high - low)


@memoize
def _scale(low: int, high: int, bottom: float) -> Svg:
    step = 10 if high - low <= 160 else 50
    drawn = []
    for vp in range(-(-low // step) * step, high + 1, step):
        x, zero = _on_scale(vp, low, high), vp == 0
        look = {"stroke": INK if zero else GREY, "stroke_width": 3 if zero else 1}
        drawn.append(el("line", x1=x, y1=12.0, x2=x, y2=bottom, **look))
        drawn.append(text(x, bottom + 18, f"−{-vp}" if vp < 0 else vp, 15, fill=INK))
    return joined(drawn)


def _colour(state: Tableau, seat: str) -> str:
    """The colour of a seat's pieces; for a box with other colours, one of ours."""
    return PIECES.get(state.options.colours[seat], SEAT_COLOURS[seat])


# the key


def key(speech: Speech) -> Part:
    """The roles by their codes."""
    return _key(speech.words, speech.lang)


@memoize
def _key(words: Catalogue, lang: Language) -> Part:
    speech = Speech(words, lang)
    named = (f"{role} {speech.term(role)}".replace(" ", "\u00a0") for role in get_args(Role))
    lines = wrapped(" · ".join(named), 64)  # room for letters half as large again
    drawn = [
        text(14, 20 + 24 * row, line, 15, anchor="start", fill=INK)
        for row, line in enumerate(lines)
    ]
    return Part(24.0 * len(lines) + 8, joined(drawn), column=1)


# the players


def players(state: Tableau, kit: Box, speech: Speech, last: Action | None) -> Iterator[Part]:
    for seat in state.players:
        panel = {seat: Frame(8, 0, WIDTH - 16, PANEL - 8)}
        yield Part(PANEL + 6, player_panel(state, seat, kit, speech, last), panel, column=1)


def player_panel(state: Tableau, seat: str, kit: Box, speech: Speech, last: Action | None) -> Svg:
    player = state.players[seat]
    lit = last is not None and last.by == seat and not state.over
    colour = pawn_colour(state.options.colours[seat], speech)[:12]
    name, size = name_in(speech.sitting(seat, colour), 15, 96, 62)
    points = f"{str(player.vp).replace('-', '−')} {speech.say('picture.points')}"
    tiles = tuple(held.tile for held in player.hoard.tiles)
    resources = tuple(player.resources[kind] for kind in RESOURCES)
    standing = _broken_down(player, kit, speech) if state.over else _standing(state, seat, speech)
    return draw(
        "player",
        seat=seat,
        stroke=ACCENT if lit else INK,
        edge=3 if lit else 1.2,
        amulet=_amulet(36, 28, seat, _colour(state, seat), 18),
        crown=draw("crown", 36, 7) if seat == state.turn.claimant else None,
        name=name,
        name_size=size,
        points=points,
        points_size=fitting(points, 21, 94),  # beside it stand the potions
        belongings=_belongings(resources, player.hoard.bolts, len(player.hoard.amulets), tiles),
        standing=standing,
        standing_size=fitting(standing, 16, WIDTH - 460),
        cards=_cards(state, seat, 54, last),
    )


def _broken_down(player: Player, kit: Box, speech: Speech) -> str:
    """What a final score is made of."""
    final = final_score(player, kit)
    parts = {"played": player.vp - sum(final), **final._asdict()}
    told = (speech.say(f"picture.{name}", vp=signed(vp)) for name, vp in parts.items() if vp)
    return ", ".join(told)


def _standing(state: Tableau, seat: str, speech: Speech) -> str:
    """Whether the player leads, and what they have said in this turn."""
    said = []
    if seat == state.turn.leader and not state.over:
        said.append(speech.say("picture.leads"))
    if (answer := answer_of(seat, state)) is not None:
        said.append(speech.say(f"answer.{answer}"))
    return " – ".join(said)


@memoize
def _belongings(
    resources: tuple[int, ...], bolts: int, amulets: int, tiles: tuple[str, ...]
) -> Svg:
    x, drawn = 168, []
    for kind, count in zip(RESOURCES, resources, strict=True):
        shown = draw("wand", 0, 0, 0.95) if kind == "w" else _potion(0, -1, kind)
        drawn.append(draw("held", x, 26, kind=kind, shown=shown, count=count))
        x += 52
    drawn.append(draw("bolts", x, 26, count=bolts))
    x += 48
    drawn += [_amulet(x + 20 * index, 26, "*", "#7a6a3a", 9) for index in range(amulets)]
    x += 20 * amulets + 8
    drawn += [worded(tile, _tile(x + 34 * index, 28, tile, 16)) for index, tile in enumerate(tiles)]
    return joined(drawn)


def _cards(state: Tableau, seat: str, top: float, last: Action | None) -> Iterator[Svg]:
    """Laid cards, cards in hand, and the roles that the player claimed not to hold.

    A hand lies face down, but for those who know it.
    """
    x, player = 20.0, state.players[seat]
    own = last is not None and last.by == seat
    for card in player.hand.laid:
        newest = own and isinstance(last, PlayRole | LayDead) and card is player.hand.laid[-1]
        cursed = card.role in state.round.cursed
        yield _card(x, top, card.role, card.mode, card=card, cursed=cursed, lit=newest)
        x += 51
    laid = {card.role for card in player.hand.laid}
    known = [role for role in player.hand.sealed or () if role not in laid]
    for role in known:
        yield _card(x, top, role, "", cursed=role in state.round.cursed)
        x += 51
    backs = max(0, player.hand.held - len(known))
    for index in range(backs):
        yield draw("card_back", x + 22 * index, top)
    x += 22 * backs + (30 if backs else 0)
    claims = player.hand.passes
    step = min(58.0, (WIDTH - 20 - x) / max(1, len(claims)))
    for index, claim in enumerate(claims):
        newest = own and isinstance(last, Pass) and claim is claims[-1]
        yield _claim(x + step * index, top, claim, newest)


def _card(
    x: float,
    y: float,
    role: str,
    mode: str,
    *,
    card: Card | None = None,
    cursed: bool = False,
    lit: bool = False,
) -> Svg:
    """A role: dark bar on top if brave, at the bottom if cowardly, grey and crossed if dead."""
    dead = mode == "dead" and card is not None
    tile = card.tile if card is not None else None
    return draw(
        "card",
        x,
        y,
        role=role,
        fill="#c9ccd0" if dead else WHITE,
        stroke=ACCENT if lit else INK,
        edge=3.5 if lit else 1.6,
        dashes="5 3" if cursed else None,
        mode=draw(mode) if dead or mode in ("brave", "coward") else None,
        tile=_tile(42, 5, tile, 11) if tile is not None else None,
    )


def _claim(x: float, y: float, claim: Claim, lit: bool) -> Svg:
    """A pass: hollow while nobody can know, ticked when true, flagged when false."""
    stroke = ACCENT if lit or claim.status == "broken" else INK
    return draw("claim", x, y, role=claim.role, stroke=stroke, status=draw(claim.status))
