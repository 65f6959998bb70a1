"""fsync, private files (mode 0600) and file locks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

PRIVATE = 0o600
_moving = Lock()


def write_at(descriptor: int, content: bytes, place: int) -> None:
    """Write at an offset, independently of other threads (pwrite)."""
    if hasattr(os, "pwrite"):
        os.pwrite(descriptor, content, place)
        return
    with _moving:
        os.lseek(descriptor, place, os.SEEK_SET)
        os.write(descriptor, content)


def sync_data(descriptor: int) -> None:
    """fsync the data of a file, and the metadata needed to read it."""
    getattr(os, "fdatasync", os.fsync)(descriptor)


def sync_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """fsync a folder, so that new names in it are durable, where the system allows it."""
    try:
        sync_file(folder)
    except PermissionError:
        if os.name == "posix":
            raise


def make_private(path: Path) -> bool:
    """Create an empty file with mode 0600 if it does not exist; returns whether it was created."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE))
    except FileExistsError:
        return False
    return True


@contextmanager
def file_lock(path: Path) -> Iterator[None]:
    """An exclusive file lock, over all processes; the file holds nothing else."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE)
    try:
        _lock(descriptor)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        getattr(msvcrt, "locking")(descriptor, getattr(msvcrt, "LK_LOCK"), 1)  # noqa: B009
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
