"""The whole archive as plain tables in one SQLite file, ready for Datasette.

``docs/export.md`` describes every table. It is a copy for reading: records themselves
travel as ``record``.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from referee.archive.stats import COUNTED, clause_counts
from referee.record.entries import Noted, entry_data
from referee.record.game import Game
from referee.record.history import history
from referee.table.bench import Bench
from referee.table.unreadable import readable
from replays.exports.render_options import RenderOptions

Row = dict[str, Any]

TABLES: dict[str, tuple[dict[str, type], tuple[str, ...]]] = {
    "games": (
        {
            "id": str,
            "game": str,
            "title": str,
            "engine_version": str,
            "edition": str,
            "opened_at": str,
            "last_at": str,
            "closed": int,
            "won": int,
            "entries": int,
            "head": str,
        },
        ("id",),
    ),
    "seats": (
        {"game_id": str, "seat": str, "person": str, "name": str, "place": int, "score": int},
        ("game_id", "seat"),
    ),
    "readings": ({"game_id": str, "reading": str, "value": str}, ("game_id", "reading")),
    "entries": (
        {
            "game_id": str,
            "seq": int,
            "at": str,
            "by": str,
            "role": str,
            "kind": str,
            "data": str,
            "head": str,
        },
        ("game_id", "seq"),
    ),
    "actions": (
        {
            "game_id": str,
            "number": int,
            "seq": int,
            "seat": str,
            "line": str,
            "verdict": str,
            "stands": int,
            "status": str,
            "at": str,
        },
        ("game_id", "number"),
    ),
    "cited": (
        {"game_id": str, "number": int, "clause": str},
        ("game_id", "number", "clause"),
    ),
    "notes": (
        {
            "game_id": str,
            "id": str,
            "number": int,
            "glyphs": str,
            "tags": str,
            "text": str,
            "by": str,
            "at": str,
            "on_step": str,
            "marks": str,
            "arrows": str,
            "clauses": str,
            "variation": str,
            "bookmark": int,
        },
        ("game_id", "id"),
    ),
    "disputes": (
        {
            "game_id": str,
            "id": str,
            "numbers": str,
            "seat": str,
            "clause": str,
            "cause": str,
            "text": str,
            "ended_by": str,
        },
        ("game_id", "id"),
    ),
    "rulings": (
        {
            "game_id": str,
            "id": str,
            "dispute": str,
            "numbers": str,
            "clauses": str,
            "remedy": str,
            "reason": str,
            "overturned_by": str,
        },
        ("game_id", "id"),
    ),
    "clause_counts": (
        {"game": str, "clause": str, **dict.fromkeys(COUNTED, int)},
        ("game", "clause"),
    ),
    "clauses": (
        {"game": str, "id": str, "section": str, "kind": str, "en": str, "fr": str},
        ("id",),
    ),
}
"""Name of each table: its columns and its primary key."""

SEARCHED = {
    "actions": ["line"],
    "notes": ["text"],
    "disputes": ["text"],
    "rulings": ["reason"],
    "clauses": ["en", "fr"],
}


def sqlite(bench: Bench, options: RenderOptions) -> bytes:
    """The bytes of the file."""
    with tempfile.TemporaryDirectory(prefix="archive-") as folder:
        file = Path(folder) / "archive.db"
        write_sqlite(bench, options, file)
        return file.read_bytes()


def write_sqlite(bench: Bench, options: RenderOptions, file: Path) -> None:
    """The file itself, game by game."""
    database = Database(file)
    _create(database)
    streams = list(bench.store.streams("game-"))
    engines: dict[str, Game] = {}
    counted: dict[tuple[str, str], Counter[str]] = {}
    for done, game in enumerate(readable(streams, bench.game, options.left_out), start=1):
        engines.setdefault(game.engine.id, game)
        for table, rows in _rows(game, options):
            database.table(table).insert_all(rows)
        for clause, counts in clause_counts(game).items():
            counted.setdefault((game.engine.id, clause), Counter()).update(counts)
        options.progress(done, len(streams))
    database.table("clause_counts").insert_all(
        {"game": game, "clause": clause, **{what: counts[what] for what in COUNTED}}
        for (game, clause), counts in sorted(counted.items())
    )
    for game in engines.values():
        database.table("clauses").insert_all(_clauses(game))
    for table, columns in SEARCHED.items():
        database.table(table).enable_fts(columns, tokenize="unicode61 remove_diacritics 2")
    database.vacuum()
    database.close()


def _create(database: Database) -> None:
    for name, (columns, key) in TABLES.items():
        foreign: list[tuple[str, str, str]] = []
        if "game_id" in columns:
            foreign = [("game_id", "games", "id")]
        database.table(name).create(
            columns, pk=key if len(key) > 1 else key[0], foreign_keys=foreign
        )


def _rows(game: Game, options: RenderOptions) -> Iterator[tuple[str, list[Row]]]:
    opened, result = game.opened, game.engine.result(game.state)
    yield (
        "games",
        [
            {
                "id": game.id,
                "game": opened.game,
                "title": opened.title,
                "engine_version": opened.engine_version,
                "edition": opened.edition,
                "opened_at": game.entries[0].at,
                "last_at": game.entries[-1].at,
                "closed": int(game.closed is not None),
                "won": None if result is None or result.won is None else int(result.won),
                "entries": len(game.entries),
                "head": game.head,
            }
        ],
    )
    places = {seat: place for place, seats in (result.numbered if result else ()) for seat in seats}
    yield (
        "seats",
        [
            {
                "game_id": game.id,
                "seat": seat,
                "person": game.seats.get(seat),
                "name": options.names.get(game.seats.get(seat, "")),
                "place": places.get(seat),
                "score": result.scores.get(seat) if result else None,
            }
            for seat in game.setting.seats
        ],
    )
    yield (
        "readings",
        [
            {"game_id": game.id, "reading": reading, "value": value}
            for reading, value in game.setting.readings.items()
        ],
    )
    yield "entries", list(_entries(game))
    yield from _said(game)
    yield from _judged(game)


def _entries(game: Game) -> Iterator[Row]:
    for entry in game.entries:
        yield {
            "game_id": game.id,
            "seq": entry.seq,
            "at": entry.at,
            "by": entry.by,
            "role": entry.role,
            "kind": entry.data.KIND,
            "data": json.dumps(entry_data(entry.data), ensure_ascii=False),
            "head": entry.head,
        }


def _said(game: Game) -> Iterator[tuple[str, list[Row]]]:
    lines = {line.number: line for line in history(game)}
    yield (
        "actions",
        [
            {
                "game_id": game.id,
                "number": line.number,
                "seq": line.seq,
                "seat": line.seat,
                "line": line.text,
                "verdict": line.outcome,
                "stands": int(line.stands),
                "status": line.status,
                "at": line.at,
            }
            for _, line in sorted(lines.items())
        ],
    )
    yield (
        "cited",
        [
            {"game_id": game.id, "number": number, "clause": clause}
            for number, line in sorted(lines.items())
            for clause in dict.fromkeys(line.clauses)
        ],
    )
    noted = {entry.data.id: entry for entry in game.entries if isinstance(entry.data, Noted)}
    yield (
        "notes",
        [
            {
                "game_id": game.id,
                "id": note.id,
                "number": note.number,
                "glyphs": " ".join(note.glyphs),
                "tags": " ".join(note.tags),
                "text": note.text,
                "by": noted[note.id].by,
                "at": noted[note.id].at,
                "on_step": note.on,
                "marks": " ".join(note.marks),
                "arrows": " ".join(f"{start}:{end}" for start, end in note.arrows),
                "clauses": " ".join(note.clauses),
                "variation": "; ".join(
                    game.engine.text(game.engine.text.load(said.action)) for said in note.variation
                ),
                "bookmark": int(note.bookmark),
            }
            for note in game.notes.values()
        ],
    )


def _judged(game: Game) -> Iterator[tuple[str, list[Row]]]:
    yield (
        "disputes",
        [
            {
                "game_id": game.id,
                "id": one.id,
                "numbers": " ".join(map(str, one.numbers)),
                "seat": one.seat,
                "clause": one.clause,
                "cause": one.cause,
                "text": one.text,
                "ended_by": game.ended_by(one),
            }
            for one in game.disputes.values()
        ],
    )
    yield (
        "rulings",
        [
            {
                "game_id": game.id,
                "id": one.id,
                "dispute": one.dispute,
                "numbers": " ".join(map(str, one.numbers)),
                "clauses": " ".join(one.clauses),
                "remedy": one.remedy,
                "reason": one.reason,
                "overturned_by": game.overturned.get(one.id),
            }
            for one in game.rulings.values()
        ],
    )


def _clauses(game: Game) -> Iterator[Row]:
    for clause in game.engine.clauses.values():
        yield {
            "game": game.engine.id,
            "id": clause.id,
            "section": clause.section,
            "kind": clause.kind,
            "en": clause.say("en"),
            "fr": clause.say("fr"),
        }
