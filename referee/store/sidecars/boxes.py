"""What a club has found in its boxes: beside its store, one datum a row.

The rows of a box stand in the order in which they were told; what is told again takes the place
of what was told before. Values are JSON: what they mean is known to the games alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from referee.store.sidecars.attachments import Attachment
from referee.store.sidecars.sqlite_tables import SqliteTables
from referee.store.sqlite.files import beside, sqlite_path
from referee.store.witness import Witness

APPLICATION_ID = 0x52454642
"""Marks the file as boxes of ours ("REFB")."""

SCHEMA = (
    "CREATE TABLE IF NOT EXISTS boxes (game TEXT NOT NULL, kit TEXT NOT NULL, "
    "place INTEGER NOT NULL, path TEXT NOT NULL, value TEXT NOT NULL, source TEXT NOT NULL, "
    "PRIMARY KEY (game, kit, path))",
    "CREATE TABLE IF NOT EXISTS box_photos (game TEXT NOT NULL, kit TEXT NOT NULL, "
    "page TEXT NOT NULL, digest TEXT NOT NULL, content BLOB NOT NULL, small BLOB NOT NULL, "
    "PRIMARY KEY (game, kit, page))",
    "CREATE TABLE IF NOT EXISTS box_boards (game TEXT NOT NULL, kit TEXT NOT NULL, "
    "board TEXT NOT NULL, placed TEXT NOT NULL, PRIMARY KEY (game, kit, board))",
    "CREATE TABLE IF NOT EXISTS box_wording (game TEXT NOT NULL, kit TEXT NOT NULL, "
    "clause TEXT NOT NULL, said TEXT NOT NULL, digest TEXT NOT NULL, content BLOB NOT NULL, "
    "small BLOB NOT NULL, PRIMARY KEY (game, kit, clause))",
)
"""The last table stands apart from the pictures, because nothing that leaves the club reads it."""


class Seen(NamedTuple):
    """One datum of a box, as somebody has seen it."""

    path: str
    value: Any
    source: str


class Wording(NamedTuple):
    """What a rulebook itself says in a clause: typed, photographed (the digest), or both."""

    said: str
    photo: str


def boxes_beside(store: Path) -> Path:
    return beside(store, "boxes")


def boxes_path(url: str) -> Path | None:
    """The file of the boxes of a store; ``None`` (in memory) if the store has no file."""
    return None if url == "memory:" else boxes_beside(sqlite_path(url))


class Boxes(SqliteTables):
    """Boxes by game and name."""

    def __init__(self, path: Path | None, witness: Witness | None = None) -> None:
        super().__init__(path, APPLICATION_ID, "boxes", SCHEMA, witness)

    def seen(self, game: str, kit: str) -> list[Seen]:
        rows = self._rows(
            "SELECT path, value, source FROM boxes WHERE game = ? AND kit = ? ORDER BY place",
            (game, kit),
        )
        return [Seen(path, json.loads(value), source) for path, value, source in rows]

    def names(self, game: str) -> list[str]:
        """The boxes stored for a game; of some there are only pictures."""
        rows = self._rows(
            "SELECT kit FROM boxes WHERE game = ? UNION SELECT kit FROM box_photos WHERE game = ? "
            "ORDER BY kit",
            (game, game),
        )
        return [name for (name,) in rows]

    def tell(self, game: str, kit: str, seen: Iterable[Seen]) -> None:
        """Store data of a box, in one transaction."""
        self._change_all(
            "INSERT INTO boxes (game, kit, place, path, value, source) SELECT ?, ?, "
            "COALESCE(MAX(place), 0) + 1, ?, ?, ? FROM boxes WHERE game = ? AND kit = ? "
            "ON CONFLICT (game, kit, path) DO UPDATE SET "
            "place = excluded.place, value = excluded.value, source = excluded.source",
            [
                (game, kit, path, json.dumps(value, ensure_ascii=False), source, game, kit)
                for path, value, source in seen
            ],
        )

    def photos(self, game: str, kit: str) -> dict[str, str]:
        """The photographs of a box: digests by page of the tour."""
        rows = self._rows(
            "SELECT page, digest FROM box_photos WHERE game = ? AND kit = ?", (game, kit)
        )
        return dict(rows)

    def photo(self, game: str, kit: str, page: str) -> Attachment | None:
        rows = self._rows(
            "SELECT content, small FROM box_photos WHERE game = ? AND kit = ? AND page = ?",
            (game, kit, page),
        )
        return Attachment(bytes(rows[0][0]), bytes(rows[0][1])) if rows else None

    def show(self, game: str, kit: str, page: str, photo: Attachment) -> None:
        """Put a photograph on a page of the tour, in place of another one.

        It stands here and not with those of records: what a record names is not replaced.
        """
        self._change(
            "INSERT INTO box_photos (game, kit, page, digest, content, small) "
            "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (game, kit, page) DO UPDATE SET "
            "digest = excluded.digest, content = excluded.content, small = excluded.small",
            (game, kit, page, photo.digest, photo.content, photo.small),
        )

    def hide(self, game: str, kit: str, page: str) -> None:
        self._change(
            "DELETE FROM box_photos WHERE game = ? AND kit = ? AND page = ?", (game, kit, page)
        )

    def placing(self, game: str, kit: str, board: str) -> Any:
        """What was put on the photograph of a board, as JSON; None if nothing was."""
        rows = self._rows(
            "SELECT placed FROM box_boards WHERE game = ? AND kit = ? AND board = ?",
            (game, kit, board),
        )
        return json.loads(rows[0][0]) if rows else None

    def place(self, game: str, kit: str, board: str, placing: Any) -> None:
        self._change(
            "INSERT INTO box_boards (game, kit, board, placed) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (game, kit, board) DO UPDATE SET placed = excluded.placed",
            (game, kit, board, json.dumps(placing, ensure_ascii=False)),
        )

    def boards(self, game: str, kit: str) -> list[str]:
        """The boards of a box that something was put on."""
        rows = self._rows(
            "SELECT board FROM box_boards WHERE game = ? AND kit = ? ORDER BY board", (game, kit)
        )
        return [board for (board,) in rows]

    def wording(self, game: str, kit: str) -> dict[str, Wording]:
        """The rulebook's own sentences that the club keeps, by clause."""
        rows = self._rows(
            "SELECT clause, said, digest FROM box_wording "
            "WHERE game = ? AND kit = ? AND (said <> '' OR digest <> '') ORDER BY clause",
            (game, kit),
        )
        return {clause: Wording(said, digest) for clause, said, digest in rows}

    def word(self, game: str, kit: str, clause: str, said: str) -> None:
        self._change(
            "INSERT INTO box_wording (game, kit, clause, said, digest, content, small) "
            "VALUES (?, ?, ?, ?, '', ?, ?) ON CONFLICT (game, kit, clause) DO UPDATE SET "
            "said = excluded.said",
            (game, kit, clause, said, b"", b""),
        )

    def wording_photo(self, game: str, kit: str, clause: str) -> Attachment | None:
        rows = self._rows(
            "SELECT content, small FROM box_wording "
            "WHERE game = ? AND kit = ? AND clause = ? AND digest <> ''",
            (game, kit, clause),
        )
        return Attachment(bytes(rows[0][0]), bytes(rows[0][1])) if rows else None

    def show_wording(self, game: str, kit: str, clause: str, photo: Attachment | None) -> None:
        """Put a photograph of the sentence there, or take it away."""
        digest, content, small = ("", b"", b"") if photo is None else (photo.digest, *photo)
        self._change(
            "INSERT INTO box_wording (game, kit, clause, said, digest, content, small) "
            "VALUES (?, ?, ?, '', ?, ?, ?) ON CONFLICT (game, kit, clause) DO UPDATE SET "
            "digest = excluded.digest, content = excluded.content, small = excluded.small",
            (game, kit, clause, digest, content, small),
        )

    def copy_to(self, other: Boxes) -> int:
        """Bring everything to the boxes of another store; how many data."""
        for game, kit in self._rows("SELECT DISTINCT game, kit FROM box_wording"):
            for clause, one in self.wording(game, kit).items():
                if one.said:
                    other.word(game, kit, clause, one.said)
                if (taken := self.wording_photo(game, kit, clause)) is not None:
                    other.show_wording(game, kit, clause, taken)
        for game, kit, board in self._rows("SELECT game, kit, board FROM box_boards"):
            other.place(game, kit, board, self.placing(game, kit, board))
        for game, kit, page in self._rows("SELECT game, kit, page FROM box_photos"):
            if (photo := self.photo(game, kit, page)) is not None:
                other.show(game, kit, page, photo)
        boxes = self._rows("SELECT DISTINCT game, kit FROM boxes ORDER BY game, kit")
        told = [(game, kit, self.seen(game, kit)) for game, kit in boxes]
        for game, kit, seen in told:
            other.tell(game, kit, seen)
        return sum(len(seen) for _, _, seen in told)
