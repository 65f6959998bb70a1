"""Names: tidy, findable, and gone for good when they are erased."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from referee.store import StoreError
from referee.store.sidecars.access import Access
from referee.store.sidecars.people import (
    People,
    clean_name,
    listed_name,
    people_path,
)
from referee.store.sqlite.files import sqlite_url
from referee.store.urls import open_people


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.people.db"


@pytest.fixture
def people(store_url: str) -> Iterator[People]:
    """The same names wherever they are kept."""
    people = open_people(store_url)
    yield people
    people.close()


@pytest.fixture
def file(path: Path) -> Iterator[People]:
    people = People(path)
    yield people
    people.close()


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()))


def test_pseudonyms_are_random_and_plain(people: People) -> None:
    ids = {people.add("Zoé") for _ in range(50)}
    assert len(ids) == 50
    assert all(re.fullmatch("p[a-z2-7]{10}", person) for person in ids)


def test_names_are_kept(shared_url: str) -> None:
    people = open_people(shared_url)
    person = people.add("Zoé Müller")
    assert people.name(person) == "Zoé Müller"
    assert people.name("pnobody2345") is None
    again = open_people(shared_url)
    assert again.name(person) == "Zoé Müller"
    people.close()
    again.close()


def test_details_of_an_erased_name_leave_no_byte(path: Path) -> None:
    with closing(People(path)) as file:
        person = file.add("Ann Harrington")
        file.describe(person, last_name="Harrington", licence="98765432")
        assert b"98765432" in bytes_of(path.parent)
        file.erase(person)
    assert b"98765432" not in bytes_of(path.parent)
    assert b"Harrington" not in bytes_of(path.parent)


@pytest.mark.parametrize(
    ("name", "last", "listed"),
    [
        ("Ana Martin", "Martin", "Martin, Ana"),
        ("Nagy Péter", "Nagy", "Nagy, Péter"),
        ("Ana Martin", "", "Ana Martin"),
        ("Ana Martin", "Marti", "Ana Martin"),
        ("Martin", "Martin", "Martin"),
    ],
)
def test_a_list_turns_a_name_around_only_where_its_last_name_is_known(
    name: str, last: str, listed: str
) -> None:
    assert listed_name(name, last) == listed


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("  Ann   Lee ", "Ann Lee"),
        ("Zoe\u0301", "Zoé"),
        ("Ann\tLee", "Ann Lee"),
        ("O’Neill-D'Arcy Jr.", "O’Neill-D'Arcy Jr."),
        ("李小龍", "李小龍"),
        ("مریم‌سادات", "مریم‌سادات"),
        ("👩‍🚀", "👩‍🚀"),
        ("x" * 40, "x" * 40),
        ("<b>&", "<b>&"),
    ],
)
def test_names_are_tidied(name: str, clean: str) -> None:
    assert clean_name(name) == clean


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name_empty"),
        (" \n ", "name_empty"),
        ("\u200d", "name_empty"),
        ("x" * 41, "name_too_long"),
        ("Ann\x1b[31m", "name_character"),
        ("Ann\x00", "name_character"),
        ("Ann\u202egnol", "name_character"),
        ("Ann\u2066", "name_character"),
        ("Ann\u200b", "name_character"),
        ("Ann\ud800", "name_character"),
        ("Ann\ue000", "name_character"),
    ],
)
def test_names_that_could_deceive_are_refused(people: People, name: str, code: str) -> None:
    person = people.add("Ann")
    for attempt in (people.add, lambda name: people.rename(person, name)):
        with pytest.raises(StoreError) as caught:
            attempt(name)
        assert caught.value.key == code
    assert people.name(person) == "Ann"


def test_erased_names_leave_no_byte(file: People, path: Path) -> None:
    """Most of many names, so that rows move from page to page as they thin out."""
    names = {
        file.add(f"Villanelle {number:03} " + "x" * (number % 20)): number for number in range(120)
    }
    kept = [person for person, number in names.items() if number % 10 == 1]
    renamed = [person for person, number in names.items() if number % 10 == 2]
    for person in names.keys() - {*kept, *renamed}:
        file.erase(person)
    for person in renamed:
        file.rename(person, "Somebody Else With A Much Longer Name")
    content = bytes_of(path.parent).lower()
    for person, number in names.items():
        assert (f"villanelle {number:03}".encode() in content) == (person in kept)
        assert (file.name(person) is None) == (person not in (*kept, *renamed))


def test_erasing_survives_a_rebuild_of_the_file(file: People, path: Path) -> None:
    person, other = file.add("Villanelle"), file.add("Ann")
    file.erase(person)
    file.erase(person)
    file.close()
    sqlite3.connect(path).execute("VACUUM").connection.close()
    assert b"illanelle" not in bytes_of(path.parent)
    again = People(path)
    assert (again.name(person), again.name(other)) == (None, "Ann")
    again.close()


def test_a_name_from_another_store_may_not_deceive_either(people: People) -> None:
    with pytest.raises(StoreError):
        people.adopt("pabcdefghik", "Ann\u202e")


def test_without_care_the_bytes_would_stay(tmp_path: Path) -> None:
    """What the tests above look for is really there when a name is merely deleted."""
    careless = sqlite3.connect(tmp_path / "careless.db", isolation_level=None)
    careless.execute("PRAGMA secure_delete=OFF")
    careless.execute("CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT)")
    careless.execute("INSERT INTO people VALUES ('p', 'Villanelle')")
    careless.execute("DELETE FROM people")
    careless.close()
    assert b"Villanelle" in bytes_of(tmp_path)


def test_names_of_a_store_in_memory_stay_in_memory() -> None:
    people = People(people_path("memory:"))
    person = people.add("Ann")
    people.erase(person)
    assert people.name(person) is None
    assert people_path("sqlite:///tmp/games.db") == Path("/tmp/games.people.db")


def test_stores_of_one_stem_have_names_of_their_own(tmp_path: Path) -> None:
    files = {
        people_path(sqlite_url(tmp_path / name)) for name in ("a.db", "a.sqlite", "a", "a.bak")
    }
    assert len(files) == 4


def test_names_kept_by_an_older_version_are_still_read(tmp_path: Path) -> None:
    """It named the file after the stem alone; a store that ends in .db claims it first."""
    common = tmp_path / "a.people.db"
    People(common).close()
    assert people_path(sqlite_url(tmp_path / "a.sqlite")) == common
    (tmp_path / "a.db").touch()
    assert people_path(sqlite_url(tmp_path / "a.sqlite")) == tmp_path / "a.sqlite-people.db"


def test_a_database_of_something_else_is_left_as_it_is(path: Path) -> None:
    with closing(sqlite3.connect(path)) as recipes:
        recipes.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StoreError, match="not_ours"):
        People(path)


def test_a_file_that_is_no_database(path: Path) -> None:
    path.write_bytes(b"Dear table, " * 200)
    with pytest.raises(StoreError) as caught:
        People(path)
    assert caught.value.key == "not_a_database"


@pytest.mark.parametrize("kind", [People, Access])
def test_the_last_change_survives_a_power_cut(
    path: Path, kind: type[People] | type[Access]
) -> None:
    """With FULL, the journal of the change before it may come back."""
    kept = kind(path)
    assert kept._db.execute("PRAGMA synchronous").fetchone() == (3,)
    assert kept._db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert path.stat().st_mode & 0o077 == 0
