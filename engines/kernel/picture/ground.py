"""The photograph of a board that a table is drawn on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from zlib import crc32

from engines.kernel.picture.svg import Spot, Svg, el, group, polygon


class Ground(NamedTuple):
    """A straightened photograph, and where the spaces of the board lie on it."""

    href: str
    width: int
    height: int
    """In pixels: what counts here is how wide it is for its height."""
    places: Mapping[str, Spot]
    """In parts of its width and height."""

    def has(self, names: Iterable[str]) -> bool:
        return all(name in self.places for name in names)

    def drawn(self, width: float) -> tuple[float, Svg, dict[str, Spot]]:
        """How high it is at a width, the picture, and where its spaces lie then."""
        height = width * self.height / self.width
        image = el("image", href=self.href, width=width, height=height)
        return (
            height,
            image,
            {name: (x * width, y * height) for name, (x, y) in self.places.items()},
        )

    def fitted(self, onto: Mapping[str, Spot], shape: Iterable[Iterable[Spot]]) -> Svg | None:
        """The photograph laid so that its spaces come to lie on spots of a picture, cut along
        the outlines of some shapes there; ``None`` where too few spaces say how it lies.

        A tile that is laid turned, or that is partly covered, is drawn so.
        """
        pairs = [
            (self._pixel(self.places[name]), at) for name, at in onto.items() if self.has([name])
        ]
        laid = _affine(pairs)
        back = _affine([(at, spot) for spot, at in pairs])
        if laid is None or back is None:
            return None
        corners = [_moved(back, corner) for corner in _outline(shape)]
        lies = f"matrix({' '.join(f'{part:.6g}' for part in laid)})"
        cut = polygon(corners)
        name = f"cut-{crc32(f'{self.href}{lies}{cut}'.encode()):08x}"
        image = el(
            "image",
            href=self.href,
            width=self.width,
            height=self.height,
            transform=lies,
            clip_path=f"url(#{name})",
        )
        return group(el("defs", el("clipPath", cut, id=name)), image)

    def _pixel(self, spot: Spot) -> Spot:
        return spot[0] * self.width, spot[1] * self.height


Affine = tuple[float, float, float, float, float, float]
"""``a … f`` of ``(ax + cy + e, bx + dy + f)``, as SVG writes them."""


def _moved(by: Affine, spot: Spot) -> Spot:
    (a, b, c, d, e, f), (x, y) = by, spot
    return a * x + c * y + e, b * x + d * y + f


def _affine(pairs: Sequence[tuple[Spot, Spot]]) -> Affine | None:
    """What takes the first spot of each pair nearest to the second (least squares); ``None``
    where the spots lie on a line."""
    count = len(pairs)
    if count < 3:
        return None
    (mx, my), (mu, mv) = (
        (sum(pair[side][0] for pair in pairs) / count, sum(pair[side][1] for pair in pairs) / count)
        for side in (0, 1)
    )
    moved = [((x - mx, y - my), (u - mu, v - mv)) for (x, y), (u, v) in pairs]
    xx, xy, yy = (sum(p[i] * p[j] for p, _ in moved) for i, j in ((0, 0), (0, 1), (1, 1)))
    flat = xx * yy - xy * xy
    if flat < 1e-4 * (xx + yy) ** 2:
        return None
    rows = []
    for side in (0, 1):
        xu, yu = (sum(p[i] * q[side] for p, q in moved) for i in (0, 1))
        rows.append(((yy * xu - xy * yu) / flat, (xx * yu - xy * xu) / flat))
    (a, c), (b, d) = rows
    return a, b, c, d, mu - a * mx - c * my, mv - b * mx - d * my


def _outline(shapes: Iterable[Iterable[Spot]]) -> Iterator[Spot]:
    """All shapes as one polygon: to each of them and back again on the same line."""
    start: Spot | None = None
    for shape in shapes:
        corners = list(shape)
        start = start or corners[0]
        yield from (*corners, corners[0], start)
