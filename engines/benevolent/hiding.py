"""What a seat, or a spectator, cannot see of the table."""

from __future__ import annotations

from engines.benevolent.kit import Box
from engines.benevolent.state import Tableau
from engines.kernel import Secrecy, Setting, evolve


def hide(state: Tableau, viewer: str, setting: Setting[Box]) -> Tableau:
    """Where leaves are concealed, a viewer counts only their own; the reserve tells too much."""
    if not state.concealed:
        return state
    players = {
        seat: player if seat == viewer else evolve(player, leaves=None)
        for seat, player in state.players.items()
    }
    return evolve(state, players=players, reserve=None)


SECRECY = Secrecy(hide, private_facts=("leaves", "reserve", "derived"))
