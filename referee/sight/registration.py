"""Where a board lies in a photograph: found by its print, then followed point by point.

A homography takes units of the board to pixels of the photograph. Features alone leave it a unit or
more off, and 25 of them may agree on a wrong one; corners of the board's own picture that are
followed into the straightened photograph bring it to a fraction of that, and their number says
whether it is this board at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from referee.sight.arrays import Array, numpy, opencv

UNITS = 720
"""The longer side of a board, in the units in which all lengths here are told."""
SIDES = (600, 1100)
"""The longer side of the photograph in which features are sought; the larger one if that fails."""
OWN_SIDE = 480
"""The longer side of the board's own picture for that: about as large as it is in a photograph."""
RATIO = 0.8
FEATURES = 2500
CORNERS = 600
FOLLOWED = 40
"""So many corners must be followed."""
SHARE = 0.12
"""…and this part of those that the board has."""
GUESSED_FOCUS = 0.8
"""Of a camera nobody knows, in parts of the longer side of its picture."""


class Board:
    """The picture of a board as it is printed, to be found in photographs."""

    def __init__(self, picture: Array) -> None:
        cv = opencv()
        high, wide = picture.shape[:2]
        scale = UNITS / max(wide, high)
        self.size = max(8, round(wide * scale)), max(8, round(high * scale))
        way = cv.INTER_AREA if scale < 1 else cv.INTER_LINEAR
        self.picture = cv.resize(picture, self.size, interpolation=way)
        self.grey = cv.cvtColor(self.picture, cv.COLOR_RGB2GRAY)

    @cached_property
    def features(self) -> tuple[Any, Any]:
        scale = OWN_SIDE / UNITS
        small = opencv().resize(self.grey, None, fx=scale, fy=scale, interpolation=3)
        points, described = _features(small)
        return [(x / scale, y / scale) for x, y in (point.pt for point in points)], described

    @cached_property
    def even(self) -> Array:
        return _even(self.grey)

    @cached_property
    def corners(self) -> Array:
        return opencv().goodFeaturesToTrack(self.even, CORNERS, 0.01, 7)

    def found(self, photo: Array, hints: Sequence[Array] = ()) -> Array | None:
        """The homography of this board in a photograph, from hints where one is near enough."""
        cv = opencv()
        grey = cv.cvtColor(photo, cv.COLOR_RGB2GRAY)
        for hint in hints:
            if (refined := self._refined(grey, hint)) is not None:
                return refined
        for side in SIDES:
            rough = self._rough(grey, side)
            # Followed twice: the first time begins a few pixels off.
            if rough is not None and (refined := self._refined(grey, rough)) is not None:
                return self._refined(grey, refined)
        return None

    def _rough(self, grey: Array, side: int) -> Array | None:
        cv, np = opencv(), numpy()
        scale = min(1.0, side / max(grey.shape))
        small = cv.resize(grey, None, fx=scale, fy=scale, interpolation=cv.INTER_AREA)
        points, described = _features(small)
        own_points, own_described = self.features
        if described is None or own_described is None or len(points) < 8 or len(own_points) < 8:
            return None
        pairs = cv.BFMatcher(cv.NORM_L2).knnMatch(own_described, described, k=2)
        good = [a for a, *b in pairs if b and a.distance < RATIO * b[0].distance]
        if len(good) < 8:
            return None
        ours = np.float32([own_points[match.queryIdx] for match in good])
        theirs = np.float32([points[match.trainIdx].pt for match in good]) / scale
        found, kept = cv.findHomography(ours, theirs, cv.USAC_MAGSAC, 3.0 / scale)
        return None if found is None or int(kept.sum()) < 8 else found

    def _refined(self, grey: Array, start: Array) -> Array | None:
        """The homography after corners of the board were followed into the photograph."""
        cv, np = opencv(), numpy()
        if self.corners is None or not _is_sane(start, self.size):
            return None
        flat = cv.warpPerspective(
            grey, start, self.size, flags=cv.INTER_LINEAR | cv.WARP_INVERSE_MAP
        )
        flat = _even(flat)
        options = {"winSize": (19, 19), "maxLevel": 3}
        there, ok, _ = cv.calcOpticalFlowPyrLK(self.even, flat, self.corners, None, **options)
        back, ok_back, _ = cv.calcOpticalFlowPyrLK(flat, self.even, there, None, **options)
        near = np.linalg.norm((back - self.corners).reshape(-1, 2), axis=1) < 1.0
        keep = near & (ok.ravel() == 1) & (ok_back.ravel() == 1)
        if int(keep.sum()) < FOLLOWED:
            return None
        moved, agree = cv.findHomography(self.corners[keep], there[keep], cv.USAC_MAGSAC, 1.5)
        enough = max(FOLLOWED, SHARE * len(self.corners))
        if moved is None or int(agree.sum()) < enough or not _is_sane(moved, self.size):
            return None
        refined = start @ moved
        return refined / refined[2, 2]


def from_corners(corners: Sequence[tuple[float, float]], size: tuple[int, int]) -> Array:
    """The homography of a board whose corners were tapped, from the upper left one clockwise."""
    np = numpy()
    wide, high = size
    flat = np.float32([[0, 0], [wide, 0], [wide, high], [0, high]])
    return opencv().getPerspectiveTransform(flat, np.float32(corners)).astype(np.float64)


def corners_of(found: Array, size: tuple[int, int]) -> list[tuple[float, float]]:
    """Where the corners of a board lie in the photograph."""
    wide, high = size
    return [tuple(at) for at in projected(found, [(0, 0), (wide, 0), (wide, high), (0, high)])]


def projected(homography: Array, points: Sequence[tuple[float, float]]) -> Array:
    np = numpy()
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    moved = np.column_stack([flat, np.ones(len(flat))]) @ homography.T
    return moved[:, :2] / moved[:, 2:]


def raised(found: Array, height: float, shape: tuple[int, ...]) -> Array:
    """The homography of a plane so many units above the board, by a guessed camera."""
    np = numpy()
    high, wide = shape[:2]
    focus = GUESSED_FOCUS * max(wide, high)
    camera = np.array([[focus, 0, wide / 2], [0, focus, high / 2], [0, 0, 1.0]])
    turned = np.linalg.inv(camera) @ found
    turned /= (np.linalg.norm(turned[:, 0]) + np.linalg.norm(turned[:, 1])) / 2
    if turned[2, 2] < 0:
        turned = -turned
    down = np.cross(turned[:, 0], turned[:, 1])
    turned[:, 2] -= height * down / max(1e-9, float(np.linalg.norm(down)))
    return camera @ turned


def _features(grey: Array) -> tuple[Any, Any]:
    finder = opencv().SIFT_create(FEATURES, contrastThreshold=0.02)
    points, described = finder.detectAndCompute(grey, None)
    return points, described


def _even(grey: Array) -> Array:
    """With the contrast of each part made alike, so that shadows lose no corners."""
    return opencv().createCLAHE(2.0, (8, 8)).apply(grey)


def _is_sane(found: Array, size: tuple[int, int]) -> bool:
    """Whether a board would be seen from its front, whole, and not as a line or a point."""
    np = numpy()
    if not np.isfinite(found).all():
        return False
    wide, high = size
    flat = np.array([[0, 0, 1], [wide, 0, 1], [wide, high, 1], [0, high, 1.0]]) @ found.T
    if not (flat[:, 2] > 1e-9).all() and not (flat[:, 2] < -1e-9).all():
        return False
    at = flat[:, :2] / flat[:, 2:]
    sides = np.roll(at, -1, axis=0) - at
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    return bool((turns > 0).all() and np.linalg.norm(sides, axis=1).min() > 40)
