"""The way through a box of Benevolent: colours, the path, the forest, the secrets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from engines.benevolent.kit import Box, Cell
from engines.benevolent.photo import centre, layout, names, shape
from engines.benevolent.rules.leaves import RESERVE
from engines.kernel.box.board import Board, Space
from engines.kernel.box.guide import Code, Guide, Look
from engines.kernel.picture.chart import Chart
from engines.kernel.picture.svg import Spot


def looks(box: Box) -> Iterator[Look]:
    yield Look("colours", ("colours.names",), "steps", "colours")
    yield Look("dream_path", tuple(_arrows(box)), "dream_path")
    yield Look("segment_shape", ("segment_shape.cells",), "segment")
    for index, segment in enumerate(box.segments):
        for side, faces in segment.sides.items():
            place = f"segments.{index}.sides.{side}"
            hexes = range(len(faces))
            paths = tuple(f"{place}.{at}.{seen}" for at in hexes for seen in ("action", "grey"))
            yield Look(f"{segment.id}{side}", paths, "segment", along=(f"segments.{index}.id",))
    for players, places in box.layouts.items():
        paths = tuple(
            f"layouts.{players}.{at}.{seen}"
            for at in range(len(places))
            for seen in ("origin", "turn", "level")
        )
        yield Look(f"layouts.{players}", paths, "layouts", str(players))
    for index, tile in enumerate(box.secrets.tiles):
        paths = tuple(f"secrets.tiles.{index}.{seen}" for seen in ("ephemeral", "permanent"))
        yield Look(tile.id, paths, "secrets", tile.id, along=(f"secrets.tiles.{index}.id",))
    for name in box.secrets.conversions:
        paths = tuple(f"secrets.conversions.{name}.{seen}" for seen in ("give", "get"))
        yield Look(name, paths, "secrets", name)


def _arrows(box: Box) -> Iterator[str]:
    for index, arrow in enumerate(box.dream_path.arrows):
        fields = ("space", "target", *(("gift",) if arrow.gift is not None else ()))
        yield from (f"dream_path.arrows.{index}.{name}" for name in fields)


def chart(box: Box, name: str) -> Chart | None:
    if name == "dream_path":
        spaces = {str(space): (float(space), 0.0) for space in range(1, box.dream_path.spaces + 1)}
        return Chart(spaces, tuple((str(a.space), str(a.target)) for a in box.dream_path.arrows))
    if name == "segment":
        cells = enumerate(box.segment_shape.cells, start=1)
        return Chart({str(number): (q + r / 2, float(r)) for number, (q, r) in cells})
    return None


def codes(box: Box) -> Iterator[Code]:
    for segment in box.segments:
        for side, faces in segment.sides.items():
            yield Code("segment", segment.id + side, tuple(face.action for face in faces))
    for tile in box.secrets.tiles:
        yield Code("ephemeral", tile.ephemeral, (tile.ephemeral,))
    for tile in box.secrets.tiles:
        yield Code("permanent", tile.permanent, (tile.permanent,))
    for gift in box.gifts:
        yield Code("gift", gift.id, (gift.id, gift.price))


def boards(box: Box) -> Iterator[Board]:
    """The path with its arrows, every side of every segment with its five sites, which show its
    outline, and the forest laid for so many players: how the segments lie together."""
    count = box.dream_path.spaces
    spaces = range(1, count + 1)
    yield Board("dream_path", tuple(_step(box, space, (space - 0.5) / count) for space in spaces))
    starts = _starts(box.segment_shape.cells)
    for index, segment in enumerate(box.segments):
        for side, faces in segment.sides.items():
            place = f"segments.{index}.sides.{side}"
            sites = tuple(
                Space(
                    str(at + 1),
                    "site",
                    f"{place}.{at}",
                    (f"{place}.{at}.action", f"{place}.{at}.grey"),
                    start=starts[at],
                )
                for at in range(len(faces))
            )
            yield Board(f"{segment.id}{side}", sites, follows=partial(shape, box))
    for players in box.layouts:
        yield _forest(box, players)


def _starts(cells: Sequence[Cell]) -> list[Spot]:
    """Where hexes would lie on a photograph that shows nothing else."""
    spots = [centre(cell) for cell in cells]
    left, top = min(spot.real for spot in spots), min(spot.imag for spot in spots)
    wide = 1 + max(spot.real for spot in spots) - left
    high = 1 + max(spot.imag for spot in spots) - top
    return [((z.real - left + 0.5) / wide, (z.imag - top + 0.5) / high) for z in spots]


def _forest(box: Box, players: int) -> Board:
    lying = list(names(box, players))
    places, cells = box.layouts[players], box.segment_shape.cells
    starts = _starts([places[slot].cell(cells[at]) for slot, at, _ in lying])
    spaces = (
        Space(
            name,
            "site",
            f"layouts.{players}.{slot}",
            () if at else (f"layouts.{players}.{slot}.level",),
            start=start,
        )
        for (slot, at, name), start in zip(lying, starts, strict=True)
    )
    return Board(f"layouts.{players}", tuple(spaces), follows=partial(layout, box, players))


def _step(box: Box, space: int, x: float) -> Space:
    arrows = enumerate(box.dream_path.arrows)
    asks = tuple(f"dream_path.arrows.{at}.target" for at, one in arrows if one.space == space)
    return Space(str(space), "spaces", "dream_path", asks, start=(x, 0.5))


def rests_on(box: Box, state: Any, clause: str, facts: Mapping[str, Any]) -> Iterator[str]:
    """Which site is printed on a hex, how many grey steps, where the segments lie, and where the
    arrows of the path lead."""
    if clause in _BY_THE_LAYOUT:
        yield from _laid(box, state, {str(facts.get("hex", "")), *facts.get("steps", ())})
    elif clause == "BEN-POND-1":
        arrows = enumerate(box.dream_path.arrows)
        yield from (
            f"dream_path.arrows.{at}.target"
            for at, one in arrows
            if one.space == facts.get("space")
        )
    elif clause in ("BEN-EPH-4", "BEN-SEC-7") and facts.get("face") in box.secrets.conversions:
        yield from (f"secrets.conversions.{facts['face']}.{seen}" for seen in ("give", "get"))
    elif clause == "BEN-ACT-2":
        yield from _printed(box, state, facts.get("hex"), "action")
    elif clause == "BEN-ACT-3" and RESERVE in facts.get("toll", ()):
        yield from _grey(box, state, facts)


_BY_THE_LAYOUT = ("BEN-MOVE-3", "BEN-MOVE-10", "BEN-MOVE-11", "BEN-MOVE-16")
"""Clauses about which hexes there are, and which of them touch."""


def _laid(box: Box, state: Any, names: set[str]) -> Iterator[str]:
    """Where the segments of some hexes lie beside the first one. Within one segment its shape says
    what touches; of a hex that is not in the forest any segment may be to blame."""
    named = {name for name in names if name.isalnum()}
    words = state.forest.laid
    if not named or any("=" in word for word in words):
        return  # nothing is told, or the table has declared its hexes by hand
    hexes = [state.forest.hexes[name] for name in named if name in state.forest.hexes]
    lying = {one.word for one in hexes} if len(hexes) == len(named) else {*words}
    if len(lying) == 1:
        yield "segment_shape.cells"
    for at, word in enumerate(words):
        if at and word in lying and len(lying) > 1:
            place = f"layouts.{len(state.players)}.{at}"
            yield from (f"{place}.{seen}" for seen in ("origin", "turn"))


def _grey(box: Box, state: Any, facts: Mapping[str, Any]) -> Iterator[str]:
    """The grey steps of the hex, where they were counted and one less could have been paid."""
    seat = facts.get("by") or state.turn.active
    name = state.arrival_of(seat)
    here = state.forest.hexes.get(name)
    counted = 0 if here is None or state.players[seat].owns("grey_pass") else here.grey
    if sum(facts["toll"].values()) - counted * box.toll.per_grey <= facts.get("leaves", 0):
        yield from _printed(box, state, name, "grey")


def _printed(box: Box, state: Any, name: str | None, seen: str) -> Iterator[str]:
    """Where a hex of the forest is printed; one that a table declared by hand is nowhere."""
    one = state.forest.hexes.get(name)
    segments = [segment.id for segment in box.segments]
    if one is not None and one.segment in segments and one.position is not None:
        place = f"segments.{segments.index(one.segment)}.sides.{one.side}"
        yield f"{place}.{one.position - 1}.{seen}"


GUIDE: Guide[Box] = Guide(looks=looks, chart=chart, codes=codes, rests_on=rests_on, boards=boards)
