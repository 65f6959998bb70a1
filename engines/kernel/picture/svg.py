"""A small SVG builder. Text that it did not build itself is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from html import escape
from math import cos, hypot, radians, sin
from typing import Literal, NamedTuple

from msgspec import Struct, field

from engines.kernel.messages.catalogue import END, ISOLATE, isolated
from engines.kernel.messages.errors import ParseError
from engines.kernel.messages.unsafe_text import defused
from engines.kernel.values.structs import evolve

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9:_-]*")
_PLAIN = re.compile(r"[\w \t\n#%()*+,./:;=@°·×–-]*")
"""Text that is its own markup."""

SMALL = 1000
"""Characters of markup inside an element that is kept for the next picture: 8 MB at most."""

MOST_DRAWN = 10_000
"""How many elements a picture may have: several times those of a full table."""
_budget: ContextVar[list[int] | None] = ContextVar("budget", default=None)

Spot = tuple[float, float]
"""A place in a picture: to the right, and down."""

INK = "#222222"
PAPER = "#fffdf6"
WHITE = "#ffffff"
GREY = "#7d8279"
ACCENT = "#b3005e"
"""What happened last."""
SEAT_COLOURS: Mapping[str, str] = {
    "A": "#0072b2",
    "B": "#d55e00",
    "C": "#009e73",
    "D": "#cc79a7",
    "E": "#e69f00",
}
"""Colours that colour-blind readers can tell apart; pictures add the seat's letter."""


class Svg(str):
    """Markup made by this module. With anything put before or behind it, it stays markup."""

    __slots__ = ()

    def __add__(self, other: object) -> Svg:
        return Svg(str.__add__(self, text_of(other)))

    def __radd__(self, other: object) -> Svg:
        return Svg(str.__add__(text_of(other), self))


def text_of(value: object) -> Svg:
    """Escape any text for SVG."""
    return value if isinstance(value, Svg) else Svg(_harmless(str(value)))


def _harmless(content: str) -> str:
    if _PLAIN.fullmatch(content):
        return content
    apart = content.replace(ISOLATE, "").replace(END, "")  # an element of its own is apart already
    return escape(defused(apart, allowed="\t\n"))


@lru_cache(maxsize=4096)
def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def attribute_value(value: object) -> str:
    return _harmless(number(value) if type(value) is float else str(value))


@contextmanager
def bounded() -> Iterator[None]:
    """Limits what is drawn inside to ``MOST_DRAWN`` elements.

    A record may say of its box whatever number it likes, and engines have no clock.
    """
    before = _budget.set([MOST_DRAWN])
    try:
        yield
    finally:
        _budget.reset(before)


def count_element() -> None:
    """Counts an element of a picture that is ``bounded``; refuses one too many."""
    budget = _budget.get()
    if budget is not None:
        budget[0] -= 1
        if budget[0] < 0:
            raise ParseError(UNDRAWABLE, most=MOST_DRAWN)


UNDRAWABLE = "cannot_be_drawn"


def el(tag: str, /, *children: object, **attributes: object) -> Svg:
    """An element. ``stroke_width=2`` is written ``stroke-width``, ``class_`` is ``class``;
    attributes that are ``None`` are left out."""
    count_element()
    large = sum(len(child) for child in children if type(child) is Svg) > SMALL
    return (_element if large else _small)(tag, *children, **attributes)


def _element(tag: str, /, *children: object, **attributes: object) -> Svg:
    pieces = [_start(tag)]
    for name, value in attributes.items():
        if value is None:
            continue
        pieces.append(f'{_attribute(name)}"{attribute_value(value)}"')
    inner = [inside for child in children if child is not None and (inside := text_of(child))]
    pieces += (">", *inner, f"</{tag}>") if inner else ("/>",)
    return Svg("".join(pieces))


_small = lru_cache(maxsize=8192, typed=True)(_element)
"""Successive pictures of a game differ little. ``typed``: markup and a text that looks like it
are equal, and must not be mistaken for each other."""


@cache
def _start(tag: str) -> str:
    if not _NAME.fullmatch(tag):
        raise ValueError(f"not a tag: {tag!r}")
    return f"<{tag}"


@cache
def _attribute(name: str) -> str:
    key = name.rstrip("_").replace("_", "-")
    if not _NAME.fullmatch(key) or key.lower().startswith("on"):
        raise ValueError(f"not an attribute: {key!r}")
    return f" {key}="


def joined(parts: Iterable[object]) -> Svg:
    return Svg("".join(map(text_of, parts)))


def group(*children: object, **attributes: object) -> Svg:
    return el("g", *children, **attributes)


def worded(word: object, *drawn: object) -> Svg:
    """Tag an element with its word in the notation: pages make it tappable."""
    return group(*drawn, data_word=word)


def at(x: float, y: float, size: float, *drawn: object, **attributes: object) -> Svg:
    """Scale and move what was drawn around the origin in units of one."""
    place = f"translate({x:.2f} {y:.2f}) scale({size:.3f})"
    return group(*drawn, transform=place, **attributes)


def path(data: str, **attributes: object) -> Svg:
    return el("path", d=data, **attributes)


def text(x: float, y: float, content: object, size: float = 14, **attributes: object) -> Svg:
    """Centred text; pass ``anchor="start"`` or ``"end"`` otherwise."""
    anchor = attributes.pop("anchor", "middle")
    return el(
        "text",
        content,
        x=float(x),
        y=float(y),
        font_size=float(size),
        text_anchor=anchor,
        **attributes,
    )


def fitting(content: object, size: float, room: float) -> float:
    """The font size at which a line fits a width, at most the usual size."""
    return min(size, room / (0.56 * max(1, len(str(content)))))


IN_TWO_LINES, SMALLEST = 0.68, 0.5
"""Of the usual size: a name that does not even fit so, in two lines, is cut."""


def name_in(name: str, size: float, room: float, x: float) -> tuple[str, float]:
    """A name in the width that there is, and its size: smaller, then in two lines, cut at last.

    Two lines stand around the height of the one, each beginning (or centred) at ``x``.
    """
    name = name.strip(ISOLATE + END)
    alone = fitting(name, size, room)
    lines, both = _halves(name), 0.0
    if len(lines) == 2:
        both = min(IN_TWO_LINES * size, *(fitting(line, size, room) for line in lines))
    if alone >= both:
        lines = [name]
    shown = max(alone, both, SMALLEST * size)
    most = round(room / (0.56 * shown))
    lines = [line if len(line) <= most else f"{line[: most - 1]}…" for line in lines]
    if len(lines) == 1:
        return isolated(lines[0]), shown
    (first, second), step = map(isolated, lines), 1.05 * shown
    return joined(
        [el("tspan", first, x=x, dy=-0.6 * step), el("tspan", second, x=x, dy=step)]
    ), shown


def _halves(name: str) -> list[str]:
    """Broken at the space or hyphen that makes the longer half shortest; whole without one."""
    ends = [found.end() for found in re.finditer(r"[ -](?=\S)", name)]
    if not ends:
        return [name]
    end = min(ends, key=lambda end: (max(end, len(name) - end), name[end - 1] != " "))
    return [name[:end].rstrip(), name[end:]]


def wrapped(words: str, width: int) -> list[str]:
    """Wrap text at spaces to a maximum number of characters."""
    lines = [""]
    for word in words.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def polygon(points: Iterable[Spot], **attributes: object) -> Svg:
    shown = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return el("polygon", points=shown, **attributes)


def ring(x: float, y: float, radius: float, corners: int, turn: float = 0) -> list[Spot]:
    """The corners of a regular polygon, the first one at ``turn`` degrees from the right."""
    return [
        (
            x + radius * cos(radians(turn + 360 * corner / corners)),
            y + radius * sin(radians(turn + 360 * corner / corners)),
        )
        for corner in range(corners)
    ]


def spread(index: int, count: int, step: float) -> float:
    """The offset of one of several things in a row from the middle of the row."""
    return (index - (count - 1) / 2) * step


def arrow_head(start: Spot, end: Spot, size: float, colour: str) -> Svg:
    """The head of an arrow that comes from ``start``, its tip at ``end``."""
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1
    dx, dy = (end[0] - start[0]) / length * size, (end[1] - start[1]) / length * size
    x, y = end[0] - dx, end[1] - dy
    return polygon([end, (x - dy / 2, y + dx / 2), (x + dy / 2, y - dx / 2)], fill=colour)


Shape = Literal["tall", "wide"]


class Place(NamedTuple):
    """Where a part of a picture lies, and how large it is there."""

    x: float
    y: float
    scale: float = 1.0

    def __str__(self) -> str:
        scaled = "" if self.scale == 1 else f" scale({number(self.scale)})"
        return f"translate({self.x:.2f} {self.y:.2f}){scaled}"


def placed(at: Mapping[Shape, Place], shape: Shape, *drawn: object) -> Svg:
    """An element whose place differs between the shapes of a picture.

    Both places stand in the picture, so that a page can turn one shape into the other.
    """
    moves = {f"data_{one}": str(place) for one, place in at.items()}
    return group(*drawn, transform=moves[f"data_{shape}"], **(moves if len(moves) > 1 else {}))


class Picture(Struct, frozen=True):
    """The picture of a state: its size, its content, and where each named space lies."""

    width: float
    height: float
    body: Svg
    anchors: Mapping[str, Spot] = field(default_factory=dict)
    shape: Shape = "tall"
    other: Picture | None = None
    """The same in its other shape, where there is one; of it the size and the anchors count."""
    unlit: tuple[str, ...] = ()
    """What was to be marked and is no space of the picture: an author may have misspelt it."""

    @property
    def shapes(self) -> Mapping[Shape, Picture]:
        """All shapes of the picture by name, its own first."""
        return {one.shape: one for one in (self, self.other) if one is not None}

    def captioned(self, caption: str) -> Picture:
        """The picture with a caption in a frame below it."""
        width = min(one.width for one in self.shapes.values())
        size = min(18.0, 1.7 * width / max(1, len(caption)))
        frame = {"x": 4.0, "width": float(width - 8), "height": 32.0, "fill": "#fff4d6"}
        places = {
            shape: Place((one.width - width) / 2, one.height) for shape, one in self.shapes.items()
        }
        below = placed(
            places,
            self.shape,
            el("rect", y=0.0, **frame, stroke="#6b4a00", stroke_dasharray="6 3"),
            text(width / 2, 22, caption, size, font_weight="bold"),
        )
        other = self.other and evolve(self.other, height=self.other.height + 40)
        body = group(self.body, below)
        return evolve(self, height=self.height + 40, body=body, other=other)

    @property
    def size(self) -> str:
        return f"{number(self.width)} {number(self.height)}"

    def svg(
        self, title: str, description: str, *, lang: str = "en", over: Svg | None = None
    ) -> str:
        """The whole document, readable by screen readers. ``over`` is drawn on top (marks)."""
        sizes = {f"data_{shape}": one.size for shape, one in self.shapes.items() if self.other}
        return el(
            "svg",
            el("title", title),
            el("desc", description),
            el("rect", width="100%", height="100%", fill="#fdfcf8"),
            self.body,
            over,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {self.size}",
            width=float(self.width),
            height=float(self.height),
            role="img",
            lang=lang,
            **sizes,
            font_family="'Atkinson Hyperlegible Next', 'DejaVu Sans', sans-serif",
        )
