"""How many taps a line takes: counted with the script of the page itself, by Node.js."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import dist
from pathlib import Path

NODE = shutil.which("node")
COUNTING = Path(__file__).parents[1] / "js" / "count_taps.js"


def strokes(lines: Sequence[str], spots: Mapping[str, tuple[float, float]]) -> list[list[str]]:
    """The lines that lay one thing on places beside each other: a finger draws them in one go, and
    meets no other place on its way."""
    places = [spots[line.split()[1]] for line in lines]
    near = 1.2 * min((dist(one, other) for one, other in combinations(places, 2)), default=0)
    drawn: list[list[str]] = []
    for line, spot in zip(lines, places, strict=True):
        thing = line.split()[2]
        beside = [
            stroke
            for stroke in drawn
            if stroke[0].split()[2] == thing
            and any(dist(spot, spots[each.split()[1]]) <= near for each in stroke)
        ]
        drawn = [stroke for stroke in drawn if stroke not in beside]
        drawn.append([each for stroke in beside for each in stroke] + [line])
    return drawn


def taps_needed(cases: Iterable[tuple[Sequence[str], str]]) -> list[int]:
    """For each list of lines and one of them: the taps it takes, with the one that logs
    it."""
    if NODE is None:
        raise FileNotFoundError("counting taps needs Node.js 20 or newer")
    said = json.dumps([*cases])
    ran = subprocess.run([NODE, COUNTING], input=said, capture_output=True, text=True, check=True)
    counts: list[int] = json.loads(ran.stdout)
    return counts
