"""Parse uploaded files into the arguments of operations. The docstrings say what is sent."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from zipfile import is_zipfile

from answers.proof.verification import Record
from answers.rulebooks.cases import Named
from referee.archive.record_files import is_tournament, read_record
from referee.archive.record_zip import read_packed
from referee.cases.case_file import read_cases
from referee.errors import Unfit
from referee.untrusted.zips import MOST_UNPACKED, unzipped

MOST_PACKED = 5000
MOST_ENTRIES = 250_000
"""Of an event and its games, packed together."""


def photograph(content: bytes) -> dict[str, Any]:
    """A photograph or picture: the bytes of a JPEG, PNG or WebP file."""
    return {"content": content}


def photographs(content: bytes) -> dict[str, Any]:
    """Photographs, one directly after the other; ``split`` says how long each is but the last."""
    return {"content": content}


def spreadsheet(content: bytes) -> dict[str, Any]:
    """A spreadsheet (CSV, UTF-8), as the box is exported."""
    return {"content": content}


def box(content: bytes) -> dict[str, Any]:
    """The file of a box, as another club has exported it."""
    return {"content": content}


def pods_log(content: bytes) -> dict[str, Any]:
    """The pod log (JSON) of another tool."""
    return {"content": content}


def event_record(content: bytes) -> dict[str, Any]:
    """A tournament: its record (JSON Lines) alone, or packed with those of its games (ZIP)."""
    if not is_zipfile(BytesIO(content)):
        return {"found": read_record(BytesIO(content))}
    found, left = [], MOST_ENTRIES
    for _, file in unzipped(content, files=MOST_PACKED, size=MOST_UNPACKED):
        found.append(read_record(BytesIO(file), most=left))
        left -= len(found[-1].rows)
    events = [each for each in found if is_tournament(each.stream)]
    if len(events) != 1:
        raise Unfit("packed_one_event", count=len(events))
    return {"found": events[0], "games": [each for each in found if each is not events[0]]}


def records(content: bytes) -> dict[str, Any]:
    """The record of one game (JSON Lines), alone or packed with its photographs (ZIP)."""
    return {"records": [read_packed(content)]}


def record_to_verify(content: bytes) -> dict[str, Any]:
    """The record of a game or a tournament (JSON Lines)."""
    found = read_record(BytesIO(content))
    return {"records": [Record(found.stream, found.rows)]}


def cases(content: bytes) -> dict[str, Any]:
    """A case file (TOML)."""
    name = "cases.toml"
    return {"files": [Named(name, read_cases(content, name))]}
