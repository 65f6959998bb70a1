"""Read models and what other processes do with them in the tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator, Sequence
from pathlib import Path
from threading import Barrier
from typing import Any

from referee.archive.read_models import MODELS, SCHEMAS, foretold
from referee.store import Stored, open_store
from referee.store.derived import projections
from referee.store.derived.projections import (
    EntryRange,
    ProjectedBatch,
    Projections,
    ReadModel,
    read_model,
    view_path,
)
from tests.waiting import PATIENCE


def create_games(db: Any) -> None:
    db.table("games").create(
        {"stream": str, "entries": int, "updated": str}, pk="stream", strict=True
    )


@read_model(version=1, create=create_games)
def games(db: Any, stored: Stored, body: dict[str, Any]) -> None:
    """Every stream with its length and the time of its last entry."""
    db.execute(
        "INSERT INTO games (stream, entries, updated) VALUES (?, ?, ?) ON CONFLICT (stream) "
        "DO UPDATE SET entries = excluded.entries, updated = excluded.updated",
        (stored.stream, stored.seq + 1, body["at"]),
    )


def create_counts(db: Any) -> None:
    db.execute("CREATE TABLE counts (stream TEXT PRIMARY KEY, seen INTEGER)")


@read_model(version=1, create=create_counts)
def counts(db: Any, stored: Stored, body: dict[str, Any]) -> None:
    """Adds one for every entry shown, so that one shown twice is seen."""
    db.execute(
        "INSERT INTO counts VALUES (?, 1) ON CONFLICT (stream) DO UPDATE SET seen = seen + 1",
        (stored.stream,),
    )


def die_while_projecting(url: str, path: str, fatal: int) -> None:
    """Killed in the middle of the batch that holds the entry number ``fatal``."""
    store = open_store(url)
    numbers = {entry: number for number, entry in store.follow(0, 10**6)}

    def deadly(db: Any, stored: Stored, body: dict[str, Any]) -> None:
        counts(db, stored, body)
        if numbers[stored] == fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    Projections(Path(path), [ReadModel("counts", 1, create_counts, deadly)]).catch_up(store)


def project_all(url: str, path: str, start: Barrier, total: int) -> None:
    """Catch up again and again while others write and project, until all is taken in."""
    store = open_store(url)
    projections = Projections(Path(path), [counts])
    start.wait(PATIENCE)
    while projections.rows("SELECT position FROM tracking")[0]["position"] < total:
        projections.catch_up(store)


def die_while_making_lists(url: str, spans: int) -> None:
    """Killed when so many spans were taken in, and the next one was asked for."""
    store = open_store(url)
    projections.MANY, projections.BATCH = 1, 7

    def deadly(asked: Sequence[EntryRange]) -> Generator[ProjectedBatch, None, None]:
        for span in asked[:spans]:
            yield foretold(store, span)
        os.kill(os.getpid(), signal.SIGKILL)

    Projections(view_path(url), MODELS, SCHEMAS).catch_up(store, None, deadly)
