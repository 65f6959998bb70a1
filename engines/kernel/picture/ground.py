"""The photograph of a board that a table is drawn on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engines.kernel.picture.svg import Spot, Svg, el


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
