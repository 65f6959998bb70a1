"""Tables of the tutorial game for the random games."""

from __future__ import annotations

import random

LINES_LIMIT = 40


def two_seats(rng: random.Random) -> list[str]:
    return [f"table A B first {rng.choice('AB')}"]


def misere(rng: random.Random) -> list[str]:
    return [f"table A B first {rng.choice('AB')} readings last_pebble=loses"]


SETUPS = {"two seats": two_seats, "misere": misere}
