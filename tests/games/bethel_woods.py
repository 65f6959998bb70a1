"""Tables of Bethel Woods for the random games."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tests.playing import crowded

LINES_LIMIT = 400

CHARACTERS = ("nova", "harris", "junas", "linny", "violet", "fenn")
ADDED_SPIES = {"normal": (0,), "hard": (1, 2), "insane": (3, 4), "impossible": (5,)}
OTHER_READINGS = {
    "orphanage_access": "instead_of_next",
    "sow_origin": "skip",
    "critical_threshold": "two_with_spy",
    "flip_back": "optional",
    "flip_back_limit": "literal_3",
    "divert_direction": "counterclockwise",
    "spy_trigger": "any_token_on_critical",
    "spy_chain": "yes",
    "four_critical_check": "after_placement",
    "supply_loss": "cannot_draw",
    "nova_swap": "section_types",
    "junas_type": "as_each_other",
    "linny_value": "machine",
    "ability_timing": "outside_sowing",
    "harris_reach": "adjacent",
    "harris_counts_as_last": "yes",
    "fix_window": "strict",
    "fix_uncover_order": "fix_first",
}


def set_up(rng: random.Random, players: int, level: str, options: str = "") -> list[str]:
    """Opening, characters, added spies and six malfunctions, as the box might give them."""
    seats = "ABCDEF"[:players]
    spies = rng.sample(range(1, 7), rng.choice(ADDED_SPIES[level]))
    opening = f"table {' '.join(seats)} first {rng.choice(seats)} level {level} spies {len(spies)}"
    characters = rng.sample(CHARACTERS, players)
    deal = [f"{seat} char {name}" for seat, name in zip(seats, characters, strict=True)]
    return [
        opening + options,
        "; ".join([*deal, *(f"spy {spy}" for spy in spies), *_draws(rng, spies)]),
    ]


def _draws(rng: random.Random, spies: list[int]) -> list[str]:
    """Six tokens that need not be put back, even if no rule would put them back."""
    supply = [f"{kind}{value}" for kind in "MSDE" for value in range(1, 7)] * 3
    room = {machine: 1 if machine in spies else 3 for machine in range(1, 7)}
    draws: list[str] = []
    while len(draws) < 6:
        token = supply.pop(rng.randrange(len(supply)))
        if room[int(token[1])] > 0:
            room[int(token[1])] -= 1
            draws.append(f"draw {token}")
    return draws


def plain(players: int, level: str) -> Callable[[random.Random], list[str]]:
    return lambda rng: set_up(rng, players, level)


def read_otherwise(rng: random.Random) -> list[str]:
    """Every second reading, at random, is not the default one."""
    chosen = [f"{name}={value}" for name, value in OTHER_READINGS.items() if rng.random() < 0.5]
    chosen.append(f"divert_scope={rng.choice(['own_first', 'always_shift', 'from_tile'])}")
    return set_up(rng, rng.choice((2, 3, 4)), "normal", " readings " + " ".join(chosen))


def six_seats(rng: random.Random) -> list[str]:
    return set_up(rng, 6, "normal", " readings players_allowed=1-6")


def alone(rng: random.Random) -> list[str]:
    return set_up(rng, 1, "normal", " readings players_allowed=1-6")


def crowd(position: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """All workers stand at two machines."""
    machines = position["machines"]
    workers = "".join(there["workers"] for there in machines.values())
    few = rng.sample([*machines], 2)
    cut = rng.randrange(len(workers) + 1)
    standing = dict(zip(few, (workers[:cut], workers[cut:]), strict=True))
    return {
        "machines": {
            number: {**there, "workers": standing.get(number, "")}
            for number, there in machines.items()
        }
    }


SETUPS: dict[str, Callable[[random.Random], list[str]]] = {
    **{
        f"{players} players, {level}": plain(players, level)
        for players in (2, 3, 4)
        for level in ADDED_SPIES
    },
    "read otherwise": read_otherwise,
    "six players": six_seats,
    "one player": alone,
    "four players, crowded": crowded("bethel_woods", plain(4, "hard"), 60, crowd),
}
