"""The witness: a checkpoint of what a store has acknowledged, kept outside its database.

The *log hash* of a store (its column is called ``trail``) is a hash that each entry continues,
whatever its stream: it stands for all entries so far and their order. The witness, a file of one
page outside the database, holds the newest numbers and log hashes. It is written after the entry
and before the answer, so a store that does not have what its witness knows has lost something.
Names, tokens and boxes have pages of their own behind it: what is counted there are changes.
"""

from __future__ import annotations

import os
import struct
from hashlib import sha256
from io import FileIO
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import NamedTuple

from referee.store.durable_files import PRIVATE, sync_data, sync_folder, write_at

START = bytes(32)
"""The log hash of an empty store."""

SYNC_EVERY = 0.1
"""Seconds: entries that follow each other faster share one sync of the witness."""

_FORM = struct.Struct(">Q32s8x")
_CHECK = 16
_SIZE = _FORM.size + _CHECK
_SECTOR = 512
_SECTORS = 8
_IN_SECTOR = _SECTOR // _SIZE
_FILE = _SECTOR * _SECTORS


class Checkpoint(NamedTuple):
    """Number of entries of a store, and the log hash over all of them."""

    number: int
    log_hash: bytes


def extend_chain(log_hash: bytes, body: bytes) -> bytes:
    """One more link of the hash chain over the whole log: sha256(previous, sha256(body))."""
    return sha256(log_hash + sha256(body).digest()).digest()


def witness_beside(store: Path) -> Path:
    return store.with_name(f"{store.name}-witness")


class Witness:
    """The file of one store. Every number has its own place there, so that several programs
    need no lock, and neighbours stand in different sectors: a torn one costs no newer number."""

    def __init__(self, file: Path, page: int = 0) -> None:
        self.path = file
        self._page = page * _FILE
        self._lock = Lock()
        self._file: FileIO | None = None
        self._synced = -SYNC_EVERY

    def latest(self) -> Checkpoint | None:
        """The newest checkpoint; ``None`` where none was written."""
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return None
        content = content[self._page : self._page + _FILE]
        noted = (_read(content[start : start + _SIZE]) for start in range(0, _FILE, _SIZE))
        return max((known for known in noted if known is not None), default=None)

    @property
    def is_unreadable(self) -> bool:
        """Whether the file is there and nothing can be read in it: emptied, or overwritten."""
        return self.path.exists() and self.latest() is None

    def note(self, known: Checkpoint) -> None:
        """Write a checkpoint: visible to all processes at once; synced now or with the next."""
        file = self._file or self._open()
        write_at(file.fileno(), _written(known), self._page + _place(known.number))
        if monotonic() - self._synced >= SYNC_EVERY:
            self._sync()

    def reset(self, known: Checkpoint) -> None:
        """Overwrite the checkpoint: from now on this is what the store has, and what is beside it
        is the newest there is."""
        page = bytearray(_FILE)
        place = _place(known.number)
        page[place : place + _SIZE] = _written(known)
        descriptor = self._open().fileno()
        os.ftruncate(descriptor, _FILE)
        write_at(descriptor, bytes(page), 0)
        self._sync()

    def close(self) -> None:
        if self._file is not None:
            self._sync()
            with self._lock:
                self._file.close()
                self._file = None

    def _sync(self) -> None:
        self._synced = monotonic()
        sync_data(self._open().fileno())

    def _open(self) -> FileIO:
        with self._lock:
            if self._file is None:
                new = not self.path.exists()
                file = FileIO(self.path, "r+", opener=_open_private)
                if new:
                    os.ftruncate(file.fileno(), _FILE)
                    os.fsync(file.fileno())
                    sync_folder(self.path.parent)
                self._file = file
            return self._file


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CREAT, PRIVATE)


def _place(number: int) -> int:
    sector, row = number % _SECTORS, number // _SECTORS % _IN_SECTOR
    return sector * _SECTOR + row * _SIZE


def _written(known: Checkpoint) -> bytes:
    content = _FORM.pack(*known)
    return content + sha256(content).digest()[:_CHECK]


def _read(record: bytes) -> Checkpoint | None:
    content, check = record[: _FORM.size], record[_FORM.size :]
    if len(record) < _SIZE or sha256(content).digest()[:_CHECK] != check:
        return None
    return Checkpoint(*_FORM.unpack(content))
