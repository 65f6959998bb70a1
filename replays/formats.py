"""Registry of export formats, and detection of the format of an imported file."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from referee.archive.record_files import MAX_BYTES, RecordFile, read_record, record_lines
from referee.record.game import Game
from referee.secrecy.redaction import EVERYTHING, needs_judge_view, seen
from referee.table.bench import Bench
from referee.untrusted.safe_toml import read_limited
from replays.exports.render_options import RenderOptions


class Format(NamedTuple):
    suffix: str
    write: Callable[[Bench, Game, RenderOptions], bytes]


def _record(bench: Bench, game: Game, options: RenderOptions) -> bytes:
    return b"".join(record_lines(bench.store, game.id, options.names))


def _text(bench: Bench, game: Game, options: RenderOptions) -> bytes:
    from replays.text_record import text_record

    return text_record(game, options.names, options.lang).encode()


def _html(bench: Bench, game: Game, options: RenderOptions) -> bytes:
    from replays.exports.html import page

    record = _record(bench, game, options) if options.view == EVERYTHING else b""
    return page(game, record, options)


def _sqlite(bench: Bench, game: Game, options: RenderOptions) -> bytes:
    from replays.exports.archive import sqlite

    return sqlite(bench, options)


def _drawn(module: str, name: str) -> Callable[[Bench, Game, RenderOptions], bytes]:
    """A format made from the game alone; its module is imported when it is asked for."""

    def write(bench: Bench, game: Game, options: RenderOptions) -> bytes:
        make = getattr(import_module(f"replays.exports.{module}"), name)
        made: bytes = make(game, options)
        return made

    return write


FORMATS: dict[str, Format] = {
    "record": Format("jsonl", _record),
    "text": Format("txt", _text),
    "html": Format("html", _html),
    "svg": Format("svg", _drawn("images", "svg")),
    "png": Format("png", _drawn("images", "png")),
    "webp": Format("webp", _drawn("images", "webp")),
    "gif": Format("gif", _drawn("images", "gif")),
    "pdf": Format("pdf", _drawn("pdf", "pdf")),
    "md": Format("md", _drawn("text_formats", "md")),
    "csv": Format("csv", _drawn("text_formats", "csv")),
    "bgstats": Format("bgsplay.json", _drawn("text_formats", "bgstats")),
    "playthrough": Format("playthrough.txt", _drawn("text_formats", "playthrough")),
    "sqlite": Format("db", _sqlite),
}


WHOLE = frozenset(("record", "text", "sqlite", "playthrough"))
"""Formats that are the record itself, or all that could be done: nothing can be left out."""


ARCHIVES = frozenset(("sqlite",))
"""Formats that hold every game of the store."""


def export_bytes(bench: Bench, game: Game, format: str, options: RenderOptions) -> bytes:
    """The game in a format, as ``options.view`` may see it."""
    _refuse_hidden(bench, game, format, options)
    return FORMATS[format].write(bench, seen(game, options.view), options)


def export_archive(
    bench: Bench, game: Game, format: str, options: RenderOptions, file: Path
) -> None:
    """Every game of the store, written into a file as they come."""
    from replays.exports.archive import write_sqlite

    _refuse_hidden(bench, game, format, options)
    write_sqlite(bench, options, file)


def _refuse_hidden(bench: Bench, game: Game, format: str, options: RenderOptions) -> None:
    """Refuse a format that cannot be redacted to viewers who may not see everything."""
    if options.view != EVERYTHING and format in WHOLE:
        for stream in bench.store.streams("game-") if format in ARCHIVES else [game.id]:
            needs_judge_view(bench.game(stream), options.view, format)


def read_travelling(file: Path) -> RecordFile:
    """A record from a file, whatever format it is in."""
    return travelling_in(read_limited(file, MAX_BYTES))


def travelling_in(content: bytes) -> RecordFile:
    """The record that a file has, whatever format it is in."""
    if content[:200].lstrip().lower().startswith(b"<!doctype html"):
        from replays.exports.html import record_inside

        content = record_inside(content)
    elif content[:200].lstrip(b"\xef\xbb\xbf \r\n").startswith((b"[", b"# ")):
        from replays.text_record import read_text

        return read_text(content)
    return read_record(BytesIO(content))
