"""The table in words."""

from __future__ import annotations

from typing import Any

from engines.benevolent.kit import GIFTS, Box
from engines.benevolent.state import Player, Tableau, Turn
from engines.kernel import Bag, Setting, Speech


def describe(state: Tableau, setting: Setting[Box], speech: Speech) -> list[str]:
    lines = [headline(state, speech)]
    if state.turn.repeats:
        lines.append(speech.say("say.repeats", kinds=state.turn.repeats))
    river = speech.show({gift: state.river[gift] for gift in GIFTS})  # an empty pile as well
    if state.reserve is None:
        lines.append(speech.say("say.hidden_river", gifts=river))
    else:
        leaves = speech.say("say.leaves", count=max(0, state.reserve))
        lines.append(speech.say("say.river", gifts=river, leaves=leaves))
    if state.forest is not None:
        hexes = [
            speech.say(
                "say.hex_grey" if one.grey else "say.hex", name=name, site=one.site, grey=one.grey
            )
            for name, one in state.forest.hexes.items()
        ]
        lines.append(speech.say("say.forest", hexes=hexes))
    if state.laid is not None:
        tiles = [
            speech.say("say.slot", slot=slot, face=face)
            for slot, face in sorted(state.pyramid.items())
        ]
        lines.append(
            speech.say("say.pyramid", tiles=tiles) if tiles else speech.say("say.no_pyramid")
        )
    lines += [_player(seat, player, speech) for seat, player in state.players.items()]
    return lines + [_begun(seat, turn, speech) for seat, turn in state.begun.items()]


def _begun(seat: str, turn: Turn, speech: Speech) -> str:
    """What a player has played before the turn has come."""
    if turn.arrival is None:
        return speech.say("say.acted", seat=seat)
    key = "say.stepped_and_acted" if "acted" in turn.done else "say.stepped"
    return speech.say(key, seat=seat, hex=turn.arrival)


def headline(state: Tableau, speech: Speech) -> str:
    if state.winner is not None:
        colour = state.players[state.winner].colour
        return speech.say("say.over", seat=state.winner, colour=colour)
    turn, phase = state.turn, state.phase
    if phase in (None, "setup"):
        return speech.say("say.setup")
    doing = speech.say(f"phase.{phase}", hex=turn.arrival)
    return speech.say(
        "say.turn",
        number=turn.number,
        seat=turn.active,
        colour=state.active.colour,
        phase=doing,
    )


def _player(seat: str, player: Player, speech: Speech) -> str:
    leaves = speech.say("say.leaves", count=player.leaves)
    if player.leaves is None:
        leaves = speech.say("say.hidden_leaves")
    secrets = [speech.term(face) for face in player.secrets if face != "hoard"]
    if player.owns("hoard"):
        kept = speech.say("say.leaves", count=player.hoard)
        secrets.append(speech.say("say.hoard", face="hoard", leaves=kept))
    return speech.say(
        "say.player",
        seat=seat,
        colour=player.colour,
        leaves=leaves,
        gifts=_gifts(player.gifts, speech),
        steps=player.forest,
        card=player.card,
        dream=player.dream,
        secrets=secrets,
    )


def _gifts(gifts: Bag[Any], speech: Speech) -> str:
    return speech.show({gift: gifts[gift] for gift in GIFTS if gift in gifts})
