"""What kinds of pieces look like, learned from places whose content is known: by their colours."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from referee.sight.arrays import Array, numpy

LIGHTNESS, COLOURS = 5, 14
"""So many steps of lightness and of each of both colours are told apart."""
WIDEST = 70.0
"""How far colours go, in those of Lab."""
BRIGHTEST = 255 * 0.7
FEW = 12.0
"""So many pixels show what a piece looks like, and are needed to ask."""
STRANGE = 0.6
"""How like what was seen a kind is taken to be of which nobody knows what it looks like."""


ROUNDS = 40
"""So often what several kinds show together is divided among them anew."""


class Appearance:
    """What kinds look like, by examples: what lies at a place, and the colours it shows."""

    def __init__(self) -> None:
        self.examples: list[tuple[Mapping[str, int], Array]] = []

    def learn(self, kinds: Mapping[str, int], shown: Array) -> None:
        if kinds and float(shown.sum()) >= FEW:
            self.examples.append((kinds, shown))

    @cached_property
    def kinds(self) -> dict[str, Array]:
        """The colours of each kind.

        What lies among others is told from them by the places where it lies with others, or alone:
        the likeliest parts, found by multiplying (Lee and Seung). Kinds that always lie together
        come out alike, and are not told apart.
        """
        np = numpy()
        names = sorted({kind for kinds, _ in self.examples for kind in kinds})
        if not names:
            return {}
        counts = np.array([[kinds.get(one, 0) for one in names] for kinds, _ in self.examples])
        shown = np.array([colours for _, colours in self.examples])
        found = counts.T @ shown / counts.sum()
        both = counts.T @ counts
        for _ in range(ROUNDS):
            found = found * (counts.T @ shown) / (both @ found + 1e-9)
        rows = zip(names, found, strict=True)
        return {name: _even(row) for name, row in rows if float(row.sum()) >= FEW / 2}

    def unlike(self, shown: Array, kinds: Mapping[str, int]) -> float:
        """By how much another kind that is known looks more like what was seen: 0 is none."""
        if float(shown.sum()) < FEW:
            return 0.0
        known, seen = self.kinds, _even(shown)
        best = max((float(seen @ colours) for colours in known.values()), default=STRANGE)
        if not all(kind in known for kind in kinds):
            return max(0.0, best - STRANGE)
        mixed = sum(known[kind] ** 2 * count for kind, count in kinds.items()) ** 0.5
        return max(0.0, best - float(seen @ mixed) / float(numpy().linalg.norm(mixed)))

    def another(self, shown: Array, lying: Mapping[str, int]) -> float:
        """By how much one that does not lie here looks more like what is seen than what does: each
        of it alone, or all together. Without examples of all of it nothing is said."""
        known, seen = self.kinds, _even(shown)
        if not lying or not known.keys() >= lying.keys() or known.keys() == lying.keys():
            return 0.0
        mixed = sum(known[kind] ** 2 * count for kind, count in lying.items()) ** 0.5
        like = {kind: float(seen @ colours) for kind, colours in known.items()}
        together = float(seen @ mixed) / float(numpy().linalg.norm(mixed))
        here = max(together, *(like[kind] for kind in lying))
        return max(likeness for kind, likeness in like.items() if kind not in lying) - here


def bins(lab: Array) -> Array:
    """The step of colour of each pixel, as one number."""
    np = numpy()
    light = np.clip(lab[..., 0] / BRIGHTEST * LIGHTNESS, 0, LIGHTNESS - 1).astype(int)
    a, b = (
        np.clip((lab[..., axis] + WIDEST) / (2 * WIDEST) * COLOURS, 0, COLOURS - 1).astype(int)
        for axis in (1, 2)
    )
    return (light * COLOURS + a) * COLOURS + b


def histogram(steps: Array, weights: Array) -> Array:
    """How many pixels of each colour there are."""
    return numpy().bincount(steps, weights, minlength=LIGHTNESS * COLOURS * COLOURS)


def _even(counts: Array) -> Array:
    """Shares as a vector of length 1, each colour a little like its neighbours."""
    np = numpy()
    cube = np.pad(counts.reshape(LIGHTNESS, COLOURS, COLOURS), 1)
    for axis in range(3):
        cube = cube + 0.5 * (np.roll(cube, 1, axis) + np.roll(cube, -1, axis))
    shares = np.sqrt(cube[1:-1, 1:-1, 1:-1].ravel())
    return shares / max(1e-9, float(np.linalg.norm(shares)))
