"""Backup and restore: copies that are consistent while others write, and checked when made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from referee.store import urls
from referee.store.derived.projections import forget_lists, view_path
from referee.store.derived.snapshot_files import forget_snapshots
from referee.store.durable_files import make_private, sync_file, sync_folder
from referee.store.envelopes import StoreError
from referee.store.event_store import Store
from referee.store.hash_chain import find_break
from referee.store.sidecars.access import Access, access_beside
from referee.store.sidecars.attachments import attachments_beside
from referee.store.sidecars.boxes import boxes_beside
from referee.store.sidecars.people import people_beside
from referee.store.sidecars.sqlite_tables import SPOILT, SqliteTables
from referee.store.sqlite import files
from referee.store.sqlite.errors import translating_errors
from referee.store.sqlite.recorder import open_recorder
from referee.store.urls import is_postgres, open_unwitnessed_log
from referee.store.witness import Witness, witness_beside


class RestoreReport(NamedTuple):
    """What a restored store holds, and how many entries the one before it had besides."""

    entries: int
    missing: int
    aside: Path | None = None
    """Where the store is kept that was there before."""


def backup(
    url: str,
    target: Path,
    *,
    names: bool = True,
    left_out: dict[str, StoreError] | None = None,
) -> int:
    """Copy a store with its sidecar files to a new file; returns the number of entries.

    Tokens are left out: a lost copy must not give access to anything. A sidecar file that cannot
    be read is an error, or is added to ``left_out``: the entries are copied all the same.
    """
    source = _file_of(url)
    if not source.is_file():
        raise StoreError("missing_store", path=source)
    with closing(open_recorder(source, create=False)):  # what has lost entries is not copied
        beside = [each for each in _beside(names) if not _is_left_out(each, url, left_out)]
        return _copy(source, target.absolute(), beside, left_out=left_out)


def _is_left_out(where: Sidecar, url: str, left_out: dict[str, StoreError] | None) -> bool:
    """Whether a file beside the store is an older copy, or damaged, as its opening shows."""
    if left_out is None or not where(_file_of(url)).is_file():
        return False
    name, opens = _OPENED[where]
    with _noting(name, left_out):
        opens(url).close()
    return name in left_out


@contextmanager
def _noting(name: str, left_out: dict[str, StoreError] | None) -> Iterator[None]:
    """What is wrong with a sidecar file is noted, where that is asked for."""
    try:
        yield
    except StoreError as error:
        if left_out is None or error.key not in SPOILT:
            raise
        left_out[name] = error


def restore(source: Path, url: str, *, over: bool = False, names: bool = True) -> RestoreReport:
    """Make a store from a backup, never over an existing one unless ``over`` is asked for.

    What is restored is what the store has from now on, whatever the one before it had. ``over``
    keeps the files of that one under another name; the names, boxes and tokens that are there
    stay, unless ``names`` says to take those of the backup.
    """
    target = _file_of(url)
    known = Witness(witness_beside(target)).latest()
    aside = None
    if over:
        entries, aside = _restore_over(source.absolute(), target, names=names)
    else:
        entries = _copy(source.absolute(), target, _beside(names), still=True)
    accept_loss(url)
    missing = max(0, known.number - entries) if known is not None else 0
    return RestoreReport(entries, missing, aside)


def _restore_over(source: Path, target: Path, *, names: bool) -> tuple[int, Path | None]:
    """The new file is complete and checked before anything is moved."""
    fresh = target.with_name(f"{target.name}.restored")
    for leftover in (fresh, *files.companions(fresh), witness_beside(fresh)):
        leftover.unlink(missing_ok=True)
    entries = _copy(source, fresh, (), still=True)
    aside = _free_name(target)
    old = [target, *files.companions(target), witness_beside(target)]
    new = [aside, *files.companions(aside), witness_beside(aside)]
    for where in SIDECARS if names else ():
        if where(source).is_file():
            old.append(where(target))
            new.append(where(aside))
    moved = False
    for file, place in zip(old, new, strict=True):
        if file.exists():
            file.rename(place)
            moved = True
    fresh.rename(target)
    for where in SIDECARS:
        if where(source).is_file() and not where(target).exists():
            with new_file(where(target)) as draft:
                _copy_sidecar(where, source, draft)
    sync_folder(target.parent)
    return entries, aside if moved else None


def _free_name(target: Path) -> Path:
    """A free file name for the store that is being replaced."""
    number = 1
    while (aside := target.with_name(f"{target.stem}.replaced-{number}.db")).exists():
        number += 1
    return aside


def check_by_restoring(copy: Path) -> int:
    """Test a backup: restore it to a temporary place and verify all of it."""
    with TemporaryDirectory(prefix="rehearsal-") as folder:
        place = Path(folder) / copy.name
        restored = restore(copy, files.sqlite_url(place))
        return min(restored.entries, count_sound_entries(place))


def is_older(url: str) -> bool:
    """Whether the store is from a version without log hashes; they are added at the first write."""
    if is_postgres(url) or url == "memory:" or not (file := _file_of(url)).is_file():
        return False
    with translating_errors(file), closing(files.read_only(file)) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(entries)")]
    return bool(columns) and "trail" not in columns


def accept_loss(url: str) -> int:
    """From now on what is there is all there was; how many entries that is."""
    if url == "memory:":
        raise StoreError("memory_only")
    with closing(open_unwitnessed_log(url, known=True)) as log:
        log.accept()
        count = log.count()
    if (lists := view_path(url)) is not None and lists.exists():
        forget_lists(lists)
    forget_snapshots(url)
    return count


def count_sound_entries(path: Path) -> int:
    """How many entries a store holds; an error if the file or a chain in it is damaged."""
    recorder = open_recorder(path, create=False)
    with closing(Store(recorder, files.sqlite_url(path))) as store:
        files.check_pages(path)
        count = 0
        for stream in store.streams():
            entries = store.read(stream)
            if (found := find_break(stream, entries)) is not None:
                raise StoreError(found.key, path=path, stream=stream, seq=found.seq)
            count += len(entries)
        if (error := recorder.find_altered()) is not None:
            raise error
    return count


Sidecar = Callable[[Path], Path]
SIDECARS: tuple[Sidecar, ...] = (
    people_beside,
    boxes_beside,
    attachments_beside,
    access_beside,
)
"""Sidecar files in a backup; of the access file, only the access rules."""


_OPENED: dict[Sidecar, tuple[str, Callable[[str], SqliteTables]]] = {
    people_beside: ("names", urls.open_people),
    boxes_beside: ("boxes", urls.open_boxes),
    attachments_beside: ("photographs", urls.open_attachments),
    access_beside: ("rules", urls.open_access),
}
"""What is in them, and how they are opened."""


def lacks(copy: Path, what: str) -> bool:
    """Whether a backup has no such sidecar file."""
    return not any(where(copy).is_file() for where, (name, _) in _OPENED.items() if name == what)


def _beside(names: bool) -> tuple[Sidecar, ...]:
    return SIDECARS if names else SIDECARS[1:]


def copy_beside(url: str, target: Path) -> None:
    """Names, boxes, attachments and rules of a store to one that was made of it."""
    for where in SIDECARS:
        if where(_file_of(url)).is_file():
            with new_file(where(target)) as draft:
                _copy_sidecar(where, _file_of(url), draft)


def _copy_sidecar(where: Sidecar, source: Path, draft: Path) -> None:
    if where is not access_beside:
        files.copy_file(where(source), draft)
        files.check_pages(draft)
        return
    with closing(Access(where(source))) as ours, closing(Access(draft)) as copied:
        ours.copy_to(copied)


def _copy(
    source: Path,
    target: Path,
    beside: Sequence[Sidecar],
    *,
    still: bool = False,
    left_out: dict[str, StoreError] | None = None,
) -> int:
    """``still``: nothing writes to the source, so that SQLite need not leave files beside it."""
    if not source.is_file():
        raise StoreError("missing_store", path=source)
    if not target.parent.is_dir():
        raise StoreError("missing_folder", folder=target.parent)
    if still and not files.log_size(source) and files.has_users(source, immutable=True):
        raise StoreError("short_copy", path=source)
    along = [where for where in beside if where(source).is_file()]
    for where in along:
        _refuse_existing(where(target))
    with new_file(target) as draft, ExitStack() as drafts:
        alone = still and not any(file.exists() for file in files.companions(source))
        files.copy_file(source, draft, immutable=alone)
        files.forget_users(draft)
        entries = count_sound_entries(draft)
        for where in along:
            with _noting(_OPENED[where][0], left_out), ExitStack() as trial:
                _copy_sidecar(where, source, trial.enter_context(new_file(where(target))))
                drafts.push(trial.pop_all())
    return entries


@contextmanager
def new_file(target: Path) -> Iterator[Path]:
    """Atomic write: a temporary file is synced and renamed when complete, else removed."""
    _refuse_existing(target)
    draft = target.with_name(f"{target.name}.partial")
    for leftover in (draft, *files.companions(draft)):
        leftover.unlink(missing_ok=True)
    try:
        make_private(draft)
        yield draft
        sync_file(draft)
        _refuse_existing(target)
        draft.rename(target)
        sync_folder(target.parent)
    finally:
        for leftover in (draft, *files.companions(draft)):
            leftover.unlink(missing_ok=True)


def _refuse_existing(target: Path) -> None:
    """A forgotten log beside a new file would be played back into it: no leftovers either."""
    for file in (target, *files.companions(target)):
        if file.exists():
            raise StoreError("already_exists", path=file)


def _file_of(url: str) -> Path:
    if url == "memory:":
        raise StoreError("memory_only")
    if is_postgres(url):
        raise StoreError("server_backup")
    return files.sqlite_path(url)
