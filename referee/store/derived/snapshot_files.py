"""Snapshot files beside a store: cached folds of long records, never needed, made again at will.

This module knows nothing of what is in them. Whatever goes wrong with them is as if there were
none: a folder that cannot be written to, a disk that is full, a file that somebody has changed.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from referee.store.canonical_json import digest
from referee.store.durable_files import PRIVATE
from referee.store.sqlite.files import sqlite_path
from referee.store.urls import is_postgres

ENDING = ".snapshot"
LARGEST = 64 << 20
"""Size limit in bytes; a larger file is ignored."""
_PRIVATE_FOLDER = 0o700


def snapshots_beside(store: Path) -> Path:
    return store.with_name(f"{store.name}-snapshots")


def snapshots_folder(url: str) -> Path | None:
    """The folder of the snapshots of a store; ``None`` if the store is in memory.

    What is in PostgreSQL has one on each computer, as its lists have.
    """
    if url == "memory:":
        return None
    if not is_postgres(url):
        return snapshots_beside(sqlite_path(url))
    from referee.store.derived.projections import view_path

    with suppress(OSError):
        lists = view_path(url)
        return lists and snapshots_beside(lists)
    return None


class Snapshots:
    """One file for each stream that has one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, stream: str) -> bytes | None:
        """The snapshot of a stream; a file that other users could write is ignored."""
        with suppress(OSError), self._file(stream).open("rb") as file:
            known = os.fstat(file.fileno())
            if known.st_size <= LARGEST and _is_own(known):
                return file.read()
        return None

    def write(self, stream: str, content: bytes) -> None:
        """In the place of the one before, as a whole or not at all."""
        file = self._file(stream)
        draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
        with suppress(OSError):
            self._folder.mkdir(_PRIVATE_FOLDER, exist_ok=True)
            try:
                with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as f:
                    f.write(content)
                draft.replace(file)
            finally:
                draft.unlink(missing_ok=True)

    def _file(self, stream: str) -> Path:
        return self._folder / f"{digest(stream.encode())[:32]}{ENDING}"


def _is_own(known: os.stat_result) -> bool:
    if os.name != "posix":
        return True
    return known.st_uid == os.geteuid() and not known.st_mode & 0o022


def kept_snapshots(url: str) -> list[Path]:
    """The files there are."""
    folder = snapshots_folder(url)
    return sorted(_files(folder)) if folder is not None else []


def forget_snapshots(url: str) -> None:
    """Delete all snapshots and temporary files; they are made again when needed."""
    folder = snapshots_folder(url)
    if folder is None:
        return
    with suppress(OSError):
        for file in _files(folder):
            file.unlink(missing_ok=True)
        folder.rmdir()


def _files(folder: Path) -> Iterator[Path]:
    return folder.glob(f"*{ENDING}*")
