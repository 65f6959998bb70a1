"""Marks and arrows of notes, drawn over a picture."""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot
from typing import Any

from msgspec import Struct

from engines.kernel import Engine
from engines.kernel.picture.svg import Picture, Svg, el, group, polygon
from referee.record.entries import Noted
from referee.record.line import JudgedItem

INK = "#b00020"
EDGE = "#ffffff"


def drawn_marks(picture: Picture, notes: Iterable[Noted | _Pointing]) -> Svg | None:
    """Rings around marked spaces and arrows between them; what is not on the board is left.

    A picture of two shapes has them twice, and shows those of its own."""
    pointing = list(notes)
    if picture.other is None:
        return _marks(picture, pointing)
    drawn = (
        group(marks, data_shape=shape, display=None if shape == picture.shape else "none")
        for shape, one in picture.shapes.items()
        if (marks := _marks(one, pointing)) is not None
    )
    return group(*drawn) or None


class _Pointing(Struct, frozen=True):
    """Marks and arrows that nobody has noted."""

    marks: tuple[str, ...]
    arrows: tuple[tuple[str, str], ...]


def drawn_moves(
    picture: Picture, engine: Engine[Any, Any], before: JudgedItem, after: JudgedItem
) -> Svg | None:
    """What an action moved on the board: an arrow from place to place, a ring where it has only
    one place there."""
    moved = engine.rearranged(before.state, after.state, before.setting, after.setting).moved
    ways = [(_space(picture, one.source), _space(picture, one.target)) for one in moved]
    arrows = [way for way in ways if all(place in picture.anchors for place in way)]
    rings = {place for way in ways if way not in arrows for place in way}
    drawn = drawn_marks(picture, [_Pointing(tuple(sorted(rings)), tuple(arrows))])
    return None if drawn is None else group(drawn, data_moved="")


def _space(picture: Picture, holder: str | None) -> str:
    """The space of the picture that a holder such as ``hex.c3`` is; else what no picture has."""
    kind, _, name = (holder or "").partition(".")
    names = (holder or "", name, f"{kind}{name}", f"{kind}_{name}")
    return next((each for each in names if each in picture.anchors), "")


def named_spaces(picture: Picture) -> Svg:
    """A point for every space: nobody sees it, but a page finds there what can be pointed at."""
    points = (
        el("circle", cx=float(x), cy=float(y), r=0.0, data_space=space)
        for space, (x, y) in picture.anchors.items()
    )
    return group(*points)


def _marks(picture: Picture, notes: Iterable[Noted | _Pointing]) -> Svg | None:
    size = max(10.0, min(picture.width, picture.height) / 30)
    drawn: list[Svg] = []
    for note in notes:
        for space in note.marks:
            if space in picture.anchors:
                drawn += _ring(*picture.anchors[space], size)
        for start, end in note.arrows:
            if start in picture.anchors and end in picture.anchors:
                drawn += _arrow(picture.anchors[start], picture.anchors[end], size)
    return group(*drawn) if drawn else None


def _ring(x: float, y: float, size: float) -> list[Svg]:
    common = {"cx": float(x), "cy": float(y), "r": size, "fill": "none"}
    return [
        el("circle", **common, stroke=EDGE, stroke_width=size / 2.5),
        el("circle", **common, stroke=INK, stroke_width=size / 5, stroke_dasharray="6 3"),
    ]


def _arrow(start: tuple[float, float], end: tuple[float, float], size: float) -> list[Svg]:
    (x1, y1), (x2, y2) = start, end
    length = hypot(x2 - x1, y2 - y1)
    if not length:
        return _ring(x1, y1, size)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    neck_x, neck_y = x2 - dx * size, y2 - dy * size
    tip = [
        (float(x2), float(y2)),
        (neck_x - dy * size * 0.6, neck_y + dx * size * 0.6),
        (neck_x + dy * size * 0.6, neck_y - dx * size * 0.6),
    ]
    line = {"x1": float(x1), "y1": float(y1), "x2": neck_x, "y2": neck_y, "stroke_linecap": "round"}
    return [
        el("line", **line, stroke=EDGE, stroke_width=size / 1.8),
        polygon(tip, fill=INK, stroke=EDGE, stroke_width=2),
        el("line", **line, stroke=INK, stroke_width=size / 3.5),
    ]
