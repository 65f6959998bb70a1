"""A disk as it was recorded by ``shim.c``, and as it could look after the power has failed.

What was written since the last sync of a file may be there, in part, or not at all, in any
order and torn between sectors. Names made, changed and removed since the last sync of the
folder are kept in order up to some point, as file systems with a journal do.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

SECTOR = 512
_HEADER = struct.Struct("=IIQQQ")


class Kind(IntEnum):
    OPEN = 1
    WRITE = 2
    TRUNCATE = 3
    RENAME = 4
    UNLINK = 5
    SYNC = 6
    SYNC_FOLDER = 7
    MAP = 8


class Event(NamedTuple):
    """Something that was done to a file of the folder."""

    kind: Kind
    name: str
    inode: int
    offset: int
    """Where was written; where was cut; whether an opened file was emptied."""
    data: bytes
    """What was written; the new name."""


def read_recording(path: Path) -> Iterator[Event]:
    recording, place = path.read_bytes(), 0
    while place < len(recording):
        kind, name_length, inode, offset, data_length = _HEADER.unpack_from(recording, place)
        place += _HEADER.size
        name = recording[place : place + name_length].decode()
        place += name_length
        yield Event(Kind(kind), name, inode, offset, recording[place : place + data_length])
        place += data_length


class Fate(IntEnum):
    """What becomes of the writes that no sync has confirmed."""

    DROPPED = 1
    IN_ORDER = 2
    REORDERED = 3
    TORN = 4
    KEPT = 5


class Change(NamedTuple):
    """A write, or a cut where ``data`` is ``None``."""

    offset: int
    data: bytes | None

    def apply(self, content: bytearray) -> None:
        if len(content) < self.offset:
            content.extend(bytes(self.offset - len(content)))
        if self.data is None:
            del content[self.offset :]
        else:
            content[self.offset : self.offset + len(self.data)] = self.data

    def sectors(self) -> Iterator[Change]:
        if self.data is None:
            yield self
            return
        start, end = self.offset, self.offset + len(self.data)
        while start < end:
            stop = min(end, (start // SECTOR + 1) * SECTOR)
            yield Change(start, self.data[start - self.offset : stop - self.offset])
            start = stop


@dataclass
class File:
    durable: bytearray = field(default_factory=bytearray)
    pending: list[Change] = field(default_factory=list)
    mapped: bool = False

    def sync(self) -> None:
        for change in self.pending:
            change.apply(self.durable)
        self.pending.clear()

    def content(self) -> bytes:
        return self._with(self.pending)

    def after_cut(self, fate: Fate, chance: random.Random) -> bytes:
        size = len(self.content())
        if self.mapped:
            return chance.randbytes(size)
        content = self._with(_kept(self.pending, fate, chance))
        if len(content) < size and chance.random() < 0.5:
            content += bytes(size - len(content))  # the new length was kept, its data were not
        return content

    def _with(self, changes: Sequence[Change]) -> bytes:
        content = bytearray(self.durable)
        for change in changes:
            change.apply(content)
        return bytes(content)


def _kept(pending: list[Change], fate: Fate, chance: random.Random) -> list[Change]:
    if fate == Fate.KEPT:
        return pending
    if fate == Fate.IN_ORDER:
        pieces = [piece for change in pending for piece in change.sectors()]
        return pieces[: chance.randint(0, len(pieces))]
    if fate == Fate.REORDERED:
        return [change for change in pending if chance.random() < 0.5]
    if fate == Fate.TORN:
        pieces = [piece for change in pending for piece in change.sectors()]
        share = chance.random()
        return [piece for piece in pieces if chance.random() < share]
    return []


class Naming(NamedTuple):
    """A name that was given to a file, or taken away."""

    name: str
    file: File | None


@dataclass
class Disk:
    """The folder while it is written to: what is confirmed, and what is not yet."""

    durable_names: dict[str, File] = field(default_factory=dict)
    pending_names: list[Naming] = field(default_factory=list)
    _inodes: dict[int, File] = field(default_factory=dict)

    def happen(self, event: Event) -> None:
        if event.kind == Kind.OPEN:
            self._open(event)
        elif event.kind == Kind.RENAME:
            moved = self.names()[event.name]
            self.pending_names += [Naming(event.data.decode(), moved), Naming(event.name, None)]
        elif event.kind == Kind.UNLINK:
            self.pending_names.append(Naming(event.name, None))
        elif event.kind == Kind.SYNC_FOLDER:
            self.durable_names = self.names()
            self.pending_names.clear()
        else:
            self._change(self._inodes[event.inode], event)

    def _open(self, event: Event) -> None:
        if event.name not in self.names():
            # The system may give the number of a file that is gone to a new one.
            self._inodes[event.inode] = File()
            self.pending_names.append(Naming(event.name, self._inodes[event.inode]))
        elif event.offset:
            self._inodes[event.inode].pending.append(Change(0, None))

    @staticmethod
    def _change(file: File, event: Event) -> None:
        if event.kind == Kind.WRITE:
            file.pending.append(Change(event.offset, event.data))
        elif event.kind == Kind.TRUNCATE:
            file.pending.append(Change(event.offset, None))
        elif event.kind == Kind.SYNC:
            file.sync()
        elif event.kind == Kind.MAP:
            file.mapped = True

    def names(self, kept: int | None = None) -> dict[str, File]:
        """The files by name, with all or only the first changes of names since the last sync."""
        names = dict(self.durable_names)
        for name, file in self.pending_names[:kept]:
            if file is not None:
                names[name] = file
            else:
                names.pop(name, None)
        return names

    def after_cut(self, fate: Fate, chance: random.Random) -> dict[str, bytes]:
        """The files as they could be found when the power is back."""
        most = len(self.pending_names)
        kept = {Fate.DROPPED: 0, Fate.KEPT: most}.get(fate, chance.randint(0, most))
        names = self.names(kept)
        return {name: names[name].after_cut(fate, chance) for name in sorted(names)}
