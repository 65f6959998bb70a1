"""Backups: consistent under writing, checked, and never over something else."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from answers.admin import stores
from referee.store import Store, StoreError, open_store
from referee.store.maintenance.backup import backup, restore
from referee.store.sidecars.access import AccessPolicy
from referee.store.sidecars.attachments import Attachment
from referee.store.sidecars.boxes import Seen
from referee.store.sidecars.people import People, people_path
from referee.store.sqlite.files import sqlite_path, sqlite_url
from referee.store.urls import open_access, open_attachments, open_boxes, open_people
from tests.store.writers import SIGNED, STREAMS, append_until_killed, draft
from tests.waiting import ended, received


def fill(store: Store, count: int = 5) -> None:
    for stream in STREAMS:
        drafts = [draft(number, str(number)) for number in range(count)]
        store.append(stream, drafts, expected=-1, **SIGNED)


def meddle(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("DROP TRIGGER entries_no_update")
    connection.execute(statement)
    connection.close()


def refusal_to_backup(url: str, target: Path) -> str:
    with pytest.raises(StoreError) as caught:
        backup(url, target)
    return caught.value.key


def refusal_to_restore(source: Path, url: str) -> str:
    with pytest.raises(StoreError) as caught:
        restore(source, url)
    return caught.value.key


def test_backup_and_restore_give_the_same_bytes_and_numbers(
    file_store: Store, tmp_path: Path
) -> None:
    fill(file_store)
    assert backup(file_store.url, tmp_path / "copy.db") == 10
    url = sqlite_url(tmp_path / "restored.db")
    assert restore(tmp_path / "copy.db", url) == (10, 0, None)
    restored = open_store(url, create=False)
    assert restored.follow() == file_store.follow()
    restored.append("game-1", [draft(5, "5")], expected=4, **SIGNED)
    assert restored.position() == 11
    restored.close()


def test_nothing_is_left_beside_a_backup(file_store: Store, tmp_path: Path) -> None:
    fill(file_store)
    folder = tmp_path / "usb"
    folder.mkdir()
    backup(file_store.url, folder / "copy.db")
    assert [file.name for file in folder.iterdir()] == ["copy.db"]


def test_restored_store_still_refuses_changes(file_store: Store, tmp_path: Path) -> None:
    fill(file_store)
    backup(file_store.url, tmp_path / "copy.db")
    with pytest.raises(sqlite3.IntegrityError):
        sqlite3.connect(tmp_path / "copy.db").execute("DELETE FROM entries")


def test_backup_while_others_write(
    file_url: str, tmp_path: Path, processes: ForkServerContext
) -> None:
    receiver, sender = processes.Pipe(duplex=False)
    writer = processes.Process(target=append_until_killed, args=(file_url, sender, 1))
    writer.start()
    sender.close()
    sizes = []
    for number in range(5):
        acknowledged = [received(receiver) for _ in range(20)]
        target = tmp_path / f"copy-{number}.db"
        sizes.append(backup(file_url, target))
        copy = open_store(sqlite_url(target), create=False)
        heads = {entry.head for stream in STREAMS for entry in copy.read(stream)}
        copy.close()
        assert {head for _, _, head in acknowledged} <= heads
    writer.kill()
    ended(writer)
    assert sizes == sorted(sizes)


def test_names_travel_with_the_backup(file_store: Store, tmp_path: Path) -> None:
    fill(file_store)
    people = People(people_path(file_store.url))
    person = people.add("Ann")
    backup(file_store.url, tmp_path / "copy.db")
    backup(file_store.url, tmp_path / "nameless.db", names=False)
    people.close()
    assert not (tmp_path / "nameless.people.db").exists()
    url = sqlite_url(tmp_path / "restored.db")
    restore(tmp_path / "copy.db", url)
    restored = People(people_path(url))
    assert restored.name(person) == "Ann"
    restored.close()


@pytest.mark.parametrize("end", ["", "-wal", "-journal"])
def test_nothing_is_overwritten(file_store: Store, tmp_path: Path, end: str) -> None:
    """Nor is a file made beside a forgotten log, which would be played back into it."""
    fill(file_store)
    backup(file_store.url, tmp_path / "copy.db")
    there = tmp_path / f"there.db{end}"
    there.write_text("precious")
    assert refusal_to_backup(file_store.url, tmp_path / "there.db") == "already_exists"
    assert refusal_to_restore(tmp_path / "copy.db", sqlite_url(tmp_path / "there.db")) == (
        "already_exists"
    )
    assert there.read_text() == "precious"


def test_names_are_not_overwritten_either(file_store: Store, tmp_path: Path) -> None:
    fill(file_store)
    People(people_path(file_store.url)).close()
    (tmp_path / "copy.people.db").write_text("precious")
    assert refusal_to_backup(file_store.url, tmp_path / "copy.db") == "already_exists"
    assert not (tmp_path / "copy.db").exists()


def test_leftovers_of_an_interrupted_backup_do_no_harm(file_store: Store, tmp_path: Path) -> None:
    fill(file_store)
    (tmp_path / "copy.db.partial").write_bytes(b"half a copy")
    assert backup(file_store.url, tmp_path / "copy.db") == 10
    assert not (tmp_path / "copy.db.partial").exists()


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE entries SET state = CAST('{}' AS BLOB) WHERE rowid = 3", "not_an_entry"),
        ("UPDATE entries SET topic = 'noted@1' WHERE rowid = 3", "misplaced"),
    ],
)
def test_broken_records_are_neither_backed_up_nor_restored(
    file_store: Store, tmp_path: Path, statement: str, code: str
) -> None:
    fill(file_store)
    backup(file_store.url, tmp_path / "copy.db")
    meddle(tmp_path / "copy.db", statement)
    url = sqlite_url(tmp_path / "restored.db")
    assert refusal_to_restore(tmp_path / "copy.db", url) == code
    assert not sqlite_path(url).exists()
    meddle(sqlite_path(file_store.url), statement)
    assert refusal_to_backup(file_store.url, tmp_path / "second.db") == code
    assert not (tmp_path / "second.db").exists()


def test_damaged_backup_is_not_restored(file_store: Store, tmp_path: Path) -> None:
    fill(file_store, 300)
    copy = tmp_path / "copy.db"
    backup(file_store.url, copy)
    content = bytearray(copy.read_bytes())
    content[40_000:60_000] = b"\xff" * 20_000
    copy.write_bytes(content)
    url = sqlite_url(tmp_path / "restored.db")
    assert refusal_to_restore(copy, url) == "damaged"
    assert not sqlite_path(url).exists()


def test_what_cannot_be_copied(file_url: str, tmp_path: Path) -> None:
    assert refusal_to_backup("memory:", tmp_path / "copy.db") == "memory_only"
    assert refusal_to_backup("postgresql://host/db", tmp_path / "copy.db") == "server_backup"
    assert refusal_to_backup(file_url, tmp_path / "copy.db") == "missing_store"
    assert refusal_to_restore(tmp_path / "none.db", file_url) == "missing_store"
    letter = tmp_path / "letter.db"
    letter.write_text("Dear table, " * 200)
    assert refusal_to_restore(letter, file_url) == "not_a_database"
    open_store(file_url).close()
    assert refusal_to_backup(file_url, tmp_path / "none" / "copy.db") == "missing_folder"


# in the place of a damaged store


@pytest.fixture
def damaged(file_url: str, tmp_path: Path) -> str:
    """A store with a backup, then with more of everything, then with noise in its file."""
    with closing(open_store(file_url)) as store, closing(open_people(file_url)) as people:
        fill(store)
        people.add("Ann")
        with closing(open_access(file_url)) as access:
            access.set_rules("game-1", AccessPolicy("everybody", 20))
        backup(file_url, tmp_path / "copy.db")
        people.add("Bo")
        with closing(open_access(file_url)) as access:
            access.give("judge", "", "pbo")
        store.append("game-1", [draft(5, "5")], expected=4, **SIGNED)
    sqlite_path(file_url).write_bytes(b"noise" * 5000)
    return file_url


def names(url: str) -> list[str]:
    with closing(open_people(url)) as people:
        return [name for _, name in people.everybody()]


def test_restoring_over_a_damaged_store_keeps_its_files_names_and_tokens(
    damaged: str, tmp_path: Path
) -> None:
    assert refusal_to_restore(tmp_path / "copy.db", damaged) == "already_exists"
    restored = restore(tmp_path / "copy.db", damaged, over=True, names=False)
    assert restored == (10, 1, tmp_path / "games.replaced-1.db")
    assert (tmp_path / "games.replaced-1.db").read_bytes() == b"noise" * 5000
    assert (tmp_path / "games.replaced-1.db-witness").exists()
    assert names(damaged) == ["Ann", "Bo"]
    with closing(open_access(damaged)) as access:
        assert len(access.passes()) == 1
        assert access.rules("game-1").open_to == "everybody"
    with closing(open_store(damaged)) as store:
        store.append("game-1", [draft(5, "new")], expected=4, **SIGNED)
    assert restore(tmp_path / "copy.db", damaged, over=True).aside == (
        tmp_path / "games.replaced-2.db"
    )


def test_restoring_over_takes_the_names_of_the_backup_if_told(damaged: str, tmp_path: Path) -> None:
    restored = restore(tmp_path / "copy.db", damaged, over=True, names=True)
    assert names(damaged) == ["Ann"]
    assert restored.aside is not None
    assert names(sqlite_url(restored.aside)) == ["Ann", "Bo"]
    with closing(open_access(damaged)) as access:
        assert access.passes() == []
        assert access.rules("game-1") == AccessPolicy("everybody", 20)


def _puts_name(url: str, mark: str) -> None:
    with closing(open_people(url)) as people:
        people.adopt(f"p{mark}", mark)


def _puts_rule(url: str, mark: str) -> None:
    with closing(open_access(url)) as access:
        access.set_rules(mark, AccessPolicy(delay_entries=1))


def _puts_box(url: str, mark: str) -> None:
    with closing(open_boxes(url)) as boxes:
        boxes.tell("toy", mark, [Seen("a", 1, "")])


def _puts_photo(url: str, mark: str) -> None:
    with closing(open_attachments(url)) as attachments:
        attachments.add(mark, Attachment(b"content", b"small"))


def _marks(url: str) -> dict[str, set[str]]:
    """Whose names, boxes, photographs and rules a store has; to look makes no file."""
    with closing(open_people(url)) as people:
        found = {"names": {name for _, name in people.everybody()}}
    with closing(open_boxes(url)) as boxes:
        found["boxes"] = set(boxes.names("toy"))
    with closing(open_attachments(url)) as attachments:
        found["photos"] = {game for game, _ in attachments.kept()}
    with closing(open_access(url)) as access:
        found["rules"] = {mark for mark in ("here", "copy") if access.rules(mark).delay_entries}
    return found


PUTS = {"names": _puts_name, "boxes": _puts_box, "photos": _puts_photo, "rules": _puts_rule}
PLACES = (set[str](), {"copy"}, {"here"}, {"copy", "here"})


@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize("way", ["restore", "restore over", "copy"])
@pytest.mark.parametrize("turn", range(len(PLACES)))
def test_what_stands_beside_is_taken_or_stays_wherever_it_is_missing(
    tmp_path: Path, way: str, names: bool, turn: int
) -> None:
    """Every file beside a store, in the copy, here, in both or in neither, in every way."""
    there = {name: PLACES[(turn + n) % len(PLACES)] for n, name in enumerate(PUTS)}
    if way == "restore":
        there = {name: places - {"here"} for name, places in there.items()}
    urls = {place: sqlite_url(tmp_path / f"{place}.db") for place in ("copy", "here")}
    for place, url in urls.items():
        if (way, place) != ("restore", "here"):
            with closing(open_store(url)) as store:
                fill(store)
        for name in PUTS:
            if place in there[name]:
                PUTS[name](url, place)
    expected = {name: set(places) for name, places in there.items()}
    if way == "copy":
        stores.copy(urls["copy"], urls["here"], names=names)
        if not names:
            expected["names"] -= {"copy"}
    else:
        restore(tmp_path / "copy.db", urls["here"], over=way == "restore over", names=names)
        for places in expected.values():
            if len(places) == 2:
                places.remove("here" if names else "copy")
        if way == "restore" and not names:
            expected["names"] = set()
    assert _marks(urls["here"]) == expected


def test_a_bad_backup_replaces_nothing(damaged: str, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_bytes(b"noise" * 4000)
    before = sorted(file.name for file in tmp_path.iterdir())
    with pytest.raises(StoreError, match="not_a_database"):
        restore(tmp_path / "copy.db", damaged, over=True)
    assert sorted(file.name for file in tmp_path.iterdir()) == before


def test_rules_of_tables_travel_and_tokens_stay(file_store: Store, tmp_path: Path) -> None:
    fill(file_store)
    with closing(open_access(file_store.url)) as access:
        access.set_rules("game-1", AccessPolicy("link", 20, 60, seats_log=False))
        access.make_code("judge", "", "pbo", once=True)
        access.give("judge", "", "pbo")
    backup(file_store.url, tmp_path / "copy.db", names=False)
    url = sqlite_url(tmp_path / "restored.db")
    restore(tmp_path / "copy.db", url)
    with closing(open_access(url)) as access:
        assert access.rules("game-1") == AccessPolicy("link", 20, 60, seats_log=False)
        assert (access.passes(), access.codes(), access.admissions()) == ([], [], [])
