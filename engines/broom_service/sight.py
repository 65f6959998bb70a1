"""What lies openly on the board: pawns, clouds, landscape tiles, amulets, potions in towers."""

from __future__ import annotations

from collections.abc import Iterator

from engines.broom_service.kit import Box
from engines.broom_service.state import Tableau
from engines.kernel import Holding, Setting, Sight
from engines.kernel.rules.sight import Spaces


def more(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    for seat, player in state.players.items():
        colour = state.options.colours[seat]
        yield from (Holding(f"place.{at}", f"pawn.{colour}") for at in player.pawns.values())
    yield from (
        Holding(f"cloud.{at}", f"cloud.{cloud}") for at, cloud in state.board.clouds.items()
    )
    yield from (Holding(f"place.{at}", f"tile.{tile}") for at, tile in state.board.tiles.items())


def spots(state: Tableau, setting: Setting[Box], board: str, spaces: Spaces) -> Spaces:
    if board != state.options.side:
        return {}
    side = state.side(setting.kit)
    kinds = (("place", side.regions), ("tower", side.towers), ("cloud", side.cloud_spaces))
    return {f"{kind}.{at}": spaces[at] for kind, names in kinds for at in names if at in spaces}


def alike(kind: str) -> str:
    """What is printed on a cloud is too small to be read from above."""
    return "cloud" if kind.startswith("cloud.") else kind


SIGHT = Sight(("tower", "place"), more, spots, alike, {"place": 0.06, "tower": 0.03, "cloud": 0.04})
