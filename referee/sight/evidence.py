"""What changed between two photographs, and at which places of a board.

Two photographs of one board are brought to one light and compared within a small slide, so that a
nudged camera changes nothing. Where the camera moved they are compared at several heights, because
an unmoved pawn leans another way in each. Only what is not board counts: what differed from the
empty board before is *gone*, what differs from it after has *come*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import dist, log, pi
from typing import NamedTuple

from referee.sight.appearance import Appearance, bins, histogram
from referee.sight.arrays import Array, numpy, opencv
from referee.sight.registration import projected, raised

SCALE = 0.5
"""Pixels for a unit in which photographs are compared."""
MARGIN = 40
"""Units around a board that are looked at too: tall pieces lean over its edge."""
SLIDE = 2
"""So many pixels two pictures may be shifted against each other."""
HEIGHTS = (10, 21, 33, 45)
TALL = 45
"""How tall a piece may be, in units."""
STILL = 3.0
"""A camera that moved the corners of a board by less than so many units has not moved."""
FAINT, NOISY, SOFT = 6.0, 12.0, 14.0
"""How far a pixel must differ from what is usual, at most for noise, and until it counts whole."""
ENOUGH = 28.0
"""So many pixels of change are what one piece makes at least."""
BARELY = 10.0
"""Of a piece of which fewer pixels are seen nothing is."""
ANOTHER = 0.3
"""So much more like another kind is what lies at a place taken for it in an audit."""
BUMPED = 1.7
"""How much of what has gone and come at one place a piece makes that was only pushed."""
SPECKS = 5.0
"""So many changed pixels at a place mean nothing."""
ALLOWED = 0.05
"""The part of what stands at a place that may look changed because it is seen from elsewhere."""
AT_MOST = 40.0
"""…and no more, or a small piece among many would not be missed."""
SHADOW, SHADED = 9.0, 0.15
"""So little colour changes in a shadow; and what such a pixel counts."""
ANYWHERE = 0.04
"""The same of a whole place, where nobody knows what stands there."""
MISSING = 1.5
BEYOND, BESIDE = 1.7, 0.25
"""How far beside an expected place what is left counts less, and how much."""
UNCOVERED = 0.1
"""How much it weighs that something else appears where a piece has gone, or is hidden by one."""


class View(NamedTuple):
    """A photograph, and where a board lies in it."""

    photo: Array
    board: Array
    """The homography."""


class Place(NamedTuple):
    """A place of a board, in units."""

    name: str
    x: float
    y: float
    reach: float


class Difference(NamedTuple):
    """A place that does not look as it should."""

    place: str
    missing: bool
    """Nothing is seen of what is expected there; else something is seen that is not."""
    strength: float


def places_of(
    spots: Mapping[str, tuple[float, float]],
    size: tuple[int, int],
    reach: Mapping[str, float] = {},
) -> list[Place]:
    """The places of a board by their spots in parts of it; without a reach of its own a place
    reaches half way to the next one of its kind."""
    wide, high = size
    at = {name: (x * wide, y * high) for name, (x, y) in spots.items()}
    found = []
    for name, spot in at.items():
        kind = name.partition(".")[0]
        others = (at[one] for one in at if one.partition(".")[0] == kind and at[one] != spot)
        near = min((dist(spot, other) for other in others), default=wide / 4)
        own = reach.get(kind)
        found.append(Place(name, *spot, max(10.0, near / 2 if own is None else own * wide)))
    return found


class Change:
    """Pixels that changed, each with its weight and how far it is from every place: less than 1
    is within its reach."""

    def __init__(self, weights: Array, away: Array, colours: Array) -> None:
        self.weights, self.away, self.colours = weights, away, colours
        self.nearest = away.argmin(axis=0) if len(away) else numpy().zeros(0, int)

    def shown(self, place: int) -> Array:
        """The colours of what changed at a place."""
        mine = (self.nearest == place) & (self.away[place] < 1)
        return histogram(self.colours[mine], self.weights[mine])

    def explained(self, expected: Sequence[int]) -> tuple[Array, Array]:
        """How much changed at each expected place, and what is left, by the nearest of all.

        A pixel speaks for one place alone: the nearest of those that are expected. Just beyond
        their reach lie the edges and the shadow of what stands there.
        """
        np = numpy()
        weights, own = self.weights, np.zeros(len(expected))
        if len(expected) and len(weights):
            away = self.away[list(expected)]
            closest = away.min(axis=0)
            within = closest < 1
            owner = away.argmin(axis=0)[within]
            own = np.bincount(owner, weights[within], minlength=len(expected))
            weights = weights * np.where(within, 0.0, np.where(closest < BEYOND, BESIDE, 1.0))
        return own, np.bincount(self.nearest, weights, minlength=len(self.away))


class Evidence:
    """What two photographs show of the places of a board."""

    def __init__(
        self,
        places: Sequence[Place],
        gone: Change,
        come: Change,
        standing: Array,
        stood: Change | None,
        *,
        signed: bool,
    ) -> None:
        self.places = {place.name: index for index, place in enumerate(places)}
        self.gone, self.come = gone, come
        self.stood = stood
        """All that is not board in the photograph before."""
        self.standing = standing
        """What stands at each place, in pixels that may look otherwise from elsewhere."""
        self.signed = signed
        """Whether a piece that has gone is told from one that has come."""

    def changed(self, least: float = ENOUGH) -> list[str]:
        """The places that changed, the clearest first."""
        strength = self.strength()
        order = sorted(self.places, key=lambda name: -strength[name])
        return [name for name in order if strength[name] >= least]

    def strength(self) -> dict[str, float]:
        """How many changed pixels lie nearest to each place."""
        left = _left_over(self.gone.explained(())[1], self.come.explained(())[1], self.standing)
        return {name: float(left[index]) for name, index in self.places.items()}

    def score(self, gone: AbstractSet[str], come: AbstractSet[str]) -> float:
        """How well it is explained by pieces that went and came: 0 is perfect, less is worse."""
        masses, left = self._explained(gone, come)
        missing = sum(log((ENOUGH + 3) / (mass + 3)) for _, mass in masses if mass < ENOUGH)
        return -(MISSING * missing + float(left.sum()) / ENOUGH)

    def learn(
        self, known: Appearance, lying: Mapping[str, Mapping[str, int]], but: str | None = None
    ) -> None:
        """Learn from what lay at each place before; or, ``but`` for one place, from what has come
        to the empty board."""
        seen = self.stood if but is None else self.come
        if seen is None:
            return
        for name, index in self.places.items():
            if name in lying and name != but:
                known.learn(lying[name], seen.shown(index))

    def unlike(
        self, known: Appearance, changes: Mapping[tuple[str, bool], Mapping[str, int]]
    ) -> float:
        """By how much what went and came at places looks more like other kinds than those."""
        if not self.signed:
            return 0.0
        return sum(
            known.unlike((self.come if came else self.gone).shown(self.places[name]), kinds)
            for (name, came), kinds in changes.items()
            if name in self.places
        )

    def differing(
        self,
        gone: AbstractSet[str],
        come: AbstractSet[str],
        known: Callable[[str], Appearance],
        lying: Mapping[str, Mapping[str, int]],
    ) -> Iterator[Difference]:
        """The places where not what is expected went and came, or not of that kind.

        ``known``: what kinds look like elsewhere than at a place; ``lying``: what is to lie at
        each. Of kinds without examples nothing is said.
        """
        masses, left = self._explained(gone, come)
        names = list(self.places)
        hidden = {names[index] for index, mass in masses if mass < BARELY}
        yield from (Difference(name, True, ENOUGH) for name in names if name in hidden)
        for name, index in self.places.items():
            if name in hidden:
                continue
            if left[index] >= ENOUGH:
                yield Difference(name, False, float(left[index]))
            elif float((shown := self.come.shown(index)).sum()) >= ENOUGH:
                other = known(name).another(shown, lying.get(name, {}))
                if other > ANOTHER:
                    yield Difference(name, False, ENOUGH * other)

    def _explained(
        self, gone: AbstractSet[str], come: AbstractSet[str]
    ) -> tuple[list[tuple[int, float]], Array]:
        """How much is seen of each expected change, and what is left over at every place."""
        np = numpy()
        minus = [self.places[name] for name in gone if name in self.places]
        plus = [self.places[name] for name in come if name in self.places]
        if not self.signed:
            minus = plus = sorted({*minus, *plus})
        (own_gone, left_gone), (own_come, left_come) = (
            self.gone.explained(minus),
            self.come.explained(plus),
        )
        masses = [*zip(minus, own_gone, strict=True), *zip(plus, own_come, strict=True)]
        if not self.signed:
            masses = [*zip(minus, np.maximum(own_gone, own_come), strict=True)]
        for index in np.setdiff1d(minus, plus).astype(int):
            left_come[index] *= UNCOVERED
        for index in np.setdiff1d(plus, minus).astype(int):
            left_gone[index] *= UNCOVERED
        return masses, _left_over(left_gone, left_come, self.standing)


def _left_over(gone: Array, come: Array, standing: Array) -> Array:
    """Without what a piece leaves that was only bumped: it has gone and come at one place."""
    np = numpy()
    changed = gone + come - BUMPED * np.minimum(gone, come)
    return np.maximum(0.0, changed - standing - SPECKS)


def evidence(
    before: View,
    after: View,
    size: tuple[int, int],
    places: Sequence[Place],
    empty: Array | None,
    *,
    still: bool = False,
) -> Evidence:
    """Compare two photographs of a board; ``empty`` is its picture with nothing on it.

    ``still``: nothing stands in the first, so that it looks the same from everywhere.
    """
    np = numpy()
    moved = not still and _moved(before, after, size)
    was, now = (_flat(view, view.board, size) for view in (before, after))
    if still:
        now = _within(now)
    light = _light(was, now)
    gone = _difference(_lab(was), _lab(now, light))
    come = _difference(_lab(now, light), _lab(was))
    if moved:
        for height in HEIGHTS:
            first, second = (
                raised(view.board, height, view.photo.shape) for view in (before, after)
            )
            onto_was = second @ np.linalg.inv(first) @ before.board
            onto_now = first @ np.linalg.inv(second) @ after.board
            shown = _lab(_flat(after, onto_was, size), light)
            gone = np.minimum(gone, _difference(_lab(was), shown, 1))
            shown = _lab(_flat(before, onto_now, size))
            come = np.minimum(come, _difference(_lab(now, light), shown, 1))
    gone, come = (
        _soft(difference) * _unshaded(*pair)
        for difference, pair in (
            (gone, (_lab(was), _lab(now, light))),
            (come, (_lab(now, light), _lab(was))),
        )
    )
    standing = [np.ones_like(gone), np.ones_like(come)]
    if empty is not None:
        standing = [_standing(was, empty), _standing(now, empty)]
        gone, come = gone * standing[0], come * standing[1]
    there = np.zeros(len(places))
    if moved and empty is None:
        there = np.array([ANYWHERE * pi * (place.reach * SCALE) ** 2 for place in places])
    elif moved:
        # Every third pixel will do for how much stands at a place.
        down, right = (axis[::3] for axis in np.nonzero(standing[0]))
        away = _away(before, places, down, right)
        there = np.minimum(AT_MOST, 3 * ALLOWED * (away < 1).sum(axis=1))
    colours = [bins(_lab(was)), bins(_lab(now, light))]
    stood = None
    if empty is not None and not still:
        seen = standing[0] * _unshaded(_lab(was), _lab(empty, _light(was, empty)))
        stood = _change(seen * _every_other(seen), before, places, colours[0])
    return Evidence(
        places,
        _change(gone, before, places, colours[0]),
        _change(come, after, places, colours[1]),
        there,
        stood,
        signed=empty is not None,
    )


def empty_flat(picture: Array) -> Array:
    """The picture of an empty board, in units, as photographs of it are compared."""
    cv, np = opencv(), numpy()
    high, wide = picture.shape[:2]
    return cv.warpPerspective(
        cv.GaussianBlur(picture, (0, 0), 1.0),
        _grid(),
        _extent((wide, high)),
        flags=cv.INTER_LINEAR | cv.WARP_INVERSE_MAP,
        borderMode=cv.BORDER_REPLICATE,
    ).astype(np.float32)


def _moved(before: View, after: View, size: tuple[int, int]) -> bool:
    wide, high = size
    corners = [(0, 0), (wide, 0), (wide, high), (0, high)]
    back = projected(numpy().linalg.inv(before.board), projected(after.board, corners))
    return max(dist(a, b) for a, b in zip(back, corners, strict=True)) > STILL


def _grid() -> Array:
    """From pixels of a straightened photograph to units of the board."""
    return numpy().array([[1 / SCALE, 0, -MARGIN], [0, 1 / SCALE, -MARGIN], [0, 0, 1.0]])


def _extent(size: tuple[int, int]) -> tuple[int, int]:
    wide, high = size
    return round((wide + 2 * MARGIN) * SCALE), round((high + 2 * MARGIN) * SCALE)


def _flat(view: View, homography: Array, size: tuple[int, int]) -> Array:
    cv, np = opencv(), numpy()
    straight = cv.warpPerspective(
        view.photo,
        homography @ _grid(),
        _extent(size),
        flags=cv.INTER_LINEAR | cv.WARP_INVERSE_MAP,
        borderMode=cv.BORDER_REPLICATE,
    )
    return straight.astype(np.float32)


def _within(flat: Array) -> Array:
    """Without the table around a board: its picture does not show any."""
    cv, edge = opencv(), round(MARGIN * SCALE)
    inner = flat[edge:-edge, edge:-edge]
    return cv.copyMakeBorder(inner, edge, edge, edge, edge, cv.BORDER_REPLICATE)


def _light(was: Array, now: Array) -> Array:
    """How much brighter the second is, as a smooth field of the logarithm, by colour.

    A median of parts of the picture: what a piece changes there does not count.
    """
    cv, np = opencv(), numpy()
    ratio = np.log((now + 4.0) / (was + 4.0))
    cell = 12
    high, wide = (side // cell for side in ratio.shape[:2])
    parts = ratio[: high * cell, : wide * cell].reshape(high, cell, wide, cell, 3)
    field = np.median(parts, axis=(1, 3)).astype(np.float32)
    smooth = np.dstack([cv.medianBlur(np.ascontiguousarray(field[..., c]), 5) for c in range(3)])
    smooth = cv.GaussianBlur(smooth, (0, 0), 1.2)
    return cv.resize(smooth, ratio.shape[1::-1], interpolation=cv.INTER_LINEAR)


def _lab(picture: Array, light: Array | None = None) -> Array:
    """In the colours of Lab, where equal steps look equal; lightness counts a little less."""
    cv, np = opencv(), numpy()
    if light is not None:
        picture = (picture + 4.0) * np.exp(-light) - 4.0
    lab = cv.cvtColor(np.clip(picture / 255.0, 0, 1).astype(np.float32), cv.COLOR_RGB2Lab)
    lab[..., 0] *= 2.55 * 0.7
    return lab


def _difference(one: Array, other: Array, slide: int = SLIDE) -> Array:
    """How far each pixel is from the most similar one within a slide."""
    cv, np = opencv(), numpy()
    high, wide = one.shape[:2]
    wider = cv.copyMakeBorder(other, slide, slide, slide, slide, cv.BORDER_REPLICATE)
    best = np.full((high, wide), 1e9, np.float32)
    for down in range(2 * slide + 1):
        for right in range(2 * slide + 1):
            shift = one - wider[down : down + high, right : right + wide]
            np.minimum(best, np.einsum("ijk,ijk->ij", shift, shift), out=best)
    return np.sqrt(best)


def _soft(difference: Array) -> Array:
    """From 0 to 1, above what is usual between these two pictures."""
    np = numpy()
    usual = np.median(difference)
    spread = np.median(np.abs(difference - usual))
    least = usual + min(6 * spread, NOISY) + FAINT
    return np.clip((difference - least) / SOFT, 0, 1)


def _unshaded(one: Array, other: Array) -> Array:
    """How much a pixel counts: little, where it has the colour of the other and is darker."""
    np = numpy()
    shift = one - other
    coloured = np.hypot(shift[..., 1], shift[..., 2])
    lighter = one[..., 0] / np.maximum(1.0, other[..., 0])
    return np.where((coloured < SHADOW) & (lighter < 1) & (lighter > 0.5), SHADED, 1.0)


def _standing(picture: Array, empty: Array) -> Array:
    """Where a photograph does not show the empty board, a little beyond its edges."""
    cv, np = opencv(), numpy()
    light = _light(picture, empty)
    found = _soft(_difference(_lab(picture), _lab(empty, light)))
    return cv.dilate((found > 0.15).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0


def _away(view: View, places: Sequence[Place], down: Array, right: Array) -> Array:
    """How far pixels are from each place, in its reach: from its foot along the lean of a tall
    piece. Of two places a pixel is nearer to the one whose foot is."""
    np = numpy()
    if not places:
        return np.zeros((0, len(down)))
    feet = np.array([(place.x, place.y) for place in places])
    top = raised(view.board, TALL, view.photo.shape)
    heads = projected(np.linalg.inv(view.board), projected(top, feet))
    feet, heads = ((at + MARGIN) * SCALE for at in (feet, heads))
    (fx, fy), (wx, wy) = (at.T[:, :, None] for at in (feet, heads - feet))
    reach = np.array([place.reach * SCALE for place in places])[:, None]
    along = np.clip(((right - fx) * wx + (down - fy) * wy) / (wx * wx + wy * wy + 1e-9), 0, 1)
    away = np.hypot(right - fx - along * wx, down - fy - along * wy) / reach
    return np.where(away < 1, away * (0.6 + 0.4 * along), away)


def _every_other(picture: Array) -> Array:
    """Half of the rows and of the columns: enough to tell how something looks."""
    chosen = numpy().zeros_like(picture)
    chosen[::2, ::2] = 1
    return chosen


def _change(weights: Array, view: View, places: Sequence[Place], colours: Array) -> Change:
    """What lies in no corridor, a cup or a hand, is no evidence."""
    np = numpy()
    down, right = np.nonzero(weights > 0)
    away = _away(view, places, down, right)
    some = (away < 1).any(axis=0) if len(away) else np.zeros(len(down), bool)
    down, right = down[some], right[some]
    return Change(weights[down, right], away[:, some], colours[down, right])
