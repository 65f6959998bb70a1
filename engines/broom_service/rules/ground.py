"""Which regions are adjacent: borders, and open water between two shores."""

from __future__ import annotations

from engines.broom_service.kit import Box
from engines.broom_service.state import PAWNS, Tableau, open_waters
from engines.kernel import RuleContext


def moves_from(state: Tableau, region: str, table: RuleContext[Box]) -> tuple[str, ...]:
    """Regions a pawn can step to or fly to over one open water."""
    side = state.side(table.kit)
    return side.neighbours(region, open_waters(state, side), table.reading("water_crossing"))


def moves_without_clouds(state: Tableau, region: str, table: RuleContext[Box]) -> tuple[str, ...]:
    """The same if no cloud lay over any water."""
    side = state.side(table.kit)
    return side.neighbours(region, side.waters, table.reading("water_crossing"))


def reach_of(state: Tableau, region: str, table: RuleContext[Box]) -> tuple[str, ...]:
    """Regions whose clouds a pawn can chase, or be near to."""
    if table.reading("reach_over_water") == "all":
        return moves_from(state, region, table)
    return state.side(table.kit).neighbours(region, frozenset(), "none")


def bonus_clouds_near(state: Tableau, region: str, table: RuleContext[Box]) -> tuple[int, ...]:
    """The points of each bonus cloud adjacent to a pawn in this region."""
    types = table.kit.clouds
    bonus = {
        space: types[cloud].vp
        for space, cloud in state.board.clouds.items()
        if types[cloud].effect == "bonus"
    }
    if not bonus:
        return ()
    near = reach_of(state, region, table)
    spaces = state.side(table.kit).cloud_spaces
    return tuple(vp for space, vp in bonus.items() if spaces[space] in near)


def own_pawn(state: Tableau, seat: str, said: str) -> str | None:
    """The pawn meant by its number or by the region it stands in."""
    pawns = state.players[seat].pawns
    if said in pawns:
        return said
    return next((pawn for pawn in PAWNS if pawns[pawn] == said), None)
