"""Which card or tile is held into the camera, among the club's own pictures: sure, or not said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from referee.sight.arrays import Array, numpy, opencv

OWN_SIDE, SIDE = 360, 800
"""The longer side of a picture of the club, and of what is held into the camera."""
OWN_FEATURES, FEATURES = 300, 1000
RATIO = 0.8
TRIED = 4
"""The pictures with the most similar points are tried."""
ALWAYS = 4
"""So many points lie as on a picture wherever they are."""
AGREEING = 6
"""So many more must, on all photographs together."""
CLEARLY = 1.6
"""So many times more than on any other picture."""


class Faces(NamedTuple):
    """The pictures of all pieces, with what they are recognised by."""

    names: list[str]
    owner: Array
    """The picture of each point."""
    points: Array
    described: Array


def faces(pictures: Mapping[str, Array]) -> Faces:
    np = numpy()
    owner, points, described = [], [], []
    for number, picture in enumerate(pictures.values()):
        at, told = _features(picture, OWN_SIDE, OWN_FEATURES)
        if told is not None:
            owner += [number] * len(at)
            points += at
            described.append(told)
    wide = np.concatenate(described) if described else np.zeros((0, 128), np.float32)
    return Faces([*pictures], np.array(owner, int), np.float32(points).reshape(-1, 2), wide)


def recognised(photos: Sequence[Array], known: Faces) -> str | None:
    """The piece on photographs of one; ``None`` where none is clearly more like it than the others.

    What agrees on several photographs is counted together: one that is half hidden by a thumb is
    not lost, and two that show two pieces show neither clearly.
    """
    agreeing: Counter[int] = Counter()
    for photo in photos:
        agreeing.update(_agreeing(photo, known))
    (piece, most), (_, next_best) = [*agreeing.most_common(2), (0, 0), (0, 0)][:2]
    if most < AGREEING or most < CLEARLY * next_best:
        return None
    return known.names[piece]


def _agreeing(photo: Array, known: Faces) -> dict[int, int]:
    """How many points beyond the four that always agree lie as on the picture of a piece."""
    cv, np = opencv(), numpy()
    points, described = _features(photo, SIDE, FEATURES)
    if described is None or len(points) < AGREEING or len(known.described) < AGREEING:
        return {}
    near = cv.BFMatcher(cv.NORM_L2).knnMatch(described, known.described, k=min(6, len(known.owner)))
    votes: dict[int, list[tuple[int, int]]] = {}
    for first, *others in near:
        # The next best of another piece: a card may show the same sign twice.
        mine = known.owner[first.trainIdx]
        rival = next((o for o in others if known.owner[o.trainIdx] != mine), None)
        if rival is None or first.distance < RATIO * rival.distance:
            votes.setdefault(int(mine), []).append((first.trainIdx, first.queryIdx))
    counts = {}
    for piece, pairs in sorted(votes.items(), key=lambda pair: -len(pair[1]))[:TRIED]:
        if len(pairs) <= ALWAYS:
            continue
        ours = np.float32([known.points[ours] for ours, _ in pairs])
        theirs = np.float32([points[theirs] for _, theirs in pairs])
        found, kept = cv.findHomography(ours, theirs, cv.USAC_MAGSAC, 4.0)
        if found is not None and abs(np.linalg.det(found[:2, :2])) > 0.02:
            counts[piece] = max(0, int(kept.sum()) - ALWAYS)
    return counts


def _features(picture: Array, side: int, most: int) -> tuple[list[Any], Any]:
    cv = opencv()
    grey = cv.cvtColor(picture, cv.COLOR_RGB2GRAY)
    scale = side / max(grey.shape)
    way = cv.INTER_AREA if scale < 1 else cv.INTER_LINEAR
    grey = cv.resize(grey, None, fx=scale, fy=scale, interpolation=way)
    finder = cv.SIFT_create(most, contrastThreshold=0.02)
    points, described = finder.detectAndCompute(grey, None)
    return [point.pt for point in points], described
