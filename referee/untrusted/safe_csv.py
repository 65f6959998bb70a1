"""CSV as spreadsheets read and write it: what people have written never becomes a formula."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import Any

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


class BadCsv(Exception):
    """Something that is no CSV; its argument is the line."""


def safe_csv(rows: Iterable[Iterable[Any]], *, raw: bool = False) -> str:
    """Quote every cell, and defuse what a spreadsheet would take for a formula (CSV injection)."""
    written = io.StringIO()
    writer = csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerows(map(str if raw else in_cell, row) for row in rows)
    return written.getvalue()


def in_cell(value: object) -> str:
    """A cell as text; what looks like a formula, and is no number, begins with an apostrophe."""
    text = str(value)
    if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def out_of_cell(text: str) -> str:
    """What a cell says, without the apostrophe before what looks like a formula."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(_FORMULA) else text


def decoded(content: bytes) -> str:
    """The text of a file that a spreadsheet wrote: UTF-8, UTF-16 or, from old ones, Latin letters
    in one byte each; without its byte order mark."""
    head = content[:64]
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", errors="replace")
    if b"\0" in head:
        half = "utf-16-be" if head[0] == 0 else "utf-16-le"
        return content.decode(half, errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def read_rows(text: str, delimiter: str) -> Iterator[list[str]]:
    """Rows and cells; accepts the line ends of any system."""
    lines = io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n"))
    reader = csv.reader(lines, delimiter=delimiter)
    try:
        yield from reader
    except csv.Error:
        raise BadCsv(reader.line_num) from None
