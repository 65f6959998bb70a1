"""The formats a record can be carried away in, and read back from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from referee.bench import Bench
from referee.errors import NotFound
from referee.exchange import MAX_BYTES, Travelling, read_record, record_lines
from referee.record import Game
from replays.text import text_record

Names = Mapping[str, str]


class Format(NamedTuple):
    suffix: str
    write: Callable[[Bench, Game, Names], bytes]


def _record(bench: Bench, game: Game, names: Names) -> bytes:
    return b"".join(record_lines(bench.store, game.id, names))


def _text(bench: Bench, game: Game, names: Names) -> bytes:
    return text_record(game, names).encode()


FORMATS: dict[str, Format] = {
    "record": Format("jsonl", _record),
    "text": Format("txt", _text),
}


def export_bytes(bench: Bench, game: Game, format: str, *, names: Names) -> bytes:
    return FORMATS[format].write(bench, game, names)


def read_travelling(file: Path) -> Travelling:
    """A record from a file, whatever format it is in."""
    if file.stat().st_size > MAX_BYTES:
        raise NotFound("file_too_large", file=str(file), limit=MAX_BYTES)
    with file.open("rb") as lines:
        return read_record(lines)
