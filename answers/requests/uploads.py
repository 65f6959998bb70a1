"""Parse uploaded files into the arguments of operations."""

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


def as_it_is(content: bytes) -> dict[str, Any]:
    return {"content": content}


def record(content: bytes) -> dict[str, Any]:
    return {"found": read_record(BytesIO(content))}


def event_record(content: bytes) -> dict[str, Any]:
    """A tournament: its record alone, or packed together with those of its games."""
    if not is_zipfile(BytesIO(content)):
        return record(content)
    found, left = [], MOST_ENTRIES
    for _, file in unzipped(content, files=MOST_PACKED, size=MOST_UNPACKED):
        found.append(read_record(BytesIO(file), most=left))
        left -= len(found[-1].rows)
    events = [each for each in found if is_tournament(each.stream)]
    if len(events) != 1:
        raise Unfit("packed_one_event", count=len(events))
    return {"found": events[0], "games": [each for each in found if each is not events[0]]}


def records(content: bytes) -> dict[str, Any]:
    """A file with one record, and its photographs; several records are uploaded one by one."""
    return {"records": [read_packed(content)]}


def record_to_verify(content: bytes) -> dict[str, Any]:
    found = read_record(BytesIO(content))
    return {"records": [Record(found.stream, found.rows)]}


def cases(content: bytes) -> dict[str, Any]:
    name = "cases.toml"
    return {"files": [Named(name, read_cases(content, name))]}
