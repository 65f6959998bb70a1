"""What a seat, or a spectator, cannot see of the table."""

from __future__ import annotations

from engines.bloody_grove.kit import Box
from engines.bloody_grove.rules.hidden import known_as
from engines.bloody_grove.sealed import check_hand, check_look
from engines.bloody_grove.state import Player, Tableau, balance
from engines.bloody_grove.trail import publicly
from engines.kernel import Secrecy, Setting, evolve


def hide(state: Tableau, viewer: str, setting: Setting[Box]) -> Tableau:
    """Until the game is over, what a player has sealed is the player's own, and of a declared
    hand and deck the others know only what they could follow at the table."""
    if state.over:
        return state
    players = {
        seat: player if seat == viewer else _from_outside(player, setting.kit)
        for seat, player in state.players.items()
    }
    if all(players[seat] is player for seat, player in state.players.items()):
        return state
    seen = evolve(state, players=players)
    return evolve(seen, offsets=balance(seen, setting)) if state.offsets else seen


def _from_outside(player: Player, kit: Box) -> Player:
    held = player.hidden
    trail, worlds = publicly(held.trail, known_as(kit))
    if trail is not held.trail:
        held = evolve(held, trail=trail, worlds=worlds)
    elif not player.seals:
        return player
    return evolve(player, hidden=held, seals=())


SECRECY = Secrecy(hide, sealed={"hand": check_hand, "look": check_look})
