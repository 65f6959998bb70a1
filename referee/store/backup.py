"""Copies of a store that can be trusted: consistent while others write, checked when made."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from referee.store.base import Store
from referee.store.chain import find_break
from referee.store.envelopes import StoreError
from referee.store.opening import is_postgres
from referee.store.people import people_beside
from referee.store.sqlite import (
    check_pages,
    companions,
    explained,
    open_recorder,
    read_only,
    sqlite_path,
    sqlite_url,
)


def backup(url: str, target: Path, *, names: bool = True) -> int:
    """Copy a store, and the names beside it, to a new file; how many entries it holds."""
    return _copy(_file_of(url), target.absolute(), names=names)


def restore(source: Path, url: str, *, names: bool = True) -> int:
    """Make a store from a backup, never over an existing one; how many entries it holds."""
    return _copy(source.absolute(), _file_of(url), names=names)


def count_sound_entries(path: Path) -> int:
    """How many entries a store holds; an error if the file or a chain in it is damaged."""
    with closing(Store(open_recorder(path, create=False), sqlite_url(path))) as store:
        check_pages(path)
        count = 0
        for stream in store.streams():
            entries = store.read(stream)
            if (found := find_break(stream, entries)) is not None:
                raise StoreError(found.key, path=path, stream=stream, seq=found.seq)
            count += len(entries)
    return count


def _copy(source: Path, target: Path, *, names: bool) -> int:
    if not source.is_file():
        raise StoreError("missing_store", path=source)
    if not target.parent.is_dir():
        raise StoreError("missing_folder", folder=target.parent)
    named = names and people_beside(source).is_file()
    if named:
        _refuse_existing(people_beside(target))
    with _new_file(target) as draft:
        _snapshot(source, draft)
        entries = count_sound_entries(draft)
        if named:
            with _new_file(people_beside(target)) as draft_of_names:
                _snapshot(people_beside(source), draft_of_names)
                check_pages(draft_of_names)
    return entries


@contextmanager
def _new_file(target: Path) -> Iterator[Path]:
    """A draft that takes its place, synced, once it is complete, or leaves nothing behind."""
    _refuse_existing(target)
    draft = target.with_name(f"{target.name}.partial")
    for leftover in (draft, *companions(draft)):
        leftover.unlink(missing_ok=True)
    try:
        yield draft
        _sync(draft)
        _refuse_existing(target)
        draft.rename(target)
        _sync(target.parent)
    finally:
        draft.unlink(missing_ok=True)


def _refuse_existing(target: Path) -> None:
    """A forgotten log beside a new file would be played back into it: no leftovers either."""
    for file in (target, *companions(target)):
        if file.exists():
            raise StoreError("already_exists", path=file)


def _snapshot(source: Path, target: Path) -> None:
    with explained(source), closing(read_only(source)) as connection:
        connection.execute("VACUUM INTO ?", (str(target),))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _file_of(url: str) -> Path:
    if url == "memory:":
        raise StoreError("memory_only")
    if is_postgres(url):
        raise StoreError("server_backup")
    return sqlite_path(url)
