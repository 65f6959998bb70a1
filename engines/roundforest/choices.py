"""What may come next. Every candidate is judged before it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

from engines.kernel import RuleContext, Tray
from engines.kernel.values.memo import interned
from engines.roundforest.actions import (
    Apple,
    AskBeggar,
    AskGoblin,
    Barter,
    Block,
    Buy,
    CallPrince,
    Chip,
    Coin,
    Decline,
    Draw,
    End,
    FillRow,
    Keep,
    LayTile,
    Leave,
    Lower,
    Meet,
    Move,
    OpenChest,
    Pause,
    PlaceSpirit,
    Put,
    RideUnicorn,
    Ring,
    Sell,
    TradeAtWell,
    Unblock,
    Upper,
)
from engines.roundforest.kit import CHIPS, ROWS, Box
from engines.roundforest.rules.blocking import blockers_at, gaps
from engines.roundforest.rules.book import rules
from engines.roundforest.rules.characters import (
    CREDITORS,
    can_meet,
    character_met,
    mission,
)
from engines.roundforest.rules.fairy import accepts_silver
from engines.roundforest.rules.goods import room
from engines.roundforest.rules.moving import bordering, can_land, compasses_needed
from engines.roundforest.rules.objects import object_in_question, put_targets
from engines.roundforest.rules.setup import in_set_up
from engines.roundforest.rules.spirit import spirit_targets
from engines.roundforest.state import Player, Tableau

chip, draw, move = interned(Chip), interned(Draw), interned(Move)
ride, ask_goblin, barter = interned(RideUnicorn), interned(AskGoblin), interned(Barter)


@rules.fills(LayTile, "cell")
def cells_without_a_tile(state: Tableau, table: RuleContext[Box]) -> Iterator[str]:
    return (cell for cell in state.board(table.kit).cells if cell not in state.forest.tiles)


@rules.fills(LayTile, "tile")
def tiles_not_laid(state: Tableau, table: RuleContext[Box]) -> Iterator[str]:
    laid = {tile.id for tile in state.forest.tiles.values()}
    return (name for name in table.kit.faces_by_id if name not in laid)


@rules.lays(LayTile)
def tiles_ready(state: Tableau, table: RuleContext[Box]) -> Tray:
    board, faces = state.board(table.kit), table.kit.faces
    left = [*tiles_not_laid(state, table)]
    cells = [*cells_without_a_tile(state, table)]
    plain, wells = ([name for name in left if name in each] for each in (faces.plain, faces.well))
    fitting = {cell: wells if cell in board.wells else plain for cell in cells}
    return Tray(dict.fromkeys(left, 1), cells, ("n", "e", "s", "w"), only=fitting)


@rules.lays(Chip)
def chips_ready(state: Tableau, table: RuleContext[Box]) -> Tray:
    left = {colour: state.bags.black[colour] for colour in sorted(CHIPS)}
    things = {colour: count for colour, count in left.items() if count}
    return Tray(things, [*cells_without_a_chip(state, table)])


@rules.lays(FillRow)
def tokens_ready(state: Tableau, table: RuleContext[Box]) -> Tray:
    left = {thing: count for thing, count in state.bags.blue.items() if count}
    rows = [*rows_to_fill(state, table)]
    return Tray(left, rows, size=min(table.kit.fairy.places, state.bags.blue.size))


@rules.fills(Chip, "cell")
def cells_without_a_chip(state: Tableau, table: RuleContext[Box]) -> Iterator[str]:
    if in_set_up(state):
        for cell in state.board(table.kit).cells:
            tile = state.forest.tiles.get(cell)
            if tile is not None and not tile.well and cell not in state.forest.contents:
                yield cell


@rules.offers(Chip)
def chips(state: Tableau, seat: str | None, table: RuleContext[Box]) -> Iterator[Chip]:
    colours = [colour for colour in sorted(CHIPS) if state.bags.black[colour]]
    if not in_set_up(state):
        yield from (chip(colour=colour) for colour in colours)
        return
    for cell in cells_without_a_chip(state, table):
        yield from (chip(cell=cell, colour=colour) for colour in colours)


@rules.fills(FillRow, "row")
def rows_to_fill(state: Tableau, table: RuleContext[Box]) -> Iterator[str]:
    return (row for row in ROWS if not state.fairy.get(row))


@rules.offers(Move)
def moves(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Move]:
    me = state.players[seat]
    if me.pos is None:
        yield from (move(by=seat, to=cell) for cell in bordering(state, seat, table))
        return
    tile = state.forest.tiles[me.pos]
    for landing in state.board(table.kit).landings[me.pos].values():
        if can_land(state, seat, landing.to, table):
            needed = compasses_needed(tile, landing, table)
            if needed <= me.compasses:
                yield move(by=seat, to=landing.to, compass=needed > 0)


@rules.offers(Pause, Leave, End, OpenChest)
def bare_verbs(
    state: Tableau, seat: str, table: RuleContext[Box]
) -> Iterator[Pause | Leave | End | OpenChest]:
    yield from (Pause(by=seat), Leave(by=seat), End(by=seat), OpenChest(by=seat))


@rules.offers(Draw)
def draws(state: Tableau, seat: str | None, table: RuleContext[Box]) -> Iterator[Draw]:
    kinds = sorted(state.bags.blue)
    if state.agenda.owes("gifts") is None:
        yield from (draw(objects=(kind,)) for kind in kinds)
        return
    count = min(table.kit.services.prince_draws, state.bags.blue.size)
    for objects in combinations_with_replacement(kinds, count):
        if state.bags.blue.holds(objects):
            yield draw(objects=objects)


@rules.offers(Keep)
def keeps(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Keep]:
    if state.held is not None and state.held.source == "prince":
        offered: tuple[str | None, ...] = tuple(dict.fromkeys(state.held.objects))
    else:
        offered = (None,)
    for thing in offered:
        shown = thing or object_in_question(state, seat)
        yield Keep(by=seat, object=thing)
        if shown in table.kit.objects.coins:
            yield Keep(by=seat, object=thing, coin=True)
        if table.reading("full_pack") == "swap_on_tile":
            for dropped in dict.fromkeys(state.players[seat].pack):
                yield Keep(by=seat, object=thing, dropped=dropped)
                if shown in table.kit.objects.coins:
                    yield Keep(by=seat, object=thing, coin=True, dropped=dropped)


@rules.offers(Barter)
def barters(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Barter]:
    me, kit = state.players[seat], table.kit
    for row, tokens in state.fairy.items():
        cost = kit.fairy.cost[row]
        silvers = [silver for silver in (False, True) if _can_pay(me, cost, silver, table)]
        for taken in dict.fromkeys(tokens):
            coins = (False, True) if taken in kit.objects.coins else (False,)
            for silver in silvers:
                for coin in coins:
                    if coin or room(me.pack, taken, kit):
                        yield barter(by=seat, row=row, object=taken, silver=silver, coin=coin)


def _can_pay(me: Player, cost: int, silver: bool, table: RuleContext[Box]) -> bool:
    return accepts_silver(me, cost, table) if silver else me.copper >= cost


@rules.offers(Put)
def puts(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Put]:
    yield from (Put(by=seat, cell=cell) for cell in put_targets(state, table)[1])


@rules.offers(Coin)
def coins(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Coin]:
    for token in dict.fromkeys(state.players[seat].pack):
        if token in table.kit.objects.coins:
            yield Coin(by=seat, object=token)


@rules.offers(Meet)
def meetings(state: Tableau, seat: str | None, table: RuleContext[Box]) -> Iterator[Meet]:
    yield from (Meet(character=character) for character in state.cards.deck)


@rules.offers(Upper, Lower, Apple)
def missions(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Upper | Lower | Apple]:
    character = character_met(state, seat)
    if character not in CREDITORS:
        return
    me = state.players[seat]
    upper = mission(table.kit, character, "upper")
    if can_meet(me, upper):
        yield Upper(by=seat)
        if upper.reward is not None:
            yield Upper(by=seat, none=True)
    if can_meet(me, mission(table.kit, character, "lower")):
        yield Lower(by=seat)
    yield Apple(by=seat)


@rules.offers(Decline, CallPrince, Ring, Buy)
def short_answers(
    state: Tableau, seat: str, table: RuleContext[Box]
) -> Iterator[Decline | CallPrince | Ring | Buy]:
    met = character_met(state, seat)
    match met:
        case "prince":
            yield CallPrince(by=seat)
        case "merchant":
            yield Buy(by=seat)
        case "spirit":
            yield Ring(by=seat)
    if met == state.cards.met:
        yield Decline(by=seat)


@rules.offers(RideUnicorn)
def rides(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[RideUnicorn]:
    if character_met(state, seat) != "unicorn":
        return
    saddles = (False, True) if "saddle" in state.players[seat].pack else (False,)
    for cell in state.forest.tiles:
        yield from (ride(by=seat, to=cell, saddle=saddle) for saddle in saddles)


@rules.offers(Sell)
def sales(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Sell]:
    if character_met(state, seat) != "merchant":
        return
    pack = state.players[seat].pack
    for count in range(1, table.kit.services.merchant_buys + 1):
        yield from (Sell(by=seat, objects=objects) for objects in combinations(pack, count))


@rules.offers(AskGoblin)
def swaps(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[AskGoblin]:
    if character_met(state, seat) != "goblin":
        return
    for given in dict.fromkeys(state.players[seat].pack):
        for wanted in sorted(state.bags.blue):
            yield ask_goblin(by=seat, object=wanted, given=given)


@rules.offers(AskBeggar)
def beggings(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[AskBeggar]:
    if character_met(state, seat) == "beggar":
        yield from (AskBeggar(by=seat, character=name) for name in state.cards.deck)


@rules.offers(TradeAtWell)
def trades(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[TradeAtWell]:
    pack = state.players[seat].pack
    for objects in combinations(pack, table.kit.well.objects):
        yield TradeAtWell(by=seat, objects=objects)
    yield TradeAtWell(by=seat, gets="silver")
    yield TradeAtWell(by=seat, gets="apple")
    yield TradeAtWell(by=seat)


@rules.offers(Block)
def blocks(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Block]:
    me = state.players[seat]
    for thing in dict.fromkeys(thing for thing in me.pack if thing in table.kit.heavy):
        for gap, touched in gaps(state, table).items():
            if me.pos in touched and gap not in state.forest.gaps:
                yield Block(by=seat, object=thing, gap=gap)


@rules.offers(Unblock)
def unblocks(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[Unblock]:
    pos = state.players[seat].pos
    if pos is not None:
        yield from (Unblock(by=seat, gap=gap) for gap in blockers_at(state, pos, table))


@rules.offers(PlaceSpirit)
def appearances(state: Tableau, seat: str, table: RuleContext[Box]) -> Iterator[PlaceSpirit]:
    yield from (PlaceSpirit(by=seat, cell=cell) for cell in spirit_targets(state, table)[1])
