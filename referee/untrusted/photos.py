"""Photographs from elsewhere: decoded within limits and encoded anew.

Nothing of the file itself is kept. What a decoder does not understand as a picture, where it was
taken, and whatever was hidden behind or inside it, is gone with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from math import dist
from typing import Any, NamedTuple

from referee.errors import Unfit
from referee.untrusted.optional_packages import load

MOST_BYTES = 8 * 1024 * 1024
"""Of a file as it is sent."""
MOST_PIXELS = 64_000_000
LONGEST_SIDE = 2560
SMALL_SIDE = 480
SMALLEST_SIDE = 32
"""Of a board that was straightened."""
FORMATS = ("JPEG", "PNG", "WEBP")
"""What a phone or a scanner makes; every other decoder stays shut."""
HEIC = "pillow_heif"
"""Decodes what some phones make, where somebody has installed it."""
_QUALITY = 85
_MARKS = {
    "svg": (b"<svg", b"<?xml"),
    "heic": (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftyphevc", b"ftypmsf1"),
    "gif": (b"GIF8",),
    "pdf": (b"%PDF",),
}
"""How the files begin that people try, and that are no photographs here."""


class Photo(NamedTuple):
    """A photograph as it is kept: upright, a JPEG without metadata, and a small one of it."""

    content: bytes
    small: bytes
    width: int
    height: int


def read_photo(content: bytes) -> Photo:
    """Decode a photograph and encode it anew; refuses what is no photograph, or too large."""
    return _kept(pixels(content, LONGEST_SIDE))


def pixels(content: bytes, side: int) -> Any:
    """A photograph as a picture of Pillow, upright, no longer than ``side``."""
    image = _opened(content)
    operations = load("PIL.ImageOps", "web")
    try:
        # A JPEG is decoded at a fraction of its size, where that is enough.
        image.draft("RGB", (side, side))
        whole = _opaque(operations.exif_transpose(image))
    except Exception as error:  # decoders raise whatever a broken file makes them
        raise Unfit("photo_damaged") from error
    whole.thumbnail((side, side))
    return whole


def adopt_photo(content: bytes, digest: str) -> Photo:
    """A photograph that came with a record: its bytes stay, for its digest is in the record.

    So it must be what this program writes, and nothing besides.
    """
    image = _opened(content)
    carried = [name for name, _ in getattr(image, "applist", ())]
    plain = image.format == "JPEG" and set(carried) <= {"APP0"} and content.endswith(b"\xff\xd9")
    if not plain or max(image.size) > LONGEST_SIDE:
        raise Unfit("photo_not_ours", digest=digest[:16])
    made = read_photo(content)
    return Photo(content, made.small, *image.size)


def reduced(content: bytes, side: int) -> bytes:
    """A photograph of ours with its longest side no longer than that."""
    image = _opaque(_opened(content))
    image.thumbnail((side, side))
    return _encoded(image)


Corner = tuple[float, float]


def straightened(content: bytes, corners: Sequence[Corner]) -> Photo:
    """What lies between four corners of a photograph, seen from straight above.

    The corners are parts of its width and height, from the upper left one clockwise.
    """
    return _kept(_flattened(content, corners))


def cut_up(content: bytes, corners: Sequence[Corner], rows: int, columns: int) -> list[Photo]:
    """What lies between four corners, cut into rows and columns, row by row."""
    whole = _flattened(content, corners)
    if whole.width < columns * SMALLEST_SIDE or whole.height < rows * SMALLEST_SIDE:
        raise Unfit("photo_corners")
    edges = [
        (
            whole.width * column // columns,
            whole.height * row // rows,
            whole.width * (column + 1) // columns,
            whole.height * (row + 1) // rows,
        )
        for row in range(rows)
        for column in range(columns)
    ]
    return [_kept(whole.crop(edge)) for edge in edges]


def _kept(whole: Any) -> Photo:
    small = whole.copy()
    small.thumbnail((SMALL_SIDE, SMALL_SIDE))
    return Photo(_encoded(whole), _encoded(small), *whole.size)


def _flattened(content: bytes, corners: Sequence[Corner]) -> Any:
    image = _opaque(_opened(content))
    at = [(x * image.width, y * image.height) for x, y in corners]
    top, right, bottom, left = (dist(at[i], at[(i + 1) % 4]) for i in range(4))
    width, height = round(max(top, bottom)), round(max(right, left))
    longest = max(width, height)
    if min(width, height) < SMALLEST_SIDE or not _is_convex(at):
        raise Unfit("photo_corners")
    if longest > LONGEST_SIDE:
        width, height = (side * LONGEST_SIDE // longest for side in (width, height))
    flat = ((0.0, 0.0), (float(width), 0.0), (float(width), float(height)), (0.0, float(height)))
    images = load("PIL.Image", "web")
    transform, sampling = images.Transform.PERSPECTIVE, images.Resampling.BICUBIC
    return image.transform((width, height), transform, homography(flat, at), sampling)


def homography(start: Sequence[Corner], end: Sequence[Corner]) -> tuple[float, ...]:
    """The perspective that takes four points to four others: ``a … h`` of
    ``(ax + by + c) / (gx + hy + 1)`` and ``(dx + ey + f) / (gx + hy + 1)``."""
    rows = []
    for (x, y), (u, v) in zip(start, end, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, u])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, v])
    for column in range(8):
        pivot = max(range(column, 8), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        scale = rows[column][column]
        rows[column] = [value / scale for value in rows[column]]
        for row in range(8):
            factor = rows[row][column]
            if row != column and factor:
                pairs = zip(rows[row], rows[column], strict=True)
                rows[row] = [value - factor * own for value, own in pairs]
    return tuple(row[8] for row in rows)


def _is_convex(corners: Sequence[Corner]) -> bool:
    """Whether one turns right at each of four corners: no other shape was a rectangle."""
    for i in range(4):
        (x1, y1), (x2, y2), (x3, y3) = (corners[(i + step) % 4] for step in range(3))
        if (x2 - x1) * (y3 - y2) - (y2 - y1) * (x3 - x2) <= 0:
            return False
    return True


def _opened(content: bytes) -> Any:
    """The picture in a file, not decoded yet: its header alone says how large it is."""
    if len(content) > MOST_BYTES:
        raise Unfit("photo_too_large", bytes=len(content), limit=MOST_BYTES)
    images = load("PIL.Image", "web")
    try:
        image = images.open(BytesIO(content), formats=_formats())
    except images.DecompressionBombError as error:
        raise _too_many() from error
    except Exception as error:  # decoders raise whatever a broken file makes them
        begins = content[:64].lstrip()
        named = (k for k, marks in _MARKS.items() if any(mark in begins for mark in marks))
        kind = next(named, None)
        if kind is None:
            raise Unfit("photo_unknown") from error
        raise Unfit("photo_of_kind", kind=kind.upper()) from error
    width, height = image.size
    if width * height > MOST_PIXELS:
        raise _too_many()
    return image


def _formats() -> tuple[str, ...]:
    if find_spec(HEIC) is None:
        return FORMATS
    import_module(HEIC).register_heif_opener()
    return (*FORMATS, "HEIF")


def _too_many() -> Unfit:
    return Unfit("photo_too_many_pixels", limit=MOST_PIXELS // 1_000_000)


def _opaque(image: Any) -> Any:
    """In three colours, what is transparent as white."""
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        images = load("PIL.Image", "web")
        image = image.convert("RGBA")
        white = images.new("RGBA", image.size, (255, 255, 255, 255))
        image = images.alpha_composite(white, image)
    return image.convert("RGB")


def _encoded(image: Any) -> bytes:
    made = BytesIO()
    # A copy has no metadata that the encoder could take along.
    bare = image.copy()
    bare.info.clear()
    bare.save(made, "JPEG", quality=_QUALITY, optimize=True)
    return made.getvalue()
