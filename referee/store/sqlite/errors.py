"""Translates SQLite errors into store errors, whose code is localised."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

from eventsourcing.persistence import (
    ConnectionPoolClosedError,
    ConnectionUnavailableError,
    IntegrityError,
)

from referee.store.envelopes import StoreError

_CODES = {
    sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_NOTADB: "not_a_database",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_CANTOPEN: "cannot_open",
    sqlite3.SQLITE_PERM: "read_only",
    sqlite3.SQLITE_IOERR: "disk_error",
}


def can_lock(folder: Path) -> bool:
    """Whether files can be locked there. SQLite calls a disk without locks busy, or broken.

    Tried with a file of its own: to close a file that SQLite uses would give up its locks.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        with TemporaryFile(dir=folder) as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)
    return True


@contextmanager
def translating_errors(path: Path) -> Iterator[None]:
    """Errors of SQLite and of the library as store errors."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise IntegrityError(error) from error
    except sqlite3.Error as error:
        code = _CODES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, "database_error")
        if code in ("locked", "disk_error") and not can_lock(path.parent):
            raise StoreError("no_locks", path=path) from error
        problem = getattr(error, "sqlite_errorname", type(error).__name__)
        raise StoreError(code, path=path, problem=problem) from error
    except ConnectionUnavailableError as error:
        raise StoreError("locked", path=path, problem=error) from error
    except ConnectionPoolClosedError as error:
        raise StoreError("closed", path=path) from error
