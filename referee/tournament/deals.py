"""Deals: what is drawn from each pile is the same at every table of a round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from referee.tournament.plan import Deal
from referee.tournament.splitmix import SplitMix64


def shuffled_deal(name: str, game: str, piles: Mapping[str, Sequence[str]], seed: int) -> Deal:
    """A deal shuffled by a seed; the same for any order in which the items are given."""
    dice = SplitMix64(seed)
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
    """A draw that differs from the deal; with nothing expected, the pile was empty."""

    action: int
    pile: str
    position: int
    drawn: str
    expected: str | None


def deviations(deal: Deal, draws: Iterable[Drawn]) -> list[Deviation]:
    """Where a table departed from the deal; each pile is compared on its own."""
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
