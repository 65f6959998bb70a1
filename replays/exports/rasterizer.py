"""Rasterizer for animations: what several frames share is drawn once (layered, by bitmask)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from importlib import resources
from io import BytesIO
from itertools import groupby
from typing import Any, NamedTuple

from referee.archive.process_pool import map_items
from referee.untrusted.optional_packages import load

SVG = "http://www.w3.org/2000/svg"
PAPER = "#fdfcf8"
COARSE = 4
"""A quarter of a picture still shows the thinnest of its letters."""
_TAG = re.compile(r'<(/?)([A-Za-z]+)((?:[^>"]|"[^"]*")*?)(/?)>')
_SIZE = re.compile(r'viewBox="0 0 (\S+) (\S+)"')
_AS_A_WHOLE = re.compile(r"\b(opacity|clip-path|mask|filter)=")
"""What applies to a group as one picture: such a group is never taken apart."""
_UNSEEN = ("title", "desc")


class _Frame(NamedTuple):
    width: float
    height: float
    leaves: list[str]


class _Layer(NamedTuple):
    png: bytes
    place: tuple[int, int]


class LayeredRasterizer:
    """Groups SVG elements by the set of frames they are in; each group (layer) is drawn once.

    From frame to frame nearly all elements stay, and drawing pixels is what takes time.
    """

    def __init__(self, width: int) -> None:
        self._image = load("PIL.Image", "pictures")
        self._width = width
        self._frames: list[_Frame] = []
        self._shared: dict[str, None] = {}
        """The definitions of all pictures: each layer may need them."""
        self._seen: dict[str, int] = {}
        """In which pictures each element stands, one bit for each."""

    def add(self, svg: str) -> None:
        """Add a frame: one of our own pictures (no comments, no doctype, all text escaped)."""
        size = _SIZE.search(svg)
        assert size is not None
        leaves = []
        for kind, leaf in _leaves(svg):
            if kind == "defs":
                self._shared.setdefault(leaf)
            elif kind not in _UNSEEN:
                leaves.append(leaf)
        bit = 1 << len(self._frames)
        for leaf in leaves:
            self._seen[leaf] = self._seen.get(leaf, 0) | bit
        self._frames.append(_Frame(float(size[1]), float(size[2]), leaves))

    def pictures(self, processes: int = 1) -> Iterator[Any]:
        """All frames as images of one size; layers are drawn in parallel processes."""
        height = max(round(one.height * self._width / one.width) for one in self._frames)
        stacks = [
            [
                (frame.width, "".join(together))
                for _, together in groupby(frame.leaves, self._seen.__getitem__)
            ]
            for frame in self._frames
        ]
        needed = list(dict.fromkeys(layer for stack in stacks for layer in stack))
        drawing = partial(_drawn, "".join(self._shared), (self._width, height))
        coming = map_items(drawing, needed, processes=processes)
        drawn: dict[tuple[float, str], tuple[Any, tuple[int, int]] | None] = {}
        for stack in stacks:
            sheet = self._image.new("RGB", (self._width, height), PAPER)
            for layer in stack:
                if layer not in drawn:
                    drawn[layer] = self._opened(next(coming))
                if (found := drawn[layer]) is not None:
                    image, place = found
                    sheet.paste(image, place, image)
            yield sheet

    def _opened(self, layer: _Layer | None) -> tuple[Any, tuple[int, int]] | None:
        if layer is None:
            return None
        return self._image.open(BytesIO(layer.png)).convert("RGBA"), layer.place


def _drawn(shared: str, size: tuple[int, int], layer: tuple[float, str]) -> _Layer | None:
    """Draw one layer: a coarse pass finds the bounding box, only that is drawn in full."""
    (width, height), (units, content) = size, layer
    unit = units / width
    coarse = -(-width // COARSE), -(-height // COARSE)
    look = load("PIL.Image", "pictures").open(
        BytesIO(_raster(shared, content, (0, 0, *coarse), unit * COARSE))
    )
    if (touched := look.convert("RGBA").getbbox()) is None:
        return None
    left, top = (max(0, COARSE * (edge - 1)) for edge in touched[:2])
    right = min(width, COARSE * (touched[2] + 1))
    bottom = min(height, COARSE * (touched[3] + 1))
    box = (left, top, right - left, bottom - top)
    return _Layer(_raster(shared, content, box, unit), (left, top))


def _raster(shared: str, content: str, box: tuple[int, int, int, int], unit: float) -> bytes:
    """These pixels of a drawing, each so many of its units wide."""
    view = " ".join(repr(edge * unit) for edge in box)
    size = f'width="{box[2]}" height="{box[3]}"'
    svg = f'<svg xmlns="{SVG}" viewBox="{view}" {size}>{shared}{content}</svg>'
    return rendered(svg, box[2])


def _leaves(svg: str) -> Iterator[tuple[str, str]]:
    """Everything that is drawn, from back to front, each wrapped in the groups it stands in."""
    groups: list[str] = []
    kind, start, depth = "", 0, 0
    for tag in _TAG.finditer(svg):
        closes, name, attributes, closed = tag.groups()
        if depth:
            depth += -1 if closes else 0 if closed else 1
        elif closes:
            groups.pop()
            continue
        elif name == "svg" or (name == "g" and not closed and not _AS_A_WHOLE.search(attributes)):
            groups.append("<g>" if name == "svg" else tag[0])
            continue
        else:
            kind, start, depth = name, tag.start(), 0 if closed else 1
        if not depth:
            leaf = svg[start : tag.end()]
            inside = kind != "defs"
            yield kind, f"{''.join(groups)}{leaf}{'</g>' * len(groups)}" if inside else leaf


@cache
def font_file(weight: str) -> str:
    fonts = resources.files("replays").joinpath("fonts")
    return str(fonts.joinpath(f"AtkinsonHyperlegible-{weight}.ttf"))


def rendered(svg: str, width: int) -> bytes:
    """PNG of one of our own pictures, with the font we ship and no other."""
    resvg = load("resvg_py", "pictures")
    files = [font_file("Regular"), font_file("Bold")]
    # The font has no narrow no-break space, and would draw a box for it.
    shown = svg.replace("\u202f", "\u00a0")
    made: bytes = bytes(
        resvg.svg_to_bytes(
            svg_string=shown,
            width=width,
            skip_system_fonts=True,
            font_files=files,
            font_family="Atkinson Hyperlegible",
            sans_serif_family="Atkinson Hyperlegible",
        )
    )
    return made
