"""Backup and restore: copies that are consistent while others write, and checked when made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from referee.store.derived.projections import forget_lists, view_path
from referee.store.derived.snapshot_files import forget_snapshots
from referee.store.durable_files import make_private, sync_file, sync_folder
from referee.store.envelopes import StoreError
from referee.store.event_store import Store
from referee.store.hash_chain import find_break
from referee.store.sidecars.boxes import boxes_beside
from referee.store.sidecars.people import people_beside
from referee.store.sqlite.errors import translating_errors
from referee.store.sqlite.files import check_pages, companions, read_only, sqlite_path, sqlite_url
from referee.store.sqlite.recorder import open_recorder
from referee.store.urls import is_postgres, open_unwitnessed_log
from referee.store.witness import Witness, witness_beside


class Restored(NamedTuple):
    """What a restored store holds, and how many entries the one before it had besides."""

    entries: int
    missing: int


def backup(url: str, target: Path, *, names: bool = True) -> int:
    """Copy a store, and the names and boxes beside it, to a new file; how many entries it has."""
    source = _file_of(url)
    if not source.is_file():
        raise StoreError("missing_store", path=source)
    with closing(open_recorder(source, create=False)):  # what has lost entries is not copied
        return _copy(source, target.absolute(), names=names)


def restore(source: Path, url: str, *, names: bool = True) -> Restored:
    """Make a store from a backup, never over an existing one.

    What is restored is what the store has from now on, whatever the one before it had.
    """
    target = _file_of(url)
    known = Witness(witness_beside(target)).latest()
    entries = _copy(source.absolute(), target, names=names, still=True)
    accept_loss(url)
    return Restored(entries, max(0, known.number - entries) if known is not None else 0)


def rehearse(copy: Path) -> int:
    """Restore a backup to a place of its own, look at all of it, and forget it again."""
    with TemporaryDirectory(prefix="rehearsal-") as folder:
        place = Path(folder) / copy.name
        restored = restore(copy, sqlite_url(place))
        return min(restored.entries, count_sound_entries(place))


def is_older(url: str) -> bool:
    """Whether a store was written before each entry had a trail: it gets one when written to."""
    if is_postgres(url) or url == "memory:" or not (file := _file_of(url)).is_file():
        return False
    with translating_errors(file), closing(read_only(file)) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(entries)")]
    return bool(columns) and "trail" not in columns


def accept_loss(url: str) -> int:
    """From now on what is there is all there was; how many entries that is."""
    if url == "memory:":
        raise StoreError("memory_only")
    with closing(open_unwitnessed_log(url, known=True)) as log:
        count = log.accept().number
    if (lists := view_path(url)) is not None and lists.exists():
        forget_lists(lists)
    forget_snapshots(url)
    return count


def count_sound_entries(path: Path) -> int:
    """How many entries a store holds; an error if the file or a chain in it is damaged."""
    recorder = open_recorder(path, create=False)
    with closing(Store(recorder, sqlite_url(path))) as store:
        check_pages(path)
        count = 0
        for stream in store.streams():
            entries = store.read(stream)
            if (found := find_break(stream, entries)) is not None:
                raise StoreError(found.key, path=path, stream=stream, seq=found.seq)
            count += len(entries)
        if (error := recorder.find_altered()) is not None:
            raise error
    return count


def _copy(source: Path, target: Path, *, names: bool, still: bool = False) -> int:
    """``still``: nobody writes to the source, so that nothing need be left beside it."""
    if not source.is_file():
        raise StoreError("missing_store", path=source)
    if not target.parent.is_dir():
        raise StoreError("missing_folder", folder=target.parent)
    along = [
        (where(source), where(target))
        for where in ((people_beside, boxes_beside) if names else (boxes_beside,))
        if where(source).is_file()
    ]
    for _, copied in along:
        _refuse_existing(copied)
    with _new_file(target) as draft, ExitStack() as drafts:
        _snapshot(source, draft, still=still)
        entries = count_sound_entries(draft)
        for original, copied in along:
            beside = drafts.enter_context(_new_file(copied))
            _snapshot(original, beside)
            check_pages(beside)
    return entries


@contextmanager
def _new_file(target: Path) -> Iterator[Path]:
    """A draft that takes its place, synced, once it is complete, or leaves nothing behind."""
    _refuse_existing(target)
    draft = target.with_name(f"{target.name}.partial")
    for leftover in (draft, *companions(draft)):
        leftover.unlink(missing_ok=True)
    try:
        make_private(draft)
        yield draft
        sync_file(draft)
        _refuse_existing(target)
        draft.rename(target)
        sync_folder(target.parent)
    finally:
        for leftover in (draft, *companions(draft)):
            leftover.unlink(missing_ok=True)


def _refuse_existing(target: Path) -> None:
    """A forgotten log beside a new file would be played back into it: no leftovers either."""
    for file in (target, *companions(target)):
        if file.exists():
            raise StoreError("already_exists", path=file)


def _snapshot(source: Path, target: Path, *, still: bool = False) -> None:
    alone = still and not any(file.exists() for file in companions(source))
    with translating_errors(source), closing(read_only(source, immutable=alone)) as connection:
        connection.execute("VACUUM INTO ?", (str(target),))


def _file_of(url: str) -> Path:
    if url == "memory:":
        raise StoreError("memory_only")
    if is_postgres(url):
        raise StoreError("server_backup")
    return sqlite_path(url)
