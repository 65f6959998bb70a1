"""The page of the numbers, ``docs/perft.md``: ``python -m tests.perft`` writes it anew."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from tests.perft.counting import POSITIONS, Position, counted

PAGE = Path(__file__).parents[2] / "docs" / "perft.md"

ABOUT = """\
# Perft

Chess programs prove their move generators with *perft*: the number of lines of legal moves from a
known position to a known depth. Here is the same for every game: how many different ways there are
to go on for one action, for two, and so on. `python -m tests.perft` counts again and writes this
page; a test holds it to what is written here.

- A position is what its lines lead to. Actions are those that `options` lists: where somebody must
  state what chance brought, and no list can be given, nothing goes on.
- The end of a turn is spoken (a reading of every game). Under silence others might go on before it.
- A second implementation gives the same numbers, as far as they are set *in italics*: the naive
  models of `tests/models`, written from the rules alone, try every line that anybody could think
  of, made of the words that stand in each place of any line. To say what changes nothing (an end,
  where all has ended by itself) is legal there, and no way to go on.
"""


def page() -> str:
    parts = [ABOUT]
    for game, positions in groupby(POSITIONS, key=lambda position: position.game):
        parts.append(f"## {game.replace('_', ' ').title()}\n")
        parts += map(told, positions)
    return "\n".join(parts)


def told(position: Position) -> str:
    depths = range(1, position.depth + 1)
    numbers = (
        f"*{counted(position, depth):,}*"
        if depth <= position.naive_depth
        else f"{counted(position, depth):,}"
        for depth in depths
    )
    return "\n".join(
        [
            f"### {position.name.capitalize()}\n",
            f"| actions | {' | '.join(map(str, depths))} |",
            f"|---|{'---:|' * position.depth}",
            f"| ways | {' | '.join(numbers)} |\n",
            "```text",
            position.lines.strip(),
            "```\n",
        ]
    )
