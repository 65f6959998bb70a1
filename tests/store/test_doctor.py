"""The doctor's findings, each provoked, and the words for them."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from engines.kernel.messages.catalogue import LANGUAGES
from engines.kernel.messages.package_data import read_words
from referee.store import Store, open_store
from referee.store.maintenance import health as examination
from referee.store.maintenance.backup import backup
from referee.store.maintenance.health import Check, doctor
from referee.store.sqlite import connection, files
from referee.store.sqlite.files import sqlite_path, sqlite_url
from tests.store.writers import SIGNED, draft

WORDS = read_words("referee")
ROOT = Path(__file__).parents[2]
STORE_SOURCES = sorted((ROOT / "referee/store").rglob("*.py"))
STORES_ELSEWHERE = [
    file
    for top in ("cli", "referee/record", "referee/table")
    for file in sorted((ROOT / top).rglob("*.py"))
]


def findings(url: str) -> dict[str, Check]:
    checks = doctor(url)
    for check in checks:
        for key in filter(None, (check.message, check.fix)):
            for lang in LANGUAGES:
                assert "{" not in WORDS.say(key, lang, **check.facts)
    return {check.name: check for check in checks}


@pytest.fixture
def filled(file_store: Store) -> Store:
    for stream in ("game-1", "game-2"):
        file_store.append(stream, [draft(0, "0"), draft(1, "1")], expected=-1, **SIGNED)
    return file_store


def test_healthy_store(filled: Store) -> None:
    found = findings(filled.url)
    assert {name: check.level for name, check in found.items() if name != "sqlite"} == {
        "folder": "ok",
        "space": "ok",
        "file_system": "ok",
        "journal": "ok",
        "synchronous": "ok",
        "private": "ok",
        "witness": "ok",
        "integrity": "ok",
        "chain": "ok",
        "log": "ok",
        "names": "ok",
        "tokens": "ok",
        "boxes": "ok",
        "clock": "ok",
        "lists": "ok",
    }
    assert found["chain"].facts == {"count": 2}


@pytest.mark.parametrize(
    ("version", "level"), [((3, 40, 1), "warn"), ((3, 51, 2), "warn"), ((3, 51, 3), "ok")]
)
def test_sqlite_version(
    version: tuple[int, int, int], level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    assert findings("memory:")["sqlite"].level == level


def test_store_in_memory() -> None:
    assert findings("memory:")["store"].level == "warn"


@pytest.mark.parametrize("url", ["games.db", "mysql://x"])
def test_bad_url(url: str) -> None:
    assert findings(url)["store"].message == "store.bad_url"


def test_missing_folder(tmp_path: Path) -> None:
    check = findings(sqlite_url(tmp_path / "none" / "games.db"))["folder"]
    assert (check.level, check.message) == ("fail", "store.missing_folder")


def test_no_store_yet(file_url: str) -> None:
    assert findings(file_url)["store"].level == "warn"
    assert not sqlite_path(file_url).exists()


def test_not_a_store(tmp_path: Path) -> None:
    letter = tmp_path / "letter.db"
    letter.write_text("Dear table, " * 200)
    assert findings(sqlite_url(letter))["store"].message == "store.not_a_database"
    other = tmp_path / "recipes.db"
    sqlite3.connect(other).execute("CREATE TABLE recipes (name TEXT)").connection.close()
    assert findings(sqlite_url(other))["store"].message == "store.not_a_store"


@pytest.mark.parametrize(("free", "level"), [(1, "fail"), (50 << 20, "warn"), (1 << 40, "ok")])
def test_free_space(file_url: str, free: int, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = examination.shutil._ntuple_diskusage(free, 0, free)
    monkeypatch.setattr(examination.shutil, "disk_usage", lambda folder: usage)
    assert findings(file_url)["space"].level == level


def test_folder_that_cannot_be_written_to(file_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination.os, "access", lambda folder, mode: False)
    assert findings(file_url)["folder"].level == "fail"


@pytest.mark.parametrize(
    ("mounts", "level"),
    [
        ("/dev/sda / ext4 rw 0 0", "ok"),
        ("/dev/sda / ext4 rw 0 0\nserver:/x {folder} nfs4 rw 0 0", "fail"),
        ("//server/x / cifs rw 0 0\n/dev/sda {folder} ext4 rw 0 0", "ok"),
        ("/dev/sda / ext4 rw 0 0\nserver:/x {folder}x nfs rw 0 0", "ok"),
    ],
)
def test_network_file_system(
    file_url: str, tmp_path: Path, mounts: str, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "mounts"
    table.write_text(mounts.format(folder=tmp_path))
    monkeypatch.setattr(examination, "MOUNTS", table)
    assert findings(file_url)["file_system"].level == level


def test_system_that_does_not_tell_its_mounts(
    file_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examination, "MOUNTS", tmp_path / "none")
    assert findings(file_url)["file_system"].message == "doctor.file_system_unknown"


def test_journal_that_is_not_a_log(filled: Store, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    backup(filled.url, copy)
    sqlite3.connect(copy).execute("PRAGMA journal_mode=DELETE").connection.close()
    assert findings(sqlite_url(copy))["journal"].level == "warn"
    assert findings(sqlite_url(copy))["journal"].level == "ok"


def test_weak_syncing(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "DURABLE", ("synchronous=NORMAL",))
    assert findings(filled.url)["store"].message == "store.not_durable"
    monkeypatch.setattr(connection, "make_durable", lambda connection: None)
    monkeypatch.setattr(examination, "SYNCHRONOUS_FULL", 3)
    assert findings(filled.url)["synchronous"].level == "fail"


def test_locked_store(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LOCK_TIMEOUT", 0.05)
    filled.close()
    blocker = sqlite3.connect(sqlite_path(filled.url), isolation_level=None)
    blocker.execute("PRAGMA locking_mode=EXCLUSIVE")
    blocker.execute("BEGIN EXCLUSIVE")
    check = findings(filled.url)["store"]
    assert (check.message, check.fix) == ("store.locked", "doctor.fix.close_others")
    blocker.close()


def test_damaged_file(filled: Store) -> None:
    for number in range(2, 300):
        filled.append("game-1", [draft(number, str(number))], expected=number - 1, **SIGNED)
    filled.close()
    path = sqlite_path(filled.url)
    content = bytearray(path.read_bytes())
    content[60_000:70_000] = b"\xff" * 10_000
    path.write_bytes(content)
    assert findings(filled.url)["integrity"].message == "store.damaged"


def test_broken_chain(filled: Store) -> None:
    meddler = sqlite3.connect(sqlite_path(filled.url), isolation_level=None)
    meddler.execute("DROP TRIGGER entries_no_update")
    meddler.execute("UPDATE entries SET state = CAST('{}' AS BLOB) WHERE rowid = 2")
    check = findings(filled.url)["chain"]
    assert (check.level, check.message) == ("fail", "store.altered")
    assert check.facts == {"stream": "game-1", "seq": 1}


def test_every_trouble_and_every_check_has_words_and_no_words_are_left_over() -> None:
    sources = (*STORE_SOURCES, *STORES_ELSEWHERE)
    source = "\n".join(file.read_text("utf-8") for file in sources)
    codes = set(re.findall(r'StoreError\(\s*"(\w+)"', source))
    codes |= set(re.findall(r'(?:sqlite3\.SQLITE_\w+:|\(errors\.\w+,) "(\w+)"', source))
    for file in ("hash_chain.py", "postgres/connection.py"):
        returned = re.findall(r'return "(\w+)"', (ROOT / "referee/store" / file).read_text())
        codes |= set(returned)
    keys = set(re.findall(r'"(doctor\.[a-z_.]+)"', source))
    wanted = {f"store.{code}" for code in codes} | keys
    assert len(wanted) > 40
    assert wanted == {key for key in WORDS if key.startswith(("store.", "doctor."))}


def test_doctor_changes_nothing(filled: Store) -> None:
    before = filled.follow()
    doctor(filled.url)
    again = open_store(filled.url, create=False)
    assert again.follow() == before
    again.close()
