"""The table as a picture: the board, what lies beside it, and the players."""

from __future__ import annotations

from collections.abc import Iterator

from engines.bethel_woods import symbols
from engines.bethel_woods.actions import Position
from engines.bethel_woods.describe import Table, headline
from engines.bethel_woods.kit import RING, TYPE_NAMES, TYPES, in_order
from engines.bethel_woods.rules.building import build_cost
from engines.bethel_woods.rules.knowledge import knowledge_limit
from engines.bethel_woods.state import Tableau, Turn
from engines.bethel_woods.symbols import ALARM
from engines.kernel import Action, Audit, Speech
from engines.kernel.picture.ground import Ground
from engines.kernel.picture.layout import WIDTH, Disc, Frame, Part, Pen, Sheet
from engines.kernel.picture.svg import (
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
)

BOARD = 700.0
CENTRE = (360.0, 350.0)
REACH = 188.0
DISC = 62.0
HEXAGON = 104.0
FOREST = "#27432f"
MOSS = "#dfe6cf"
EMBER = "#ff8c00"
"""Stands out against the dark forest."""
PEN = Pen(EMBER, 6)


def picture(state: Tableau, setting: Table, speech: Speech, last: Action | None) -> Sheet:
    parts = [
        title(state, speech),
        board(state, setting),
        beside(state, setting, speech),
        *players(state, setting, speech),
        key(speech),
    ]
    return Sheet(parts, touched(state, last), PEN, margin=6)


def title(state: Tableau, speech: Speech) -> Part:
    said = headline(state, speech)
    line = said[:1].upper() + said[1:]
    size = min(26.0, (WIDTH - 24) / (0.56 * len(line)))
    return Part(42, text(14, 28, line, size, anchor="start", font_weight="bold", fill=INK))


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


def board(state: Tableau, setting: Table) -> Part:
    ground = setting.grounds.get("board")
    if ground is not None and ground.has(map(str, RING)):
        return on_photo(state, setting, ground)
    corners = ring(*CENTRE, REACH, 6, -90)
    places = dict(zip(RING, corners, strict=True))
    sections = dict(zip(RING, ring(*CENTRE, HEXAGON * 0.62, 6, -90), strict=True))
    linked = {section.id: section.machine for section in setting.kit.sections}
    drawn = [
        el("rect", x=4, y=0, width=WIDTH - 8, height=BOARD, rx=18, fill=FOREST),
        polygon(corners, fill="none", stroke=MOSS, stroke_width=3, stroke_dasharray="3 9"),
        *(path(CENTRE, places[machine]) for machine in linked.values()),
        orphanage(state, setting, {s: sections[machine] for s, machine in linked.items()}),
    ]
    if state.turn.hand and state.turn.origin is not None:
        drawn.append(sowing_arrow(state, places))
    for number, (x, y) in places.items():
        drawn += [disc(state, number, x, y, setting), tray(state, number, x, y, setting)]
    named = {str(number): Disc(*place, 70) for number, place in places.items()}
    named |= {f"section_{s}": Disc(*sections[machine], 30) for s, machine in linked.items()}
    return Part(BOARD + 8, joined(drawn), named)


def on_photo(state: Tableau, setting: Table, ground: Ground) -> Part:
    """The club's own board, with what lies on it: machines and sections are on the photograph."""
    height, image, put = ground.drawn(WIDTH)
    places = {number: put[str(number)] for number in RING}
    middle = sum(x for x, _ in places.values()) / 6, sum(y for _, y in places.values()) / 6
    sections = {
        section.id: _towards(middle, places[section.machine]) for section in setting.kit.sections
    }
    drawn = [image]
    if state.turn.hand and state.turn.origin is not None:
        drawn.append(sowing_arrow(state, places))
    for section, (x, y) in sections.items():
        inside = state.sections[section]
        drawn += [
            worded(worker, symbols.worker(x + spread(place, len(inside), 14), y, 20, worker))
            for place, worker in enumerate(inside)
        ]
    for number, (x, y) in places.items():
        drawn += [disc(state, number, x, y, setting), tray(state, number, x, y, setting)]
    named = {str(number): Disc(*place, 70) for number, place in places.items()}
    named |= {f"section_{section}": Disc(*place, 30) for section, place in sections.items()}
    return Part(height + 8, joined(drawn), named)


def _towards(middle: Spot, machine: Spot) -> Spot:
    """Where the section of a machine lies: on the way to it from the middle."""
    (x1, y1), (x2, y2) = middle, machine
    return x1 + 0.34 * (x2 - x1), y1 + 0.34 * (y2 - y1)


def path(start: Spot, end: Spot) -> Svg:
    line = f"M{start[0]:.1f},{start[1]:.1f}L{end[0]:.1f},{end[1]:.1f}"
    return el("path", d=line, stroke="#b9a77c", stroke_width=14)


def orphanage(state: Tableau, setting: Table, places: dict[int, Spot]) -> Svg:
    """Six sections with their workers, round the stack of Daydreamer tiles."""
    corners = ring(*CENTRE, HEXAGON, 6, -120)
    drawn = [polygon(corners, fill="#cdbf9b", stroke=INK, stroke_width=3)]
    drawn += [path_line(CENTRE, corner) for corner in corners]
    for section, (x, y) in places.items():
        inside = state.sections[section]
        for place, worker in enumerate(inside):
            shift = spread(place, len(inside), 14)
            drawn.append(worded(worker, symbols.worker(x + shift, y, 20, worker)))
        if not inside:
            for kind, shift in zip(setting.kit.accepts[section], (-13, 13), strict=True):
                drawn.append(symbols.icon(x + shift, y - 8, 8, kind, INK))
                drawn.append(text(x + shift, y + 16, kind, 17, font_weight="bold", fill=INK))
    finished = state.built >= len(setting.kit.daydreamer.costs)
    drawn += [
        el("circle", cx=CENTRE[0], cy=CENTRE[1], r=33.0, fill=PAPER, stroke=INK, stroke_width=3),
        tick(*CENTRE)
        if finished
        else text(CENTRE[0], CENTRE[1] + 14, build_cost(state, setting), 40, font_weight="bold"),
    ]
    return group(*drawn)


def path_line(start: Spot, end: Spot) -> Svg:
    line = f"M{start[0]:.1f},{start[1]:.1f}L{end[0]:.1f},{end[1]:.1f}"
    return el("path", d=line, stroke=INK, stroke_width=1.5)


def tick(x: float, y: float) -> Svg:
    line = f"M{x - 16:.1f},{y:.1f}L{x - 4:.1f},{y + 13:.1f}L{x + 17:.1f},{y - 13:.1f}"
    return el("path", d=line, fill="none", stroke=INK, stroke_width=8)


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
    drawn = []
    if machine.up:
        drawn.append(el("circle", cx=x, cy=y, r=DISC + 8, fill=ALARM, stroke=PAPER, stroke_width=3))
    drawn.append(el("circle", cx=x, cy=y, r=DISC, fill=MOSS, stroke=INK, stroke_width=3))
    drawn.append(text(x, y - 31, number, 32, font_weight="bold", fill=INK))
    for kind, shift in zip(setting.kit.icons[number], (-29, 29), strict=True):
        drawn.append(symbols.icon(x + shift, y - 36, 9, kind, symbols.COLOURS[kind]))
    if machine.up:
        drawn.append(warning(x - 68 if x > CENTRE[0] else x + 68, y + 4))
    count = len(machine.workers)
    size, columns = (
        (28.0, 3)
        if count < 3
        else (19.0, 3)
        if count <= 3
        else (16.0, 4)
        if count <= 8
        else (13.0, 5)
    )
    rows = -(-count // columns) or 1
    for place, worker in enumerate(machine.workers):
        row, column = divmod(place, columns)
        in_row = min(columns, count - row * columns)
        left = x + spread(column, in_row, size * 1.6)
        top = y + 14 + spread(row, rows, size * 2.1)
        drawn.append(worded(worker, symbols.worker(left, top, size, worker)))
    return worded(number, *drawn)


def warning(x: float, y: float) -> Svg:
    """The sign of a critical machine, beside its colour."""
    return group(
        polygon(ring(x, y, 21, 3, -90), fill=WHITE, stroke=ALARM, stroke_width=4),
        text(x, y + 9, "!", 24, font_weight="bold", fill=ALARM),
    )


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
    drawn = [worded(machine.tile, symbols.tile(*tile_at, machine.tile, up=machine.up))]
    for place, spy in enumerate(machine.spies):
        cost = setting.kit.icons[spy]
        figure = symbols.spy(spy_at[0], spy_at[1] + 30 * place, 22, spy, cost)
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
            bar = {"x": left - size / 2 - 3, "y": top - size / 2 - 3}
            drawn.append(el("rect", **bar, width=size + 6, height=size + 6, fill=ALARM))
        strange = int(name[1]) != number
        drawn.append(worded(name, symbols.token(left, top, size, name, strange=strange)))
    return group(*drawn)


# beside the board


def beside(state: Tableau, setting: Table, speech: Speech) -> Part:
    """Spy column, supply, discard, Daydreamer and counters."""
    numbers, costs = setting.kit.numbers, setting.kit.daydreamer.costs
    drawn = [
        text(14, 22, speech.say("picture.column"), 19, anchor="start", fill=INK),
        *spy_column(state),
        *supply(state, speech),
        *discard(state, speech),
        text(480, 22, speech.say("picture.daydreamer"), 19, fill=INK),
        *puzzle(state.built),
    ]
    counts = (
        ("critical", len(state.critical), numbers.critical_machines_lose),
        ("spies", len(state.spies), numbers.spies_lose),
        ("built", state.built, len(costs)),
    )
    for row, (word, count, limit) in enumerate(counts):
        line = speech.say(f"picture.{word}", count=count, limit=limit)
        drawn.append(text(WIDTH - 10, 28 + 26 * row, line, 19, anchor="end", fill=INK))
    piles = {"spy_column": 53.0, "supply": 296.0, "discard_pile": 372.0}
    return Part(100, joined(drawn), {name: Disc(x, 57.0, 34) for name, x in piles.items()}, 1)


def spy_column(state: Tableau) -> Iterator[Svg]:
    """From the top: the unseen spies, then the returned ones."""
    column = state.column
    cards = [*column.on_top, *("?" for _ in column.unseen), *column.returned]
    for place, card in enumerate(cards):
        x = 14.0 + 41 * place
        look = {"fill": GREY if card == "?" else "#3b3f39", "stroke": INK}
        yield el("rect", x=x, y=32.0, width=37.0, height=50.0, rx=4, **look)
        yield text(x + 18.5, 66, card, 26, font_weight="bold", fill=WHITE)


def supply(state: Tableau, speech: Speech) -> Iterator[Svg]:
    count = state.supply.count
    few = count is not None and count < 6
    shown = "?" if count is None else count
    yield el("rect", x=270.0, y=32.0, width=52.0, height=50.0, rx=6, fill=ALARM if few else FOREST)
    yield text(296, 67, shown, 28, font_weight="bold", fill=WHITE)
    yield text(296, 22, speech.say("picture.supply"), 19, fill=INK)


def discard(state: Tableau, speech: Speech) -> Iterator[Svg]:
    pile = state.discard_pile
    yield text(384, 22, speech.say("picture.discard"), 19, fill=INK)
    if pile:
        yield symbols.token(372, 57, 44, pile[-1])
    yield text(399, 66, len(pile), 24, anchor="start", fill=INK)


def puzzle(built: int) -> Iterator[Svg]:
    """The Daydreamer, three tiles by two."""
    for place in range(6):
        row, column = divmod(place, 3)
        done = place < built
        look = {"fill": "#8a6d1f" if done else "none", "stroke": INK, "stroke_width": 2}
        yield el("rect", x=440.0 + 27 * column, y=30.0 + 27 * row, width=25.0, height=25.0, **look)
        if done:
            number = {"font_weight": "bold", "fill": WHITE}
            yield text(452.5 + 27 * column, 49 + 27 * row, place + 1, 19, **number)


# the players


def players(state: Tableau, setting: Table, speech: Speech) -> Iterator[Part]:
    return (player_panel(state, seat, setting, speech) for seat in state.seating.seats)


def player_panel(state: Tableau, seat: str, setting: Table, speech: Speech) -> Part:
    player = state.players[seat]
    active = seat == state.active and state.outcome is None
    turn = state.turn if seat == state.active else state.begun.get(seat, Turn())
    used, hand = seat == state.active and turn.ability_used, turn.hand
    tokens = in_order(player.knowledge.elements())
    rows = max(1, -(-len(tokens) // 10))
    height = 60.0 + 40 * (rows - 1) + (48 if hand else 0)
    character = speech.term(player.character or "not_dealt")
    name = speech.sitting(seat, character, 10)
    limit = knowledge_limit(state, setting)
    count = f"{len(tokens)} / {limit}"
    over = {"fill": ALARM, "font_weight": "bold"} if len(tokens) > limit else {"fill": INK}
    below = [character] if name != character else []
    below += [speech.say("picture.used")] if used else []
    said = ", ".join(below)
    drawn = [
        el(
            "rect",
            x=8,
            y=2,
            width=WIDTH - 16,
            height=height - 4,
            rx=10,
            fill="#f1ecd9",
            stroke=INK,
            stroke_width=5 if active else 1.5,
        ),
        el("circle", cx=36.0, cy=30.0, r=19.0, fill=SEAT_COLOURS.get(seat, GREY)),
        text(36, 38, seat, 23, font_weight="bold", fill=WHITE),
        text(
            64,
            28 if below else 38,
            name,
            fitting(name, 23, 108),
            anchor="start",
            font_weight="bold",
            fill=INK,
        ),
        text(64, 48, said, fitting(said, 15, 126), anchor="start", fill=INK),
        text(WIDTH - 18, 39, count, 24, anchor="end", **over),
    ]
    for place, token in enumerate(tokens):
        row, column = divmod(place, 10)
        shown = symbols.token(196 + 43.0 * column, 30 + 40.0 * row, 37, token)
        drawn.append(worded(token, shown))
    for place, worker in enumerate(hand):
        drawn.append(worded(worker, symbols.worker(204 + 43.0 * place, height - 28, 19, worker)))
    if hand:
        drawn.append(
            text(64, height - 20, speech.say("picture.hand"), 21, anchor="start", fill=INK)
        )
    panel = Frame(8, 2, WIDTH - 16, height - 4)
    return Part(height + 8, worded(seat, *drawn), {seat: panel}, column=1)


# the key


def key(speech: Speech) -> Part:
    names = [speech.term(TYPE_NAMES[kind]) for kind in TYPES]
    return Part(38, symbols.legend(26, 26, names))


def component(word: str, setting: Table, speech: Speech) -> Picture | None:
    """A malfunction token."""
    if len(word) != 2 or word[0] not in TYPES or not word[1].isdigit():
        return None
    return Picture(56, 56, symbols.token(28, 28, 50, word))
