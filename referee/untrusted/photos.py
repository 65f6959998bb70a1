"""Photographs from elsewhere: decoded within limits and encoded anew.

Nothing of the file itself is kept. What a decoder does not understand as a picture, where it was
taken, and whatever was hidden behind or inside it, is gone with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from ctypes import CDLL
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from math import dist
from threading import Lock
from typing import Any, NamedTuple

from referee.errors import Unfit
from referee.untrusted.optional_packages import load

MOST_BYTES = 8 * 1024 * 1024
"""Of a file as it is sent."""
MOST_PIXELS = {"JPEG": 64_000_000, "WEBP": 7_000_000}
"""By format: a JPEG is reduced while it is decoded, a WebP is held four times over."""
MOST_PIXELS_OF_OTHERS = 16_000_000
"""Of other formats, and of what is decoded of a JPEG."""
MOST_SCANNED = 96_000_000
"""Bytes that a JPEG of several scans (a progressive one) takes while it is decoded."""
LONGEST_SIDE = 2560
SMALL_SIDE = 480
SMALLEST_SIDE = 32
"""Of a board that was straightened."""
FORMATS = ("JPEG", "PNG", "WEBP")
"""What a phone or a scanner makes; every other decoder stays shut."""
HEIC = "pillow_heif"
"""Decodes what some phones make, where somebody has installed it."""
_QUALITY = 85
_ONE_AT_A_TIME = Lock()
_MMAP_THRESHOLD, _LARGE = -3, 1 << 20
"""Of ``mallopt``: from how many bytes on a block is the system's, and goes back to it."""
_BAND = 1_000_000
"""Pixels that are put on white at a time."""
_ORIENTATION = 0x0112
_TURNS = {
    2: "FLIP_LEFT_RIGHT",
    3: "ROTATE_180",
    4: "FLIP_TOP_BOTTOM",
    5: "TRANSPOSE",
    6: "ROTATE_270",
    7: "TRANSVERSE",
    8: "ROTATE_90",
}
"""How a picture is turned upright that a camera has taken so."""
_SCAN, _CODES, _BASELINE = 0xDA, 0xC4, (0xC0, 0xC1)
"""Markers of a JPEG."""
_LENGTHS = {0xE0: 14, 0xDB: 65, 0xC0: 15, _CODES: 17, _SCAN: 10}
_OURS = bytes((0xE0, 0xDB, 0xDB, 0xC0, *[_CODES] * 4, _SCAN))
"""The parts of one that this program has written, and how long each is without its codes."""
_STOP, _END = re.compile(rb"\xff[^\0]"), b"\xff\xd9"
_TAIL, _ROWS = 8, 64
"""So many bytes at the end of a scan are more than its last block is rounded up to, and
of no more rows."""
_MOST_TEXT = 1_000_000
"""Of the words in a PNG, unpacked."""
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
    with _ONE_AT_A_TIME:
        return _kept(_reduced_upright(_opened(content), LONGEST_SIDE))


def pixels(content: bytes, side: int) -> Any:
    """A photograph as a picture of Pillow, upright, no longer than ``side``."""
    with _ONE_AT_A_TIME:
        return _reduced_upright(_opened(content), side)


def _reduced_upright(image: Any, side: int) -> Any:
    images = load("PIL.Image", "web")
    try:
        if image.width * image.height > MOST_PIXELS_OF_OTHERS // (4 if _scanned(image) else 1):
            # A JPEG is decoded at half its size: there is room for no more.
            image.draft("RGB", (image.width // 2, image.height // 2))
        elif side < LONGEST_SIDE:
            image.draft("RGB", (side, side))
        image.load()
        turn = _TURNS.get(image.getexif().get(_ORIENTATION))
        whole = _opaque(image)
        image.close()
    except Exception as error:  # decoders raise whatever a broken file makes them
        raise Unfit("photo_damaged") from error
    whole.thumbnail((side, side))
    return whole if turn is None else whole.transpose(images.Transpose[turn])


def _scanned(image: Any) -> int:
    """Bytes of a JPEG that are held before it is decoded: none if it comes in one scan."""
    layers = getattr(image, "layer", ())
    if image.format != "JPEG" or not layers or _is_one_scan(image.fp, len(layers)):
        return 0
    wide, high = max(layer[1] for layer in layers), max(layer[2] for layer in layers)
    parts = sum(layer[1] * layer[2] / (wide * high) for layer in layers)
    return int(2 * image.width * image.height * parts)


def _is_one_scan(file: Any, layers: int) -> bool:
    """Whether the first scan of a baseline JPEG has all its layers."""
    is_baseline = False
    for marker, part, _ in _parts(file.getvalue()):
        if marker == _SCAN:
            return is_baseline and part[:1] == bytes((layers,))
        is_baseline = is_baseline or marker in _BASELINE
    return False


def _parts(content: bytes) -> Iterator[tuple[int, bytes, int]]:
    """The parts of a JPEG up to the head of its first scan: marker, content, and where it ends."""
    place = 2
    while place + 5 <= len(content) and content[place] == 0xFF:
        marker, length = content[place + 1], int.from_bytes(content[place + 2 : place + 4])
        if marker == 0xFF:
            place += 1
            continue
        end = place + 2 + length
        yield marker, content[place + 4 : end], end
        if marker == _SCAN:
            return
        place = end


def adopt_photo(content: bytes, digest: str) -> Photo:
    """A photograph that came with a record: its bytes stay, for its digest is in the record.

    So it must have no parts but those that this program writes, and nothing that is no picture.
    """
    made = read_photo(content)
    image = _opened(content)
    is_ours = made.content == content or (image.format == "JPEG" and _is_plain(content))
    if not is_ours or max(image.size) > LONGEST_SIDE:
        raise Unfit("photo_not_ours", digest=digest[:16])
    return Photo(content, made.small, *image.size)


def _is_plain(content: bytes) -> bool:
    """Whether a JPEG has the parts that this program writes, and nothing between or behind them."""
    found, start = bytearray(), 0
    for marker, part, end in _parts(content):
        start = end
        codes = sum(part[1:17]) if marker == _CODES else 0
        if len(part) != _LENGTHS.get(marker, -1) + codes:
            return False
        found.append(marker)
    stop = _STOP.search(content, start)
    is_last = stop is not None and stop[0] == _END and stop.end() == len(content)
    has_more = b"\xff\xff" in content or not is_last
    return found == _OURS and not has_more and _reaches_its_end(content, start)


def _reaches_its_end(content: bytes, start: int) -> bool:
    """Whether the last bytes of a scan are of the picture: with others it is another one.

    A decoder passes over whatever stands behind its last block, and does not say so.
    """
    size = min(_TAIL, len(content) - len(_END) - start)
    head = content[: len(content) - len(_END) - size]
    others = (head + other * size + _END for other in (b"\0", b"\x55", b"\xaa", b"\x0f"))
    with _ONE_AT_A_TIME:
        seen = _last_rows(content)
        return any(_last_rows(other) != seen for other in others)


def _last_rows(content: bytes) -> bytes:
    image = _opened(content)
    try:
        last = image.crop((0, max(0, image.height - _ROWS), *image.size)).tobytes()
    except Exception:  # decoders raise whatever a broken file makes them
        return b""
    return sha256(last).digest()


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


@cache
def _give_large_blocks_back() -> None:
    """By default glibc learns from a first large block to keep those that are freed, for each
    thread that has read a photograph."""
    with suppress(AttributeError, OSError, TypeError):  # another library: it has no such habit
        CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)


def _opened(content: bytes) -> Any:
    """The picture in a file, not decoded yet: its header alone says how large it is."""
    if len(content) > MOST_BYTES:
        raise Unfit("photo_too_large", bytes=len(content), limit=MOST_BYTES)
    _give_large_blocks_back()
    images = load("PIL.Image", "web")
    load("PIL.PngImagePlugin", "web").MAX_TEXT_MEMORY = _MOST_TEXT
    try:
        image = images.open(BytesIO(content), formats=_formats())
    except images.DecompressionBombError as error:
        raise _too_many(MOST_PIXELS_OF_OTHERS) from error
    except Exception as error:  # decoders raise whatever a broken file makes them
        begins = content[:64].lstrip()
        named = (k for k, marks in _MARKS.items() if any(mark in begins for mark in marks))
        kind = next(named, None)
        if kind is None:
            raise Unfit("photo_unknown") from error
        raise Unfit("photo_of_kind", kind=kind.upper()) from error
    width, height = image.size
    most = MOST_PIXELS.get(image.format, MOST_PIXELS_OF_OTHERS)
    if width * height > most:
        raise _too_many(most)
    if _scanned(image) > MOST_SCANNED:
        raise _too_many(MOST_PIXELS_OF_OTHERS)
    return image


def _formats() -> tuple[str, ...]:
    if find_spec(HEIC) is None:
        return FORMATS
    import_module(HEIC).register_heif_opener()
    return (*FORMATS, "HEIF")


def _too_many(most: int) -> Unfit:
    return Unfit("photo_too_many_pixels", limit=most // 1_000_000)


def _opaque(image: Any) -> Any:
    """In three colours, what is transparent as white; a band at a time, as a copy of a whole
    picture may take more memory than there is."""
    images = load("PIL.Image", "web")
    whole, step = images.new("RGB", image.size), max(1, _BAND // image.width)
    for top in range(0, image.height, step):
        below = min(image.height, top + step)
        whole.paste(_opaque_band(image.crop((0, top, image.width, below))), (0, top))
    return whole


def _opaque_band(image: Any) -> Any:
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
