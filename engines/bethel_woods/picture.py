"""The table as a picture: the board, what lies beside it, and the players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, get_args

from engines.bethel_woods.actions import Position
from engines.bethel_woods.describe import Table, headline
from engines.bethel_woods.kit import RING, TYPE_NAMES, TYPES, Tile, in_order
from engines.bethel_woods.rules.building import build_cost
from engines.bethel_woods.rules.knowledge import knowledge_limit
from engines.bethel_woods.sight import OUT
from engines.bethel_woods.state import Tableau, Turn
from engines.kernel import Action, Audit, Speech
from engines.kernel.picture.ground import Ground
from engines.kernel.picture.layout import WIDTH, Disc, Frame, Part, Pen, Sheet
from engines.kernel.picture.sprites import Sprites
from engines.kernel.picture.svg import (
    GREY,
    INK,
    PAPER,
    SEAT_COLOURS,
    WHITE,
    Picture,
    Spot,
    Svg,
    fitting,
    group,
    joined,
    name_in,
    polygon,
    ring,
    spread,
    text,
    worded,
)

BOARD = 700.0
CENTRE = (360.0, 350.0)
REACH = 188.0
DISC = 62.0
SECTIONS = 64.48
"""How far the sections lie from the middle of the drawn board."""
FOREST = "#27432f"
ALARM = "#b3261e"
EMBER = "#ff8c00"
"""Stands out against the dark forest."""
PEN = Pen(EMBER, 6)
COLOURS = {"M": "#c0392b", "S": "#e9b90c", "D": "#1f6fb5", "E": "#7a3fa0"}
LETTERS = {"M": WHITE, "S": INK, "D": WHITE, "E": WHITE}
PILES = {"spy_column": 53.0, "supply": 296.0, "discard_pile": 372.0}
"""Beside the board, from the left."""
draw = Sprites("engines.bethel_woods", {"alarm_red": ALARM, "forest_green": FOREST})


def picture(state: Tableau, setting: Table, speech: Speech, last: Action | None) -> Sheet:
    parts = [
        board(state, setting),
        title(state, speech),
        beside(state, setting, speech),
        *players(state, setting, speech),
        key(speech),
    ]
    return Sheet(parts, touched(state, last), PEN, margin=6)


def spaces(state: Tableau, setting: Table) -> Iterator[str]:
    """The names of all spaces of the picture."""
    yield from (*map(str, RING), *PILES, *state.players)
    yield from (f"section_{section.id}" for section in setting.kit.sections)


def title(state: Tableau, speech: Speech) -> Part:
    said = headline(state, speech)
    line = said[:1].upper() + said[1:]
    size = min(26.0, (WIDTH - 24) / (0.56 * len(line)))
    drawn = text(14, 28, line, size, anchor="start", font_weight="bold", fill=INK)
    return Part(42, drawn, column=1)


# what happened last


def touched(state: Tableau, last: Action | None) -> Iterator[str]:
    """The names of the spaces and players that the last entry was about."""
    if isinstance(last, Audit | Position | None):
        return
    for entry, subjects in reversed(state.trail):
        if entry != state.trail[-1].entry:
            return
        for subject in subjects:
            yield from _places(state, subject)


def _places(state: Tableau, subject: str) -> Iterator[str]:
    match subject.split():
        case ["machine", number, *_]:
            yield number
        case ["section", number]:
            yield f"section_{number}"
        case ["tile", _, "at", number]:
            yield number
        case ["spy", value]:
            at = [str(n) for n, machine in state.machines.items() if int(value) in machine.spies]
            yield from at or ["spy_column"]
        case [name] | [name, "knowledge"] if name in state.players:
            yield name


# the board


class Lying(NamedTuple):
    """Where machines and sections lie, and what is drawn below and above the workers in these."""

    height: float
    machines: dict[int, Spot]
    sections: dict[int, Spot]
    below: list[Svg]
    above: list[Svg]


def board(state: Tableau, setting: Table) -> Part:
    ground = setting.grounds.get("board")
    on_photo = ground is not None and ground.has(map(str, RING))
    lying = photographed(ground, setting) if ground and on_photo else in_forest(state, setting)
    drawn = list(lying.below)
    for section, (x, y) in lying.sections.items():
        inside = state.sections[section]
        drawn += [
            worker(x + spread(place, len(inside), 14), y, 20, kind)
            for place, kind in enumerate(inside)
        ]
    drawn += lying.above
    if state.turn.hand and state.turn.origin is not None:
        drawn.append(sowing_arrow(state, lying.machines))
    for number, (x, y) in lying.machines.items():
        drawn += [disc(state, number, x, y, setting), tray(state, number, x, y, setting)]
    named = {str(number): Disc(*place, 70) for number, place in lying.machines.items()}
    named |= {f"section_{section}": Disc(*at, 30) for section, at in lying.sections.items()}
    return Part(lying.height + 8, joined(drawn), named)


def photographed(ground: Ground, setting: Table) -> Lying:
    """The club's own board: sections lie on the way to their machines from the middle."""
    height, image, put = ground.drawn(WIDTH)
    machines = {number: put[str(number)] for number in RING}
    mx, my = (sum(place[axis] for place in machines.values()) / 6 for axis in (0, 1))
    ways = {section.id: machines[section.machine] for section in setting.kit.sections}
    sections = {id_: (mx + OUT * (x - mx), my + OUT * (y - my)) for id_, (x, y) in ways.items()}
    return Lying(height, machines, sections, [image], [])


def in_forest(state: Tableau, setting: Table) -> Lying:
    """The drawn board: in its middle the orphanage, and in that the stack of Daydreamer tiles."""
    machines = dict(zip(RING, ring(*CENTRE, REACH, 6, -90), strict=True))
    spots = dict(zip(RING, ring(*CENTRE, SECTIONS, 6, -90), strict=True))
    sections = {section.id: spots[section.machine] for section in setting.kit.sections}
    ways = (machines[section.machine] for section in setting.kit.sections)
    below = [draw("forest"), *(draw("path", x=x, y=y) for x, y in ways), draw("orphanage")]
    for section, (x, y) in sections.items():
        if not state.sections[section]:
            below += [
                draw("accepted", x + shift, y, kind=kind, icon=icon(0, -8, 8, kind, INK))
                for kind, shift in zip(setting.kit.accepts[section], (-13, 13), strict=True)
            ]
    finished = state.built >= len(setting.kit.daydreamer.costs)
    cost = draw("built") if finished else draw("cost", cost=build_cost(state, setting))
    return Lying(BOARD, machines, sections, below, [draw("stack", inside=cost)])


def icon(x: float, y: float, size: float, kind: str, colour: str) -> Svg:
    """Cog, girder, chip or bolt."""
    return draw(kind, x, y, size, colour=colour)


def worker(x: float, y: float, size: float, kind: str) -> Svg:
    """A pawn with its letter."""
    look = {"kind": kind, "colour": COLOURS[kind], "letter_colour": LETTERS[kind]}
    return worded(kind, draw("worker", x, y, size / 20, **look))


def malfunction(x: float, y: float, size: float, name: str, *, strange: bool = False) -> Svg:
    """A square token: type, value and icon; a dashed rim where it was diverted to."""
    kind, unit = name[0], size / 50
    look = {"stroke": INK, "edge": 1.5 / unit, "dashes": None}
    if strange:
        dashes = f"{5 / unit:.2f} {4 / unit:.2f}"
        look = {"stroke": PAPER, "edge": 3.5 / unit, "dashes": dashes}
    look |= {"name": name, "colour": COLOURS[kind], "letter_colour": LETTERS[kind]}
    return draw("token", x, y, unit, icon=icon(0, 15.5, 7, kind, LETTERS[kind]), **look)


def critical_tile(x: float, y: float, kind: str | None, *, up: bool) -> Svg:
    """Grey face down, with its symbol if it is known; red face up."""
    look = {"colour": "#4b4f48", "fill": "#a9ada4", "stroke": INK, "edge": 1.5}
    if up:
        look = {"colour": WHITE, "fill": ALARM, "stroke": WHITE, "edge": 4}
    face = draw(kind or "unknown", colour=look["colour"])
    return worded(kind, draw("tile", x, y, face=face, **look))


def sowing_arrow(state: Tableau, places: dict[int, Spot]) -> Svg:
    """From the machine reached towards the next one."""
    turn = state.turn
    start = places[turn.reached or 1]
    end = places[((turn.reached or 1) - 1 + turn.step) % 6 + 1]
    dx, dy = (end[0] - start[0]) / REACH, (end[1] - start[1]) / REACH
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    tip = (middle[0] + 22 * dx, middle[1] + 22 * dy)
    base = (middle[0] - 12 * dx, middle[1] - 12 * dy)
    wings = [(base[0] - 18 * dy, base[1] + 18 * dx), (base[0] + 18 * dy, base[1] - 18 * dx)]
    return polygon([tip, *wings], fill=EMBER, stroke=INK, stroke_width=2)


def disc(state: Tableau, number: int, x: float, y: float, setting: Table) -> Svg:
    """A machine with its number, its icons and its workers."""
    machine = state.machines[number]
    kinds = zip(setting.kit.icons[number], (-29, 29), strict=True)
    return draw(
        "machine",
        x,
        y,
        number=number,
        alarm=draw("alarm") if machine.up else None,
        icons=[icon(shift, -36, 9, kind, COLOURS[kind]) for kind, shift in kinds],
        warning=draw("warning", -68 if x > CENTRE[0] else 68, 4) if machine.up else None,
        workers=in_rows(machine.workers),
    )


def in_rows(workers: str) -> Iterator[Svg]:
    """The workers on a machine, smaller the more there are."""
    count = len(workers)
    bounds = {2: (28.0, 3), 3: (19.0, 3), 8: (16.0, 4)}
    size, columns = next((look for most, look in bounds.items() if count <= most), (13.0, 5))
    rows = -(-count // columns) or 1
    for place, kind in enumerate(workers):
        row, column = divmod(place, columns)
        left = spread(column, min(columns, count - row * columns), size * 1.6)
        yield worker(left, 14 + spread(row, rows, size * 2.1), size, kind)


def tray(state: Tableau, number: int, x: float, y: float, setting: Table) -> Svg:
    """What lies between the machine and the edge: tile, spy and malfunctions."""
    machine = state.machines[number]
    tokens = in_order(machine.tokens.elements())
    onward = 1
    if number in (1, 4):
        onward = 1 if y > CENTRE[1] else -1
        first, columns = (x, y + onward * (DISC + 30)), 6
        half = 22.0 * min(max(3, len(tokens)), columns)
        tile_at, spy_at = (x - half - 44, first[1]), (x + half + 26, first[1] - 8)
    else:
        first = (WIDTH - 66.0 if x > CENTRE[0] else 66.0, y - 6)
        tile_at, spy_at, columns = (first[0] - 22, y - 58), (first[0] + 34, y - 66), 3
    drawn = [critical_tile(*tile_at, machine.tile, up=machine.up)]
    for place, spy in enumerate(machine.spies):
        cost = "".join(setting.kit.icons[spy])
        figure = draw("spy", spy_at[0], spy_at[1] + 30 * place, value=spy, cost=cost)
        drawn.append(worded(spy, figure))
    bears = setting.kit.numbers.critical_above - len(machine.spies)
    size = 42.0 if len(tokens) <= 2 * columns else 34.0 if len(tokens) <= 3 * columns else 26.0
    columns = columns if size > 26 else columns + 1
    for place, name in enumerate(tokens):
        row, column = divmod(place, columns)
        in_row = min(columns, len(tokens) - row * columns)
        left = first[0] + spread(column, in_row, size + 2)
        top = first[1] + onward * (size + 3) * row
        if place >= bears:
            drawn.append(draw("too_many", left, top, corner=-size / 2 - 3, size=size + 6))
        strange = int(name[1]) != number
        drawn.append(worded(name, malfunction(left, top, size, name, strange=strange)))
    return group(*drawn)


# beside the board


def beside(state: Tableau, setting: Table, speech: Speech) -> Part:
    """Spy column, supply, discard, Daydreamer and counters."""
    numbers, left, pile = setting.kit.numbers, state.supply.count, state.discard_pile
    counts = {
        "critical": (len(state.critical), numbers.critical_machines_lose),
        "spies": (len(state.spies), numbers.spies_lose),
        "built": (state.built, len(setting.kit.daydreamer.costs)),
    }
    said = {
        name: speech.say(f"picture.{name}", count=count, limit=limit)
        for name, (count, limit) in counts.items()
    }
    headings = ("column", "supply", "discard", "daydreamer")
    said |= {name: speech.say(f"picture.{name}") for name in headings}
    drawn = draw(
        "beside",
        cards=spy_column(state),
        left="?" if left is None else left,
        supply_colour=ALARM if left is not None and left < 6 else FOREST,
        top=malfunction(372, 57, 44, pile[-1]) if pile else None,
        discarded=len(pile),
        puzzle=puzzle(state.built),
        **said,
    )
    return Part(100, drawn, {name: Disc(x, 57.0, 34) for name, x in PILES.items()}, 1)


def spy_column(state: Tableau) -> Iterator[Svg]:
    """From the top: the unseen spies, then the returned ones."""
    column = state.column
    cards = [*column.on_top, *("?" for _ in column.unseen), *column.returned]
    for place, card in enumerate(cards):
        yield draw("spy_card", 14 + 41 * place, card=card, fill=GREY if card == "?" else "#3b3f39")


def puzzle(built: int) -> Iterator[Svg]:
    """The Daydreamer, three tiles by two."""
    for place in range(6):
        spot = 440 + 27 * (place % 3), 30 + 27 * (place // 3)
        yield draw("piece", *spot, number=place + 1) if place < built else draw("no_piece", *spot)


# the players


IN_ROW = 8
APART = 52.0
"""Of a player's tokens so many lie in a row, and so far apart that a finger finds each of them."""


def players(state: Tableau, setting: Table, speech: Speech) -> Iterator[Part]:
    return (player_panel(state, seat, setting, speech) for seat in state.seating.seats)


def player_panel(state: Tableau, seat: str, setting: Table, speech: Speech) -> Part:
    player = state.players[seat]
    active = seat == state.active and state.outcome is None
    turn = state.turn if seat == state.active else state.begun.get(seat, Turn())
    used, hand = seat == state.active and turn.ability_used, turn.hand
    tokens = in_order(player.knowledge.elements())
    rows = max(1, -(-len(tokens) // IN_ROW))
    height = 60.0 + 46 * (rows - 1) + (48 if hand else 0)
    character = speech.term(player.character or "not_dealt")
    name = speech.sitting(seat, character)
    shown_name, size = name_in(name, 23, 112 if tokens else 480, 64)
    limit = knowledge_limit(state, setting)
    too_many = len(tokens) > limit
    below = [character] if name != character else []
    below += [speech.say("picture.used")] if used else []
    said = ", ".join(below)
    shown = (
        worded(
            token,
            malfunction(199 + APART * (place % IN_ROW), 30 + 46 * (place // IN_ROW), 42, token),
        )
        for place, token in enumerate(tokens)
    )
    held = (worker(204 + APART * place, 0, 19, kind) for place, kind in enumerate(hand))
    in_hand = draw("hand", 0, height - 28, workers=held, said=speech.say("picture.hand"))
    drawn = draw(
        "player",
        seat=seat,
        height=height - 4,
        edge=5 if active else 1.5,
        colour=SEAT_COLOURS.get(seat, GREY),
        name=shown_name,
        name_line=38 if not below else 28 if size > 18 else 25,
        name_size=size,
        said=said,
        said_size=fitting(said, 15, 126),
        count=f"{len(tokens)} / {limit}",
        count_colour=ALARM if too_many else INK,
        count_weight="bold" if too_many else None,
        tokens=shown,
        hand=in_hand if hand else None,
    )
    panel = Frame(8, 2, WIDTH - 16, height - 4)
    return Part(height + 8, drawn, {seat: panel}, column=1)


# the key


def key(speech: Speech) -> Part:
    """Which letter, colour and icon is which type."""
    drawn = (
        draw(
            "type",
            26 + 178 * place,
            26,
            kind=kind,
            name=speech.term(TYPE_NAMES[kind]),
            colour=COLOURS[kind],
            icon=icon(0, -7, 8, kind, LETTERS[kind]),
        )
        for place, kind in enumerate(TYPES)
    )
    return Part(38, joined(drawn))


def component(word: str, setting: Table, speech: Speech) -> Picture | None:
    """A malfunction token, a worker, or the tile of a critical malfunction."""
    if word in TYPES:
        return Picture(44, 44, worker(22, 22, 20, word))
    if word in get_args(Tile):
        return Picture(64, 48, critical_tile(32, 24, word, up=True))
    if len(word) != 2 or word[0] not in TYPES or not word[1].isdecimal():
        return None
    return Picture(56, 56, malfunction(28, 28, 50, word))
