"""What lies openly in the forest: chips, objects and tokens, pawns, and which way a tile points."""

from __future__ import annotations

from collections.abc import Iterator

from engines.kernel import Holding, Setting, Sight
from engines.kernel.rules.sight import Spaces
from engines.roundforest.kit import Box
from engines.roundforest.state import Tableau


def more(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    for player in state.players.values():
        if player.pos is not None:
            yield Holding(f"tile.{player.pos}", f"pawn.{player.colour}")
    for cell, tile in state.forest.tiles.items():
        yield Holding(f"tile.{cell}", f"face.{tile.face}")


def spots(state: Tableau, setting: Setting[Box], board: str, spaces: Spaces) -> Spaces:
    """Tiles where they were put; what lies in a gap lies between the tiles that name it."""
    layout = state.board(setting.kit)
    if board != f"boards.{setting.kit.layout(len(state.seats))}":
        return {}
    found = {f"tile.{cell}": spot for cell, spot in spaces.items()}
    for gap in (*layout.gaps, *layout.notches):
        ends = [spaces[cell] for cell in gap.split("/") if cell in spaces]
        if len(ends) == 2:
            (x1, y1), (x2, y2) = ends
            found[f"gap.{gap}"] = ((x1 + x2) / 2, (y1 + y2) / 2)
    return found


SIGHT = Sight(("tile", "gap"), more, spots)
