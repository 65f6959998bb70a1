"""The names behind pseudonyms, in a file of their own, erasable without touching a record."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from engines.kernel.messages.catalogue import normalize
from referee.store.envelopes import StoreError
from referee.store.sidecars.sqlite_tables import SqliteTables
from referee.store.sqlite.files import beside, sqlite_path
from referee.store.witness import Witness

APPLICATION_ID = 0x52454650
"""Marks the file as names of ours ("REFP")."""
LONGEST_NAME = 40
AT_ONCE = 500
"""Names asked for by one query."""
_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_JOINERS = "\u200c\u200d"


def people_beside(store: Path) -> Path:
    return beside(store, "people")


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


class People(SqliteTables):
    """Pseudonyms and names. What is erased or renamed leaves no byte in the file."""

    _AS_ADDED = "rowid"

    def __init__(self, path: Path | None, witness: Witness | None = None) -> None:
        schema = (
            "CREATE TABLE IF NOT EXISTS people "
            "(id TEXT PRIMARY KEY, name TEXT NOT NULL, folded TEXT NOT NULL) STRICT"
        )
        super().__init__(path, APPLICATION_ID, "people", [schema], witness)

    def add(self, name: str) -> str:
        """A new pseudonym for a name. Two people may bear the same name."""
        name = clean_name(name)
        while True:
            person = "p" + "".join(secrets.choice(_ALPHABET) for _ in range(10))
            # A row that is there already is this one, if the server's answer got lost.
            if self._insert(person, name) or self.name(person) == name:
                return person

    def adopt(self, person: str, name: str) -> None:
        """Take in a pseudonym of another store; one known here, or erased, stays as it is."""
        self._insert(person, clean_name(name))

    def name(self, person: str) -> str | None:
        rows = self._rows("SELECT name FROM people WHERE id = ?", (person,))
        return rows[0][0] or None if rows else None

    def names(self, persons: Sequence[str]) -> dict[str, str]:
        """The names of many, as far as they are known, in few queries."""
        found: dict[str, str] = {}
        for start in range(0, len(persons), AT_ONCE):
            some = persons[start : start + AT_ONCE]
            marks = ",".join("?" * len(some))
            sql = f"SELECT id, name FROM people WHERE name <> '' AND id IN ({marks})"
            found.update(map(tuple, self._rows(sql, some)))
        return found

    def find(self, name: str) -> tuple[str, ...]:
        """Everybody of that name, whatever its case and accents."""
        rows = self._rows(
            f"SELECT id FROM people WHERE folded = ? ORDER BY {self._AS_ADDED}",
            (normalize(clean_name(name)),),
        )
        return tuple(person for (person,) in rows)

    def everybody(self) -> list[tuple[str, str]]:
        """Pseudonyms and names, in the order of the names; the erased are not among them."""
        rows = self._rows("SELECT id, name FROM people WHERE name <> '' ORDER BY folded, id")
        return [(person, name) for person, name in rows]

    def copy_to(self, other: People) -> int:
        """Bring everybody to the names of another store, the erased as erased; how many."""
        rows = self._rows(f"SELECT id, name FROM people ORDER BY {self._AS_ADDED}")
        for person, name in rows:
            if name:
                other.adopt(person, name)
            else:
                other.erase(person)
        return len(rows)

    def rename(self, person: str, name: str) -> None:
        name = clean_name(name)
        changed = self._change(
            "UPDATE people SET name = ?, folded = ? WHERE id = ? AND name <> ''",
            (name, normalize(name), person),
        )
        if changed != 1:
            raise StoreError("unknown_person", person=person)

    def erase(self, person: str) -> None:
        """Forget a name for good: the pseudonym means nobody, whatever is imported later."""
        self._change(
            "INSERT INTO people (id, name, folded) VALUES (?, '', '') "
            "ON CONFLICT (id) DO UPDATE SET name = '', folded = ''",
            (person,),
        )

    def _insert(self, person: str, name: str) -> bool:
        added = self._change(
            "INSERT INTO people (id, name, folded) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (person, name, normalize(name)),
        )
        return added == 1
