"""What lies openly: steps in the forest, dreamers on the path, the pyramid, the river."""

from __future__ import annotations

from collections.abc import Iterator

from engines.benevolent.kit import Box
from engines.benevolent.state import Tableau
from engines.kernel import Holding, Setting, Sight
from engines.kernel.rules.sight import Spaces


def more(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    for player in state.players.values():
        yield from (Holding(f"hex.{hex_}", f"step.{player.colour}") for hex_ in player.forest)
        yield Holding(f"dream.{player.dream}", f"dreamer.{player.colour}")
    yield from (Holding(f"pyramid.{at}", f"secret.{face}") for at, face in state.pyramid.items())


def spots(state: Tableau, setting: Setting[Box], board: str, spaces: Spaces) -> Spaces:
    """A hex of a segment lies where the layout has it; path and forest are photographed apart."""
    from engines.benevolent.photo import names  # draws; a command that sees nothing does without

    if board == "dream_path":
        return {f"dream.{space}": spot for space, spot in spaces.items()}
    players = len(state.players)
    if state.forest is None or board != f"layouts.{players}":
        return {}
    kit, laid = setting.kit, setting.kit.layouts[players]
    cells = kit.segment_shape.cells
    lying = {laid[slot].cell(cells[at]): name for slot, at, name in names(kit, players)}
    hexes = {name: one for name, one in state.forest.hexes.items() if one.segment}
    found = {hex_: lying.get((one.q, one.r), "") for hex_, one in hexes.items()}
    return {f"hex.{hex_}": spaces[name] for hex_, name in found.items() if name in spaces}


SIGHT = Sight(("river",), more, spots)
