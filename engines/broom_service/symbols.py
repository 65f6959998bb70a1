"""Small drawings: every symbol is a shape with a letter or number, never a colour alone."""

from __future__ import annotations

from functools import cache

from engines.kernel.picture.svg import (
    ACCENT,
    INK,
    WHITE,
    Svg,
    at,
    el,
    group,
    number,
    path,
    polygon,
    ring,
    text,
)

POTIONS = {"g": "#2c7a45", "o": "#c8620e", "p": "#6a3690", "w": "#3b4a5a"}
TERRAINS = {
    "forest": "#bfdcae",
    "prairie": "#f6e7a6",
    "hill": "#e0c3a0",
    "mountain": "#d3d4d8",
    "water": "#b7daf0",
}


PIECES = {
    "red": "#c8322b",
    "blue": "#1f6fb5",
    "green": "#2e8b57",
    "yellow": "#f0c419",
    "white": "#f7f5ee",
}
"""Colours of the players' pieces in the box."""


def ink_on(fill: str) -> str:
    """Dark letters on light grounds, white ones on dark grounds."""
    red, green, blue = (int(fill[i : i + 2], 16) for i in (1, 3, 5))
    return INK if 299 * red + 587 * green + 114 * blue > 140_000 else WHITE


@cache
def potion(x: float, y: float, kind: str, size: float = 1.0, *, pale: bool = False) -> Svg:
    """A bottle with the letter of its colour; pale on a ground of that colour."""
    bottle = "M-4-13h8v6l7 12q2 8-6 8h-10q-8 0-6-8l7-12z"
    glass, letter = (WHITE, POTIONS[kind]) if pale else (POTIONS[kind], WHITE)
    return at(
        x,
        y,
        size,
        path(bottle, fill=glass, stroke=INK, stroke_width=1.5),
        text(0, 10, kind, 16.5, fill=letter, font_weight="bold"),
    )


@cache
def wand(x: float, y: float, size: float = 1.0) -> Svg:
    return at(
        x,
        y,
        size,
        el("line", x1=-10.0, y1=11.0, x2=5.0, y2=-4.0, stroke=INK, stroke_width=4),
        star(6, -6, 9),
    )


@cache
def star(x: float, y: float, radius: float, fill: str = WHITE) -> Svg:
    outer, inner = ring(x, y, radius, 5, -90), ring(x, y, radius * 0.45, 5, -54)
    corners = [corner for pair in zip(outer, inner, strict=True) for corner in pair]
    return polygon(corners, fill=fill, stroke=INK, stroke_width=1.4)


@cache
def bolt(x: float, y: float, size: float = 1.0) -> Svg:
    shape = "M3-12l-9 13h5l-3 11 10-15h-6z"
    return at(x, y, size, path(shape, fill="#ffe14d", stroke=INK, stroke_width=1.4))


@cache
def amulet(x: float, y: float, letter: str, fill: str, radius: float = 9.0) -> Svg:
    return group(
        el("circle", cx=x, cy=y, r=radius, fill=fill, stroke=INK, stroke_width=1.2),
        text(x, y + radius * 0.5, letter, radius * 1.4, fill=ink_on(fill), font_weight="bold"),
    )


@cache
def arrow(x: float, y: float, turn: int = 0, size: float = 1.0) -> Svg:
    shape = path("M-10-3h10v-6l11 9-11 9v-6h-10z", fill=INK)
    return at(x, y, size, group(shape, transform=f"rotate({turn})"))


def puff(x: float, y: float, size: float = 1.0, **attributes: object) -> Svg:
    """The outline of a cloud."""
    shape = "M-22 14q-9-1-8-10 1-8 9-8 2-11 14-11 9 0 12 7 9-3 13 4 10 0 11 9 0 8-9 9z"
    drawn = {"fill": WHITE, "stroke": INK, "stroke_width": 1.6, **attributes}
    return at(x, y, size, path(shape, **drawn))


@cache
def flag(x: float, y: float, fill: str, size: float = 1.0) -> Svg:
    return at(
        x,
        y,
        size,
        el("line", x1=-6.0, y1=12.0, x2=-6.0, y2=-13.0, stroke=INK, stroke_width=2.4),
        path("M-5-13l16 6-16 6z", fill=fill, stroke=INK, stroke_width=1),
    )


@cache
def castle(x: float, y: float, banner: str) -> Svg:
    walls = "M-13 12v-17h5v5h5v-5h6v5h5v-5h5v17z"
    return group(
        at(x, y, 1, path(walls, fill=WHITE, stroke=INK, stroke_width=1.6)),
        flag(x + 6, y - 14, banner, 0.6),
    )


@cache
def crown(x: float, y: float) -> Svg:
    return at(x, y, 1, path("M-11 6l-2-13 7 6 6-9 6 9 7-6-2 13z", fill="#f2c230", stroke=INK))


@cache
def tick(x: float, y: float) -> Svg:
    return at(x, y, 1, path("M-6 0l4 5 8-10", fill="none", stroke=INK, stroke_width=2.4))


@cache
def pawn(x: float, y: float, seat: str, which: str, fill: str, lit: bool) -> Svg:
    """A witch's hat with seat and number."""
    return at(
        x,
        y,
        1,
        path(
            "M-13 13v-15h6l2-9 9-6-2 7 4 8h7v15z",
            fill=fill,
            stroke=ACCENT if lit else INK,
            stroke_width=3 if lit else 1.2,
        ),
        text(0, 10.5, f"{seat}{which}", 14, fill=ink_on(fill), font_weight="bold"),
    )


@cache
def terrain(x: float, y: float, kind: str) -> Svg:
    line = {"fill": "none", "stroke": INK, "stroke_width": 2}
    shapes = {
        "forest": path("M0-12l8 11h-5l6 8h-18l6-8h-5zM-1 7v5h3v-5z", fill=INK),
        "prairie": path("M-9 10q1-12-3-17M0 10v-19M9 10q-1-12 3-17", **line),
        "hill": path("M-13 9q6-15 12-4 5-12 13 4z", **line),
        "mountain": path("M-13 10l9-19 5 9 4-6 8 16z", fill=INK),
        "water": path("M-12-3q4-5 8 0t8 0 8 0M-12 6q4-5 8 0t8 0 8 0", **line),
    }
    return at(x, y, 1, shapes[kind])


@cache
def cross(x: float, y: float, radius: float) -> Svg:
    data = f"M{number(-radius)} {number(-radius)}L{number(radius)} {number(radius)}"
    data += f"M{number(radius)} {number(-radius)}L{number(-radius)} {number(radius)}"
    return at(x, y, 1, path(data, stroke=INK, stroke_width=2.6))
