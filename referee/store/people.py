"""The names behind pseudonyms, in a file of their own, erasable without touching a record."""

from __future__ import annotations

import secrets
import sqlite3
import unicodedata
from pathlib import Path

from engines.kernel.words import fold
from referee.store.base import StoreError
from referee.store.sqlite import LOCK_TIMEOUT, explained, sqlite_path

LONGEST_NAME = 40
_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_JOINERS = "\u200c\u200d"


def people_beside(store: Path) -> Path:
    return store.with_suffix(".people.db")


def people_path(url: str) -> Path | None:
    """The file of names of a store; ``None`` (in memory) if the store has no file."""
    return None if url == "memory:" else people_beside(sqlite_path(url))


def clean_name(name: str) -> str:
    """A name fit for pages and terminals: composed, spaces tidied, nothing invisible."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not any(unicodedata.category(sign)[0] in "LNPS" for sign in name):
        raise StoreError("name_empty")
    if len(name) > LONGEST_NAME:
        raise StoreError("name_too_long", length=len(name), limit=LONGEST_NAME)
    for sign in name:
        if unicodedata.category(sign)[0] == "C" and sign not in _JOINERS:
            raise StoreError("name_character", code=f"U+{ord(sign):04X}")
    return name


class People:
    """Pseudonyms and names. What is erased or renamed leaves no byte in the file."""

    def __init__(self, path: Path | None) -> None:
        self._path = path or Path(":memory:")
        with explained(self._path):
            self._db = sqlite3.connect(
                self._path, isolation_level=None, check_same_thread=False, timeout=LOCK_TIMEOUT
            )
            # A write-ahead log would keep copies of what is erased; zeroed pages keep none.
            for pragma in ("journal_mode=DELETE", "synchronous=FULL", "secure_delete=ON"):
                self._db.execute(f"PRAGMA {pragma}")
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS people "
                "(id TEXT PRIMARY KEY, name TEXT NOT NULL, folded TEXT NOT NULL) STRICT"
            )

    def add(self, name: str) -> str:
        """A new pseudonym for a name. Two people may bear the same name."""
        name = clean_name(name)
        while True:
            person = "p" + "".join(secrets.choice(_ALPHABET) for _ in range(10))
            if self._insert(person, name):
                return person

    def adopt(self, person: str, name: str) -> None:
        """Take in a pseudonym of another store; one known here, or erased, stays as it is."""
        self._insert(person, clean_name(name))

    def name(self, person: str) -> str | None:
        with explained(self._path):
            row = self._db.execute("SELECT name FROM people WHERE id = ?", (person,)).fetchone()
        return row[0] or None if row else None

    def find(self, name: str) -> tuple[str, ...]:
        """Everybody of that name, whatever its case and accents."""
        with explained(self._path):
            rows = self._db.execute(
                "SELECT id FROM people WHERE folded = ? ORDER BY rowid", (fold(clean_name(name)),)
            ).fetchall()
        return tuple(person for (person,) in rows)

    def everybody(self) -> list[tuple[str, str]]:
        """Pseudonyms and names, in the order of the names; the erased are not among them."""
        with explained(self._path):
            rows = self._db.execute(
                "SELECT id, name FROM people WHERE name <> '' ORDER BY folded, id"
            ).fetchall()
        return [(person, name) for person, name in rows]

    def rename(self, person: str, name: str) -> None:
        name = clean_name(name)
        with explained(self._path):
            changed = self._db.execute(
                "UPDATE people SET name = ?, folded = ? WHERE id = ? AND name <> ''",
                (name, fold(name), person),
            )
        if changed.rowcount != 1:
            raise StoreError("unknown_person", person=person)

    def erase(self, person: str) -> None:
        """Forget a name for good: the pseudonym means nobody, whatever is imported later."""
        with explained(self._path):
            self._db.execute(
                "INSERT INTO people VALUES (?, '', '') "
                "ON CONFLICT (id) DO UPDATE SET name = '', folded = ''",
                (person,),
            )

    def close(self) -> None:
        self._db.close()

    def _insert(self, person: str, name: str) -> bool:
        with explained(self._path):
            added = self._db.execute(
                "INSERT INTO people VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                (person, name, fold(name)),
            )
        return added.rowcount == 1
