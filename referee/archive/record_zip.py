"""A record with its photographs in one file: ``record.jsonl`` and ``photos/<digest>.jpg``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from referee.archive.record_files import RecordFile, read_record
from referee.errors import Unfit
from referee.table.photos import MOST_OF_A_GAME
from referee.untrusted.photos import MOST_BYTES
from referee.untrusted.zips import MOST_UNPACKED, unzipped

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
    found: RecordFile | None = None
    photos: dict[str, bytes] = {}
    for name, file in unzipped(content, files=_MOST_FILES, size=MOST_UNPACKED):
        if name == RECORD:
            found = read_record(BytesIO(file))
            continue
        named = _PHOTO.fullmatch(name)
        if named is None or len(file) > MOST_BYTES:
            raise Unfit("zip_unreadable")
        if sha256(file).hexdigest() != named[1]:
            raise Unfit("photo_other", digest=named[1][:16])
        photos[named[1]] = file
    if found is None:
        raise Unfit("zip_unreadable")
    found.photos.update(photos)
    return found
