"""Older copies of names, tokens, boxes and photographs: what was erased must not come back."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, LiteralString

import pytest

from referee.store import Store, open_store
from referee.store.envelopes import StoreError
from referee.store.maintenance.backup import accept_loss, backup, restore
from referee.store.maintenance.health import doctor
from referee.store.sidecars import change_counter
from referee.store.sidecars.access import Access, AccessPolicy, access_beside
from referee.store.sidecars.attachments import Attachment, Attachments, attachments_beside
from referee.store.sidecars.boxes import Boxes, Seen, boxes_beside
from referee.store.sidecars.people import people_beside
from referee.store.sqlite.files import sqlite_path, sqlite_url
from referee.store.urls import (
    is_postgres,
    open_access,
    open_attachments,
    open_boxes,
    open_people,
    server_of,
)
from referee.store.witness import witness_beside
from tests.store.writers import SIGNED, draft

Change = Callable[[Any], object]


def _rule(access: Access) -> None:
    access.set_rules("game-1", AccessPolicy(delay_entries=3))


def _describe(boxes: Boxes) -> None:
    boxes.tell("toy", "club", [Seen("a", 1, "")])


def _photograph(attachments: Attachments) -> None:
    content = str(len(attachments.kept())).encode()
    attachments.add("game-1", Attachment(content, b"small"))


SIDECARS: dict[str, tuple[Callable[[str], Any], Callable[[Path], Path], Change]] = {
    "names": (open_people, people_beside, lambda people: people.add("Ana")),
    "tokens": (open_access, access_beside, _rule),
    "boxes": (open_boxes, boxes_beside, _describe),
    "attachments": (open_attachments, attachments_beside, _photograph),
}


@pytest.fixture
def url(shared_url: str) -> str:
    """A store that has acknowledged something."""
    with closing(open_store(shared_url)) as store:
        _written(store)
    return shared_url


def _written(store: Store) -> None:
    store.append("game-1", [draft(0, "0")], expected=-1, **SIGNED)


def changed(url: str, name: str, times: int = 1) -> None:
    with closing(SIDECARS[name][0](url)) as opened:
        for _ in range(times):
            SIDECARS[name][2](opened)


class Copy:
    """A sidecar as it is now, to be put back later."""

    def __init__(self, url: str, name: str) -> None:
        self.url, self.name = url, name
        if is_postgres(url):
            self.rows = self._run("SELECT name, count, mark FROM {schema}.changes")
        else:
            self.file = SIDECARS[name][1](sqlite_path(url))
            self.content = self.file.read_bytes()

    def put_back(self) -> None:
        """What a restored database says of its changes is what it said then."""
        if not is_postgres(self.url):
            self.file.write_bytes(self.content)
            return
        self._run("DELETE FROM {schema}.changes")
        for row in self.rows:
            self._run("INSERT INTO {schema}.changes VALUES (%s, %s, %s)", row)

    def _run(self, sql: LiteralString, values: Any = ()) -> list[Any]:
        from referee.store.postgres.connection import connect

        server = server_of(self.url)
        with closing(connect(server)) as connection:
            cursor = connection.execute(server.sql(sql), values)
            return [tuple(row.values()) for row in cursor] if cursor.description else []


@pytest.mark.parametrize("name", SIDECARS)
def test_an_older_copy_is_named_and_not_used(url: str, name: str) -> None:
    changed(url, name, 2)
    old = Copy(url, name)
    changed(url, name, 3)
    old.put_back()
    with pytest.raises(StoreError, match="older_copy") as refused:
        SIDECARS[name][0](url)
    assert (refused.value.facts["known"], refused.value.facts["found"]) == (5, 2)
    found = {check.name: check for check in doctor(url)}
    assert (found[name].level, found[name].message) == ("fail", "store.older_copy")
    assert found[name].fix == "doctor.fix.lost"
    assert {found[other].level for other in SIDECARS if other != name and other in found} == {"ok"}
    accept_loss(url)
    changed(url, name)
    assert {check.name: check.level for check in doctor(url)}[name] == "ok"


@pytest.mark.parametrize("name", SIDECARS)
def test_an_older_copy_under_a_running_program_is_named(
    url: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_counter, "LOOK_EVERY", 0.0)
    changed(url, name)
    old = Copy(url, name)
    opened = SIDECARS[name][0](url)
    with closing(opened):
        SIDECARS[name][2](opened)
        old.put_back()
        with pytest.raises(StoreError, match="older_copy"):
            opened._rows("SELECT 1")
        with pytest.raises(StoreError, match="older_copy"):
            SIDECARS[name][2](opened)


@pytest.mark.parametrize("name", SIDECARS)
def test_a_file_that_is_another_one_under_a_running_program_is_not_written_to(
    file_url: str, file_store: Store, name: str
) -> None:
    _written(file_store)
    opened = SIDECARS[name][0](file_url)
    with closing(opened):
        SIDECARS[name][2](opened)
        file = SIDECARS[name][1](sqlite_path(file_url))
        shutil.copy(file, file.with_name("other"))
        file.with_name("other").rename(file)
        with pytest.raises(StoreError, match="replaced"):
            SIDECARS[name][2](opened)


@pytest.mark.parametrize("name", SIDECARS)
def test_a_deleted_file_begins_anew_and_its_older_copies_stay_old(
    file_url: str, file_store: Store, name: str
) -> None:
    _written(file_store)
    changed(file_url, name, 3)
    old = Copy(file_url, name)
    old.file.unlink()
    changed(file_url, name)
    changed(file_url, name)
    old.put_back()
    with pytest.raises(StoreError, match="older_copy"):
        SIDECARS[name][0](file_url)


@pytest.mark.parametrize("name", SIDECARS)
def test_a_file_of_an_earlier_version_is_counted_from_its_next_change_on(
    file_url: str, file_store: Store, name: str
) -> None:
    changed(file_url, name)
    file = SIDECARS[name][1](sqlite_path(file_url))
    with closing(SIDECARS[name][0](file_url)) as opened:
        opened._db.execute("DROP TABLE changes")
    _written(file_store)
    older = file.read_bytes()
    changed(file_url, name)
    changed(file_url, name)
    file.write_bytes(older)
    with pytest.raises(StoreError, match="older_copy"):
        SIDECARS[name][0](file_url)


def test_what_changes_nothing_is_not_counted(url: str) -> None:
    with closing(open_access(url)) as access:
        before = access.counted()
        assert not access.revoke("t-nobody")
        assert access.counted() == before
        access.set_rules("game-1", AccessPolicy(delay_entries=3))
        assert access.counted().number == before.number + 1


def test_a_restored_backup_counts_as_the_newest(
    file_url: str, file_store: Store, tmp_path: Path
) -> None:
    _written(file_store)
    for name in SIDECARS:
        changed(file_url, name)
    backup(file_url, tmp_path / "saturday.db")
    for name in SIDECARS:
        changed(file_url, name, 4)
    file_store.close()
    for restored in (file_url, sqlite_url(tmp_path / "elsewhere.db")):
        restore(tmp_path / "saturday.db", restored, over=restored == file_url)
        assert {check.name: check.level for check in doctor(restored)}["tokens"] == "ok"
        for name in SIDECARS:
            changed(restored, name)


def test_a_store_copied_without_its_witness_takes_what_is_there(
    file_url: str, file_store: Store
) -> None:
    _written(file_store)
    changed(file_url, "tokens", 3)
    old = Copy(file_url, "tokens")
    changed(file_url, "tokens")
    file_store.close()
    witness_beside(sqlite_path(file_url)).unlink()
    old.put_back()
    changed(file_url, "tokens")
