"""Rasterizer for animations: what several frames share is drawn once (layered, by bitmask)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from io import BytesIO
from itertools import count, groupby, islice
from typing import Any, NamedTuple

from referee.archive.process_pool import map_items
from referee.untrusted.optional_packages import load
from replays.exports.fonts import FAMILY, are_shipped, drawable, font_file

SVG = "http://www.w3.org/2000/svg"
PAPER = "#fdfcf8"
COARSE = 4
"""A quarter of a picture still shows the thinnest of its letters."""
_TAG = re.compile(r'(/?)([A-Za-z]+)((?:[^>"]|"[^"]*")*?)(/?)>')
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


_Box = tuple[int, int, int, int]
"""Pixels: left, top, right, bottom."""


class _Image(NamedTuple):
    """A layer that was drawn, and where it lies."""

    image: Any
    box: _Box


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
        layers: dict[tuple[float, str], int] = defaultdict(count().__next__)
        stacks = [
            [
                layers[frame.width, "".join(together)]
                for _, together in groupby(frame.leaves, self._seen.__getitem__)
            ]
            for frame in self._frames
        ]
        drawing = partial(_drawn, "".join(self._shared), (self._width, height))
        coming = map_items(drawing, list(layers), processes=processes)
        drawn: list[_Image | None] = []
        sheet = self._image.new("RGB", (self._width, height), PAPER)
        whole, before = (0, 0, self._width, height), list[int]()
        for stack in stacks:
            drawn += map(self._opened, islice(coming, max(0, max(stack) + 1 - len(drawn))))
            painted = [found for layer in stack if (found := drawn[layer]) is not None]
            for box in _changed(before, stack, drawn, whole) if before else [whole]:
                self._paint(sheet, box, painted)
            before = stack
            yield sheet.copy()

    def _opened(self, layer: _Layer | None) -> _Image | None:
        if layer is None:
            return None
        image, (left, top) = self._image.open(BytesIO(layer.png)).convert("RGBA"), layer.place
        return _Image(image, (left, top, left + image.width, top + image.height))

    def _paint(self, sheet: Any, box: _Box, layers: list[_Image]) -> None:
        """Paint this part of the sheet anew."""
        part = self._image.new("RGB", (box[2] - box[0], box[3] - box[1]), PAPER)
        for image, (left, top, right, bottom) in layers:
            shared = max(left, box[0]), max(top, box[1]), min(right, box[2]), min(bottom, box[3])
            if shared[0] < shared[2] and shared[1] < shared[3]:
                moved = (shared[0] - left, shared[1] - top, shared[2] - left, shared[3] - top)
                cut = image.crop(moved)
                part.paste(cut, (shared[0] - box[0], shared[1] - box[1]), cut)
        sheet.paste(part, box[:2])


def _changed(
    before: list[int], after: list[int], drawn: Sequence[_Image | None], whole: _Box
) -> list[_Box]:
    """Where two frames may differ: everywhere, if layers that both have changed their order."""
    gone, new = set(before) - set(after), set(after) - set(before)
    if [one for one in before if one not in gone] != [one for one in after if one not in new]:
        return [whole]
    boxes = {found.box for one in gone | new if (found := drawn[one]) is not None}
    return [one for one in boxes if not any(_covers(other, one) for other in boxes - {one})]


def _covers(one: _Box, other: _Box) -> bool:
    return one[0] <= other[0] and one[1] <= other[1] and one[2] >= other[2] and one[3] >= other[3]


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
    """Everything that is drawn, from back to front, each wrapped in the groups it stands in.

    Text is escaped, so that every ``<`` begins a tag.
    """
    around = [""]
    kind, depth, leaf = "", 0, []
    for piece in svg.split("<")[1:]:
        tag = _tag(piece)
        if depth:
            depth += tag.depth
        elif tag.depth < 0:
            around.pop()
            continue
        elif tag.is_group:
            around.append(f"{around[-1]}<{piece}" if tag.name == "g" else "<g>")
            continue
        else:
            kind, depth = tag.name, tag.depth
        leaf.append(piece)
        if not depth:
            drawn = f"<{'<'.join(leaf)}"
            leaf.clear()
            inside = kind != "defs"
            closing = "</g>" * (len(around) - 1)
            yield kind, f"{around[-1]}{drawn}{closing}" if inside else drawn


class _Tag(NamedTuple):
    name: str
    depth: int
    """What it adds to the depth: 1 if it opens, -1 if it closes, 0 if it is an element."""
    is_group: bool
    """Whether what is inside can be drawn by itself."""


@lru_cache(maxsize=8192)
def _tag(piece: str) -> _Tag:
    """A tag without its ``<``, with the text behind it. Successive pictures share nearly all."""
    found = _TAG.match(piece)
    assert found is not None
    closes, name, attributes, closed = found.groups()
    depth = -1 if closes else 0 if closed else 1
    is_group = name == "svg" or (name == "g" and depth > 0 and not _AS_A_WHOLE.search(attributes))
    return _Tag(name, depth, is_group)


def rendered(svg: str, width: int) -> bytes:
    """PNG of one of our own pictures."""
    resvg = load("resvg_py", "pictures")
    made: bytes = bytes(
        resvg.svg_to_bytes(
            svg_string=drawable(svg),
            width=width,
            skip_system_fonts=are_shipped(svg),
            font_files=[font_file("Regular"), font_file("Bold")],
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    )
    return made
