"""Attachments: files that records name by their digest (SHA-256), kept beside the store.

They stand outside the records, so that one can be erased without breaking a chain. What is erased
leaves its digest here, so that it does not come back with an old copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple

from referee.store.sidecars.sqlite_tables import SqliteTables
from referee.store.sqlite.files import beside, sqlite_path

APPLICATION_ID = 0x52454641
"""Marks the file as attachments of ours ("REFA")."""

SCHEMA = (
    "CREATE TABLE IF NOT EXISTS attachments (digest TEXT PRIMARY KEY, size BIGINT NOT NULL, "
    "content BLOB NOT NULL, small BLOB NOT NULL)",
)

State = Literal["there", "altered", "erased", "missing"]


class Attachment(NamedTuple):
    """A file, and a small version of it."""

    content: bytes
    small: bytes

    @property
    def digest(self) -> str:
        return sha256(self.content).hexdigest()


def attachments_beside(store: Path) -> Path:
    return beside(store, "attachments")


def attachments_path(url: str) -> Path | None:
    """The file of the attachments of a store; ``None`` (in memory) if the store has no file."""
    return None if url == "memory:" else attachments_beside(sqlite_path(url))


class Attachments(SqliteTables):
    """Attachments by digest."""

    def __init__(self, path: Path | None) -> None:
        super().__init__(path, APPLICATION_ID, "attachments", SCHEMA)

    def add(self, attachment: Attachment) -> bool:
        """Store a file; False if it is here already, or was erased."""
        content, small = attachment
        added = self._change(
            "INSERT INTO attachments (digest, size, content, small) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (digest) DO NOTHING",
            (attachment.digest, len(content) + len(small), content, small),
        )
        return added == 1

    def find(self, digest: str) -> Attachment | None:
        """A file, if it is here and as it was."""
        return self._look(digest)[1]

    def state(self, digest: str) -> State:
        """How it is with a file, its bytes read and compared."""
        return self._look(digest)[0]

    def states(self) -> dict[str, State]:
        """The same of all of them without reading their bytes: an altered one seems to be there."""
        rows = self._rows("SELECT digest, size FROM attachments")
        return {digest: "there" if size else "erased" for digest, size in rows}

    def _look(self, digest: str) -> tuple[State, Attachment | None]:
        rows = self._rows("SELECT content, small FROM attachments WHERE digest = ?", (digest,))
        if not rows:
            return "missing", None
        found = Attachment(bytes(rows[0][0]), bytes(rows[0][1]))
        if not found.content:
            return "erased", None
        return ("there", found) if found.digest == digest else ("altered", None)

    def erase(self, digest: str) -> None:
        """Forget a file for good, whatever is imported later."""
        self._change(
            "INSERT INTO attachments (digest, size, content, small) VALUES (?, 0, ?, ?) "
            "ON CONFLICT (digest) DO UPDATE SET size = 0, content = excluded.content, "
            "small = excluded.small",
            (digest, b"", b""),
        )

    def bytes_used(self) -> int:
        return int(self._rows("SELECT COALESCE(SUM(size), 0) FROM attachments")[0][0])

    def digests(self) -> list[str]:
        """All of them, the erased too."""
        return [digest for (digest,) in self._rows("SELECT digest FROM attachments ORDER BY 1")]

    def count(self) -> int:
        """How many are here; the erased are not."""
        return int(self._rows("SELECT COUNT(*) FROM attachments WHERE size > 0")[0][0])

    def altered(self) -> Iterator[str]:
        """Those whose bytes are not what their digest says."""
        return (digest for digest in self.digests() if self.state(digest) == "altered")

    def copy_to(self, other: Attachments) -> int:
        """Bring everything to another store, the erased as erased; how many files are new there."""
        new = 0
        for digest in self.digests():
            state, found = self._look(digest)
            if state == "erased":
                other.erase(digest)
            elif found is not None:
                new += other.add(found)
        return new
