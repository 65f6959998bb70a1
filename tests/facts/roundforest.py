"""When the reasons of Roundforest are true, read from the sentences alone."""

from __future__ import annotations

from collections import Counter
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
CREDITORS = frozenset({"smith", "innkeeper", "sculptor", "witch", "bandit", "demon"})
COLUMNS = "abcdef"
HEAVY = {"anvil", "barrel", "saddle", "chest", "stone"}
IN_HAND = {"OBJ", "PUT", "PRINCE"}
"""The phases in which somebody decides about what was drawn."""


def waiting_in(declared: Any) -> list[str]:
    return [*declared.held, *(thing for part in declared.drawn for thing in part.objects)]


def declares(r: Refusal) -> bool:
    return bool(r.action.verb == "position")


def declared(r: Refusal) -> Any:
    """The player of whom a position is said to be wrong."""
    return r.action.players[r.facts["field"].split(".")[1]]


def me(r: Refusal) -> Any:
    return declared(r) if declares(r) else r.state.players[r.action.seat]


def turn(r: Refusal) -> Any:
    """The turn that the player means: the one that has just passed, until the next is begun."""
    return r.state.turn_meant(r.facts.get("player"))


def coins(player: Any) -> dict[str, int]:
    owned = {"copper": player.copper, "silver": player.silver}
    return {metal: count for metal, count in owned.items() if count}


def paid(r: Refusal) -> dict[str, int]:
    """The coins that are said to be paid."""
    return {r.action.metal or "copper": r.action.paid} if r.action.paid else {}


def asked_at_well(r: Refusal) -> bool:
    """Whether the well gives what is wished for so much."""
    well = r.setting.kit.well
    prices = {
        "silver": {"copper": well.copper_for_silver},
        "apple": {"silver": well.silver_for_apple},
    }
    return r.action.verb == "well" and bool(prices.get(r.action.gets) == r.facts["wanted"])


def given_at_well(r: Refusal) -> dict[str, int]:
    """What is paid of it, and no more than the player has."""
    meant = paid(r) if r.action.paid is not None else r.facts["wanted"]
    given = {metal: min(count, getattr(me(r), metal)) for metal, count in meant.items()}
    return {metal: count for metal, count in given.items() if count}


def in_hand(r: Refusal) -> tuple[str, ...]:
    """What was drawn and is not decided yet."""
    return tuple(r.state.held.objects) if r.state.held is not None else ()


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
    contents = r.action.content if declares(r) else r.state.forest.contents
    found: str | None = contents.get(cell)
    return found


def board(r: Refusal) -> Any:
    return r.state.board(r.setting.kit)


def phases(r: Refusal) -> set[str]:
    """What a position says is still to come in the turn."""
    return {r.action.phase, *r.action.then}


def is_phase(r: Refusal) -> bool:
    return bool(r.facts["phase"] == r.action.phase)


def standing(r: Refusal, cell: str) -> list[str]:
    """Whose pawns a position puts on a tile."""
    return [seat for seat, one in r.action.players.items() if one.pos == cell]


def wells_laid(r: Refusal) -> set[str]:
    """Where the wells lie: those of a position, or with the tile that is laid."""
    if declares(r):
        return {cell for cell, text in r.action.tiles.items() if is_well(text.split())}
    return {r.action.cell} if is_well([r.action.tile, *["well"] * r.action.well]) else set()


def is_well(words: list[str]) -> bool:
    return "well" in words or words[0].startswith("W")


def has_wells_elsewhere(r: Refusal) -> bool:
    cells = r.action.tiles if declares(r) else {r.action.cell}
    at_home = {*cells} & {*r.facts["cells"]}
    return {*r.facts["cells"]} == {*board(r).wells} and wells_laid(r) != at_home


def tiles_laid(r: Refusal) -> Counter[str]:
    """How often each tile of the box lies there, with the one that is laid."""
    if declares(r):
        return Counter(text.split()[0] for text in r.action.tiles.values())
    return Counter((r.action.tile, *(tile.id for tile in r.state.forest.tiles.values())))


def places_of(r: Refusal) -> Counter[str]:
    """How many cards, or tokens, a position has of each character outside the deck."""
    tokens = [thing for thing in r.action.content.values() if thing in CHARACTERS]
    owed = [name for one in r.action.players.values() for name in one.debts]
    laid_out = [token for token in tokens if token not in CREDITORS]
    cards = Counter([*owed, *laid_out, *filter(None, [r.action.card])])
    return cards | Counter(tokens)


def debts(r: Refusal) -> list[str]:
    return [name for one in r.action.players.values() for name in one.debts]


def with_players(r: Refusal, what: str) -> int:
    return sum(getattr(one, what) for one in r.action.players.values())


def chips_out(r: Refusal) -> Counter[str]:
    """The chips of a position that are not in the black bag."""
    return Counter(r.action.content.values()) + Counter(r.action.aside_chips)


def is_apart(r: Refusal) -> bool:
    """Whether all colours and corners are different, and the corners are some of the layout."""
    places = [place.split("@") for place in r.action.places.values()]
    colours, corners = [colour for colour, _ in places], [corner for _, corner in places]
    apart = len({*colours}) == len({*corners}) == len(places)
    if len(places) == 2 and r.setting.reading("corners_2p") == "opposite":
        apart = apart and all(x != y for x, y in zip(*corners, strict=True))
    return apart and {*corners} <= {*r.facts["corners"]}


def counted(r: Refusal) -> set[str]:
    """What the state has of the subject of a count."""
    name, _, what = r.facts["subject"].partition(" ")
    bags = {"blue_bag": r.state.bags.blue, "black_bag": r.state.bags.black}
    if name in bags:
        return {str(bags[name].size)}
    if not what:
        tile = r.state.forest.tiles[name]
        return {tile.face, tile.facing, lies(r, name) or "none"}
    found = getattr(r.state.players[name], what)
    if what == "pos":
        return {found or "pack"}
    listed = " ".join(sorted(found)) if isinstance(found, tuple) else str(found)
    return {listed or "none"}


def rides_saddled(r: Refusal) -> bool:
    """Whether the saddle of the pack is given up before the new tile is used."""
    return bool(
        r.action.saddle
        and r.facts["saddle"] == "saddle" in me(r).pack
        and r.setting.reading("saddle_order") == "before"
    )


def without_saddle(r: Refusal) -> list[str]:
    pack = [*me(r).pack]
    pack.remove("saddle")
    return pack


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


def is_overfull(r: Refusal) -> bool:
    """Whether a pack of a position has too many objects, or too many heavy ones."""
    return len(me(r).pack) > 3 or len([x for x in me(r).pack if x in HEAVY]) > 1


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
    "{stranger} does not sit at this table": lambda r: (
        r.action.first == r.facts["stranger"] not in r.action.places
    ),
    "in phase {phase}, already done: {done}": lambda r: (
        is_phase(r)
        and sorted(r.action.done) == [*r.facts["done"]]
        and ({"move", "pause"} <= {*r.action.done} or r.action.phase == "START")
    ),
    "in phase {phase} nobody decides about {held}": lambda r: (
        is_phase(r)
        and r.action.held == tuple(r.facts["held"]) != ()
        and phases(r).isdisjoint(IN_HAND)
    ),
    "in phase {phase} nobody answers {card}": lambda r: (
        is_phase(r) and r.action.card == r.facts["card"] and "CHAR" not in phases(r)
    ),
    "in phase {phase} nobody has left {moved}": lambda r: (
        is_phase(r) and r.action.left == r.facts["moved"] and phases(r) == {"START"}
    ),
    "in phase {phase} the game is not over": lambda r: (
        is_phase(r) and r.action.winner is not None and r.action.phase != "OVER"
    ),
    "the game has begun": lambda r: (
        declares(r) and len(r.state.forest.tiles) == len(board(r).cells) and len(r.state.fairy) == 3
    ),
    "{subject}: {stated} at the table, {derived} by the record": lambda r: (
        r.facts["derived"] in counted(r) and r.facts["stated"] != r.facts["derived"]
    ),
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
    # the box
    "the box has {cells} cells": lambda r: (
        len(r.setting.kit.boards["2"].cells) == r.facts["cells"] != 21
    ),
    "the box has {cells} cells and {tiles} tiles": lambda r: (
        len(r.setting.kit.boards["3-4"].cells) == r.facts["cells"]
        and len(r.setting.kit.faces.plain) + len(r.setting.kit.faces.well) == r.facts["tiles"]
        and (r.facts["cells"], r.facts["tiles"]) != (32, 32)
    ),
    "the box has {faces} well {faces:tile|tiles}, and the wells on {wells}": lambda r: (
        len(r.setting.kit.faces.well) == r.facts["faces"]
        and any(
            one.wells == r.facts["wells"]
            and (r.facts["faces"] != 4 or len({*one.wells} & one.cells.keys()) != 4)
            for one in r.setting.kit.boards.values()
        )
    ),
    "the box gives {compasses}": lambda r: (
        r.setting.kit.supply.compasses_per_player == r.facts["compasses"] != 2
    ),
    "the box has {chips}": lambda r: (
        dict(r.setting.kit.chips) == r.facts["chips"] != {"blue": 24, "yellow": 16, "red": 12}
    ),
    "the box has {total}": lambda r: (
        sum(r.setting.kit.objects.count.values()) == r.facts["total"] != 39
    ),
    "the box has {copper} copper, {silver} silver, {apples} {apples:apple|apples},"
    " {rings} {rings:ring|rings}": lambda r: (
        all(getattr(r.setting.kit.supply, name) == count for name, count in r.facts.items())
        and r.facts != {"copper": 24, "silver": 12, "apples": 12, "rings": 1}
    ),
    "the box calls heavy: {heavy}": lambda r: (
        {*r.setting.kit.heavy} == {*r.facts["heavy"]} != HEAVY
    ),
    # setting up
    "the seats are {seats}": lambda r: (
        r.action.seats == r.facts["seats"]
        and "".join(r.facts["seats"]) not in ("AB", "ABC", "ABCD")
    ),
    "the table has {places}; the corners are {corners}": lambda r: (
        r.action.places == r.facts["places"]
        and r.setting.kit.board(len(r.action.places)).corners == r.facts["corners"]
        and not is_apart(r)
    ),
    "{outside} is not a cell of this layout": lambda r: (
        r.facts["outside"] not in board(r).cells
        and r.facts["outside"] in (r.action.tiles if declares(r) else [r.action.cell])
    ),
    "{facing} is none of n, e, s, w": lambda r: r.action.facing not in (*"nesw", None),
    "the box has {count} ({provenance}): {colour}; is the record wrong,"
    " or does the box have more?": lambda r: not r.state.bags.black[r.action.colour],
    "still without a tile: {missing}": lambda r: (
        bool(r.facts["missing"])
        and {*r.facts["missing"]} <= {*board(r).cells}
        and {*(r.action if declares(r) else r.state.forest).tiles}.isdisjoint(r.facts["missing"])
    ),
    "{bare} has no chip yet": lambda r: lies(r, r.facts["bare"]) is None,
    "{cell} has a chip already: {lies}": lambda r: lies(r, r.facts["cell"]) == r.facts["lies"],
    "{cell} has a tile already": lambda r: r.facts["cell"] in r.state.forest.tiles,
    "{cell} is a well": lambda r: (
        r.facts["cell"] in wells_laid(r) & {*r.action.content}
        if declares(r)
        else r.action.cell == r.facts["cell"] and r.state.forest.tiles[r.facts["cell"]].well
    ),
    "the wells belong on {cells}": has_wells_elsewhere,
    "tile {tile} lies there twice": lambda r: tiles_laid(r)[r.facts["tile"]] > 1,
    "too many on the table by {surplus}: {over}": lambda r: (
        chips_out(r)[r.facts["over"]] - r.setting.kit.chips[r.facts["over"]]
        == r.facts["surplus"]
        > 0
    ),
    "the black bag would be empty; set aside: {chips}": lambda r: (
        r.action.aside_chips == r.facts["chips"]
        and all(chips_out(r)[chip] >= count for chip, count in r.setting.kit.chips.items())
    ),
    "characters out of the deck: {characters}": lambda r: (
        r.facts["characters"] == ("spirit",)
        and r.action.spirit_in_deck
        and r.setting.reading("spirit_card") == "leaves"
    ),
    "in two places: {twice}": lambda r: (
        {name for name, count in places_of(r).items() if count > 1} == {*r.facts["twice"]}
    ),
    "the players have more than the box, by {over}": lambda r: (
        bool(r.facts["over"])
        and all(
            with_players(r, {"apple": "apples"}.get(name, name)) - count
            == getattr(r.setting.kit.supply, {"apple": "apples"}.get(name, name))
            for name, count in r.facts["over"].items()
        )
    ),
    "{seat} has not left the backpack yet": lambda r: (
        r.facts["field"] == f"players.{r.facts['seat']}" and declared(r).pos == "pack"
    ),
    "{tokens} of three are laid": lambda r: len(r.state.fairy) == r.facts["tokens"] < 3,
    "the {row} row is laid already: {lies}": lambda r: (
        r.state.fairy[r.facts["row"]] == r.facts["lies"]
    ),
    "{row} row: {tokens}": lambda r: (
        len(r.action.fairy[r.facts["row"]]) == r.facts["tokens"] > 3
        if declares(r)
        else r.action.row == r.facts["row"] and len(r.action.objects) == r.facts["tokens"] != 3
    ),
    "out of this game: {tokens}": lambda r: r.state.hard and "silver_token" in r.facts["tokens"],
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
    "{pawns} stand on {cell}": lambda r: (
        standing(r, r.facts["cell"]) == [*r.facts["pawns"]] and len(r.facts["pawns"]) > 1
    ),
    "{object} lies on {cell}, and the pack is full": lambda r: (
        lies(r, r.facts["cell"]) == r.facts["object"]
        and r.action.to == r.facts["cell"]
        and is_full(r)
    ),
    "towards {towards} the inner symbol is empty ({face})": aims,
    "towards {towards} the outer symbol is empty ({face})": aims,
    "compasses left: {compasses}": lambda r: (
        me(r).compasses == r.facts["compasses"] and (r.facts["compasses"] > 2) == declares(r)
    ),
    "no empty symbol on the way to {cell}": lambda r: r.action.to == r.facts["cell"],
    # garnishing
    "the tile left is {left}": lambda r: (
        r.state.turn.left == r.facts["left"] and r.action.cell not in (None, r.facts["left"])
    ),
    "{stands} stands on the tile left, {left}": lambda r: (
        r.action.left == r.facts["left"] and r.facts["stands"] in standing(r, r.facts["left"])
    ),
    "{under} lies on {cell}": lambda r: (
        r.action.cell == r.facts["cell"] and lies(r, r.facts["cell"]) == r.facts["under"]
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
    "{drawn} were drawn": lambda r: (
        len(waiting_in(r.action) if declares(r) else r.action.objects) == r.facts["drawn"] != 1
    ),
    "the blue bag was empty when {player} came": lambda r: (
        r.action.verb == "draw" and "move" in turn(r).done and r.state.bags.blue.size == 0
    ),
    "nothing on {cell} that {seat} has left": lambda r: (
        r.action.left_by[r.facts["cell"]] == r.facts["seat"]
        and lies(r, r.facts["cell"]) in {None, *CHIPS, *CHARACTERS}
    ),
    "{object} is stored": lambda r: r.action.object == r.facts["object"] in me(r).pack,
    "no coin left for: {object}": lambda r: (
        getattr(r.state.supply, r.setting.kit.objects.coins[r.facts["object"]]) == 0
    ),
    "drawn: {drawn}": lambda r: r.state.held.objects == r.facts["drawn"],
    "to choose from: {kept}": lambda r: r.state.held.objects == r.facts["kept"],
    "{object}: {in_bag} in the bag, {count} in the box ({provenance}); is the record wrong,"
    " or does the box have more?": in_bag,
    "put beside: {beside}": lambda r: (
        r.action.fairy_aside == tuple(r.facts["beside"]) and "REFILL" not in phases(r)
        if declares(r)
        else {*r.facts["beside"]} <= {*r.state.bags.beside}
    ),
    "{object} does not fit beside {pack}": lambda r: has_pack(r) and not fits(r, r.facts["object"]),
    "pack: {pack}": lambda r: has_pack(r) and (is_overfull(r) if declares(r) else is_full(r)),
    "pack: {pack}; {bag} in the blue bag": lambda r: (
        has_pack(r)
        and r.state.bags.blue.size == r.facts["bag"]
        and (is_full(r) or not r.facts["bag"])
    ),
    "{object} stays in the pack": lambda r: r.action.dropped == r.facts["object"],
    "{object} shows no coin": lambda r: (
        r.facts["object"] not in r.setting.kit.objects.coins
        and r.action.verb in ("keep", "barter", "coin")
        and r.facts["object"] in {r.action.object, lies(r, me(r).pos), *in_hand(r)}
    ),
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
    "no tile is possible": lambda r: (
        r.action.verb == "put"
        and {"yellow", "blue"}.isdisjoint(
            thing for cell, thing in r.state.forest.contents.items() if not r.state.pawn_on(cell)
        )
    ),
    "in the pack: {pack}": lambda r: has_pack(r) and not {"chest", "key"} <= {*me(r).pack},
    "the pack is empty": lambda r: not me(r).pack,
    # the fairy
    "in that row: {tokens}": lambda r: (
        r.state.fairy[r.action.row] == r.facts["tokens"]
        and r.action.object not in r.facts["tokens"]
    ),
    "cost {cost}, paid {paid}": lambda r: (
        r.setting.kit.fairy.cost[r.action.row] == r.facts["cost"]
        and paid(r) == r.facts["paid"] != {"copper": r.facts["cost"]}
    ),
    "cost {cost}, nothing paid": lambda r: (
        r.setting.kit.fairy.cost[r.action.row] == r.facts["cost"] > 0 == r.action.paid
    ),
    "{drawn} of the {in_bag} in the blue bag were laid": lambda r: (
        r.state.bags.blue.size == r.facts["in_bag"] > r.facts["drawn"]
        and sum((Counter(r.action.objects) & Counter(r.state.bags.blue.elements())).values())
        == r.facts["drawn"]
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
    "impossible debt: {owed}": lambda r: (
        [name for name in declared(r).debts if name not in CREDITORS] == [*r.facts["owed"]] != []
    ),
    "owed: {owed}; tokens of creditors on the forest: {tokens}": lambda r: (
        sorted(debts(r)) == sorted(r.facts["owed"])
        and sorted(x for x in r.action.content.values() if x in CREDITORS)
        == sorted(r.facts["tokens"])
        != sorted(r.facts["owed"])
    ),
    "the deck was empty when {player} came": lambda r: (
        r.action.verb == "meet" and "move" in turn(r).done and not r.state.cards.deck
    ),
    "{unusable} could not be used any more": lambda r: (
        r.action.verb == "coin" and lies(r, me(r).pos) == r.facts["unusable"]
    ),
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
    "{character} asks for {asks}; in the pack without the {saddle}: {pack}": lambda r: (
        rides_saddled(r)
        and asked(r) == tuple(r.facts["asks"])
        and without_saddle(r) == [*r.facts["pack"]]
        and not {*asked(r)} <= {*r.facts["pack"]}
    ),
    "{character} asks for {asks}; without the {saddle} the pack is empty": lambda r: (
        rides_saddled(r) and asked(r) == tuple(r.facts["asks"]) and not without_saddle(r)
    ),
    "{character}, without the {saddle}: {lacks}": lambda r: (
        rides_saddled(r)
        and lies(r, r.action.to) == r.facts["character"]
        and (r.facts["lacks"] != "no_goods" or (not without_saddle(r) and me(r).silver == 0))
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
    "the deck is empty": lambda r: not r.state.cards.deck,
    "{seat} has no apple": lambda r: (
        (r.action.verb, r.action.seat) == ("apple", r.facts["seat"]) and me(r).apples == 0
    ),
    "the debtor is {debtor}": lambda r: (
        (r.state.cards.met or lies(r, me(r).pos)) in r.state.players[r.facts["debtor"]].debts
    ),
    "asked: {coins}; paid: {paid}": lambda r: (
        r.action.verb == "upper" and r.facts["coins"] != r.facts["paid"] == paid(r)
    ),
    "asked: {coins}; owned: {owned}": lambda r: wants(r) and r.facts["owned"] == coins(me(r)),
    "asked: {coins}, {objects}; paid: {paid}": lambda r: (
        r.action.verb == "lower" and r.facts["coins"] != r.facts["paid"] == paid(r)
    ),
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
    "{price} copper asked; paid: {paid}": lambda r: (
        r.action.verb == "beggar" and paid(r) == r.facts["paid"] != {"copper": r.facts["price"]}
    ),
    "{price} copper asked, nothing paid": lambda r: (
        (r.action.verb, r.action.paid) == ("beggar", 0) and r.facts["price"] > 0
    ),
    "{apples} {apples:apple|apples} for nothing": lambda r: (
        (r.action.verb, r.action.paid, r.action.amount) == ("buy", 0, r.facts["apples"])
    ),
    "{price} copper {price:coin is|coins are} asked, {copper} {copper:is|are} there": lambda r: (
        me(r).copper == r.facts["copper"] < r.facts["price"]
    ),
    "{character} could not be used any more": lambda r: lies(r, me(r).pos) == r.facts["character"],
    # the spirit
    "{seat} has debts: {debts}": lambda r: (
        r.action.winner == r.facts["seat"]
        and r.action.players[r.facts["seat"]].debts == r.facts["debts"] != ()
    ),
    "{qualified} has to reach the spirit’s token": lambda r: (
        r.action.seat == r.facts["qualified"]
        and me(r).apples >= 3
        and not me(r).debts
        and "spirit" not in r.state.forest.contents.values()
        and r.setting.reading("spirit_card_met") == "token_only"
    ),
    "nobody has 3 apples and no debt": lambda r: (
        ("SPIRIT" in phases(r) if declares(r) else r.action.verb == "spirit")
        and not any(
            player.apples >= 3 and not player.debts
            for player in (r.action if declares(r) else r.state).players.values()
        )
    ),
    "red chips: {cells}": lambda r: (
        {lies(r, cell) for cell in r.facts["cells"]} == {"red"}
        and r.action.cell not in r.facts["cells"]
    ),
    "the spirit is on the forest already": lambda r: (
        "spirit" in (r.action.content if declares(r) else r.state.forest.contents).values()
    ),
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
    "nothing instead of {wanted}": lambda r: asked_at_well(r) and not given_at_well(r),
    "not enough in the supply: {wanted}": lambda r: (
        getattr(r.state.supply, {"apple": "apples"}.get(r.facts["wanted"], r.facts["wanted"])) < 3
    ),
    "copper in the supply: {copper}": lambda r: r.state.supply.copper == r.facts["copper"],
    "this table plays without blocking": lambda r: (
        not r.state.blocking
        and (
            bool(r.action.gaps) or r.action.block_used
            if declares(r)
            else r.action.verb in ("block", "unblock")
        )
    ),
    "{light} is not heavy": lambda r: (
        r.facts["light"] not in HEAVY
        and r.facts["light"] in (r.action.gaps.values() if declares(r) else [r.action.object])
    ),
    "{gap} is not a gap of this forest": lambda r: (
        r.facts["gap"] not in board(r).gaps
        and r.facts["gap"] in (r.action.gaps if declares(r) else [r.action.gap])
    ),
    "{gives} instead of {wanted}": lambda r: (
        asked_at_well(r) and given_at_well(r) == r.facts["gives"] != r.facts["wanted"]
    ),
    "{gap} is not beside {pos}": lambda r: (
        r.facts["pos"] == me(r).pos and not beside(r, r.facts["gap"])
    ),
    "nothing lies in {gap}": lambda r: r.action.gap == r.facts["gap"] not in r.state.forest.gaps,
    "in {gap} lies: {lies}": lambda r: r.state.forest.gaps[r.facts["gap"]] == r.facts["lies"],
    "the pack is empty: {object}": lambda r: not me(r).pack,
    "{object} is not in the pack: {pack}": lambda r: (
        has_pack(r) and r.facts["object"] not in me(r).pack
    ),
}
