"""Attachments: photographs that records name by their digest (SHA-256), kept beside the store.

They stand outside the records, so that one can be erased without breaking a chain. Every record has
its own: to name the digest of another record's photograph brings nothing, and what one record
erases no other loses. What is erased leaves its digest, so that it does not come back with an old
copy.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple

from referee.store.sidecars.sqlite_tables import SqliteTables
from referee.store.sqlite.files import beside, sqlite_path
from referee.store.witness import Witness

APPLICATION_ID = 0x52454641
"""Marks the file as attachments of ours ("REFA")."""

SCHEMA = (
    "CREATE TABLE IF NOT EXISTS attachments (digest TEXT PRIMARY KEY, size BIGINT NOT NULL, "
    "content BLOB NOT NULL, small BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS photographs (stream TEXT NOT NULL, digest TEXT NOT NULL, "
    "size BIGINT NOT NULL, content BLOB NOT NULL, small BLOB NOT NULL, "
    "PRIMARY KEY (stream, digest))",
)
"""The first table is that of an earlier version, which kept one picture for all records."""

State = Literal["there", "altered", "erased", "missing"]


class Attachment(NamedTuple):
    """A file, and a small version of it."""

    content: bytes
    small: bytes

    @property
    def digest(self) -> str:
        return _digest_of(self.content)


def attachments_beside(store: Path) -> Path:
    return beside(store, "attachments")


def attachments_path(url: str) -> Path | None:
    """The file of the attachments of a store; ``None`` (in memory) if the store has no file."""
    return None if url == "memory:" else attachments_beside(sqlite_path(url))


class Attachments(SqliteTables):
    """Photographs by record and digest."""

    _DIGEST: ClassVar[str] = "digest_of(content)"

    def __init__(self, path: Path | None, witness: Witness | None = None) -> None:
        super().__init__(path, APPLICATION_ID, "attachments", SCHEMA, witness)
        self._db.create_function("digest_of", 1, _digest_of, deterministic=True)

    def add(self, stream: str, attachment: Attachment) -> bool:
        """Store a photograph of a record; False if the record has it already, or has erased it."""
        content, small = attachment
        added = self._change(
            "INSERT INTO photographs (stream, digest, size, content, small) "
            "VALUES (?, ?, ?, ?, ?) ON CONFLICT (stream, digest) DO NOTHING",
            (stream, attachment.digest, len(content) + len(small), content, small),
        )
        return added == 1

    def find(self, stream: str, digest: str) -> Attachment | None:
        """A photograph of a record, if it is here and as it was."""
        rows = self._rows(
            "SELECT content, small FROM photographs WHERE stream = ? AND digest = ?",
            (stream, digest),
        )
        found = Attachment(bytes(rows[0][0]), bytes(rows[0][1])) if rows else None
        return found if found is not None and found.digest == digest else None

    def state(self, stream: str, digest: str) -> State:
        return self.states(stream).get(digest, "missing")

    def states(self, stream: str) -> dict[str, State]:
        """How it is with the photographs of a record, their bytes read and compared."""
        rows = self._rows(
            f"SELECT digest, size, {self._DIGEST} FROM photographs WHERE stream = ?", (stream,)
        )
        return {digest: _state(digest, size, actual) for digest, size, actual in rows}

    def erase(self, stream: str, digest: str) -> None:
        """Forget a photograph of a record for good, whatever is imported later."""
        self._change(
            "INSERT INTO photographs (stream, digest, size, content, small) "
            "VALUES (?, ?, 0, ?, ?) ON CONFLICT (stream, digest) DO UPDATE SET size = 0, "
            "content = excluded.content, small = excluded.small",
            (stream, digest, b"", b""),
        )

    def bytes_used(self) -> int:
        return int(self._rows("SELECT COALESCE(SUM(size), 0) FROM photographs")[0][0])

    def kept(self) -> dict[tuple[str, str], State]:
        """All of them by record and digest, the erased too; without reading their bytes."""
        rows = self._rows("SELECT stream, digest, size FROM photographs ORDER BY 1, 2")
        return {(stream, digest): "there" if size else "erased" for stream, digest, size in rows}

    def count(self) -> int:
        """How many are here; the erased are not."""
        return int(self._rows("SELECT COUNT(*) FROM photographs WHERE size > 0")[0][0])

    def altered(self) -> list[str]:
        """The digests of those whose bytes are others."""
        rows = self._rows(
            f"SELECT digest FROM photographs WHERE size > 0 AND digest <> {self._DIGEST} ORDER BY 1"
        )
        return [digest for (digest,) in rows]

    def copy_to(self, other: Attachments) -> int:
        """Bring everything to another store, the erased as erased; how many files are new there."""
        new = 0
        for (stream, digest), state in self.kept().items():
            if state == "erased":
                other.erase(stream, digest)
            elif (found := self.find(stream, digest)) is not None:
                new += other.add(stream, found)
        return new

    # of an earlier version

    def unassigned(self) -> list[str]:
        """Digests of pictures that an earlier version has kept for all records."""
        return [digest for (digest,) in self._rows("SELECT digest FROM attachments ORDER BY 1")]

    def assign(self, digest: str, streams: Iterable[str]) -> None:
        """Give each of these records its own copy of such a picture, which then belongs to nobody
        else. May be repeated after a crash."""
        for stream in streams:
            self._change(
                "INSERT INTO photographs (stream, digest, size, content, small) "
                "SELECT ?, digest, size, content, small FROM attachments "
                "WHERE digest = ? AND size > 0 ON CONFLICT (stream, digest) DO NOTHING",
                (stream, digest),
            )
        self._change("DELETE FROM attachments WHERE digest = ?", (digest,))


def _digest_of(content: bytes) -> str:
    return sha256(content).hexdigest()


def _state(digest: str, size: int, actual: str) -> State:
    if not size:
        return "erased"
    return "there" if actual == digest else "altered"
