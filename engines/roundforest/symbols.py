"""Small drawings: objects, characters, chips, pawns, drawn as paths in a box of 24 by 24."""

from __future__ import annotations

from functools import cache

from engines.kernel.picture.svg import INK, WHITE, Svg, at, el, group, polygon, ring, text

ORANGE = "#d9730d"
EMERALD = "#0a8f5b"
CHIP_COLOURS = {"blue": "#3f7fd1", "yellow": "#f2c531", "red": "#d2432f"}
PAWN_COLOURS = {"red": "#c62828", "blue": "#1c5fb0", "green": "#2e7d32", "yellow": "#f4c20d"}
UNKNOWN_COLOUR = "#8a8178"
GOLD = "#e2a400"
COIN_COLOURS = {"copper": "#c47a45", "silver": "#cfd4da"}
KIND_COLOURS = {"friendly": "#2e7d32", "hostile": "#c62828", "altruistic": "#b8860b"}

_COIN = "M12 3a9 9 0 100 18 9 9 0 000-18zM12 5.5a6.5 6.5 0 110 13 6.5 6.5 0 010-13z"
_PATHS = {
    "anvil": "M2 7h13c1 3 4 4 7 4v2h-7l-1 4h4v3H5v-3h4l-1-4C5 13 2 11 2 7z",
    "barrel": "M7 3h10c2 5 2 13 0 18H7C5 16 5 8 7 3zM6 8h12v1.5H6zM6 15h12v1.5H6z",
    "saddle": "M2 8c4-3 6 2 10 0s6-4 10-2c0 5-4 6-7 7l2 6-3 3-3-8c-5 1-9-2-9-6z",
    "chest": "M3 11V8c0-3 2-4 4-4h10c2 0 4 1 4 4v3h-6V9h-6v2zM3 13h6v2h6v-2h6v7H3z",
    "stone": "M3 18l2-8 6-6 6 2 4 8-2 6-10 1zM8 11l4-3 1 3-3 3z",
    "helmet": "M4 20v-7C4 7 8 3 12 3s8 4 8 10v7h-5v-6h-2v-4h-2v4H9v6z",
    "horseshoe": "M5 20C1 9 6 3 12 3s11 6 7 17h-4c4-9 1-13-3-13s-7 4-3 13z",
    "hat": "M1 17c4 4 18 4 22 0-1-2-4-2-6-3L16 5c-2-2-6-2-8 0l-1 9c-2 1-5 1-6 3z",
    "cheese": "M2 19v-7L16 4c4 1 6 4 6 8v7zM8 13a2 2 0 100 4 2 2 0 000-4zM16 10a2 2 0 100 4z",
    "kettle": "M5 10h11l4-4 2 2-4 5v5c0 3-2 4-4 4H8c-3 0-5-1-5-4 0-4 0-6 2-8zM7 8c0-7 9-7 9 0h-2"
    "c0-4-5-4-5 0z",
    "cross": "M10 2h4v6h6v4h-6v10h-4V12H4V8h6z",
    "jug": "M7 2h8v5c2 0 6 1 5 5-1 3-3 3-4 3 0 5-2 7-5 7s-6-2-6-8c0-4 1-6 2-7zM16 9v4c3-1 3-4 0-4z",
    "spoon": "M12 2c3 0 4 3 4 5s-1 4-3 5v10h-2V12c-2-1-3-3-3-5s1-5 4-5z",
    "mortar": "M3 11h10l5-9 3 1-4 8h4c0 4-2 6-4 7l1 4H6l1-4c-2-1-4-3-4-7z",
    "mushroom": "M2 13c0-6 4-10 10-10s10 4 10 10h-7l1 8H8l1-8z",
    "bottle": "M10 2h4v6c3 2 4 3 4 6v6c0 1-1 2-2 2H8c-1 0-2-1-2-2v-6c0-3 1-4 4-6zM8 14v4h8v-4z",
    "key": "M7 6a6 6 0 106 8h2v4h3v-4h1v3h3v-7H13a6 6 0 00-6-4zM7 10a2 2 0 110 4 2 2 0 010-4z",
    "sword": "M22 2l-2 6-9 9-4-4 9-9zM4 12l8 8-2 2-2-2-4 3-3-3 3-4-2-2z",
    "boots": "M7 2h7v11l7 3c2 2 1 4 1 5H6c0-7 1-12 1-19z",
    "potion": "M8 2h8v2h-1v5l5 8c1 3-1 5-3 5H7c-2 0-4-2-3-5l5-8V4H8zM9 14l-2 3h10l-2-3z",
    "copper_token": _COIN + "M12 9.5a2.5 2.5 0 100 5 2.5 2.5 0 000-5z",
    "silver_token": _COIN + "M8 10h8v1.5H8zM8 13h8v1.5H8z",
    "smith": "M3 4h13l4 3-4 3h-4v12H8V10H3z",
    "innkeeper": "M4 4h12v3h5v10h-5v4H4zM16 9v6h3V9z",
    "sculptor": "M15 1l7 7-5 4-6-6zM10 8l6 6-11 9-4-4z",
    "witch": "M1 20c3-3 6-3 8-3l3-15 5 5-2 2 2 8c3 0 4 1 6 3-7 3-15 3-22 0z",
    "bandit": "M1 8c4-2 8 0 11 1 3-1 7-3 11-1 0 5-3 9-7 9-2 0-3-2-4-3-1 1-2 3-4 3-4 0-7-4-7-9z"
    "M5 11l2 2h3zM14 13h3l2-2z",
    "demon": "M3 2c1 4 3 5 5 5h8c2 0 4-1 5-5 3 7 1 10-1 12-1 5-4 8-8 8s-7-3-8-8C2 12 0 9 3 2z"
    "M8 12l1 3h2zM13 15h2l1-3z",
    "prince": "M2 20L1 7l6 5 5-9 5 9 6-5-1 13z",
    "unicorn": "M4 22l2-10 4-4L22 1l-8 9 5 6-3 4-5-3-1 5z",
    "merchant": "M8 2h8l-3 5c5 2 8 6 8 10s-2 5-9 5-9-1-9-5 3-8 8-10zM11 11h2v8h-2z",
    "goblin": "M1 6l7 2c2-3 6-3 8 0l7-2-6 7c0 6-2 9-5 9s-5-3-5-9zM9 12h2v2H9zM13 12h2v2h-2z",
    "beggar": "M2 12h20c0 6-4 9-10 9S2 18 2 12zM7 10c-1-3 2-4 1-8h2c1 4-2 5-1 8zM13 10c-1-3 2-4 1-8"
    "h2c1 4-2 5-1 8z",
    "spirit": "M12 1l7 9h-4l6 8h-7v5h-4v-5H3l6-8H5z",
}


def drawn(x: float, y: float, size: float, *parts: object, **look: object) -> Svg:
    """Parts drawn in a box of 24 by 24, at their place and size."""
    return at(x - size / 2, y - size / 2, size / 24, *parts, **look)


@cache
def icon(name: str, x: float, y: float, size: float, colour: str = INK) -> Svg:
    """The silhouette of an object or a character."""
    return drawn(x, y, size, el("path", d=_PATHS[name], fill=colour, fill_rule="evenodd"))


def object_token(name: str, x: float, y: float, radius: float, *, heavy: bool) -> Svg:
    """A round token; heavy objects have a second, orange ring."""
    return drawn(x, y, 2 * radius, _object(name, heavy))


@cache
def _object(name: str, heavy: bool) -> Svg:
    disc = el("circle", cx=12, cy=12, r=11.5, fill=WHITE, stroke=INK)
    weight = el("circle", cx=12, cy=12, r=9.9, fill="none", stroke=ORANGE, stroke_width=2.4)
    return group(disc, weight if heavy else None, icon(name, 12, 12, 13 if heavy else 16))


def character_token(name: str, kind: str, x: float, y: float, radius: float) -> Svg:
    """Round for friendly, a diamond for hostile, a hexagon for altruistic characters."""
    return drawn(x, y, 2 * radius, _character(name, kind))


@cache
def _character(name: str, kind: str) -> Svg:
    look = {"fill": WHITE, "stroke": KIND_COLOURS[kind], "stroke_width": 2}
    shape = icon(name, 12, 12, 14)
    if name == "spirit":
        frame = el("circle", cx=12, cy=12, r=13.5, fill=EMERALD, stroke=INK)
        shape = icon(name, 12, 12, 18, WHITE)
    elif kind == "friendly":
        frame = el("circle", cx=12, cy=12, r=11, **look)
    elif kind == "hostile":
        frame = polygon(ring(12, 12, 14, 4), **look)
    else:
        frame = polygon(ring(12, 12, 12.5, 6), **look)
    return group(frame, shape)


def chip(colour: str, letter: str, x: float, y: float, radius: float) -> Svg:
    return drawn(x, y, 2 * radius, _chip(colour, letter))


@cache
def _chip(colour: str, letter: str) -> Svg:
    fill = CHIP_COLOURS[colour]
    disc = el("circle", cx=12, cy=12, r=11, fill=fill, fill_opacity=0.85, stroke=INK)
    ink = INK if colour == "yellow" else WHITE
    return group(disc, text(12, 17, letter, 14, fill=ink, font_weight="bold"))


@cache
def pawn(colour: str, seat: str, x: float, y: float, height: float) -> Svg:
    """A pawn with the letter of its seat."""
    look = {"fill": PAWN_COLOURS.get(colour, UNKNOWN_COLOUR), "stroke": INK, "stroke_width": 1.2}
    ink = INK if colour == "yellow" else WHITE
    return drawn(
        x,
        y,
        height,
        el("path", d="M3 23c0-9 5-8 5-13h8c0 5 5 4 5 13z", **look),
        el("circle", cx=12, cy=6, r=5, **look),
        text(12, 21.5, seat, 11, fill=ink, font_weight="bold"),
    )


@cache
def backpack(colour: str, x: float, y: float, size: float) -> Svg:
    """The board of a player's backpack."""
    look = {"stroke": INK, "stroke_width": 1}
    fill = PAWN_COLOURS.get(colour, UNKNOWN_COLOUR)
    return drawn(
        x,
        y,
        size,
        el("path", d="M8 5V1h8v4", fill="none", **look),
        el("rect", x=2, y=4, width=20, height=19, rx=5, fill=fill, **look),
        el("rect", x=6, y=13, width=12, height=7, rx=2, fill="none", **look),
    )


@cache
def compass(x: float, y: float, radius: float, *, spent: bool = False) -> Svg:
    """A compass; of a spent one only the dashed outline is left."""
    if spent:
        outline = el("circle", cx=12, cy=12, r=11, fill="none", stroke=INK, stroke_dasharray="3 3")
        return drawn(x, y, 2 * radius, outline)
    face = el("circle", cx=12, cy=12, r=11, fill=WHITE, stroke=INK, stroke_width=2)
    return drawn(x, y, 2 * radius, face, el("path", d="M12 3l3.5 9-3.5 9-3.5-9z", fill=INK))


@cache
def apple(x: float, y: float, radius: float, *, filled: bool) -> Svg:
    """A golden apple, or the empty place of one."""
    d = "M12 7c-4-3-10-1-10 6 0 6 4 10 7 10 2 0 4 0 6 0 3 0 7-4 7-10 0-7-6-9-10-6V2"
    fill = GOLD if filled else "none"
    dashes = None if filled else "3 2"
    look = {"fill": fill, "stroke": INK, "stroke_width": 1.5, "stroke_dasharray": dashes}
    return drawn(x, y, 2 * radius, el("path", d=d, **look))


@cache
def coin(x: float, y: float, radius: float, metal: str) -> Svg:
    """A copper coin has a hole, a silver one two bars."""
    disc = el("circle", cx=12, cy=12, r=11, fill=COIN_COLOURS[metal], stroke=INK, stroke_width=1.5)
    hole = el("circle", cx=12, cy=12, r=3.5, fill=WHITE, stroke=INK)
    bars = el("path", d="M6 9h12M6 15h12", stroke=INK, stroke_width=2)
    return drawn(x, y, 2 * radius, disc, hole if metal == "copper" else bars)


@cache
def padlock(x: float, y: float, size: float) -> Svg:
    shackle = el("path", d="M7 12V8a5 5 0 0110 0v4", fill="none", stroke=INK, stroke_width=3)
    return drawn(x, y, size, shackle, el("rect", x=4, y=12, width=16, height=11, fill=INK))


@cache
def emerald_ring(x: float, y: float, size: float) -> Svg:
    band = el("circle", cx=12, cy=15, r=7, fill="none", stroke="#b8860b", stroke_width=2.5)
    gem = polygon([(12, 1), (17, 5), (12, 10), (7, 5)], fill=EMERALD, stroke=INK)
    return drawn(x, y, size, band, gem)
