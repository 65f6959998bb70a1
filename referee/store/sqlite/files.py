"""Store files: URLs, sidecar files, ownership.

A file is marked with ``PRAGMA application_id``, so that a database of another program is never
written to.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote, unquote

from referee.store.durable_files import make_private
from referee.store.envelopes import StoreError
from referee.store.os_errors import translating_os_errors
from referee.store.sqlite.errors import translating_errors

APPLICATION_ID = 0x52454631
"""Marks the file as a store of ours ("REF1")."""
FILE_FORMAT = 1
LOCK_TIMEOUT = 5.0
"""Lock timeout in seconds."""


def sqlite_url(path: Path) -> str:
    return "sqlite://" + quote(path.absolute().as_posix())


def sqlite_path(url: str) -> Path:
    """The file that a ``sqlite:///`` URL names, or one with four slashes, as others write it."""
    scheme, _, rest = url.partition("://")
    if rest.startswith("//"):
        rest = f"/{rest.lstrip('/')}"
    path = Path(unquote(rest))
    if scheme != "sqlite" or "?" in rest or "\0" in str(path) or not path.is_absolute():
        raise StoreError("bad_url", url=url)
    return path


def companions(path: Path) -> tuple[Path, ...]:
    """The files that SQLite keeps beside a database (WAL, shared memory, journal)."""
    return tuple(path.with_name(path.name + end) for end in ("-wal", "-shm", "-journal"))


def beside(store: Path, what: str) -> Path:
    """The file of the names, or of the lists, of a store: no two stores share one.

    Stores that do not end in ``.db`` once did, with all of the same stem: what one of them has
    from then stays its own, if there is no other to claim it.
    """
    common = store.with_suffix(f".{what}.db")
    if store.suffix == ".db":
        return common
    own = store.with_name(f"{store.name}-{what}.db")
    inherited = common.exists() and not store.with_suffix(".db").exists()
    return common if inherited and not own.exists() else own


def identity(path: str) -> tuple[int, int] | None:
    """Device and inode of the file that has this name now."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def read_only(path: Path, *, immutable: bool = False) -> sqlite3.Connection:
    """``immutable``: nothing writes to the file, so that SQLite creates none beside it."""
    mode = "ro&immutable=1" if immutable else "ro"
    return sqlite3.connect(f"file:{quote(str(path))}?mode={mode}", uri=True, timeout=LOCK_TIMEOUT)


def _read_write(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?mode=rw", uri=True, timeout=LOCK_TIMEOUT)


def copy_file(source: Path, target: Path, *, immutable: bool = False) -> None:
    """A consistent copy during writes (SQLite's backup API); ``target`` is new or empty."""
    with translating_errors(source), closing(read_only(source, immutable=immutable)) as connection:
        connection.execute("VACUUM INTO ?", (str(target),))


def copy_before_upgrade(store: Path) -> Path:
    """A copy of the store before it is upgraded; made once."""
    number = 0
    while True:
        number += 1
        copy = store.with_name(f"{store.stem}.before-{number}.db")
        if not copy.exists():
            break
        if _count(copy) == _count(store):
            return copy
    with translating_os_errors(copy):
        make_private(copy)
    copy_file(store, copy)
    return copy


def _count(path: Path) -> int | None:
    with translating_errors(path), closing(read_only(path)) as connection:
        found: int | None = connection.execute("SELECT MAX(rowid) FROM entries").fetchone()[0]
    return found


def check_pages(path: Path) -> None:
    """SQLite's integrity check."""
    with translating_errors(path), closing(read_only(path)) as connection:
        answer = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if answer != "ok":
        raise StoreError("damaged", path=path, problem=answer)


def is_store(path: Path) -> bool:
    """Whether the file is a store; an empty file may become one, any other is left untouched."""
    application, version, tables = _marks(path)
    if application == APPLICATION_ID and version > FILE_FORMAT:
        raise StoreError("newer_format", path=path, format=version)
    if application != APPLICATION_ID and (application or tables):
        raise StoreError("not_a_store", path=path)
    return bool(application == APPLICATION_ID)


USERS = "in_use"
"""The table of running writers: their newest entries may be only in the WAL."""


def log_size(path: Path) -> int | None:
    """The size of the WAL in bytes; None if there is none."""
    log = companions(path)[0]
    return log.stat().st_size if log.exists() else None


def has_users(path: Path, *, immutable: bool = False) -> bool:
    """Whether a writer was registered when the file was last complete, and did not end cleanly."""
    with translating_errors(path), closing(read_only(path, immutable=immutable)) as connection:
        return has_rows(connection)


def has_rows(connection: sqlite3.Connection) -> bool:
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (USERS,)).fetchone()
    return known is not None and connection.execute(f"SELECT 1 FROM {USERS}").fetchone() is not None


def forget_users(path: Path) -> None:
    """Clear the list of writers in a finished copy."""
    with translating_errors(path), closing(_read_write(path)) as connection:
        if has_rows(connection):
            connection.execute(f"DELETE FROM {USERS}")
            connection.commit()


def _marks(path: Path) -> tuple[int, int, int]:
    """Application, version and number of tables; what a killed creation left is taken back."""
    with translating_errors(path):
        try:
            with closing(read_only(path)) as connection:
                return _asked(connection)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_READONLY:
                raise
        with closing(_read_write(path)) as connection:
            return _asked(connection)


def _asked(connection: sqlite3.Connection) -> tuple[int, int, int]:
    connection.execute("BEGIN")
    application, version, tables = (
        connection.execute(question).fetchone()[0]
        for question in (
            "PRAGMA application_id",
            "PRAGMA user_version",
            "SELECT COUNT(*) FROM sqlite_master",
        )
    )
    return application, version, tables


def claim(path: Path, application: int, table: str) -> None:
    """Make sure that a file is ours to write to: a new one, or one made for this purpose.

    Files of older versions bear no mark, but the ``table`` that only they have.
    """
    with translating_os_errors(path):
        make_private(path)
    mark, _, tables = _marks(path)
    if mark == application or (not mark and not tables):
        return
    with translating_errors(path), closing(read_only(path)) as connection:
        known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,))
        if mark or known.fetchone() is None:
            raise StoreError("not_ours", path=path)


def open_claimed(path: Path | None, application: int, table: str) -> sqlite3.Connection:
    """A file of ours beside a store, for what can be erased: private, and synced at every change.

    A write-ahead log would keep copies of what is erased; zeroed pages keep none. Without EXTRA a
    journal could come back after a power cut, and with it what was the case before.
    """
    if path is not None:
        claim(path, application, table)
    connection = sqlite3.connect(
        path or ":memory:", isolation_level=None, check_same_thread=False, timeout=LOCK_TIMEOUT
    )
    for pragma in ("journal_mode=DELETE", "synchronous=EXTRA", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")
    if connection.execute("PRAGMA application_id").fetchone()[0] != application:
        connection.execute(f"PRAGMA application_id = {application}")
    return connection
