"""Charts: maps of the places of a box, with the place in question marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from engines.kernel.picture.layout import PEN, Frame
from engines.kernel.picture.svg import GREY, INK, PAPER, Picture, Svg, el, joined, text

_ACROSS = 6
_WIDTH = 380.0
"""A chart is as wide as a phone, so that its words can be read there."""
_TALL, _BOX, _MARGIN = 62.0, 40.0, 10.0
_LETTER = 9.0
_GAP = 2


class Chart(NamedTuple):
    """Places by name, to the right and down in any unit, and which of them are linked."""

    places: Mapping[str, tuple[float, float]]
    links: tuple[tuple[str, str], ...] = ()
    labels: Mapping[str, str] = {}
    """What is written at a place, where it is not its name."""
    is_map: bool = True
    """Where the places lie says something; a row of them may be broken anywhere."""

    def label(self, place: str) -> str:
        return self.labels.get(place, place)


def side_by_side(places: Iterable[str]) -> Chart:
    """A chart for places without a map: all in one row."""
    rows = {place: (at % _ACROSS, at // _ACROSS) for at, place in enumerate(places)}
    return Chart(rows, is_map=False)


def sketch(chart: Chart, marked: Iterable[str], width: int = 78) -> list[str]:
    """The chart as text; the marked place stands in brackets."""
    pointed = frozenset(marked)
    shown = {
        name: f"[{chart.label(name)}]" if name in pointed else f" {chart.label(name)} "
        for name in chart.places
    }
    lines = _rows(chart)
    across = _columns(chart, shown, width)
    return [_line(row, shown, across) for row in lines]


def _rows(chart: Chart) -> list[list[str]]:
    heights = sorted({y for _, y in chart.places.values()})
    return [[name for name, at in chart.places.items() if at[1] == height] for height in heights]


def _columns(chart: Chart, shown: Mapping[str, str], width: int) -> dict[str, int]:
    """The text column of each label: as its place demands, without overlaps."""
    widest = max((len(label) for label in shown.values()), default=1)
    steps = sorted({x for x, _ in chart.places.values()})
    room = max(1, width - widest)
    apart = min(room / max(1, len(steps) - 1), widest + _GAP)
    return {name: round(steps.index(x) * apart) for name, (x, _) in chart.places.items()}


def _line(row: list[str], shown: Mapping[str, str], across: Mapping[str, int]) -> str:
    line = ""
    for name in sorted(row, key=lambda name: across[name]):
        line = line.ljust(across[name]) + (" " if len(line) > across[name] else "") + shown[name]
    return line.rstrip()


def drawn(chart: Chart, marked: Iterable[str]) -> Picture:
    """The chart as a picture; the marked place has a frame."""
    frames = dict(_map(chart) if chart.is_map else _broken(chart))
    height = max((frame.y + frame.height for frame in frames.values()), default=0.0) + _MARGIN
    width = max((frame.x + frame.width for frame in frames.values()), default=0.0) + _MARGIN
    links = (_link(frames[one], frames[other]) for one, other in chart.links)
    boxes = (_box(frame, chart.label(name)) for name, frame in frames.items())
    marks = (frames[name].mark(PEN) for name in dict.fromkeys(marked) if name in frames)
    anchors = {name: frame.centre for name, frame in frames.items()}
    return Picture(max(_WIDTH, width), height, joined([*links, *boxes, *marks]), anchors)


def _map(chart: Chart) -> Iterator[tuple[str, Frame]]:
    """Places where they lie, as far apart as their words need."""
    wide = {name: _wide(chart.label(name)) for name in chart.places}
    xs = sorted({x for x, _ in chart.places.values()})
    ys = sorted({y for _, y in chart.places.values()})
    edge = _MARGIN + max(wide.values(), default=_BOX) / 2
    step = (_WIDTH - 2 * edge) / max(1.0, (xs[-1] - xs[0]) if xs else 1.0)
    for row in _rows(chart):
        for one, other in pairwise(sorted(row, key=lambda name: chart.places[name][0])):
            apart = chart.places[other][0] - chart.places[one][0]
            step = max(step, ((wide[one] + wide[other]) / 2 + _MARGIN) / max(apart, 0.01))
    for name, (x, y) in chart.places.items():
        centre = edge + (x - xs[0]) * step
        top = _MARGIN + ys.index(y) * _TALL
        yield name, Frame(centre - wide[name] / 2, top, wide[name], _BOX)


def _broken(chart: Chart) -> Iterator[tuple[str, Frame]]:
    """Places side by side, in as many rows as need be."""
    x, y = _MARGIN, _MARGIN
    for name in chart.places:
        width = _wide(chart.label(name))
        if x > _MARGIN and x + width + _MARGIN > _WIDTH:
            x, y = _MARGIN, y + _BOX + _MARGIN
        yield name, Frame(x, y, width, _BOX)
        x += width + _MARGIN


def _wide(label: str) -> float:
    return max(_BOX, _LETTER * len(label) + 14)


def _link(one: Frame, other: Frame) -> Svg:
    (x1, y1), (x2, y2) = one.centre, other.centre
    return el("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=GREY, stroke_width=2.0)


def _box(frame: Frame, label: str) -> Svg:
    x, y = frame.centre
    size = {"width": frame.width, "height": frame.height}
    box = el("rect", x=frame.x, y=frame.y, **size, rx=6.0, fill=PAPER, stroke=INK)
    return joined([box, text(x, y + 5, label, 14)])
