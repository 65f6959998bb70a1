"""The table in words."""

from __future__ import annotations

from engines.kernel import Bag, Setting, Speech
from engines.roundforest.kit import CHIPS, Box
from engines.roundforest.rules.setup import in_set_up
from engines.roundforest.rules.spirit import qualified_seats
from engines.roundforest.state import Player, Tableau


def describe(state: Tableau, setting: Setting[Box], speech: Speech) -> list[str]:
    lines = [headline(state, speech), *pending(state, speech)]
    lines += [
        speech.say("say.qualified", seat=seat) for seat in qualified_seats(state, setting.kit)
    ]
    for seat, player in state.players.items():
        lines.append(_player(seat, player, speech))
        if player.debts:
            lines.append(speech.say("say.debts", seat=seat, debts=player.debts))
    lines += lying(state, speech)
    lines.append(
        speech.say(
            "say.fairy", **{row: state.fairy.get(row, ()) for row in ("top", "middle", "bottom")}
        )
    )
    bags = state.bags
    lines.append(
        speech.say(
            "say.bags",
            black=_counted(bags.black, speech),
            aside=_counted(bags.aside, speech),
            blue=bags.blue.size,
            deck=len(state.cards.deck),
        )
    )
    if state.cards.face_up:
        lines.append(speech.say("say.face_up", cards=state.cards.face_up))
    supply = state.supply
    lines.append(
        speech.say("say.supply", copper=supply.copper, silver=supply.silver, apples=supply.apples)
    )
    return [*lines, *_forest(state, speech)] if state.forest.tiles else lines


def _forest(state: Tableau, speech: Speech) -> list[str]:
    """The faces of the tiles, row by row."""
    rows: dict[str, list[str]] = {}
    for cell, tile in sorted(state.forest.tiles.items(), key=lambda placed: placed[0][::-1]):
        key = "say.well" if tile.well else "say.tile"
        rows.setdefault(cell[1:], []).append(speech.say(key, cell=cell, face=tile.face))
    shown = (speech.say("say.row", row=row, tiles=tiles) for row, tiles in rows.items())
    return [speech.say("say.forest"), *shown]


def headline(state: Tableau, speech: Speech) -> str:
    """Who owes what."""
    if state.winner is not None:
        colour = pawn_colour(state.players[state.winner], speech)
        return speech.say("say.over", seat=state.winner, colour=colour)
    owed = [duty for duty in state.agenda.duties if not duty.optional]
    due = [speech.say(f"duty.{duty.kind}") for duty in owed]
    if in_set_up(state):
        return speech.say("say.setup", due=due)
    seat = next((duty.seat for duty in owed if duty.seat is not None), None)
    if seat is None:
        return speech.say("say.table", due=due)
    colour = pawn_colour(state.players[seat], speech)
    return speech.say("say.turn", seat=seat, colour=colour, due=due)


def pawn_colour(player: Player, speech: Speech) -> str:
    """The colour's name; that of a declared colour is the table's own."""
    key = f"colour.{player.colour}"
    return speech.say(key) if key in speech else player.colour


def pending(state: Tableau, speech: Speech) -> list[str]:
    """What was drawn and waits for a decision."""
    lines = []
    if state.held is not None:
        drawn = tuple(thing for held in state.drawn for thing in held.objects)
        lines.append(speech.say("say.held", objects=drawn))
    if state.cards.met is not None:
        lines.append(speech.say("say.met", character=state.cards.unanswered))
    return lines


def _player(seat: str, player: Player, speech: Speech) -> str:
    return speech.say(
        "say.player",
        seat=seat,
        colour=pawn_colour(player, speech),
        pos=speech.say("say.on", cell=player.pos) if player.pos else speech.say("say.backpack"),
        pack=player.pack or speech.say("say.empty"),
        copper=player.copper,
        silver=player.silver,
        apples=player.apples,
        compasses=player.compasses,
    )


def lying(state: Tableau, speech: Speech) -> list[str]:
    """What lies on the tiles and between them, in words."""
    contents = state.forest.contents
    chips = {
        colour: [cell for cell, thing in contents.items() if thing == colour]
        for colour in ("blue", "yellow", "red")
    }
    shown = [f"{speech.term(colour)} {' '.join(cells)}" for colour, cells in chips.items() if cells]
    lines = [speech.say("say.chips", chips=shown or speech.say("say.no_chips"))]
    things = [
        speech.say("say.at", thing=thing, cell=cell)
        for cell, thing in contents.items()
        if thing not in CHIPS
    ]
    if things:
        lines.append(speech.say("say.lying", things=things))
    gaps = [
        speech.say("say.gap", thing=thing, one=one, other=other)
        for (one, _, other), thing in (
            (gap.partition("/"), thing) for gap, thing in state.forest.gaps.items()
        )
    ]
    if gaps:
        lines.append(speech.say("say.gaps", things=gaps))
    return lines


def _counted(bag: Bag[str], speech: Speech) -> str:
    """How many in all, and of each colour."""
    colours = {colour: bag[colour] for colour in ("blue", "yellow", "red") if bag[colour]}
    return f"{bag.size} ({speech.show(colours)})" if colours else "0"
