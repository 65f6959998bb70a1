"""The table in words."""

from __future__ import annotations

from functools import partial
from typing import Any

from engines.kernel import Bag, Language, Setting
from engines.roundforest.kit import CHIPS, Box
from engines.roundforest.rules.setup import in_set_up
from engines.roundforest.rules.spirit import qualified_seats
from engines.roundforest.state import Player, Tableau
from engines.roundforest.words import WORDS


def describe(state: Tableau, setting: Setting[Box], lang: Language) -> list[str]:
    say = partial(_say, lang)
    lines = [headline(state, lang), *pending(state, lang)]
    lines += [say("qualified", seat=seat) for seat in qualified_seats(state, setting.kit)]
    for seat, player in state.players.items():
        lines.append(_player(seat, player, lang))
        if player.debts:
            lines.append(say("debts", seat=seat, debts=player.debts))
    lines += lying(state, lang)
    lines.append(
        say("fairy", **{row: state.fairy.get(row, ()) for row in ("top", "middle", "bottom")})
    )
    bags = state.bags
    lines.append(
        say(
            "bags",
            black=_counted(bags.black, lang),
            aside=_counted(bags.aside, lang),
            blue=bags.blue.size,
            deck=len(state.cards.deck),
        )
    )
    if state.cards.face_up:
        lines.append(say("face_up", cards=state.cards.face_up))
    supply = state.supply
    lines.append(say("supply", copper=supply.copper, silver=supply.silver, apples=supply.apples))
    return [*lines, *_forest(state, lang)] if state.forest.tiles else lines


def _forest(state: Tableau, lang: Language) -> list[str]:
    """The faces of the tiles, row by row."""
    rows: dict[str, list[str]] = {}
    for cell, tile in sorted(state.forest.tiles.items(), key=lambda placed: placed[0][::-1]):
        key = "well" if tile.well else "tile"
        rows.setdefault(cell[1:], []).append(_say(lang, key, cell=cell, face=tile.face))
    shown = (_say(lang, "row", row=row, tiles=tiles) for row, tiles in rows.items())
    return [_say(lang, "forest"), *shown]


def _say(lang: Language, key: str, /, **facts: Any) -> str:
    return WORDS.say(f"say.{key}", lang, **facts)


def headline(state: Tableau, lang: Language) -> str:
    """Who owes what."""
    if state.winner is not None:
        colour = pawn_colour(state.players[state.winner], lang)
        return _say(lang, "over", seat=state.winner, colour=colour)
    owed = [duty for duty in state.agenda.duties if not duty.optional]
    due = [WORDS.say(f"duty.{duty.kind}", lang) for duty in owed]
    if in_set_up(state):
        return _say(lang, "setup", due=due)
    seat = next((duty.seat for duty in owed if duty.seat is not None), None)
    if seat is None:
        return _say(lang, "table", due=due)
    colour = pawn_colour(state.players[seat], lang)
    return _say(lang, "turn", seat=seat, colour=colour, due=due)


def pawn_colour(player: Player, lang: Language) -> str:
    """The colour's name; that of a declared colour is the table's own."""
    key = f"colour.{player.colour}"
    return WORDS.say(key, lang) if key in WORDS else player.colour


def pending(state: Tableau, lang: Language) -> list[str]:
    """What was drawn and waits for a decision."""
    lines = []
    if state.held is not None:
        lines.append(_say(lang, "held", objects=state.held.objects))
    if state.cards.met is not None:
        lines.append(_say(lang, "met", character=state.cards.met))
    return lines


def _player(seat: str, player: Player, lang: Language) -> str:
    return _say(
        lang,
        "player",
        seat=seat,
        colour=pawn_colour(player, lang),
        pos=_say(lang, "on", cell=player.pos) if player.pos else _say(lang, "backpack"),
        pack=player.pack or _say(lang, "empty"),
        copper=player.copper,
        silver=player.silver,
        apples=player.apples,
        compasses=player.compasses,
    )


def lying(state: Tableau, lang: Language) -> list[str]:
    """What lies on the tiles and between them, in words."""
    contents = state.forest.contents
    chips = {
        colour: [cell for cell, thing in contents.items() if thing == colour]
        for colour in ("blue", "yellow", "red")
    }
    shown = [
        f"{WORDS.term(colour, lang)} {' '.join(cells)}" for colour, cells in chips.items() if cells
    ]
    lines = [_say(lang, "chips", chips=shown)]
    things = [
        _say(lang, "at", thing=thing, cell=cell)
        for cell, thing in contents.items()
        if thing not in CHIPS
    ]
    if things:
        lines.append(_say(lang, "lying", things=things))
    gaps = [_say(lang, "gap", thing=thing, cell=gap) for gap, thing in state.forest.gaps.items()]
    if gaps:
        lines.append(_say(lang, "gaps", things=gaps))
    return lines


def _counted(bag: Bag[str], lang: Language) -> str:
    """How many in all, and of each colour."""
    colours = {colour: bag[colour] for colour in ("blue", "yellow", "red") if bag[colour]}
    return f"{bag.size} ({WORDS.show(colours, lang)})"
