"""Pictures made of parts that lie one below the other, with marks on what happened last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

from engines.kernel.picture.svg import (
    ACCENT,
    INK,
    Picture,
    Place,
    Shape,
    Spot,
    Svg,
    el,
    group,
    joined,
    placed,
    text,
)
from engines.kernel.values.structs import evolve

WIDTH = 720.0
"""How wide the picture of a whole table is."""
BESIDE = 0.75
"""So much smaller is what lies beside the board of a wide picture: most screens are less broad than
two boards."""


class Pen(NamedTuple):
    """The stroke with which a game highlights spaces."""

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
    """A round space that can be highlighted."""

    x: float
    y: float
    radius: float

    @property
    def centre(self) -> Spot:
        return self.x, self.y

    @property
    def height(self) -> float:
        return 2 * self.radius

    def moved(self, right: float, down: float) -> Disc:
        return self._replace(x=self.x + right, y=self.y + down)

    def mark(self, pen: Pen) -> Svg:
        return pen.draw("circle", cx=self.x, cy=self.y, r=self.radius)


class Frame(NamedTuple):
    """A rectangular space that can be highlighted."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> Spot:
        return self.x + self.width / 2, self.y + self.height / 2

    def moved(self, right: float, down: float) -> Frame:
        return self._replace(x=self.x + right, y=self.y + down)

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
    column: int = 0
    """Where it lies in a wide picture: in the column with the board, or in the one beside it."""

    def picture(
        self,
        touched: Iterable[str] = (),
        pen: Pen = PEN,
        *,
        over: Iterable[Svg] = (),
        width: float = WIDTH,
    ) -> Picture:
        """The whole picture, with marks on the spaces touched and what is drawn over them."""
        marked = tuple(touched)
        body = joined([self.body, *marks(self.spaces, marked, pen), *over])
        anchors = {name: space.centre for name, space in self.spaces.items()}
        unlit = tuple(name for name in marked if name not in anchors)
        return Picture(width, self.height, body, anchors, unlit=unlit)


class News(NamedTuple):
    """A short label on a player's panel: what the last action brought or cost."""

    text: str
    kind: Literal["gain", "loss", "winner"]


_LOOKS = {
    "gain": ("#dff2e1", "#0a5c2c"),
    "loss": ("#fbe3e0", "#a3001b"),
    "winner": ("#ffd84d", INK),
}


class Sheet(NamedTuple):
    """A whole table: its parts one below the other, or in two columns side by side."""

    parts: Sequence[Part]
    touched: Iterable[str] = ()
    pen: Pen = PEN
    width: float = WIDTH
    """Of the board, and of each other part before it is drawn beside it."""
    margin: float = 8.0
    """Above, below and between columns."""
    since: Callable[[Any], Sheet] | None = None
    """The same once one knows the state before: with what is no longer there."""

    def picture(self, shape: Shape, news: Mapping[str, Sequence[News]] = {}) -> Picture:
        """The table in one shape; marks and news lie with the part they belong to."""
        touched = dict.fromkeys(self.touched)
        places = {one: self._places(one) for one in get_args(Shape)}
        drawn = []
        for index, part in enumerate(self.parts):
            told = (
                _told(part.spaces[seat], news[seat], self.width)
                for seat in news
                if seat in part.spaces
            )
            at = {one: places[one][index] for one in places}
            drawn.append(
                placed(at, shape, part.body, *marks(part.spaces, touched, self.pen), *told)
            )
        made = {one: self._extent(one, places[one]) for one in places}
        other = next(made[one] for one in made if one != shape)
        unlit = tuple(name for name in touched if name not in made[shape].anchors)
        return evolve(made[shape], body=joined(drawn), other=other, unlit=unlit)

    def _places(self, shape: Shape) -> list[Place]:
        """Where every part lies."""
        tops: dict[int, float] = {}
        places = []
        for part in self.parts:
            column = part.column if shape == "wide" else 0
            scale = BESIDE if column else 1.0
            top = tops.setdefault(column, self.margin)
            places.append(Place(column * (self.width + self.margin), top, scale))
            tops[column] = top + scale * part.height
        return places

    def _extent(self, shape: Shape, places: list[Place]) -> Picture:
        """An empty picture of the whole size, with the anchors of the parts."""
        lying = list(zip(self.parts, places, strict=True))
        right = max(place.x + place.scale * self.width for place in places)
        bottom = max(place.y + place.scale * part.height for part, place in lying)
        anchors = {
            name: (place.x + place.scale * x, place.y + place.scale * y)
            for part, place in lying
            for name, space in part.spaces.items()
            for x, y in [space.centre]
        }
        return Picture(right, bottom + self.margin, Svg(), anchors, shape)


def _told(space: Disc | Frame, news: Iterable[News], width: float) -> Svg:
    """Draw the labels on the upper edge of a panel, from right to left."""
    panel = space if isinstance(space, Frame) else Frame(space.x, space.y - space.radius, 0, 0)
    unit = width / WIDTH
    right = panel.x + panel.width - 10 * unit
    drawn: list[Svg] = []
    for said, kind in news:
        fill, ink = _LOOKS[kind]
        wide = (9.2 * len(said) + 16) * unit
        if drawn and right - wide < panel.x:
            break
        box = {"x": right - wide, "y": panel.y - 13 * unit, "width": wide, "height": 22 * unit}
        look = {"rx": 11 * unit, "fill": fill, "stroke": ink, "stroke_width": 1.5 * unit}
        middle, base = right - wide / 2, panel.y + 3.5 * unit
        words = text(middle, base, said, 16 * unit, font_weight="bold", fill=ink)
        drawn.append(group(el("rect", **box, **look), words))
        right -= wide + 5 * unit
    return group(*drawn)


def marks(spaces: Spaces, touched: Iterable[str], pen: Pen) -> Iterator[Svg]:
    """Highlight every space that was touched, once; unknown names are ignored."""
    return (spaces[name].mark(pen) for name in dict.fromkeys(touched) if name in spaces)


def overlaid(parts: Iterable[Part], height: float) -> Part:
    """Combine parts that are drawn on top of each other."""
    drawn = list(parts)
    spaces = {name: space for part in drawn for name, space in part.spaces.items()}
    return Part(height, joined(part.body for part in drawn), spaces)


def stacked(parts: Iterable[Part], *, above: float = 0.0, below: float = 0.0) -> Part:
    """Combine parts one below the other, with a margin above and below."""
    drawn: list[Svg] = []
    spaces: dict[str, Disc | Frame] = {}
    top = above
    for part in parts:
        drawn.append(group(part.body, transform=f"translate(0 {top:.2f})"))
        spaces |= {name: space.moved(0, top) for name, space in part.spaces.items()}
        top += part.height
    return Part(top + below, joined(drawn), spaces)
