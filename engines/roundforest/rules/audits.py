"""Counts and things seen at the table, compared with what the log says."""

from __future__ import annotations

from collections.abc import Collection

from engines.kernel import RuleContext
from engines.roundforest.kit import CHARACTERS, FACINGS, OBJECTS, Box
from engines.roundforest.rules.book import rules
from engines.roundforest.rules.characters import CREDITORS
from engines.roundforest.state import Tableau
from engines.roundforest.words import FACING_NAMES

NOTHING = "none"
AT_HOME = "pack"


@rules.counts("black_bag")
def chips_in_bag(state: Tableau, table: RuleContext[Box]) -> int:
    return state.bags.black.size


@rules.counts("blue_bag")
def objects_in_bag(state: Tableau, table: RuleContext[Box]) -> int:
    return state.bags.blue.size


@rules.counts("aside_chips")
def chips_aside(state: Tableau, table: RuleContext[Box]) -> int:
    return state.bags.aside.size


@rules.counts("deck")
def cards_in_deck(state: Tableau, table: RuleContext[Box]) -> int:
    return len(state.cards.deck)


def _cells(state: Tableau, table: RuleContext[Box]) -> Collection[str]:
    return state.board(table.kit).cells


@rules.counts("{cell}", cell=_cells, when=FACING_NAMES.__contains__, stated=tuple(FACINGS))
def facing(state: Tableau, table: RuleContext[Box], cell: str) -> str:
    tile = state.forest.tiles.get(cell)
    return NOTHING if tile is None else tile.facing


@rules.counts("{cell}", cell=_cells, when=lambda stated: "/" in stated)
def face_as_it_lies(state: Tableau, table: RuleContext[Box], cell: str) -> str:
    tile = state.forest.tiles.get(cell)
    return NOTHING if tile is None else tile.face


def _lying(state: Tableau, table: RuleContext[Box]) -> Collection[str]:
    return {*table.kit.chips, *CHARACTERS, *OBJECTS, NOTHING}


@rules.counts("{cell}", cell=_cells, stated=_lying)
def content(state: Tableau, table: RuleContext[Box], cell: str) -> str:
    return state.forest.contents.get(cell, NOTHING)


@rules.counts("{seat} copper")
def copper(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    return state.players[seat].copper


@rules.counts("{seat} silver")
def silver(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    return state.players[seat].silver


@rules.counts("{seat} apples")
def apples(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    return state.players[seat].apples


@rules.counts("{seat} compasses")
def compasses(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    return state.players[seat].compasses


@rules.counts("{seat} pack", listed=True, stated={*OBJECTS, NOTHING})
def pack(state: Tableau, table: RuleContext[Box], seat: str) -> str:
    return " ".join(sorted(state.players[seat].pack)) or NOTHING


@rules.counts("{seat} debts", listed=True, stated={*CREDITORS, NOTHING})
def debts(state: Tableau, table: RuleContext[Box], seat: str) -> str:
    return " ".join(sorted(state.players[seat].debts)) or NOTHING


def _standing(state: Tableau, table: RuleContext[Box]) -> Collection[str]:
    return {*_cells(state, table), AT_HOME}


@rules.counts("{seat} pos", stated=_standing)
def place_of_pawn(state: Tableau, table: RuleContext[Box], seat: str) -> str:
    return state.players[seat].pos or AT_HOME
