"""A record with its photographs in one file: ``record.jsonl`` and ``photos/<digest>.jpg``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from referee.archive.record_files import MAX_BYTES, RecordFile, read_record
from referee.errors import Unfit
from referee.table.photos import MOST_OF_A_GAME
from referee.untrusted.photos import MOST_BYTES

RECORD = "record.jsonl"
_PHOTO = re.compile(r"photos/([0-9a-f]{64})\.jpg")
_BEGINS = b"PK\x03\x04"
_MOST_FILES = 1 + 10 * MOST_OF_A_GAME


def packed(record: bytes, photos: Mapping[str, bytes]) -> bytes:
    """The file: the same record and photographs make the same bytes."""
    made = BytesIO()
    with ZipFile(made, "w") as archive:
        archive.writestr(ZipInfo(RECORD), record, ZIP_DEFLATED)
        for digest, content in sorted(photos.items()):
            archive.writestr(ZipInfo(f"photos/{digest}.jpg"), content, ZIP_STORED)
    return made.getvalue()


def is_packed(content: bytes) -> bool:
    return content.startswith(_BEGINS)


def read_packed(content: bytes) -> RecordFile:
    """A record with its photographs, or a record alone."""
    if not is_packed(content):
        return read_record(BytesIO(content))
    try:
        with ZipFile(BytesIO(content)) as archive:
            return _unpacked(archive)
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise Unfit("zip_unreadable") from error


def _unpacked(archive: ZipFile) -> RecordFile:
    names = archive.namelist()
    photos = {match[1]: name for name in names if (match := _PHOTO.fullmatch(name))}
    if len(names) > _MOST_FILES or len(names) != len(photos) + 1 or RECORD not in names:
        raise Unfit("zip_unreadable")
    found = read_record(BytesIO(_member(archive, RECORD, MAX_BYTES)))
    for digest, name in photos.items():
        picture = _member(archive, name, MOST_BYTES)
        if sha256(picture).hexdigest() != digest:
            raise Unfit("photo_other", digest=digest[:16])
        found.photos[digest] = picture
    return found


def _member(archive: ZipFile, name: str, limit: int) -> bytes:
    """One file of an archive. What it says of its own size is not believed."""
    with archive.open(name) as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise Unfit("zip_unreadable")
    return content
