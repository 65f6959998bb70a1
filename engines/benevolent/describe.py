"""The table in words."""

from __future__ import annotations

from functools import partial
from typing import Any

from engines.benevolent.kit import GIFTS, Box
from engines.benevolent.state import Player, Tableau
from engines.kernel import Bag, Language, Setting, Words
from engines.kernel.data import catalogue

WORDS: Words = catalogue("engines.benevolent")


def describe(state: Tableau, setting: Setting[Box], lang: Language) -> list[str]:
    say = partial(_say, lang)
    lines = [headline(state, lang)]
    if state.turn.repeats:
        lines.append(say("repeats", kinds=state.turn.repeats))
    river = _gifts(state.river, lang)
    if state.reserve is None:
        lines.append(say("hidden_river", gifts=river))
    else:
        leaves = say("leaves", count=max(0, state.reserve))
        lines.append(say("river", gifts=river, leaves=leaves))
    if state.forest is not None:
        hexes = [
            say("hex_grey" if one.grey else "hex", name=name, site=one.site, grey=one.grey)
            for name, one in state.forest.hexes.items()
        ]
        lines.append(say("forest", hexes=hexes))
    if state.laid is not None:
        tiles = [say("slot", slot=slot, face=face) for slot, face in sorted(state.pyramid.items())]
        lines.append(say("pyramid", tiles=tiles))
    return lines + [_player(seat, player, lang) for seat, player in state.players.items()]


def _say(lang: Language, key: str, /, **facts: Any) -> str:
    return WORDS.say(f"say.{key}", lang, **facts)


def headline(state: Tableau, lang: Language) -> str:
    if state.winner is not None:
        colour = state.players[state.winner].colour
        return _say(lang, "over", seat=state.winner, colour=colour)
    turn, phase = state.turn, state.phase
    if phase in (None, "setup"):
        return _say(lang, "setup")
    doing = WORDS.say(f"phase.{phase}", lang, hex=turn.arrival)
    return _say(
        lang,
        "turn",
        number=turn.number,
        seat=turn.active,
        colour=state.active.colour,
        phase=doing,
    )


def _player(seat: str, player: Player, lang: Language) -> str:
    leaves = _say(lang, "leaves", count=player.leaves)
    if player.leaves is None:
        leaves = _say(lang, "hidden_leaves")
    secrets = [WORDS.term(face, lang) for face in player.secrets if face != "hoard"]
    if player.owns("hoard"):
        kept = _say(lang, "leaves", count=player.hoard)
        secrets.append(_say(lang, "hoard", face="hoard", leaves=kept))
    return _say(
        lang,
        "player",
        seat=seat,
        colour=player.colour,
        leaves=leaves,
        gifts=_gifts(player.gifts, lang),
        steps=player.forest,
        card=player.card,
        dream=player.dream,
        secrets=secrets,
    )


def _gifts(gifts: Bag[Any], lang: Language) -> str:
    return WORDS.show({gift: gifts[gift] for gift in GIFTS if gift in gifts}, lang)
