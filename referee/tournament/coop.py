"""Cooperative games: the same deal for every table, and results compared measure by measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from referee.tournament.chance import Dice
from referee.tournament.events import Deal, LadderScoring
from referee.tournament.points import HALF

if TYPE_CHECKING:
    from referee.tournament.sheet import Line


def shuffled_deal(name: str, game: str, piles: Mapping[str, Sequence[str]], seed: int) -> Deal:
    """A deal shuffled by a seed. The order in which the items are given does not matter."""
    dice = Dice(seed)
    return Deal(
        name=name,
        game=game,
        piles={pile: tuple(dice.shuffled(sorted(piles[pile]))) for pile in sorted(piles)},
        seed=seed,
    )


class Drawn(NamedTuple):
    """A draw as a table logged it: the number of the action, the pile, the item."""

    action: int
    pile: str
    item: str


class Deviation(NamedTuple):
    """A draw that is not the one the deal fixes; nothing expected: the pile was empty."""

    action: int
    pile: str
    position: int
    drawn: str
    expected: str | None


def deviations(deal: Deal, draws: Iterable[Drawn]) -> list[Deviation]:
    """Where a table departed from the deal. Piles are followed each on its own."""
    taken: dict[str, int] = {}
    found = []
    for action, pile, item in draws:
        position = taken.get(pile, 0)
        taken[pile] = position + 1
        items = deal.piles.get(pile, ())
        expected = items[position] if position < len(items) else None
        if item != expected:
            found.append(Deviation(action, pile, position + 1, item, expected))
    return found


def ladder_key(scoring: LadderScoring, measures: Sequence[int]) -> tuple[int, ...]:
    """Greater is better, whatever each measure counts."""
    return tuple(
        value if measure.better == "more" else -value
        for measure, value in zip(scoring.measures, measures, strict=True)
    )


def match_points(scoring: LadderScoring, lines: Mapping[str, Line]) -> dict[str, Line]:
    """A point for every team beaten on the same deal, half a point for every team equalled."""
    keys = {
        team: ladder_key(scoring, line.measures)
        for team, line in lines.items()
        if line.measures is not None
    }

    def points(team: str) -> int:
        mine = keys[team]
        others = [key for other, key in keys.items() if other != team]
        return sum(2 * HALF if mine > key else HALF if mine == key else 0 for key in others)

    return {
        team: replace(line, points=points(team)) if team in keys else line
        for team, line in lines.items()
    }
