"""What a photograph of the forest tells: how hexes lie together, from where they were tapped.

Spots are complex numbers here: a turned and enlarged picture is a product.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from math import atan2, pi, sqrt
from typing import Any

from engines.benevolent.kit import Box, Cell, Place
from engines.kernel.box.board import Places

NEAR = 0.35
"""How far from the middle of its hex somebody may tap, in parts of the distance of two hexes."""
TURNS = (0, 60, 120, 180, 240, 300)


def centre(cell: Cell) -> complex:
    """Where the middle of a hex lies, if two neighbours are 1 apart; pointy tops."""
    q, r = cell
    return complex(q + r / 2, r * sqrt(3) / 2)


def shape(box: Box, places: Places) -> dict[str, Any]:
    """The outline of a segment from its hexes, as far as they lie like hexes side by side."""
    known = box.segment_shape.cells
    names = [str(number) for number in range(1, len(known) + 1)]
    if any(name not in places for name in names):
        return {}
    found = _outline([complex(*places[name]) for name in names])
    if found is None:
        return {}
    turned = [_turned(found, turn) for turn in TURNS]
    # However it lies on the photograph: a segment of the shape that is known is that one.
    cells = known if known in turned else found
    return {"segment_shape.cells": [list(cell) for cell in cells]}


def layout(box: Box, players: int, places: Places) -> dict[str, Any]:
    """Where the other segments lie beside the first one, and how many hexes one then sees: the
    rulebook has that number too."""
    slots, cells = box.layouts[players], box.segment_shape.cells
    first = {spot: centre(slots[0].cell(cells[at])) for at, spot in _tapped(places, 0).items()}
    flat = _similar(first)
    if flat is None:
        return {}
    scale, shift = flat
    found: dict[str, Any] = {}
    laid = [slots[0]]
    for slot in range(1, len(slots)):
        seen = {at: spot * scale + shift for at, spot in _tapped(places, slot).items()}
        lying = _lying(cells, seen)
        if lying is not None:
            laid.append(lying)
            path = f"layouts.{players}.{slot}"
            found |= {f"{path}.origin": list(lying.origin), f"{path}.turn": lying.turn}
    if len(laid) == len(slots):
        visible = {place.cell(cell) for place in laid for cell in cells}
        found[f"visible_hexes.{players}"] = len(visible)
    return found


def names(box: Box, players: int) -> Iterator[tuple[int, int, str]]:
    """The hexes of a layout: which segment, which hex of it, and what it is called: ``2.1`` is the
    first hex of the second segment."""
    for slot in range(len(box.layouts[players])):
        for at in range(len(box.segment_shape.cells)):
            yield slot, at, f"{slot + 1}.{at + 1}"


def _tapped(places: Places, slot: int) -> dict[int, complex]:
    """Where the hexes of a segment were put on the photograph."""
    parts = ((name.partition("."), spot) for name, spot in places.items())
    return {int(at) - 1: complex(*spot) for (of, _, at), spot in parts if of == str(slot + 1)}


def _similar(pairs: Mapping[complex, complex]) -> tuple[complex, complex] | None:
    """What takes some spots nearest to others (least squares): by which they are multiplied, and
    what is added then; ``None`` where they are too few to tell."""
    if len(pairs) < 2:
        return None
    middle, onto = (sum(each) / len(pairs) for each in (pairs, pairs.values()))
    size = sum(abs(spot - middle) ** 2 for spot in pairs)
    scale = sum((z - onto) * (spot - middle).conjugate() for spot, z in pairs.items()) / size
    return scale, onto - scale * middle


def _lying(cells: Sequence[Cell], seen: Mapping[int, complex]) -> Place | None:
    """The place that takes the hexes of a segment to where they were seen; two hexes tell it."""
    if len(seen) < 2:
        return None
    tried = []
    for turn in TURNS:
        cells_now = _turned(cells, turn)
        off = sum(spot - centre(cells_now[at]) for at, spot in seen.items()) / len(seen)
        place = Place(origin=_hex(off), turn=turn, level=0)
        worst = max(abs(spot - centre(place.cell(cells[at]))) for at, spot in seen.items())
        tried.append((worst, turn, place))
    worst, _, place = min(tried, key=lambda one: one[:2])
    return place if worst < NEAR else None


def _outline(spots: Sequence[complex]) -> tuple[Cell, ...] | None:
    """Hexes around the first one, turned as they lie on the photograph."""
    for one, other in sorted(permutations(spots, 2), key=lambda pair: abs(pair[1] - pair[0])):
        right = other - one
        # Of the six directions in which neighbours lie, the one that goes to the right.
        if not right or not -pi / 6 < atan2(right.imag, right.real) <= pi / 6:
            continue
        seen = [(spot - spots[0]) / right for spot in spots]
        cells = tuple(map(_hex, seen))
        fits = all(abs(centre(c) - z) < NEAR for c, z in zip(cells, seen, strict=True))
        if fits and len({*cells}) == len(cells) and _whole(cells):
            return cells
    return None


def _hex(spot: complex) -> Cell:
    """The hex that a spot lies in."""
    r = round(spot.imag / centre((0, 1)).imag)
    rows = ((round(spot.real - row / 2), row) for row in (r - 1, r, r + 1))
    return min(rows, key=lambda cell: abs(centre(cell) - spot))


def _turned(cells: Sequence[Cell], turn: int) -> tuple[Cell, ...]:
    place = Place(origin=(0, 0), turn=turn, level=0)
    return tuple(place.cell(cell) for cell in cells)


def _whole(cells: Sequence[Cell]) -> bool:
    """Whether one can walk from each to each."""
    left, reached = {*cells[1:]}, [cells[0]]
    while reached:
        spot = centre(reached.pop())
        near = {cell for cell in left if abs(centre(cell) - spot) < 1.1}
        left -= near
        reached += near
    return not left
