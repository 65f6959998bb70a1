"""Unpacks untrusted zip files, with limits on the number of files and on what they unpack to."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
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
MOST_UNPACKED = 64 * 1024 * 1024
"""So much at most: what claims more was made to fill a memory."""
_ENDING, _OF_ZIP64 = b"PK\5\6", b"PK\6\7"
_LENGTH, _SIZE = 22, slice(12, 16)
"""Of the end of an archive without a comment, and where it says how long the list of files is."""
_A_ROW = 256
"""Bytes in the list of files that one of them may have."""


def unzipped(content: bytes, *, files: int, size: int) -> Iterator[tuple[str, bytes]]:
    """The files of an archive and their names, one after the other: whoever reads them keeps what
    they need. What the archive says of their sizes is not believed."""
    left = min(size, SMALL + RATIO * len(content))
    limits = {"files": files, "bytes": left}
    seen: set[str] = set()
    try:
        # The library makes an object of every row of the list before it can be asked for any.
        if _length_of_list(content) > files * _A_ROW:
            raise Unfit("zip_too_big", **limits)
        with ZipFile(BytesIO(content)) as archive:
            members = archive.infolist()
            if len(members) > files:
                raise Unfit("zip_too_big", **limits)
            for member in members:
                packing = member.compress_type
                if member.filename in seen or packing not in (ZIP_STORED, ZIP_DEFLATED):
                    raise BadZipFile
                seen.add(member.filename)
                with archive.open(member) as file:
                    unpacked = file.read(left + 1)
                left -= len(unpacked)
                if left < 0:
                    raise Unfit("zip_too_big", **limits)
                yield member.filename, unpacked
    except _DAMAGED as error:
        raise Unfit("zip_damaged") from error


def _length_of_list(content: bytes) -> int:
    end = content[-_LENGTH:]
    is_plain = end.startswith(_ENDING) and end.endswith(b"\0\0")
    if not is_plain or content[-_LENGTH - 20 :].startswith(_OF_ZIP64):
        raise BadZipFile
    return int.from_bytes(end[_SIZE], "little")
