"""How single things look: cards, emblems, symbols, tokens. Shapes and letters beside colours."""

from __future__ import annotations

from engines.bloody_grove.kit import ANIMALS, PER_ANIMAL, PER_VENERABLE, Spirit
from engines.bloody_grove.state import Token
from engines.kernel import Speech
from engines.kernel.picture.svg import GREY, INK, WHITE, Svg, el, group, polygon, ring, text

GOLD, RED = "#a67c00", "#b00020"
COLOURS = {"bear": "#8c5a2b", "owl": "#6a4fa3", "fox": "#c85a00"}
DRUIDS = {"black": "#2b2b2b", "green": "#1c7a4a"}
TINTS = {"bear": "#f3e7da", "owl": "#ebe6f6", "fox": "#fde9d6", None: "#fbf3d5"}

CARD_WIDTH, CARD_HEIGHT = 118.0, 46.0
"""Of the strip that stays visible of every card in a column."""
FULL_HEIGHT = 104.0
"""Of a whole card."""
TOKEN_WIDTH, TOKEN_HEIGHT = 34.0, 18.0
TOKENS_PER_LINE = 3


def emblem(animal: str | None, x: float, y: float, size: float, speech: Speech) -> Svg:
    """A square for the bear, a diamond for the owl, a disc for the fox; with its letter."""
    if animal is None:
        shape = polygon(ring(x, y, size, 6), fill=WHITE, stroke=GOLD, stroke_width=1.5)
        return group(shape, text(x, y + size * 0.4, "V", max(9.0, size * 1.1), fill=INK))
    fill = COLOURS[animal]
    if animal == "bear":
        side = size * 1.7
        shape = el("rect", x=x - side / 2, y=y - side / 2, width=side, height=side, fill=fill)
    elif animal == "owl":
        shape = polygon(ring(x, y, size * 1.25, 4), fill=fill)
    else:
        shape = el("circle", cx=x, cy=y, r=size, fill=fill)
    letter = speech.term(animal)[:1].upper()
    return group(shape, text(x, y + size * 0.4, letter, size * 1.15, fill=WHITE, font_weight=700))


def half(animal: str, x: float, y: float, *, left: bool) -> Svg:
    """Half a recruit symbol on an edge: bear high, owl in the middle, fox low."""
    sweep = 1 if left else 0
    return el(
        "path",
        d=f"M{x:.1f} {y - 5:.1f} A5 5 0 0 {sweep} {x:.1f} {y + 5:.1f} Z",
        fill=COLOURS[animal],
        stroke=INK,
        stroke_width=0.6,
    )


def ruse_sign(x: float, y: float) -> Svg:
    """Two arrows, one each way."""
    return el(
        "path",
        d=f"M{x - 6} {y} l4 -4 v2.5 h4 v-2.5 l4 4 l-4 4 v-2.5 h-4 v2.5 z",
        fill=INK,
    )


def arcane_sign(x: float, y: float) -> Svg:
    """A rune."""
    return el(
        "path",
        d=f"M{x - 4} {y - 6} l8 12 M{x} {y} l-4 6",
        fill="none",
        stroke=INK,
        stroke_width=2.2,
    )


def eye_sign(x: float, y: float) -> Svg:
    return group(
        el("path", d=f"M{x - 6} {y} q6 -7 12 0 q-6 7 -12 0 z", fill=WHITE, stroke=INK),
        el("circle", cx=x, cy=y, r=2.0, fill=INK),
    )


def recruit_sign(x: float, y: float) -> Svg:
    """A whole recruit symbol: a disc cut in two."""
    return group(
        el("circle", cx=x, cy=y, r=5.5, fill=WHITE, stroke=INK, stroke_width=1.4),
        el("path", d=f"M{x} {y - 5.5} v11", stroke=INK, stroke_width=1.4),
    )


def bottom_sign(x: float, y: float) -> Svg:
    """A card pulled out from under a pile."""
    return el(
        "path",
        d=f"M{x - 6} {y - 5} h12 M{x - 6} {y - 1.5} h12 M{x} {y} v6 m-3 -3 l3 3 l3 -3",
        fill="none",
        stroke=INK,
        stroke_width=1.6,
    )


SIGNS = {
    "ruse": ruse_sign,
    "arcane": arcane_sign,
    "look": eye_sign,
    "recruit": recruit_sign,
    "bottom": bottom_sign,
}


def star(x: float, y: float, worth: str) -> Svg:
    """Domination."""
    outer, inner = ring(x, y, 11, 8, -90), ring(x, y, 7.5, 8, -67.5)
    points = [point for pair in zip(outer, inner, strict=True) for point in pair]
    return group(
        polygon(points, fill="#f6d743", stroke=INK, stroke_width=0.8),
        text(x, y + 4.3, worth, 12, fill=INK, font_weight=700),
    )


def card(
    spirit: Spirit, x: float, y: float, speech: Speech, height: float = CARD_HEIGHT - 3
) -> Svg:
    """A card: the strip that tells what it does, and below it, if it is seen whole, its face."""
    frame = {"venerable": GOLD}.get(spirit.kind, INK)
    red = spirit.id.startswith("R")
    size = {"x": x, "y": y, "width": CARD_WIDTH, "height": height}
    inner = {"x": x + 3, "y": y + 3, "width": CARD_WIDTH - 6, "height": height - 6}
    parts = [
        el(
            "rect",
            **size,
            rx=7.0,
            fill=WHITE,
            stroke=RED if red else frame,
            stroke_width=3.0 if spirit.kind == "venerable" else 1.2,
            stroke_dasharray="7 2" if red else None,
        ),
        el("rect", **inner, rx=5.0, fill=TINTS[spirit.animal]),
        face(spirit, x + CARD_WIDTH / 2, y + height - 32, speech) if height > 90 else None,
        text(x + 17, y + 21, *strength(spirit), fill=INK, font_weight=700),
        emblem(spirit.animal, x + 40, y + 14, 9, speech),
        text(x + 54, y + 19, spirit.id, 14, anchor="start", fill=INK, font_weight=700),
    ]
    if spirit.domination:
        parts.append(star(x + CARD_WIDTH - 20, y + 14, _worth(spirit)))
    signs = ["ruse"] * spirit.ruse + ["arcane"] * spirit.arcane + list(spirit.effects)
    parts += [SIGNS[sign](x + 32 + 16 * i, y + 34) for i, sign in enumerate(signs)]
    parts += [
        emblem(counted, x + 76 + 14 * i, y + 33, 5.5, speech)
        for i, counted in enumerate(_counted(spirit))
    ]
    for i, animal in enumerate(ANIMALS):
        if animal in spirit.left:
            parts.append(half(animal, x, y + 9 + 13 * i, left=True))
        if animal in spirit.right:
            parts.append(half(animal, x + CARD_WIDTH, y + 9 + 13 * i, left=False))
    return group(*parts)


_HEADS = {
    "bear": "M-20,8C-22,-6 -17,-12 -14,-14A6.5,6.5 0 1 1 -6,-19C-2,-20 2,-20 6,-19"
    "A6.5,6.5 0 1 1 14,-14C17,-12 22,-6 20,8C16,20 -16,20 -20,8Z",
    "owl": "M-19,-20C-13,-16 -8,-17 0,-17C8,-17 13,-16 19,-20"
    "C23,0 18,19 0,21C-18,19 -23,0 -19,-20Z",
    "fox": "M-22,-20L-9,-13C-3,-15 3,-15 9,-13L22,-20C24,-4 16,8 0,21C-16,8 -24,-4 -22,-20Z",
}


def face(spirit: Spirit, x: float, y: float, speech: Speech) -> Svg:
    """The head of the animal; a Venerable is a crowned sign."""
    if spirit.animal is None:
        rays = ring(x, y, 24, 12)
        lines = "".join(f"M{x:.1f},{y:.1f}L{a:.1f},{b:.1f}" for a, b in rays)
        return group(
            el("path", d=lines, stroke=GOLD, stroke_width=1.4),
            emblem(None, x, y, 14, speech),
        )
    wide, drop = (7.5, 0.0) if spirit.animal == "owl" else (8.0, -2.0)
    eyes = [
        part
        for side in (-wide, wide)
        for part in (
            el("circle", cx=side, cy=drop, r=6.5 if spirit.animal == "owl" else 2.6, fill=WHITE),
            el("circle", cx=side, cy=drop, r=2.6 if spirit.animal == "owl" else 1.5, fill=INK),
        )
    ]
    nose = polygon(
        [(-3.5, 7), (3.5, 7), (0, 13)], fill="#e0a11b" if spirit.animal == "owl" else INK
    )
    head = el("path", d=_HEADS[spirit.animal], fill=COLOURS[spirit.animal], stroke=INK)
    return group(head, *eyes, nose, transform=f"translate({x:.1f} {y:.1f})")


def strength(spirit: Spirit) -> tuple[str, float]:
    """What is printed, and in which size."""
    return (str(spirit.strength), 20) if isinstance(spirit.strength, int) else ("V+", 14)


def _counted(spirit: Spirit) -> tuple[str | None, ...]:
    """What a variable strength or Domination counts in the column: animals, or Venerables."""
    if spirit.domination == PER_ANIMAL:
        return ANIMALS
    return (None,) if PER_VENERABLE in (spirit.strength, spirit.domination) else ()


def _worth(spirit: Spirit) -> str:
    return str(spirit.domination) if isinstance(spirit.domination, int) else "+"


def token(shown: Token, x: float, y: float) -> Svg:
    """Face down: dark, with its label; face up: what it shows."""
    up = shown.value is not None
    parts = [
        el(
            "rect",
            x=x,
            y=y,
            width=TOKEN_WIDTH,
            height=TOKEN_HEIGHT,
            rx=9.0,
            fill=WHITE if up else INK,
            stroke=INK,
        )
    ]
    if shown.value == "destroy":
        parts.append(skull(x + TOKEN_WIDTH / 2, y + TOKEN_HEIGHT / 2))
    else:
        said = f"+{shown.value}" if up else f"{shown.label}?"
        parts.append(text(x + TOKEN_WIDTH / 2, y + 13.5, said, 12, fill=INK if up else WHITE))
    return group(*parts)


def skull(x: float, y: float) -> Svg:
    return group(
        el("circle", cx=x, cy=y - 1, r=6.0, fill=INK),
        el("rect", x=x - 3.5, y=y + 3, width=7.0, height=4.0, fill=INK),
        el("circle", cx=x - 2.3, cy=y - 1, r=1.7, fill=WHITE),
        el("circle", cx=x + 2.3, cy=y - 1, r=1.7, fill=WHITE),
    )


def empty(x: float, y: float, height: float = CARD_HEIGHT - 3) -> Svg:
    """The place of a card where none lies."""
    return el(
        "rect",
        x=x,
        y=y,
        width=CARD_WIDTH,
        height=height,
        rx=7.0,
        fill="none",
        stroke=GREY,
        stroke_dasharray="4 3",
    )


def back(x: float, y: float, width: float, height: float) -> Svg:
    """A card lying face down."""
    return group(
        el("rect", x=x, y=y, width=width, height=height, rx=3.0, fill="#cfd8cf", stroke=INK),
        el(
            "path",
            d=f"M{x} {y} l{width} {height} M{x + width} {y} l{-width} {height}",
            stroke=GREY,
        ),
    )
