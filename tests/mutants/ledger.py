"""What is known about mutants: which were looked at and cannot matter, and how many may be left.

No list of survivors is kept: it would be longer than the rules. What nobody notices is printed
whenever it is met, and its share among the bent effects may only become smaller.
"""

from __future__ import annotations

import tomllib
from math import comb
from pathlib import Path

HERE = Path(__file__).parent
MOST_UNNOTICED: dict[str, float] = {}
"""The share of bent effects of a game that nobody notices. Every other game may have none."""


def reviewed(name: str) -> dict[str, str]:
    """Mutants of a game, or of an area of the program, that change nothing; and why."""
    found: dict[str, dict[str, str]] = tomllib.loads((HERE / "reviewed.toml").read_text("utf-8"))
    return found.get(name, {})


def named() -> set[str]:
    """The games and areas of which the list speaks."""
    return set(tomllib.loads((HERE / "reviewed.toml").read_text("utf-8")))


def too_many(game: str, unnoticed: int, tried: int) -> bool:
    """Whether a sample has more survivors than the share allows, beyond what chance explains: so
    many or more would be met in fewer than one of 200 samples."""
    most = MOST_UNNOTICED.get(game, 0.0)
    fewer = sum(comb(tried, n) * most**n * (1 - most) ** (tried - n) for n in range(unnoticed))
    return unnoticed > 0 and 1 - fewer < 1 / 200
