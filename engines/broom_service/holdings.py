"""Who has what: potions, wands, bolts, amulets and landscape tiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engines.broom_service.kit import Box
from engines.broom_service.state import Tableau
from engines.kernel import Holding, Setting


def held(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    for seat, player in state.players.items():
        yield from (Holding(seat, f"resource.{kind}", n) for kind, n in player.resources.items())
        yield Holding(seat, "bolt", player.hoard.bolts)
        yield Holding(seat, "amulet", len(player.hoard.amulets))
        yield from (Holding(seat, f"tile.{held.tile}") for held in player.hoard.tiles)


def points(state: Tableau) -> Mapping[str, int]:
    return {seat: player.vp for seat, player in state.players.items()}
