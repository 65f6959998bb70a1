"""The formats a record can be carried away in, and read back from."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from referee.bench import Bench
from referee.errors import NotFound
from referee.exchange import MAX_BYTES, Travelling, read_record, record_lines
from referee.record import Game
from replays.exports.options import Options


class Format(NamedTuple):
    suffix: str
    write: Callable[[Bench, Game, Options], bytes]


def _record(bench: Bench, game: Game, options: Options) -> bytes:
    return b"".join(record_lines(bench.store, game.id, options.names))


def _text(bench: Bench, game: Game, options: Options) -> bytes:
    from replays.text import text_record

    return text_record(game, options.names).encode()


def _html(bench: Bench, game: Game, options: Options) -> bytes:
    from replays.exports.html import page

    return page(game, _record(bench, game, options), options)


FORMATS: dict[str, Format] = {
    "record": Format("jsonl", _record),
    "text": Format("txt", _text),
    "html": Format("html", _html),
}


def export_bytes(bench: Bench, game: Game, format: str, options: Options) -> bytes:
    return FORMATS[format].write(bench, game, options)


def read_travelling(file: Path) -> Travelling:
    """A record from a file, whatever format it is in."""
    if file.stat().st_size > MAX_BYTES:
        raise NotFound("file_too_large", file=str(file), limit=MAX_BYTES)
    content = file.read_bytes()
    if content[:200].lstrip().lower().startswith(b"<!doctype html"):
        from replays.exports.html import record_inside

        content = record_inside(content)
    elif content[:200].lstrip(b"\xef\xbb\xbf \r\n").startswith((b"[", b"# ")):
        from replays.text import read_text

        return read_text(content)
    return read_record(BytesIO(content))
