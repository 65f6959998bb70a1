"""When the reasons of Roundforest are true, read from the sentences alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.facts.refusals import Refusal

CHIPS = {"blue", "yellow", "red"}
CHARACTERS = frozenset(
    {
        *("smith", "innkeeper", "sculptor", "witch", "bandit", "demon"),
        *("prince", "unicorn", "merchant", "goblin", "beggar", "spirit"),
    }
)
COLUMNS = "abcdef"


def me(r: Refusal) -> Any:
    return r.state.players[r.action.seat]


def turn(r: Refusal) -> Any:
    """The turn that the player means: the one that has just passed, until the next is begun."""
    return r.state.turn_meant(r.facts.get("player"))


def coins(player: Any) -> dict[str, int]:
    owned = {"copper": player.copper, "silver": player.silver}
    return {metal: count for metal, count in owned.items() if count}


def offset(r: Refusal) -> tuple[int, int]:
    """Columns to the east and rows to the north, from the pawn to the tile aimed at."""
    here, there = me(r).pos, r.action.to
    return COLUMNS.index(there[0]) - COLUMNS.index(here[0]), int(there[1]) - int(here[1])


def aims(r: Refusal) -> bool:
    east, north = offset(r)
    towards = "n" if north > 0 else "s" if north < 0 else "e" if east > 0 else "w"
    tile = r.state.forest.tiles[me(r).pos]
    distance = abs(east) + abs(north)
    symbol = tile.face.split("/")["nesw".index(towards)][distance - 1]
    return r.facts["towards"] == towards and r.facts["face"] == tile.face and symbol == "0"


def lies(r: Refusal, cell: str) -> str | None:
    found: str | None = r.state.forest.contents.get(cell)
    return found


def is_due(r: Refusal) -> bool:
    due = [duty.kind for duty in r.state.agenda.duties]
    whose = r.facts.get("turn")
    seats = {r.state.turn.seat, *r.state.agenda.seats}
    return list(r.facts["due"]) == due and (whose is None or whose in seats)


def asked(r: Refusal) -> tuple[str, ...]:
    """What the upper mission of the character asks for."""
    person = r.setting.kit.characters[r.facts["character"]]
    return tuple(person.upper.give)


def wants(r: Refusal) -> bool:
    """Whether what is asked is not there."""
    objects = [*r.facts.get("objects", ())]
    short = any(me(r).pack.count(thing) < objects.count(thing) for thing in objects)
    owned = coins(me(r))
    poor = any(owned.get(metal, 0) < count for metal, count in r.facts.get("coins", {}).items())
    return short or poor


def has_pack(r: Refusal) -> bool:
    return tuple(r.facts["pack"]) == tuple(me(r).pack)


def is_full(r: Refusal) -> bool:
    return len(me(r).pack) >= 3


def fits(r: Refusal, thing: str) -> bool:
    heavy = r.setting.kit.heavy
    too_heavy = thing in heavy and any(other in heavy for other in me(r).pack)
    return not is_full(r) and not too_heavy


def came(r: Refusal) -> bool:
    return "move" in r.state.turn.done and r.state.turn.seat == r.facts["player"]


def in_bag(r: Refusal) -> bool:
    bag, thing = r.state.bags.blue, r.facts["object"]
    return bool(
        bag[thing] == r.facts["in_bag"] and r.setting.kit.objects.count[thing] == r.facts["count"]
    )


def beside(r: Refusal, gap: str) -> bool:
    """Whether the pawn stands on one of the four tiles around a gap."""
    west, north = gap.split("/")
    columns, rows = {west[0], north[0]}, {west[1], north[1]}
    return me(r).pos[0] in columns and me(r).pos[1] in rows


LACKING: dict[str, Callable[[Refusal], bool]] = {
    "full_pack": is_full,
    "no_goods": lambda r: not me(r).pack and me(r).silver == 0,
    "no_swap": lambda r: not me(r).pack or is_full(r),
    "empty_bag": lambda r: r.state.bags.blue.size == 0,
    "empty_deck": lambda r: not r.state.cards.deck,
    "empty_supply": lambda r: r.state.supply.copper == 0 or r.state.supply.apples == 0,
}

TRUTHS: dict[str, Callable[[Refusal], bool]] = {
    # the turn
    "due now: {due}": is_due,
    "it is {turn}’s turn; due now: {due}": is_due,
    "it is {turn}’s turn": lambda r: r.facts["turn"] in {r.state.turn.seat, *r.state.agenda.seats},
    "{player} has moved already": lambda r: "move" in turn(r).done,
    "{player} has paused": lambda r: "pause" in turn(r).done,
    "{player} came from the backpack": lambda r: turn(r).left is None and "move" in turn(r).done,
    "{player} has decided already": lambda r: bool({"object", "barter"} & turn(r).done),
    "{player} has bartered already": lambda r: "barter" in turn(r).done,
    "{player} has already dealt with the merchant": lambda r: "merchant" in turn(r).done,
    "{player} has already made an exchange": lambda r: "well" in turn(r).done,
    "{player} has already answered a character": lambda r: "character" in turn(r).done,
    "{player} has not come here in this turn": lambda r: not came(r),
    "one has been chosen already": lambda r: turn(r).met == "prince" and "object" in turn(r).done,
    "{seat} must place the spirit": lambda r: r.state.agenda.owes("spirit", r.facts["seat"]),
    "this is not due now": lambda r: not r.state.agenda.duties,
    # setting up
    "{outside} is not a cell of this layout": lambda r: (
        r.action.cell not in r.state.board(r.setting.kit).cells
    ),
    "{facing} is none of n, e, s, w": lambda r: r.action.facing not in (*"nesw", None),
    "the box has {count} ({provenance}): {colour}; is the record wrong, or the box ({datum})?": (
        lambda r: not r.state.bags.black[r.action.colour]
    ),
    "still without a tile: {missing}": lambda r: (
        bool(r.facts["missing"]) and r.state.forest.tiles.keys().isdisjoint(r.facts["missing"])
    ),
    "{bare} has no chip yet": lambda r: lies(r, r.facts["bare"]) is None,
    "{cell} has a chip already: {lies}": lambda r: lies(r, r.facts["cell"]) == r.facts["lies"],
    "{cell} has a tile already": lambda r: r.facts["cell"] in r.state.forest.tiles,
    "{cell} is a well": lambda r: r.state.forest.tiles[r.facts["cell"]].well,
    "the wells belong on {cells}": lambda r: (
        (r.action.cell in r.facts["cells"]) != r.action.tile.startswith("W")
    ),
    "tile {tile} lies there twice": lambda r: (
        r.facts["tile"] in [tile.id for tile in r.state.forest.tiles.values()]
    ),
    "{tokens} of three are laid": lambda r: len(r.state.fairy) == r.facts["tokens"] < 3,
    "the {row} row is laid already: {lies}": lambda r: (
        r.state.fairy[r.facts["row"]] == r.facts["lies"]
    ),
    "{row} row: {tokens}": lambda r: len(r.action.objects) == r.facts["tokens"] != 3,
    "silver tokens are out of this game: {tokens}": lambda r: (
        r.state.hard and "silver_token" in r.facts["tokens"]
    ),
    # moving
    "{cells} can be landed on": lambda r: (
        bool(r.facts["cells"]) and all(r.state.pawn_on(cell) is None for cell in r.facts["cells"])
    ),
    "{cell} does not border {corner}": lambda r: (
        me(r).corner == r.facts["corner"]
        and sum(abs(ord(x) - ord(y)) for x, y in zip(r.action.to, me(r).corner, strict=True)) != 1
    ),
    "{cell} is not in line within two tiles of {pos}": lambda r: (
        r.facts["pos"] == me(r).pos and sorted(map(abs, offset(r))) not in ([0, 1], [0, 2])
    ),
    "{cell} is a corner": lambda r: r.action.to in r.state.board(r.setting.kit).corners,
    "{cell} is outside the forest": lambda r: r.action.to not in r.state.forest.tiles,
    "{seat} stands on {cell}": lambda r: r.state.players[r.facts["seat"]].pos == r.facts["cell"],
    "towards {towards} the inner symbol is empty ({face})": aims,
    "towards {towards} the outer symbol is empty ({face})": aims,
    "compasses left: {compasses}": lambda r: me(r).compasses == r.facts["compasses"] < 2,
    "no empty symbol on the way to {cell}": lambda r: r.action.to == r.facts["cell"],
    # garnishing
    "the tile left is {left}": lambda r: (
        r.state.turn.left == r.facts["left"] and r.action.cell not in (None, r.facts["left"])
    ),
    "{garnished} has been garnished already": lambda r: (
        turn(r).left == r.facts["garnished"] and lies(r, r.facts["garnished"]) is not None
    ),
    "{garnished} still carries a chip": lambda r: lies(r, r.facts["garnished"]) in CHIPS,
    "{lies} lies on {left}": lambda r: lies(r, r.facts["left"]) == r.facts["lies"] not in CHIPS,
    "{well} is a well": lambda r: r.state.forest.tiles[r.facts["well"]].well,
    "the black bag holds {bag}": lambda r: (
        r.facts["bag"] == dict(r.state.bags.black) and r.action.colour not in r.facts["bag"]
    ),
    # objects
    "{drawn} drawn, {wanted} wanted": lambda r: (
        len(r.action.objects) == r.facts["drawn"] != r.facts["wanted"] <= 3
    ),
    "{drawn} were drawn": lambda r: len(r.action.objects) == r.facts["drawn"] != 1,
    "drawn: {drawn}": lambda r: r.state.held.objects == r.facts["drawn"],
    "to choose from: {kept}": lambda r: r.state.held.objects == r.facts["kept"],
    "{object}: {in_bag} in the bag, {count} in the box ({provenance}); is the record wrong,"
    " or the box ({datum})?": in_bag,
    "put beside: {beside}": lambda r: {*r.facts["beside"]} <= {*r.state.bags.beside},
    "{object} does not fit beside {pack}": lambda r: has_pack(r) and not fits(r, r.facts["object"]),
    "pack: {pack}": lambda r: has_pack(r) and is_full(r),
    "pack: {pack}; {bag} in the blue bag": lambda r: (
        has_pack(r)
        and r.state.bags.blue.size == r.facts["bag"]
        and (is_full(r) or not r.facts["bag"])
    ),
    "{object} stays in the pack": lambda r: r.action.dropped == r.facts["object"],
    "{object} shows no coin": lambda r: r.facts["object"] not in r.setting.kit.objects.coins,
    "not in the pack: {token}; it is empty": lambda r: not me(r).pack,
    "not in the pack: {token}; there: {pack}": lambda r: (
        has_pack(r) and r.facts["token"] not in me(r).pack
    ),
    "{seat} left it there": lambda r: r.state.forest.left_by[me(r).pos] == r.facts["seat"],
    "yellow chips: {cells}": lambda r: (
        {lies(r, cell) for cell in r.facts["cells"]} == {"yellow"}
        and r.action.cell not in r.facts["cells"]
    ),
    "possible: {cells}": lambda r: r.action.cell not in r.facts["cells"],
    "in the pack: {pack}": lambda r: has_pack(r) and not {"chest", "key"} <= {*me(r).pack},
    "the pack is empty": lambda r: not me(r).pack,
    # the fairy
    "in that row: {tokens}": lambda r: (
        r.state.fairy[r.action.row] == r.facts["tokens"]
        and r.action.object not in r.facts["tokens"]
    ),
    "cost {cost}, copper owned {copper}": lambda r: (
        me(r).copper == r.facts["copper"] < r.facts["cost"]
    ),
    "cost {cost}, owned: {copper} copper, {silver} silver": lambda r: (
        (me(r).copper, me(r).silver) == (r.facts["copper"], r.facts["silver"])
    ),
    "{tokens} {tokens:token|tokens}, {wanted} wanted": lambda r: (
        len(r.action.objects) == r.facts["tokens"] != r.facts["wanted"]
    ),
    "this is not the row to fill: {row}": lambda r: r.action.row == r.facts["row"] != "top",
    # characters
    "met: {met}": lambda r: r.facts["met"] in {r.state.cards.met, lies(r, me(r).pos)} & CHARACTERS,
    "in the deck: {deck}": lambda r: (
        r.state.cards.deck == r.facts["deck"] and r.action.character not in r.facts["deck"]
    ),
    "nobody may decline on arrival: {arrived}": lambda r: lies(r, me(r).pos) == r.facts["arrived"],
    "asked: {coins}; nothing there": lambda r: wants(r) and not coins(me(r)),
    "asked: {objects}; in the pack: {pack}": lambda r: wants(r) and has_pack(r),
    "asked: {objects}; the pack is empty": lambda r: wants(r) and not me(r).pack,
    "{character} asks for {asks}; in the pack: {pack}": lambda r: (
        has_pack(r) and asked(r) == tuple(r.facts["asks"]) and not {*asked(r)} <= {*me(r).pack}
    ),
    "{character} asks for {asks}; the pack is empty": lambda r: (
        asked(r) == tuple(r.facts["asks"]) and not me(r).pack
    ),
    "{character} asks for {coins}; {seat} has {owned}": lambda r: (
        wants(r) and r.facts["owned"] == coins(me(r))
    ),
    "{character} asks for {coins}; {seat} has no coins": lambda r: wants(r) and not coins(me(r)),
    "{character}: {lacks}": lambda r: LACKING[r.facts["lacks"]](r),
    "{seat} has {apples} {apples:apple|apples}": lambda r: me(r).apples == r.facts["apples"] < 3,
    "{seat} has {apples} {apples:apple|apples}; debts: {debts}": lambda r: (
        me(r).apples == r.facts["apples"] and me(r).debts == r.facts["debts"]
    ),
    "nobody is being met": lambda r: (
        r.state.cards.met is None and lies(r, me(r).pos) not in CHARACTERS
    ),
    "nobody was met": lambda r: lies(r, me(r).pos) not in CHARACTERS,
    "the deck is empty": lambda r: not r.state.cards.deck,
    "{seat} has no apple": lambda r: r.state.players[r.facts["seat"]].apples == 0,
    "the debtor is {debtor}": lambda r: (
        (r.state.cards.met or lies(r, me(r).pos)) in r.state.players[r.facts["debtor"]].debts
    ),
    "asked: {coins}; paid: {paid}": lambda r: r.facts["coins"] != r.facts["paid"],
    "asked: {coins}; owned: {owned}": lambda r: wants(r) and r.facts["owned"] == coins(me(r)),
    "asked: {coins}, {objects}; paid: {paid}": lambda r: r.facts["coins"] != r.facts["paid"],
    "asked: {coins}, {objects}; there: {owned}, {pack}": lambda r: (
        wants(r) and has_pack(r) and r.facts["owned"] == coins(me(r))
    ),
    "asked: {coins}, {objects}; there: {owned}": lambda r: (
        wants(r) and not me(r).pack and r.facts["owned"] == coins(me(r))
    ),
    "asked: {coins}, {objects}; there: {pack}": lambda r: (
        wants(r) and has_pack(r) and not coins(me(r))
    ),
    "asked: {coins}, {objects}; nothing there": lambda r: not me(r).pack and not coins(me(r)),
    "{bag} in the blue bag": lambda r: not me(r).pack and r.state.bags.blue.size == r.facts["bag"],
    "drawn {drawn}, wanted {wanted}": lambda r: (
        len(r.action.objects) == r.facts["drawn"] != r.facts["wanted"] < 3
    ),
    "{cell} is not a tile": lambda r: r.action.to not in r.state.forest.tiles,
    "the pawn is on {pos} already": lambda r: me(r).pos == r.action.to == r.facts["pos"],
    "{character} is on {cell}": lambda r: (
        lies(r, r.action.to) == r.facts["character"] and r.facts["cell"] == r.action.to
    ),
    "{sold} objects sold, {most} at most": lambda r: (
        len(r.action.objects) == r.facts["sold"] > r.facts["most"]
    ),
    "sold: {objects}; in the pack: {pack}": lambda r: wants(r) and has_pack(r),
    "sold: {objects}; the pack is empty": lambda r: not me(r).pack,
    "{apples} {apples:apple|apples} for {paid}; owned: {owned}": lambda r: (
        r.action.amount == r.facts["apples"] and r.facts["owned"] == coins(me(r))
    ),
    "{apples} {apples:apple|apples} for {paid}; nothing owned": lambda r: not coins(me(r)),
    "{object} is one": lambda r: r.action.object in r.setting.kit.objects.coins,
    "not in the blue bag: {object}": lambda r: r.state.bags.blue[r.action.object] == 0,
    "{missing} is not in the deck": lambda r: (
        r.action.character == r.facts["missing"] not in r.state.cards.deck
    ),
    "{price} copper asked; paid: {paid}": lambda r: r.facts["paid"] != {"copper": r.facts["price"]},
    "{price} copper {price:coin is|coins are} asked, {copper} {copper:is|are} there": lambda r: (
        me(r).copper == r.facts["copper"] < r.facts["price"]
    ),
    "{character} could not be used any more": lambda r: lies(r, me(r).pos) == r.facts["character"],
    # the spirit
    "nobody has 3 apples and no debt": lambda r: (
        not any(player.apples >= 3 and not player.debts for player in r.state.players.values())
    ),
    "red chips: {cells}": lambda r: (
        {lies(r, cell) for cell in r.facts["cells"]} == {"red"}
        and r.action.cell not in r.facts["cells"]
    ),
    "the spirit is on the forest already": lambda r: "spirit" in r.state.forest.contents.values(),
    "the spirit’s card is being met": lambda r: r.state.cards.met == "spirit",
    # wells and blocking
    "given: {gives}; in the pack: {pack}": lambda r: (
        has_pack(r)
        and any(me(r).pack.count(x) < r.facts["gives"].count(x) for x in r.facts["gives"])
    ),
    "given: {gives}; the pack is empty": lambda r: not me(r).pack,
    "{objects} {objects:object|objects} instead of {wanted}": lambda r: (
        len(r.action.objects) == r.facts["objects"] != r.facts["wanted"]
    ),
    "{amount} exchanges at once": lambda r: r.action.amount == r.facts["amount"] != 1,
    "nothing instead of {wanted}": lambda r: not r.facts["gives"],
    "not in the supply: {wanted}": lambda r: (
        getattr(r.state.supply, {"apple": "apples"}.get(r.facts["wanted"], r.facts["wanted"])) < 3
    ),
    "copper in the supply: {copper}": lambda r: r.state.supply.copper == r.facts["copper"],
    "this table plays without blocking": lambda r: not r.state.blocking,
    "{light} is not heavy": lambda r: r.action.object not in r.setting.kit.heavy,
    "{gap} is not a gap of this forest": lambda r: (
        r.action.gap not in r.state.board(r.setting.kit).gaps
    ),
    "{gives} instead of {wanted}": lambda r: r.facts["gives"] != r.facts["wanted"],
    "{gap} is not beside {pos}": lambda r: (
        r.facts["pos"] == me(r).pos and not beside(r, r.facts["gap"])
    ),
    "nothing lies in {gap}": lambda r: r.facts["gap"] not in r.state.forest.gaps,
    "in {gap} lies: {lies}": lambda r: r.state.forest.gaps[r.facts["gap"]] == r.facts["lies"],
    "the pack is empty: {object}": lambda r: not me(r).pack,
    "{object} is not in the pack: {pack}": lambda r: (
        has_pack(r) and r.facts["object"] not in me(r).pack
    ),
}
