"""Tables of Roundforest for random games."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.playing import crowded

GOES_OVER = dict.fromkeys(("move", "pause"), ("turn",))
"""Whoever does this, due or not, has the turn: what others had still to decide is forgone, but
for what comes later."""
LINES_LIMIT = 400

_COLOURS = ("red", "blue", "green", "yellow")
_CORNERS = {2: ("a1", "a5", "e5", "e1"), 3: ("a1", "a6", "f6", "f1")}
_WELLS = {2: ("b2", "b4", "d4", "d2"), 3: ("b2", "b5", "e5", "e2")}
_CHIPS = ["blue"] * 24 + ["yellow"] * 16 + ["red"] * 12
_TWICE = ("anvil", "barrel", "stone", "saddle", "chest", "key")
_THRICE = ("cross", "sword", "potion", "silver_token")
_ONCE = ("helmet", "horseshoe", "hat", "cheese", "kettle", "jug", "spoon", "mortar", "mushroom")
_OBJECTS = [*_TWICE * 2, *_THRICE * 3, *_ONCE, "bottle", "boots", *["copper_token"] * 4]


def _table(players: int, rng: random.Random, options: str = "") -> list[str]:
    size = min(players, 3)
    side = 6 if size == 3 else 5
    corners, wells = _CORNERS[size], _WELLS[size]
    cells = [f"{column}{row}" for row in range(1, side + 1) for column in "abcdef"[:side]]
    cells = [cell for cell in cells if cell not in corners]
    seats = "ABCD"[:players]
    places = " ".join(
        f"{seat}={colour}@{corner}"
        for seat, colour, corner in zip(
            seats, rng.sample(_COLOURS, players), rng.sample(corners, players), strict=True
        )
    )
    lines = [f"table {places} first {rng.choice(seats)} {options}".strip()]
    plain = rng.sample([f"F{number:02}" for number in range(1, 29)], len(cells) - 4)
    water = rng.sample(["W1", "W2", "W3", "W4"], 4)
    for cell in rng.sample(cells, len(cells)):
        tile = water.pop() if cell in wells else plain.pop()
        lines.append(f"tile {cell} {tile} {rng.choice('nesw')}")
    chips = rng.sample(_CHIPS, len(_CHIPS))
    lines += [f"chip {cell} {chips.pop()}" for cell in cells if cell not in wells]
    hard = "hard" in options.split()
    objects = [thing for thing in _OBJECTS if not (hard and thing == "silver_token")]
    rng.shuffle(objects)
    for row in ("bottom", "middle", "top"):
        lines.append(f"fairy {row} " + " ".join(objects.pop() for _ in range(3)))
    return lines


def supply(engine: Any, setting: Any, state: Any, rng: random.Random) -> str:
    """The refill of the fairy board, which no option lists."""
    bag, beside = list(state.bags.blue.elements()), list(state.bags.beside)
    tokens = rng.sample(bag, min(3, len(bag)))
    if setting.reading("fairy_short") == "use_aside":
        tokens += rng.sample(beside, min(3 - len(tokens), len(beside)))
    return "fairy top " + " ".join(tokens)


def hasten(position: dict[str, Any]) -> dict[str, Any]:
    """Everybody has what the spirit asks for."""
    return {"players": {seat: {"apples": 3, "debts": []} for seat in position["players"]}}


def crowd(position: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Whoever is out in the forest stands where others stand, and is rich."""
    players = position["players"]
    cells = sorted({player["pos"] for player in players.values()} - {"pack"})
    few = rng.sample(cells, min(2, len(cells)))
    return {
        "players": {
            seat: player
            if player["pos"] == "pack"
            else {**player, "pos": rng.choice(few), "copper": 3, "apples": rng.randrange(3)}
            for seat, player in players.items()
        }
    }


SETUPS: dict[str, Callable[[random.Random], list[str]]] = {
    "two players": partial(_table, 2),
    "two players, blocking": partial(_table, 2, options="blocking"),
    "three players, hard, blocking": partial(_table, 3, options="hard blocking"),
    "three players": partial(_table, 3),
    "four players": partial(_table, 4),
    "four players, blocking": partial(_table, 4, options="blocking"),
    "two players, other readings": partial(
        _table,
        2,
        options="hard blocking readings compass_scope=each_symbol garnish_wells=yes "
        "garnish_over_chip=replace coin_later=own_turn full_pack=swap_on_tile "
        "fairy_short=use_aside spirit_card=stays spirit_timing=end_of_turn "
        "own_left_object=others_only saddle_order=after block_gaps=with_edge "
        "yellow_nowhere=own_tile unicorn_same_tile=yes apple_for_other=yes prince_must=no",
    ),
    "four players, crowded": crowded(
        "roundforest", partial(_table, 4, options="blocking"), 100, crowd
    ),
}
