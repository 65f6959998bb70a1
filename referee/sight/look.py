"""Two photographs of a table, before and after: what changed at the places of its boards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from referee.errors import Unfit
from referee.sight.appearance import Appearance
from referee.sight.arrays import Array, numpy, opencv
from referee.sight.evidence import Evidence, View, empty_flat, evidence, places_of
from referee.sight.proposals import Look, signs
from referee.sight.registration import UNITS, Board, corners_of, from_corners
from referee.untrusted.photos import pixels

LOOKED_AT = 1280
"""The longer side of a photograph as it is looked at."""
SMALLEST = 240
"""The shorter side of a photograph, in pixels."""
DARK = 22.0
"""The lightness, of 255, that one pixel in ten must have."""
BLURRED = 12.0
"""The variance of the Laplacian at the size in which boards are sought."""
UNLIKE = 3.0
"""What it weighs that a piece looks like another kind."""
Corner = tuple[float, float]


class KnownBoard(NamedTuple):
    """A board of the club, and where the places of a game lie on it."""

    name: str
    printed: Board | None
    """The empty board from straight above; ``None`` if only its corners are known."""
    spots: Mapping[str, Corner]
    reach: Mapping[str, float] = {}
    corners: Sequence[Corner] = ()
    """Where it lies in the photograph before, in parts of that, if somebody has tapped them."""
    tall: float = 1.0
    """How high it is for its width, where it has no picture."""


class Sighting(NamedTuple):
    """What was seen of one board."""

    board: str
    evidence: Evidence
    corners: list[Corner]
    """Where it lies in the photograph after, in parts of that."""


def decoded(content: bytes) -> Array:
    """A photograph as an array, by the reader of all photographs and within its limits."""
    return numpy().asarray(pixels(content, LOOKED_AT))


def check_photo(photo: Array) -> None:
    """Refuse what nothing can be seen on."""
    cv, np = opencv(), numpy()
    if min(photo.shape[:2]) < SMALLEST:
        raise Unfit("sight_small", least=SMALLEST)
    grey = cv.cvtColor(photo, cv.COLOR_RGB2GRAY)
    if float(np.percentile(grey, 90)) < DARK:
        raise Unfit("sight_dark")
    scale = min(1.0, UNITS / max(grey.shape))
    small = cv.resize(grey, None, fx=scale, fy=scale, interpolation=cv.INTER_AREA)
    if float(cv.Laplacian(small, cv.CV_64F).var()) < BLURRED:
        raise Unfit("sight_blurred")


def usable(photos: Sequence[Array]) -> list[Array]:
    """Those on which something can be seen; if there is none, why."""
    good: list[Array] = []
    for number, photo in enumerate(photos, start=1):
        try:
            check_photo(photo)
            good.append(photo)
        except Unfit:
            if number == len(photos) and not good:
                raise
    return good


def sightings(before: Array | None, after: Array, boards: Iterable[KnownBoard]) -> list[Sighting]:
    """What changed on every board that is on both photographs.

    Without a photograph before, the empty board is taken for one: all that lies there has come.
    """
    cv = opencv()
    for photo in (before, after):
        if photo is not None:
            check_photo(photo)
    # A little blurred, because boards are compared at half the size of their units.
    soft = {
        id(photo): cv.GaussianBlur(photo, (0, 0), 1.0)
        for photo in (before, after)
        if photo is not None
    }
    found = []
    for known in boards:
        seen = _seen(before, after, known, soft)
        if seen is not None:
            found.append(seen)
    return found


def _seen(
    before: Array | None, after: Array, known: KnownBoard, soft: Mapping[int, Array]
) -> Sighting | None:
    found = _found(before, known)
    if found is None:
        return None
    board, first, empty = found
    second = board.found(after, [] if first is None else [first])
    if second is None:
        return None
    places = places_of(known.spots, board.size, known.reach)
    was = View(board.picture, numpy().eye(3))
    if before is not None and first is not None:
        was = View(soft[id(before)], first)
    now = View(soft[id(after)], second)
    compared = evidence(was, now, board.size, places, empty, still=before is None)
    high, wide = after.shape[:2]
    corners = [(x / wide, y / high) for x, y in corners_of(second, board.size)]
    return Sighting(known.name, compared, corners)


def _found(
    before: Array | None, known: KnownBoard
) -> tuple[Board, Array | None, Array | None] | None:
    """The board to look for, where it lies in the photograph before, and its empty picture.

    Where the photograph shows another print than the club's, or there is none, what lies between
    the corners that were tapped is the board.
    """
    printed = known.printed
    if before is None:
        return None if printed is None else (printed, None, empty_flat(printed.picture))
    high, wide = before.shape[:2]
    tapped = [(x * wide, y * high) for x, y in known.corners]
    if printed is not None:
        hints = [from_corners(tapped, printed.size)] if tapped else []
        first = printed.found(before, hints)
        if first is not None:
            return printed, first, empty_flat(printed.picture)
    if not tapped:
        return None
    longer = max(1.0, known.tall)
    size = round(UNITS / longer), round(UNITS * known.tall / longer)
    first = from_corners(tapped, size)
    return Board(_straight(before, first, size)), first, None


def _straight(photo: Array, found: Array, size: tuple[int, int]) -> Array:
    cv = opencv()
    return cv.warpPerspective(photo, found, size, flags=cv.INTER_AREA | cv.WARP_INVERSE_MAP)


def kinds_at(
    things: Mapping[tuple[str, str], int], alike: Callable[[str], str]
) -> dict[str, dict[str, int]]:
    """What lies at each place, by what it looks like."""
    kinds: dict[str, dict[str, int]] = {}
    for (place, kind), count in things.items():
        there, shown = kinds.setdefault(place, {}), alike(kind)
        there[shown] = there.get(shown, 0) + count
    return kinds


def learned(
    seen: Sequence[Sighting], lying: Mapping[str, Mapping[str, int]], but: str | None = None
) -> Appearance:
    """What kinds look like, by what lay where in the photographs before; or, ``but`` for one place,
    by what is to lie there now: one that is wrong is no example of itself."""
    known = Appearance()
    for one in seen:
        one.evidence.learn(known, lying, but)
    return known


def score(seen: Sequence[Sighting], look: Look, known: Appearance) -> float:
    """How well pieces that went and came explain what was seen of all boards together."""
    gone, come = signs(look)
    changes: dict[tuple[str, bool], dict[str, int]] = {}
    for place, kind, count in look:
        changes.setdefault((place, count > 0), {})[kind] = abs(count)
    return sum(
        one.evidence.score(gone, come) - UNLIKE * one.evidence.unlike(known, changes)
        for one in seen
    )
