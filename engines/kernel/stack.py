"""Pictures made of parts that lie one below the other, with marks on what happened last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from engines.kernel.svg import ACCENT, INK, Picture, Spot, Svg, el, group, joined

WIDTH = 720.0
"""How wide the picture of a whole table is."""


class Pen(NamedTuple):
    """What a game marks with."""

    colour: str = ACCENT
    width: float = 5.0
    dashes: str | None = "14 7"
    rim: float = 0.0
    """How far a rim of ink stands out on both sides of the line."""

    def draw(self, tag: str, **shape: object) -> Svg:
        """The outline of a shape."""
        line = el(
            tag,
            **shape,
            fill="none",
            stroke=self.colour,
            stroke_width=self.width,
            stroke_dasharray=self.dashes,
        )
        if not self.rim:
            return line
        below = el(tag, **shape, fill="none", stroke=INK, stroke_width=self.width + 2 * self.rim)
        return group(below, line)


PEN = Pen()


class Disc(NamedTuple):
    """A space one can point at, as a circle round its centre."""

    x: float
    y: float
    radius: float

    @property
    def centre(self) -> Spot:
        return self.x, self.y

    @property
    def height(self) -> float:
        return 2 * self.radius

    def lowered(self, by: float) -> Disc:
        return self._replace(y=self.y + by)

    def mark(self, pen: Pen) -> Svg:
        return pen.draw("circle", cx=self.x, cy=self.y, r=self.radius)


class Frame(NamedTuple):
    """A space one can point at, as a rectangle."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> Spot:
        return self.x + self.width / 2, self.y + self.height / 2

    def lowered(self, by: float) -> Frame:
        return self._replace(y=self.y + by)

    def mark(self, pen: Pen) -> Svg:
        """A little larger, so that the edge of what lies there stays visible."""
        size = {"width": self.width + 4, "height": self.height + 4}
        return pen.draw("rect", x=self.x - 2, y=self.y - 2, **size, rx=6)


Spaces = Mapping[str, Disc | Frame]


class Part(NamedTuple):
    """A part of a picture, drawn from its own top, and where its spaces lie."""

    height: float
    body: Svg
    spaces: Spaces = {}

    def picture(
        self,
        touched: Iterable[str] = (),
        pen: Pen = PEN,
        *,
        over: Iterable[Svg] = (),
        width: float = WIDTH,
    ) -> Picture:
        """The whole picture, with marks on the spaces touched and what is drawn over them."""
        body = joined([self.body, *marks(self.spaces, touched, pen), *over])
        anchors = {name: space.centre for name, space in self.spaces.items()}
        return Picture(width, self.height, body, anchors)


def marks(spaces: Spaces, touched: Iterable[str], pen: Pen) -> Iterator[Svg]:
    """Every space that was touched, once; names of no space are passed over."""
    return (spaces[name].mark(pen) for name in dict.fromkeys(touched) if name in spaces)


def overlaid(parts: Iterable[Part], height: float) -> Part:
    """Parts drawn from the same top as one."""
    drawn = list(parts)
    spaces = {name: space for part in drawn for name, space in part.spaces.items()}
    return Part(height, joined(part.body for part in drawn), spaces)


def stacked(parts: Iterable[Part], *, above: float = 0.0, below: float = 0.0) -> Part:
    """Parts one below the other as one, with a margin above and below."""
    drawn: list[Svg] = []
    spaces: dict[str, Disc | Frame] = {}
    top = above
    for part in parts:
        drawn.append(group(part.body, transform=f"translate(0 {top:.2f})"))
        spaces |= {name: space.lowered(top) for name, space in part.spaces.items()}
        top += part.height
    return Part(top + below, joined(drawn), spaces)
