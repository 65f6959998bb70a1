"""Small drawings made of paths: icons of the types, workers, tokens, spies, tiles."""

from __future__ import annotations

from collections.abc import Iterable

from engines.bethel_woods.kit import TYPES
from engines.kernel.picture.svg import INK, PAPER, WHITE, Svg, at, el, group, polygon, ring, text

ALARM = "#b3261e"
COLOURS = {"M": "#c0392b", "S": "#e9b90c", "D": "#1f6fb5", "E": "#7a3fa0"}
LETTERS = {"M": WHITE, "S": INK, "D": WHITE, "E": WHITE}

_GIRDER = "M-.8,-.9H.8V-.5H.25V.5H.8V.9H-.8V.5H-.25V-.5H-.8Z"
_CHIP = "M-.6,-.6H.6V.6H-.6ZM-.4,-.6V-1M0,-.6V-1M.4,-.6V-1M-.4,.6V1M0,.6V1M.4,.6V1"
_BOLT = "M.25,-1L-.6,.15H-.05L-.3,1L.6,-.25H.05Z"
_PAWN = (
    "M0,-1A.42,.42 0 0 1 .28,-.28C.62,-.1 .7,.3 .8,1"
    "H-.8C-.7,.3 -.62,-.1 -.28,-.28A.42,.42 0 0 1 0,-1Z"
)
_BEND = "M-1,.6V-.1Q-1,-.5 -.5,-.5H.3"
_HOOD = "M0,-1C.55,-.95 .6,-.3 .85,1H-.85C-.6,-.3 -.55,-.95 0,-1Z"
_FACE = "M0,-.6C.32,-.5 .3,-.1 0,.1C-.3,-.1 -.32,-.5 0,-.6Z"


def icon(x: float, y: float, size: float, kind: str, colour: str) -> Svg:
    """Cog, girder, chip or bolt."""
    if kind == "M":
        teeth = [
            el("rect", x=-0.2, y=-1.0, width=0.4, height=0.5, transform=f"rotate({turn})")
            for turn in range(0, 360, 60)
        ]
        wheel = el("circle", r=0.5, fill="none", stroke=colour, stroke_width=0.4)
        return at(x, y, size, group(*teeth, fill=colour), wheel)
    if kind == "D":
        return at(x, y, size, el("path", d=_CHIP, fill=colour, stroke=colour, stroke_width=0.18))
    return at(x, y, size, el("path", d=_GIRDER if kind == "S" else _BOLT, fill=colour))


def worker(x: float, y: float, size: float, kind: str) -> Svg:
    """A pawn with its letter."""
    pawn = el("path", d=_PAWN, fill=COLOURS[kind], stroke=INK, stroke_width=0.09)
    letter = text(x, y + size * 0.72, kind, size * 0.98, font_weight="bold", fill=LETTERS[kind])
    return group(at(x, y, size, pawn), letter)


def token(x: float, y: float, size: float, name: str, *, strange: bool = False) -> Svg:
    """A square malfunction: type, value and icon; a dashed rim where it was diverted to."""
    kind = name[0]
    half = size / 2
    return group(
        el(
            "rect",
            x=x - half,
            y=y - half,
            width=size,
            height=size,
            rx=size * 0.12,
            fill=COLOURS[kind],
            stroke=PAPER if strange else INK,
            stroke_width=3.5 if strange else 1.5,
            stroke_dasharray="5 4" if strange else None,
        ),
        text(x, y + size * 0.08, name, size * 0.55, font_weight="bold", fill=LETTERS[kind]),
        icon(x, y + size * 0.31, size * 0.14, kind, LETTERS[kind]),
    )


def spy(x: float, y: float, size: float, value: int, cost: tuple[str, str] | None = None) -> Svg:
    """A hooded figure with its number and, on the board, what it costs."""
    figure = at(
        x,
        y,
        size,
        el("path", d=_HOOD, fill="#111111", stroke=PAPER, stroke_width=0.08),
        el("path", d=_FACE, fill=PAPER),
    )
    number = text(x, y + size * 0.78, value, size * 0.72, font_weight="bold", fill=PAPER)
    price = (
        text(x, y + size * 1.62, "".join(cost), size * 0.7, font_weight="bold", fill=PAPER)
        if cost
        else None
    )
    return group(figure, number, price)


def tile(x: float, y: float, kind: str | None, *, up: bool) -> Svg:
    """A critical tile: grey face down, with its symbol if it is known; red face up."""
    fill, ink = (ALARM, WHITE) if up else ("#a9ada4", "#4b4f48")
    card = el(
        "rect",
        x=x - 30,
        y=y - 22,
        width=60.0,
        height=44.0,
        rx=5,
        fill=fill,
        stroke=WHITE if up else INK,
        stroke_width=4 if up else 1.5,
    )
    return group(
        card, text(x, y + 9, "?", 26, fill=ink) if kind is None else effect(x, y, kind, ink)
    )


def effect(x: float, y: float, kind: str, ink: str) -> Svg:
    """The symbol of a critical tile."""
    plus = text(x + 12, y + 8, "+1", 22, font_weight="bold", fill=ink)
    if kind == "cap":
        bar = el("rect", x=x - 22, y=y - 15, width=44.0, height=6.0, fill=ink)
        return group(bar, text(x, y + 16, "6", 25, font_weight="bold", fill=ink))
    if kind == "divert":
        way = el("path", d=_BEND, fill="none", stroke=ink, stroke_width=0.3)
        tip = polygon([(1.1, -0.5), (0.2, -1.0), (0.2, 0.0)], fill=ink)
        return at(x, y, 20, way, tip)
    if kind == "buildplus":
        return group(polygon(ring(x - 14, y, 13, 6, 30), fill=ink), plus)
    if kind == "spyplus":
        return group(at(x - 14, y, 14, el("path", d=_HOOD, fill=ink)), plus)
    if kind == "extra":
        square = el("rect", x=x - 25, y=y - 11, width=22.0, height=22.0, fill=ink)
        return group(square, plus)
    coin = el("circle", cx=x, cy=y, r=17.0, fill="none", stroke=ink, stroke_width=4)
    return group(coin, text(x, y + 8, "-1", 22, font_weight="bold", fill=ink))


def legend(x: float, y: float, names: Iterable[str]) -> Svg:
    """Which letter, colour and icon is which type."""
    drawn = []
    for place, (kind, name) in enumerate(zip(TYPES, names, strict=True)):
        left = x + 178 * place
        drawn += [
            el("circle", cx=left, cy=y - 7, r=14.0, fill=COLOURS[kind], stroke=INK),
            icon(left, y - 7, 8, kind, LETTERS[kind]),
            text(left + 20, y, f"{kind} {name}", 18, anchor="start", fill=INK),
        ]
    return group(*drawn)
