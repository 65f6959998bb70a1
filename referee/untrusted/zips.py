"""Unpacks untrusted zip files, with limits on the number of files and on what they unpack to."""

from __future__ import annotations

import zlib
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from referee.errors import Unfit

_DAMAGED = (BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError)
"""What the library raises for a file that is cut off, altered, encrypted or of a later format."""


RATIO = 50
"""What a packed byte may unpack to: a record has five to ten, what was made to fill a memory has a
thousand."""
SMALL = 1024 * 1024
"""Whatever its ratio, so much is unpacked."""


def unzipped(content: bytes, *, files: int, size: int) -> dict[str, bytes]:
    """The files of an archive by name. What it says of their sizes is not believed."""
    size = min(size, SMALL + RATIO * len(content))
    try:
        found = _read(content, files, size)
    except _DAMAGED as error:
        raise Unfit("zip_damaged") from error
    if found is None:
        raise Unfit("zip_too_big", files=files, bytes=size)
    return found


def _read(content: bytes, files: int, size: int) -> dict[str, bytes] | None:
    """None where there is too much in it."""
    found: dict[str, bytes] = {}
    left = size
    with ZipFile(BytesIO(content)) as archive:
        members = archive.infolist()
        if len(members) > files:
            return None
        for member in members:
            if member.filename in found or member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
                raise BadZipFile
            with archive.open(member) as file:
                unpacked = file.read(left + 1)
            left -= len(unpacked)
            if left < 0:
                return None
            found[member.filename] = unpacked
    return found
