"""How tables of Broom Service are set up at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from engines.broom_service import ENGINE
from tests.playing import crowded

LINES_LIMIT = 1500

KIT = ENGINE.read_kit(ENGINE.kit_sheet(None))
COLOURS = ("red", "blue", "green", "yellow", "white")
LAND = sorted(
    name
    for name, region in KIT.side("front").regions.items()
    if region.terrain != "water" and name in KIT.side("back").regions
)
"""Regions of both sides on which a pawn can stand."""


def opening(
    players: int, side: str, rng: random.Random, *variants: str, removed: int = 0, tail: str = ""
) -> str:
    seats = "ABCDE"[:players]
    sitting = " ".join(f"{seat}={colour}" for seat, colour in zip(seats, COLOURS, strict=False))
    line = f"table {sitting} first {rng.choice(seats)} side {side}"
    if variants:
        line += f" variants {' '.join(variants)}"
    if removed:
        line += f" removed {removed}"
    return f"{line} {tail}".strip()


def board(side: str, rng: random.Random, *variants: str, removed: int = 0) -> list[str]:
    """Clouds and landscape tiles laid at random."""
    printed = KIT.side(side)
    heavy = [name for name, cloud in KIT.clouds.heavy.items() for _ in range(cloud.count)]
    rng.shuffle(heavy)
    pile = heavy[removed:]
    if "storm" in variants:
        pile += [name for name, cloud in KIT.clouds.storm.items() for _ in range(cloud.count)]
    rng.shuffle(pile)
    lines = [f"cloud {space} {pile.pop()}" for space in printed.cloud_spaces]
    used = ("mountain", "forest", "hill") if side == "back" else variants
    for terrain, spaces in printed.tile_spaces.items():
        if terrain in used:
            supply = getattr(KIT.tiles, terrain)
            tiles = [tile for tile, count in supply.items() for _ in range(count)]
            rng.shuffle(tiles)
            lines += [f"tile {region} {tiles.pop()}" for region in spaces]
    rng.shuffle(lines)
    return lines


def table(
    players: int, side: str, *variants: str, removed: int = 0, tail: str = ""
) -> Callable[[random.Random], list[str]]:
    def set_up(rng: random.Random) -> list[str]:
        first = opening(players, side, rng, *variants, removed=removed, tail=tail)
        return [first, *board(side, rng, *variants, removed=removed)]

    return set_up


def crowd(position: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """All pawns are in a few regions, and everybody has something to spend."""
    players, few = position["players"], rng.sample(LAND, 3)
    rich = {seat: {kind: rng.randrange(4) for kind in "gopw"} for seat in players}
    return {
        "players": {
            seat: {**player, **rich[seat], "at": rng.choices(few, k=2)}
            for seat, player in players.items()
        }
    }


SETUPS: dict[str, Callable[[random.Random], list[str]]] = {
    "two, front": table(2, "front"),
    "three, front": table(3, "front"),
    "four, front": table(4, "front"),
    "five, front": table(5, "front"),
    "two, back": table(2, "back"),
    "five, back": table(5, "back"),
    "three, storm": table(3, "front", "storm", removed=14),
    "four, mountain": table(4, "front", "mountain"),
    "three, storm and mountain": table(3, "front", "storm", "mountain", removed=6),
    "four, back with storm": table(4, "back", "storm", removed=13),
    "two, back with storm, other readings": table(
        2,
        "back",
        "storm",
        removed=13,
        tail="readings water_crossing=chain reach_over_water=moves_only cursed_refill=all_ten "
        "dead_lead=skip partial_gather=no rank_ties=dense plusone_timing=with_choice "
        "plusone_over_five=no courage_excludes_event=no square_limit=per_card "
        "partial_mountain=no turbo_blocked=move_illegal turbo_triggers=no "
        "forest_tile_from=next_round event_if_impossible=no round_starter=last_brave",
    ),
    "four, crowded": crowded("broom_service", table(4, "back"), 450, crowd),
    "five, crowded": crowded("broom_service", table(5, "front"), 450, crowd),
}
FROM_THE_START = [setup for setup in SETUPS if "crowded" not in setup]
