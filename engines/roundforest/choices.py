"""What may come next. Every candidate is judged before it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement

from engines.kernel import RuleContext, Tray
from engines.roundforest import actions as act
from engines.roundforest.kit import CHIPS, ROWS, Box
from engines.roundforest.rules.blocking import blockers_at, gaps
from engines.roundforest.rules.book import rules
from engines.roundforest.rules.characters import (
    CREDITORS,
    askers,
    character_met,
    characters_met,
    mission,
)
from engines.roundforest.rules.fairy import accepts_silver
from engines.roundforest.rules.goods import room
from engines.roundforest.rules.moving import bordering, can_land, compasses_needed
from engines.roundforest.rules.objects import object_in_question, put_targets
from engines.roundforest.rules.setup import in_set_up
from engines.roundforest.rules.spirit import spirit_targets
from engines.roundforest.state import Player, Tableau


@rules.fills(act.LayTile, "cell")
def cells_without_a_tile(state: Tableau, table: RuleContext[Box]) -> Iterator[str]:
    return (cell for cell in state.board(table.kit).cells if cell not in state.forest.tiles)


@rules.fills(act.LayTile, "tile")
def tiles_not_laid(state: Tableau, table: RuleContext[Box]) -> Iterator[str]:
    laid = {tile.id for tile in state.forest.tiles.values()}
    return (name for name in table.kit.faces_by_id if name not in laid)


@rules.lays(act.LayTile)
def tiles_ready(state: Tableau, table: RuleContext[Box]) -> Tray:
    board, faces = state.board(table.kit), table.kit.faces
    left = [*tiles_not_laid(state, table)]
    cells = [*cells_without_a_tile(state, table)]
    plain, wells = ([name for name in left if name in each] for each in (faces.plain, faces.well))
    fitting = {cell: wells if cell in board.wells else plain for cell in cells}
    return Tray(dict.fromkeys(left, 1), cells, ("n", "e", "s", "w"), only=fitting)


@rules.lays(act.Chip)
def chips_ready(state: Tableau, table: RuleContext[Box]) -> Tray:
    left = {colour: state.bags.black[colour] for colour in sorted(CHIPS)}
    things = {colour: count for colour, count in left.items() if count}
    return Tray(things, [*cells_without_a_chip(state, table)])


@rules.lays(act.FillRow)
def tokens_ready(state: Tableau, table: RuleContext[Box]) -> Tray:
    left = {thing: count for thing, count in state.bags.blue.items() if count}
    rows = [*rows_to_fill(state, table)]
    return Tray(left, rows, size=min(table.kit.fairy.places, state.bags.blue.size))


@rules.fills(act.Chip, "cell")
def cells_without_a_chip(state: Tableau, table: RuleContext[Box]) -> Iterator[str]:
    if in_set_up(state):
        for cell in state.board(table.kit).cells:
            tile = state.forest.tiles.get(cell)
            if tile is not None and not tile.well and cell not in state.forest.contents:
                yield cell


@rules.offers(act.Chip)
def chips(state: Tableau, seat: str | None, table: RuleContext[Box]) -> Iterator[act.Chip]:
    colours = [colour for colour in sorted(CHIPS) if state.bags.black[colour]]
    if not in_set_up(state):
        yield from (act.Chip(colour=colour) for colour in colours)
        return
    for cell in cells_without_a_chip(state, table):
        yield from (act.Chip(cell=cell, colour=colour) for colour in colours)


@rules.fills(act.FillRow, "row")
def rows_to_fill(state: Tableau, table: RuleContext[Box]) -> Iterator[str]:
    return (row for row in ROWS if not state.fairy.get(row))


@rules.offers(act.Move)
def moves(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Move]:
    me = state.players[seat]
    if me.pos is None:
        yield from (act.Move(by=seat, to=cell) for cell in bordering(state, seat, table))
        return
    tile = state.forest.tiles[me.pos]
    for landing in state.board(table.kit).landings[me.pos].values():
        if can_land(state, seat, landing.to, table):
            needed = compasses_needed(tile, landing, table)
            if needed <= me.compasses:
                yield act.Move(by=seat, to=landing.to, compass=needed > 0)


@rules.offers(act.Pause, act.End, act.OpenChest)
def bare_verbs(
    state: Tableau, seat: str, table: RuleContext[Box]
) -> Iterator[act.Pause | act.End | act.OpenChest]:
    yield from (act.Pause(by=seat), act.End(by=seat), act.OpenChest(by=seat))


@rules.offers(act.Draw)
def draws(state: Tableau, seat: str | None, table: RuleContext[Box]) -> Iterator[act.Draw]:
    kinds = sorted(state.bags.blue)
    if state.agenda.owes("gifts") is None:
        yield from (act.Draw(objects=(kind,)) for kind in kinds)
        return
    count = min(table.kit.services.prince_draws, state.bags.blue.size)
    for objects in combinations_with_replacement(kinds, count):
        if state.bags.blue.holds(objects):
            yield act.Draw(objects=objects)


@rules.offers(act.Keep)
def keeps(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Keep]:
    for thing in _named(state, seat):
        shown = thing or object_in_question(state, seat)
        yield act.Keep(by=seat, object=thing)
        if shown in table.kit.objects.coins:
            yield act.Keep(by=seat, object=thing, coin=True)
        if table.reading("full_pack") == "swap_on_tile":
            for dropped in dict.fromkeys(state.players[seat].pack):
                yield act.Keep(by=seat, object=thing, dropped=dropped)
                if shown in table.kit.objects.coins:
                    yield act.Keep(by=seat, object=thing, coin=True, dropped=dropped)


def _named(state: Tableau, seat: str) -> Iterable[str | None]:
    """Objects by name, where several were drawn."""
    mine = [thing for held in state.held_by(seat) for thing in held.objects]
    return dict.fromkeys(mine) if len(mine) > 1 else (None,)


@rules.offers(act.Leave)
def leavings(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Leave]:
    prince = any(held.source == "prince" for held in state.held_by(seat))
    names = (None,) if prince else _named(state, seat)
    yield from (act.Leave(by=seat, object=thing) for thing in names)


@rules.offers(act.Barter)
def barters(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Barter]:
    me, kit = state.players[seat], table.kit
    for row, tokens in state.fairy.items():
        cost = kit.fairy.cost[row]
        silvers = [silver for silver in (False, True) if _can_pay(me, cost, silver, table)]
        for taken in dict.fromkeys(tokens):
            coins = (False, True) if taken in kit.objects.coins else (False,)
            for silver in silvers:
                for coin in coins:
                    if coin or room(me.pack, taken, kit):
                        yield act.Barter(by=seat, row=row, object=taken, silver=silver, coin=coin)


def _can_pay(me: Player, cost: int, silver: bool, table: RuleContext[Box]) -> bool:
    return accepts_silver(me, cost, table) if silver else me.copper >= cost


@rules.offers(act.Put)
def puts(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Put]:
    for thing in _named(state, seat):
        cells = put_targets(state, table)[1]
        yield from (act.Put(by=seat, cell=cell, object=thing) for cell in cells)


@rules.offers(act.Coin)
def coins(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Coin]:
    for token in dict.fromkeys(state.players[seat].pack):
        if token in table.kit.objects.coins:
            yield act.Coin(by=seat, object=token)


@rules.offers(act.Meet)
def meetings(state: Tableau, seat: str | None, table: RuleContext[Box]) -> Iterator[act.Meet]:
    yield from (act.Meet(character=character) for character in state.cards.deck)


@rules.offers(act.Upper, act.Lower, act.Apple)
def missions(
    state: Tableau, seat: str, table: RuleContext[Box]
) -> Iterator[act.Upper | act.Lower | act.Apple]:
    character = character_met(state, seat, askers(state, seat, "upper", table.kit))
    if character not in CREDITORS:
        return
    yield act.Upper(by=seat)
    if mission(table.kit, character, "upper").reward is not None:
        yield act.Upper(by=seat, none=True)
    yield act.Lower(by=seat)
    yield act.Apple(by=seat)


@rules.offers(act.Decline, act.CallPrince, act.Ring, act.Buy)
def short_answers(
    state: Tableau, seat: str, table: RuleContext[Box]
) -> Iterator[act.Decline | act.CallPrince | act.Ring | act.Buy]:
    met = characters_met(state, seat)
    if "prince" in met:
        yield act.CallPrince(by=seat)
    if "merchant" in met:
        yield act.Buy(by=seat)
    if "spirit" in met:
        yield act.Ring(by=seat)
    mine = state.met_by(seat)
    names = mine if len(mine) > 1 else (None,) if mine else ()
    yield from (act.Decline(by=seat, character=name) for name in names)


@rules.offers(act.RideUnicorn)
def rides(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.RideUnicorn]:
    if "unicorn" not in characters_met(state, seat):
        return
    saddles = (False, True) if "saddle" in state.players[seat].pack else (False,)
    for cell in state.forest.tiles:
        yield from (act.RideUnicorn(by=seat, to=cell, saddle=saddle) for saddle in saddles)


@rules.offers(act.Sell)
def sales(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Sell]:
    if "merchant" not in characters_met(state, seat):
        return
    pack = state.players[seat].pack
    for count in range(1, table.kit.services.merchant_buys + 1):
        yield from (act.Sell(by=seat, objects=objects) for objects in combinations(pack, count))


@rules.offers(act.AskGoblin)
def swaps(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.AskGoblin]:
    if "goblin" not in characters_met(state, seat):
        return
    for given in dict.fromkeys(state.players[seat].pack):
        for wanted in sorted(state.bags.blue):
            yield act.AskGoblin(by=seat, object=wanted, given=given)


@rules.offers(act.AskBeggar)
def beggings(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.AskBeggar]:
    if "beggar" in characters_met(state, seat):
        yield from (act.AskBeggar(by=seat, character=name) for name in state.cards.deck)


@rules.offers(act.TradeAtWell)
def trades(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.TradeAtWell]:
    pack = state.players[seat].pack
    for objects in combinations(pack, table.kit.well.objects):
        yield act.TradeAtWell(by=seat, objects=objects)
    yield act.TradeAtWell(by=seat, gets="silver")
    yield act.TradeAtWell(by=seat, gets="apple")
    yield act.TradeAtWell(by=seat)


@rules.offers(act.Block)
def blocks(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Block]:
    me = state.players[seat]
    for thing in dict.fromkeys(thing for thing in me.pack if thing in table.kit.heavy):
        for gap, touched in gaps(state, table).items():
            if me.pos in touched and gap not in state.forest.gaps:
                yield act.Block(by=seat, object=thing, gap=gap)


@rules.offers(act.Unblock)
def unblocks(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.Unblock]:
    pos = state.players[seat].pos
    if pos is not None:
        yield from (act.Unblock(by=seat, gap=gap) for gap in blockers_at(state, pos, table))


@rules.offers(act.PlaceSpirit)
def appearances(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[act.PlaceSpirit]:
    yield from (act.PlaceSpirit(by=seat, cell=cell) for cell in spirit_targets(state, table)[1])
