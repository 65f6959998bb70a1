"""What a seat, or a spectator, cannot see of the table."""

from __future__ import annotations

from engines.broom_service.kit import Box
from engines.broom_service.sealed import check_hand
from engines.broom_service.state import Tableau
from engines.kernel import Secrecy, Setting, evolve


def hide(state: Tableau, viewer: str, setting: Setting[Box]) -> Tableau:
    """Without the sealed hands of the others."""
    others = (player for seat, player in state.players.items() if seat != viewer)
    if all(player.hand.sealed is None for player in others):
        return state
    seen = {
        seat: player if seat == viewer else evolve(player, hand=evolve(player.hand, sealed=None))
        for seat, player in state.players.items()
    }
    return evolve(state, players=seen)


SECRECY = Secrecy(hide, sealed={"hand": check_hand})
