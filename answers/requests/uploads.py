"""Parse uploaded files into the arguments of operations."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from answers.proof.verification import Record
from answers.rulebooks.cases import Named
from referee.archive.record_files import read_record
from referee.archive.record_zip import read_packed
from referee.cases.case_file import read_cases


def as_it_is(content: bytes) -> dict[str, Any]:
    return {"content": content}


def record(content: bytes) -> dict[str, Any]:
    return {"found": read_record(BytesIO(content))}


def records(content: bytes) -> dict[str, Any]:
    """A file with one record, and its photographs; several records are uploaded one by one."""
    return {"records": [read_packed(content)]}


def record_to_verify(content: bytes) -> dict[str, Any]:
    found = read_record(BytesIO(content))
    return {"records": [Record(found.stream, found.rows)]}


def cases(content: bytes) -> dict[str, Any]:
    name = "cases.toml"
    return {"files": [Named(name, read_cases(content, name))]}
