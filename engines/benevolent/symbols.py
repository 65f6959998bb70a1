"""Small drawings, each about two units high around the origin, made of paths."""

from __future__ import annotations

from engines.kernel.picture.svg import (
    GREY,
    INK,
    PAPER,
    WHITE,
    Svg,
    at,
    el,
    group,
    polygon,
    ring,
    text,
)

OTHER = "#8a8a8a"
"""Of a colour that is not among these."""
COLOURS = {
    "blue": "#0072b2",
    "red": "#c43e1c",
    "yellow": "#e8b800",
    "green": "#00805e",
    "white": "#f4f1e6",
    "black": "#2b2b2b",
    "violet": "#7d4e9e",
    "orange": "#e07b00",
    "pink": "#cc79a7",
    "brown": "#7a4f2b",
}
_PALE = ("yellow", "white", "pink", "orange")

_SOLE = (
    "M0,-1C.6,-1 .66,-.35 .5,.05C.42,.25 .42,.3 .42,.45C.42,.85 .25,1 0,1"
    "C-.25,1 -.42,.85 -.42,.45C-.42,.3 -.42,.25 -.5,.05C-.66,-.35 -.6,-1 0,-1Z"
)
_LEAF = "M-.8,.9C-.9,-.3 -.2,-.9 .9,-.95C.95,.2 .3,.85 -.6,.7"
_VEIN = "M-.8,.9L.4,-.4"


def letter_on(colour: str) -> str:
    return INK if colour in _PALE else WHITE


def sole(x: float, y: float, size: float, colour: str, letter: str) -> Svg:
    """A player's step, told by its colour and by its letter."""
    return group(
        at(
            x,
            y,
            size,
            el("path", d=_SOLE, fill=COLOURS.get(colour, OTHER), stroke=INK, stroke_width=0.1),
        ),
        text(
            x,
            y + size * 0.12,
            letter,
            size * 0.95,
            font_weight="bold",
            fill=letter_on(colour),
        ),
    )


def grey_sole(x: float, y: float, size: float) -> Svg:
    feet = [
        at(x + side * size * 0.5, y - side * size * 0.15, size * 0.75, el("path", d=_SOLE))
        for side in (-1, 1)
    ]
    return group(*feet, fill=GREY, stroke=WHITE, stroke_width=0.12)


def leaf(x: float, y: float, size: float) -> Svg:
    blade = el("path", d=_LEAF, fill="#7da453", stroke=INK, stroke_width=0.12)
    return at(x, y, size, blade, el("path", d=_VEIN, stroke=INK, stroke_width=0.12, fill="none"))


def _clover() -> Svg:
    leaves = [
        el("circle", cx=x, cy=y, r=0.36)
        for x, y in ((-0.33, -0.48), (0.33, -0.48), (-0.33, 0.14), (0.33, 0.14))
    ]
    stem = el("path", d="M0,-.15C.1,.4 .2,.7 .45,.95", fill="none", stroke_width=0.16)
    return group(*leaves, stem)


def _feather() -> Svg:
    vane = el("path", d="M-.55,.7C-.75,-.3 -.1,-.9 .7,-1C.75,-.2 .4,.5 -.35,.6Z")
    return group(vane, el("path", d="M-.75,1L.35,-.5", fill="none", stroke_width=0.12))


def _crystal() -> Svg:
    facets = el("path", d="M-.6,-.3L.6,-.3M-.2,-.3L0,.95L.2,-.3L0,-.95Z", fill="none")
    return group(polygon([(0, -0.95), (0.6, -0.3), (0, 0.95), (-0.6, -0.3)]), facets)


def _amber() -> Svg:
    drop = el("path", d="M0,-.95C.35,-.35 .7,0 .7,.35A.7,.62 0 0 1 -.7,.35C-.7,0 -.35,-.35 0,-.95Z")
    return group(drop, el("ellipse", cx=0.05, cy=0.35, rx=0.2, ry=0.12, fill=INK))


def _statuette() -> Svg:
    return group(
        el("circle", cx=0.0, cy=-0.62, r=0.3),
        el("path", d="M-.3,-.3L.3,-.3L.45,.5L-.45,.5Z"),
        el("rect", x=-0.62, y=0.5, width=1.24, height=0.4),
    )


_GIFTS = {
    "clover": ("#9ccf6a", _clover),
    "feather": ("#b79ad1", _feather),
    "crystal": ("#e88f80", _crystal),
    "amber": ("#f2cd5c", _amber),
    "statuette": ("#f7f4ea", _statuette),
}


def gift(x: float, y: float, size: float, kind: str, *, owned: bool = True) -> Svg:
    """A gift token; a missing one is an empty ring with the gift in outline."""
    colour, drawing = _GIFTS[kind]
    disc = el(
        "circle",
        r=1.0,
        fill=colour if owned else "none",
        stroke=INK if owned else GREY,
        stroke_width=0.08,
        stroke_dasharray=None if owned else "0.25 0.2",
    )
    ink = {"fill": PAPER, "stroke": INK} if owned else {"fill": "none", "stroke": GREY}
    return at(x, y, size, disc, at(0, 0, 0.62, group(drawing(), stroke_width=0.12, **ink)))


def _altar() -> Svg:
    return group(
        el("rect", x=-0.95, y=-0.35, width=1.9, height=0.4),
        el("rect", x=-0.6, y=0.05, width=1.2, height=0.75),
        el("path", d="M-.3,-.35C-.3,-.8 .3,-.8 .3,-.35Z"),
    )


def _nest() -> Svg:
    return group(
        el("ellipse", cx=-0.25, cy=-0.12, rx=0.28, ry=0.4),
        el("ellipse", cx=0.28, cy=-0.08, rx=0.28, ry=0.4),
        el("path", d="M-1,-.05C-.8,1 .8,1 1,-.05C.5,.25 -.5,.25 -1,-.05Z", fill="#8a6a3c"),
    )


def _pond() -> Svg:
    waves = [f"M-.6,{y}q.2,-.2 .4,0t.4,0t.4,0" for y in (-0.15, 0.2)]
    return group(
        el("ellipse", rx=1.0, ry=0.62, fill="#7fb6cc"),
        el("path", d="".join(waves), fill="none"),
    )


def _circle() -> Svg:
    stones = [el("circle", cx=x, cy=y * 0.8, r=0.2) for x, y in ring(0, 0, 0.8, 8)]
    return group(*stones, fill="#b9b6ac")


def _tablet() -> Svg:
    lines = "M-.4,-.45L.4,-.45M-.4,-.1L.4,-.1M-.4,.25L.15,.25"
    return group(
        el("rect", x=-0.68, y=-0.85, width=1.36, height=1.6, rx=0.15),
        el("path", d=lines, fill="none"),
    )


_SITES = {
    "altar": ("#dccba3", _altar),
    "meadow": ("#b7d68c", _clover),
    "nest": ("#cfb78d", _nest),
    "pond": ("#b3d3c4", _pond),
    "circle": ("#c6cab0", _circle),
    "wooden_table": ("#caa97c", _tablet),
}


def ground(site: str) -> str:
    return _SITES[site][0]


def site(x: float, y: float, size: float, kind: str) -> Svg:
    drawing = _SITES[kind][1]
    return at(x, y, size, group(drawing(), fill=PAPER, stroke=INK, stroke_width=0.1))
