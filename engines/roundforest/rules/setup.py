"""Préparation du jeu: the box, the layout, chips, fairy board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.kernel import Agenda, Bag, Duty, Hearing, ParseError, Step, evolve
from engines.roundforest.actions import Chip, FillRow, LayTile, Table
from engines.roundforest.kit import CHARACTERS, ROWS, Box
from engines.roundforest.rules.book import TURN_END, phase, rules
from engines.roundforest.state import Bags, Cards, Forest, Player, Supply, Tableau, Tile, Turn

HEAVY = frozenset({"anvil", "barrel", "saddle", "chest", "stone"})
CHIP_COUNTS = {"blue": 24, "yellow": 16, "red": 12}
OBJECT_TOKENS = 39
SUPPLY = {"copper": 24, "silver": 12, "apples": 12, "rings": 1}
CELLS = {"2": 21, "3-4": 32}
WELLS = 4


@rules.checks_kit
def check_box(kit: Box, rule: Hearing[Box]) -> None:
    tiles = len(kit.faces.plain) + len(kit.faces.well)
    large, small = kit.boards["3-4"], kit.boards["2"]
    fits = len(large.cells) == tiles == CELLS["3-4"]
    rule("RND-SET-2", fits, cells=len(large.cells), tiles=tiles)
    rule("RND-SET-3", len(small.cells) == CELLS["2"], cells=len(small.cells))
    for board in kit.boards.values():
        wells = set(board.wells)
        at_home = wells <= board.cells.keys() and len(wells) == WELLS == len(kit.faces.well)
        rule("RND-SET-5", at_home, wells=board.wells, faces=len(kit.faces.well))
    given = kit.supply.compasses_per_player
    rule("RND-SET-9", given == 2, compasses=given)
    rule("RND-SET-10", kit.chips == CHIP_COUNTS, chips=dict(kit.chips))
    total = sum(kit.objects.count.values())
    rule("RND-SET-12", _tokens_add_up(kit), total=total)
    supply = {name: getattr(kit.supply, name) for name in SUPPLY}
    rule("RND-SET-15", supply == SUPPLY, **supply)
    rule("RND-PACK-3", kit.heavy == HEAVY, heavy=kit.objects.heavy)


def _tokens_add_up(kit: Box) -> bool:
    """Counts that nobody has checked yet give way to those that the table has declared."""
    counts = kit.objects.count
    if sum(counts.values()) == OBJECT_TOKENS:
        return True
    known = {k for k in counts if kit.provenance(f"objects.count.{k}") == "declared"}
    at_least = sum(counts[kind] for kind in known) + len(counts) - len(known)
    return 0 < len(known) < len(counts) and at_least <= OBJECT_TOKENS


@rules.opens
def open_table(opening: Table, rule: Hearing[Box]) -> Tableau:
    kit, seats = rule.kit, opening.seats
    rule("RND-SET-1", seats in (("A", "B"), ("A", "B", "C"), ("A", "B", "C", "D")), seats=seats)
    board = kit.board(len(seats))
    players = {seat: _seated(place, kit) for seat, place in opening.places.items()}
    corners = [player.corner for player in players.values()]
    colours = [player.colour for player in players.values()]
    apart = len({*corners}) == len(corners) and {*corners} <= {*board.corners}
    facts = {"places": opening.places, "corners": board.corners}
    rule("RND-SET-8", apart, **facts)
    rule("RND-SET-8", len({*colours}) == len(colours), **facts)
    if len(seats) == 2 and rule.reading("corners_2p") == "opposite":
        rule("RND-SET-8", _opposite(*corners), **facts)
    rule("RND-SET-16", opening.first in seats, stranger=opening.first)
    return Tableau(
        seats=seats,
        hard=opening.hard,
        blocking=opening.blocking,
        players=players,
        forest=Forest({}, {}, {}, {}),
        fairy={},
        bags=Bags(Bag(kit.chips), Bag(), Bag(kit.tokens(opening.hard)), ()),
        cards=Cards(tuple(sorted(CHARACTERS)), (), None),
        supply=Supply(kit.supply.copper, kit.supply.silver, kit.supply.apples),
        turn=Turn(opening.first if opening.first in seats else seats[0]),
        agenda=Agenda().push(Step("set_up")),
    )


def _seated(place: str, kit: Box) -> Player:
    colour, corner = place.split("@")
    return Player(colour, corner, None, (), 0, 0, 0, kit.supply.compasses_per_player, ())


def _opposite(one: str, other: str) -> bool:
    return one[0] != other[0] and one[1:] != other[1:]


@rules.derives("set_up")
def set_up(state: Tableau, rule: Hearing[Box]) -> Tableau:
    """What is still missing on the table, in the order of the rulebook; then play begins."""
    due = set_up_due(state, rule.kit)
    if due is not None:
        return evolve(state, agenda=state.agenda.push(Duty(due), Step("set_up")))
    return evolve(state, agenda=TURN_END.push(phase(state, "turn", rule)))


def in_set_up(state: Tableau) -> bool:
    return Step("set_up") in state.agenda


def set_up_due(state: Tableau, kit: Box) -> str | None:
    forest = state.forest
    if len(forest.tiles) < len(state.board(kit).cells):
        return "tiles"
    if any(not tile.well and cell not in forest.contents for cell, tile in forest.tiles.items()):
        return "chips"
    return "rows" if len(state.fairy) < len(ROWS) else None


def layout_clause(state: Tableau) -> str:
    return "RND-SET-3" if len(state.seats) == 2 else "RND-SET-2"


@rules.hears(LayTile)
def lay_tile(state: Tableau, action: LayTile, rule: Hearing[Box]) -> Tableau:
    board, tiles, cell = state.board(rule.kit), state.forest.tiles, action.cell
    clause = layout_clause(state)
    rule(clause, cell in board.cells, outside=cell)
    rule(clause, cell not in tiles, cell=cell)
    tile = read_tile(action, rule.kit)
    laid_twice = tile.id is not None and any(other.id == tile.id for other in tiles.values())
    rule("RND-SET-4", not laid_twice, tile=tile.id)
    rule("RND-SET-5", tile.well == (cell in board.wells), cells=board.wells)
    rule("RND-SET-6", action.facing is None or len(action.facing) == 1, facing=action.facing)
    return evolve(state, forest=evolve(state.forest, tiles={**tiles, cell: tile}))


def read_tile(action: LayTile, kit: Box) -> Tile:
    if "/" in action.tile:
        turn = "ccw" if action.ccw else "cw"
        return Tile(None, tuple(action.tile.split("/")), "n", turn, action.well)
    return kit_tile(action.tile, (action.facing or "n")[0], kit)


def kit_tile(name: str, facing: str, kit: Box) -> Tile:
    face = kit.faces_by_id.get(name)
    if face is None:
        raise ParseError("unknown_tile", tile=name)
    well = name in kit.faces.well
    return Tile(name, tuple(face.split("/")), facing, kit.turns.get(name, "cw"), well)


def lay_first_chip(state: Tableau, action: Chip, rule: Hearing[Box]) -> Tableau:
    """A chip of the set-up."""
    cell = action.cell
    if cell is None:
        raise ParseError("say_cell")
    tile = tile_at(state, cell)
    rule("RND-SET-11", not tile.well, cell=cell)
    left = state.bags.black[action.colour]
    bare = cell not in state.forest.contents
    rule("RND-SET-10", bare, cell=cell, lies=state.forest.contents.get(cell))
    doubt = {} if left else doubt_chip(action.colour, rule.kit)
    rule("RND-SET-10", left > 0, colour=action.colour, **doubt)
    rule.heard_out()
    contents = {**state.forest.contents, cell: action.colour}
    return evolve(
        state,
        forest=evolve(state.forest, contents=contents),
        bags=evolve(state.bags, black=state.bags.black.take(action.colour)),
    )


def tile_at(state: Tableau, cell: str) -> Tile:
    tile = state.forest.tiles.get(cell)
    if tile is None:
        raise ParseError("no_tile", cell=cell)
    return tile


def fill_first_row(state: Tableau, action: FillRow, rule: Hearing[Box]) -> Tableau:
    """A row of the fairy board in the set-up."""
    there, number = state.fairy.get(action.row), len(action.objects)
    fits = there is None and number == rule.kit.fairy.places
    rule("RND-SET-13", fits, row=action.row, lies=there, tokens=number)
    check_draw(state, action.objects, state.bags.blue, rule)
    return evolve(
        state,
        fairy={**state.fairy, action.row: action.objects},
        bags=evolve(state.bags, blue=state.bags.blue.take(*action.objects)),
    )


def check_draw(
    state: Tableau, objects: tuple[str, ...], bag: Mapping[str, int], rule: Hearing[Box]
) -> None:
    """Objects can only be drawn if they can still be in the bag."""
    coins = rule.kit.objects.coins
    silver = state.hard and any(coins.get(thing) == "silver" for thing in objects)
    rule("RND-SET-12", not silver, tokens=objects)
    missing = [thing for thing in objects if objects.count(thing) > bag[thing]]
    rule("RND-LOG-1", not missing, **(doubt_object(missing[0], bag, rule.kit) if missing else {}))


def doubt_object(thing: str, bag: Mapping[str, int], kit: Box) -> dict[str, Any]:
    """The count that a draw contradicts: either the log is wrong, or the kit."""
    datum = f"objects.count.{thing}"
    return {
        "object": thing,
        "in_bag": bag[thing],
        "count": kit.objects.count[thing],
        "datum": datum,
        "provenance": kit.provenance(datum),
    }


def doubt_chip(colour: str, kit: Box) -> dict[str, Any]:
    """The same for the chips of a colour."""
    datum = f"chips.{colour}"
    return {"count": kit.chips[colour], "datum": datum, "provenance": kit.provenance(datum)}
