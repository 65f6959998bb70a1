"""The way through a box of The Round Forest: pawns and boards, then the tokens, then the tiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engines.kernel.box.board import Board, Space
from engines.kernel.box.guide import Code, Guide, Look, Spelling
from engines.kernel.picture.chart import Chart
from engines.roundforest.kit import Box

_SYMBOLS = {
    "1": (3, 1), "2": (3, 0), "3": (5, 2), "4": (6, 2),
    "5": (3, 3), "6": (3, 4), "7": (1, 2), "8": (0, 2),
}  # fmt: skip
"""North, east, south, west of a tile: the inner symbol, then the outer one."""


def looks(box: Box) -> Iterator[Look]:
    yield Look("colours", ("colours",), "pawns", "colours")
    for players in box.boards:
        fields = ("columns", "rows", "corners", "wells")
        paths = tuple(f"boards.{players}.{name}" for name in fields)
        yield Look(f"boards.{players}", paths, "boards", players)
    yield Look("objects", tuple(_objects(box)), "objects", "objects")
    for kind, tiles in (("plain", box.faces.plain), ("well", box.faces.well)):
        for tile in tiles:
            yield Look(f"faces.{tile}", (f"faces.{kind}.{tile}",), "tile", tile)


def _objects(box: Box) -> Iterator[str]:
    yield "objects.marked"
    yield from (f"objects.count.{name}" for name in box.objects.count)


def names(box: Box, path: str) -> tuple[str, ...]:
    _, _, rest = path.partition("boards.")
    players, _, field = rest.partition(".")
    if field not in ("corners", "wells"):
        return ()
    board = next(board for name, board in box.boards.items() if name == players)
    rows = range(1, board.rows + 1)
    return tuple(f"{column}{row}" for row in rows for column in board.columns)


def spelling(path: str) -> Spelling:
    """A face: 1 for each white symbol, 0 for each other one."""
    return Spelling(("0", "1"), 8, "/") if path.startswith("faces.") else Spelling()


def chart(box: Box, name: str) -> Chart | None:
    return Chart(_SYMBOLS) if name == "tile" else None


def codes(box: Box) -> Iterator[Code]:
    for tile, face in box.faces_by_id.items():
        yield Code("tile", tile, (face, box.turns.get(tile, "cw")))
    for name in box.objects.count:
        yield Code("objects", name, (name,))
    for character in box.characters:
        yield Code("characters", character, (character,))


def rests_on(box: Box, state: Any, clause: str, facts: Mapping[str, Any]) -> Iterator[str]:
    """Which ways a tile opens is printed on its face; where cells, corners and wells are, on the
    board."""
    layout = box.layout(len(state.seats))
    told = (facts.get("cell", ""), *facts.get("cells", ()), *facts.get("outside", ()))
    if any(str(cell).isalnum() for cell in told):
        yield from (f"boards.{layout}.{seen}" for seen in _BY_THE_BOARD.get(clause, ()))
    tile = state.forest.tiles.get(facts.get("cell")) if clause in _BY_THE_FACE else None
    if tile is not None and tile.id is not None:
        kind = "well" if tile.id in box.faces.well else "plain"
        yield f"faces.{kind}.{tile.id}"


def boards(box: Box) -> Iterator[Board]:
    """Each layout as a grid: which of its cells are corners, and which have a well."""
    for players, layout in box.boards.items():
        lists = (f"boards.{players}.corners", f"boards.{players}.wells")
        cells = tuple(
            Space(
                f"{column}{row}",
                "cells",
                f"boards.{players}",
                lists=lists,
                start=((at + 0.5) / len(layout.columns), 1 - (row - 0.5) / layout.rows),
            )
            for row in range(1, layout.rows + 1)
            for at, column in enumerate(layout.columns)
        )
        yield Board(f"boards.{players}", cells)


_BY_THE_BOARD = {
    "RND-MOVE-1": ("corners",),
    "RND-MOVE-3": ("corners",),
    "RND-MOVE-11": ("columns", "rows"),
    "RND-SET-2": ("corners", "columns", "rows"),
    "RND-SET-3": ("corners", "columns", "rows"),
    "RND-SET-5": ("wells",),
}
_BY_THE_FACE = ("RND-MOVE-5", "RND-MOVE-6", "RND-CMP-5")
_SETS = frozenset(("corners", "wells", "marked"))
GUIDE: Guide[Box] = Guide(looks, names, spelling, chart, _SETS, codes, rests_on, boards)
