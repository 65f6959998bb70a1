"""Tables of Benevolent for the random games."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from engines.benevolent import ENGINE
from engines.benevolent.kit import SITES
from tests.playing import crowded

LINES_LIMIT = 400
COLOURS = ("blue", "red", "yellow", "green")
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def table(rng: random.Random, players: int, readings: str = "") -> str:
    colours = rng.sample(COLOURS, players)
    seats = [f"{seat}={colour}" for seat, colour in zip("ABCD", colours, strict=False)]
    return f"table {' '.join(seats)} first {rng.choice('ABCD'[:players])}{readings}"


def segments(rng: random.Random, players: int) -> str:
    laid = rng.sample(("S1", "S2", "S3"), 3 if players == 4 else 2)
    return "forest " + " ".join(segment + rng.choice("AB") for segment in laid)


def own_forest(rng: random.Random, hexes: int) -> str:
    """Any connected shape, as a table would copy it from its real box."""
    cells = [(0, 0)]
    while len(cells) < hexes:
        q, r = rng.choice(cells)
        step_q, step_r = rng.choice(AROUND)
        if (q + step_q, r + step_r) not in cells:
            cells.append((q + step_q, r + step_r))
    words = [
        f"{'abcdefgh'[index // 4]}{index % 4 + 1}@{q},{r}={rng.choice(SITES)}{grey}"
        for index, (q, r) in enumerate(cells)
        for grey in (rng.choice(("", "", "+1", "+2")),)
    ]
    return "forest " + " ".join(words)


def pyramid(rng: random.Random) -> str:
    faces = [rng.choice((tile.ephemeral, tile.permanent)) for tile in TILES]
    rng.shuffle(faces)
    return f"pyramid {' '.join(faces[:4])} / {' '.join(faces[4:7])} / {' '.join(faces[7:])}"


TILES = ENGINE.read_kit(ENGINE.kit_sheet(None)).secrets.tiles


def default_readings(players: int) -> Callable[[random.Random], list[str]]:
    return lambda rng: [table(rng, players), segments(rng, players), pyramid(rng)]


def other_readings(players: int) -> Callable[[random.Random], list[str]]:
    """Every reading at random, and a forest of any shape."""

    def lines(rng: random.Random) -> list[str]:
        chosen = {name: rng.choice([*one.values]) for name, one in ENGINE.readings.items()}
        hexes = {2: 8, 3: 10, 4: 13 if chosen["layout4_overlap"] == "2" else 14}[players]
        said = " readings " + " ".join(f"{name}={value}" for name, value in chosen.items())
        return [table(rng, players, said), own_forest(rng, hexes), pyramid(rng)]

    return lines


def crowd(position: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Everybody stands where one of them does, and some have just begun."""
    players = position["players"]
    there = players[rng.choice([*players])]["forest"]
    moved = {}
    for seat, player in players.items():
        steps = there[: rng.randrange(len(there) + 1)]
        moved[seat] = {**player, "forest": steps, "card": 4 - len(steps)}
    return {"players": moved, "phase": "move", "arrival": None, "open_repeats": [], "done": []}


SETUPS = {
    "two players": default_readings(2),
    "three players": default_readings(3),
    "four players": default_readings(4),
    "two players, other readings": other_readings(2),
    "three players, other readings": other_readings(3),
    "four players, other readings": other_readings(4),
    "four players, crowded": crowded("benevolent", default_readings(4), 60, crowd),
}
