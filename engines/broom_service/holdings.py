"""Where what lies: potions, wands, bolts, clouds without any, amulets and forest tiles.

The supply is unlimited: what comes from it or goes there comes from outside and goes there. So
do clouds and forest tiles on the board, whose places every line about them names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engines.broom_service.actions import ROLES
from engines.broom_service.kit import Box
from engines.broom_service.state import Tableau, candidates
from engines.kernel import Hand, Holding, Holdings, Setting


def held(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    kit, board, side = setting.kit, state.board, state.side(setting.kit)
    for seat, player in state.players.items():
        hoard = player.hoard
        yield from (Holding(seat, f"resource.{kind}", n) for kind, n in player.resources.items())
        yield Holding(seat, "bolt", hoard.bolts)
        boltless = [cloud for cloud in hoard.clouds if not kit.clouds[cloud].bolts]
        yield Holding(seat, "boltless", len(boltless))
        yield Holding(seat, "amulet", len(hoard.amulets))
        yield from (Holding(seat, f"tile.{held.tile}") for held in hoard.tiles)
    for tower in board.occupied:
        yield Holding(f"tower.{tower}", f"resource.{side.towers[tower].colour}")
    for region, tile in board.tiles.items():
        if kit.tiles.terrain_of.get(tile) == "mountain":
            left = [one for one in state.players.values() if region not in one.hoard.amulets]
            yield Holding(f"place.{region}", "amulet", len(left))


def lying(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    yield from held(state, setting)
    board, now = state.board, state.round
    for seat, player in state.players.items():
        for pawn, region in player.pawns.items():
            yield Holding(f"place.{region}", f"pawn_of.{seat}.{pawn}")
        yield from (Holding(f"laid.{seat}", f"role.{card.role}") for card in player.hand.laid)
    yield from (
        Holding(f"cloud.{space}", f"cloud.{cloud}") for space, cloud in board.clouds.items()
    )
    yield from (Holding(f"place.{region}", f"tile.{tile}") for region, tile in board.tiles.items())
    yield from (Holding("used", f"tile.{tile}") for tile in board.discarded)
    if now.event is not None:
        yield Holding("event", f"event.{now.event}")
    yield from (Holding("cursed", f"curse.{role}") for role in now.cursed)


def sizes(state: Tableau) -> Mapping[str, int]:
    return {f"hand.{seat}": player.hand.held for seat, player in state.players.items()}


def hand(state: Tableau, setting: Setting[Box], seat: str) -> Hand:
    """The roles that this seat has chosen and not laid, as far as nobody lied."""
    hand = state.players[seat].hand
    laid = {card.role for card in hand.laid}
    shown = tuple(role for role in hand.sealed or () if role not in laid)
    possible = frozenset(candidates(state, seat) if hand.held else ())
    certain = possible if len(possible) == hand.held else frozenset()
    return Hand(certain, possible, honestly=True, shown=shown)


def points(state: Tableau) -> Mapping[str, int]:
    return {seat: player.vp for seat, player in state.players.items()}


HOLDINGS = Holdings(
    held,
    points,
    lying,
    sizes=sizes,
    round=lambda state: state.round.number,
    by_round=True,
    hand=hand,
    in_hands=lambda setting: ROLES,
    undeclared=frozenset({"boltless"}),
)
