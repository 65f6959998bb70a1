"""Registry of export formats, and detection of the format of an imported file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from engines.kernel.values.structs import evolve
from referee.archive.record_files import MAX_BYTES, RecordFile, read_record, record_lines
from referee.archive.record_zip import is_packed, packed, read_packed
from referee.record.game import Game
from referee.secrecy.redaction import EVERYTHING, needs_judge_view, seen
from referee.table.bench import Bench
from referee.table.notes import annotated
from referee.table.unreadable import readable
from referee.untrusted.safe_toml import read_limited
from replays.exports import card, images, pdf, text_formats
from replays.exports.chronicle import rearrangements
from replays.exports.html import PageChapter, collection_page, page, record_inside
from replays.exports.render_options import RenderOptions
from replays.text_record import read_text, text_record

Writer = Callable[[Bench, Game, RenderOptions], bytes]


class Format(NamedTuple):
    """An export format: the suffix of its files, and the function that writes one."""

    suffix: str
    write: Writer


def _record(bench: Bench, game: Game, options: RenderOptions) -> bytes:
    return b"".join(record_lines(bench.store, game.id, options.names, upto=len(game.entries)))


def _zip(bench: Bench, game: Game, options: RenderOptions) -> bytes:
    digests = {photo.digest for photo in game.standing_photos.values()}
    photos = {digest: found.content for digest in digests if (found := options.photo(digest))}
    return packed(_record(bench, game, options), photos)


def _text(bench: Bench, game: Game, options: RenderOptions) -> bytes:
    return text_record(game, options.names, options.lang).encode()


def _html(bench: Bench, game: Game, options: RenderOptions) -> bytes:
    record = _record(bench, game, options) if options.view == EVERYTHING else b""
    return page(game, record, options)


def _sqlite(bench: Bench, game: Game, options: RenderOptions) -> bytes:
    from replays.exports.archive import sqlite  # imports sqlite_utils, which takes a while

    return sqlite(bench, options)


def _of_game(make: Callable[[Game, RenderOptions], bytes]) -> Writer:
    """A format made from the game alone, without the store."""
    return lambda bench, game, options: make(game, options)


FORMATS: dict[str, Format] = {
    "record": Format("jsonl", _record),
    "zip": Format("zip", _zip),
    "text": Format("txt", _text),
    "html": Format("html", _html),
    "svg": Format("svg", _of_game(images.svg)),
    "png": Format("png", _of_game(images.png)),
    "card": Format("card.png", _of_game(card.card_png)),
    "card_svg": Format("card.svg", _of_game(card.card)),
    "webp": Format("webp", _of_game(images.webp)),
    "gif": Format("gif", _of_game(images.gif)),
    "pdf": Format("pdf", _of_game(pdf.pdf)),
    "md": Format("md", _of_game(text_formats.md)),
    "csv": Format("csv", _of_game(text_formats.csv)),
    "bgstats": Format("bgsplay.json", _of_game(text_formats.bgstats)),
    "playthrough": Format("playthrough.txt", _of_game(text_formats.playthrough)),
    "sqlite": Format("db", _sqlite),
}


WHOLE = frozenset(("record", "zip", "text", "sqlite", "playthrough"))
"""Formats that are the record itself, or all that could be done: nothing can be left out."""


TELLING = frozenset(("html", "pdf", "md", "csv"))
"""Formats that tell in sentences what happened around the moves."""


ARCHIVES = frozenset(("sqlite",))
"""Formats that hold every game of the store."""


def export_bytes(bench: Bench, game: Game, format: str, options: RenderOptions) -> bytes:
    """The game in a format, as ``options.view`` may see it."""
    _refuse_hidden(bench, game, format, options)
    return FORMATS[format].write(bench, *_shown(game, format, options))


def _shown(game: Game, format: str, options: RenderOptions) -> tuple[Game, RenderOptions]:
    if format in TELLING:
        options = evolve(options, rearranged=rearrangements(game, options.view))
    return seen(game, options.view), options


COLLECTED = {"html": collection_page, "pdf": pdf.collection_pdf}
"""Formats of several games in one document."""
Told = tuple[int, str, Sequence[str]]


def collected(
    title: str, format: str, chapters: Sequence[tuple[PageChapter, Sequence[Told]]]
) -> bytes:
    """The chapters with their own notes, each as its options may see it."""
    told = []
    for chapter, notes in chapters:
        game, options = _shown(chapter.game, format, chapter.options)
        told.append(chapter._replace(game=annotated(game, notes), options=options))
    return COLLECTED[format](title, told)


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
        every = readable(bench.store.streams("game-"), bench.game)
        for one in every if format in ARCHIVES else [game]:
            needs_judge_view(one, options.view, format)


def read_record_file(file: Path) -> RecordFile:
    """A record from a file, whatever format it is in."""
    return parse_record_file(read_limited(file, MAX_BYTES))


def parse_record_file(content: bytes) -> RecordFile:
    """The record that a file has, whatever format it is in."""
    if is_packed(content):
        return read_packed(content)
    if content[:200].lstrip().lower().startswith(b"<!doctype html"):
        content = record_inside(content)
    elif content[:200].lstrip(b"\xef\xbb\xbf \r\n").startswith((b"[", b"# ")):
        return read_text(content)
    return read_record(BytesIO(content))
