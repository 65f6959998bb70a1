"""Health checks of a store (``doctor``): what could endanger it, one thing after the other."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from engines.kernel.values.structs import evolve
from referee.store import urls
from referee.store.chained_log import ChainedLog
from referee.store.checks import Check, Level
from referee.store.derived.projections import check_lists, view_path
from referee.store.derived.snapshot_files import kept_snapshots, snapshots_beside
from referee.store.envelopes import StoreError
from referee.store.event_store import Store
from referee.store.hash_chain import find_break
from referee.store.sidecars.access import APPLICATION_ID as TOKENS
from referee.store.sidecars.access import access_beside
from referee.store.sidecars.attachments import attachments_beside
from referee.store.sidecars.boxes import APPLICATION_ID as BOXES
from referee.store.sidecars.boxes import boxes_beside
from referee.store.sidecars.people import APPLICATION_ID as NAMES
from referee.store.sidecars.people import people_beside
from referee.store.sidecars.sqlite_tables import SqliteTables
from referee.store.sidecars.webhooks import webhooks_beside
from referee.store.sqlite.connection import SYNCHRONOUS_FULL
from referee.store.sqlite.errors import translating_errors
from referee.store.sqlite.files import (
    check_pages,
    claim,
    read_only,
    sqlite_path,
    sqlite_url,
)
from referee.store.sqlite.recorder import SQLiteRecorder, open_unwitnessed

WAL_RESET_FIXED = (3, 51, 3)
"""Before it, two writers and a checkpoint could, very rarely, damage a file."""
LITTLE_SPACE = 200 << 20
NO_SPACE = 10 << 20
NEWEST = 20
MOST_AHEAD = timedelta(hours=1)
"""By so much the newest entry may be later than the clock of this computer."""
MOUNTS = Path("/proc/self/mounts")
NETWORK = frozenset(
    ("9p", "afs", "ceph", "cifs", "davfs", "fuse.sshfs", "glusterfs", "nfs", "nfs4", "smb3")
)


def doctor(url: str) -> list[Check]:
    """Every check that makes sense for this store, the groundwork first."""
    return list(_checks(url))


def _checks(url: str) -> Iterator[Check]:
    if urls.is_postgres(url):
        yield from _server(url)
        return
    yield sqlite_version()
    if url == "memory:":
        yield Check("store", "warn", "doctor.in_memory", "doctor.fix.choose_file")
        return
    try:
        path = sqlite_path(url)
    except StoreError as error:
        yield _cannot("store", error)
        return
    if not path.parent.is_dir():
        yield _cannot("folder", StoreError("missing_folder", folder=path.parent))
        return
    yield _folder(path.parent)
    yield _space(path.parent)
    yield _file_system(path.parent)
    if path.is_file():
        yield _looked("journal", lambda: _journal(path))
    try:
        recorder = open_unwitnessed(path, create=False)
    except StoreError as error:
        if error.key == "missing_store":
            yield Check("store", "warn", "doctor.no_store", "doctor.fix.first_game", {"path": path})
        else:
            yield _cannot("store", error)
        return
    with closing(recorder):
        yield from _file(path, recorder)


def _server(url: str) -> Iterator[Check]:
    try:
        urls.server_of(url)
        from referee.store.postgres.checks import checks

        yield from checks(url)
        recorder = urls.open_unwitnessed_log(url)
        with closing(Store(recorder, url)) as store:
            yield _looked("witness", lambda: _witness(recorder))
            yield _looked("chain", lambda: _newest_chains(store))
            yield _looked("log", lambda: _log(recorder))
            for name in _BESIDE:
                yield _looked(name, lambda: _newest(name, url))  # noqa: B023
            yield _looked("attachments", lambda: _attachments(url))
            yield _looked("clock", lambda: _clock(store))
            yield _looked("lists", lambda: _lists(store))
            yield from _snapshots(store.url)
    except StoreError as error:
        yield _cannot("store", error)


def _file(path: Path, recorder: SQLiteRecorder) -> Iterator[Check]:
    store = Store(recorder, sqlite_url(path))
    yield _looked("synchronous", lambda: _synchronous(recorder))
    yield _private(path)
    yield _looked("witness", lambda: _witness(recorder))
    integrity = _looked("integrity", lambda: _integrity(path))
    yield integrity
    if integrity.level == "ok":
        yield _looked("chain", lambda: _newest_chains(store))
        yield _looked("log", lambda: _log(recorder))
    for name, file in (
        ("names", people_beside(path)),
        ("tokens", access_beside(path)),
        ("boxes", boxes_beside(path)),
    ):
        yield _beside(name, file, store.url)
    if attachments_beside(path).exists():
        yield _looked("attachments", lambda: _attachments(store.url))
    yield _looked("clock", lambda: _clock(store))
    yield _looked("lists", lambda: _lists(store))
    yield from _snapshots(store.url)


def _looked(name: str, look: Callable[[], Check]) -> Check:
    """A look that finds something unreadable has found something."""
    try:
        return look()
    except StoreError as error:
        return _cannot(name, error)


def sqlite_version() -> Check:
    """Whether several programs may write to one file with this SQLite."""
    facts = {"version": sqlite3.sqlite_version}
    if sqlite3.sqlite_version_info < WAL_RESET_FIXED:
        return Check("sqlite", "warn", "doctor.sqlite_old", "doctor.fix.update_sqlite", facts)
    return Check("sqlite", "ok", "doctor.sqlite_fine", facts=facts)


def _folder(folder: Path) -> Check:
    facts = {"folder": folder}
    if os.access(folder, os.W_OK | os.X_OK):
        return Check("folder", "ok", "doctor.folder_writable", facts=facts)
    return Check("folder", "fail", "doctor.folder_read_only", "doctor.fix.permissions", facts)


def _space(folder: Path) -> Check:
    free = shutil.disk_usage(folder).free
    facts = {"megabytes": free >> 20, "folder": folder}
    if free >= LITTLE_SPACE:
        return Check("space", "ok", "doctor.space_enough", facts=facts)
    level: Level = "fail" if free < NO_SPACE else "warn"
    return Check("space", level, "doctor.space_little", "doctor.fix.free_space", facts)


def _file_system(folder: Path) -> Check:
    kind = kind_of_file_system(folder)
    if kind is None:
        return Check("file_system", "ok", "doctor.file_system_unknown")
    if kind in NETWORK:
        facts = {"kind": kind}
        return Check("file_system", "fail", "doctor.file_system_network", "doctor.fix.local", facts)
    return Check("file_system", "ok", "doctor.file_system_local", facts={"kind": kind})


def kind_of_file_system(folder: Path) -> str | None:
    """The type of the innermost mount that holds the folder, where the system tells."""
    if not MOUNTS.is_file():
        return None
    real, best, kind = folder.resolve(), -1, None
    for line in MOUNTS.read_text("utf-8", "replace").splitlines():
        _, point, mounted, *_ = line.split(" ")
        place = Path(point.encode().decode("unicode_escape"))
        if real.is_relative_to(place) and len(place.parts) >= best:
            best, kind = len(place.parts), mounted
    return kind


def _journal(path: Path) -> Check:
    with translating_errors(path), closing(read_only(path)) as connection:
        mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    facts = {"mode": mode}
    if mode == "wal":
        return Check("journal", "ok", "doctor.journal_wal", facts=facts)
    return Check("journal", "warn", "doctor.journal_other", "doctor.fix.open_once", facts)


def _synchronous(recorder: SQLiteRecorder) -> Check:
    with recorder.datastore.transaction(commit=False) as c:
        c.execute("PRAGMA synchronous")
        level = c.fetchone()[0]
    facts = {"level": level}
    if level >= SYNCHRONOUS_FULL:
        return Check("synchronous", "ok", "doctor.synchronous_full", facts=facts)
    return Check("synchronous", "fail", "doctor.synchronous_weak", "doctor.fix.report", facts)


def _private(path: Path) -> Check:
    """Records hold hidden hands: a file of a store belongs to its user alone."""
    open_ones = [
        file.name
        for file in (
            path,
            people_beside(path),
            access_beside(path),
            boxes_beside(path),
            attachments_beside(path),
            webhooks_beside(path),
            snapshots_beside(path),
        )
        if os.name == "posix" and file.exists() and file.stat().st_mode & 0o077
    ]
    if not open_ones:
        return Check("private", "ok", "doctor.private")
    facts = {"files": open_ones}
    return Check("private", "warn", "doctor.not_private", "doctor.fix.chmod", facts)


def _witness(recorder: ChainedLog[Any]) -> Check:
    unreadable = recorder.witness.is_unreadable and recorder.known().number
    if isinstance(recorder, SQLiteRecorder):
        recorder.check_complete()
    else:
        recorder.check_witness()
    known = recorder.witness.latest()
    if unreadable:
        return Check("witness", "warn", "doctor.witness_unreadable")
    if known is None:
        return Check("witness", "ok", "doctor.no_witness")
    return Check("witness", "ok", "doctor.witness_fine", facts={"count": known.number})


def _attachments(url: str) -> Check:
    """Whether every photograph is the one that its digest names."""
    with closing(urls.open_attachments(url)) as attachments:
        altered, count = list(attachments.altered()), attachments.count()
    if not altered:
        return Check("attachments", "ok", "doctor.attachments_fine", facts={"count": count})
    facts = {"count": len(altered), "digests": [digest[:16] for digest in altered[:5]]}
    return Check("attachments", "fail", "doctor.attachments_altered", "doctor.fix.restore", facts)


def _integrity(path: Path) -> Check:
    check_pages(path)
    return Check("integrity", "ok", "doctor.integrity_fine")


def _log(recorder: ChainedLog[Any]) -> Check:
    """Every entry, the last of each record too."""
    if (error := recorder.find_altered()) is not None:
        raise error
    return Check("log", "ok", "doctor.log_fine")


_BESIDE = {
    "names": (NAMES, "people", "doctor.no_names", "doctor.fix.names"),
    "tokens": (TOKENS, "tokens", "doctor.no_tokens", "doctor.fix.tokens"),
    "boxes": (BOXES, "boxes", "doctor.no_boxes", "doctor.fix.boxes"),
}
_OPENED: Mapping[str, tuple[Callable[[str], SqliteTables], str]] = {
    "names": (urls.open_people, "doctor.names_fine"),
    "tokens": (urls.open_access, "doctor.tokens_fine"),
    "boxes": (urls.open_boxes, "doctor.boxes_fine"),
}
_ANOTHER_FILE = ("damaged", "not_a_database", "database_error")


def _beside(name: str, file: Path, url: str) -> Check:
    """A file beside the store, which the service and the pages need."""
    application, table, none, fix = _BESIDE[name]
    if not file.exists():
        return Check(name, "ok", none)
    try:
        claim(file, application, table)
        check_pages(file)
        return _newest(name, url)
    except StoreError as error:
        found = _cannot(name, error)
        return evolve(found, fix=fix) if error.key in _ANOTHER_FILE else found


def _newest(name: str, url: str) -> Check:
    """Opening them compares them with the witness."""
    opens, fine = _OPENED[name]
    opens(url).close()
    return Check(name, "ok", fine)


def _clock(store: Store) -> Check:
    """Whether the newest entry and the clock of this computer can both be right."""
    newest = store.follow(store.position() - 1, limit=1) if store.position() else ()
    try:
        at = datetime.fromisoformat(json.loads(newest[0][1].body)["at"]) if newest else None
    except (ValueError, KeyError, TypeError):
        at = None
    now = datetime.now(UTC)
    if at is not None and at.tzinfo is not None:
        facts = {"at": f"{at:%Y-%m-%d %H:%M}", "now": f"{now:%Y-%m-%d %H:%M}"}
        if at - now > MOST_AHEAD:
            return Check("clock", "warn", "doctor.clock_behind", "doctor.fix.clock", facts)
    return Check("clock", "ok", "doctor.clock_fine")


def _lists(store: Store) -> Check:
    file = view_path(store.url)
    if file is None or not file.exists():
        return Check("lists", "ok", "doctor.no_lists")
    try:
        check_lists(file, store)
        check_pages(file)
    except StoreError as error:
        if error.key not in ("damaged", "not_a_database", "database_error"):
            raise
        return Check("lists", "warn", "doctor.lists_damaged", "doctor.fix.lists", {"path": file})
    return Check("lists", "ok", "doctor.lists_fine")


def _snapshots(url: str) -> Iterator[Check]:
    """Nothing depends on them; it is good to know what a folder is there for."""
    if files := kept_snapshots(url):
        facts = {"count": len(files), "folder": files[0].parent}
        yield Check("snapshots", "ok", "doctor.snapshots", facts=facts)


def _newest_chains(store: Store) -> Check:
    """The records written last are those a crash or a meddler would have touched."""
    newest = reversed(store.follow(max(0, store.position() - 500)))
    streams = list(dict.fromkeys(entry.stream for _, entry in newest))[:NEWEST]
    for stream in streams:
        if (found := find_break(stream, store.read(stream))) is not None:
            facts = {"stream": stream, "seq": found.seq}
            return Check("chain", "fail", f"store.{found.key}", "doctor.fix.restore", facts)
    return Check("chain", "ok", "doctor.chain_fine", facts={"count": len(streams)})


def _cannot(name: str, error: StoreError) -> Check:
    fix = _FIXES.get(error.key, "doctor.fix.restore")
    return Check(name, "fail", f"store.{error.key}", fix, error.facts)


_FIXES = {
    "entries_lost": "doctor.fix.lost",
    "other_entries": "doctor.fix.lost",
    "short_copy": "doctor.fix.lost",
    "older_copy": "doctor.fix.lost",
    "lists_know_more": "doctor.fix.lost",
    "not_ours": "doctor.fix.rename",
    "bad_url": "doctor.fix.url",
    "missing_folder": "doctor.fix.make_folder",
    "read_only": "doctor.fix.permissions",
    "cannot_open": "doctor.fix.permissions",
    "disk_full": "doctor.fix.free_space",
    "locked": "doctor.fix.close_others",
    "no_locks": "doctor.fix.local",
    "not_a_store": "doctor.fix.url",
    "not_a_database": "doctor.fix.url",
    "newer_format": "doctor.fix.update_referee",
    "not_available": "doctor.fix.extra",
    "unreachable": "doctor.fix.server",
    "connection_lost": "doctor.fix.server",
    "missing_schema": "doctor.fix.init",
    "no_right": "doctor.fix.grant",
    "standby": "doctor.fix.primary",
    "forgetful_server": "doctor.fix.setting",
}
