"""The table as a picture: the round, the map, the score, the players, one below the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import hypot
from typing import get_args

from engines.broom_service import symbols
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
from engines.broom_service.kit import BoardSide, Box, CloudType, Tower, in_full
from engines.broom_service.rules.final import final_score
from engines.broom_service.state import LAST_ROUND, Card, Player, Tableau, is_clouded
from engines.broom_service.state import Pass as Claim
from engines.broom_service.symbols import POTIONS, TERRAINS
from engines.kernel import Action, Setting, Speech
from engines.kernel.messages.catalogue import Catalogue, Language
from engines.kernel.picture.ground import Ground
from engines.kernel.picture.layout import WIDTH, Disc, Frame, Part, Pen, Sheet
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
    el,
    fitting,
    group,
    joined,
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


def picture(state: Tableau, setting: Setting[Box], speech: Speech, last: Action | None) -> Sheet:
    parts = [
        title(state, setting.kit, speech, last),
        board(state, setting, last),
        score(state, speech),
        *players(state, setting.kit, speech, last),
        key(speech),
    ]
    return Sheet(parts, touched(state, setting.kit, last), PEN, margin=10)


def title(state: Tableau, kit: Box, speech: Speech, last: Action | None) -> Part:
    return Part(STRIP, joined(_strip(state, kit, speech, last)))


def _strip(state: Tableau, kit: Box, speech: Speech, last: Action | None) -> Iterator[Svg]:
    """The round, its event and its cursed roles."""
    lit = isinstance(last, RevealEvent | RevealCursed)
    yield el(
        "rect",
        x=8.0,
        y=8.0,
        width=WIDTH - 16,
        height=STRIP - 18,
        rx=10.0,
        fill=PAPER,
        stroke=ACCENT if lit else INK,
        stroke_width=3 if lit else 1.5,
    )
    number = speech.say("picture.round", round=state.round.number, rounds=LAST_ROUND)
    turn = speech.say("picture.turn", turn=state.turn.number)
    now = speech.say("picture.over") if state.over else turn
    if state.turn.led is not None:
        yield text(22, 52, speech.term(state.turn.led), 18, anchor="start", fill=INK)
    yield text(22, 31, f"{number} – {now}", 21, anchor="start", font_weight="bold", fill=INK)
    event = event_line(state, kit, speech)
    for index, line in enumerate(wrapped(event or "", 76)[:2]):
        yield text(22, 74 + 22 * index, line, 17, anchor="start", fill=INK)
    if state.round.cursed:
        cursed = speech.say("picture.cursed", vp=signed(kit.scoring.cursed_vp))
        cards = state.round.cursed
        left = WIDTH - 28 - 52 * len(cards)
        yield text(left - 8, 38, cursed, 17, anchor="end", fill=INK)
        for index, role in enumerate(cards):
            yield _card(left + 52 * index, 15, role, "dead", cursed=True)


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


def board(state: Tableau, setting: Setting[Box], last: Action | None) -> Part:
    kit, ground = setting.kit, setting.grounds.get(state.options.side)
    side = state.side(kit)
    if ground is not None and ground.has(side.regions):
        return on_photo(state, kit, ground, last)
    places = _places(side)
    drawn = joined([_hatching(), *_map(state, kit, places, last)])
    return Part(MAP, drawn, _spaces(side))


@memoize
def _spaces(side: BoardSide) -> dict[str, Disc]:
    size = dict.fromkeys(side.regions, 62.0) | dict.fromkeys(side.towers, 27.0)
    return {name: Disc(*place, size.get(name, 34.0)) for name, place in _places(side).items()}


@cache
def _hatching() -> Svg:
    """Regions under clouds are hatched."""
    line = el("line", x1=0.0, y1=0.0, x2=0.0, y2=10.0, stroke=GREY, stroke_width=3, opacity=0.55)
    pattern = el(
        "pattern",
        line,
        id="broom-clouded",
        width=10.0,
        height=10.0,
        patternUnits="userSpaceOnUse",
        patternTransform="rotate(45)",
    )
    return el("defs", pattern)


def on_photo(state: Tableau, kit: Box, ground: Ground, last: Action | None) -> Part:
    """The club's own board: its photograph shows the map, only what can change is drawn on it."""
    side, board = state.side(kit), state.board
    height, image, put = ground.drawn(WIDTH)
    places = _lying(side, put)
    drawn = [_hatching(), image]
    for region in side.regions:
        drawn.append(_label(region, places[region], is_clouded(state, side, region)))
        if (tile := board.tiles.get(region)) is not None:
            x, y = places[region]
            drawn.append(worded(tile, _tile(x + 34, y - 8, tile, 18)))
    for name, tower in side.towers.items():
        covered = side.covers.get(name) in board.tiles
        drawn.append(_served_tower(name, tower, places[name], name in board.occupied, covered))
    for space in side.cloud_spaces:
        if (cloud := board.clouds.get(space)) is not None:
            drawn.append(_cloud(space, kit.clouds[cloud], places[space]))
        elif state.agenda.owes("cloud") is not None:
            drawn.append(_unknown_cloud(space, places[space]))
    for region, pawns in _pawns_by_region(state).items():
        x, y = places[region]
        drawn += _pawns(state, pawns, (x, y - 32), last)
    size = dict.fromkeys(side.regions, 30.0) | dict.fromkeys(side.towers, 20.0)
    spaces = {name: Disc(*place, size.get(name, 30.0)) for name, place in places.items()}
    return Part(height + 30, joined(drawn), spaces)


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


def _label(region: str, place: Spot, clouded: bool) -> Svg:
    """A region on a photograph: its name, and around it where it can be tapped."""
    x, y = place
    around = {"cx": x, "cy": y, "r": 30.0}
    plate = {"x": x - 16, "y": y - 12, "width": 32.0, "height": 22.0, "rx": 6.0}
    veil = "url(#broom-clouded)" if clouded else WHITE
    return worded(
        region,
        el("circle", **around, fill=veil, fill_opacity=0.9 if clouded else 0.01),
        el("rect", **plate, fill=PAPER, fill_opacity=0.85, stroke=INK),
        text(x, y + 5, region, 15, font_weight="bold", fill=INK),
    )


def _served_tower(name: str, tower: Tower, place: Spot, occupied: bool, covered: bool) -> Svg:
    """A tower on a photograph: a ring in its colour, and what lies in it or on it."""
    x, y = place
    colour = POTIONS[tower.colour]
    wall = {"fill": PAPER, "fill_opacity": 0.55, "stroke": colour, "stroke_width": 3}
    parts = [el("circle", cx=x, cy=y, r=14.0, **wall)]
    if tower.shape == "square":
        parts = [el("rect", x=x - 13, y=y - 13, width=26.0, height=26.0, **wall)]
    if occupied:
        parts.append(symbols.potion(x, y, tower.colour, 0.85))
    if covered:
        parts.append(symbols.cross(x, y, 13))
    rim = {"fill": INK, "stroke": PAPER, "stroke_width": 3, "paint_order": "stroke"}
    return worded(name, *parts, text(x, y + 26, name, 12, **rim))


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


def _bridge(start: Spot, end: Spot) -> Svg:
    """Drawn over the regions: at a corner nothing else shows that they touch."""
    line = {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1], "stroke_linecap": "round"}
    return group(
        el("line", **line, stroke=INK, stroke_width=14),
        el("line", **line, stroke=BRIDGE, stroke_width=11),
    )


def _served(tower: Spot, regions: Iterable[Spot]) -> Iterator[Svg]:
    """From a tower into each region that it can be served from."""
    for x, y in regions:
        half_width, half_height = CELL[0] / 2 - 11, CELL[1] / 2 - 11
        end = (
            min(max(tower[0], x - half_width), x + half_width),
            min(max(tower[1], y - half_height), y + half_height),
        )
        line = {"x1": tower[0], "y1": tower[1], "x2": end[0], "y2": end[1]}
        yield el("line", **line, stroke=INK, stroke_width=2.4)
        yield el("circle", cx=end[0], cy=end[1], r=4.5, fill=INK, stroke=PAPER, stroke_width=1.2)


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


def _map(state: Tableau, kit: Box, places: dict[str, Spot], last: Action | None) -> Iterator[Svg]:
    side, board = state.side(kit), state.board
    yield _borders(side)
    for region in side.regions:
        tile = board.tiles.get(region)
        waiting = _waiting(state, region) if tile is not None and tile.startswith("m_") else ()
        yield _cell(side, region, is_clouded(state, side, region), tile, waiting)
    yield _corners(side)
    for space, cloud in board.clouds.items():
        yield _cloud(space, kit.clouds[cloud], places[space])
    if state.agenda.owes("cloud") is not None:
        for space in side.cloud_spaces:
            if space not in board.clouds:
                yield _unknown_cloud(space, places[space])
    for name, tower in side.towers.items():
        covered = side.covers.get(name) in board.tiles
        yield _tower(name, tower, places[name], name in board.occupied, covered)
    yield _tower_names(side)
    for region, pawns in _pawns_by_region(state).items():
        yield from _pawns(state, pawns, places[region], last)


def _pawns_by_region(state: Tableau) -> dict[str, list[tuple[str, str]]]:
    """The pawns in each region, seat and pawn."""
    standing: dict[str, list[tuple[str, str]]] = {}
    for seat, player in state.players.items():
        for pawn, region in player.pawns.items():
            standing.setdefault(region, []).append((seat, pawn))
    return standing


@memoize
def _borders(side: BoardSide) -> Svg:
    places, drawn = _places(side), []
    for border in side.borders:
        (x1, y1), (x2, y2) = (places[region] for region in border.split("-"))
        drawn.append(el("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=BRIDGE, stroke_width=11))
    return joined(drawn)


@memoize
def _corners(side: BoardSide) -> Svg:
    """Bridges over corners, and whence each tower is served."""
    places = _places(side)
    drawn = [_bridge(*crossing) for crossing in _crossings(side, places)]
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
    (width, height), (x, y) = CELL, _places(side)[region]
    terrain = side.terrain(region)
    box = {"x": x - width / 2, "y": y - height / 2, "width": width, "height": height, "rx": 16.0}
    top = y - height / 2 + 20
    parts = [el("rect", **box, fill=TERRAINS[terrain], stroke=INK, stroke_width=1.6)]
    if clouded:
        parts.append(el("rect", **box, fill="url(#broom-clouded)"))
    parts += [
        symbols.terrain(x - 50, top, terrain),
        text(x - 33, top + 7, region, 20, anchor="start", font_weight="bold", fill=INK),
    ]
    if region in (side.castles.west, side.castles.east):
        banner = "#c0392b" if side.banners == "red" else "#7d3cab"
        parts.append(symbols.castle(x + 14, top + 4, banner))
    parts += [
        worded(letter, _stone_circle(x + 47, top + 3, letter))
        for letter, at in side.circles.items()
        if at == region
    ]
    if tile is not None:
        parts.append(worded(tile, _tile(x + 44, top + 5, tile, 20)))
    parts += [
        symbols.amulet(x - 57, top + 68 + 17 * index, *amulet, 7.5)
        for index, amulet in enumerate(waiting)
    ]
    return worded(region, *parts)


def _waiting(state: Tableau, region: str) -> tuple[tuple[str, str], ...]:
    """The amulets still waiting beside a mountain tile."""
    return tuple(
        (seat, _colour(state, seat))
        for seat, player in state.players.items()
        if region not in player.hoard.amulets
    )


def _stone_circle(x: float, y: float, letter: str) -> Svg:
    stones = [
        el("circle", cx=cx, cy=cy, r=3.4, fill=GREY, stroke=INK, stroke_width=0.8)
        for cx, cy in ring(x, y, 15, 9)
    ]
    return group(*stones, text(x, y + 6, letter, 17, font_weight="bold", fill=INK))


def _tile(x: float, y: float, tile: str, radius: float) -> Svg:
    shape = polygon(ring(x, y, radius, 6), fill=PAPER, stroke=INK, stroke_width=1.6)
    drawings: dict[str, Callable[[], list[Svg]]] = {
        "m_potions": lambda: [
            symbols.potion(x + spread(i, 3, 11), y + 1, kind, 0.55) for i, kind in enumerate("gop")
        ],
        "m_wands": lambda: [symbols.wand(x - 5, y, 0.7), symbols.wand(x + 7, y, 0.7)],
        "m_deliver": lambda: [symbols.potion(x - 8, y, "p", 0.6), symbols.arrow(x + 8, y, 0, 0.7)],
        "m_moves": lambda: [symbols.arrow(x, y - 7, 0, 0.8), symbols.arrow(x, y + 8, 180, 0.8)],
        "m_chase": lambda: [symbols.puff(x, y, 0.5), symbols.cross(x, y, 8)],
    }
    if tile in drawings:
        return group(shape, *drawings[tile]())
    words = {"courage": "!", "plusone": "+1", "five": "5", "market": "o 7"}
    shown = words.get(tile) or tile.removeprefix("t_").upper()
    return group(shape, text(x, y + 6, shown, 16, font_weight="bold", fill=INK))


def component(word: str, setting: Setting[Box], speech: Speech) -> Picture | None:
    """A cloud, or a tile of a variant."""
    kit = setting.kit
    if word in kit.clouds.types:
        return Picture(76, 60, joined(_cloud_face(kit.clouds.types[word], (38, 28))))
    if word in kit.tiles.terrain_of:
        return Picture(60, 60, _tile(30, 30, word, 26))
    return None


@memoize
def _cloud(space: str, cloud: CloudType, place: Spot) -> Svg:
    x, y = place
    return worded(space, *_cloud_face(cloud, place), text(x, y + 31, space, 14, fill=INK))


def _cloud_face(cloud: CloudType, place: Spot) -> list[Svg]:
    x, y = place
    storm = cloud.effect is not None
    parts = [symbols.puff(x - 2, y, 1.08, fill="#dfeaff" if storm else WHITE)]
    parts += [
        symbols.star(x + spread(i, cloud.stars, 13) - 1, y - 4, 6.5, "#3f78d8" if storm else WHITE)
        for i in range(cloud.stars)
    ]
    parts += [
        symbols.bolt(x + spread(i, cloud.bolts, 12) - (12 if storm else 1), y + 10, 0.62)
        for i in range(cloud.bolts)
    ]
    if cloud.effect in ("bonus", "potions"):
        shown = signed(cloud.vp) + (cloud.potion or "")
        parts.append(text(x + 11, y + 14, shown, 13, font_weight="bold", fill=INK))
    elif cloud.effect == "move":
        parts.append(symbols.arrow(x + 12, y + 9, 0, 0.7))
    elif cloud.effect == "deliver":
        parts.append(symbols.potion(x + 11, y + 8, "p", 0.5))
    return parts


@memoize
def _unknown_cloud(space: str, place: Spot) -> Svg:
    """A space whose cloud was not laid yet."""
    x, y = place
    return worded(
        space,
        symbols.puff(x - 2, y, 1.08, fill="none", stroke_dasharray="4 4"),
        text(x, y + 7, "?", 18, fill=INK),
        text(x, y + 31, space, 14, fill=INK),
    )


@memoize
def _tower(name: str, tower: Tower, place: Spot, occupied: bool, covered: bool) -> Svg:
    x, y = place
    colour = POTIONS[tower.colour]
    wall = {"fill": colour if occupied else WHITE, "stroke": colour, "stroke_width": 3}
    if tower.shape == "round":
        parts = [el("circle", cx=x, cy=y, r=15.0, **wall)]
    else:
        parts = [el("rect", x=x - 14, y=y - 13, width=28.0, height=28.0, **wall)]
    roof = [(x - 15, y - 11), (x + 15, y - 11), (x, y - 27)]
    parts.append(polygon(roof, fill=colour, stroke=INK, stroke_width=1))
    parts.append(text(x, y - 12.5, tower.colour, 14, fill=WHITE, font_weight="bold"))
    if occupied:
        parts.append(symbols.potion(x, y + 1, tower.colour, 0.85, pale=True))
    else:
        parts.append(text(x, y + 8, tower.vp, 18, font_weight="bold", fill=INK))
        parts += [symbols.wand(x + 17, y + 2 - 14 * i, 0.62) for i in range(tower.wands)]
    inward = tower.shape == "round"
    parts.append(symbols.arrow(x - 18, y + 14, -45 if inward else 135, 0.5))
    if covered:
        parts.append(symbols.cross(x, y, 16))
    return worded(name, *parts)


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
            figure = symbols.pawn(x, y, seat, pawn, _colour(state, seat), seat == moved)
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
        yield symbols.amulet(here, y, seat, _colour(state, seat), 10.5)


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
    return symbols.PIECES.get(state.options.colours[seat], SEAT_COLOURS[seat])


# the key


def key(speech: Speech) -> Part:
    """The roles by their codes."""
    return _key(speech.words, speech.lang)


@memoize
def _key(words: Catalogue, lang: Language) -> Part:
    speech = Speech(words, lang)
    named = (f"{role} {speech.term(role)}".replace(" ", "\u00a0") for role in get_args(Role))
    lines = wrapped(" · ".join(named), 96)
    drawn = [
        text(14, 16 + 20 * row, line, 15, anchor="start", fill=INK)
        for row, line in enumerate(lines)
    ]
    return Part(20.0 * len(lines) + 8, joined(drawn), column=1)


# the players


def players(state: Tableau, kit: Box, speech: Speech, last: Action | None) -> Iterator[Part]:
    for seat in state.players:
        panel = {seat: Frame(8, 0, WIDTH - 16, PANEL - 8)}
        drawn = worded(seat, *player_panel(state, seat, kit, speech, last))
        yield Part(PANEL + 6, drawn, panel, column=1)


def player_panel(
    state: Tableau, seat: str, kit: Box, speech: Speech, last: Action | None
) -> Iterator[Svg]:
    player = state.players[seat]
    lit = last is not None and last.by == seat and not state.over
    yield el(
        "rect",
        x=8.0,
        y=0.0,
        width=WIDTH - 16,
        height=PANEL - 8,
        rx=10.0,
        fill=PAPER,
        stroke=ACCENT if lit else INK,
        stroke_width=3 if lit else 1.2,
    )
    yield symbols.amulet(36, 28, seat, _colour(state, seat), 18)
    if seat == state.turn.claimant:
        yield symbols.crown(36, 7)
    named = speech.sitting(seat, pawn_colour(state.options.colours[seat], speech)[:12], 10)
    yield text(62, 21, named, fitting(named, 15, 96), anchor="start", fill=INK)
    points = f"{str(player.vp).replace('-', '−')} {speech.say('picture.points')}"
    size = fitting(points, 21, 94)  # beside it stand the potions
    yield text(62, 45, points, size, anchor="start", font_weight="bold", fill=INK)
    tiles = tuple(held.tile for held in player.hoard.tiles)
    resources = tuple(player.resources[kind] for kind in RESOURCES)
    yield _belongings(resources, player.hoard.bolts, len(player.hoard.amulets), tiles)
    standing = _broken_down(player, kit, speech) if state.over else _standing(state, seat, speech)
    size = fitting(standing, 16, WIDTH - 460)
    yield text(WIDTH - 22, 26, standing, size, anchor="end", font_style="italic", fill=INK)
    yield from _cards(state, seat, 54, last)


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
    x, y = 168.0, 26.0
    drawn = []
    for kind, held in zip(RESOURCES, resources, strict=True):
        shown = symbols.wand(x, y, 0.95) if kind == "w" else symbols.potion(x, y - 1, kind)
        count = text(x + 16, y + 7, held, 19, anchor="start", fill=INK)
        drawn.append(worded(kind, shown, count))
        x += 52
    drawn.append(symbols.bolt(x, y, 1.1))
    drawn.append(text(x + 12, y + 7, bolts, 19, anchor="start", fill=INK))
    x += 48
    drawn += [symbols.amulet(x + 20 * index, y, "*", "#7a6a3a", 9) for index in range(amulets)]
    x += 20 * amulets + 8
    drawn += [
        worded(tile, _tile(x + 34 * index, y + 2, tile, 16)) for index, tile in enumerate(tiles)
    ]
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
        yield _card_back(x + 22 * index, top)
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
    parts = [
        el(
            "rect",
            x=x,
            y=y,
            width=46.0,
            height=36.0,
            rx=5.0,
            fill="#c9ccd0" if dead else WHITE,
            stroke=ACCENT if lit else INK,
            stroke_width=3.5 if lit else 1.6,
            stroke_dasharray="5 3" if cursed else None,
        )
    ]
    if mode in ("brave", "coward"):
        bar = y + 2 if mode == "brave" else y + 27
        parts.append(el("rect", x=x + 3, y=bar, width=40.0, height=7.0, fill=INK))
    if dead:
        parts.append(symbols.cross(x + 23, y + 18, 13))
    parts.append(text(x + 23, y + 24, role, 17, font_weight="bold", fill=INK))
    if card is not None and card.tile is not None:
        parts.append(_tile(x + 42, y + 5, card.tile, 11))
    return worded(role, *parts)


@cache
def _card_back(x: float, y: float) -> Svg:
    return group(
        el(
            "rect",
            x=x,
            y=y,
            width=28.0,
            height=36.0,
            rx=5.0,
            fill="#4d5560",
            stroke=WHITE,
            stroke_width=1.5,
        ),
        symbols.star(x + 14, y + 18, 8, WHITE),
    )


def _claim(x: float, y: float, claim: Claim, lit: bool) -> Svg:
    """A pass: hollow while nobody can know, ticked when true, flagged when false."""
    colour = ACCENT if lit or claim.status == "broken" else INK
    parts = [
        el(
            "rect",
            x=x,
            y=y + 4,
            width=32.0,
            height=28.0,
            rx=13.0,
            fill=WHITE,
            stroke=colour,
            stroke_width=1.6,
        ),
        text(x + 16, y + 24, claim.role, 15, fill=INK),
    ]
    if claim.status == "cleared":
        parts.append(symbols.tick(x + 40, y + 20))
    elif claim.status == "broken":
        parts.append(symbols.flag(x + 42, y + 18, "#c0392b", 0.9))
    else:
        parts.append(text(x + 40, y + 25, "?", 17, font_weight="bold", fill=INK))
    return group(*parts)
