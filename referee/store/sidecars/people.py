"""Names and pictures behind pseudonyms, and what lists of players say of them, in an own file.

All of it is erasable without touching a record.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field

from engines.kernel.messages.catalogue import normalize
from engines.kernel.rules.actions import PlainText
from engines.kernel.values.models import STRICT
from referee.ids import new_id
from referee.store.envelopes import StoreError
from referee.store.sidecars.sqlite_tables import SPOILT, SqliteTables
from referee.store.sqlite.files import beside, sqlite_path
from referee.store.witness import Witness

APPLICATION_ID = 0x52454650
"""Marks the file as names of ours ("REFP")."""
LONGEST_NAME = 40
AT_ONCE = 500
"""Names asked for by one query."""
_JOINERS = "\u200c\u200d"
BESIDE = (
    "CREATE TABLE IF NOT EXISTS person_details "
    "(person TEXT NOT NULL, detail TEXT NOT NULL, value TEXT NOT NULL, "
    "PRIMARY KEY (person, detail))",
    "CREATE TABLE IF NOT EXISTS faces "
    "(owner TEXT PRIMARY KEY, digest TEXT NOT NULL, content BLOB NOT NULL)",
)
"""What stands beside the names. A face is of a person, or the emblem of an event by its id."""


Federation = Annotated[str, Field(pattern=r"^([A-Za-z]{3})?$", max_length=3)]
Licence = Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{0,11}$", max_length=11)]
"""FIDE's number, or that of a national federation; as long as a FIDE report has room for."""


class PersonDetails(BaseModel):
    """What federations ask of a player besides the name; what nobody has told is empty.

    Lists that are read, requests, answers, forms and exports have these fields, in this order.
    """

    model_config = STRICT

    last_name: Annotated[PlainText, Field(max_length=LONGEST_NAME)] = ""
    """As it stands in the name, at its end or at its beginning: for lists by last name."""
    title: Annotated[str, Field(pattern=r"^[A-Za-z]{0,4}$", max_length=4)] = ""
    federation: Federation = ""
    licence: Licence = ""
    """Told to organisers alone."""


def listed_name(name: str, last_name: str) -> str:
    """A name as it stands in a list: ``Martin, Ana``. Which part comes first is never guessed."""
    rest = name.removesuffix(f" {last_name}")
    if rest == name:
        rest = name.removeprefix(f"{last_name} ")
    return f"{last_name}, {rest}" if last_name and rest != name else name


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
        super().__init__(path, APPLICATION_ID, "people", [schema, *BESIDE], witness)

    @property
    def problem(self) -> StoreError | None:
        """Why no names are known, where their file cannot be read."""
        return None

    def add(self, name: str) -> str:
        """A new pseudonym for a name. Two people may bear the same name."""
        name = clean_name(name)
        while True:
            person = new_id("p", 10)
            # A row that is there already is this one, if the server's answer got lost.
            if self._insert(person, name) or self.name(person) == name:
                return person

    def adopt(self, person: str, name: str) -> None:
        """Take in a pseudonym of another store; one known here, or erased, stays as it is."""
        self._insert(person, clean_name(name))

    def name(self, person: str) -> str | None:
        rows = self._kept_rows("SELECT name FROM people WHERE id = ?", person)
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
        """Bring everybody to the names of another store, the erased as erased; how many.

        What is known there already stays as it is.
        """
        rows = self._rows(f"SELECT id, name FROM people ORDER BY {self._AS_ADDED}")
        details = self.details([person for person, _ in rows])
        for person, name in rows:
            if name:
                other.adopt(person, name)
            else:
                other.erase(person)
            if person in details and not other.details([person]):
                other.describe(person, **dict(details[person]))
        gone = other._erased()
        for (owner,) in self._rows("SELECT owner FROM faces") if self._keeps("faces") else ():
            if owner in gone or other.face(owner) is not None:
                continue
            if (content := self.face(owner)) is not None:
                other.show(owner, content)
        return len(rows)

    def rename(self, person: str, name: str) -> None:
        name = clean_name(name)
        changed = self._change(
            "UPDATE people SET name = ?, folded = ? WHERE id = ? AND name <> ''",
            (name, normalize(name), person),
        )
        if changed != 1:
            raise StoreError("unknown_person", person=person)
        known = self.details([person]).get(person, PersonDetails()).last_name
        if known not in (name, "") and listed_name(name, known) == name:
            self.describe(person, last_name="")  # that of the old name

    def details(self, persons: Sequence[str]) -> dict[str, PersonDetails]:
        """What is known of many, in few queries; who has no details is left out."""
        found: dict[str, dict[str, str]] = {}
        for start in range(0, len(persons) if self._keeps("person_details") else 0, AT_ONCE):
            some = persons[start : start + AT_ONCE]
            marks = ",".join("?" * len(some))
            sql = f"SELECT person, detail, value FROM person_details WHERE person IN ({marks})"
            for person, detail, value in self._rows(sql, some):
                found.setdefault(person, {})[detail] = value
        return {
            person: PersonDetails.model_construct(None, **told) for person, told in found.items()
        }

    def describe(self, person: str, **told: str) -> None:
        """Keep details of somebody whose name is known; an empty one is forgotten."""
        known = dict(self.details([person]).get(person, PersonDetails()))
        for detail, value in told.items():
            if value == known[detail]:
                continue
            if not value:
                self._change(
                    "DELETE FROM person_details WHERE person = ? AND detail = ?", (person, detail)
                )
            else:
                self._change(
                    "INSERT INTO person_details (person, detail, value) SELECT ?, ?, ? "
                    "WHERE EXISTS (SELECT 1 FROM people WHERE id = ? AND name <> '') "
                    "ON CONFLICT (person, detail) DO UPDATE SET value = excluded.value",
                    (person, detail, value, person),
                )

    def _keeps(self, table: str) -> bool:
        return True

    def erase(self, person: str) -> None:
        """Forget a person for good: the pseudonym means nobody, whatever is imported later."""
        self.hide(person)
        if self._keeps("person_details"):
            self._change("DELETE FROM person_details WHERE person = ?", (person,))
        self._change(
            "INSERT INTO people (id, name, folded) VALUES (?, '', '') "
            "ON CONFLICT (id) DO UPDATE SET name = '', folded = ''",
            (person,),
        )

    # pictures

    def show(self, owner: str, content: bytes) -> str:
        """Store the picture of a person or an event in place of another one; its digest."""
        digest = sha256(content).hexdigest()
        self._change(
            "INSERT INTO faces (owner, digest, content) VALUES (?, ?, ?) ON CONFLICT (owner) "
            "DO UPDATE SET digest = excluded.digest, content = excluded.content",
            (owner, digest, content),
        )
        return digest

    def hide(self, owner: str) -> bool:
        """Erase a picture; whether there was one."""
        if not self._keeps("faces"):
            return False
        return self._change("DELETE FROM faces WHERE owner = ?", (owner,)) > 0

    def face(self, owner: str) -> bytes | None:
        if not self._keeps("faces"):
            return None
        rows = self._rows("SELECT content FROM faces WHERE owner = ?", (owner,))
        return bytes(rows[0][0]) if rows else None

    def faces(self, owners: Sequence[str]) -> dict[str, str]:
        """The digests of the pictures of many, as far as there are any, in few queries."""
        found: dict[str, str] = {}
        for start in range(0, len(owners) if self._keeps("faces") else 0, AT_ONCE):
            some = owners[start : start + AT_ONCE]
            marks = ",".join("?" * len(some))
            sql = f"SELECT owner, digest FROM faces WHERE owner IN ({marks})"
            found.update(map(tuple, self._rows(sql, some)))
        return found

    def _erased(self) -> frozenset[str]:
        return frozenset(
            person for (person,) in self._rows("SELECT id FROM people WHERE name = ''")
        )

    def _insert(self, person: str, name: str) -> bool:
        added = self._change(
            "INSERT INTO people (id, name, folded) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (person, name, normalize(name)),
        )
        return added == 1


class PeopleIfReadable(People):
    """Names as far as their file can be read: a damaged one costs the names, and not the play."""

    def __init__(self, path: Path | None, witness: Witness | None = None) -> None:
        self._problem: StoreError | None = None
        try:
            super().__init__(path, witness)
        except StoreError as error:
            self._notice(error)
            super().__init__(None)

    @property
    def problem(self) -> StoreError | None:
        return self._problem

    def _notice(self, error: StoreError) -> None:
        if error.key not in SPOILT:
            raise error
        self._problem = error

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        try:
            return super()._rows(sql, values)
        except StoreError as error:
            self._notice(error)
            return []

    def _kept_rows(self, sql: str, *values: Any) -> list[Any]:
        try:
            return super()._kept_rows(sql, *values)
        except StoreError as error:
            self._notice(error)
            return []

    def _changed(self, change: Callable[[], int]) -> int:
        if self._problem is not None:
            raise StoreError("names_unreadable", problem=self._problem.phrase)
        return super()._changed(change)
