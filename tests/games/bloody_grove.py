"""Tables of Bloody Grove for the random games."""

from __future__ import annotations

import random
from collections.abc import Callable

from engines.bloody_grove import ENGINE
from engines.bloody_grove.kit import Box
from tests.playing import crowded

LINES_LIMIT = 220

KIT: Box = ENGINE.read_kit(ENGINE.kit_sheet(None))

OTHER_READINGS = {
    "alternate turns, heap": "turn_order=alternate token_tracking=heap symbol_order=ruse_first",
    "every symbol works": "transform_symbols=yes bottom_card_symbols=active card_rotation=yes"
    " ruse_tokens=discard symbol_order=arcane_first early_win=after_venerable",
    "strict table": "recruit_to_top=no elite_refill=end_of_turn token_discard=grove"
    " ruse_venerables=no venerable_effects=printed_order column_domination=uncovered",
    "loose table": "recruit_duty=no arcane_reshuffle=on_need r1_counts=faces",
}


def set_up(rng: random.Random, readings: str = "") -> list[str]:
    """Everything observed before the first decision, at random and in a random order."""
    druids = rng.sample(("black", "green"), 2)
    opening = f"table A={druids[0]} B={druids[1]}"
    observed = [f"groves {' '.join(rng.sample(KIT.animals, 3))}"]
    for animal in KIT.animals:
        faces = [elite.id for elite in KIT.elites if elite.animal == animal]
        observed.append(f"elite {rng.choice(faces)}")
    plain = [card.id for card in KIT.venerables if card.back == "plain"]
    observed.append(f"venerables {' '.join(rng.sample(plain, KIT.shown_venerables))}")
    if rng.random() < 0.5:
        opening += f" first {rng.choice('AB')}"
    else:
        observed.append(f"first {rng.choice('AB')}")
    observed += [f"{seat} draw {KIT.hand_draw}" for seat in "AB"]
    rng.shuffle(observed)
    heap = "token_tracking=heap" in readings
    labels = ["any", "any"] if heap else rng.sample([f"t{n}" for n in range(1, 13)], 2)
    looks = [f"{seat} look {label}" for seat, label in zip("AB", labels, strict=True)]
    return [f"{opening} readings {readings}" if readings else opening, *observed, *looks]


def at_a_table_reading(readings: str) -> Callable[[random.Random], list[str]]:
    return lambda rng: set_up(rng, readings)


SETUPS: dict[str, Callable[[random.Random], list[str]]] = {
    "two seats": set_up,
    **{name: at_a_table_reading(readings) for name, readings in OTHER_READINGS.items()},
    "late and crowded": crowded("bloody_grove", set_up, 90, lambda position, rng: {}),
}
