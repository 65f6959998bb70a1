"""Repair: what can be trusted of a damaged store goes to a new one, the rest is kept beside it.

The damaged store itself is only read. A record goes on as far as its chain holds; what comes
behind could no longer prove anything, so it is written to a file as it was found.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from referee.store.chained_log import BATCH, ChainedLog, LogRow
from referee.store.durable_files import PRIVATE
from referee.store.envelopes import Stored, StoreError
from referee.store.event_store import Store
from referee.store.hash_chain import Break, find_break
from referee.store.maintenance.backup import copy_beside, new_file
from referee.store.sqlite.files import sqlite_url
from referee.store.sqlite.recorder import open_recorder
from referee.store.urls import is_postgres, open_unwitnessed_log
from referee.store.witness import START, extend_chain

UNREADABLE = ("damaged", "disk_error", "database_error", "not_a_database")
"""What a page that is gone comes to."""


class Repaired(NamedTuple):
    """What a repair has found, and would keep or has kept."""

    entries: int
    records: int
    broken: dict[Break, int]
    """Where records break, and how many entries are set aside from there on."""
    unreadable: int
    """Numbers in the log of which nothing can be read."""
    leftover: Path | None
    """The file with what was set aside; none if there is nothing, or nothing was made."""


def repair(url: str, target: Path | None = None) -> Repaired:
    """Look through a store; with a ``target``, make a new one there of all that holds."""
    if url == "memory:":
        raise StoreError("memory_only")
    with closing(open_unwitnessed_log(url)) as log:
        if target is None:
            return _sorted(log, None, None)
        leftover = target.with_name(f"{target.name}.set-aside.jsonl")
        if leftover.exists():
            raise StoreError("already_exists", path=leftover)
        with new_file(target) as draft:
            store = Store(open_recorder(draft), sqlite_url(draft))
            with closing(store):
                found = _sorted(log, store, leftover)
            draft.with_name(f"{draft.name}-witness").unlink(missing_ok=True)
        if not is_postgres(url):
            copy_beside(url, target)
    return found


def _sorted(log: ChainedLog[Any], store: Store | None, leftover: Path | None) -> Repaired:
    """Each entry to the new store, or to those that are set aside."""
    last: dict[str, Stored] = {}
    broken: dict[str, Break] = {}
    behind: dict[Break, int] = {}
    entries, unreadable, before = 0, 0, None
    batch: list[Stored] = []
    for row in readable_rows(log):
        if row is None:
            unreadable, before = unreadable + 1, None
            continue
        entry = Stored(row.stream, row.seq, row.topic, row.body)
        if row.stream not in broken:
            found = _wrong_with(row, entry, last.get(row.stream), before)
            if found is not None:
                broken[row.stream] = found
        before = row
        if row.stream in broken:
            behind[broken[row.stream]] = behind.get(broken[row.stream], 0) + 1
            if leftover is not None:
                _keep_aside(leftover, row)
            continue
        last[row.stream] = entry
        entries += 1
        batch.append(entry)
        if store is not None and len(batch) == BATCH:
            store.continue_log(entries - len(batch) + 1, batch)
            batch = []
    if store is not None and batch:
        store.continue_log(entries - len(batch) + 1, batch)
    return Repaired(entries, len(last), behind, unreadable, leftover if behind else None)


def _wrong_with(
    row: LogRow, entry: Stored, last: Stored | None, before: LogRow | None
) -> Break | None:
    if (found := find_break(row.stream, [entry], last)) is not None:
        return Break(row.stream, row.seq, found.key)
    log_hash = START if row.number == 1 else None
    if before is not None and before.number == row.number - 1:
        log_hash = before.log_hash
    if None not in (row.log_hash, log_hash) and row.log_hash != extend_chain(
        log_hash or b"", row.body
    ):
        return Break(row.stream, row.seq, "altered")
    return None


def readable_rows(log: ChainedLog[Any]) -> Iterator[LogRow | None]:
    """Every entry that the database can still read, and None for each that it cannot."""
    reached, end = 0, _end_of(log)
    while reached < end:
        upto = min(reached + BATCH, end)
        try:
            rows = log.rows_between(reached, upto)
        except StoreError as error:
            if error.key not in UNREADABLE:
                raise
            yield from _one_by_one(log, reached, upto)
        else:
            yield from rows
            yield from [None] * (upto - reached - len(rows))
        reached = upto


def _one_by_one(log: ChainedLog[Any], after: int, upto: int) -> Iterator[LogRow | None]:
    for number in range(after, upto):
        try:
            yield next(iter(log.rows_between(number, number + 1)), None)
        except StoreError as error:
            if error.key not in UNREADABLE:
                raise
            yield None


def _end_of(log: ChainedLog[Any]) -> int:
    """The newest number that the database or its witness knows."""
    known = log.witness.latest()
    try:
        found = log.max_number()
    except StoreError:
        if known is None:
            raise
        found = 0
    return max(found, known.number if known is not None else 0)


def _keep_aside(file: Path, row: LogRow) -> None:
    """As it was found: text where it is text, else base64."""
    told: dict[str, Any] = {
        "number": row.number,
        "stream": row.stream,
        "seq": row.seq,
        "topic": row.topic,
        "key": row.key,
    }
    try:
        told["body"] = row.body.decode()
    except UnicodeDecodeError:
        told["base64"] = b64encode(row.body).decode()
    file.touch(PRIVATE, exist_ok=True)
    with file.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(told, ensure_ascii=False) + "\n")
